// Programs on the device of a run: decoded for the detectors that listen, or instrumented for one inside the kernel,
// and again when launches differ.

package session

import (
	"bytes"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
	"github.com/ptxsan/ptxsan/runtime/session/internal/devices"
	"github.com/ptxsan/ptxsan/runtime/session/internal/proofs"
	"github.com/ptxsan/ptxsan/runtime/session/internal/symbolize"
)

// loadedProgram is a program on the device of a run.
type loadedProgram struct {
	run     *run
	program *Program
	machine devices.Machine
	placed  devices.Machine // with the variables of the program alone, from which versions are made
	module  *rewrite.Module // executed by the machine
	made    *passes.Output  // nil for the uninstrumented program
	dets    []*appliedDetector
	meters  []*Meter
	key     string // identifies the facts that the machine was decoded for
	decoded bool
	stale   bool // the user's listener needs other events than those the machine was decoded for

	claimants claimants

	unwatched devices.Machine // decoded without the detectors, for launches that are not watched; nil before there is one

	launched  map[*rewrite.Func]bool           // value: some launch was not Unreported
	latest    map[*rewrite.Func]*loadedProgram // the version that has launched a kernel last
	shapes    map[*rewrite.Func][]report.Shape // of its launches
	repeated  map[*rewrite.Func]int            // number of launches for which the verdict about an earlier one holds
	privates  map[uint64]bool                  // addresses of memory allocated by detectors and measuring passes
	described symbolize.Descriptions           // of races in this program

	busy     bool             // a resident launch uses it
	versions []*loadedProgram // for launches beside others
	first    *loadedProgram   // of a version: the program; nil otherwise

	verified *emu.Booking                      // nil if there are no assumptions
	user     func(*rewrite.Inst) *rewrite.Inst // for verified
}

// load lays out the variables of a program.
func (r *run) load(p *Program) error {
	cfg := r.config
	cfg.Managed = p.Managed
	m, err := r.dev.Place(p.Module, cfg)
	if err != nil {
		return err
	}
	l := &loadedProgram{
		run: r, program: p, machine: m, placed: m, module: p.Module, launched: make(map[*rewrite.Func]bool),
		latest: make(map[*rewrite.Func]*loadedProgram),
		shapes: make(map[*rewrite.Func][]report.Shape), repeated: make(map[*rewrite.Func]int), privates: make(map[uint64]bool),
		described: make(symbolize.Descriptions),
	}
	if l.dets, err = r.apply(); err != nil {
		return err
	}
	r.loaded[p] = l
	r.order = append(r.order, l)
	r.heap = r.heap || slices.ContainsFunc(p.Module.Funcs,
		func(f *rewrite.Func) bool { return !f.Defined() && emu.AllocatesMemory(f.Name) })
	return nil
}

// apply makes the detectors of the run for a program.
func (r *run) apply() (list []*appliedDetector, err error) {
	for _, d := range r.s.opts.Detectors {
		if d != r.inside && (r.inside != nil || !d.Listens()) {
			continue
		}
		w := &appliedDetector{Detector: d}
		if d.Listens() {
			if w, err = r.s.listen(d); err != nil {
				return nil, err
			}
		}
		list = append(list, w)
	}
	return list, nil
}

// update decodes the program for the facts about its launches, unless it is up to date.
func (l *loadedProgram) update() error {
	f := l.run.s.facts[l.program]
	if l.decoded && l.key == f.Key && !l.stale {
		return nil
	}
	var err error
	if l.run.inside != nil {
		err = l.instrument(f)
	} else {
		err = l.follow(f)
	}
	l.key, l.decoded, l.stale = f.Key, err == nil, l.stale && err != nil
	return err
}

// ListenerChanged says that Options.Emulator.Listener needs other events than before: programs are decoded again before
// their next launch.
func (s *Session) ListenerChanged() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listenerChanged()
}

func (s *Session) listenerChanged() {
	for _, r := range s.runs {
		for _, l := range r.order {
			for _, v := range l.all() {
				v.stale, v.unwatched = true, nil
			}
		}
	}
}

// instrument makes the machine for a detector inside the kernel.
func (l *loadedProgram) instrument(f *proofs.Facts) error {
	r, w := l.run, l.dets[0]
	r.s.progress(func() string { return "instrumenting for " + w.Name() })
	out, err := l.program.instrument(&r.s.opts, w.Pipeline(), f)
	if err != nil {
		return err
	}
	if same := l.made != nil && bytes.Equal(l.made.Module.Source(), out.Module.Source()); !same { // other accesses are left out
		l.made = out
		if err = w.attach(out); err != nil {
			return err
		}
		r.s.measure(w.host)
	} else if !l.stale {
		return nil
	}
	cfg := r.config
	cfg.Listener = observe.Tee(r.listenerInside(), r.s.opts.Timeline.followInside(w, l.made))
	cfg.Blame = symbolize.Blamer(l.program.Module)
	cfg.Observes = observers(w.Pipeline())
	cfg.Booking = l.booking(f, symbolize.UsersOwn(l.program.Module))
	cfg.Poll = w.poll(func() abi.Device { return l.machine })
	return l.reload(l.made.Module, cfg)
}

// observers returns what says which instructions are those of observers (emu.Config.Observes): all that passes have
// inserted if they only watch the program, none otherwise.
func observers(p passes.Pipeline) func(*rewrite.Inst) bool {
	if !p.WatchesOnly() {
		return nil
	}
	return func(in *rewrite.Inst) bool { return symbolize.UserLine(in) == 0 }
}

// listenerInside returns the user's listener for an instrumented run. It observes such a run only if there is no
// uninstrumented one.
func (r *run) listenerInside() emu.Listener {
	if r.s.opts.InstrumentedOnly {
		return r.config.Listener
	}
	return nil
}

// follow makes the machine for the program, uninstrumented or with measuring passes.
func (l *loadedProgram) follow(f *proofs.Facts) error {
	r := l.run
	changed := !l.decoded || l.stale
	for i, w := range l.dets {
		different, err := w.follow(r.s, l.program, f)
		if err != nil {
			return err
		}
		l.share(i)
		changed = changed || different
	}
	if different, err := l.claimants.join(l, f); err != nil || !changed && !different {
		return err
	}
	cfg := r.config
	listeners := []emu.Listener{r.s.opts.Timeline.follow(l.dets, r.s.printing(r) == r)}
	for _, w := range l.dets {
		listeners = append(listeners, w.events)
	}
	listeners = append(listeners, l.claimants.listeners()...)
	if o := r.s.overlaps; o != nil {
		listeners = append(listeners, o.watch)
	}
	cfg.Listener = observe.Tee(append(listeners, cfg.Listener)...)
	if len(l.dets) > 0 {
		cfg.Booking = l.booking(f, asIs)
	}
	if l.claiming() != nil {
		l.claimants.watch(&cfg)
	}
	mod := l.program.Module
	if passes := r.s.opts.Passes; len(passes.Passes()) > 0 {
		out, err := l.program.instrument(&r.s.opts, passes, &proofs.Facts{})
		if err != nil {
			return err
		}
		l.made, mod = out, out.Module
		if len(l.dets) > 0 {
			cfg.Booking = l.booking(f, symbolize.UsersOwn(l.program.Module))
		}
		cfg.Blame = symbolize.Blamer(l.program.Module)
		cfg.Observes = observers(passes)
	}
	if err := l.reload(mod, cfg); err != nil {
		return err
	}
	if l.made != nil && l.meters == nil {
		l.meters = l.newMeters()
	}
	return nil
}

// reload replaces the loaded version of the program by another.
func (l *loadedProgram) reload(mod *rewrite.Module, cfg emu.Config) error {
	m, err := l.machine.Reload(mod, cfg)
	if err != nil {
		return badinput.Wrap(err)
	}
	l.machine, l.module = m, mod
	return nil
}

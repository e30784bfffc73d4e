// Runs: the execution of a session's launches on one of its devices.

package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/explore"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
	"github.com/ptxsan/ptxsan/runtime/session/internal/devices"
	"github.com/ptxsan/ptxsan/runtime/session/internal/symbolize"
)

// run is one execution of the session's launches on a device of its own: either of the uninstrumented programs with the
// detectors that listen, or of the programs instrumented for one detector inside the kernel. Endless spinning is
// detected only in the former, since the code of a detector changes memory all the time.
type run struct {
	s       *Session
	inside  *detectors.Detector // nil for the uninstrumented programs
	dev     devices.Device
	config  emu.Config
	loaded  map[*Program]*loadedProgram
	order   []*loadedProgram   // in order of loading
	buffers map[uint64]*Object // by address
	heap    bool               // a program loaded so far has kernels that may allocate memory

	races   []*report.Race // of all launches, one for each likeness
	like    map[foundLike]*report.Race
	faults  []*report.FaultEvent
	stats   emu.Stats
	longest uint64 // warp instructions of the longest launch
	threads uint64 // thread instructions of the launch that has most
	ended   int    // launches that ended, normally or with a fault
	stopped bool   // a fault has ended the run
	hints   []string
}

func newRun(s *Session, inside *detectors.Detector) *run {
	r := &run{s: s, inside: inside, config: s.opts.Emulator, like: make(map[foundLike]*report.Race)}
	if inside != nil {
		r.config = instrumentedConfig(r.config)
	} else if s.insideKernel() {
		r.config.Record, r.config.Replay = nil, nil // schedules belong to the instrumented program
	}
	if r != s.printing(r) {
		r.config.Stdout = nil
	}
	r.dev = devices.EmulatedDevice{Device: emu.NewDevice(r.config)}
	if s.opts.GPU != nil {
		r.dev = devices.OnGPU(s.opts.GPU)
	}
	r.loaded, r.buffers = make(map[*Program]*loadedProgram), make(map[uint64]*Object)
	return r
}

// insideKernel reports whether the session has a detector inside the kernel.
func (s *Session) insideKernel() bool {
	for _, d := range s.opts.Detectors {
		if !d.Listens() {
			return true
		}
	}
	return false
}

// printing returns the run whose kernel output is shown: the first instrumented one, else the uninstrumented one. The
// runs before r have been made.
func (s *Session) printing(r *run) *run {
	if !s.insideKernel() || s.opts.InstrumentedOnly {
		return r
	}
	for _, other := range append(s.runs, r) {
		if other.inside != nil {
			return other
		}
	}
	return nil
}

// instrumentedConfig returns the configuration of the run with a detector inside the kernel. The memory of the detector
// is not all initialised, and its code needs stack. The uninstrumented run reports the results of checks, and the
// user's listener observes it.
func instrumentedConfig(cfg emu.Config) emu.Config {
	const stack, calls = 64 << 10, 16
	cfg.Uninitialised, cfg.Variables, cfg.Synccheck = false, false, false
	if cfg.Limits.Stack != 0 {
		cfg.Limits.Stack += stack
	}
	if cfg.Limits.CallDepth != 0 {
		cfg.Limits.CallDepth += calls
	}
	return cfg
}

// instrumentedSteps returns the limit of the steps of an instrumented launch, given the warp instructions of the
// longest uninstrumented launch. A hook takes up to 40,000 if it handles the lanes, and the words of an access in
// groups of four, one after the other. A program that does not end has a lower limit: the report can only contain the
// races found until then.
func instrumentedSteps(bare uint64, ends bool) uint64 {
	const atLeast, perInstruction, usual = 10_000_000, 100_000, 200
	if ends {
		return atLeast + perInstruction*min(bare, 1<<46)
	}
	return atLeast + min(usual*min(bare, 1<<48), emu.DefaultMaxSteps/4)
}

// describe returns the current activity as text.
func (r *run) describe(b *boundLaunch) string {
	verb := "running "
	if r.inside != nil {
		verb = "checking "
	}
	return verb + r.s.describeLaunch(b)
}

// interruptedWhy is why a launch of an application was not checked to its end.
const interruptedWhy = "it was ended before its end, with its process or by a limit of time: only its beginning was checked"

// launch executes a launch and adds its findings to the result.
func (r *run) launch(ctx context.Context, b *boundLaunch, res *Result) error {
	l, err := r.loaded[b.program].idle()
	if err != nil {
		return err
	}
	if l.busy = true; b.watched() {
		l.latest[b.kernel] = l
	}
	defer func() { l.busy = false }()
	m, err := r.ready(l, b)
	if err != nil {
		return err
	}
	symbols := l.symbols(b)
	r.s.opts.Timeline.begin(symbols, !b.Unreported)
	if b.Unreported && r == r.s.first() {
		r.s.skipped.Add(b.kernel.Name, report.NotSelected)
	}
	if r == r.s.first() {
		defer r.s.overlaps.begin(r.s, b, symbols)()
	}
	if starting := r.s.opts.Starting; starting != nil {
		starting()
	}
	stopped, err := r.execute(ctx, l, m, b, res)
	interrupted := errors.Is(err, ErrInterrupted) && r.s.opts.Application && r.inside == nil // an application cannot run again
	if err != nil && !interrupted {
		return err
	}
	if interrupted && !b.Unreported {
		r.s.skipped.Add(b.kernel.Name, interruptedWhy)
	}
	b.interrupted = interrupted
	r.stopped = slices.ContainsFunc(stopped, stops)
	if err = r.blame(l, b, stopped); err != nil {
		return err
	}
	l.verify(b)
	if err = r.report(l, b, symbols, stopped, res); err == nil && interrupted && !l.machine.Lost() {
		err = ErrInterrupted
	}
	return err
}

// ready returns the machine for a launch, with everything prepared that precedes the kernel.
func (r *run) ready(l *loadedProgram, b *boundLaunch) (devices.Machine, error) {
	m, err := l.machineFor(b)
	if err != nil {
		return nil, err
	}
	if err = m.Decode(b.kernel.Name); err != nil {
		return nil, badinput.Wrap(err)
	}
	if limit := r.s.instrumentedLimit(); r.inside != nil && limit != 0 {
		m.SetMaxSteps(limit)
	}
	if b.Cooperative { // detectors need to know all allocations
		if err = r.dev.AllocWorkspace(); err != nil {
			return nil, b.errorf("%v", err)
		}
	}
	return m, l.prepare(b)
}

// report adds the findings of a launch to the result and to the run. stopped are the faults that ended the kernel.
func (r *run) report(l *loadedProgram, b *boundLaunch, symbols *symbolize.Symbolizer, stopped []*emu.Fault,
	res *Result,
) (err error) {
	faults := symbols.Faults(stopped)
	for _, f := range faults {
		f.Launched, f.Range = b.launchedAt(), b.Range
	}
	if l.machine.Lost() {
		r.faults, res.Faults = append(r.faults, faults...), faults
		res.Races, _, err = l.collect(b, symbols, nil)
		return err
	}
	l.launched[b.kernel] = l.launched[b.kernel] || b.watched()
	l.shapes[b.kernel] = report.AddShape(l.shapes[b.kernel], array3(b.Grid), array3(b.Block))
	if b.stands {
		l.repeated[b.kernel]++
	}
	races, faults, err := l.collect(b, symbols, faults)
	if err != nil {
		return err
	}
	for _, f := range faults {
		again := func(g *report.FaultEvent) bool { return g.Class == f.Class && g.Kernel == f.Kernel && g.PTX == f.PTX }
		if !f.Continued || !slices.ContainsFunc(r.faults, again) {
			r.faults = append(r.faults, f)
		}
	}
	res.Races = append(res.Races, races...)
	if len(res.Faults) == 0 {
		res.Faults = faults
	}
	return nil
}

// stops reports whether a fault ends the run.
func stops(f *emu.Fault) bool { return !f.Continued }

// blame lets the detectors inside a kernel explain a fault that the uninstrumented kernel does not have.
func (r *run) blame(l *loadedProgram, b *boundLaunch, stopped []*emu.Fault) error {
	if first := r.s.first(); !r.stopped || r == first || first.stopped {
		return nil
	}
	for _, w := range l.dets {
		if h, ok := w.half().(detect.Blaming); ok {
			if err := h.Blame(stopped[0].Class); err != nil {
				return b.errorf("%v", err)
			}
		}
	}
	return nil
}

// instrumentedLimit returns the limit of the steps of an instrumented launch, 0 for the emulator's own.
func (s *Session) instrumentedLimit() uint64 {
	if s.opts.steps != 0 || s.opts.InstrumentedOnly {
		return s.opts.steps
	}
	bare := s.first()
	return instrumentedSteps(bare.longest, !bare.stopped)
}

// prepare prepares detectors and measuring passes for a launch.
func (l *loadedProgram) prepare(b *boundLaunch) error {
	for _, w := range l.dets {
		if err := w.prepare(l, b); err != nil {
			return b.errorf("%v", err)
		}
	}
	if err := l.claimants.begin(l, b); err != nil {
		return b.errorf("%v", err)
	}
	for _, m := range l.meters {
		if m.prepare == nil {
			continue
		}
		if err := m.prepare(); err != nil {
			return b.errorf("%v", err)
		}
	}
	return nil
}

// execute runs the kernel, as often as its detectors need. It returns the faults that ended it.
func (r *run) execute(ctx context.Context, l *loadedProgram, m devices.Machine, b *boundLaunch,
	res *Result,
) ([]*emu.Fault, error) {
	cfg, err := r.configure(m, b)
	if err != nil {
		return nil, err
	}
	cfg.Shared = l.dynamicShared(cfg.Shared)
	out, err := r.once(ctx, l, m, b, cfg, res)
	for err == nil && len(out.Faults) == 0 {
		again, repeatErr := l.repeat()
		if repeatErr != nil {
			return nil, b.errorf("%v", repeatErr)
		}
		if !again {
			break
		}
		out, err = r.once(ctx, l, m, b, cfg, res)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return nil, ErrInterrupted
	case errors.Is(err, explore.ErrRedundant):
		return nil, err
	case err != nil:
		return nil, b.errorf("kernel %s cannot be launched: %v", b.Kernel, err)
	}
	r.ended++
	return out.Faults, nil
}

// once executes the kernel once, and counts its instructions.
func (r *run) once(ctx context.Context, l *loadedProgram, m devices.Machine, b *boundLaunch, cfg emu.LaunchConfig,
	res *Result,
) (*emu.Result, error) {
	listening := l.listening()
	for _, w := range listening {
		w.events.Until(ctx)
	}
	out, err := m.Launch(ctx, cfg)
	for _, w := range listening {
		w.events.Wait()
	}
	if out != nil {
		r.stats.WarpInstructions += out.Stats.WarpInstructions
		r.stats.ThreadInstructions += out.Stats.ThreadInstructions
		r.longest = max(r.longest, out.Stats.WarpInstructions)
		r.threads = max(r.threads, out.Stats.ThreadInstructions)
		if r == r.s.first() {
			res.Stats = out.Stats
			r.noteBounded(out.Bounded)
			if !b.Unreported {
				r.hint(b, out.Misuses)
			}
		}
	}
	return out, err
}

// listening returns the detectors of the program that get events.
func (l *loadedProgram) listening() []*appliedDetector {
	list := slices.Clone(l.dets)
	if w := l.claimants.enforced; w != nil {
		list = append(list, w)
	}
	return slices.DeleteFunc(list, func(w *appliedDetector) bool { return w.events == nil })
}

// noteBounded notes, once, that loads under weak memory had fewer stores to return than the model allows.
func (r *run) noteBounded(bounded bool) {
	note := fmt.Sprintf("weak memory: of locations with many stores, loads returned only the latest ones, at most %d (docs/memory.md)", emu.MaxOlderStores)
	if bounded && !slices.Contains(r.s.notes, note) {
		r.s.notes = append(r.s.notes, note)
	}
}

// Detectors applied: a detector on one program in one run of a session.

package session

import (
	"errors"
	"maps"
	"runtime"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/internal/detect/barracuda"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
	"github.com/ptxsan/ptxsan/runtime/session/internal/devices"
	"github.com/ptxsan/ptxsan/runtime/session/internal/proofs"
)

// appliedDetector is a detector applied to one program in one run. listener and events are set for a detector that
// listens, host and sites for one inside the kernel.
type appliedDetector struct {
	*detectors.Detector
	listener detect.Detector
	events   *observe.Events
	exempts  detectors.ExemptionRule // nil for none
	enforced *detectors.Enforced     // the listener, if it is a detector of enforced order
	muted    bool                    // races of the current launch are not reported: the listener gets no events

	host    detect.InKernel
	result  any // result of the pass
	table   []abi.Site
	dropped uint64 // by host halves of earlier versions of the program
}

// listen makes a detector that listens, for a program.
func (s *Session) listen(d *detectors.Detector) (*appliedDetector, error) {
	listener, err := d.Kind.Listen(s.optionsOf(d))
	if err != nil {
		return nil, err
	}
	s.measure(listener)
	return &appliedDetector{Detector: d, listener: listener}, nil
}

// measure calls the Measure method of a detector that has one, if Options.Statistics is set.
func (s *Session) measure(detector any) {
	if m, ok := detector.(detect.Measuring); ok && s.opts.Statistics {
		m.Measure()
	}
}

// follow sets the events that the listener gets to those that it needs for the given launches. It reports whether they
// have changed.
func (w *appliedDetector) follow(s *Session, p *Program, f *proofs.Facts) (changed bool, err error) {
	first := w.events == nil
	if first {
		w.events = observe.NewEvents(p.Module, detect.NeedsOf(w.listener), w.listener)
		if s.hasProcessorForDetector() {
			w.events.Beside()
		}
		if w.enforced != nil {
			w.events.Steps(w.enforced.NeedsStep, w.enforced.Step)
			w.events.Unless(w.enforced.Over)
		} else if w.Kind.Study != nil {
			if w.exempts, err = w.Kind.Study(w.Options(), w.listener, p.Module); err != nil {
				return false, err
			}
		}
	}
	changed = w.events.IgnoreSites(w.ignored(s, p, f))
	if first && s.opts.SaveTrace != nil && w.Kind == detectors.BarracudaKind {
		err = s.beginTrace(w)
	}
	return first || changed, err
}

// hasProcessorForDetector reports whether there is a processor for a detector besides the emulator's. A timeline draws
// its arrows while the emulator executes the access that they point to, so it needs the detector on the same goroutine.
func (s *Session) hasProcessorForDetector() bool {
	return s.opts.Timeline == nil && min(s.opts.Emulator.Workers, runtime.GOMAXPROCS(0)) > 1
}

// ignored returns the accesses of which the detector is not notified.
func (w *appliedDetector) ignored(s *Session, p *Program, f *proofs.Facts) map[*rewrite.Inst]bool {
	out := f.Unwatched(p.Module)
	if s.opts.Refuted {
		return out
	}
	if w.exempts != nil {
		for in, why := range p.proved.Exemptions(f) {
			if w.exempts(in, why) {
				out[in] = true
			}
		}
	}
	maps.Copy(out, exemptByAnalysis(w.Detector, p, f, out))
	if w.enforced != nil {
		maps.DeleteFunc(out, func(in *rewrite.Inst, _ bool) bool { return in.Strong() || in.Access.Atomic() })
		return out
	}
	maps.Copy(out, whole(w.Detector, p, f, out))
	return out
}

// beginTrace writes the header of the trace file and makes the listener record its operations there.
func (s *Session) beginTrace(w *appliedDetector) (err error) {
	if s.trace != nil {
		return badinput.Errorf("a trace is saved of one program, this is another one")
	}
	s.trace, err = barracuda.NewWriter(s.opts.SaveTrace, w.events.Sites())
	if err == nil {
		w.listener.(*barracuda.Listener).Record(s.trace)
	}
	return err
}

// attach makes the host half for the result of the detector's pass.
func (w *appliedDetector) attach(out *passes.Output) (err error) {
	if w.host != nil {
		w.dropped += w.host.Dropped()
	}
	w.table, w.result = out.Sites, out.Results[w.Name()]
	w.host, err = w.Kind.InKernel(w.result)
	return err
}

// private is a machine on which detectors and measuring passes allocate memory that is not the program's.
type private struct {
	devices.Machine
	l *loadedProgram
}

// private returns a machine for the detectors and measuring passes of the program.
func (l *loadedProgram) private() private { return private{l.machine, l} }

// Alloc implements abi.Device.
func (m private) Alloc(name string, size uint64) (uint64, error) {
	addr, err := m.AllocPrivate(name, size)
	if err == nil {
		m.l.privates[addr] = true
	}
	return addr, err
}

// AllocHost implements abi.HostAllocator.
func (m private) AllocHost(name string, size uint64) (uint64, error) {
	h, ok := m.Machine.(abi.HostAllocator)
	if !ok {
		return m.Alloc(name, size)
	}
	addr, err := h.AllocHost(name, size)
	if err == nil {
		m.l.privates[addr] = true
	}
	return addr, err
}

// Free implements abi.Freer.
func (m private) Free(addr uint64) error {
	delete(m.l.privates, addr)
	return m.Machine.Free(addr)
}

// Zero implements abi.Zeroer.
func (m private) Zero(addr, size uint64) error {
	if z, ok := m.Machine.(abi.Zeroer); ok {
		return z.Zero(addr, size)
	}
	return errors.ErrUnsupported
}

// Distant implements abi.Distant.
func (m private) Distant() bool {
	d, ok := m.Machine.(abi.Distant)
	return ok && d.Distant()
}

// poll returns a function that lets the host half read what the running kernel has written, nil if it does not need to.
func (w *appliedDetector) poll(machine func() abi.Device) func() bool {
	p, ok := w.host.(detect.Polling)
	if !ok {
		return nil
	}
	return func() bool { return p.Poll(machine()) }
}

// sites returns the table that the detector's races refer to. It is empty before the first launch.
func (w *appliedDetector) sites() []abi.Site {
	if w.events != nil {
		return w.events.Sites()
	}
	return w.table
}

// accesses counts the places where the detector checks accesses.
func (w *appliedDetector) accesses() int {
	n := 0
	for _, s := range w.sites() {
		if s.Size > 0 {
			n++
		}
	}
	return n
}

// prepare prepares the detector for a launch. A detector that listens gets no events of launches whose races are not
// reported, since no detector relates different launches.
func (w *appliedDetector) prepare(l *loadedProgram, b *boundLaunch) error {
	if w.listener != nil {
		w.muted = !b.watched() && l.run.s.trace == nil
		if w.events != nil {
			w.events.Mute(w.muted)
			w.events.Watch(b.sampled)
		}
		if w.muted {
			return nil
		}
	}
	shape, err := l.shape(b, w.listener == nil || w.Kind.Extent)
	if err != nil {
		return err
	}
	if w.listener == nil {
		if host, ok := w.host.(detect.Launching); ok {
			if err := host.Launching(b.kernel.Name, b.Shared); err != nil {
				return err
			}
		}
		if host, ok := w.host.(detect.Expanding); ok {
			host.Objects(l.symbols(b).NamedRegions())
		}
		return w.host.Prepare(l.private(), shape)
	}
	d := detect.Launch{
		Kernel: b.kernel.Name, LaunchShape: shape, Ranked: true,
		Weak: l.run.s.opts.Emulator.Memory == emu.PTX, Outcomes: l.run.s.opts.Outcomes,
	}
	if w.Kind == detectors.BarracudaKind && l.run.s.trace != nil {
		d.Regions = l.symbols(b).NamedRegions()
	}
	w.listener.Begin(d)
	return nil
}

// dynamicShared returns the dynamic shared memory in bytes that a launch of bytes bytes needs with the detectors of its
// run.
func (l *loadedProgram) dynamicShared(bytes uint64) uint64 {
	for _, w := range l.dets {
		if host, ok := w.host.(detect.Launching); ok {
			bytes = max(bytes, host.DynamicShared())
		}
	}
	return bytes
}

// repeat reports whether a detector needs another execution of the launch.
func (l *loadedProgram) repeat() (again bool, err error) {
	for _, w := range l.dets {
		if host, ok := w.host.(detect.Repeating); ok && !again && err == nil {
			again, err = host.Repeat(l.machine)
		}
	}
	return again, err
}

// notes returns what the host half of the detector has not checked, as text.
func (w *appliedDetector) notes() []string {
	if host, ok := w.host.(detect.Noting); ok {
		return host.Notes()
	}
	return nil
}

// collect returns the races of the launch. When the device's memory is lost, these are what has survived.
func (w *appliedDetector) collect(l *loadedProgram) ([]detect.Race, error) {
	switch {
	case w.muted:
		return nil, nil
	case w.listener != nil:
		return w.listener.End(), nil
	}
	if !l.machine.Lost() {
		return w.host.Collect(l.machine)
	}
	if host, ok := w.host.(detect.Surviving); ok {
		return host.Survived(l.machine)
	}
	return nil, nil
}

// lost returns the number of races for which there was no room.
func (w *appliedDetector) lost() uint64 {
	if w.host == nil {
		return 0
	}
	return w.dropped + w.host.Dropped()
}

// half returns the host half of the detector, or the listener.
func (w *appliedDetector) half() any {
	if w.listener != nil {
		return w.listener
	}
	return w.host
}

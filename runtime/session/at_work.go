// Detectors at work: a detector on one program in one run of a session.

package session

import (
	"maps"
	"runtime"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/detect/barracuda"
)

// atWork is a detector at work on one program in one run. Of a detector that listens,
// listener and events are set, of one inside the kernel host and sites.
type atWork struct {
	*Detector
	listener detect.Detector
	events   *observe.Events
	needless needless // accesses that the listener can do without
	muted    bool     // races of the current launch are not asked for: the listener gets no events

	host    detect.InKernel
	result  any // of the pass
	table   []abi.Site
	dropped uint64 // by host halves of earlier versions of the program
}

// listen makes the detector that listens to a program.
func (s *Session) listen(d *Detector) (*atWork, error) {
	listener, err := d.kind.listen(d.options())
	if err != nil {
		return nil, err
	}
	s.measure(listener)
	return &atWork{Detector: d, listener: listener}, nil
}

// measure calls Measure of a detector that has it, if Options.Statistics is set.
func (s *Session) measure(detector any) {
	if m, ok := detector.(detect.Measuring); ok && s.opts.Statistics {
		m.Measure()
	}
}

// follow has the detector's events be those that it needs, for what launches give the program's kernels. It reports
// whether they are others than before.
func (w *atWork) follow(s *Session, p *Program, f *facts) (changed bool, err error) {
	first := w.events == nil
	if first {
		w.events = observe.NewEvents(p.Module, emu.Needs(detect.NeedsOf(w.listener)), w.listener)
		w.events.MaxThreads(s.opts.MaxThreads)
		if s.hasProcessorFor(w.listener) {
			w.events.Beside()
		}
		if w.kind.study != nil {
			if w.needless, err = w.kind.study(w.options(), w.listener, p.Module, w.events); err != nil {
				return false, err
			}
		}
	}
	changed = w.events.IgnoreSites(w.leftOut(s, p, f))
	if first && s.opts.SaveTrace != nil && w.kind == barracudaKind {
		err = s.beginTrace(w)
	}
	return first || changed, err
}

// hasProcessorFor reports whether there is a processor for a detector beside that of the emulator. One that works on several
// goroutines has them already. The arrows of a timeline are drawn while the emulator is at the access that they point to.
func (s *Session) hasProcessorFor(listener detect.Detector) bool {
	if c, ok := listener.(detect.Concurrent); ok && c.Concurrent() {
		return false
	}
	return s.opts.Timeline == nil && min(s.opts.Emulator.Workers, runtime.GOMAXPROCS(0)) > 1
}

// leftOut is the accesses that the detector is not told of.
func (w *atWork) leftOut(s *Session, p *Program, f *facts) map[*rewrite.Inst]bool {
	out := f.unwatched(p.Module)
	if s.opts.Refuted {
		return out
	}
	if w.needless != nil {
		for in, why := range p.exemptions(f) {
			if w.needless(in, why) {
				out[in] = true
			}
		}
	}
	maps.Copy(out, w.apart(p, f, out))
	return out
}

// beginTrace writes the header of the trace file and has the listener write what it is
// notified of.
func (s *Session) beginTrace(w *atWork) (err error) {
	if s.trace != nil {
		return inputErrorf("a trace is saved of one program, this is another one")
	}
	s.trace, err = barracuda.NewWriter(s.opts.SaveTrace, w.events.Sites())
	if err == nil {
		w.listener.(*barracuda.Listener).Record(s.trace)
	}
	return err
}

// attach makes the host half for what the detector's pass has made of the program.
func (w *atWork) attach(out *passes.Output) (err error) {
	if w.host != nil {
		w.dropped += w.host.Dropped()
	}
	w.table, w.result = out.Sites, out.Results[w.Name()]
	w.host, err = w.kind.inKernel(w.result)
	return err
}

// private is a machine on which detectors and measuring passes allocate memory that the program
// does not know of.
type private struct {
	machine
	l *loaded
}

// private is the machine for its detectors and measuring passes.
func (l *loaded) private() private { return private{l.machine, l} }

// Alloc implements abi.Device.
func (m private) Alloc(name string, size uint64) (uint64, error) {
	addr, err := m.AllocPrivate(name, size)
	if err == nil {
		m.l.privates[addr] = true
	}
	return addr, err
}

// Free implements abi.Freer.
func (m private) Free(addr uint64) error {
	delete(m.l.privates, addr)
	return m.machine.Free(addr)
}

// poll lets the host half read what the running kernel has written, if it wants to.
func (w *atWork) poll(machine func() abi.Device) func() bool {
	p, ok := w.host.(detect.Polling)
	if !ok {
		return nil
	}
	return func() bool { return p.Poll(machine()) }
}

// sites is the table that the detector's races refer to, empty before the first launch.
func (w *atWork) sites() []abi.Site {
	if w.events != nil {
		return w.events.Sites()
	}
	return w.table
}

// accesses counts the places where the detector checks accesses.
func (w *atWork) accesses() int {
	n := 0
	for _, s := range w.sites() {
		if s.Size > 0 {
			n++
		}
	}
	return n
}

// prepare sets the detector up for a launch. One that listens hears nothing of launches whose races nobody asks
// for, as no detector looks at several launches together.
func (w *atWork) prepare(l *loaded, b *boundLaunch) error {
	if w.listener != nil {
		w.muted = b.Unreported && l.run.s.trace == nil
		if w.events.Mute(w.muted); w.muted {
			return nil
		}
	}
	shape, err := l.shape(b, w.listener == nil || w.kind.extent)
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
			host.Objects(l.symbols(b).namedRegions())
		}
		return w.host.Prepare(l.private(), shape)
	}
	d := detect.Launch{Kernel: b.kernel.Name, LaunchShape: shape}
	if w.kind == barracudaKind && l.run.s.trace != nil {
		d.Regions = l.symbols(b).namedRegions()
	}
	w.listener.Begin(d)
	return nil
}

// dynamicShared is the dynamic shared memory in bytes that a launch must have for the detectors
// of its run, when the user's has so many.
func (l *loaded) dynamicShared(bytes uint64) uint64 {
	for _, w := range l.dets {
		if host, ok := w.host.(detect.Launching); ok {
			bytes = max(bytes, host.DynamicShared())
		}
	}
	return bytes
}

// repeat reports whether a detector needs another execution of the launch.
func (l *loaded) repeat() (again bool, err error) {
	for _, w := range l.dets {
		if host, ok := w.host.(detect.Repeating); ok && !again && err == nil {
			again, err = host.Repeat(l.machine)
		}
	}
	return again, err
}

// notes are what the host half of the detector says that it did not check.
func (w *atWork) notes() []string {
	if host, ok := w.host.(detect.Noting); ok {
		return host.Notes()
	}
	return nil
}

// collect is the races of the launch.
func (w *atWork) collect(l *loaded) ([]detect.Race, error) {
	switch {
	case w.muted:
		return nil, nil
	case w.listener != nil:
		return w.listener.End(), nil
	}
	return w.host.Collect(l.machine)
}

// lost counts the races that there was no room for.
func (w *atWork) lost() uint64 {
	if w.host == nil {
		return 0
	}
	return w.dropped + w.host.Dropped()
}

// half is the part of the detector on the host.
func (w *atWork) half() any {
	if w.listener != nil {
		return w.listener
	}
	return w.host
}

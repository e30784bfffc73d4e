// Sessions: devices on which kernels are launched one after the other and checked.

package session

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/address"
	"github.com/ptxsan/ptxsan/runtime/detect/barracuda"
	"github.com/ptxsan/ptxsan/runtime/gpu"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Version is the version of ptxsan, as shown in reports.
const Version = "0.1.0"

// Options say how the launches of a session are executed and checked. The zero value
// executes them without a detector.
type Options struct {
	// Detectors look for races: see ParseDetectors.
	Detectors []*Detector
	// Emulator says how kernels are executed. Its Listener observes the program as it is,
	// or with InstrumentedOnly the instrumented one.
	// Its Stdout gets the output of the kernels, once. Record and Replay are for the one
	// run that a detector inside the kernel needs, or else for that of the program as it
	// is. Blame and Poll are the session's. Stalled is not called where a launch is executed
	// several times; it may use the session's memory, and must not launch, load or unload.
	Emulator emu.Config
	// Passes instrument the program that is executed as it is: measuring passes, whose
	// findings Session.Meters has.
	Passes passes.Pipeline
	// MemTrace gets the memory accesses of each launch when it has ended, if the pass
	// memtrace is among the Passes; nil for nothing.
	MemTrace io.Writer
	// RunPasses runs a pipeline of passes, to watch it run; nil to run it plainly.
	RunPasses func(p passes.Pipeline, m *rewrite.Module, given func(kernel string) address.Given) (*passes.Output, error)
	// Timeline draws what warps do and an arrow for each race; nil for nothing.
	Timeline *Timeline
	// SaveTrace gets the operations that the detector barracuda is notified of, which must
	// be among the detectors and listen; nil for nothing.
	SaveTrace io.Writer
	// Progress is called with what happens next, for people; nil for nothing.
	Progress func(what string)

	// InstrumentedOnly leaves out the run of the program as it is: launches are executed
	// for the one detector, inside the kernel, alone. Livelocks cannot be told then, and
	// the limit of steps is that of the emulator.
	InstrumentedOnly bool

	// MaxThreads is how many threads of a grid detectors watch, all of their blocks; 0 for all. The
	// other blocks are executed, and their synchronisation is known. Detectors must listen.
	MaxThreads uint64

	// GoOn says that a fault ends the launch alone: the memory stays as the kernel has left
	// it, and other launches may follow.
	GoOn bool

	// ErrorLevel is the least severity of a finding that makes the verdict of reports racy;
	// "" is report.Error.
	ErrorLevel string

	// GPU executes the launches in place of the emulator; nil for the emulator. There can be one
	// detector, inside the kernel. The session does not close it.
	GPU gpu.Runner

	// MoreMemory says that kernels may access memory which the session does not know of: that of an
	// application on its own GPU.
	MoreMemory bool

	// Refuted says that accesses were seen to go elsewhere than was proved (Session.Strayed):
	// detectors leave no access out.
	Refuted bool
	// Statistics makes detectors take the measurements for Session.Statistics that slow them down, such as the memory of vector clocks.
	Statistics bool

	// Application says that the host code of an application decides what is launched. It loads any number of programs,
	// whose launches may differ for ever, and cannot be run again: when an access goes elsewhere than was proved
	// (Session.Strayed), the report says what may be missing, and detectors leave nothing out of later launches of the program.
	Application bool

	known map[*Program]*facts // of the launches that will come
	steps uint64              // limit of instrumented launches, 0 to derive it from the program as it is
}

// Session is an emulated device with memory, on which kernels are launched one after the
// other and checked. It is safe for use by several goroutines, which take turns.
type Session struct {
	mu        sync.Mutex
	opts      Options
	runs      []*run // the program as it is first
	facts     map[*Program]*facts
	programs  []*Program
	objects   map[string]*Object // the last one of each name
	trace     *barracuda.Writer  // with Options.SaveTrace
	announced int                // launches that will come, as far as is known
	launches  int
	stopped   bool // by a fault
	strayed   *rewrite.Inst
	notes     []string // of accesses that strayed, with Options.Application
	past      past
}

// Open makes a session. The error is an *InputError: options that do not go together.
func Open(o Options) (*Session, error) {
	s := &Session{opts: o, facts: make(map[*Program]*facts), objects: make(map[string]*Object)}
	if s.opts.RunPasses == nil {
		s.opts.RunPasses = runPasses
	}
	s.opts.Emulator.DecodeLate = o.Emulator.DecodeLate || o.Application
	if o.Emulator.Stalled != nil {
		s.opts.Emulator.Stalled = s.stalled(o.Emulator.Stalled)
	}
	if o.SaveTrace != nil && !slices.ContainsFunc(o.Detectors, func(d *Detector) bool { return d.kind == barracudaKind && d.Listens() }) {
		return nil, inputErrorf("a trace is saved for the detector %s without the option instrumented, found %s", barracudaPass.Name, Names(o.Detectors))
	}
	if o.GPU != nil {
		if err := o.CheckGPU(); err != nil {
			return nil, err
		}
		s.opts.InstrumentedOnly = len(o.Detectors) == 1
		o.InstrumentedOnly = s.opts.InstrumentedOnly
	}
	if o.MaxThreads > 0 && s.insideKernel() {
		return nil, inputErrorf("some threads of a grid only: expected detectors that listen, found %s", Names(o.Detectors))
	}
	if o.InstrumentedOnly && (len(o.Detectors) != 1 || o.Detectors[0].Listens()) {
		return nil, inputErrorf("only instrumented launches: expected one detector inside the kernel, found %s", Names(o.Detectors))
	}
	if !o.InstrumentedOnly {
		s.runs = append(s.runs, newRun(s, nil))
	}
	for _, d := range o.Detectors {
		if !d.Listens() {
			s.runs = append(s.runs, newRun(s, d))
		}
	}
	return s, nil
}

// runPasses is Options.RunPasses for those who do not watch.
func runPasses(p passes.Pipeline, m *rewrite.Module, given func(kernel string) address.Given) (*passes.Output, error) {
	return p.RunWith(m, passes.Driver{Given: given})
}

// Load lays out the variables of a program in the device's memory. The first launch of one
// of its kernels decodes it.
func (s *Session) Load(p *Program) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loaded(p) {
		return nil
	}
	if err := s.refuseNested(p); err != nil {
		return err
	}
	for _, r := range s.runs {
		if err := r.load(p); err != nil {
			return inputError(err)
		}
	}
	if s.facts[p] != nil { // loaded before Reset
		return nil
	}
	s.facts[p] = newFacts(p.Module, s.opts.Application)
	if s.opts.Refuted {
		s.facts[p].forget() // nothing is concluded
	}
	if f := s.opts.known[p]; f != nil {
		s.facts[p] = f.clone()
	}
	s.programs = append(s.programs, p)
	if len(s.programs) > 1 && !s.opts.Application {
		for _, f := range s.facts {
			if !f.unknown {
				f.forget()
			}
		}
	}
	return nil
}

// loaded reports whether a program is on the device.
func (s *Session) loaded(p *Program) bool { return s.first().loaded[p] != nil }

// refuseNested refuses programs that launch kernels from kernels for detectors inside the
// kernel, whose memory is set up by the host for each launch.
func (s *Session) refuseNested(p *Program) error {
	i := slices.IndexFunc(s.opts.Detectors, func(d *Detector) bool { return !d.Listens() })
	if i < 0 {
		return nil
	}
	for _, f := range p.Module.Funcs {
		if at := slices.IndexFunc(f.Insts, emu.LaunchesGrid); at >= 0 {
			return inputErrorf("%s: detector %s cannot check kernels that kernels launch: expected a detector that is not part of the kernel, such as scord", f.Insts[at].Position(), s.opts.Detectors[i].Name())
		}
	}
	return nil
}

// Announce says which launches will come. It is not needed, and they need not come: it
// saves decoding and instrumenting a program again when a later launch gives a kernel
// something else.
func (s *Session) Announce(launches ...Launch) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range launches {
		b, err := s.bind(&launches[i])
		if err != nil {
			return err
		}
		s.facts[b.program].add(b)
	}
	s.announced += len(launches)
	return nil
}

// Result is what one launch has shown.
type Result struct {
	Races []*report.Race
	// Faults are those that ended the launch, that detectors have found, and that measuring
	// passes have recorded.
	Faults []*report.FaultEvent
	Stats  emu.Stats // of the program as it is
}

// Launch executes a kernel to its end under the detectors. After a fault that ends a kernel
// the session is stopped, and further launches are ErrStopped, unless Options.GoOn is set. Other errors are an
// *InputError, ErrInterrupted when the context has been cancelled, or internal failures;
// a deadline of the context that passes is a fault.
func (s *Session) Launch(ctx context.Context, l Launch) (*Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return nil, ErrStopped
	}
	b, err := s.bind(&l)
	if err != nil {
		return nil, err
	}
	s.launches++
	s.facts[b.program].add(b)
	res := &Result{}
	if len(s.runs) > 1 { // threads may have allocated memory, not all as often
		defer s.alignAddresses()
	}
	for _, r := range s.runs {
		s.progress(func() string { return r.describe(b) })
		if err := r.launch(ctx, b, res); err != nil {
			return nil, err
		}
	}
	s.facts[b.program].ran(b.kernel, res.Stats.ThreadInstructions)
	for _, r := range s.runs {
		s.stopped = s.stopped || r.stopped && !s.opts.GoOn
	}
	return res, nil
}

// Ready decodes and instruments the programs for the launches that have been announced,
// which the first launch does otherwise.
func (s *Session) Ready() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.runs {
		for _, l := range r.order {
			if err := l.update(); err != nil {
				return err
			}
		}
	}
	return nil
}

// Stopped reports whether a fault has ended a kernel.
func (s *Session) Stopped() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stopped
}

// Report is what all launches so far have shown.
func (s *Session) Report() *report.Report {
	s.mu.Lock()
	defer s.mu.Unlock()
	rep := NewReport(s.opts.Detectors, &s.opts.Emulator)
	rep.Runs, rep.ErrorLevel = 1, s.opts.ErrorLevel
	for _, r := range s.runs {
		r.addTo(rep)
	}
	s.past.addTo(rep)
	if d := s.opts.GPU; d != nil {
		rep.Device = d.Model()
	}
	s.addProofs(rep)
	rep.Notes = append(rep.Notes, s.notes...)
	rep.Finish()
	return rep
}

// NewReport is a report without findings.
func NewReport(dets []*Detector, cfg *emu.Config) *report.Report {
	policy := cfg.Policy
	if cfg.Replay != nil {
		policy = cfg.Replay.Policy
	}
	return &report.Report{
		Tool: report.Tool{Name: "ptxsan", Version: Version}, Detector: Names(dets),
		Seed: cfg.Seed, Schedule: PolicyName(policy),
	}
}

// Statistics are lines of text that detectors have to say about their own work. Without Options.Statistics
// the lines on measurements that slow detectors down are missing.
func (s *Session) Statistics() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var lines []string
	for _, d := range s.opts.Detectors {
		for _, r := range s.runs {
			lines = append(lines, r.statistics(d)...)
		}
		lines = append(lines, s.past.statistics[d]...)
	}
	return lines
}

// Recorded is the schedule that Options.Emulator records, nil without one.
func (s *Session) Recorded() *emu.Schedule { return s.opts.Emulator.Record }

// Reset ends the life of all that programs have in the memory of the device, and unloads them.
// Accesses to what there was are faults from then on; what launches have shown stays in the report.
// The device must be emulated.
func (s *Session) Reset() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.runs {
		d, ok := r.dev.(emulatedDevice)
		if !ok {
			return inputErrorf("a device that is not emulated cannot be reset")
		}
		d.Reset()
		clear(r.buffers)
		clear(r.loaded)
	}
	s.alignAddresses()
	clear(s.objects)
	return nil
}

// Close ends the session. It completes the trace of Options.SaveTrace.
func (s *Session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.trace == nil {
		return nil
	}
	return s.trace.Close()
}

// first is the run whose memory the user sees: that of the program as it is, if there is
// one.
func (s *Session) first() *run { return s.runs[0] }

// progress tells people what happens next.
func (s *Session) progress(what func() string) {
	if s.opts.Progress != nil {
		s.opts.Progress(what())
	}
}

// describeLaunch counts a launch for people.
func (s *Session) describeLaunch(b *boundLaunch) string {
	if s.announced >= s.launches {
		return fmt.Sprintf("launch %d of %d: %s", s.launches, s.announced, b.Kernel)
	}
	return fmt.Sprintf("launch %d: %s", s.launches, b.Kernel)
}

// Sessions: devices on which kernels are launched one after the other and checked.

package session

import (
	"context"
	"io"
	"slices"
	"sync"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/internal/detect/barracuda"
	"github.com/ptxsan/ptxsan/internal/detect/labels"
	"github.com/ptxsan/ptxsan/internal/gpu"
	"github.com/ptxsan/ptxsan/internal/producer"
	"github.com/ptxsan/ptxsan/internal/sample"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
	"github.com/ptxsan/ptxsan/runtime/session/internal/detectors"
	"github.com/ptxsan/ptxsan/runtime/session/internal/devices"
	"github.com/ptxsan/ptxsan/runtime/session/internal/proofs"
	"github.com/ptxsan/ptxsan/runtime/session/internal/search"
)

// Version is the version of ptxsan, for reports.
const Version = "0.1.0"

// Options control how the launches of a session are executed and checked. The zero value executes them without a
// detector.
type Options struct {
	// Detectors are the race detectors: see ParseDetectors.
	Detectors []*detectors.Detector
	// Emulator configures the execution of kernels. Its Listener observes the uninstrumented program, or with
	// InstrumentedOnly the instrumented one. Its Stdout gets the output of the kernels once. Record and Replay apply to
	// the instrumented run if there is a detector inside the kernel, else to the uninstrumented one. The session sets
	// Blame and Poll.
	Emulator emu.Config
	// Passes are measuring passes that instrument the program of the uninstrumented run. Session.Meters has their
	// findings.
	Passes passes.Pipeline
	// MemTrace receives the memory accesses of each launch at its end, if the pass memtrace is among the Passes; nil
	// for nothing.
	MemTrace io.Writer
	// RunPasses runs a pipeline of passes in place of the default, for callers that watch it; nil for the default.
	RunPasses func(p passes.Pipeline, m *rewrite.Module, given func(kernel string) address.Given) (*passes.Output,
		error)
	// Timeline draws what warps do and an arrow for each race; nil for nothing.
	Timeline *Timeline
	// SaveTrace receives the operations of the detector barracuda, which must be among the detectors and listen; nil
	// for nothing.
	SaveTrace io.Writer
	// Progress is called with a description of the next step; nil for nothing.
	Progress func(what string)
	// Starting is called before a kernel runs; nil for nothing. What comes before it, such as decoding and proofs,
	// finds nothing that a report could contain.
	Starting func()

	// InstrumentedOnly omits the uninstrumented run: launches are executed only for the single detector, inside the
	// kernel. Livelocks cannot be detected then, and the limit of steps is the emulator's.
	InstrumentedOnly bool

	// Sample says which launches and blocks are watched. Others are executed without a detector; of blocks in watched
	// launches, detectors get the synchronisation. Detectors must listen.
	Sample sample.Options

	// GoOn says that a fault ends only its launch: memory stays as the kernel has left it, and other launches may
	// follow.
	GoOn bool

	// ErrorLevel is the least severity of a finding that makes the verdict racy; "" is report.Error.
	ErrorLevel string
	// Strict says that what compilers do on purpose is an error.
	Strict bool

	// GPU executes the launches in place of the emulator; nil for the emulator. There may be one detector, inside the
	// kernel. The session does not close the GPU.
	GPU gpu.Runner

	// MoreMemory says that kernels may access memory that the session does not manage: that of an application on its
	// own GPU.
	MoreMemory bool

	// Refuted says that an access has left its proved object in an earlier session (Session.Strayed): detectors leave
	// no access out.
	Refuted bool
	// Outcomes says that weak outcomes are looked for: under weak memory, a strong read is an error that returns an
	// older value than one which a message has announced to its thread.
	Outcomes bool
	// Claims says that the report says for which schedules and contents its verdict holds. Without the detector precise,
	// and where launches are executed on a GPU or under weak memory, it does not.
	Claims bool
	// Statistics enables measurements for Session.Statistics that slow detectors down, such as that of the memory of
	// vector clocks.
	Statistics bool

	// Application says that the host code of an application decides what is launched. It loads any number of programs,
	// with any number of different launches, and cannot be run again: if an access leaves its proved object
	// (Session.Strayed), the report says what may be missing, and detectors leave nothing out of later launches of the
	// program.
	Application bool

	relates bool                       // launches that overlap are compared though there are no detectors
	known   map[*Program]*proofs.Facts // about launches to come
	steps   uint64                     // limit of instrumented launches, 0 to derive it from the uninstrumented program
}

// Session is an emulated device with memory, on which kernels are launched one after the other and checked. Several
// goroutines may use it, which take turns.
type Session struct {
	mu        sync.Mutex
	opts      Options
	runs      []*run // the uninstrumented one first
	facts     map[*Program]*proofs.Facts
	programs  []*Program
	objects   map[string]*Object // the last one of each name
	trace     *barracuda.Writer  // with Options.SaveTrace
	announced int                // number of launches to come that have been announced
	launches  int
	resident  map[*boundLaunch]bool
	stopped   bool // by a fault
	strayed   *rewrite.Inst
	skipped   report.Skipped
	notes     []string // about accesses that left their proved objects, with Options.Application
	past      past
	guesses   map[string]string // of a template, by kernel: see Plan.guessed

	sampler *sample.Sampler

	claims     report.Report          // for the launches so far
	varies     bool                   // what they leave in memory may differ between schedules
	predicted  []*report.Race         // pairs that would race in another order of the threads
	refused    map[*rewrite.Func]bool // kernels of which a verdict does not hold for every schedule
	matter     []string               // objects whose contents have decided something in a launch
	informed   bool                   // the host has read what may depend on the order of threads
	carried    bool                   // a launch that nobody followed may have left what depends on the order of threads
	unfollowed bool                   // such launches came before labels
	unseen     int                    // number of launches of which nobody has followed what they have written
	standing   map[likeness]verdict   // launches whose verdicts hold for every schedule and all contents
	labels     *labels.Memory         // what memory depends on; nil until a value steers

	programmatics []bool    // of announced launches: Launch.Programmatic
	overlaps      *overlaps // nil before there is a programmatic launch
}

// Open makes a session. The error is an *InputError: incompatible options.
func Open(o Options) (*Session, error) {
	s := &Session{opts: o, facts: make(map[*Program]*proofs.Facts), objects: make(map[string]*Object)}
	if s.opts.RunPasses == nil {
		s.opts.RunPasses = runPasses
	}
	s.sampler = sample.NewSampler(o.Sample)
	s.opts.Emulator.DecodeLate = o.Emulator.DecodeLate || o.Application
	if o.SaveTrace != nil && !slices.ContainsFunc(o.Detectors,
		func(d *detectors.Detector) bool { return d.Kind == detectors.BarracudaKind && d.Listens() }) {
		return nil, badinput.Errorf("a trace is saved for the detector %s without the option instrumented, found %s",
			detectors.BarracudaPass.Name, detectors.Names(o.Detectors))
	}
	if o.GPU != nil {
		if err := o.CheckGPU(); err != nil {
			return nil, err
		}
		s.opts.InstrumentedOnly = len(o.Detectors) == 1
		o.InstrumentedOnly = s.opts.InstrumentedOnly
	}
	if o.Sample.Samples() && s.insideKernel() {
		return nil, badinput.Errorf("--sample, --time-budget: expected detectors that listen, found %s",
			detectors.Names(o.Detectors))
	}
	if o.InstrumentedOnly && (len(o.Detectors) != 1 || o.Detectors[0].Listens()) {
		return nil, badinput.Errorf("only instrumented launches: expected one detector inside the kernel, found %s",
			detectors.Names(o.Detectors))
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

// runPasses is the default of Options.RunPasses.
func runPasses(p passes.Pipeline, m *rewrite.Module, given func(kernel string) address.Given) (*passes.Output, error) {
	return p.RunWith(m, passes.Driver{Given: given})
}

// Load lays out the variables of a program in device memory. The first launch of one of its kernels decodes it.
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
			return badinput.Wrap(err)
		}
	}
	if s.facts[p] != nil { // loaded before Reset
		return nil
	}
	s.facts[p] = proofs.New(p.Module, s.opts.Application)
	if s.opts.Refuted {
		s.facts[p].Forget() // nothing is concluded
	}
	if f := s.opts.known[p]; f != nil {
		s.facts[p] = f.Clone()
	}
	s.programs = append(s.programs, p)
	if len(s.programs) > 1 && !s.opts.Application {
		for _, f := range s.facts {
			if !f.Unknown {
				f.Forget()
			}
		}
	}
	return nil
}

// loaded reports whether a program is on the device.
func (s *Session) loaded(p *Program) bool { return s.first().loaded[p] != nil }

// refuseNested refuses, for detectors inside the kernel, programs whose kernels launch kernels: the host prepares the
// detector's memory for each launch.
func (s *Session) refuseNested(p *Program) error {
	i := slices.IndexFunc(s.opts.Detectors, func(d *detectors.Detector) bool { return !d.Listens() })
	if i < 0 {
		return nil
	}
	for _, f := range p.Module.Funcs {
		if at := slices.IndexFunc(f.Insts, emu.LaunchesGrid); at >= 0 {
			return badinput.Errorf("%s: detector %s cannot check kernels that kernels launch: expected a detector that is not part of the kernel, such as scord", f.Insts[at].Position(), s.opts.Detectors[i].Name())
		}
	}
	return nil
}

// Announce announces launches. It is optional, and announced launches need not be made. It avoids decoding and
// instrumenting a program again for a later launch with other arguments.
func (s *Session) Announce(launches ...Launch) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range launches {
		b, err := s.bind(&launches[i])
		if err != nil {
			return err
		}
		s.facts[b.program].Add(b.facts())
		s.programmatic(b)
		s.programmatics = append(s.programmatics, b.Programmatic)
	}
	s.announced += len(launches)
	return nil
}

// Result is the result of one launch.
type Result struct {
	Races []*report.Race
	// Faults are those that ended the launch, those that have stopped nothing, and those found by detectors or recorded
	// by measuring passes.
	Faults []*report.FaultEvent
	Stats  emu.Stats // of the uninstrumented program
}

// Launch executes a kernel to its end under the detectors. A fault that ends a kernel stops the session, and further
// launches return ErrStopped, unless Options.GoOn is set. Other errors are an *InputError, ErrInterrupted if the
// context was cancelled, or internal failures. If a deadline of the context passes, that is a fault.
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
	b.number = s.launches
	defer s.enter(b)()
	if s.settle(b); !b.Unreported && !b.stands {
		b.sampled = s.sampler.Begin(uint64(b.number), b.kernel.Name, extent(b.Grid))
		defer b.sampled.End()
	}
	s.facts[b.program].Add(b.facts())
	s.programmatic(b)
	res := &Result{}
	if len(s.runs) > 1 { // threads may have allocated memory, and not equally often in all runs
		defer s.alignAddresses()
	}
	for _, r := range s.runs {
		s.progress(func() string { return r.describe(b) })
		if err := r.launch(ctx, b, res); err != nil {
			return nil, err
		}
	}
	s.facts[b.program].Ran(b.kernel, res.Stats.ThreadInstructions)
	for _, r := range s.runs {
		s.stopped = s.stopped || r.stopped && !s.opts.GoOn
	}
	return res, nil
}

// Ready decodes and instruments the programs for the announced launches, which otherwise the first launch does.
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

// Report returns the report of all launches so far.
func (s *Session) Report() *report.Report {
	s.mu.Lock()
	defer s.mu.Unlock()
	rep := NewReport(s.opts.Detectors, &s.opts.Emulator)
	rep.Runs, rep.ErrorLevel, rep.Strict = 1, s.opts.ErrorLevel, s.opts.Strict
	rep.AddFidelity(s.fidelity())
	for _, r := range s.runs {
		r.addTo(rep)
	}
	s.past.addTo(rep)
	if d := s.opts.GPU; d != nil {
		rep.Device = d.Model()
	}
	s.addProofs(rep)
	rep.Leave(s.leftOutBySample())
	rep.Notes = append(rep.Notes, s.notes...)
	if s.overlaps != nil {
		rep.Notes = append(rep.Notes, s.overlaps.watch.NotChecked()...)
		rep.Leave(s.overlaps.unobserved)
	}
	rep.Leave(s.skipped.List())
	s.addClaims(rep)
	rep.Finish()
	if !s.opts.Application { // whose device knows more of its modules
		rep.Notes = append(rep.Notes, s.lineless(rep)...)
	}
	return rep
}

// lineless returns notes about the programs of compilers without line information that findings name.
func (s *Session) lineless(rep *report.Report) (notes []string) {
	named := rep.Unresolved()
	for _, l := range s.first().order {
		m := l.program.Module
		if name := m.AST.File.Name; len(m.Files) == 0 && producer.Compiled(m) && slices.Contains(named, name) {
			notes = append(notes, report.Lineless(name))
		}
	}
	return notes
}

// NewReport returns a report without findings.
func NewReport(dets []*detectors.Detector, cfg *emu.Config) *report.Report {
	policy := cfg.Policy
	if cfg.Replay != nil {
		policy = cfg.Replay.Policy
	}
	return &report.Report{
		Tool: report.Tool{Name: "ptxsan", Version: Version}, Detector: detectors.Names(dets),
		Seed: cfg.Seed, Schedule: search.PolicyName(policy), MaxFaults: cfg.MaxFaults,
	}
}

// Statistics returns lines of text from detectors about their work. Lines that need slow measurements are missing
// without Options.Statistics.
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

// Recorded returns the schedule that Options.Emulator records, nil without one.
func (s *Session) Recorded() *emu.Schedule { return s.opts.Emulator.Record }

// Reset unloads all programs and frees their memory. Later accesses to it are faults. The findings of launches stay in
// the report. The device must be emulated.
func (s *Session) Reset() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.runs {
		d, ok := r.dev.(devices.EmulatedDevice)
		if !ok {
			return badinput.Errorf("a device that is not emulated cannot be reset")
		}
		d.Reset()
		clear(r.buffers)
		clear(r.loaded)
	}
	s.alignAddresses()
	clear(s.objects)
	return nil
}

// Close ends the session and completes the trace of Options.SaveTrace.
func (s *Session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.trace == nil {
		return nil
	}
	return s.trace.Close()
}

// first returns the run whose memory the user sees: the uninstrumented one if there is one.
func (s *Session) first() *run { return s.runs[0] }

// progress calls Options.Progress with the next step.
func (s *Session) progress(what func() string) {
	if s.opts.Progress != nil {
		s.opts.Progress(what())
	}
}

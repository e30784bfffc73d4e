// The device of one process, and its launches.

package cuda

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda/library"
	"github.com/ptxsan/ptxsan/internal/cuda/updates"
	"github.com/ptxsan/ptxsan/internal/order"
	"github.com/ptxsan/ptxsan/internal/sample"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Options configures the device of applications, and the checking of their kernels.
type Options struct {
	Detectors []*session.Detector
	Emulator  emu.Config
	Target    Target // zero for that of the program's own code (TargetOf)
	// Multiprocessors is how many each device reports; 0 for DefaultMultiprocessors.
	Multiprocessors uint32
	Devices         uint32 // that the application has, up to MaxDevices; 0 for 1
	Selection
	// Leaks says that memory not freed at the end of an application is reported, and APIErrors that failed calls are.
	Leaks, APIErrors bool
	Strict           bool // as in session.Options
	// Sample is that of session.Options, for each process.
	Sample sample.Options
	// Progress is called with a description of the next step of a process, and with how far its launch will be; nil for
	// nothing.
	Progress func(what string, blocks *emu.Progress)
	// Alone says that processes started by other processes are executed without checks (Process.Unwatched).
	Alone bool
	// Note is called with messages for the user: functions that are not implemented, modules that cannot be loaded.
	Note func(text string)
	// Finding is called after each launch with races or faults, with their numbers. It must not call methods of the
	// process.
	Finding func(races, faults int)
	// Repeat checks a launch again that has raced, from its memory before, and returns the findings with advice, or
	// nil; ran says what the launch has executed. nil to make no such advice.
	Repeat func(ctx context.Context, plan *session.Plan, ran emu.Stats) *report.Report
	// Save is a folder to which checked launches are written so that check can repeat them; "" for none.
	Save string
	// Keep is a folder for the PTX of all modules that findings name. If it is "", Kept is one for that of modules
	// without line information; "" to write none.
	Keep, Kept string
	// Context ends kernels when it is done; nil for never.
	Context context.Context
	// Group is that of the application's processes; nil for a process that shares nothing.
	Group *Group
	// Busy measures the launches of all processes; nil for nothing.
	Busy *Busy
}

// tracks reports whether processes know which memory has been written.
func (o *Options) tracks() bool { return o.Emulator.Uninitialised }

// InsideKernel reports whether the detector is inside the kernels.
func (o *Options) InsideKernel() bool { return len(o.Detectors) == 1 && !o.Detectors[0].Listens() }

// Process is the device of one process of an application: its memory, modules and launches, in the order of the
// process. Several goroutines may use it.
type Process struct {
	mu        sync.Mutex
	opts      *Options
	target    Target
	session   *session.Session
	output    io.Writer // of the current launch
	streams   *streams
	memory    memory
	peers     peers
	visible   []order.Device // devices of the machine that the process sees; nil for all
	endpoints endpoints
	modules   modules
	textures  map[uint64]*Texture // objects, by number
	handles   uint64
	selector  Selector
	unchecked unchecked
	unwatched bool            // its races are not reported
	until     context.Context // ends kernels when it is done; nil for that of the options
	number    int             // number of the process in the application, from 1
	reliant   []string        // kernels that have waited for others beside them
	program   string          // named in findings, "" for none
	tests     tests           // of the program
	sites     callSites
	faults    callFaults
	libraries libraries
	ranks     map[uint64]*rank // of communicators, by handle
	stuck     atomic.Bool      // see SetStuck
	ended     atomic.Bool      // the application's process has ended
	advised   adviceSet
	named     namedTexts
	tuner     tuner
	pending   *Pending // nil before NewPending
	membership
	final *report.Report // the report, made when the process ended and its session was closed; nil before
}

// unchecked is what the report of a process says that was not checked, or not as on a GPU.
type unchecked struct {
	refused      report.Skipped // launches that failed to begin
	rejected     rejectedModules
	machineCode  machineCode
	unredirected []report.NotChecked // files with a runtime that is not redirected
	crash        []report.NotChecked // of the process, at most one
	unsatisfied  int                 // waits of streams for values in memory that were given up
	shared       sharedMemorySum
	notRun       []report.NotChecked // by the application, because ptxsan has shortened it
}

// callFaults holds the faults of a process that no kernel has: those of its calls.
type callFaults struct {
	list   []*report.FaultEvent
	copies map[unwrittenCopy]*report.FaultEvent // those of the list that are copies of unwritten bytes
	calls  failures
	left   []*allocation // allocations at resets, if leaks are reported
}

// NewProcess makes the device of one process. The number is used in messages.
func NewProcess(o *Options, number int) (*Process, error) {
	p := &Process{
		opts: o, target: cmp.Or(o.Target, DefaultTarget), number: number,
		selector: Selector{Selection: o.Selection}, modules: newModules(), textures: make(map[uint64]*Texture),
		sites: newCallSites(o), faults: callFaults{copies: make(map[unwrittenCopy]*report.FaultEvent)},
		named: newNamedTexts(), peers: make(peers),
	}
	opts := session.Options{
		Detectors: o.Detectors, Emulator: o.Emulator, GoOn: true, Application: true,
		Refuted: o.InsideKernel(), Sample: o.Sample, Strict: o.Strict, Claims: true,
	}
	p.streams = newStreams(p)
	p.membership = newMembership(cmp.Or(o.Group, NewGroup()))
	opts.Emulator.Addresses = p.addresses
	p.endpoints.reserved = make(map[uint32]*endpoint)
	p.memory.physical = make(map[uint64]*physical)
	opts.Emulator.MemoryLimit = o.limit()
	opts.Emulator.Limits.Steps = cmp.Or(opts.Emulator.Limits.Steps, emu.LongMaxSteps)
	opts.Emulator.Stdout = output{p}
	opts.InstrumentedOnly = o.InsideKernel()
	p.tuner.watch = updates.New(p.streams.watch, func(in *rewrite.Inst) *rewrite.Inst { return p.session.Own(in) })
	opts.Emulator.Listener = p.tuner.watch
	if blocks := new(emu.Progress); o.Progress != nil {
		opts.Emulator.Progress = blocks
		opts.Progress = func(what string) { o.Progress(what, blocks) }
	}
	s, err := session.Open(opts)
	if err != nil {
		return nil, err
	}
	p.session = s
	return p, nil
}

// output forwards what the current kernel prints to its launch.
type output struct{ p *Process }

func (o output) Write(text []byte) (int, error) {
	if o.p.output == nil {
		return len(text), nil
	}
	return o.p.output.Write(text)
}

// handle returns a new handle for the process.
func (p *Process) handle() uint64 {
	p.handles++
	return p.handles
}

// Report returns the report of the process's launches so far.
func (p *Process) Report() *report.Report {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.final != nil {
		return p.final
	}
	return p.report()
}

// report is Report for a process with a session.
func (p *Process) report() *report.Report {
	rep := p.session.Report()
	rep.Races = append(rep.Races, p.streams.races...)
	for _, f := range p.faults.list {
		again := *f // Finish changes it
		rep.Faults = append(rep.Faults, &again)
	}
	rep.Faults = append(rep.Faults, p.faults.calls.events()...)
	rep.Notes = append(rep.Notes, p.unchecked.rejected.list()...)
	rep.Notes = append(rep.Notes, p.unchecked.machineCode.notes()...)
	rep.Notes = append(rep.Notes, p.unchecked.shared.notes()...)
	if rep.Fidelity != nil {
		rep.Fidelity.Libraries = p.libraries.standIns()
	}
	rep.LibraryCalls = report.AddCalls(rep.LibraryCalls, p.libraries.calls...)
	rep.Leave(p.unchecked.refused.List())
	rep.Leave(p.unchecked.unredirected)
	rep.Leave(p.unchecked.crash)
	rep.Leave(p.unchecked.notRun)
	rep.Leave(p.streams.dependents.unobserved)
	rep.Notes = append(rep.Notes, p.streams.watch.NotChecked()...)
	if len(p.reliant) > 0 {
		rep.Notes = append(rep.Notes, reliantNote(p.reliant))
	}
	if p.unchecked.unsatisfied > 0 {
		rep.Notes = append(rep.Notes, unsatisfiedNote)
	}
	rep.Finish()
	rep.Learn(&p.advised.findings)
	rep.Quote(p.sites.sources.line)
	rep.Notes = append(rep.Notes, p.named.notes(rep, p.opts)...)
	rep.In(p.program)
	p.tests.name(rep)
	return rep
}

// Unredirected records that the launches of a runtime in the process do not come here, and why.
func (p *Process) Unredirected(why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if left := (report.NotChecked{Why: why}); !slices.Contains(p.unchecked.unredirected, left) {
		p.unchecked.unredirected = append(p.unchecked.unredirected, left)
	}
}

// Reset destroys everything that the process has on a device: memory, modules, textures, streams and events. All
// operations must have ended. Memory that has not been freed is a leak.
func (p *Process) Reset(d order.Device) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.opts.several() {
		return p.resetDevice(d)
	}
	if p.opts.Leaks {
		p.faults.left = append(p.faults.left, p.memory.unfreed()...)
	}
	for _, id := range slices.Sorted(maps.Keys(p.modules.byID)) {
		m := p.modules.byID[id]
		p.streams.unloaded(m.program.Module)
		if err := p.session.Unload(m.program); err != nil {
			return err
		}
	}
	if err := p.session.Reset(); err != nil {
		return err
	}
	p.streams.reset()
	p.unshare()
	p.memory.unmapAll()
	p.memory.total = 0
	p.modules = newModules()
	clear(p.textures)
	clear(p.endpoints.reserved)
	p.libraries.state = library.State{}
	return nil
}

// Close frees the device and the memory shared with the process, since an application may have any number of processes.
// Only the report remains.
func (p *Process) Close() error {
	p.leave()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.leaveCommunicators()
	p.final = p.report()
	if p.opts.Leaks && !p.unwatched {
		p.final.Faults = append(p.final.Faults, p.leaks()...)
		p.final.Finish()
		p.final.In(p.program)
	}
	p.memory.unmapAll()
	err := p.session.Close()
	p.session, p.streams, p.memory, p.modules, p.textures = nil, nil, memory{}, modules{}, nil
	return err
}

// Launch is a launch as CUDA describes it.
type Launch struct {
	Kernel               uint64 // Kernel.ID
	Grid, Block, Cluster emu.Dim3
	Shared               uint32 // dynamic shared memory in bytes
	Cooperative          bool
	Programmatic         bool   // it may overlap the one before in its stream (programmatic stream serialization)
	Params               []byte // parameters in their memory layout
	Range                string // of the program, as it is shown, "" for none
	In                   In
	// Stalled is called when all threads spin or wait, and others may change that. It may call methods of the process,
	// also Launch, and reports whether the threads should look at memory again. changed says that they have changed
	// memory since the last call. nil for never.
	Stalled func(changed bool) (again bool)
	// Pause and PauseAfter are those of session.Launch.
	Pause      func() (changed, alone bool)
	PauseAfter func() (turns uint64)
	// Context, unless nil, ends the kernel when it is done, in place of that of the process.
	Context context.Context
	// Stopped, unless nil, is called with the fault that has stopped the kernel.
	Stopped func(f *report.FaultEvent)

	overtaken bool // others have been executed meanwhile
}

// Launch executes a kernel to its end. It writes what the kernel prints to out, unless that is nil. The error is an
// *Error, also for a kernel that faults; session.ErrInterrupted if the context is done; or internal.
func (p *Process) Launch(l *Launch, out io.Writer) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := p.modules.kernels[l.Kernel]
	if k == nil {
		return errorf(InvalidHandle, "a launch of a kernel that does not exist")
	}
	args, err := k.arguments(l.Params)
	if err == nil && slices.ContainsFunc(k.function.Params, (*rewrite.Var).Hidden) {
		err = errorf(NotSupported, "the driver makes parameters of the kernel with code for the host, which its machine "+
			"code has: a kernel compiled for sm_80 has none (--arch sm_80)")
	}
	if err != nil {
		return p.refuse(k, err)
	}
	if l.Grid.Count() == 0 || l.Block.Count() == 0 {
		return p.refuse(k, errorf(InvalidConfiguration, "an extent of its grid or block is 0"))
	}
	device, err := p.deviceOf(k, l.In.Stream)
	if err != nil {
		return p.refuse(k, err)
	}
	p.selector.Begin(k.Name)
	p.output = out
	kept, err := p.keep(k, l, args)
	if err != nil {
		return err
	}
	found := len(p.streams.races)
	p.streams.beginKernel(k.Name, l)
	defer func() {
		p.output = nil
		p.streams.endKernel()
	}()
	launched := sync.OnceValue(func() *report.Source { return pythonLine(p.sites.python(l.In)) })
	others := &suspended{p, l, func() (resume func()) {
		launched() // while the thread of the application is in its call
		before := len(p.streams.races)
		return func() { found += len(p.streams.races) - before }
	}}
	endRun := p.beginRun()
	defer p.opts.Busy.begin()()
	res, err := p.session.Launch(cmp.Or(l.Context, p.context()), session.Launch{
		Program: k.module.program, Kernel: k.Name, Grid: l.Grid, Block: l.Block, Cluster: l.Cluster,
		Shared: uint64(l.Shared), Cooperative: l.Cooperative, Device: device, Args: args, Unreported: !p.watched(k),
		Launched: launched, Range: l.Range, Stalled: others.stalled(), Pause: others.pause(), PauseAfter: l.PauseAfter,
	})
	p.streams.endKernel() // reports races with launches that it may have overlapped
	endRun(k, launched)
	if err != nil {
		return p.refuse(k, launchError(err))
	}
	p.tuner.instructions += res.Stats.WarpInstructions
	p.advise(kept, l, res)
	if n := len(res.Races) + len(p.streams.races) - found; p.opts.Finding != nil && n+len(res.Faults) > 0 {
		p.opts.Finding(n, len(res.Faults))
	}
	return stopped(k, l, res.Faults)
}

// stopped returns the error of a launch with faults, nil if none has stopped the kernel.
func stopped(k *Kernel, l *Launch, faults []*report.FaultEvent) error {
	i := slices.IndexFunc(faults, (*report.FaultEvent).Stops)
	if i < 0 {
		return nil
	}
	if l.Stopped != nil {
		l.Stopped(faults[i])
	}
	return faultError(k.Name, faults[i])
}

// Until returns what ends the kernels of the process, before the context of the options is done. It must be called
// before launches.
func (p *Process) Until() (end func()) {
	p.until, end = context.WithCancel(p.context())
	return end
}

// context returns the context that ends kernels.
func (p *Process) context() context.Context {
	switch {
	case p.until != nil:
		return p.until
	case p.opts.Context != nil:
		return p.opts.Context
	}
	return context.Background()
}

// watched reports whether the races of the launch that is about to begin are reported.
func (p *Process) watched(k *Kernel) bool {
	return !p.unwatched && p.selector.Checks(k.Name)
}

// launchError returns CUDA's error for a launch that failed to begin.
func launchError(err error) error {
	if input := (*session.InputError)(nil); errors.As(err, &input) {
		return &Error{Result: InvalidValue, Why: input.Error()}
	}
	return err
}

// refuse records in the report that a launch failed to begin, since many applications ignore the error, and returns the
// error.
func (p *Process) refuse(k *Kernel, err error) error {
	if e := (*Error)(nil); errors.As(err, &e) && p.watched(k) {
		name := "kernel " + k.Name
		p.unchecked.refused.Add(k.Name, strings.ReplaceAll(strings.TrimPrefix(e.Why, name+" cannot be launched: "), name,
			"the kernel"))
	}
	return err
}

// note calls Note unless it is nil.
func (o *Options) note(format string, a ...any) {
	if o.Note != nil {
		o.Note(fmt.Sprintf(format, a...))
	}
}

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

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/cuda/callsite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Options say what device applications have, and who watches their kernels.
type Options struct {
	Detectors []*session.Detector
	Emulator  emu.Config
	Target    Target
	// Watch chooses the kernels that are checked; others are executed only. nil for all.
	Watch func(kernel string) bool
	// First and Last are the numbers of the launches that are checked, counted from 1 over a
	// process; 0 for no bound.
	First, Last int
	// Leaks says that memory which an application has not freed when it ends is reported.
	Leaks bool
	// MaxThreads is how many threads of a grid are watched, 0 for all: session.Options.
	MaxThreads uint64
	// Alone says that processes are executed only that somebody else has started (Process.Unwatched).
	Alone bool
	// Note is called with what people should know: functions that do not exist, modules that
	// cannot be loaded.
	Note func(text string)
	// Finding is called after each launch that has shown races or faults, with their numbers. It
	// must not call methods of the process.
	Finding func(races, faults int)
	// Save is a folder for launches that check can repeat; empty for none. The launches are those
	// that are checked.
	Save string
	// Context ends kernels when it is done; nil for never.
	Context context.Context
}

// InsideKernel reports whether the detector is inside the kernels.
func (o *Options) InsideKernel() bool { return len(o.Detectors) == 1 && !o.Detectors[0].Listens() }

// Process is the device as one process of an application sees it: its memory, modules and
// launches, all in the process's order. It is safe for use by several goroutines.
type Process struct {
	mu        sync.Mutex
	opts      *Options
	session   *session.Session
	output    io.Writer // of the launch that runs
	streams   *streams
	memory    memory
	modules   map[uint64]*module
	kernels   map[uint64]*Kernel
	textures  map[uint64]*Texture // objects, by their number
	handles   uint64
	launches  int
	refused   report.Skipped          // launches that did not begin
	unwatched bool                    // its races are not reported
	number    int                     // among the processes of the application, from 1
	suspended *suspended              // the launch that waits for the host; nil for none
	stall     func(changed bool) bool // Launch.Stalled of the launch that runs
	code      *callsite.Process       // nil when it is not known
	calls     map[Path]*report.Call   // those that allocated memory
	left      []*allocation           // those that there were at resets, where leaks are reported
	final     *report.Report          // the report, made when the process ended and its session was closed; nil before
}

// NewProcess makes the device of one process, whose number is for people.
func NewProcess(o *Options, number int) (*Process, error) {
	p := &Process{opts: o, number: number, modules: make(map[uint64]*module), kernels: make(map[uint64]*Kernel), textures: make(map[uint64]*Texture), calls: make(map[Path]*report.Call)}
	opts := session.Options{Detectors: o.Detectors, Emulator: o.Emulator, GoOn: true, Application: true, Refuted: o.InsideKernel(), MaxThreads: o.MaxThreads}
	p.streams = newStreams(p)
	opts.Emulator.Limits.Steps = cmp.Or(opts.Emulator.Limits.Steps, emu.LongMaxSteps)
	opts.Emulator.Stdout = output{p}
	opts.InstrumentedOnly = o.InsideKernel()
	opts.Emulator.Listener = p.streams
	opts.Emulator.Stalled = p.stalled
	s, err := session.Open(opts)
	if err != nil {
		return nil, err
	}
	p.session = s
	return p, nil
}

// output is where kernels print: to whoever launched the one that runs.
type output struct{ p *Process }

func (o output) Write(text []byte) (int, error) {
	if o.p.output == nil {
		return len(text), nil
	}
	return o.p.output.Write(text)
}

// handle is a number that has not been given to the process yet.
func (p *Process) handle() uint64 {
	p.handles++
	return p.handles
}

// Report is what the process's launches so far have shown.
func (p *Process) Report() *report.Report {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.final != nil {
		return p.final
	}
	return p.report()
}

// report is Report while there is a session.
func (p *Process) report() *report.Report {
	rep := p.session.Report()
	rep.Races = append(rep.Races, p.streams.races...)
	rep.Notes = append(rep.Notes, p.refused.Notes()...)
	rep.Finish()
	return rep
}

// Reset ends the life of all that the process has on the device: memory, modules, textures, streams
// and events. Operations have ended before. Memory that has not been freed is a leak.
func (p *Process) Reset() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.opts.Leaks {
		p.left = append(p.left, p.memory.list...)
	}
	for _, id := range slices.Sorted(maps.Keys(p.modules)) {
		m := p.modules[id]
		p.streams.unloaded(m.program.Module)
		if err := p.session.Unload(m.program); err != nil {
			return err
		}
	}
	if err := p.session.Reset(); err != nil {
		return err
	}
	if p.streams.tracker != nil {
		p.streams.tracker.Reset()
	}
	p.memory.unmapAll()
	p.memory.total = 0
	clear(p.modules)
	clear(p.kernels)
	clear(p.textures)
	return nil
}

// Close ends the life of the device and of the memory that it shares with the process: an
// application may have any number of processes. What is left is the report.
func (p *Process) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.final = p.report()
	if p.opts.Leaks && !p.unwatched {
		p.final.Faults = append(p.final.Faults, p.leaks()...)
		p.final.Finish()
	}
	p.memory.unmapAll()
	err := p.session.Close()
	p.session, p.streams, p.memory, p.modules, p.kernels, p.textures = nil, nil, memory{}, nil, nil, nil
	return err
}

// Launch is a launch as CUDA describes it.
type Launch struct {
	Kernel               uint64 // Kernel.ID
	Grid, Block, Cluster emu.Dim3
	Shared               uint32 // dynamic shared memory, bytes
	Cooperative          bool
	Params               []byte // the parameters as they lie in memory
	In                   In
	// Stalled is called when threads spin, none can go on, and the host may let them: see Process.Awaits. It
	// may call methods of the process but Launch, and reports whether the threads are to look again. changed
	// says that they have changed memory since the last call. nil for never.
	Stalled func(changed bool) (again bool)
}

// Launch executes a kernel to its end. What it prints goes to out, unless that is nil. The error
// is an *Error, also for a kernel that faults; session.ErrInterrupted when the context is done; or
// internal.
func (p *Process) Launch(l *Launch, out io.Writer) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := p.kernels[l.Kernel]
	if k == nil {
		return errorf(InvalidHandle, "a launch of a kernel that does not exist")
	}
	args, err := p.arguments(k, l.Params)
	if err != nil {
		return p.refuse(k, err)
	}
	if l.Grid.X == 0 || l.Grid.Y == 0 || l.Grid.Z == 0 || l.Block.X == 0 || l.Block.Y == 0 || l.Block.Z == 0 {
		return p.refuse(k, errorf(InvalidConfiguration, "an extent of its grid or block is 0"))
	}
	p.launches++
	p.output = out
	if p.opts.Save != "" && p.watched(k) {
		if err = p.save(k, l, args); err != nil {
			return err
		}
	}
	found := len(p.streams.races)
	p.streams.beginKernel(k.Name, l.In)
	p.stall = l.Stalled
	defer func() {
		p.output, p.stall, p.suspended = nil, nil, nil
		p.streams.endKernel()
	}()
	res, err := p.session.Launch(p.context(), session.Launch{
		Program: k.module.program, Kernel: k.Name, Grid: l.Grid, Block: l.Block, Cluster: l.Cluster,
		Shared: uint64(l.Shared), Cooperative: l.Cooperative, Args: args, Unreported: !p.watched(k),
	})
	if err != nil {
		return p.refuse(k, launchError(err))
	}
	if n := len(res.Races) + len(p.streams.races) - found; p.opts.Finding != nil && n+len(res.Faults) > 0 {
		p.opts.Finding(n, len(res.Faults))
	}
	if len(res.Faults) > 0 {
		return faultError(k.Name, res.Faults)
	}
	return nil
}

// context is what ends kernels.
func (p *Process) context() context.Context {
	if p.opts.Context == nil {
		return context.Background()
	}
	return p.opts.Context
}

// watched reports whether the races of the launch that is about to begin are reported.
func (p *Process) watched(k *Kernel) bool {
	switch {
	case p.unwatched:
		return false
	case p.opts.First > 0 && p.launches < p.opts.First, p.opts.Last > 0 && p.launches > p.opts.Last:
		return false
	}
	return p.opts.Watch == nil || p.opts.Watch(k.Name)
}

// launchError is what CUDA says of a launch that did not begin.
func launchError(err error) error {
	if input := (*session.InputError)(nil); errors.As(err, &input) {
		return &Error{Result: InvalidValue, Why: input.Error()}
	}
	return err
}

// refuse says in the report that a launch did not begin, and why: the application has the error, but many do not look. It returns the error.
func (p *Process) refuse(k *Kernel, err error) error {
	if e := (*Error)(nil); errors.As(err, &e) && p.watched(k) {
		name := "kernel " + k.Name
		p.refused.Add(k.Name, strings.ReplaceAll(strings.TrimPrefix(e.Why, name+" cannot be launched: "), name, "the kernel"))
	}
	return err
}

// note tells people something, if anybody listens.
func (p *Process) note(format string, a ...any) {
	if p.opts.Note != nil {
		p.opts.Note(fmt.Sprintf(format, a...))
	}
}

// Launches: they are resolved to a kernel, checked, and converted for the emulator.

package session

import (
	"cmp"
	"fmt"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/sample"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session/internal/badinput"
	"github.com/ptxsan/ptxsan/runtime/session/internal/devices"
	"github.com/ptxsan/ptxsan/runtime/session/internal/proofs"
)

// Launch is one launch of a kernel. Extents of zero stand for 1.
type Launch struct {
	Program     *Program // nil for the only one loaded
	Kernel      string   // name as in the PTX, or demangled if that is unique
	Grid, Block emu.Dim3
	Cluster     emu.Dim3 // in blocks; zero for the one that the kernel requires, or none
	Shared      uint64   // dynamic shared memory in bytes
	Cooperative bool     // all blocks run at the same time, and grid.sync() has a workspace
	// Device is the device of the application that executes the launch; none in an application with a single device.
	Device emu.Devices
	// Programmatic says that the launch may begin before the end of the one before it (programmatic dependent launch).
	// It is executed after that one all the same, and races between the two are reported.
	Programmatic bool
	// Args are the arguments, one for each parameter: an *Object, which stands for its address or for a texture object
	// or tensor map, a Go integer or floating-point number, which is converted to the parameter's type, or a []byte of
	// the parameter's size.
	Args []any
	// Unreported says that races in this launch are not reported.
	Unreported bool
	// Stalled is called when all threads spin or wait: see emu.LaunchConfig. It may use the session, also for launches
	// that then run beside this one, but must not unload the program. It is not called if the launch is executed several
	// times. nil for never.
	Stalled func(changed bool) (again bool)
	// Pause and PauseAfter are called between turns of threads: see emu.LaunchConfig, and Stalled. They may be nil.
	Pause      func() (changed, alone bool)
	PauseAfter func() (turns uint64)
	// Launched returns the line of the application that launches, for findings; nil if it is not known. It may be nil.
	Launched func() *report.Source
	// Range is a name that the application has for what it does at the time, for findings, "" for none.
	Range string

	source *launch.Launch // its description in a launch file; nil otherwise
}

// launchedAt is Launched, which may be nil.
func (l *Launch) launchedAt() *report.Source {
	if l.Launched == nil {
		return nil
	}
	return l.Launched()
}

// errorf returns an error about the launch, with its position in a launch file.
func (l *Launch) errorf(format string, a ...any) error {
	if l.source == nil {
		return badinput.Errorf(format, a...)
	}
	return badinput.Wrap(l.source.Errorf(format, a...))
}

// argsErrorf is errorf with the position of the arguments, kernelErrorf with that of the kernel's name.
func (l *Launch) argsErrorf(format string, a ...any) error {
	if l.source == nil {
		return badinput.Errorf(format, a...)
	}
	return badinput.Wrap(l.source.ArgsPos.Errorf(format, a...))
}

func (l *Launch) kernelErrorf(format string, a ...any) error {
	if l.source == nil {
		return badinput.Errorf(format, a...)
	}
	return badinput.Wrap(l.source.KernelPos.Errorf(format, a...))
}

// boundLaunch is a launch whose kernel is resolved and whose arguments fit it.
type boundLaunch struct {
	Launch
	program *Program
	kernel  *rewrite.Func
	args    []boundArg     // one for each parameter
	sampled *sample.Launch // the watched blocks, nil for all
	stands  bool           // the verdict about an earlier launch holds for this one
	varies  bool           // then: what it leaves in memory may differ between schedules
	number  int            // among the launches of the session, from 1
	beside  bool           // another launch has been resident meanwhile

	interrupted bool // it was ended before its end
}

// watched reports whether detectors watch the launch.
func (b *boundLaunch) watched() bool { return !b.Unreported && !b.stands && b.sampled.Watched() }

// bind resolves the program and the kernel of a launch and checks its arguments and extents, so that mistakes show
// before anything is executed.
func (s *Session) bind(l *Launch) (*boundLaunch, error) {
	p := l.Program
	if p == nil && len(s.programs) == 1 {
		p = s.programs[0]
	}
	if p == nil || !s.loaded(p) {
		return nil, l.errorf("kernel %s: its program has not been loaded", l.Kernel)
	}
	b, err := l.bindTo(p, cmp.Or(s.opts.Emulator.MaxSteps, emu.DefaultMaxSteps))
	if err == nil {
		s.resolve(b)
	}
	return b, err
}

// bindTo is bind for a given program and limit of steps.
func (l *Launch) bindTo(p *Program, steps uint64) (*boundLaunch, error) {
	b := &boundLaunch{Launch: *l, program: p}
	k, err := p.kernel(l)
	if err != nil {
		return nil, err
	}
	b.kernel = k.Func
	if b.Grid, b.Block, err = emu.InBlocks(b.kernel, atLeastOne(b.Grid), atLeastOne(b.Block)); err != nil {
		return nil, b.errorf("%v", err)
	}
	if err := b.bindArgs(k.params); err != nil {
		return nil, err
	}
	return b, b.checkSize(steps)
}

// facts returns the launch in the form for proofs.
func (b *boundLaunch) facts() *proofs.Launch {
	l := &proofs.Launch{
		Module: b.program.Module, Kernel: b.kernel, Grid: b.Grid, Block: b.Block,
		Unreported: !b.watched(), Args: make([]proofs.Arg, len(b.args)),
	}
	for i := range b.args {
		l.Args[i] = b.args[i].Arg
	}
	return l
}

// atLeastOne replaces an extent of zeros by ones: the zero value is one thread.
func atLeastOne(d emu.Dim3) emu.Dim3 {
	if d == (emu.Dim3{}) {
		return emu.Dim3{X: 1, Y: 1, Z: 1}
	}
	return emu.Dim3{X: d.X, Y: max(d.Y, 1), Z: max(d.Z, 1)}
}

// checkSize refuses a launch that must exceed the limit of steps: each warp takes at least one.
func (b *boundLaunch) checkSize(steps uint64) error {
	blocks, warps := extent(b.Grid), (extent(b.Block)+31)/32 // less than 2^63
	if warps > 0 && blocks > steps/warps {
		return b.errorf("grid %v has %d blocks of %d warps: more than the limit of %d warp instructions (--max-steps) lets run", array3(b.Grid), blocks, warps, steps)
	}
	return nil
}

func extent(d emu.Dim3) uint64 { return uint64(d.X) * uint64(d.Y) * uint64(d.Z) }

// cluster returns the extent of the launch's clusters; ones or zeros if it has none.
func (b *boundLaunch) cluster() [3]uint32 {
	if required := emu.RequiredCluster(b.kernel); required != (emu.Dim3{}) {
		return array3(required)
	}
	return array3(b.Cluster)
}

// configure converts the launch for the machine of a run.
func (r *run) configure(m devices.Machine, b *boundLaunch) (emu.LaunchConfig, error) {
	cfg := emu.LaunchConfig{
		Kernel: b.kernel.Name, Grid: b.Grid, Block: b.Block, Shared: b.Shared,
		Cooperative: b.Cooperative, Stalled: r.s.stallable(b), Device: b.Device,
	}
	if cfg.Pause = r.s.pausable(b); cfg.Pause != nil {
		cfg.PauseAfter = b.PauseAfter
	}
	if b.Cluster != (emu.Dim3{X: 1, Y: 1, Z: 1}) { // otherwise the one that the kernel requires
		cfg.Cluster = b.Cluster
	}
	params, size, err := m.Params(b.kernel.Name)
	if err != nil {
		return cfg, b.errorf("%v", err)
	}
	cfg.Params = make([]byte, size)
	for i, p := range params {
		if err := r.pass(&b.args[i], cfg.Params[p.Offset:p.Offset+p.Size]); err != nil {
			return cfg, err
		}
	}
	return cfg, nil
}

// describeLaunch returns the number and the kernel of a launch as text.
func (s *Session) describeLaunch(b *boundLaunch) string {
	if s.announced >= b.number {
		return fmt.Sprintf("launch %d of %d: %s", b.number, s.announced, report.Demangle(b.Kernel))
	}
	return fmt.Sprintf("launch %d: %s", b.number, report.Demangle(b.Kernel))
}

func dim3(d [3]uint32) emu.Dim3 { return emu.Dim3{X: d[0], Y: d[1], Z: d[2]} }

func array3(d emu.Dim3) [3]uint32 { return [3]uint32{d.X, d.Y, d.Z} }

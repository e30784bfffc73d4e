// Launch files to start from that run: sizes are changed until the kernel does not fault.

package session

import (
	"context"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

// guess is what a template assumes of a kernel beyond what its instructions show.
type guess struct {
	halvings int // of the block, beginning with its longest extent
	elements int // of the buffers of pointers
	number   int // integer arguments
	last     int // the last of them: a radius or a step, say, that must be less than the sizes
}

// guesses are tried in this order. The first is the usual one.
var guesses = []guess{
	{0, 1 << 14, 128, 128},
	{1, 1 << 14, 128, 128},
	{2, 1 << 14, 128, 128},
	{0, 1 << 21, 128, 128},
	{2, 1 << 21, 128, 128},
	{0, 1 << 21, 128, 4},
	{0, 1 << 21, 16, 16},
	{2, 1 << 21, 16, 16},
	{0, 1 << 21, 2, 2},
	{2, 1 << 21, 1, 1},
	{3, 1 << 21, 1, 1},
}

// fitSteps is how many warp instructions a launch may take when it is tried. What runs longer is
// taken to be well.
const fitSteps = 2_000_000

// mostFitted is how many kernels are tried: of a module with more of them none is.
const mostFitted = 64

// Template is a launch file with one launch for each kernel, with sizes under which the kernel runs
// without a fault where some of a few guesses are such. The error is that of a cancelled context.
func Template(ctx context.Context, p *Program, kernels []*rewrite.Func) (string, error) {
	var list []launch.Skeleton
	for _, k := range kernels {
		s := skeleton(k, guesses[0])
		if len(kernels) <= mostFitted {
			s = p.fit(ctx, k)
		}
		if ctx.Err() != nil {
			return "", ErrInterrupted
		}
		list = append(list, s)
	}
	return launch.Template(list), nil
}

// fit is the first skeleton of a kernel that runs, or else the usual one.
func (p *Program) fit(ctx context.Context, k *rewrite.Func) launch.Skeleton {
	for _, g := range guesses {
		if s := skeleton(k, g); p.runs(ctx, s) {
			return s
		}
	}
	return skeleton(k, guesses[0])
}

// runs reports whether a kernel runs as a skeleton says, or at least fitSteps of it do.
func (p *Program) runs(ctx context.Context, s launch.Skeleton) bool {
	file, err := launch.Parse("template", []byte(launch.Template([]launch.Skeleton{s})), launch.Options{})
	if err != nil {
		return false
	}
	plan, err := NewPlan(p, file, fitSteps)
	if err != nil {
		return false
	}
	run, err := Open(Options{Emulator: emu.Config{MaxSteps: fitSteps, Workers: 1}})
	if err != nil {
		return false
	}
	defer run.Close()
	if err = plan.Play(ctx, run); err != nil {
		return false
	}
	faults := run.Report().Faults
	return len(faults) == 0 || faults[0].Class == "timeout"
}

// Launch files to start from that run: sizes are changed until the kernel does not fault.

package session

import (
	"context"
	"math"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

// guess is what a template assumes of a kernel beyond what its instructions show.
type guess struct {
	halvings int  // of the block, beginning with its longest extent
	elements int  // of the buffers of pointers
	number   int  // integer arguments
	last     int  // the last of them: a radius or a step, say, that must be less than the sizes
	compared bool // the block has the extents that the kernel compares its own with
	zero     bool // integer fields of structs are 0
}

// guesses are tried in this order. The first is the usual one. Those with compared or zero are left out for kernels without
// such comparisons or fields.
var guesses = []guess{
	{0, 1 << 14, 128, 128, false, false},
	{0, 1 << 14, 128, 128, true, false},
	{1, 1 << 14, 128, 128, false, false},
	{2, 1 << 14, 128, 128, false, false},
	{0, 1 << 21, 128, 128, false, false},
	{0, 1 << 21, 128, 128, true, false},
	{2, 1 << 21, 128, 128, false, false},
	{0, 1 << 21, 128, 128, false, true},
	{0, 1 << 21, 128, 4, false, false},
	{0, 1 << 21, 16, 16, false, false},
	{2, 1 << 21, 16, 16, false, false},
	{0, 1 << 21, 16, 16, true, false},
	{0, 1 << 21, 2, 2, false, false},
	{0, 1 << 21, 1, 1, true, false},
	{2, 1 << 21, 1, 1, false, false},
	{3, 1 << 21, 1, 1, false, false},
	{3, 1 << 21, 1, 1, false, true},
}

const (
	// fitSteps is how many warp instructions a launch may take when it is tried.
	fitSteps = 500_000
	// leastShared is the dynamic shared memory that a template begins with, in bytes: one word for each thread of a block
	// of 256. As long as accesses are behind it, it grows by sharedFactor.
	leastShared  = 1 << 10
	sharedFactor = 4
	// mostFitted is how many kernels are tried: of a module with more of them none is.
	mostFitted = 64
)

// Template is a launch file with one launch for each kernel, with sizes under which the kernel runs
// without a fault where some of a few guesses are such. The error is that of a cancelled context.
func Template(ctx context.Context, p *Program, kernels []*rewrite.Func) (string, error) {
	var list []launch.Skeleton
	for _, k := range kernels {
		n := needsOf(k)
		s := n.skeleton(guesses[0])
		if len(kernels) <= mostFitted {
			s = p.fit(ctx, n)
		}
		if ctx.Err() != nil {
			return "", ErrInterrupted
		}
		list = append(list, s)
	}
	return launch.Template(list), nil
}

// fit is the first skeleton of a kernel that runs to its end; else the first that takes all fitSteps without a fault, after which
// only smaller numbers are tried; else the usual one.
func (p *Program) fit(ctx context.Context, n *needs) launch.Skeleton {
	best, number := n.skeleton(guesses[0]), math.MaxInt
	refused := false // by an assertion or a trap, as the kernel ends itself in a launch that it is not made for
	for _, g := range guesses {
		if g.number >= number || g.compared && (!refused || n.compared == [3]uint32{}) || g.zero && !n.fields {
			continue
		}
		s := n.skeleton(g)
		class, space := p.play(ctx, s)
		for class != "" && space == isa.SpaceShared.String() && 0 < s.Shared && s.Shared < launch.MaxSharedBytes {
			s.Shared = min(s.Shared*sharedFactor, launch.MaxSharedBytes)
			class, space = p.play(ctx, s)
		}
		switch class {
		case "":
			return s
		case "timeout":
			if number == math.MaxInt {
				best = s
			}
			number = g.number
		case "assert", "trap":
			refused = true
		}
	}
	return best
}

// play runs a kernel as a skeleton says, for fitSteps at most, and returns the class of its first fault and the state space of that;
// "" when there is none.
func (p *Program) play(ctx context.Context, s launch.Skeleton) (class, space string) {
	const refused = "launch"
	file, err := launch.Parse("template", []byte(launch.Template([]launch.Skeleton{s})), launch.Options{})
	if err != nil {
		return refused, ""
	}
	plan, err := NewPlan(p, file, fitSteps)
	if err != nil {
		return refused, ""
	}
	run, err := Open(Options{Emulator: emu.Config{MaxSteps: fitSteps, Workers: 1}})
	if err != nil {
		return refused, ""
	}
	defer run.Close()
	if err = plan.Play(ctx, run); err != nil {
		return refused, ""
	}
	if faults := run.Report().Faults; len(faults) > 0 {
		return faults[0].Class, faults[0].Space
	}
	return "", ""
}

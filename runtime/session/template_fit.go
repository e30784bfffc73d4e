// Templates of launch files that run: sizes are varied until the kernel does not fault.

package session

import (
	"context"
	"math"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

// guess is what a template assumes beyond what a kernel's instructions show.
type guess struct {
	halvings int  // of the block, the longest extent first
	elements int  // elements of the buffers behind pointers
	number   int  // value of integer arguments
	last     int  // value of the last of them: perhaps a radius or a step that must be smaller than the sizes
	compared bool // the block has the extents that the kernel compares with
	zero     bool // integer fields of structs are 0
}

// guesses is tried in order. The first is the usual one. Those with compared or zero are skipped for kernels without such
// comparisons or fields.
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
	// fitSteps is the limit of warp instructions of a trial launch.
	fitSteps = 500_000
	// leastShared is the initial dynamic shared memory of a template in bytes: one word for each thread of a block of 256. As
	// long as accesses exceed it, it grows by sharedFactor.
	leastShared  = 1 << 10
	sharedFactor = 4
	// mostFitted is the number of kernels of a module up to which they are tried.
	mostFitted = 64
)

// Template returns a launch file with one launch for each kernel, with sizes under which the kernel runs without a fault if a
// guess has such. The error is that of a cancelled context.
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

// fit returns the first skeleton with which a kernel runs to its end; else the first that takes all fitSteps without a fault,
// after which only smaller numbers are tried; else the usual one.
func (p *Program) fit(ctx context.Context, n *needs) launch.Skeleton {
	best, number := n.skeleton(guesses[0]), math.MaxInt
	refused := false // by an assertion or a trap: the kernel rejects the launch
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

// play runs a kernel with a skeleton, for at most fitSteps, and returns the class and the state space of its first fault, "" for
// none.
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

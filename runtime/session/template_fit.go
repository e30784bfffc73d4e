// Templates of launch files that run: sizes are varied until the kernel does what it can without a fault.

package session

import (
	"cmp"
	"context"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// guess is what a template assumes beyond what a kernel's instructions show.
type guess struct {
	block    [3]uint32
	elements int    // elements of the buffers behind pointers
	contents string // of the buffers that are only read
	number   int    // value of integer arguments
	last     int    // value of the last of them: perhaps a radius or a step that must be smaller than the sizes
	field    int    // value of integer fields of structs
	box      int    // bytes of the boxes of tensor maps
}

const (
	// fitSteps is the limit of warp instructions of a trial launch, mostTrials that of trials of a kernel.
	fitSteps   = 200_000
	mostTrials = 60
	// leastShared is the initial dynamic shared memory of a template in bytes: one word for each thread of a block of
	// 256. As long as accesses exceed it, it grows by sharedFactor.
	leastShared  = 1 << 10
	sharedFactor = 4
	// mostFitted is the number of kernels of a module up to which they are tried.
	mostFitted = 64
	// Elements of a buffer: 128 rows of 128, and for kernels that go beyond that.
	elements, moreElements = 1 << 14, 1 << 21
)

// Template returns a launch file with one launch for each kernel, with sizes under which the kernel runs without a
// fault if a guess has such. The error is that of a cancelled context.
func Template(ctx context.Context, p *Program, kernels []*rewrite.Func) (string, error) {
	list, guessed, err := guessesOf(ctx, p, kernels, nil)
	if err != nil {
		return "", err
	}
	return launch.Template(list, guessed), nil
}

// guessesOf returns the launches of a template. The blocks of kernels by whose names a shape is known are those that
// are known, and the grids have its dimensions.
func guessesOf(ctx context.Context, p *Program, kernels []*rewrite.Func,
	known map[string]Shape,
) (list []launch.Skeleton, guessed launch.Guesses, err error) {
	guessed = launch.GuessedNumbers
	for _, k := range kernels {
		f := launchSearch{program: p, needs: needsOf(k)}
		f.box = boxBytes(k, f.needs.tensors)[0]
		if !f.needs.learn(known[k.Name]) {
			guessed = launch.GuessedAll
		}
		f.best.skeleton = f.needs.skeleton(f.usual(f.needs.blocks()[0]))
		if len(kernels) <= mostFitted {
			f.fit(ctx)
		}
		if ctx.Err() != nil {
			return nil, "", ErrInterrupted
		}
		list = append(list, f.best.skeleton)
	}
	return list, guessed, nil
}

// launchSearch is the search for the launch of one kernel.
type launchSearch struct {
	program *Program
	needs   *needs
	trials  int
	best    trial
	at      guess // of best
	box     int   // bytes of boxes of tensor maps
}

// trial is a launch, and what a run with it has shown.
type trial struct {
	skeleton     launch.Skeleton
	class, space string // of the first fault, "" for none
	unwritten    bool   // it used shared memory that no thread had written: the block is too small, or too large
	executed     int    // number of instructions of the program that were executed
	few          bool   // the kernel is not for whole warps
	steps        uint64 // limit of warp instructions of a launch of which only faults count, 0 for another one
}

// usual returns the first guess for a block: one element for each thread of a row of the grid.
func (f *launchSearch) usual(block [3]uint32) guess {
	n := int(block[0] * f.needs.grid[0])
	return guess{block: block, elements: elements, number: n, last: n, field: n, box: f.box}
}

// fit finds the launch in which the kernel runs without a fault, uses no shared memory that nothing has written, and
// executes most of its instructions; of equal ones the first. Blocks are varied first, then what the best of them
// leaves out decides: numbers, and contents of buffers.
func (f *launchSearch) fit(ctx context.Context) {
	for _, f.box = range boxBytes(f.needs.kernel, f.needs.tensors) {
		f.blocks(ctx)
		if f.complete() {
			break
		}
	}
	if !f.complete() {
		return
	}
	f.contents(ctx)
}

// blocks tries blocks, until one shows all of the kernel.
func (f *launchSearch) blocks(ctx context.Context) {
	for _, b := range f.needs.blocks() {
		f.numbers(ctx, f.usual(b))
		if f.complete() && f.best.executed == f.needs.size() {
			break
		}
	}
}

// guessedContents are the contents of buffers that a template prefers to zeros, the best first: elements that differ,
// since equal ones hide races, and that are good as indices, too.
var guessedContents = []string{"iota", "random, seed: 1, min: 0, max: 7"}

// contents gives the buffers of the best launch other contents, unless that shows less of the kernel.
func (f *launchSearch) contents(ctx context.Context) {
	zeros := true
	for _, contents := range guessedContents {
		if !zeros && f.best.executed == f.needs.size() {
			return
		}
		g := f.at
		g.contents = contents
		if t := f.run(ctx, g); t.class == "" && (t.better(&f.best) || zeros && !f.best.better(&t)) {
			f.best, f.at, zeros = t, g, false
		}
	}
}

// complete reports whether the best launch so far runs to its end and uses no memory that nothing has written.
func (f *launchSearch) complete() bool {
	return f.trials > 0 && f.best.class == "" && !f.best.unwritten
}

// numbers tries a guess with several numbers, until one runs.
func (f *launchSearch) numbers(ctx context.Context, g guess) {
	for _, n := range []struct{ number, last, field int }{
		{g.number, g.number, g.number}, {128, 128, 128}, {g.number, 4, g.number}, {g.number, g.number, 0}, {16, 16, 16}, {2, 2, 2}, {1, 1, 1}, {1, 1, 0},
	} {
		g.number, g.last, g.field = n.number, n.last, n.field
		if n.field == 0 && !f.needs.fields {
			continue
		}
		if class := f.try(ctx, g); class == "" || !f.needs.numbered {
			return
		}
	}
}

// try runs the kernel with a guess, keeps it if it is the best so far, and returns the class of its first fault.
func (f *launchSearch) try(ctx context.Context, g guess) string {
	t := f.run(ctx, g)
	if t.class == "out-of-bounds" && t.space != isa.SpaceShared.String() {
		g.elements = moreElements
		t = f.run(ctx, g)
	}
	if f.trials > 0 && (f.at == guess{} || t.better(&f.best)) {
		f.best, f.at = t, g
	}
	return t.class
}

// run runs the kernel with a guess and as much dynamic shared memory as it needs.
func (f *launchSearch) run(ctx context.Context, g guess) trial {
	t := trial{skeleton: f.needs.skeleton(g), few: f.needs.single}
	if f.trials >= mostTrials || ctx.Err() != nil {
		t.class = "launch"
		return t
	}
	f.trials++
	f.program.play(ctx, &t)
	for t.class == "out-of-bounds" && t.space == isa.SpaceShared.String() && 0 < t.skeleton.Shared &&
		t.skeleton.Shared < launch.MaxSharedBytes {
		t.skeleton.Shared = min(t.skeleton.Shared*sharedFactor, launch.MaxSharedBytes)
		f.program.play(ctx, &t)
	}
	return t
}

// rank orders the ends of trials: without a fault; with threads that whole warps make wait for others in vain, which is
// more likely a fault of the kernel than of the size; without a fault for a part of a warp; at the limit of steps; with
// another fault.
func (t *trial) rank() int {
	whole := t.few || threads(t.skeleton.Block) >= isa.WarpSize
	switch t.class {
	case "":
		if whole {
			return 4
		}
		return 2
	case "barrier-divergence":
		if whole {
			return 3
		}
	case "timeout":
		return 1
	}
	return 0
}

// better reports whether a trial shows more of the kernel than another one.
func (t *trial) better(other *trial) bool {
	switch {
	case t.rank() != other.rank():
		return t.rank() > other.rank()
	case t.rank() == 0:
		return false
	case t.unwritten != other.unwritten:
		return other.unwritten
	}
	return t.executed > other.executed
}

// play runs a kernel with the trial's launch, and records what the run shows. Where that is shared memory which nothing
// has written, the reason may be a race: it runs once more in turns of the threads, in which all of them write before
// one reads far ahead.
func (p *Program) play(ctx context.Context, t *trial) {
	if p.playAs(ctx, t, emu.ITS); t.class == "" && t.unwritten {
		again := *t
		if p.playAs(ctx, &again, emu.RoundRobin); again.class == "" {
			t.unwritten = again.unwritten
		}
	}
}

// playAs is play under a policy.
func (p *Program) playAs(ctx context.Context, t *trial, policy emu.Policy) {
	t.class, t.space, t.unwritten, t.executed = "launch", "", false, 0
	file, err := launch.Parse("template", []byte(launch.Template([]launch.Skeleton{t.skeleton}, launch.GuessedAll)),
		launch.Options{})
	if err != nil {
		return
	}
	steps := cmp.Or(t.steps, fitSteps)
	plan, err := NewPlan(p, file, steps)
	if err != nil {
		return
	}
	seen := &executionRecord{at: make(map[*rewrite.Inst]bool)}
	cfg := emu.Config{
		Policy: policy, MaxSteps: steps, Workers: 1, Listener: seen, Uninitialised: true,
		MaxFaults: mostTrials,
	}
	if t.steps > 0 { // only faults count
		cfg.Listener, cfg.Uninitialised = nil, false
	}
	run, err := Open(Options{Emulator: cfg})
	if err != nil {
		return
	}
	defer run.Close()
	if err = plan.Play(ctx, run); err != nil {
		return
	}
	t.class, t.executed = "", len(seen.at)
	for _, f := range run.Report().Faults {
		switch {
		case f.Class == report.Uninitialised:
			t.unwritten = t.unwritten || f.Space == isa.SpaceShared.String()
		case f.Class != report.AsyncRegister && t.class == "":
			t.class, t.space = f.Class, f.Space
		}
	}
}

// executionRecord is a listener that records which instructions are executed.
type executionRecord struct {
	emu.NopListener
	at map[*rewrite.Inst]bool
}

// Interest implements emu.Listener. A branch is executed in both directions.
func (e *executionRecord) Interest() emu.Interest {
	return emu.Interest{Step: func(s *emu.Step) {
		if s.Mask != 0 || s.Inst.Effects().Has(isa.Branches) {
			e.at[s.Inst] = true
		}
	}}
}

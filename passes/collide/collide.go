// Package collide instruments a module for the detector collide: sampled accesses to global and shared memory look for
// other accesses at the same time, by watchpoints in a table and by values that change while they wait.
//
// The detector has three parts. This pass decides which accesses call the hook, and lets most executions pass by it:
// each function counts down, in a register, the units of code until one is sampled, whose accesses all call the hook. A
// unit is an iteration of a loop, or the code outside of loops. The hook (passes/device/lib/collide.cu) arms, waits and
// compares. internal/detect/collide prepares memory and reads the races.
//
// Hooks are called at the access, with no synchronisation between. A watch stays armed until the thread executes an
// operation that may release: a fence, a barrier, a release, a call. Until then no operation of the thread precedes an
// operation of another thread in causality order, and a watch sees only accesses made after it was armed. So a
// conflicting access that finds the watch is a race, and so is a change of the watched bytes while the hook waits.
// Strong accesses are armed only against those that they are not morally strong with, of other blocks than their
// scope's. Waits are bounded, so that hooks in divergent code cannot make a barrier wait for ever.
//
// Accesses that are proved to take part in no race have no hook, nor have weak loads in threads that do not use the
// loaded value. Of asynchronous copies those in groups are watched (cp.async). Not watched are bulk copies, matrices,
// textures and tensor memory. The library needs sm_60, where it waits by the clock, and PTX 6.3; the version and target
// of older modules are raised to these.
package collide

import (
	"flag"
	"fmt"
	"slices"
	"strconv"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/device"
	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Pass is the pass.
var Pass = &passes.Pass{
	Name: "collide",
	Doc: `detect data races by accesses that collide, at little cost (watchpoints)

Sampled accesses to global and shared memory are entered in a table of watches, read
memory, wait, and read it again. A conflicting access that meets the watch, or a
changed value, is a race.`,
	Flags:       flags,
	Run:         run,
	WatchesOnly: true,
	Instruments: instruments,
}

// Options are the options of the detector.
type Options struct {
	Budget int    // percent of the instructions of a program that its hooks may add, about
	Seed   uint64 // of the choice of accesses
	Wait   int    // nanoseconds of one wait
	Rounds int    // waits of an armed access
	Warm   int    // warp accesses that are sampled before the budget holds, of all launches
	Sites  int    // of the instrumented module
}

// Period returns the number of units of code of which one is sampled: the hooks of one take about 400 instructions,
// since it has two or three accesses, and a program has a unit in about ten.
func (o *Options) Period() uint32 { return uint32(4000 / o.Budget) }

// Result is the output of the pass for the host part of the detector.
type Result struct{ Options Options }

func flags(fs *flag.FlagSet) any {
	o := &Options{Budget: 10, Wait: 500, Rounds: 4, Warm: 64}
	fs.Var(&number{&o.Budget, 1, 100}, "budget", "instructions that sampled accesses may add, in `percent` of the program's, from 1 to 100")
	fs.Uint64Var(&o.Seed, "seed", 0, "choose other accesses for each `number`")
	fs.Var(&number{&o.Wait, 1, 1 << 20}, "wait", "`nanoseconds` of one wait, on a GPU")
	fs.Var(&number{&o.Rounds, 1, 1 << 20}, "rounds", "`number` of waits of a sampled access, each followed by a look at memory")
	fs.Var(&number{&o.Warm, 0, 1 << 30}, "warm", "`number` of accesses of warps at the start of a run that are all sampled")
	return o
}

// number is a flag for a number in a range.
type number struct {
	to          *int
	least, most int
}

func (n *number) String() string {
	if n.to == nil {
		return ""
	}
	return strconv.Itoa(*n.to)
}

func (n *number) Set(s string) error {
	v, err := strconv.Atoi(s)
	if err != nil || v < n.least || v > n.most {
		return fmt.Errorf("must be %d to %d", n.least, n.most)
	}
	*n.to = v
	return nil
}

func run(ctx *passes.Context) (any, error) {
	opts := *ctx.Options.(*Options)
	if _, ok := ctx.Module.Lookup(abi.CollideState); ok {
		return nil, fmt.Errorf("the module already has %s: it is instrumented", abi.CollideState)
	}
	list, err := plan(ctx)
	if err != nil {
		return nil, err
	}
	for i := range list {
		opts.Sites = max(opts.Sites, int(list[i].site))
	}
	library := device.Collide()
	if isa.ModuleTarget(ctx.Module.AST.Target).SM < 70 {
		library = device.CollideOlder()
	}
	symbols := []string{abi.CollideState, abi.CollideBegin, abi.CollideAccess, abi.CollideRelease}
	if ctx.OnlyPlans() {
		return &Result{opts}, instrument.Linkable(ctx, library, symbols...)
	}
	if err := instrument.Link(ctx, library, symbols...); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(list, func(a access) bool { return a.distant }) {
		if err := instrument.Link(ctx, device.CollideCluster(), abi.CollidePlace); err != nil {
			return nil, err
		}
	}
	ed := ctx.Edit()
	if err := insert(ed, list); err != nil {
		return nil, err
	}
	return &Result{opts}, instrument.Apply(ctx, ed)
}

// instruments returns whether a form is instrumented, as far as the form alone shows it.
func instruments(in *isa.Instr, f *isa.Form) bool {
	return f.CopiesInGroup() || (in.Class == isa.ClassMemory || in.Class == isa.ClassAtomic) &&
		f.Effects&(isa.ReadsMemory|isa.WritesMemory) != 0
}

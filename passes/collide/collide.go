// Package collide instruments a module for the detector collide: sampled accesses to global and shared memory look for other
// accesses at the same time, by watchpoints in a table and by values that change while they wait.
//
// The detector has three parts. This pass decides which accesses call the hook, and lets most executions pass by it: each function
// counts down, in a register, the basic blocks with accesses until one is sampled. The hook (runtime/device/lib/collide.cu) arms, waits and compares.
// runtime/detect/collide prepares memory and reads the races.
//
// Hooks are called before the access. No synchronisation runs between the hook's first look at memory and the access, so a change
// in between, and a conflicting access that meets the watch, is ordered neither before nor after the access: a race, unless both are
// strong. Strong accesses are never armed; they meet the watches of weak ones. Waits are bounded, so that hooks in divergent code
// cannot make a barrier wait for ever.
//
// Accesses that are proved to take part in no race have no hook, nor have weak loads in threads that do not use the loaded value.
// Not watched are asynchronous copies, matrices, textures, tensor memory, and the shared memory of other blocks of a cluster.
// The library needs sm_70 and PTX 6.3; the version and target of older modules are raised to these.
package collide

import (
	"flag"
	"fmt"
	"strconv"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/address"
	"github.com/ptxsan/ptxsan/rewrite/query"
	"github.com/ptxsan/ptxsan/rewrite/sites"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/device"
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
	Warm   int    // accesses that are sampled before the budget holds, of all launches
	Sites  int    // of the instrumented module
}

// Period returns the number of accesses of which one is sampled: a sampled one takes about 180 instructions, and a program has an
// access in about ten.
func (o *Options) Period() uint32 { return uint32(1800 / o.Budget) }

// Result is the output of the pass for the host part of the detector.
type Result struct{ Options Options }

func flags(fs *flag.FlagSet) any {
	o := &Options{Budget: 10, Wait: 500, Rounds: 4, Warm: 8192}
	fs.Var(&number{&o.Budget, 1, 100}, "budget", "instructions that sampled accesses may add, in `percent` of the program's, from 1 to 100")
	fs.Uint64Var(&o.Seed, "seed", 0, "choose other accesses for each `number`")
	fs.Var(&number{&o.Wait, 1, 1 << 20}, "wait", "`nanoseconds` of one wait, on a GPU")
	fs.Var(&number{&o.Rounds, 1, 1 << 20}, "rounds", "`number` of waits of a sampled access, each followed by a look at memory")
	fs.Var(&number{&o.Warm, 0, 1 << 30}, "warm", "`number` of accesses at the start of a run that are all sampled")
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
	opts.Sites = len(list)
	symbols := []string{abi.CollideState, abi.CollideBegin, abi.CollideAccess}
	if ctx.OnlyPlans() {
		return &Result{opts}, instrument.Linkable(ctx, device.Collide(), symbols...)
	}
	if err := instrument.Link(ctx, device.Collide(), symbols...); err != nil {
		return nil, err
	}
	ed := ctx.Edit()
	counters := make(map[*rewrite.Func]*counter)
	for _, a := range list {
		if err := a.insert(ed, counters); err != nil {
			return nil, err
		}
	}
	return &Result{opts}, instrument.Apply(ctx, ed)
}

// access is an access that gets a hook, by function and index, which linking does not change.
type access struct {
	fn         string
	index      int
	site, info uint32
	first      bool          // of its basic block
	demand     *query.Demand // under which the loaded value is used; nil for always
}

// plan enters the accesses that get a hook in the table of sites, in source order.
func plan(ctx *passes.Context) (list []access, err error) {
	exempt := make(map[*rewrite.Inst]bool)
	known := make(map[*rewrite.Inst]isa.Space)
	for _, f := range ctx.Module.Funcs {
		if !f.Defined() {
			continue
		}
		for _, ref := range address.MemRefsOf(f) {
			if ref.Operand == ref.Inst.Access.Addr {
				known[ref.Inst] = ref.Space
			}
		}
		if f.Entry {
			for in, why := range address.Exempt(f, ctx.Given(f)) {
				exempt[in] = why != address.ExemptNot
			}
		}
	}
	for in := range instrument.Insts(ctx.Module) {
		space := in.Space
		if space == isa.SpaceNone {
			space = known[in]
		}
		switch {
		case space != isa.SpaceNone && space != isa.SpaceGlobal && space != isa.SpaceShared:
		case in.Access.Kind == isa.AccessNone || in.Copy.Kind != isa.AccessNone || in.Access.Size == 0 || in.Access.Size > 32:
			if in.Instr.Effects&(isa.ReadsMemory|isa.WritesMemory) != 0 && in.Space != isa.SpaceNone && in.Instr.Class != isa.ClassControl {
				ctx.Count("not checked", 1)
				ctx.Report(in.Position(), "%s: its accesses are not checked", in.Opcode())
			}
		case exempt[in]:
			ctx.Count("elided", 1)
		default:
			ctx.Count("accesses", 1)
			a := access{fn: in.Func.Name, index: in.Index, site: ctx.AddSite(sites.Of(in)), info: info(in)}
			if d, some := instrument.Demand(in); some {
				a.demand = &d
			}
			list = append(list, a)
		}
	}
	if len(list) > abi.CollideMaxSites {
		return nil, fmt.Errorf("%d accesses to instrument; at most %d are supported", len(list), abi.CollideMaxSites)
	}
	markFirst(ctx.Module, list)
	return list, nil
}

// markFirst marks the first access of each basic block.
func markFirst(m *rewrite.Module, list []access) {
	seen := make(map[*rewrite.Block]bool)
	for i := range list {
		a := &list[i]
		g := m.Func(a.fn).CFG()
		b := g.BlockOf[a.index]
		a.first = g.Degenerate || !seen[b] // where blocks begin may not be known
		seen[b] = true
	}
}

// info packs what the hook has to know of an access.
func info(in *rewrite.Inst) uint32 {
	info := uint32(in.Access.Size)
	if in.Access.Writes() {
		info |= abi.CollideInfoWrites
	}
	if in.Strong() {
		info |= abi.CollideInfoStrong
	}
	return info
}

// instruments returns whether a form is instrumented, as far as the form alone shows it.
func instruments(in *isa.Instr, f *isa.Form) bool {
	return (in.Class == isa.ClassMemory || in.Class == isa.ClassAtomic) && f.Effects&(isa.ReadsMemory|isa.WritesMemory) != 0
}

// counter holds the registers of a function's countdown: what is left, and whether the accesses of a block pass by their hooks.
// It counts basic blocks with accesses, all or none of which are sampled.
type counter struct{ left, past string }

// insert inserts the countdown and the call of the hook in front of an access.
func (a *access) insert(ed *rewrite.Editor, counters map[*rewrite.Func]*counter) error {
	m := ed.Module()
	f := m.Func(a.fn)
	in, c := f.Insts[a.index], counters[f]
	if c == nil {
		c = &counter{ed.FreshReg(f, isa.B32), ed.FreshReg(f, isa.Pred)}
		counters[f] = c
		if err := ed.CallAtEntry(f, &rewrite.Hook{Func: m.Func(abi.CollideBegin), Result: c.left}); err != nil {
			return err
		}
	}
	if a.first {
		ed.InsertBefore(in, fmt.Sprintf("sub.s32 %s, %s, 1;\nsetp.ge.s32 %s, %s, 0;", c.left, c.left, c.past, c.left))
	}
	past := ed.FreshLabel(f)
	ed.InsertBeforeGuarded(in, fmt.Sprintf("@%s bra %s;", c.past, past))
	if d := a.demand; d != nil {
		guard := "@!"
		if d.Not {
			guard = "@"
		}
		ed.InsertBeforeGuarded(in, guard+d.Reg.Name+" bra "+past+";")
	}
	hook := &rewrite.Hook{Func: m.Func(abi.CollideAccess), Result: c.left}
	if err := ed.CallBefore(in, hook, rewrite.Addr(in.Access.Addr), rewrite.Const32(a.info), rewrite.Const32(a.site)); err != nil {
		return err
	}
	ed.InsertBeforeGuarded(in, past+":")
	return nil
}

// Inlining: short functions are decoded in place of a direct call.

package emu

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Direct calls of short functions are not performed: the callee's instructions are
// decoded in place of the call, into the frame of the caller. Its registers have slots
// there, the same for all calls of it at that depth. A parameter that is stored once and only
// loaded is neither stored nor loaded (decode_regs.go): its register in the callee is the one that
// the caller stores. Nor is a result that is stored once, at the end, and loaded by the caller
// at once (the first, of several): its register in the callee is the one that the caller
// loads, or is copied to that where an argument is there too. What is left out like that is
// still counted (flagNothing). Callees share slots, as their registers hold nothing between
// calls; not with registers of another width, since lanes may be apart and their parts of a
// slot must stay separate, too.
//
// What is not inlined: calls under a guard, calls of all but very short functions in inlined
// ones, and functions in which something depends on there being an activation (inlinable).
// Listeners make no difference to what is inlined, since schedules depend on it; an instruction
// that is left out is still a step for a StepListener. Under Config.Uninitialised and
// Config.Variables nothing is inlined, so that all stores of the program happen.

// body is the code of a function of the program within a function: of itself, or of one
// that it calls.
type body struct {
	src    *rewrite.Func
	place  *inlinedAt // in which it stands, nil for the function itself
	outer  *body      // within which it stands
	regs   []slot     // as decoder.regs
	first  int        // index of its first instruction in function.sources
	starts []int32    // where the code of each instruction begins, then where the body ends

	// By index of the instruction: calls that are inlined, and loads and stores of
	// parameters that are not needed.
	inlined map[int]*inlinedCall
	passed  map[int]bool
	direct  map[*rewrite.Inst]*directCall // calls that are performed
	copied  map[int]*rewrite.Inst         // stores of results, by the loads to whose registers they are copied
}

// inlinedAt is a call in place of which a function was decoded.
type inlinedAt struct {
	call  *rewrite.Inst
	outer *inlinedAt // where the function was decoded that calls, nil when it was called
	depth int        // how many there are outside of it
}

// level is how many bodies stand around b.
func (b *body) level() int {
	if b.place == nil {
		return 0
	}
	return b.place.depth + 1
}

// toEnd is a branch target: the end of the body, before its place is known.
const toEnd = -2

// end is where an inlined body returns to, joinAtReturn for others.
func (b *body) end() int32 {
	if b.place == nil {
		return joinAtReturn
	}
	return b.starts[len(b.src.Insts)]
}

// join is where the lanes meet that part at instruction i.
func (b *body) join(i int) int32 {
	cfg := b.src.CFG()
	join := cfg.BlockOf[i].IPDom
	if cfg.Degenerate || join == nil || join == cfg.Exit {
		return b.end()
	}
	return b.starts[join.Start]
}

// live is the registers in a set of the body's, as they lie in the frame.
func (b *body) live(set rewrite.RegSet) []slotRange {
	var rs []slotRange
	for _, r := range b.src.Regs {
		if !set.Has(r) {
			continue
		}
		for k := range r.Vec {
			rs = appendRange(rs, b.regs[r.Index]+slot(k)*vectorStride(r.Type), r.Type)
		}
	}
	return rs
}

// inlinedCall is a call that is inlined.
type inlinedCall struct {
	callee  *rewrite.Func
	args    []ptxArg
	results []ptxResult // those that are passed in registers
}

// ptxResult is a result that the store, by its index in the callee, writes where load has it;
// or copies, as the register is no other's until then.
type ptxResult struct {
	store  int
	load   *rewrite.Inst
	copied bool
}

// ptxArg is how an argument is passed: in the register or constant that store writes, or
// in the caller's variable when store is nil.
type ptxArg struct {
	store *rewrite.Inst
	loads []int // indices in the callee of the loads of the parameter
}

// Limits of inlining, in instructions: of a callee that a function calls, of one that an
// inlined function calls, and of all callees in a function; and of bodies in each other.
const (
	maxInlined    = 384
	maxNested     = 64
	maxInlinedAll = 1 << 14
	maxLevel      = 4
)

// plan decides which calls of a body are inlined, and what the others pass in registers.
func (d *decoder) plan(b *body) {
	if !d.m.unwatched() {
		return
	}
	b.inlined, b.direct = map[int]*inlinedCall{}, map[*rewrite.Inst]*directCall{}
	uses := paramUses(b.src)
	for i, in := range b.src.Insts {
		c, ok := in.Call()
		if !ok || c.Func == nil {
			continue
		}
		f := definition(c.Func)
		if d.m.bySource[f] == nil || !sameSizes(c.Args, f.Params) || !sameSizes(c.Returns, f.Returns) {
			continue
		}
		if d.inlines(b, in, f) {
			b.inlined[i] = b.planInlined(i, c, f, uses)
			d.inlined += len(f.Insts)
		} else {
			b.direct[in] = b.planDirect(i, c, d.m.passingOf(f), uses)
		}
	}
}

// unwatched reports whether no check of the configuration needs the stores to parameters and
// variables.
func (m *Machine) unwatched() bool {
	return !m.cfg.Uninitialised && !m.cfg.Variables
}

// inlines reports whether a call of f in a body is inlined.
func (d *decoder) inlines(b *body, call *rewrite.Inst, f *rewrite.Func) bool {
	most := maxInlined
	if b.place != nil {
		most = maxNested
	}
	most = min(most, maxInlinedAll-d.inlined)
	return call.Guard == nil && f != b.src && len(f.Insts) <= most && b.level() < maxLevel && d.m.inlinable(f)
}

// planInlined decides how a call that is inlined passes arguments and results.
func (b *body) planInlined(i int, c rewrite.Call, f *rewrite.Func, uses map[*rewrite.Var][]int) *inlinedCall {
	call := &inlinedCall{callee: f}
	for k, v := range f.Params {
		arg := ptxArg{loads: loadsOf(f, v)}
		if s := b.storeOf(i, c.Args[k].Sym.(*rewrite.Var), uses); s >= 0 && arg.loads != nil {
			arg.store, b.passed[s] = b.src.Insts[s], true
		}
		call.args = append(call.args, arg)
	}
	for k, v := range f.Returns {
		store, load := resultOf(f, v), b.loadOf(i, c.Returns[k].Sym.(*rewrite.Var), uses)
		if store >= 0 && load >= 0 && k == 0 {
			to := b.src.Insts[load]
			call.results = append(call.results, ptxResult{store, to, call.takes(f.Insts[store].Operands[1].Reg, to.Operands[0].Reg, b.regs)})
			b.passed[load] = true
		}
	}
	return call
}

// takes reports whether the callee's register reg is an argument, or the caller's one, to,
// shares its slot with an argument.
func (c *inlinedCall) takes(reg, to *rewrite.Reg, regs []slot) bool {
	return slices.ContainsFunc(c.args, func(a ptxArg) bool {
		if a.store == nil {
			return false
		}
		arg := a.store.Operands[1].Reg
		return arg != nil && regs[arg.Index] == regs[to.Index] ||
			slices.ContainsFunc(a.loads, func(i int) bool { return c.callee.Insts[i].Operands[0].Reg == reg })
	})
}

// inline decodes a callee in place of a call of the current body, and returns the errors in the callee.
func (d *decoder) inline(in *rewrite.Inst, c *inlinedCall) ptxgrammar.ErrorList {
	f, outer := c.callee, d.body
	at := &inlinedAt{call: in, outer: outer.place, depth: outer.level()}
	callee := d.m.bySource[f]
	d.fn.inlined, callee.wasInlined = append(d.fn.inlined, callee), true
	regs := d.inlinedRegisters(f, at.depth)
	b := &body{src: f, place: at, outer: outer, regs: slices.Clone(regs.slots), first: len(d.fn.sources), passed: map[int]bool{}}
	site, _ := in.Call()
	for k, v := range f.Params {
		arg := &c.args[k]
		d.stack[v] = d.stack[site.Args[k].Sym.(*rewrite.Var)]
		if arg.store == nil {
			continue
		}
		from := d.valueOf(arg.store).reg.slot
		for _, i := range arg.loads {
			b.passed[i] = true
			b.regs[f.Insts[i].Operands[0].Reg.Index] = from
		}
	}
	for k, v := range f.Returns {
		d.stack[v] = d.stack[site.Returns[k].Sym.(*rewrite.Var)]
	}
	for _, r := range c.results {
		if r.copied {
			b.copied = map[int]*rewrite.Inst{r.store: r.load}
			continue
		}
		b.passed[r.store] = true
		b.regs[f.Insts[r.store].Operands[1].Reg.Index] = outer.regs[r.load.Operands[0].Reg.Index]
	}
	regs.leaveOut(b)
	d.plan(b)
	top := d.stackTop
	d.placeLocals(f)
	d.body, d.regs = b, b.regs
	errs := d.decodeBody()
	d.body, d.regs, d.stackTop = outer, outer.regs, top
	return errs
}

// inlinedRegisters is the registers of a function that is inlined depth deep. Functions
// at the same depth share slots.
func (d *decoder) inlinedRegisters(f *rewrite.Func, depth int) *registers {
	for len(d.nested) <= depth {
		d.nested = append(d.nested, sharedSlots{own: map[*rewrite.Func]*registers{}, free: map[int][]slot{}})
	}
	shared := &d.nested[depth]
	if shared.own[f] == nil {
		shared.own[f] = d.registersOf(f, shared.free)
	}
	return shared.own[f]
}

// sharedSlots is the slots of the registers of functions of which only one runs at a time.
type sharedSlots struct {
	own  map[*rewrite.Func]*registers
	free map[int][]slot // by width: those that the next function may have, too
}

// sameSizes reports whether the operands of a call are variables as large as the
// parameters.
func sameSizes(ops []rewrite.Operand, params []*rewrite.Var) bool {
	if len(ops) != len(params) {
		return false
	}
	for i, p := range params {
		v, ok := ops[i].Sym.(*rewrite.Var)
		if !ok || ops[i].Kind != rewrite.OperandSymbol || v.Space != isa.SpaceParam || v.Size != p.Size || v.Reg != nil {
			return false
		}
	}
	return true
}

// inlinable reports whether calls of a function can be inlined.
func (m *Machine) inlinable(f *rewrite.Func) bool {
	yes, known := m.inlines[f]
	if !known {
		if m.inlines == nil {
			m.inlines = map[*rewrite.Func]bool{}
		}
		yes = m.canInline(f)
		m.inlines[f] = yes
	}
	return yes
}

func (m *Machine) canInline(f *rewrite.Func) bool {
	if f.Entry || len(f.Insts) == 0 || len(f.Insts) > maxInlined || f.CFG().Degenerate {
		return false
	}
	inReg := func(v *rewrite.Var) bool { return v.Reg != nil }
	elsewhere := func(v *rewrite.Var) bool { return v.Space != isa.SpaceLocal && v.Space != isa.SpaceParam }
	if slices.ContainsFunc(f.Params, inReg) || slices.ContainsFunc(f.Returns, inReg) || slices.ContainsFunc(f.Locals, elsewhere) {
		return false
	}
	live := f.Liveness().In(f.CFG().Blocks[0]) // read before written: zero in a new activation
	if slices.ContainsFunc(f.Regs, live.Has) {
		return false
	}
	return !slices.ContainsFunc(f.Insts, needsActivation) && !reaches(f, f, map[*rewrite.Func]bool{})
}

// reaches reports whether f calls g, directly or through others.
func reaches(f, g *rewrite.Func, seen map[*rewrite.Func]bool) bool {
	if seen[f] {
		return false
	}
	seen[f] = true
	for _, in := range f.Insts {
		if c, ok := in.Call(); ok && c.Func != nil {
			if callee := definition(c.Func); callee == g || reaches(callee, g, seen) {
				return true
			}
		}
	}
	return false
}

// needsActivation reports whether an instruction cannot be inlined. Operations among the
// lanes of a warp may meet at one instruction that several calls lead to; not so when the
// lanes are those that have executed the same instruction before, nor at bar.warp.sync, whose
// lanes meet wherever each of them has one.
func needsActivation(in *rewrite.Inst) bool {
	switch {
	case in.Instr.Class == isa.ClassBarrier:
		b, _ := in.Barrier()
		return b.Of != isa.BarrierOfWarp
	case in.Has("sync"):
		return !membersActive(in)
	}
	if in.Effects()&(isa.ReadsCarry|isa.WritesCarry) != 0 {
		return true // the flag is the activation's
	}
	switch in.Instr.Name {
	case "brx", "alloca", "stacksave", "stackrestore":
		return true
	}
	return false
}

// membersActive reports whether the membermask of an operation among lanes comes from
// activemask.
func membersActive(in *rewrite.Inst) bool {
	switch in.Instr.Name {
	case "vote", "match", "shfl", "redux":
	default:
		return false
	}
	op := &in.Operands[len(in.Operands)-1]
	if op.Kind != rewrite.OperandReg {
		return false
	}
	defs, undefined := in.Func.DefUse().Defs(in, op.Reg)
	return !undefined && !slices.ContainsFunc(defs, func(d *rewrite.Inst) bool { return d.Instr.Name != "activemask" })
}

// copyResult is the copy in place of the store of a result of the current body.
func (d *decoder) copyResult(store, load *rewrite.Inst) inst {
	t := load.Decoded.Operands[0].Type
	return inst{
		d: d.body.outer.regs[load.Operands[0].Reg.Index], a: d.regs[store.Operands[1].Reg.Index],
		body: moveBody(t), op: vectorMove(t), guard: slotTrue,
	}
}

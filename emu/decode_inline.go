// Inlining: short functions are decoded in place of a direct call.

package emu

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/query"
)

// Direct calls of short functions are inlined: the callee's instructions are decoded in place of the call, into the frame of the
// caller. The callee's registers have slots there, the same for all its calls at that depth. A parameter that is stored once and
// only loaded needs neither the store nor the loads (decode_regs.go): its register in the callee is the one that the caller
// stores. The same holds for a result that is stored once, at the end, and loaded by the caller immediately (the first, if there
// are several): its register in the callee is the one that the caller loads, or is copied to that if an argument uses it too.
// Omitted instructions are still counted (flagNothing). Callees share slots, because their registers hold no values between
// calls. Registers of different widths do not share slots, because the lanes may have diverged and each lane's part of a slot
// must stay separate.
//
// Calls under a guard are not inlined, nor calls of all but very short functions in inlined ones, nor functions with an
// instruction that needs an activation of its own (inlinable). Inlining is the same with all listeners, because schedules depend
// on it; an omitted instruction is still a step for a StepListener. Under Config.Uninitialised and Config.Variables nothing is
// inlined, so that all stores of the program are executed.

// body is a source function decoded into a function: the function itself, or an inlined callee.
type body struct {
	src    *rewrite.Func
	place  *inlinedAt // the inlined call; nil for the function itself
	outer  *body      // the body that contains the call
	regs   []slot     // slots by rewrite.Reg.Index, as decoder.regs
	first  int        // index of its first instruction in function.sources
	starts []int32    // index of each instruction's code, then of the end of the body

	// By index of the instruction: inlined calls, and the loads and stores of parameters that are omitted.
	inlined map[int]*inlinedCall
	passed  map[int]bool
	direct  map[*rewrite.Inst]*directCall // calls that are not inlined
	copied  map[int]*rewrite.Inst         // stores of results that are copies, with the loads to whose registers they copy

	read []bool // by rewrite.Reg.Index: whether an instruction reads the register; nil until reads is called
}

// reads reports whether an instruction of the body reads r.
func (b *body) reads(r *rewrite.Reg) bool {
	if b.read == nil {
		b.read = make([]bool, len(b.src.Regs))
		for _, in := range b.src.Insts {
			in.Uses(func(r *rewrite.Reg) { b.read[r.Index] = true })
		}
	}
	return b.read[r.Index]
}

// inlinedAt is a call in place of which a function was decoded.
type inlinedAt struct {
	call  *rewrite.Inst
	outer *inlinedAt // where the calling function was inlined, nil if it was not
	depth int        // number of enclosing inlined calls
}

// level returns the number of bodies around b.
func (b *body) level() int {
	if b.place == nil {
		return 0
	}
	return b.place.depth + 1
}

// toEnd is a branch target: the end of the body, before its index is known.
const toEnd = -2

// end returns the pc at which an inlined body returns, joinAtReturn for others.
func (b *body) end() int32 {
	if b.place == nil {
		return joinAtReturn
	}
	return b.starts[len(b.src.Insts)]
}

// join returns the pc where lanes that diverge at instruction i reconverge.
func (b *body) join(i int) int32 {
	cfg := b.src.CFG()
	join := cfg.BlockOf[i].IPDom
	if cfg.Degenerate || join == nil || join == cfg.Exit {
		return b.end()
	}
	return b.starts[join.Start]
}

// live returns the slots of those of the body's registers that are in set.
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

// ptxResult is a result passed in a register: instruction store of the callee (an index) writes the register of load directly,
// or, if copied, is replaced by a copy to that register.
type ptxResult struct {
	store  int
	load   *rewrite.Inst
	copied bool
}

// ptxArg describes how an argument is passed: in the register or constant that store writes, or in the caller's variable if store
// is nil.
type ptxArg struct {
	store *rewrite.Inst
	loads []int // indices in the callee of the loads of the parameter
}

// Limits of inlining, in instructions: of a callee in a function, of a callee in an inlined function, and of all callees in a
// function together. maxLevel limits the nesting of bodies.
const (
	maxInlined    = 384
	maxNested     = 64
	maxInlinedAll = 1 << 14
	maxLevel      = 4
)

// plan decides which calls of a body are inlined, and what the other calls pass in registers.
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

// unwatched reports whether no check in the configuration needs the stores to parameters and variables.
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

// planInlined decides how an inlined call passes arguments and results.
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

// takes reports whether the callee's register reg is the register of an argument, or whether the caller's register to shares its
// slot with an argument.
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

// inlinedRegisters returns the registers of a function that is inlined at the given depth. Functions at the same depth share
// slots.
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

// sharedSlots has the register slots of functions of which only one executes at a time.
type sharedSlots struct {
	own  map[*rewrite.Func]*registers
	free map[int][]slot // by width: slots that the next function may use as well
}

// sameSizes reports whether the operands of a call are variables of the same sizes as the parameters.
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
	live := f.Liveness().In(f.CFG().Blocks[0]) // read before written: such registers are zero in a new activation
	if slices.ContainsFunc(f.Regs, live.Has) {
		return false
	}
	return !slices.ContainsFunc(f.Insts, needsActivation) && !query.Recursive(m.src, f)
}

// needsActivation reports whether an instruction prevents inlining. Lanes from several calls may synchronise at one instruction
// in the callee. This does not apply if the membermask comes from activemask, so that the lanes have executed the same
// instruction before, nor to bar.warp.sync, whose lanes may be at different instructions.
func needsActivation(in *rewrite.Inst) bool {
	switch {
	case in.Instr.Class == isa.ClassBarrier:
		b, _ := in.Barrier()
		return b.Of != isa.BarrierOfWarp
	case in.Has("sync"):
		return !membersActive(in)
	}
	if in.Effects()&(isa.ReadsCarry|isa.WritesCarry) != 0 {
		return true // the carry flag belongs to the activation
	}
	switch in.Instr.Name {
	case "brx", "alloca", "stacksave", "stackrestore":
		return true
	}
	return false
}

// membersActive reports whether the membermask of a lane exchange comes from activemask.
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

// copyResult returns the copy that replaces the store of a result of the current body.
func (d *decoder) copyResult(store, load *rewrite.Inst) inst {
	t := load.Decoded.Operands[0].Type
	return inst{
		d: d.body.outer.regs[load.Operands[0].Reg.Index], a: d.regs[store.Operands[1].Reg.Index],
		body: moveBody(t), op: vectorMove(t), guard: slotTrue,
	}
}

// Inlining, where short functions are decoded in place of a direct call, and the slot of each virtual register in the
// frame.

package emu

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/inlining"
	"github.com/ptxsan/ptxsan/emu/internal/lifetime"
	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Direct calls of short functions are inlined: the callee's instructions are decoded in place of the call, into the
// frame of the caller. The callee's registers have slots there, the same for all its calls at that depth. A parameter
// that is stored once and only loaded needs neither the store nor the loads (package calls): its register in the callee
// is the one that the caller stores. The same holds for a result that is stored once, at the end, and loaded by the
// caller immediately (the first, if there are several): its register in the callee is the one that the caller loads, or
// is copied to that if an argument uses it too. Omitted instructions are still counted (flagNothing). Callees share
// slots, because their registers hold no values between calls. Registers of different widths do not share slots,
// because the lanes may have diverged and each lane's part of a slot must stay separate.
//
// Calls under a guard are not inlined, nor calls of all but very short functions in inlined ones, nor functions with an
// instruction that needs an activation of its own (inlining.Inlinable). Inlining is the same with all listeners,
// because schedules depend on it; an omitted instruction is still a step for a StepListener. Under Config.Uninitialised
// and Config.Variables nothing is inlined, so that all stores of the program are executed.

// body is a source function decoded into a function: the function itself, or an inlined callee.
type body struct {
	src    *rewrite.Func
	place  *inlinedAt // the inlined call; nil for the function itself
	outer  *body      // the body that contains the call
	regs   []slot     // slots by rewrite.Reg.Index, as decoder.regs
	first  int        // index of its first instruction in function.sources
	starts []int32    // index of each instruction's code, then of the end of the body

	// By index of the instruction: inlined calls, and the loads and stores of parameters that are omitted.
	inlined map[int]*inlining.Inlined
	passed  map[int]bool
	direct  map[*rewrite.Inst]*inlining.Direct // calls that are not inlined
	copied  map[int]*rewrite.Inst              // by index: a store of a result that is decoded as a copy, and the caller's load whose register it writes

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

// sameSlot reports whether two registers of the body share a slot.
func (b *body) sameSlot(x, y *rewrite.Reg) bool { return b.regs[x.Index] == b.regs[y.Index] }

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

// plan decides which calls of a body are inlined, and what the other calls pass in registers.
func (d *decoder) plan(b *body) {
	if !d.m.unwatched() {
		return
	}
	b.inlined, b.direct = map[int]*inlining.Inlined{}, map[*rewrite.Inst]*inlining.Direct{}
	plan := inlining.NewPlan(b.src, b.passed)
	for i, in := range b.src.Insts {
		c, ok := in.Call()
		if !ok || c.Func == nil {
			continue
		}
		f := definition(c.Func)
		if d.m.bySource[f] == nil || !inlining.SameSizes(c.Args, f.Params) ||
			!inlining.SameSizes(c.Returns, f.Returns) {
			continue
		}
		if d.inlines(b, in, f) {
			b.inlined[i] = plan.Inline(i, c, f, func(x, y *rewrite.Reg) bool { return b.sameSlot(x, y) })
			d.inlined += len(f.Insts)
		} else {
			b.direct[in] = plan.Direct(i, c, d.m.passingOf(f))
		}
	}
}

// unwatched reports whether no check in the configuration needs the stores to parameters and variables.
func (m *machine) unwatched() bool {
	return !m.cfg.Uninitialised && !m.cfg.Variables
}

// passingOf returns the passing of a function with a body.
func (m *machine) passingOf(f *rewrite.Func) *inlining.Passing {
	p := m.passings[f]
	if p == nil {
		if p = inlining.InMemory(f); m.unwatched() {
			p = inlining.PassingOf(f)
		}
		if m.passings == nil {
			m.passings = map[*rewrite.Func]*inlining.Passing{}
		}
		m.passings[f] = p
	}
	return p
}

// inlines reports whether a call of f in a body is inlined.
func (d *decoder) inlines(b *body, call *rewrite.Inst, f *rewrite.Func) bool {
	most := inlining.MaxInlined
	if b.place != nil {
		most = inlining.MaxNested
	}
	most = min(most, inlining.MaxInlinedAll-d.inlined)
	return call.Guard == nil && f != b.src && len(f.Insts) <= most && b.level() < inlining.MaxLevel && d.m.inlinable(f)
}

// inline decodes a callee in place of a call of the current body, and returns the errors in the callee.
func (d *decoder) inline(in *rewrite.Inst, c *inlining.Inlined) ptxgrammar.ErrorList {
	f, outer := c.Callee, d.body
	at := &inlinedAt{call: in, outer: outer.place, depth: outer.level()}
	callee := d.m.bySource[f]
	d.fn.inlined, callee.wasInlined = append(d.fn.inlined, callee), true
	regs := d.inlinedRegisters(f, at.depth)
	b := &body{
		src: f, place: at, outer: outer, regs: slices.Clone(regs.slots), first: len(d.fn.sources),
		passed: map[int]bool{},
	}
	site, _ := in.Call()
	for k, v := range f.Params {
		arg := &c.Args[k]
		d.stack[v] = d.stack[site.Args[k].Sym.(*rewrite.Var)]
		if arg.Store == nil {
			continue
		}
		from := d.valueOf(arg.Store).reg.slot
		for _, i := range arg.Loads {
			b.passed[i] = true
			b.regs[f.Insts[i].Operands[0].Reg.Index] = from
		}
	}
	for k, v := range f.Returns {
		d.stack[v] = d.stack[site.Returns[k].Sym.(*rewrite.Var)]
	}
	for _, r := range c.Results {
		if r.Copied {
			b.copied = map[int]*rewrite.Inst{r.Store: r.Load}
			continue
		}
		b.passed[r.Store] = true
		b.regs[f.Insts[r.Store].Operands[1].Reg.Index] = outer.regs[r.Load.Operands[0].Reg.Index]
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

// inlinedRegisters returns the registers of a function that is inlined at the given depth. Functions at the same depth
// share slots.
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

// inlinable reports whether calls of a function can be inlined.
func (m *machine) inlinable(f *rewrite.Func) bool {
	yes, known := m.inlines[f]
	if !known {
		if m.inlines == nil {
			m.inlines = map[*rewrite.Func]bool{}
		}
		yes = inlining.Inlinable(m.src, f)
		m.inlines[f] = yes
	}
	return yes
}

// copyResult returns the copy that replaces the store of a result of the current body.
func (d *decoder) copyResult(store, load *rewrite.Inst) inst {
	t := load.Decoded.Operands[0].Type
	return inst{
		d: d.body.outer.regs[load.Operands[0].Reg.Index], a: d.regs[store.Operands[1].Reg.Index],
		body: moveBody(t), op: lowering.Move(slotBits(t)), guard: slotTrue,
	}
}

// Allocation of slots. A compiler uses each virtual register once or twice; registers that are never live at the same
// place share a slot, so that the register file of a warp stays in the cache. Lanes of a warp may be at different
// places, but each has its own part of the slot.

// registers are the slots of a function's registers, by index, and the copies that are omitted because original and
// copy have the same slot.
type registers struct {
	slots  []slot
	copies []lifetime.Copy
	fixed  []int // the instructions that the preface executes
}

// leaveOut omits the copies from the decoded body. Registers of the body may have been given other slots.
func (r *registers) leaveOut(b *body) {
	for _, c := range r.copies {
		b.passed[c.At] = true
		if c.From != nil {
			b.regs[c.To.Index] = b.regs[c.From.Index]
		}
	}
	for _, i := range r.fixed {
		b.passed[i] = true
	}
}

// registersOf assigns a slot to each register of a function. free has slots, by width in bits,
// that hold no value while the function runs; registersOf takes slots from it and adds those of
// the function.
func (d *decoder) registersOf(f *rewrite.Func, free map[int][]slot) *registers {
	lives := lifetime.Of(f, inlining.Uses(f))
	var copies []lifetime.Copy
	if d.m.unwatched() {
		copies = lives.Copies(f, isIdentity)
	}
	var fixed []int
	if f.Entry && d.m.unwatched() && !d.observed() && !f.CFG().Degenerate {
		fixed = lives.Fixed(f, maxFixed, computesFixed)
	}
	order := slices.DeleteFunc(slices.Clone(f.Regs), func(r *rewrite.Reg) bool { return lives[r.Index].Shared })
	slices.SortStableFunc(order, func(a, b *rewrite.Reg) int {
		return cmp.Compare(lives[a.Index].From,
			lives[b.Index].From)
	})
	regs := make([]slot, len(f.Regs))
	ending := make([][]*rewrite.Reg, len(f.Insts)+1) // registers by the end of their lifetime, after which their slots are free
	at := 0
	for _, r := range order {
		for ; at < lives[r.Index].From; at++ {
			for _, e := range ending[at] {
				width := slotBits(e.Type)
				free[width] = append(free[width], regs[e.Index])
			}
		}
		width := slotBits(r.Type)
		if list := free[width]; r.Vec == 1 && len(list) > 0 {
			regs[r.Index], free[width] = list[len(list)-1], list[:len(list)-1]
		} else {
			regs[r.Index] = d.alloc(width)
			for range r.Vec - 1 {
				d.alloc(width)
			}
		}
		if to := lives[r.Index].To; r.Vec == 1 && to >= 0 {
			ending[to] = append(ending[to], r)
		}
	}
	for ; at < len(ending); at++ {
		for _, e := range ending[at] {
			free[slotBits(e.Type)] = append(free[slotBits(e.Type)], regs[e.Index])
		}
	}
	for _, c := range copies {
		if c.Special != nil {
			k := specialRegOf(c.Special)
			value, _ := specialValueOf(k.name)
			regs[c.To.Index] = d.preloaded(k, value, c.Special.Special.Type)
		}
	}
	return &registers{regs, copies, fixed}
}

// isIdentity reports whether an unguarded instruction copies to a register the bits of another one, or of a special
// register that does not change, of 32 or 64 bits.
func isIdentity(in *rewrite.Inst) bool {
	switch in.Instr.Name {
	case "mov":
	case "cvta":
		if gmem.SpaceBase(in.Space) != 0 {
			return false
		}
	default:
		return false
	}
	to, from, bits := &in.Operands[0], &in.Operands[1], in.Type(0).Bits()
	if in.Guard != nil || bits < 32 || !inlining.PlainReg(to, uint64(bits/8)) {
		return false
	}
	if from.Kind != rewrite.OperandSpecial {
		return inlining.PlainReg(from, uint64(bits/8))
	}
	_, constant := specialValueOf(from.Special.Name)
	return constant && from.Special.Type.Bits() == bits
}

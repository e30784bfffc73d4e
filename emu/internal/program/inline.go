// Inlining, where short functions are decoded in place of a direct call, and the slot of each virtual register in the
// frame.

package program

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/exec"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/inlining"
	"github.com/ptxsan/ptxsan/emu/internal/lifetime"
	"github.com/ptxsan/ptxsan/emu/internal/lowering"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// sameSlot reports whether two registers of the body share a slot.
func sameSlot(b *state.Body, x, y *rewrite.Reg) bool { return b.Regs[x.Index] == b.Regs[y.Index] }

// Level returns the number of bodies around b.
func Level(b *state.Body) int {
	if b.Place == nil {
		return 0
	}
	return b.Place.Depth + 1
}

// end returns the pc at which an inlined body returns, JoinAtReturn for others.
func end(b *state.Body) int32 {
	if b.Place == nil {
		return exec.JoinAtReturn
	}
	return b.Starts[len(b.Src.Insts)]
}

// join returns the pc where lanes that diverge at instruction i reconverge.
func join(b *state.Body, i int) int32 {
	cfg := b.Src.CFG()
	join := cfg.BlockOf[i].IPDom
	if cfg.Degenerate || join == nil || join == cfg.Exit {
		return end(b)
	}
	return b.Starts[join.Start]
}

// live returns the slots of those of the body's registers that are in set.
func live(b *state.Body, set rewrite.RegSet) []state.SlotRange {
	var rs []state.SlotRange
	for _, r := range b.Src.Regs {
		if !set.Has(r) {
			continue
		}
		for k := range r.Vec {
			rs = decode.AppendRange(rs, b.Regs[r.Index]+state.Slot(k)*decode.VectorStride(r.Type), r.Type)
		}
	}
	return rs
}

// plan decides which calls of a body are inlined, and what the other calls pass in registers.
func plan(d *state.Decoder, b *state.Body) {
	if !unwatched(d.M) {
		return
	}
	b.Inlined, b.Direct = map[int]*inlining.Inlined{}, map[*rewrite.Inst]*inlining.Direct{}
	plan := inlining.NewPlan(b.Src, b.Passed)
	for i, in := range b.Src.Insts {
		c, ok := in.Call()
		if !ok || c.Func == nil {
			continue
		}
		f := decode.Definition(c.Func)
		if d.M.BySource[f] == nil || !inlining.SameSizes(c.Args, f.Params) ||
			!inlining.SameSizes(c.Returns, f.Returns) {
			continue
		}
		if inlines(d, b, in, f) {
			b.Inlined[i] = plan.Inline(i, c, f, func(x, y *rewrite.Reg) bool { return sameSlot(b, x, y) })
			d.Inlined += len(f.Insts)
		} else {
			b.Direct[in] = plan.Direct(i, c, passingOf(d.M, f))
		}
	}
}

// unwatched reports whether no check in the configuration needs the stores to parameters and variables.
func unwatched(m *state.Machine) bool {
	return !m.Cfg.TracksLocal() && !m.Cfg.Variables
}

// passingOf returns the passing of a function with a body.
func passingOf(m *state.Machine, f *rewrite.Func) *inlining.Passing {
	p := m.Passings[f]
	if p == nil {
		if p = inlining.InMemory(f); unwatched(m) {
			p = inlining.PassingOf(f)
		}
		if m.Passings == nil {
			m.Passings = map[*rewrite.Func]*inlining.Passing{}
		}
		m.Passings[f] = p
	}
	return p
}

// inlines reports whether a call of f in a body is inlined.
func inlines(d *state.Decoder, b *state.Body, call *rewrite.Inst, f *rewrite.Func) bool {
	most := inlining.MaxInlined
	if b.Place != nil {
		most = inlining.MaxNested
	}
	most = min(most, inlining.MaxInlinedAll-d.Inlined)
	return call.Guard == nil && f != b.Src && len(f.Insts) <= most && Level(b) < inlining.MaxLevel && inlinable(d.M, f)
}

// inline decodes a callee in place of a call of the current body, and returns the errors in the callee.
func inline(d *state.Decoder, in *rewrite.Inst, c *inlining.Inlined) ptxgrammar.ErrorList {
	f, outer := c.Callee, d.Body
	at := &state.InlinedAt{Call: in, Outer: outer.Place, Depth: Level(outer)}
	callee := d.M.BySource[f]
	d.Fn.Inlined, callee.WasInlined = append(d.Fn.Inlined, callee), true
	regs := inlinedRegisters(d, f, at.Depth)
	b := &state.Body{
		Src: f, Place: at, Outer: outer, Regs: slices.Clone(regs.Slots), First: len(d.Fn.Sources),
		Passed: map[int]bool{},
	}
	site, _ := in.Call()
	for k, v := range f.Params {
		arg := &c.Args[k]
		d.Stack[v] = d.Stack[site.Args[k].Sym.(*rewrite.Var)]
		if arg.Store == nil {
			continue
		}
		from := exec.ValueOf(d, arg.Store).Reg.Slot
		for _, i := range arg.Loads {
			b.Passed[i] = true
			b.Regs[f.Insts[i].Operands[0].Reg.Index] = from
		}
	}
	for k, v := range f.Returns {
		d.Stack[v] = d.Stack[site.Returns[k].Sym.(*rewrite.Var)]
	}
	for _, r := range c.Results {
		if r.Copied {
			b.Copied = map[int]*rewrite.Inst{r.Store: r.Load}
			continue
		}
		b.Passed[r.Store] = true
		b.Regs[f.Insts[r.Store].Operands[1].Reg.Index] = outer.Regs[r.Load.Operands[0].Reg.Index]
	}
	leaveOut(regs, b)
	plan(d, b)
	top := d.StackTop
	placeLocals(d, f)
	d.Body, d.Regs = b, b.Regs
	errs := decodeBody(d)
	d.Body, d.Regs, d.StackTop = outer, outer.Regs, top
	return errs
}

// inlinedRegisters returns the registers of a function that is inlined at the given depth. Functions at the same depth
// share slots.
func inlinedRegisters(d *state.Decoder, f *rewrite.Func, depth int) *state.Registers {
	for len(d.Nested) <= depth {
		d.Nested = append(d.Nested, state.SharedSlots{
			Own:  map[*rewrite.Func]*state.Registers{},
			Free: map[int][]state.Slot{},
		})
	}
	shared := &d.Nested[depth]
	if shared.Own[f] == nil {
		shared.Own[f] = registersOf(d, f, shared.Free)
	}
	return shared.Own[f]
}

// inlinable reports whether calls of a function can be inlined.
func inlinable(m *state.Machine, f *rewrite.Func) bool {
	yes, known := m.Inlines[f]
	if !known {
		if m.Inlines == nil {
			m.Inlines = map[*rewrite.Func]bool{}
		}
		yes = inlining.Inlinable(m.Src, f)
		m.Inlines[f] = yes
	}
	return yes
}

// copyResult returns the copy that replaces the store of a result of the current body.
func copyResult(d *state.Decoder, store, load *rewrite.Inst) state.Inst {
	t := load.Decoded.Operands[0].Type
	return state.Inst{
		D: d.Body.Outer.Regs[load.Operands[0].Reg.Index], A: d.Regs[store.Operands[1].Reg.Index],
		Body: exec.MoveBody(t), Op: lowering.Move(events.SlotBits(t)), Guard: state.SlotTrue,
	}
}

// leaveOut omits the copies from the decoded body. Registers of the body may have been given other slots.
func leaveOut(r *state.Registers, b *state.Body) {
	for _, c := range r.Copies {
		b.Passed[c.At] = true
		if c.From != nil {
			b.Regs[c.To.Index] = b.Regs[c.From.Index]
		}
	}
	for _, i := range r.Fixed {
		b.Passed[i] = true
	}
}

// observesComputation reports whether there are steps of instructions of a function that access no memory.
func observesComputation(d *state.Decoder, f *rewrite.Func) bool {
	return d.M.Interest.Step != nil && (d.M.Interest.Steps == nil || slices.ContainsFunc(f.Insts,
		func(in *rewrite.Inst) bool { return in.Access.Kind == isa.AccessNone && d.M.Interest.Steps(in) }))
}

// registersOf assigns a slot to each register of a function. free has slots, by width in bits,
// that hold no value while the function runs; registersOf takes slots from it and adds those of
// the function.
func registersOf(d *state.Decoder, f *rewrite.Func, free map[int][]state.Slot) *state.Registers {
	lives := lifetime.Of(f, inlining.Uses(f))
	var copies []lifetime.Copy
	if unwatched(d.M) {
		copies = lives.Copies(f, isIdentity)
	}
	var fixed []int
	if f.Entry && unwatched(d.M) && !observesComputation(d, f) && !f.CFG().Degenerate {
		fixed = lives.Fixed(f, decode.MaxFixed, computesFixed)
	}
	order := slices.DeleteFunc(slices.Clone(f.Regs), func(r *rewrite.Reg) bool { return lives[r.Index].Shared })
	slices.SortStableFunc(order, func(a, b *rewrite.Reg) int {
		return cmp.Compare(lives[a.Index].From,
			lives[b.Index].From)
	})
	regs := make([]state.Slot, len(f.Regs))
	ending := make([][]*rewrite.Reg, len(f.Insts)+1) // registers by the end of their lifetime, after which their slots are free
	at := 0
	for _, r := range order {
		for ; at < lives[r.Index].From; at++ {
			for _, e := range ending[at] {
				width := events.SlotBits(e.Type)
				free[width] = append(free[width], regs[e.Index])
			}
		}
		width := events.SlotBits(r.Type)
		if list := free[width]; r.Vec == 1 && len(list) > 0 {
			regs[r.Index], free[width] = list[len(list)-1], list[:len(list)-1]
		} else {
			regs[r.Index] = decode.Alloc(d, width)
			for range r.Vec - 1 {
				decode.Alloc(d, width)
			}
		}
		if to := lives[r.Index].To; r.Vec == 1 && to >= 0 {
			ending[to] = append(ending[to], r)
		}
	}
	for ; at < len(ending); at++ {
		for _, e := range ending[at] {
			free[events.SlotBits(e.Type)] = append(free[events.SlotBits(e.Type)], regs[e.Index])
		}
	}
	for _, c := range copies {
		if c.Special != nil {
			k := decode.SpecialRegOf(c.Special)
			value, _ := decode.SpecialValueOf(k.Name)
			regs[c.To.Index] = decode.Preloaded(d, k, value, c.Special.Special.Type)
		}
	}
	return &state.Registers{Slots: regs, Copies: copies, Fixed: fixed}
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
	_, constant := decode.SpecialValueOf(from.Special.Name)
	return constant && from.Special.Type.Bits() == bits
}

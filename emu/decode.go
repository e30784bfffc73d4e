// Decoding: translates one function of a module into flat code, instruction by instruction.

package emu

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/hugepage"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// decode fills in fn from its source.
func (m *machine) decode(fn *function) ptxgrammar.ErrorList {
	d := m.newDecoder(fn)
	if fn.stackSize > m.cfg.Limits.Stack {
		return ptxgrammar.ErrorList{d.errorAtName("%s needs %d bytes of local memory per thread, the limit is %d",
			fn.src.Name, fn.stackSize, m.cfg.Limits.Stack)}
	}
	if errs := d.code(); len(errs) > 0 {
		return errs
	}
	d.link()
	d.liveness()
	fn.frameSize, fn.bodies = uintptr(d.top), d.bodies
	m.vectorize(fn)
	return nil
}

// newDecoder returns a decoder for the instructions of a function; registers and stack variables have been placed.
func (m *machine) newDecoder(fn *function) *decoder {
	d := &decoder{
		m: m, fn: fn, body: &body{src: fn.src}, top: slotBytes(1), // slotTrue comes first
		consts: map[constKey]slot{}, specials: map[specialReg]slot{},
		stack: map[*rewrite.Var]uint64{}, refs: map[stackRef]slot{}, shared: map[sharedRef]slot{},
		temps: map[int]*temporaries{}, read: map[*rewrite.Func]rewrite.RegSet{},
	}
	fn.live = map[int32]*liveSet{}
	regs := d.registersOf(fn.src, map[int][]slot{})
	d.regs = regs.slots
	d.body.regs, d.body.passed = d.regs, map[int]bool{}
	regs.leaveOut(d.body)
	d.fixed = regs.fixed
	d.layoutStack()
	return d
}

// errorAtName returns an error at the position of the function's name.
func (d *decoder) errorAtName(format string, args ...any) *ptxgrammar.Error {
	f := d.fn.src
	return &ptxgrammar.Error{Pos: f.Module.AST.File.Position(f.AST.NameAt.Start), Msg: fmt.Sprintf(format, args...)}
}

// layoutStack places .local and .param variables of the body, parameters and
// return values. A kernel's parameters are in launch.params instead.
func (d *decoder) layoutStack() {
	f := d.fn.src
	// passed has the indices of the only loads or stores of the variables that are passed in registers; op is the
	// operand with the register.
	formal := func(vars []*rewrite.Var, passed []int, op int) []stackVar {
		var out []stackVar
		for k, v := range vars {
			if v.Reg != nil {
				out = append(out, d.inRegister(v.Reg)...)
				continue
			}
			inMemory := stackVar{off: d.place(v), size: v.Size}
			if i := passed[k]; i >= 0 {
				d.body.passed[i] = true
				out = append(out, d.inRegister(f.Insts[i].Operands[op].Reg)...)
				continue
			}
			out = append(out, inMemory)
		}
		return out
	}
	if !f.Entry {
		p := d.m.passingOf(f)
		d.fn.params, d.fn.returns = formal(f.Params, p.Loads, 0), formal(f.Returns, p.Stores, 1)
	}
	d.placeLocals(f)
}

// placeLocals places the .local and .param variables of a body in the stack.
func (d *decoder) placeLocals(f *rewrite.Func) {
	for _, v := range f.Locals {
		if v.Space == isa.SpaceLocal || v.Space == isa.SpaceParam {
			d.place(v)
		}
	}
	d.fn.stackSize = max(d.fn.stackSize, (d.stackTop+15)&^15)
}

// place places a variable above those that are already in the stack, and returns its offset.
func (d *decoder) place(v *rewrite.Var) uint64 {
	off, top := placeAfter(d.stackTop, v.Size, uint64(v.Align))
	d.stackTop, d.stack[v] = top, off // decode reports a stack that is too large
	return off
}

// inRegister returns the parameters for the components of a parameter in a register.
func (d *decoder) inRegister(r *rewrite.Reg) []stackVar {
	out := make([]stackVar, max(r.Vec, 1))
	for k := range out {
		at := d.regs[r.Index] + slot(k)*vectorStride(r.Type)
		out[k] = stackVar{reg: operand{at, r.Type}, isReg: true, size: uint64(max(r.Type.Size(), 1))}
	}
	return out
}

// maxProblems limits the number of unsupported instructions reported.
const maxProblems = 50

// code decodes every instruction, and appends a return to the function.
func (d *decoder) code() ptxgrammar.ErrorList {
	d.plan(d.body)
	n := len(d.body.src.Insts) + d.inlined
	d.fn.code, d.fn.sources = hugepage.Slice(make([]inst, 0, n+n/8)), make([]source, 0, n) // a few instructions become several
	errs := append(d.decodeBody(), d.preface()...)
	end := d.leaving(execRet)
	end.src = -1
	d.fn.code = append(d.fn.code, end)
	return errs
}

// decodeBody decodes the instructions of the current body.
func (d *decoder) decodeBody() (errs ptxgrammar.ErrorList) {
	fn, b := d.fn, d.body
	d.bodies, b.starts = append(d.bodies, b), make([]int32, 0, len(b.src.Insts)+1)
	for _, in := range b.src.Insts {
		fn.sources = append(fn.sources, source{in, b.place, d.m.aside(in)})
	}
	for i, in := range b.src.Insts {
		b.starts = append(b.starts, int32(len(fn.code)))
		d.checkRegisters(in, int32(b.first+i))
		if call := b.inlined[i]; call != nil || b.passed[i] {
			nothing := inst{body: execNothing, guard: slotTrue, src: int32(b.first + i), flags: flagNothing}
			if d.observed() {
				nothing.flags = flagStep
			}
			fn.code = append(fn.code, nothing)
			if call != nil {
				if errs = append(errs, d.inline(in, call)...); len(errs) >= maxProblems {
					return errs
				}
			}
			continue
		}
		if load := b.copied[i]; load != nil {
			c := d.copyResult(in, load)
			if c.src = int32(b.first + i); d.observed() {
				c.flags |= flagStep
			}
			fn.code = append(fn.code, c)
			continue
		}
		if err := d.append(in, int32(b.first+i)); err != nil {
			if errs = appendError(errs, in, err); len(errs) >= maxProblems {
				return errs
			}
		}
	}
	b.starts = append(b.starts, int32(len(fn.code)))
	return errs
}

// observed reports whether steps are observed.
func (d *decoder) observed() bool { return d.m.interest.Step != nil }

// append decodes one instruction of the current body and adds it to the code; src is its index in function.sources.
func (d *decoder) append(in *rewrite.Inst, src int32) error {
	step := instFlags(0)
	if d.observed() {
		step = flagStep
	}
	if c, ok := d.demand(in); ok {
		return d.appendDemanded(in, src, c, step)
	}
	guard, xor := d.guardOf(in)
	return d.appendUnder(in, src, guard, xor, step)
}

// guardOf returns the guard of an instruction, and the lanes in which it is negated.
func (d *decoder) guardOf(in *rewrite.Inst) (slot, lanes) {
	switch {
	case in.Guard == nil:
		return slotTrue, 0
	case in.GuardNot:
		return d.regs[in.Guard.Index], allLanes
	}
	return d.regs[in.Guard.Index], 0
}

// appendUnder is append for lanes whose guard is true; flags are set on the first instruction.
func (d *decoder) appendUnder(in *rewrite.Inst, src int32, guard slot, xor lanes, flags instFlags) error {
	fn := d.fn
	d.pre, d.barrier = d.pre[:0], nil
	for _, t := range d.temps {
		t.used = 0
	}
	main, err := d.inst(in)
	if err != nil {
		return err
	}
	for k, c := range append(d.pre, main) {
		c.guard, c.guardXor, c.src = guard, xor, src
		if k == 0 {
			c.flags |= flags
		}
		fn.code = append(fn.code, c)
	}
	if d.barrier != nil {
		fn.barriers = append(fn.barriers, make([]*barrierOp, len(fn.code)-len(fn.barriers))...)
		fn.barriers[len(fn.code)-1] = d.barrier
	}
	return nil
}

// appendError adds the error of a decode function.
func appendError(errs ptxgrammar.ErrorList, in *rewrite.Inst, err error) ptxgrammar.ErrorList {
	var e *ptxgrammar.Error
	if !errors.As(err, &e) {
		e = &ptxgrammar.Error{Pos: in.Position(), Msg: err.Error()}
	}
	return append(errs, e)
}

// refusal returns an instruction that raises a fault when it is executed.
func (d *decoder) refusal(in *rewrite.Inst, why string) inst {
	text := in.Text()
	return inst{flags: flagFaults, body: func(x *engine, in *inst, m lanes) {
		x.raise(in, m.first(), "unsupported", 0, "%s: %s", text, why)
	}}
}

// inst decodes one instruction and sets its flags for the engine.
func (d *decoder) inst(in *rewrite.Inst) (inst, error) {
	if why := Refuses(in); why != "" {
		return d.refusal(in, why), nil
	}
	i, err := semantics[in.Instr.Name](d, in)
	if err != nil {
		return inst{}, err
	}
	if in.Access.Kind != isa.AccessNone {
		i.flags |= flagFaults
		if d.observable(in) {
			i.flags |= flagVisible
		}
	}
	if in.Instr.Effects&(isa.ReadsMemory|isa.WritesMemory) != 0 {
		i.flags |= flagFaults
	}
	return i, nil
}

// observable reports whether other threads can observe an access: one to global, shared or generic memory.
func (d *decoder) observable(in *rewrite.Inst) bool {
	switch space := in.Space; space {
	case isa.SpaceGlobal, isa.SpaceShared:
		return true
	case isa.SpaceNone:
		v, ok := in.Operands[in.Access.Addr].Sym.(*rewrite.Var)
		return !ok || v.Space == isa.SpaceGlobal || v.Space == isa.SpaceShared
	}
	return false
}

// link turns branch targets into indices of the code, finds the joins, and marks the instructions after which a group
// may have reached a join.
func (d *decoder) link() {
	fn := d.fn
	for _, b := range d.indexed { // never in an inlined body
		for i, t := range b.targets {
			b.targets[i] = d.body.starts[t]
		}
	}
	for _, b := range d.bodies {
		for i, in := range b.src.Insts {
			for pc := b.starts[i]; pc < b.starts[i+1]; pc++ {
				c := &fn.code[pc]
				if c.src != int32(b.first+i) || c.flags&flagBranch == 0 &&
					(c.flags&flagControl == 0 || in.Instr.Effects&isa.Branches == 0) {
					continue
				}
				switch {
				case c.flags&flagBranch == 0:
				case c.tgt == toEnd:
					c.tgt = b.end()
				default:
					c.tgt = b.starts[c.tgt]
				}
				c.imm = int64(d.joinOf(b, i, pc))
			}
		}
		d.loops(b)
	}
}

// joinOf returns the pc at which lanes that diverge at pc reconverge; the instruction at pc was decoded from
// instruction i of b. It returns joinAtReturn if they reconverge in the caller, or if the branch has a reconvergence.
func (d *decoder) joinOf(b *body, i int, pc int32) int32 {
	if d.m.cfg.policy().Traits().SIMTStack {
		return d.reconvergenceOf(b, i, pc)
	}
	at := b.join(i)
	d.endsAt(at)
	return at
}

// endsAt makes groups check for a join when they reach pc.
func (d *decoder) endsAt(pc int32) {
	if pc > 0 {
		d.fn.code[pc-1].flags |= flagBlockEnd
	}
}

// liveness lists the registers live at targets of back edges, and those that may be read before they are written.
func (d *decoder) liveness() {
	cursors := map[*rewrite.Func]*rewrite.LiveCursor{}
	for _, b := range slices.Backward(d.bodies) {
		d.backwardTargets(b, cursors)
	}
	formal := map[slot]bool{}
	for _, p := range d.fn.params {
		formal[p.reg.slot] = p.isReg
	}
	for _, r := range d.body.live(d.body.src.Liveness().In(d.body.src.CFG().Blocks[0])) {
		if !formal[r.slot] {
			d.fn.zeroed = append(d.fn.zeroed, r)
		}
	}
}

// backwardTargets lists the registers live at the targets of back edges in a body: those of the body and, if it is
// inlined, those that the callers need after the call. It is fast if bodies come in descending order of their calls.
func (d *decoder) backwardTargets(b *body, cursors map[*rewrite.Func]*rewrite.LiveCursor) {
	var outer []slotRange
	for in := b; in.outer != nil; in = in.outer {
		f := in.outer.src
		if cursors[f] == nil {
			cursors[f] = f.Liveness().Cursor()
		}
		outer = append(outer, in.outer.live(d.programs(f, cursors[f].Before(in.place.call)))...)
	}
	cfg, live := b.src.CFG(), b.src.Liveness()
	for _, block := range cfg.Blocks {
		for _, p := range block.Preds {
			if block != cfg.Exit && p.End > block.Start {
				changing, rest := b.liveInLoop(block, d.programs(b.src, b.deciding(block, live.In(block))))
				d.fn.live[b.starts[block.Start]] = newLiveSet(slices.Concat(changing, rest, outer))
				break
			}
		}
	}
}

// vectorStride returns the distance in bytes between components of a vector register.
func vectorStride(t isa.Type) slot { return (slotBytes(slotBits(t)) + 63) &^ 63 }

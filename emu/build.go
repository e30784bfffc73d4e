package emu

import (
	"errors"
	"fmt"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// decode fills fn in from its source.
func (m *Machine) decode(fn *function) ptxgrammar.ErrorList {
	d := m.newDecoder(fn)
	switch {
	case len(fn.src.Regs) > maxRegisters:
		return ptxgrammar.ErrorList{d.errorAtName("%s declares %d registers, the limit is %d", fn.src.Name, len(fn.src.Regs), maxRegisters)}
	case fn.stackSize > m.cfg.Limits.Stack:
		return ptxgrammar.ErrorList{d.errorAtName("%s needs %d bytes of local memory per thread, the limit is %d", fn.src.Name, fn.stackSize, m.cfg.Limits.Stack)}
	}
	starts, errs := d.code()
	if len(errs) > 0 {
		return errs
	}
	d.link(starts)
	d.liveness(starts)
	fn.frameSize = uintptr(d.top)
	m.vectorize(fn)
	return nil
}

// newDecoder is ready for the instructions of a function: registers and stack
// variables have their places.
func (m *Machine) newDecoder(fn *function) *decoder {
	d := &decoder{
		m: m, fn: fn, top: slotBytes(1), // slotTrue comes first
		consts: map[constKey]slot{}, specials: map[specialReg]slot{},
		stack: map[*rewrite.Var]uint64{}, refs: map[stackRef]slot{}, shared: map[sharedRef]slot{},
	}
	if len(fn.src.Regs) > maxRegisters {
		return d
	}
	fn.live = map[int32]*liveSet{}
	fn.taped = taped(fn.src)
	for _, r := range fn.src.Regs {
		s := d.alloc(slotBits(r.Type))
		for range r.Vec - 1 {
			d.alloc(slotBits(r.Type))
		}
		d.regs = append(d.regs, s)
	}
	d.layoutStack()
	return d
}

// maxRegisters bounds the virtual registers of a function: compilers emit
// thousands at most.
const maxRegisters = 1 << 18

// errorAtName is an error at the function's name.
func (d *decoder) errorAtName(format string, args ...any) *ptxgrammar.Error {
	f := d.fn.src
	return &ptxgrammar.Error{Pos: f.Module.AST.File.Position(f.AST.NameAt.Start), Msg: fmt.Sprintf(format, args...)}
}

// layoutStack places .local and .param variables of the body, parameters and
// return values. A kernel's parameters are in launch.params instead.
func (d *decoder) layoutStack() {
	top := uint64(0)
	place := func(v *rewrite.Var) uint64 {
		align := uint64(v.Align)
		top = (top + align - 1) &^ (align - 1)
		off := top
		top = min(top+v.Size, 1<<62) // too much: decode says so
		d.stack[v] = off
		return off
	}
	formal := func(vars []*rewrite.Var) []stackVar {
		var out []stackVar
		for _, v := range vars {
			if v.Reg != nil {
				out = append(out, d.inRegister(v.Reg)...)
				continue
			}
			out = append(out, stackVar{off: place(v), size: v.Size})
		}
		return out
	}
	if !d.fn.src.Entry {
		d.fn.params, d.fn.returns = formal(d.fn.src.Params), formal(d.fn.src.Returns)
	}
	for _, v := range d.fn.src.Locals {
		if v.Space == isa.SpaceLocal || v.Space == isa.SpaceParam {
			place(v)
		}
	}
	d.fn.stackSize = (top + 15) &^ 15
}

// inRegister is a parameter in a register, component by component.
func (d *decoder) inRegister(r *rewrite.Reg) []stackVar {
	out := make([]stackVar, max(r.Vec, 1))
	for k := range out {
		at := d.regs[r.Index] + slot(k)*vectorStride(r.Type)
		out[k] = stackVar{reg: operand{at, r.Type}, isReg: true, size: uint64(max(r.Type.Size(), 1))}
	}
	return out
}

// maxProblems bounds how many unsupported instructions are reported.
const maxProblems = 50

// code decodes every instruction. starts[i] is where the code of source
// instruction i begins; starts[len] is a return that ends every function.
func (d *decoder) code() (starts []int32, errs ptxgrammar.ErrorList) {
	fn := d.fn
	_, observed := d.m.cfg.Listener.(StepListener)
	for i, in := range fn.src.Insts {
		starts = append(starts, int32(len(fn.code)))
		d.pre, d.barrier = d.pre[:0], nil
		main, err := d.inst(in)
		if err != nil {
			if errs = appendError(errs, in, err); len(errs) == maxProblems {
				return nil, errs
			}
			continue
		}
		guard, xor := slotTrue, lanes(0)
		if in.Guard != nil {
			guard = d.regs[in.Guard.Index]
			if in.GuardNot {
				xor = allLanes
			}
		}
		for k, c := range append(d.pre, main) {
			c.guard, c.guardXor, c.src = guard, xor, int32(i)
			if k == 0 && observed {
				c.flags |= flagStep
			}
			fn.code = append(fn.code, c)
		}
		if d.barrier != nil {
			fn.barriers = append(fn.barriers, make([]*barrierOp, len(fn.code)-len(fn.barriers))...)
			fn.barriers[len(fn.code)-1] = d.barrier
		}
	}
	starts = append(starts, int32(len(fn.code)))
	fn.code = append(fn.code, inst{exec: execRet, flags: flagControl, src: -1})
	return starts, errs
}

// appendError adds what a decode function complained about.
func appendError(errs ptxgrammar.ErrorList, in *rewrite.Inst, err error) ptxgrammar.ErrorList {
	var e *ptxgrammar.Error
	if !errors.As(err, &e) {
		e = &ptxgrammar.Error{Pos: in.Position(), Msg: err.Error()}
	}
	return append(errs, e)
}

// inst decodes one instruction and says what the engine must do around it.
func (d *decoder) inst(in *rewrite.Inst) (inst, error) {
	decode := semantics[in.Instr.Name]
	if decode == nil {
		return inst{}, d.unsupported(in, "%s: %s", in.Text(), refused[in.Instr.Name])
	}
	i, err := decode(d, in)
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

// observable reports whether other threads can see an access: to global, shared
// or generic memory.
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

// link turns branch targets into places in the code, finds the joins, and marks
// the instructions after which a group may have reached one.
func (d *decoder) link(starts []int32) {
	fn := d.fn
	cfg := fn.src.CFG()
	for _, b := range d.indexed {
		for i, t := range b.targets {
			b.targets[i] = starts[t]
		}
	}
	for pc := range fn.code {
		c := &fn.code[pc]
		if c.src < 0 || fn.src.Insts[c.src].Instr.Effects&isa.Branches == 0 || c.flags&(flagBranch|flagControl) == 0 {
			continue
		}
		if c.flags&flagBranch != 0 {
			c.tgt = starts[c.tgt]
		}
		c.imm = joinAtReturn
		join := cfg.BlockOf[c.src].IPDom
		if cfg.Degenerate || join == nil || join == cfg.Exit {
			continue
		}
		at := starts[join.Start]
		c.imm = int64(at)
		if at > 0 {
			fn.code[at-1].flags |= flagBlockEnd
		}
	}
}

// liveness lists the registers that matter at targets of backward branches, and
// those that may be read before they are written.
func (d *decoder) liveness(starts []int32) {
	fn := d.fn
	cfg, live := fn.src.CFG(), fn.src.Liveness()
	ranges := func(b *rewrite.Block) []slotRange {
		var rs []slotRange
		set := live.In(b)
		for _, r := range fn.src.Regs {
			if !set.Has(r) {
				continue
			}
			for k := range r.Vec {
				rs = appendRange(rs, d.regs[r.Index]+slot(k)*vectorStride(r.Type), r.Type)
			}
		}
		return rs
	}
	for _, b := range cfg.Blocks {
		for _, p := range b.Preds {
			if b != cfg.Exit && p.End > b.Start {
				fn.live[starts[b.Start]] = newLiveSet(ranges(b))
				break
			}
		}
	}
	formal := map[slot]bool{}
	for _, p := range fn.params {
		formal[p.reg.slot] = p.isReg
	}
	for _, r := range ranges(cfg.Blocks[0]) {
		if !formal[r.slot] {
			fn.zeroed = append(fn.zeroed, r)
		}
	}
}

// vectorStride is the distance between components of a vector register.
func vectorStride(t isa.Type) slot { return (slotBytes(slotBits(t)) + 63) &^ 63 }

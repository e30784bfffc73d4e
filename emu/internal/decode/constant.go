// Immediates, addresses of variables, sums; the instructions that compute them.

package decode

import (
	"math"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// InRegister returns the parameters for the components of a parameter in a register.
func InRegister(d *state.Decoder, r *rewrite.Reg) []state.StackVar {
	out := make([]state.StackVar, max(r.Vec, 1))
	for k := range out {
		at := d.Regs[r.Index] + state.Slot(k)*VectorStride(r.Type)
		out[k] = state.StackVar{
			Reg: state.Operand{Slot: at, Typ: r.Type}, IsReg: true,
			Size: uint64(max(r.Type.Size(), 1)),
		}
	}
	return out
}

// Refusal returns an instruction that raises a fault when it is executed.
func Refusal(d *state.Decoder, in *rewrite.Inst, why string) state.Inst {
	text := in.Text()
	return state.Inst{Flags: state.FlagFaults, Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
		faults.Raise(x, in, m.First(), "unsupported", 0, "%s: %s", text, why)
	}}
}

// VectorStride returns the distance in bytes between components of a vector register.
func VectorStride(t isa.Type) state.Slot { return (SlotBytes(events.SlotBits(t)) + 63) &^ 63 }

// immediate returns a constant slot with the literal read as type t.
func immediate(d *state.Decoder, in *rewrite.Inst, op *rewrite.Operand, t isa.Type) (state.Operand, error) {
	v := op.Imm
	switch {
	case t == isa.Pred:
		if v != 0 {
			v = 1
		}
	case op.Float && op.Single:
		if t == isa.F64 {
			v = math.Float64bits(float64(math.Float32frombits(uint32(v))))
		}
	case op.Float && t.Bits() == 32:
		v = uint64(math.Float32bits(float32(math.Float64frombits(v))))
	case op.Float && t.Bits() != 64:
		return state.Operand{}, Errorf(d, in, "%s: operand %s is a floating-point literal, expected .%s", in.Text(),
			Text(d, op), t)
	case !op.Float && t == isa.F32:
		v = uint64(math.Float32bits(float32(int64(v))))
	case !op.Float && t == isa.F64:
		v = math.Float64bits(float64(int64(v)))
	}
	if b := t.Bits(); b > 1 && b < 64 {
		v &= 1<<b - 1
	}
	if t.Bits() > 64 {
		return state.Operand{}, Unsupported(d, in, "%s: 128-bit constant %s", in.Text(), Text(d, op))
	}
	return state.Operand{Slot: Constant(d, events.SlotBits(t), v), Typ: t}, nil
}

// symbol returns a constant slot with an address: of a variable in its state space, or of a function.
func symbol(d *state.Decoder, in *rewrite.Inst, op *rewrite.Operand, t isa.Type) (state.Operand, error) {
	bits := 64
	if events.SlotBits(t) == 32 {
		bits = 32
	} else {
		t = isa.U64
	}
	switch s := op.Sym.(type) {
	case *rewrite.Var:
		if off, ok := d.Stack[s]; ok {
			return state.Operand{Slot: stackAddr(d, bits, off+uint64(op.Off)), Typ: t}, nil
		}
		if s.Space == isa.SpaceShared {
			return state.Operand{Slot: sharedAddr(d, bits, s, uint64(op.Off)), Typ: t}, nil
		}
		if a, ok := VarAddr(d.M, d.Fn, s); ok {
			return state.Operand{Slot: Constant(d, bits, a+uint64(op.Off)), Typ: t}, nil
		}
	case *rewrite.Func:
		if f, ok := d.M.BySource[Definition(s)]; ok {
			if !f.Src.Entry {
				d.Fn.Calls = append(d.Fn.Calls, f)
			}
			return state.Operand{Slot: Constant(d, bits, f.Addr+uint64(op.Off)), Typ: t}, nil
		}
	}
	return state.Operand{}, Unsupported(d, in, "%s: address of %s", in.Text(), Text(d, op))
}

// stackAddr returns a slot with the address of a stack variable of this activation.
func stackAddr(d *state.Decoder, bits int, off uint64) state.Slot {
	k := state.StackRef{Wide: bits == 64, Off: off}
	s, ok := d.Refs[k]
	if !ok {
		s = Alloc(d, bits)
		d.Refs[k] = s
		k.Slot = s
		d.Fn.StackRefs = append(d.Fn.StackRefs, k)
	}
	return s
}

// sharedAddr returns a slot with the address of a shared variable.
func sharedAddr(d *state.Decoder, bits int, v *rewrite.Var, off uint64) state.Slot {
	k := state.SharedRef{Wide: bits == 64, V: v, Off: off}
	s, ok := d.Shared[k]
	if !ok {
		s = Alloc(d, bits)
		d.Shared[k] = s
		k.Slot = s
		d.Fn.SharedRefs = append(d.Fn.SharedRefs, k)
	}
	return s
}

// Addr returns the memory operand i of a load, store or atomic operation.
func Addr(d *state.Decoder, in *rewrite.Inst, i int) (state.MemOperand, error) {
	op := &in.Operands[i]
	if op.Kind != rewrite.OperandAddr && op.Kind != rewrite.OperandSum {
		return state.MemOperand{}, Errorf(d, in, "%s: operand %s is not an address", in.Text(), Text(d, op))
	}
	a := state.MemOperand{Space: in.Space, Off: op.Off}
	if v, ok := op.Sym.(*rewrite.Var); ok {
		if a.Space == isa.SpaceNone {
			a.Space = v.Space
		}
		sym := *op
		sym.Kind, sym.Off = rewrite.OperandSymbol, 0
		o, err := symbol(d, in, &sym, isa.U64)
		if err != nil {
			return state.MemOperand{}, err
		}
		a.Base = o.Slot
		if _, ok := d.Stack[v]; ok {
			a.Space = isa.SpaceLocal
		}
	}
	if a.Space == isa.SpaceParam && !d.Body.Src.Entry {
		a.Space = isa.SpaceLocal
	}
	switch {
	case op.Kind == rewrite.OperandSum:
		o, err := sum(d, in, op, isa.U64)
		if err != nil {
			return state.MemOperand{}, err
		}
		a.Base, a.Off = o.Slot, 0
	case op.Reg != nil:
		r, err := reg(d, in, &rewrite.Operand{Reg: op.Reg, Member: op.Member})
		if err != nil {
			return state.MemOperand{}, err
		}
		a.Base = extended(d, r)
	case op.Sym == nil:
		a.Base = Constant(d, 64, 0)
	}
	return a, nil
}

// sum returns a slot with the value of %r+4 or with the address array[%r]. Register, scale and offset are combined in
// the width of the register, as in code by ptxas; the result is zero-extended before it is added to the address of the
// array.
func sum(d *state.Decoder, in *rewrite.Inst, op *rewrite.Operand, t isa.Type) (state.Operand, error) {
	r, err := reg(d, in, &rewrite.Operand{Reg: op.Reg})
	if err != nil {
		return state.Operand{}, err
	}
	r = scaled(d, r, uint64(op.Scale), uint64(op.Off))
	if op.Sym == nil {
		return r, nil
	}
	sym := *op
	sym.Kind, sym.Off = rewrite.OperandSymbol, 0
	base, err := symbol(d, in, &sym, t)
	if err != nil {
		return state.Operand{}, err
	}
	sum := state.Operand{Slot: Temp(d, events.SlotBits(base.Typ)), Typ: base.Typ}
	add := state.Inst{Body: ExecAdd[uint64], D: sum.Slot, A: base.Slot, Op: vector.Add64}
	if base.Wide() {
		add.B = extended(d, r)
	} else {
		add.B, add.Body, add.Op = low(d, r), ExecAdd[uint32], vector.Add32
	}
	Emit(d, add)
	return sum, nil
}

// scaled returns a slot with r*scale + off in the width of r's type.
func scaled(d *state.Decoder, r state.Operand, scale, off uint64) state.Operand {
	to := state.Operand{Slot: Temp(d, events.SlotBits(r.Typ)), Typ: r.Typ}
	mask := ^uint64(0) >> (64 - r.Typ.Bits())
	wide := r.Wide()
	Emit(d, state.Inst{D: to.Slot, A: r.Slot, Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
		for ; m != 0; m &= m - 1 {
			i := m.First()
			v := (x.Frame.Word(in.A, wide, i)*scale + off) & mask
			if wide {
				x.Frame.R64(in.D)[i] = v
			} else {
				x.Frame.R32(in.D)[i] = uint32(v)
			}
		}
	}})
	return to
}

// extended returns a 64-bit slot with the zero-extended value of an operand.
func extended(d *state.Decoder, r state.Operand) state.Slot {
	if r.Wide() {
		return r.Slot
	}
	to := Temp(d, 64)
	Emit(d, state.Inst{Body: ExecConvert[uint64, uint32], D: to, A: r.Slot, Op: vector.Extend})
	return to
}

// low returns a slot with the low 32 bits of an operand.
func low(d *state.Decoder, r state.Operand) state.Slot {
	if !r.Wide() {
		return r.Slot
	}
	to := Temp(d, 32)
	Emit(d, state.Inst{Body: ExecConvert[uint32, uint64], D: to, A: r.Slot})
	return to
}

// The preface. What a thread computes of kernel parameters, constants and its place in the block is the same in every
// block, and the warps of the next block get the registers of an earlier one. A warp computes it once in a launch,
// before its first block.

// MaxFixed limits the instructions of a preface, as their registers share no slots with others.
const MaxFixed = 64

// AppendRange appends the register of type t at s.
func AppendRange(rs []state.SlotRange, s state.Slot, t isa.Type) []state.SlotRange {
	switch events.SlotBits(t) {
	case 1:
		return append(rs, state.SlotRange{Slot: s, Lane: 0})
	case 32:
		return append(rs, state.SlotRange{Slot: s, Lane: 4})
	case 128:
		return append(rs, state.SlotRange{Slot: s, Lane: 8}, state.SlotRange{Slot: s + 8*state.WarpSize, Lane: 8})
	}
	return append(rs, state.SlotRange{Slot: s, Lane: 8})
}

// SlotBytes returns the size in bytes of a slot of that width.
func SlotBytes(bits int) state.Slot {
	if bits == 1 {
		return 8
	}
	return state.Slot(bits / 8 * state.WarpSize)
}

// Definition returns the function that an alias stands for.
func Definition(f *rewrite.Func) *rewrite.Func {
	if f != nil && f.Alias != nil {
		return f.Alias
	}
	return f
}

// VarAddr returns the address of a variable in its state space, as mov gives it in fn: an offset for kernel parameters,
// the generic address for device memory.
func VarAddr(m *state.Machine, fn *state.Function, v *rewrite.Var) (uint64, bool) {
	if v.Space == isa.SpaceParam && v.Func == fn.Src {
		for _, p := range fn.Formals {
			if p.Var == v {
				return p.Offset, true
			}
		}
	}
	a, ok := m.Vars[v]
	return a, ok
}

// Building blocks of lane bodies. Frequent instructions have loops of their own, with a second loop for the full warp
// that compiles without bounds and mask checks. The others call a scalar function (mostly of package num) once per
// lane, through map1 to map4.

// Word is a type that a slot can be viewed as.
type Word interface {
	~int32 | ~uint32 | ~int64 | ~uint64 | ~float32 | ~float64
}

// View returns the slot as an array of T; 16- and 8-bit types are viewed as 32 bits.
func View[T Word](f *state.Frame, s state.Slot) *[state.WarpSize]T {
	return (*[state.WarpSize]T)(unsafe.Add(f.Regs, uintptr(s)))
}

// ExecAdd executes add on lanes.
func ExecAdd[T Word](x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a, b := View[T](x.Frame, in.D), View[T](x.Frame, in.A), View[T](x.Frame, in.B)
	if m == state.AllLanes {
		for i := range d {
			d[i] = a[i] + b[i]
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.First()
		d[i] = a[i] + b[i]
	}
}

// ExecConvert converts between widths by Go's conversion.
func ExecConvert[D, A Word](x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a := View[D](x.Frame, in.D), View[A](x.Frame, in.A)
	if m == state.AllLanes {
		for i := range d {
			d[i] = D(a[i])
		}
		return
	}
	for ; m != 0; m &= m - 1 {
		i := m.First()
		d[i] = D(a[i])
	}
}

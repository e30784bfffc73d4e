// Arithmetic on values.

package hostir

import (
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// binary returns the operands of a binary instruction as integers; signed is their signedness.
func (x *executor) binary(in *llvm.Instr, w llvm.View) (n, m *expr.Int, signed, ok bool) {
	if len(in.Args) != 2 || in.Type == nil || in.Type.Kind != llvm.IntType {
		return nil, nil, false, false
	}
	a, b := x.operand(in.Args[0]), x.operand(in.Args[1])
	if !a.Known() || !b.Known() {
		return nil, nil, false, false
	}
	signed = w == llvm.AsSigned || w == llvm.Either && (in.Nsw || a.Signed && b.Signed)
	if signed {
		return a.AsSigned(), b.AsSigned(), true, true
	}
	return a.AsUnsigned(), b.AsUnsigned(), false, true
}

// arith returns the value of an arithmetic instruction.
func (x *executor) arith(in *llvm.Instr) memory.Value {
	how := llvm.Arithmetic[in.Op]
	o := expr.Operators[how.Op]
	if in.Type != nil && in.Type.Kind == llvm.IntType && in.Type.Bits == 1 {
		return x.logic(in)
	}
	if how.Op == "-" && len(in.Args) == 2 {
		if d := distance(x.operand(in.Args[0]), x.operand(in.Args[1])); d != nil {
			return memory.Value{Num: d, Signed: true, Bits: 64}
		}
	}
	n, m, signed, ok := x.binary(in, how.View)
	if !ok {
		return memory.Value{}
	}
	bits := in.Type.Bits
	if how.Op == "<<" || how.Op == ">>" { // by more, it is undefined
		m = expr.Max(expr.Min(m, expr.Const(bits-1)), expr.Const(0))
	}
	r := o.Integer(n, m)
	v := memory.Value{Num: r, Signed: signed, Bits: bits}
	wraps := how.View == llvm.Either && how.Op != "&" && how.Op != "|" && how.Op != "^"
	switch {
	case !wraps:
	case in.Nsw:
		x.inRange(r, bits)
	case bits < 64 || isConstant(r):
		v.Num = expr.Wrap(r, int(bits), signed)
	}
	return v
}

// distance returns the difference of two pointers into one object, or of null pointers; nil: unknown.
func distance(a, b memory.Value) *expr.Int {
	switch {
	case a.Null && b.Null:
		return expr.Const(0)
	case a.To != nil && a.To == b.To && a.To.Kind != memory.Foreign && a.Offset != nil && b.Offset != nil:
		return expr.Sub(a.Offset, b.Offset)
	}
	return nil
}

func isConstant(n *expr.Int) bool {
	_, ok := n.Const()
	return ok
}

// logic returns the value of an operation on conditions.
func (x *executor) logic(in *llvm.Instr) memory.Value {
	a, b := x.operand(in.Args[0]).Bool(), x.operand(in.Args[1]).Bool()
	switch in.Op {
	case "and", "mul":
		return memory.Value{Cond: expr.All(a, b), Bits: 1}
	case "or":
		return memory.Value{Cond: expr.Any(a, b), Bits: 1}
	case "xor", "add", "sub":
		return memory.Value{Cond: expr.Any(expr.All(a, expr.Not(b)), expr.All(expr.Not(a), b)), Bits: 1}
	}
	return memory.Value{}
}

// inRange assumes that the result of signed arithmetic is in the range of its type.
func (x *executor) inRange(r *expr.Int, bits int64) {
	_, hi := r.Range()
	_, most, ok := facts.TypeRange("s" + itoa(bits))
	if ok && r.Uniform() && (hi == nil || hi.Cmp(most) > 0) {
		x.assume(expr.Le(r, expr.Big(most)), facts.Overflow)
	}
}

// compare returns the value of icmp.
func (x *executor) compare(in *llvm.Instr) memory.Value {
	how, ok := llvm.Comparisons[in.Pred]
	if len(in.Args) != 2 || !ok {
		return memory.Value{}
	}
	a, b := x.operand(in.Args[0]), x.operand(in.Args[1])
	if k, constant := b.Constant(); constant && k.Sign() == 0 && a.Cond != nil && how.View == llvm.Either {
		if how.Op == "==" {
			return memory.Value{Cond: expr.Not(a.Cond), Bits: 1}
		}
		return memory.Value{Cond: a.Cond, Bits: 1}
	}
	if in.Type != nil && in.Type.Kind == llvm.PointerType {
		if c := comparePointers(a, b, how); c != nil {
			return memory.Value{Cond: c, Bits: 1}
		}
	}
	n, m, _, ok := x.binary(in, how.View)
	if !ok {
		return memory.Value{Cond: expr.Maybe(), Bits: 1}
	}
	return memory.Value{Cond: expr.Operators[how.Op].Compare(n, m), Bits: 1}
}

// inside reports whether a pointer points to a byte of a known object, and not to its end.
func inside(v memory.Value) bool {
	o, at, ok := placeOf(v)
	return ok && o.Kind != memory.Foreign && !o.Constant && (at == 0 || at > 0 && at < sizeOf(o))
}

// comparePointers returns the comparison of two pointers, nil if it is unknown: of pointers to known objects, and of
// one with the null pointer.
func comparePointers(a, b memory.Value, how llvm.Comparison) *expr.Bool {
	var cases []*expr.Bool
	for _, c := range a.Cases {
		part := comparePointers(c.Value, b, how)
		if part == nil {
			return nil
		}
		cases = append(cases, expr.All(c.When, part))
	}
	switch null := b.Null || b.Zero(); {
	case a.Cases != nil:
		return expr.Any(cases...)
	case a.To != nil && a.To == b.To && a.To.Kind != memory.Foreign && a.Offset != nil && b.Offset != nil:
		return expr.Operators[how.Op].Compare(a.Offset, b.Offset)
	case how.View == llvm.Either && inside(a) && inside(b) && a.To != b.To:
		return expr.Truth(how.Op != "==")
	case !null || how.View != llvm.Either:
		return nil
	case a.Null || a.Zero():
		return expr.Truth(how.Op == "==")
	case a.To != nil && a.To.Kind != memory.Foreign && (a.To.Kind != memory.Heap || !b.Null):
		return expr.Truth(how.Op != "==")
	}
	return nil
}

// convert returns the value of trunc, zext and sext.
func (x *executor) convert(in *llvm.Instr) memory.Value {
	if len(in.Args) == 0 || in.Type == nil || in.Type.Kind != llvm.IntType {
		return memory.Value{}
	}
	v := x.operand(in.Args[0])
	bits := in.Type.Bits
	switch {
	case in.Op == "trunc" && v.Parts != nil && bits%8 == 0:
		return v.Piece(0, bits/8)
	case !v.Known():
		return memory.Value{}
	case in.Op == "trunc" && bits == 1:
		if v.Cond == nil {
			v.Cond = expr.Ne(expr.Rem(v.Num, expr.Const(2)), expr.Const(0))
		}
		return memory.Value{Cond: v.Cond, Bits: 1}
	case v.Cond != nil:
		if in.Op == "sext" {
			return memory.Value{Num: expr.Neg(v.Int()), Signed: true, Bits: bits}
		}
		return memory.Value{Cond: v.Cond, Bits: bits}
	case in.Op == "sext":
		return memory.Value{Num: v.AsSigned(), Signed: true, Bits: bits}
	case in.Op == "zext":
		return memory.Value{Num: v.AsUnsigned(), Signed: true, Bits: bits}
	}
	n := v.Num
	if bits < 64 {
		n = expr.Wrap(n, int(bits), v.Signed)
	}
	return memory.Value{Num: n, Signed: v.Signed, Bits: bits}
}

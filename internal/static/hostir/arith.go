// Arithmetic on values.

package hostir

import (
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// view is the signedness with which an instruction interprets its operands.
type view uint8

const (
	either view = iota // the result is the same modulo 2^n
	asSigned
	asUnsigned
)

// arithmetic gives the instructions that compute integers, in C terms.
var arithmetic = map[string]struct {
	op   string
	view view
}{
	"add": {"+", either}, "sub": {"-", either}, "mul": {"*", either}, "shl": {"<<", either},
	"sdiv": {"/", asSigned}, "srem": {"%", asSigned}, "ashr": {">>", asSigned},
	"udiv": {"/", asUnsigned}, "urem": {"%", asUnsigned}, "lshr": {">>", asUnsigned},
	"and": {"&", either}, "or": {"|", either}, "xor": {"^", either},
}

// comparisons gives the predicates of icmp.
var comparisons = map[string]struct {
	op   string
	view view
}{
	"eq": {"==", either}, "ne": {"!=", either},
	"slt": {"<", asSigned}, "sle": {"<=", asSigned}, "sgt": {">", asSigned}, "sge": {">=", asSigned},
	"ult": {"<", asUnsigned}, "ule": {"<=", asUnsigned}, "ugt": {">", asUnsigned}, "uge": {">=", asUnsigned},
}

// binary returns the operands of a binary instruction as integers; signed is their signedness.
func (x *executor) binary(in *instr, w view) (n, m *expr.Int, signed, ok bool) {
	if len(in.args) != 2 || in.typ == nil || in.typ.kind != tyInt {
		return nil, nil, false, false
	}
	a, b := x.operand(in.args[0]), x.operand(in.args[1])
	if !a.known() || !b.known() {
		return nil, nil, false, false
	}
	signed = w == asSigned || w == either && (in.nsw || a.signed && b.signed)
	if signed {
		return a.asSigned(), b.asSigned(), true, true
	}
	return a.asUnsigned(), b.asUnsigned(), false, true
}

// arith returns the value of an arithmetic instruction.
func (x *executor) arith(in *instr) value {
	how := arithmetic[in.op]
	o := expr.Operators[how.op]
	if in.typ != nil && in.typ.kind == tyInt && in.typ.bits == 1 {
		return x.logic(in)
	}
	n, m, signed, ok := x.binary(in, how.view)
	if !ok {
		return value{}
	}
	bits := in.typ.bits
	r := o.Integer(n, m)
	v := value{num: r, signed: signed, bits: bits}
	wraps := how.view == either && how.op != "&" && how.op != "|" && how.op != "^"
	switch {
	case !wraps:
	case in.nsw:
		x.inRange(r, bits)
	case bits < 64 || isConstant(r):
		v.num = expr.Wrap(r, int(bits), signed)
	}
	return v
}

func isConstant(n *expr.Int) bool {
	_, ok := n.Const()
	return ok
}

// logic returns the value of an operation on conditions.
func (x *executor) logic(in *instr) value {
	a, b := x.operand(in.args[0]).bool(), x.operand(in.args[1]).bool()
	switch in.op {
	case "and", "mul":
		return value{cond: expr.All(a, b), bits: 1}
	case "or":
		return value{cond: expr.Any(a, b), bits: 1}
	case "xor", "add", "sub":
		return value{cond: expr.Any(expr.All(a, expr.Not(b)), expr.All(expr.Not(a), b)), bits: 1}
	}
	return value{}
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
func (x *executor) compare(in *instr) value {
	how, ok := comparisons[in.pred]
	if len(in.args) != 2 || !ok {
		return value{}
	}
	a, b := x.operand(in.args[0]), x.operand(in.args[1])
	if k, constant := b.constant(); constant && k.Sign() == 0 && a.cond != nil && how.view == either {
		if how.op == "==" {
			return value{cond: expr.Not(a.cond), bits: 1}
		}
		return value{cond: a.cond, bits: 1}
	}
	if k, constant := b.constant(); constant && k.Sign() == 0 && in.typ != nil && in.typ.kind == tyPointer &&
		how.view == either {
		if l, number := a.constant(); number || a.to != nil && a.to.kind != foreign {
			return value{cond: expr.Truth((number && l.Sign() == 0) == (how.op == "==")), bits: 1}
		}
	}
	n, m, _, ok := x.binary(in, how.view)
	if !ok {
		return value{cond: expr.Maybe(), bits: 1}
	}
	return value{cond: expr.Operators[how.op].Compare(n, m), bits: 1}
}

// convert returns the value of trunc, zext and sext.
func (x *executor) convert(in *instr) value {
	if len(in.args) == 0 || in.typ == nil || in.typ.kind != tyInt {
		return value{}
	}
	v := x.operand(in.args[0])
	bits := in.typ.bits
	switch {
	case in.op == "trunc" && v.parts != nil && bits%8 == 0:
		return v.piece(0, bits/8)
	case !v.known():
		return value{}
	case in.op == "trunc" && bits == 1:
		if v.cond == nil {
			v.cond = expr.Ne(expr.Rem(v.num, expr.Const(2)), expr.Const(0))
		}
		return value{cond: v.cond, bits: 1}
	case v.cond != nil:
		if in.op == "sext" {
			return value{num: expr.Neg(v.int()), signed: true, bits: bits}
		}
		return value{cond: v.cond, bits: bits}
	case in.op == "sext":
		return value{num: v.asSigned(), signed: true, bits: bits}
	case in.op == "zext":
		return value{num: v.asUnsigned(), signed: true, bits: bits}
	}
	n := v.num
	if bits < 64 {
		n = expr.Wrap(n, int(bits), v.signed)
	}
	return value{num: n, signed: v.signed, bits: bits}
}

// unsigned returns the variables of a function that hold unsigned integers, as far as their uses show it.
func (f *function) unsigned() map[string]bool {
	if f.signs != nil {
		return f.signs
	}
	from := make(map[string]string) // from register to variable
	plus, minus := make(map[string]bool), make(map[string]bool)
	for _, b := range f.blocks {
		for _, in := range b.instrs {
			if in.op == "load" && len(in.args) > 0 && in.args[0].kind == opLocal {
				from[in.name] = in.args[0].name
				continue
			}
			w := arithmetic[in.op].view
			if in.op == "icmp" {
				w = comparisons[in.pred].view
			}
			for _, a := range in.args {
				name := from[a.name]
				plus[name] = plus[name] || w == asUnsigned || in.op == "zext" || in.op == "uitofp"
				minus[name] = minus[name] || w == asSigned || in.nsw || in.op == "sext" || in.op == "sitofp"
			}
		}
	}
	f.signs = make(map[string]bool)
	for name := range plus {
		f.signs[name] = name != "" && plus[name] && !minus[name]
	}
	return f.signs
}

// Instructions that one thread of a block executes: those behind a condition on its index.

package address

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// thread is the index of a thread in its block.
type thread [3]uint32

// onlyThread returns the only thread of each block that may execute an instruction: some condition that it depends on
// is known for all threads, and holds for one of them.
func (l *LinearAddresses) onlyThread(in *rewrite.Inst) (only thread, ok bool) {
	if in.Guard != nil {
		if only, ok = l.onlyWhere(l.v.Use(in, in.Guard), !in.GuardNot); ok {
			return only, true
		}
	}
	g := l.f.CFG()
	for b := g.BlockOf[in.Index]; b.IDom != nil && !ok; b = b.IDom {
		if len(b.Preds) == 1 && b.Preds[0] == b.IDom {
			only, ok = l.onlyAlong(b.IDom, b)
		}
	}
	return only, ok
}

// onlyAlong returns the only thread that may go from one block to the next.
func (l *LinearAddresses) onlyAlong(from, to *rewrite.Block) (only thread, ok bool) {
	if from.Start == from.End || len(from.Succs) != 2 || from.Succs[0] == from.Succs[1] {
		return only, false
	}
	last := l.f.Insts[from.End-1]
	if !last.Branches() || last.Guard == nil {
		return only, false
	}
	taken := succIndex(from, to) == 0
	return l.onlyWhere(l.v.Use(last, last.Guard), taken != last.GuardNot)
}

// outcome is a predicate, an SSA value, and one of its two values.
type outcome struct {
	val   int32
	truth bool
}

// soleThread is the only thread with some property; ok is false if there is none, or more than one.
type soleThread struct {
	thread
	ok bool
}

// onlyWhere returns the only thread in which a predicate may have a value.
func (l *LinearAddresses) onlyWhere(val int32, truth bool) (only thread, ok bool) {
	key := outcome{val, truth}
	x, known := l.only[key]
	if !known {
		if l.only == nil {
			l.only = make(map[outcome]soleThread)
		}
		x.thread, x.ok = l.findOnly(val, truth)
		l.only[key] = x
	}
	return x.thread, x.ok
}

// findOnly is onlyWhere without the cache.
func (l *LinearAddresses) findOnly(val int32, truth bool) (only thread, ok bool) {
	size := l.launch.Block
	var t thread
	for t[2] = 0; t[2] < size[2]; t[2]++ {
		for t[1] = 0; t[1] < size[1]; t[1]++ {
			for t[0] = 0; t[0] < size[0]; t[0]++ {
				switch is, known := l.predicate(val, t, guardDepth); {
				case known && is != truth:
				case ok:
					return only, false
				default:
					only, ok = t, true
				}
			}
		}
	}
	return only, ok
}

// predicate returns the value of a predicate in a thread, if it is the same in all blocks.
func (l *LinearAddresses) predicate(val int32, t thread, depth int) (is, known bool) {
	in := l.written(val)
	if in == nil || depth == 0 {
		return false, false
	}
	operand := func(n int) (is, known bool) {
		o := &in.Operands[n]
		if o.Kind != rewrite.OperandReg {
			return false, false
		}
		is, known = l.predicate(l.v.Use(in, o.Reg), t, depth-1)
		return is != o.Neg, known
	}
	switch in.Instr.Calc {
	case isa.CalcNot:
		is, known = operand(1)
		return !is, known
	case isa.CalcAnd, isa.CalcOr:
		is, known = operand(1)
		other, also := operand(2)
		return either(is, known, other, also, in.Instr.Calc == isa.CalcOr)
	case isa.CalcCompare:
		is, known = l.compares(in, t)
		switch op := in.Mod("BoolOp"); op {
		case "":
			return is, known
		case "and", "or":
			other, also := operand(3)
			return either(is, known, other, also, op == "or")
		}
	}
	return false, false
}

// either returns the value of two predicates joined by or, else by and. One of them may be sufficient.
func either(a, aKnown, b, bKnown, or bool) (is, known bool) {
	if aKnown && a == or || bKnown && b == or {
		return or, true
	}
	return !or, aKnown && bKnown
}

// compares returns the outcome of a comparison of integers in a thread.
func (l *LinearAddresses) compares(in *rewrite.Inst, t thread) (is, known bool) {
	c, ok := in.Comparison()
	if !ok || len(in.Operands) < 3 || in.Operands[0].Kind != rewrite.OperandReg || !proofRules.linear(in, in.Type(0)) {
		return false, false
	}
	a, b := l.operand(in, 1), l.operand(in, 2)
	if !a.inBlock() || !b.inBlock() {
		return false, false
	}
	return c.Of(orderOf(in.Type(0), a.form.of(t), b.form.of(t))), true
}

// inBlock reports whether the value is a form that is the same in all blocks and not an address in an object.
func (a linear) inBlock() bool {
	return a.kind == linearForm && a.form.Object == 0 && a.form.Cta == [3]int64{}
}

// of returns the value of a form that is the same in all blocks, modulo 2^64.
func (l Linear) of(t thread) int64 {
	v := l.Const
	for i := range t {
		v += l.Tid[i] * int64(t[i])
	}
	return v
}

// Linear addresses: a data-flow analysis that finds the values of one launch that are affine in the
// indices of thread and block.

package address

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// LaunchValues holds the facts about one launch of a kernel.
type LaunchValues struct {
	Block, Grid [3]uint32
	// Param returns size bytes of a parameter at offset off; false when the parameter has no
	// such bytes, or when their value is not known.
	Param func(v *rewrite.Var, off int64, size int) (ParamValue, bool)
	// Address returns the address of a variable of the module; false when it is not known.
	Address func(v *rewrite.Var) (uint64, bool)
	// shared says that variables in shared memory are objects, from firstShared on.
	shared bool
}

// ParamValue is a number, or an address: Number bytes from the beginning of an object whose
// own address is unknown. Objects are numbered from 1; object 0 marks a plain number.
type ParamValue struct {
	Number uint64
	Object uint64
}

// ParamNumber returns size bytes of a parameter at offset off as a little-endian number; false
// when the parameter has no such bytes, or size is more than 8.
func ParamNumber(param []byte, off int64, size int) (uint64, bool) {
	var word [8]byte
	if size < 0 || size > len(word) || size > len(param) || off < 0 || off > int64(len(param)-size) {
		return 0, false
	}
	copy(word[:], param[off:][:size])
	return binary.LittleEndian.Uint64(word[:]), true
}

// LinearAddresses is the result of LinearOf: the addresses of one launch of a kernel that are
// linear in the indices of thread and block. Values that depend on the path taken are not
// linear, in particular those that change from one iteration of a loop to the next.
type LinearAddresses struct {
	f      *rewrite.Func
	v      *rewrite.SSA
	launch LaunchValues
	vals   []linear
	// reached marks the basic blocks that control may reach: the outcome of a branch on
	// values of the launch is known.
	reached []bool
	open    bool   // deciding branches has taken too long: from then on, control may reach all blocks
	pairs   *pairs // nil if no instruction computes partners
	// shared is the variables in shared memory that are objects, in the order of their numbers.
	shared []*rewrite.Var
	only   map[outcome]soleThread // results of onlyWhere
}

// LinearOf computes the linear addresses of a launch of f.
func LinearOf(f *rewrite.Func, launch LaunchValues) *LinearAddresses {
	l := &LinearAddresses{f: f, v: f.SSA(), launch: launch, pairs: pairsOf(f)}
	l.vals, l.reached = make([]linear, len(l.v.Values)), make([]bool, len(f.CFG().Blocks))
	for changed, rounds := true, 1; changed; rounds++ {
		l.open = l.open || rounds*len(l.vals) > linearWork
		changed = l.reach()
		for _, i := range l.v.Order {
			if n := meetLinear(l.vals[i], l.eval(&l.v.Values[i])); n != l.vals[i] {
				l.vals[i], changed = n, true
			}
		}
	}
	return l
}

// linearWork limits the evaluations of values before open is set. With decided branches, each loop takes a few rounds
// more: the blocks after a loop count as unreached until the analysis has found that the loop may end.
const linearWork = 1 << 20

// address returns the effective address of in's n-th operand: a form, the address of a partner, or top. A form wraps
// around in no thread, and is exact for every thread that executes in.
func (l *LinearAddresses) address(in *rewrite.Inst, n int) linear {
	if o := &in.Operands[n]; l.f.Module.AST.AddressSize != 64 || o.Reg != nil && o.Reg.Type.Bits() != 64 {
		return linearTop
	}
	a := l.sum(in, n)
	if a.kind != linearForm && a.kind != linearPartner || !l.within(a.form, 0, math.MaxInt64) {
		return linearTop
	}
	return a
}

// sum returns the sum of in's n-th operand, an address, without regard to its width.
func (l *LinearAddresses) sum(in *rewrite.Inst, n int) linear {
	o, a := &in.Operands[n], linearTop
	if o.Kind != rewrite.OperandAddr {
		return a
	}
	switch v := o.Sym.(type) {
	case *rewrite.Var:
		a = l.variable(v)
	case nil:
		if o.Reg != nil {
			a = l.reg(in, o)
		}
	}
	return addLinear(a, linearConst(o.Off))
}

// within reports whether the form has a value from lo to hi in all threads.
func (l *LinearAddresses) within(form Linear, lo, hi int64) bool {
	const huge = 1 << 62 // below it, the sums are exact
	least, most, size := form.Const, form.Const, math.Abs(float64(form.Const))
	add := func(factor int64, n uint32) {
		size += math.Abs(float64(factor)) * float64(n-1)
		least += min(0, factor) * int64(n-1)
		most += max(0, factor) * int64(n-1)
	}
	for i := range 3 {
		add(form.Tid[i], l.launch.Block[i])
		add(form.Cta[i], l.launch.Grid[i])
	}
	return size < huge && least >= lo && most <= hi
}

// eval computes a value from the values that it depends on.
func (l *LinearAddresses) eval(v *rewrite.SSAValue) linear {
	a := linear{}
	switch v.Kind {
	case rewrite.SSAEntry:
		return linearTop
	case rewrite.SSAWrite:
		if a = l.result(v); a.kind == linearAny {
			a = l.uniform(v)
		}
		if a.kind == linearAny {
			return a
		}
	}
	if v.Kind == rewrite.SSAPhi {
		for k, i := range v.In {
			if i != rewrite.NoValue && (k >= len(v.Block.Preds) || l.feasible(v.Block.Preds[k], v.Block)) {
				a = meetLinear(a, l.vals[i])
			}
		}
		return a
	}
	v.Inputs(func(i int32) { a = meetLinear(a, l.vals[i]) })
	return a
}

// reach adds the blocks that control reaches from those found so far, and reports whether there are any.
func (l *LinearAddresses) reach() (changed bool) {
	for i, b := range l.f.CFG().Blocks {
		if !l.reached[i] && (i == 0 || slices.ContainsFunc(b.Preds,
			func(p *rewrite.Block) bool { return l.feasible(p, b) })) {
			l.reached[i], changed = true, true
		}
	}
	return changed
}

// feasible reports whether control may go from one block to another.
func (l *LinearAddresses) feasible(from, to *rewrite.Block) bool {
	if l.open {
		return true
	}
	if !l.reached[from.Index] {
		return false
	}
	if from.Start == from.End { // a function without instructions
		return true
	}
	last := l.f.Insts[from.End-1]
	if !last.Branches() || last.Guard == nil || len(from.Succs) != 2 {
		return true
	}
	v := l.v.Use(last, last.Guard)
	switch {
	case v == rewrite.NoValue:
		return true
	case l.vals[v].kind != linearForm:
		return l.vals[v].kind != linearNothing
	}
	if taken := (l.vals[v].form.Const != 0) != last.GuardNot; taken {
		return to == from.Succs[0]
	}
	return to == from.Succs[1] // the fall-through is the last
}

// result returns the form that an instruction writes to a register.
func (l *LinearAddresses) result(v *rewrite.SSAValue) linear {
	in, bits := v.Inst, v.Reg.Type.Bits()
	if in.Instr.Calc == isa.CalcCompare {
		return l.comparison(in)
	}
	if !followed(v) {
		return linearTop
	}
	if in.Instr.Calc == isa.CalcLoad {
		return l.parameter(in, bits)
	}
	if !proofRules.linear(in, in.Type(0)) {
		return linearTop
	}
	if wide := in.Has("wide"); !wide && in.Type(0).Bits() != bits || wide && 2*in.Type(0).Bits() != bits {
		return linearTop
	}
	src := func(n int) linear { return l.operand(in, n) }
	switch in.Instr.Calc {
	case isa.CalcCopy, isa.CalcConvertAddress:
		return l.moved(in)
	case isa.CalcConvert:
		return l.converted(in, bits)
	case isa.CalcAdd:
		return addLinear(src(1), src(2))
	case isa.CalcSub:
		return subLinear(src(1), src(2))
	case isa.CalcMul:
		return l.product(in)
	case isa.CalcMulAdd:
		return addLinear(l.product(in), src(3))
	case isa.CalcShiftLeft:
		if k := src(2); k.kind == linearForm && k.form.constant() && k.form.Const >= 0 && k.form.Const < int64(bits) {
			return timesLinear(src(1), linearConst(1<<k.form.Const))
		}
	case isa.CalcXor:
		return l.partner(src(1), src(2), bits)
	case isa.CalcShiftRight, isa.CalcAnd, isa.CalcOr:
		return folded(in, src(1), src(2))
	}
	return linearTop
}

// folded returns the result of an operation that is followed on constants alone: a halved size, a rounded one.
func folded(in *rewrite.Inst, a, b linear) linear {
	if a.kind != linearForm || b.kind != linearForm {
		return notLinear(a, b)
	}
	if !a.form.constant() || !b.form.constant() {
		return linearTop
	}
	x, y := a.form.Const, b.form.Const
	switch in.Instr.Calc {
	case isa.CalcAnd:
		return linearConst(x & y)
	case isa.CalcOr:
		return linearConst(x | y)
	}
	n := min(uint32(y), 63) // greater amounts are those of the width
	switch t := in.Type(0); {
	case t.Bits() == 32 && t.Signed():
		return linearConst(int64(int32(x) >> n))
	case t.Bits() == 32:
		return linearConst(int64(uint32(x) >> n))
	case t.Signed():
		return linearConst(x >> n)
	case uint32(y) >= 64:
		return linearConst(0)
	}
	return linearConst(int64(uint64(x) >> n))
}

// followed reports whether a value is in a register of 32 or 64 bits and its instruction computes it from sources.
func followed(v *rewrite.SSAValue) bool {
	bits := v.Reg.Type.Bits()
	return len(v.Inst.Operands) >= 2 && v.Inst.Operands[0].Kind == rewrite.OperandReg && v.Reg.Vec <= 1 &&
		(bits == 32 || bits == 64)
}

// converted returns the result of an integer conversion: a narrower integer is equal modulo its
// width.
func (l *LinearAddresses) converted(in *rewrite.Inst, bits int) linear {
	from := in.Type(1)
	switch {
	case !proofRules.linear(in, from):
		return linearTop
	case from.Bits() < bits:
		return l.widened(in, 1, from)
	}
	a := l.operand(in, 1)
	if from.Bits() > bits && (a.form.Object != 0 || a.kind == linearPartner || a.kind == linearSame) {
		return linearTop
	}
	return a
}

// linearIn reports whether an instruction on type t is modular arithmetic on integers of 32 or
// 64 bits: not packed, without saturation, carries and upper halves.
func linearIn(in *rewrite.Inst, t isa.Type) bool {
	return plainInteger(t) && !in.Has("sat") && !in.Has("hi") && in.Effects()&(isa.ReadsCarry|isa.WritesCarry) == 0
}

// comparison returns the result of setp on two constants: 1 or 0.
func (l *LinearAddresses) comparison(in *rewrite.Inst) linear {
	t := in.Type(0)
	if len(in.Operands) != 3 || in.Operands[0].Kind != rewrite.OperandReg || !proofRules.linear(in, t) {
		return linearTop
	}
	a, b := l.operand(in, 1), l.operand(in, 2)
	if a.kind != linearForm || b.kind != linearForm {
		return notLinear(a, b)
	}
	c, ok := in.Comparison()
	if !ok {
		return linearTop
	}
	holds, known := c.Of(orderOf(t, a.form.Const, b.form.Const)), a.form.constant() && b.form.constant()
	if a.form.Object|b.form.Object != 0 {
		holds, known = proofRules.ordered(a.form, b.form, c)
	}
	switch {
	case !known:
		return linearTop
	case holds:
		return linearConst(1)
	}
	return linearConst(0)
}

// orderOf compares two values of an integer type, as cmp.Compare does.
func orderOf(t isa.Type, x, y int64) int {
	switch {
	case t.Bits() == 32 && t.Signed():
		return cmp.Compare(int32(x), int32(y))
	case t.Bits() == 32:
		return cmp.Compare(uint32(x), uint32(y))
	case t.Signed():
		return cmp.Compare(x, y)
	}
	return cmp.Compare(uint64(x), uint64(y))
}

// orderedPointers compares an address in an object with another value. Only one result is known: the beginning of an
// object is not null. All others depend on the addresses of objects.
func orderedPointers(a, b Linear, c isa.Comparison) (holds, known bool) {
	if a.Object == 0 {
		a, b = b, a
	}
	beginning := a == Linear{Object: a.Object} && a.Object < firstShared
	return c.Less, beginning && b == Linear{} && c.Less == c.Greater
}

// moved returns the result of mov and cvta. Only addresses of global memory are equal in their
// state space and as generic addresses.
func (l *LinearAddresses) moved(in *rewrite.Inst) linear {
	if in.Instr.Calc == isa.CalcConvertAddress && in.Space != isa.SpaceGlobal {
		return linearTop
	}
	return l.operand(in, 1)
}

// product returns the first two sources multiplied.
func (l *LinearAddresses) product(in *rewrite.Inst) linear {
	if in.Has("wide") {
		return timesLinear(l.widened(in, 1, in.Type(0)), l.widened(in, 2, in.Type(0)))
	}
	return timesLinear(l.operand(in, 1), l.operand(in, 2))
}

// widened returns the n-th operand, of the narrower type t, extended to 64 bits.
func (l *LinearAddresses) widened(in *rewrite.Inst, n int, t isa.Type) linear {
	a := l.operand(in, n)
	if a.kind != linearForm && a.kind != linearIndex {
		return notLinear(a, a)
	}
	lo, hi := int64(0), int64(math.MaxUint32)
	if t.Signed() {
		lo, hi = math.MinInt32, math.MaxInt32
	}
	if c := a.form.Const; t.Bits() == 32 && a.kind == linearForm && a.form.constant() {
		if t.Signed() {
			return linearConst(int64(int32(c)))
		}
		return linearConst(int64(uint32(c)))
	}
	if t.Bits() != 32 || a.form.Object != 0 || !l.within(a.form, lo, hi) {
		return linearTop
	}
	if a.kind == linearIndex {
		a.kind, a.scale = linearPartner, 1
	}
	return a
}

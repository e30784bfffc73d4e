// Integer expressions: nodes, leaves, and their properties.

package expr

import (
	"hash/fnv"
	"math/big"
)

// Op is the operator of an integer expression.
type Op uint8

// The operators. OpSum is Constant + Σ Coef·X over [Int.Terms]; the operands of the others are [Int.Args].
const (
	OpConst Op = iota
	OpVar
	OpMul // product of two or more non-constant factors
	OpSum
	OpDiv // truncated
	OpRem // truncated: the sign of the dividend
	OpMin
	OpMax
	OpAnd
	OpOr
	OpXor
	OpShl
	OpShr  // floor(x / 2^k)
	OpWrap // reduced to the range of [Int.Width]
	OpLen  // the bits of a number that is not negative, without leading zeros
	OpOnes // the one bits of a number that is not negative
	OpFlip // the bits of a number of [Int.Width] bits in reverse order
	OpIte  // Args[0] if [Int.Cond], else Args[1]
	OpUnknown
)

// An Int is an integer expression. It is immutable, and nil is none.
type Int struct {
	op      Op
	signed  bool
	uniform bool
	bits    uint16
	size    int32
	hash    uint64
	lo, hi  *big.Int // the interval; nil is unbounded
	k       *big.Int // OpConst: the value; OpSum: the constant
	v       *Variable
	terms   []Term
	args    []*Int
	cond    *Bool
}

// A Term is a summand of a sum: Coef is not zero, and X is neither a constant nor a sum.
type Term struct {
	Coef *big.Int
	X    *Int
}

// A Variable is an integer variable or, with Bool, a condition. Lo and Hi are its range; nil is unbounded.
type Variable struct {
	Name    string
	Uniform bool // one value for all threads
	Bool    bool
	Lo, Hi  *big.Int
}

var (
	zero    = Const(0)
	one     = Const(1)
	unknown = &Int{op: OpUnknown, size: 1, hash: newHash(254).sum()}
	bigOne  = big.NewInt(1)
)

// Const returns a constant.
func Const(k int64) *Int { return Big(big.NewInt(k)) }

// Big returns a constant. Callers must not change k afterwards.
func Big(k *big.Int) *Int {
	if k.BitLen() > MaxBits {
		return unknown
	}
	return seal(&Int{op: OpConst, k: k, lo: k, hi: k, uniform: true})
}

// Var returns a variable with a separate value for each thread, between lo and hi.
func Var(name string, lo, hi int64) *Int {
	return NewVar(Variable{Name: name, Lo: big.NewInt(lo), Hi: big.NewInt(hi)})
}

// Uniform returns a variable with one value for all threads, between lo and hi.
func Uniform(name string, lo, hi int64) *Int {
	return NewVar(Variable{Name: name, Uniform: true, Lo: big.NewInt(lo), Hi: big.NewInt(hi)})
}

// NewVar returns an integer variable. A variable with one possible value is that value.
func NewVar(v Variable) *Int {
	v.Bool = false
	if v.Lo != nil && v.Hi != nil && v.Lo.Cmp(v.Hi) == 0 {
		return Big(v.Lo)
	}
	return seal(&Int{op: OpVar, v: &v, lo: clip(v.Lo), hi: clip(v.Hi), uniform: v.Uniform})
}

// Unknown returns the unknown value. Every operation on it is unknown, too.
func Unknown() *Int { return unknown }

// seal sets hash and size of a new node, and replaces one that is too large.
func seal(x *Int) *Int {
	h := newHash(uint64(x.op))
	size := int64(1)
	if x.k != nil {
		h.big(x.k)
	}
	if x.v != nil {
		h.text(x.v.Name)
	}
	for _, t := range x.terms {
		h.big(t.Coef)
		h.word(t.X.hash)
		size += int64(t.X.size)
	}
	for _, a := range x.args {
		h.word(a.hash)
		size += int64(a.size)
	}
	if x.cond != nil {
		h.word(x.cond.hash)
		size += int64(x.cond.size)
	}
	h.word(uint64(x.bits))
	if x.signed {
		h.word(1)
	}
	if size > MaxSize {
		return unknown
	}
	x.hash, x.size = h.sum(), int32(size)
	return x
}

// Op returns the operator.
func (x *Int) Op() Op { return x.op }

// Args returns the operands. Callers must not change them.
func (x *Int) Args() []*Int { return x.args }

// Cond returns the condition of an OpIte.
func (x *Int) Cond() *Bool { return x.cond }

// Variable returns the variable of an OpVar. Callers must not change it.
func (x *Int) Variable() *Variable { return x.v }

// Width returns the width and signedness of an OpWrap, and the width of an OpLen, OpOnes or OpFlip.
func (x *Int) Width() (bits int, signed bool) { return int(x.bits), x.signed }

// Range returns an interval that contains all values of x; nil is unbounded. Callers must not change it.
func (x *Int) Range() (lo, hi *big.Int) { return x.lo, x.hi }

// Size returns the number of nodes of x as a tree.
func (x *Int) Size() int { return int(x.size) }

// Hash returns a hash of the structure of x, the same in every run.
func (x *Int) Hash() uint64 { return x.hash }

// IsUnknown reports whether x is the unknown value.
func (x *Int) IsUnknown() bool { return x.op == OpUnknown }

// Uniform reports whether x has one value for all threads.
func (x *Int) Uniform() bool { return x.uniform }

// Const returns the value of a constant.
func (x *Int) Const() (*big.Int, bool) { return x.k, x.op == OpConst }

// Int64 returns the value of a constant that fits int64.
func (x *Int) Int64() (int64, bool) {
	if x.op != OpConst || !x.k.IsInt64() {
		return 0, false
	}
	return x.k.Int64(), true
}

// Linear returns x as a constant and a sum of terms, whatever its operator: a product or a variable is one term.
// Callers must change neither.
func (x *Int) Linear() (k *big.Int, terms []Term) {
	switch x.op {
	case OpConst:
		return x.k, nil
	case OpSum:
		return x.k, x.terms
	}
	return zero.k, []Term{{Coef: bigOne, X: x}}
}

// Equal reports whether x and y have the same structure. Unknown values are not equal.
func (x *Int) Equal(y *Int) bool {
	if x.op == OpUnknown || y.op == OpUnknown {
		return false
	}
	return x == y || x.hash == y.hash && compare(x, y) == 0
}

// known reports whether none of the operands is Unknown.
func known(xs ...*Int) bool {
	for _, x := range xs {
		if x.op == OpUnknown {
			return false
		}
	}
	return true
}

// allUniform reports whether all operands are uniform.
func allUniform(xs ...*Int) bool {
	for _, x := range xs {
		if !x.uniform {
			return false
		}
	}
	return true
}

// A hasher computes hashes of structures: FNV-1a, so that they are the same in every run.
type hasher struct{ h uint64 }

// newHash starts the hash of a node of a kind.
func newHash(kind uint64) *hasher {
	h := &hasher{14695981039346656037}
	h.word(kind + 1)
	return h
}

// word adds 64 bits.
func (h *hasher) word(w uint64) {
	h.h ^= w
	h.h *= 1099511628211
	h.h ^= h.h >> 29
}

// text adds a name.
func (h *hasher) text(s string) {
	f := fnv.New64a()
	_, _ = f.Write([]byte(s))
	h.word(f.Sum64())
}

// big adds an integer.
func (h *hasher) big(k *big.Int) {
	h.word(uint64(k.Sign() + 1))
	for _, w := range k.Bits() {
		h.word(uint64(w))
	}
}

// sum returns the hash.
func (h *hasher) sum() uint64 { return h.h }

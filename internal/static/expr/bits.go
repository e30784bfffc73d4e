// Bitwise operations, shifts and wrap-around. Integers have two's complement form of unbounded
// width, so operations with constants are sums of wrapped values: x & 0xf is x mod 16 for every x.

package expr

import "math/big"

// maxRuns is the limit of runs of one bits of a mask that is split into wrapped values.
const maxRuns = 4

// And returns the bitwise and.
func And(x, y *Int) *Int {
	return bitwise(OpAnd, x, y, (*big.Int).And, func(m, _ *Int) *Int { return m })
}

// Or returns the bitwise or.
func Or(x, y *Int) *Int {
	return bitwise(OpOr, x, y, (*big.Int).Or, func(m, sum *Int) *Int { return Sub(sum, m) }) // x|c + x&c = x + c
}

// Xor returns the bitwise exclusive or.
func Xor(x, y *Int) *Int {
	return bitwise(OpXor, x, y, (*big.Int).Xor, func(m, sum *Int) *Int { return Sub(sum, scaled(big.NewInt(2), m)) }) // x^c + 2(x&c) = x + c
}

// bitwise makes a bitwise operation. masked is its value for a constant c, from x & c and x + c.
func bitwise(op Op, x, y *Int, fold func(z, x, y *big.Int) *big.Int, masked func(and, sum *Int) *Int) *Int {
	if z := foldBits(x, y, fold); z != nil {
		return z
	}
	if op != OpAnd && (disjoint(x, y) || disjoint(y, x)) {
		return Add(x, y)
	}
	if x.op == OpConst {
		x, y = y, x
	}
	if y.op == OpConst {
		if m := mask(x, y.k); m != nil {
			return masked(m, Add(x, y))
		}
	}
	switch {
	case !x.Equal(y):
		return highBits(op, x, y)
	case op == OpXor:
		return zero
	}
	return x
}

// highBits makes the node of a bitwise operation on two expressions. If the low bits of one are zero, or and xor leave
// those of the other as they are: y<<9 | x is x mod 2^9 plus the operation on the rest, which is y<<9 if x is below
// 2^9.
func highBits(op Op, x, y *Int) *Int {
	if Twos(x) > Twos(y) {
		x, y = y, x
	}
	n := Twos(y)
	if op == OpAnd || n == 0 || n > MaxBits || Twos(x) >= n {
		return bitNode(op, x, y)
	}
	low := Wrap(x, n, false)
	switch rest := Sub(x, low); {
	case low.op == OpConst && low.k.Sign() == 0:
		return bitNode(op, x, y)
	case rest.op == OpConst:
		return Add(low, y)
	default:
		return Add(low, bitNode(op, rest, y))
	}
}

// Complement returns the bitwise complement.
func Complement(x *Int) *Int { return Sub(Const(-1), x) }

// foldBits computes an operation on constants; nil if not both are constant.
func foldBits(x, y *Int, f func(z, x, y *big.Int) *big.Int) *Int {
	if !known(x, y) {
		return unknown
	}
	if x.op == OpConst && y.op == OpConst {
		return Big(f(new(big.Int), x.k, y.k))
	}
	return nil
}

// bitNode makes the node of a bitwise operation, all of which commute.
func bitNode(op Op, x, y *Int) *Int {
	if compare(x, y) > 0 {
		x, y = y, x
	}
	z := &Int{op: op, args: []*Int{x, y}, uniform: allUniform(x, y)}
	z.lo, z.hi = bitRange(op, x, y)
	return seal(z)
}

// mask returns x & m as a sum of wrapped values, or nil for a mask of too many runs.
func mask(x *Int, m *big.Int) *Int {
	if m.Sign() < 0 { // x & m = x - (x & ^m)
		rest := mask(x, new(big.Int).Not(m))
		if rest == nil {
			return nil
		}
		return Sub(x, rest)
	}
	sum := zero
	for pos, runs := 0, 0; pos < m.BitLen(); runs++ {
		if runs == maxRuns {
			return nil
		}
		for m.Bit(pos) == 0 {
			pos++
		}
		low := pos
		for m.Bit(pos) == 1 {
			pos++
		}
		sum = Add(sum, Sub(Wrap(x, pos, false), Wrap(x, low, false)))
	}
	return sum
}

// disjoint reports whether y has values in [0, 2^k) only and x multiples of 2^k only.
func disjoint(x, y *Int) bool {
	if !nonNegative(y) || y.hi == nil {
		return false
	}
	return Twos(x) >= y.hi.BitLen()
}

// Twos returns how many low bits of x are known to be zero, by its terms.
func Twos(x *Int) int {
	k, terms := x.Linear()
	n := MaxBits
	if k.Sign() != 0 {
		n = int(k.TrailingZeroBits())
	}
	pairs, rest := slicesOf(terms)
	for _, p := range pairs {
		n = min(n, int(p.coef.TrailingZeroBits())+p.low)
	}
	for _, t := range rest {
		n = min(n, int(t.Coef.TrailingZeroBits())+twosOfTerm(t.X))
	}
	return n
}

// twosOfTerm returns how many low bits of a term without coefficient are known to be zero.
func twosOfTerm(x *Int) int {
	switch x.op {
	case OpMul:
		n := 0
		for _, f := range x.args {
			n += Twos(f)
		}
		return n
	case OpWrap: // multiples of 2^n stay such if n is at most the width
		return min(Twos(x.args[0]), int(x.bits))
	}
	return 0
}

// Shl returns x·2^k. A negative k, or one above [MaxBits], is undefined.
func Shl(x, k *Int) *Int {
	if !known(x, k) {
		return unknown
	}
	if n, ok := shiftCount(k); ok {
		return scaled(new(big.Int).Lsh(bigOne, n), x)
	}
	z := &Int{op: OpShl, args: []*Int{x, k}, uniform: allUniform(x, k)}
	if nonNegative(x) {
		z.lo = x.lo
	}
	if x.lo != nil && x.hi != nil && nonNegative(k) && k.hi != nil && k.hi.Cmp(big.NewInt(MaxBits)) < 0 {
		hi := new(big.Int).Lsh(bigOne, uint(k.hi.Int64()))
		z.lo, z.hi = mulRange(x.lo, x.hi, bigOne, hi)
	}
	return seal(z)
}

// Shr returns x / 2^k rounded down. A negative k, or one above [MaxBits], is undefined.
func Shr(x, k *Int) *Int {
	if !known(x, k) {
		return unknown
	}
	n, constant := shiftCount(k)
	switch {
	case constant && n == 0:
		return x
	case constant && x.op == OpConst:
		return Big(new(big.Int).Rsh(x.k, n))
	case constant && nonNegative(x):
		return Div(x, Big(new(big.Int).Lsh(bigOne, n)))
	}
	if constant {
		if a, b := split(x, new(big.Int).Lsh(bigOne, n)); a.op != OpConst || b.op == OpConst {
			return Add(a, Shr(b, k))
		}
	}
	z := &Int{op: OpShr, args: []*Int{x, k}, uniform: allUniform(x, k)}
	z.lo, z.hi = shrRange(x, n, constant)
	return seal(z)
}

// shrRange returns the interval of a shift to the right, by n where it is constant.
func shrRange(x *Int, n uint, constant bool) (lo, hi *big.Int) {
	if !constant {
		lo, hi = x.lo, x.hi
		if lo != nil && lo.Sign() > 0 {
			lo = zero.k
		}
		if hi != nil && hi.Sign() < 0 {
			hi = big.NewInt(-1)
		}
		return lo, hi
	}
	if x.lo != nil {
		lo = new(big.Int).Rsh(x.lo, n)
	}
	if x.hi != nil {
		hi = new(big.Int).Rsh(x.hi, n)
	}
	return lo, hi
}

// shiftCount returns the count of a shift if it is constant and defined.
func shiftCount(k *Int) (uint, bool) {
	n, ok := k.Int64()
	return uint(n), ok && n >= 0 && n <= MaxBits
}

// Wrap returns the value congruent to x modulo 2^bits in the range of an unsigned, or signed, integer of that many
// bits. Bits is 0 (the value 0) to [MaxBits].
func Wrap(x *Int, bits int, signed bool) *Int {
	if !known(x) || bits < 0 || bits > MaxBits {
		return unknown
	}
	if bits == 0 {
		return zero
	}
	lo, hi := wrapRange(bits, signed)
	for range 2 {
		if bounded(x) && x.lo.Cmp(lo) >= 0 && x.hi.Cmp(hi) <= 0 {
			return x
		}
		if x.op == OpConst {
			return Big(wrapBig(x.k, bits, signed))
		}
		x = modulo(x, bits)
		if x.op == OpUnknown {
			return x
		}
	}
	if !signed {
		if y := withoutCarry(x, bits); y != nil {
			return y
		}
	}
	if n := min(Twos(x), bits-1); n > 0 { // the low bits are zero
		hi = new(big.Int).Sub(hi, new(big.Int).Sub(new(big.Int).Lsh(bigOne, uint(n)), bigOne))
	}
	return seal(&Int{
		op: OpWrap, bits: uint16(bits), signed: signed, args: []*Int{x}, lo: lo, hi: hi,
		uniform: x.uniform,
	})
}

// registerBits is the least width of a register whose wrap-around is one of addresses.
const registerBits = 32

// withoutCarry returns 2^n·y + z mod 2^bits as 2^n·(y mod 2^(bits-n)) + z, where z is a part of a sum that is at least
// 0 and below 2^n: 512·block + thread mod 1024 is 512·(block mod 2) + thread for blocks of at most 512 threads. It
// returns nil if there is no such part, and for the widths of registers, as what is said of their wrap-around is about
// whole sums.
func withoutCarry(x *Int, bits int) *Int {
	k, terms := x.Linear()
	if bits >= registerBits || len(terms) < 2 {
		return nil
	}
	tried := make(map[uint]bool)
	for _, t := range terms {
		n := t.Coef.TrailingZeroBits()
		if n == 0 || n >= uint(bits) || tried[n] {
			continue
		}
		tried[n] = true
		unit := new(big.Int).Lsh(bigOne, n)
		low := summands{k: new(big.Int).Mod(k, unit)}
		high := summands{k: new(big.Int).Div(k, unit)}
		for _, u := range terms {
			if u.Coef.TrailingZeroBits() >= n {
				high.terms = append(high.terms, Term{Coef: new(big.Int).Div(u.Coef, unit), X: u.X})
			} else {
				low.terms = append(low.terms, u)
			}
		}
		if z := low.make(); nonNegative(z) && z.hi != nil && z.hi.Cmp(unit) < 0 {
			return Add(scaled(unit, Wrap(high.make(), bits-int(n), false)), z)
		}
	}
	return nil
}

// wrapBig reduces a constant to a width.
func wrapBig(k *big.Int, bits int, signed bool) *big.Int {
	m := new(big.Int).Lsh(bigOne, uint(bits))
	r := new(big.Int).Mod(k, m)
	if signed && r.Bit(bits-1) == 1 {
		r.Sub(r, m)
	}
	return r
}

// modulo returns a simpler expression congruent to x modulo 2^bits: coefficients are reduced to the nearest residue,
// the positive one of two, and wraps to at least that width are removed.
func modulo(x *Int, bits int) *Int {
	k, terms := x.Linear()
	s := summands{k: wrapBig(k, bits, true)}
	if x.op == OpConst || len(terms) == 1 && k.Sign() == 0 && terms[0].Coef.Cmp(bigOne) == 0 {
		return moduloTerm(x, bits)
	}
	for _, t := range terms {
		c := wrapBig(t.Coef, bits, true)
		if half := new(big.Int).Lsh(bigOne, uint(bits-1)); c.Sign() < 0 && c.CmpAbs(half) == 0 {
			c = half
		}
		if c.Sign() != 0 {
			y := moduloTerm(t.X, bits)
			if y.op == OpUnknown {
				return y
			}
			s.add(c, y)
		}
	}
	return s.make()
}

// moduloTerm is modulo for a term without coefficient.
func moduloTerm(x *Int, bits int) *Int {
	switch {
	case x.op == OpWrap && int(x.bits) >= bits:
		return x.args[0]
	case x.op == OpMul:
		factors := make([]*Int, len(x.args))
		for i, f := range x.args {
			factors[i] = modulo(f, bits)
		}
		return Mul(factors...)
	}
	return x
}

// Bit vectors in two's complement, as gates over Boolean literals.

package solve

import "math/big"

// bitvec is an integer as bits, the lowest first; the last bit is the sign. Its value lies within lo and hi.
type bitvec struct {
	bits   []blit
	lo, hi *big.Int
}

// circuit creates gates; equal gates are created once.
type circuit struct {
	*sat
	gates map[gate]blit
}

// gate is a Boolean function of two literals.
type gate struct {
	xor  bool
	a, b blit
}

// and returns a ∧ b.
func (c *circuit) and(a, b blit) blit {
	if a > b {
		a, b = b, a
	}
	switch a {
	case btrue:
		return b
	case btrue.not(), b.not():
		return btrue.not()
	case b:
		return a
	}
	z, known := c.gates[gate{false, a, b}]
	if !known {
		z = c.newVar()
		c.gates[gate{false, a, b}] = z
		c.add(z.not(), a)
		c.add(z.not(), b)
		c.add(z, a.not(), b.not())
	}
	return z
}

// or returns a ∨ b.
func (c *circuit) or(a, b blit) blit { return c.and(a.not(), b.not()).not() }

// xor returns a ⊕ b.
func (c *circuit) xor(a, b blit) blit {
	flip := (a ^ b) & 1
	a, b = a&^1, b&^1
	if a > b {
		a, b = b, a
	}
	switch a {
	case btrue:
		return b.not() ^ flip
	case b:
		return btrue.not() ^ flip
	}
	z, known := c.gates[gate{true, a, b}]
	if !known {
		z = c.newVar()
		c.gates[gate{true, a, b}] = z
		c.add(z.not(), a, b)
		c.add(z.not(), a.not(), b.not())
		c.add(z, a.not(), b)
		c.add(z, a, b.not())
	}
	return z ^ flip
}

// mux returns a if s, else b.
func (c *circuit) mux(s, a, b blit) blit { return c.or(c.and(s, a), c.and(s.not(), b)) }

// width returns the number of bits that an interval needs, including the sign.
func width(lo, hi *big.Int) int {
	w := hi.BitLen()
	if lo.Sign() < 0 {
		w = max(w, new(big.Int).Not(lo).BitLen())
	}
	return w + 1
}

// constVec returns the vector of a constant.
func constVec(k *big.Int) bitvec {
	v := bitvec{lo: k, hi: k}
	for i := range width(k, k) {
		b := btrue
		if bitOf(k, i) == 0 {
			b = btrue.not()
		}
		v.bits = append(v.bits, b)
	}
	return v
}

// bitOf returns bit i of a number in two's complement.
func bitOf(k *big.Int, i int) uint {
	if k.Sign() >= 0 {
		return k.Bit(i)
	}
	return 1 - new(big.Int).Not(k).Bit(i)
}

// bit returns bit i of a vector; beyond the last bit it returns the sign.
func (v bitvec) bit(i int) blit { return v.bits[min(i, len(v.bits)-1)] }

// within returns the vector with the given interval, extended or cut to the number of bits that the interval needs.
func (v bitvec) within(lo, hi *big.Int) bitvec {
	w := width(lo, hi)
	z := bitvec{lo: lo, hi: hi, bits: make([]blit, w)}
	for i := range z.bits {
		z.bits[i] = v.bit(i)
	}
	return z
}

// free returns a vector of new variables and constrains its value to the interval.
func (c *circuit) free(lo, hi *big.Int) bitvec {
	v := bitvec{lo: lo, hi: hi, bits: make([]blit, width(lo, hi))}
	for i := range v.bits {
		v.bits[i] = c.newVar()
	}
	if lo.Sign() >= 0 {
		v.bits[len(v.bits)-1] = btrue.not()
	}
	c.add(c.le(constVec(lo), v))
	c.add(c.le(v, constVec(hi)))
	return v
}

// sum returns a + b + carry over w bits.
func (c *circuit) sum(a, b bitvec, carry blit, w int) []blit {
	z := make([]blit, w)
	for i := range z {
		x, y := a.bit(i), b.bit(i)
		xy := c.xor(x, y)
		z[i] = c.xor(xy, carry)
		carry = c.or(c.and(x, y), c.and(xy, carry))
	}
	return z
}

// add2 returns a + b.
func (c *circuit) add2(a, b bitvec) bitvec {
	lo, hi := new(big.Int).Add(a.lo, b.lo), new(big.Int).Add(a.hi, b.hi)
	return bitvec{c.sum(a, b, btrue.not(), width(lo, hi)), lo, hi}
}

// sub2 returns a - b.
func (c *circuit) sub2(a, b bitvec) bitvec {
	lo, hi := new(big.Int).Sub(a.lo, b.hi), new(big.Int).Sub(a.hi, b.lo)
	return bitvec{c.sum(a, complement(b), btrue, width(lo, hi)), lo, hi}
}

// complement returns the vector with all bits inverted.
func complement(a bitvec) bitvec {
	z := bitvec{lo: new(big.Int).Not(a.hi), hi: new(big.Int).Not(a.lo), bits: make([]blit, len(a.bits))}
	for i, b := range a.bits {
		z.bits[i] = b.not()
	}
	return z
}

// mul2 returns a·b.
func (c *circuit) mul2(a, b bitvec) bitvec {
	if len(a.bits) < len(b.bits) {
		a, b = b, a
	}
	lo, hi := corners(a, b)
	w := width(lo, hi)
	acc := bitvec{bits: make([]blit, w)}
	for i := range acc.bits {
		acc.bits[i] = btrue.not()
	}
	n := min(w, len(b.bits))
	for i := range n {
		s := b.bit(i)
		if s == btrue.not() {
			continue
		}
		row := bitvec{bits: make([]blit, w)}
		for j := range row.bits {
			row.bits[j] = btrue.not()
			if j >= i {
				row.bits[j] = c.and(s, a.bit(j-i))
			}
		}
		if i == len(b.bits)-1 { // the sign bit has negative weight
			acc.bits = c.sum(acc, complement1(row), btrue, w)
		} else {
			acc.bits = c.sum(acc, row, btrue.not(), w)
		}
	}
	return bitvec{acc.bits, lo, hi}
}

// complement1 returns the inverted bits of a vector, without an interval.
func complement1(a bitvec) bitvec {
	z := bitvec{bits: make([]blit, len(a.bits))}
	for i, b := range a.bits {
		z.bits[i] = b.not()
	}
	return z
}

// corners returns the interval of a product.
func corners(a, b bitvec) (lo, hi *big.Int) {
	for i, x := range []*big.Int{a.lo, a.hi} {
		for j, y := range []*big.Int{b.lo, b.hi} {
			p := new(big.Int).Mul(x, y)
			if i+j == 0 || p.Cmp(lo) < 0 {
				lo = p
			}
			if i+j == 0 || p.Cmp(hi) > 0 {
				hi = p
			}
		}
	}
	return lo, hi
}

// le returns a ≤ b.
func (c *circuit) le(a, b bitvec) blit {
	z := btrue
	n := max(len(a.bits), len(b.bits))
	for i := range n {
		x, y := a.bit(i), b.bit(i)
		if i == n-1 { // signs
			x, y = y, x
		}
		z = c.or(c.and(x.not(), y), c.and(c.xor(x, y).not(), z))
	}
	return z
}

// eq returns a = b.
func (c *circuit) eq(a, b bitvec) blit {
	z := btrue
	for i := range max(len(a.bits), len(b.bits)) {
		z = c.and(z, c.xor(a.bit(i), b.bit(i)).not())
	}
	return z
}

// choose2 returns a if s, else b.
func (c *circuit) choose2(s blit, a, b bitvec) bitvec {
	lo, hi := a.lo, a.hi
	if b.lo.Cmp(lo) < 0 {
		lo = b.lo
	}
	if b.hi.Cmp(hi) > 0 {
		hi = b.hi
	}
	z := bitvec{lo: lo, hi: hi, bits: make([]blit, width(lo, hi))}
	for i := range z.bits {
		z.bits[i] = c.mux(s, a.bit(i), b.bit(i))
	}
	return z
}

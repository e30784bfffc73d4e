package emu

import (
	"math/big"

	"github.com/ptxsan/ptxsan/emu/internal/async"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// integerReferences are integer and logic instructions as the manual defines them (PTX
// ISA 9.7.1, 9.7.2, 9.7.6, 9.7.8), on numbers of any size and bit by bit.
var integerReferences = map[string]reference{
	"add":   lanewise(func(_ *specimen, v []*big.Int) *big.Int { return sum(v[0], v[1]) }),
	"sub":   lanewise(func(_ *specimen, v []*big.Int) *big.Int { return sum(v[0], negated(v[1])) }),
	"mul":   lanewise(func(s *specimen, v []*big.Int) *big.Int { return s.part(bigProduct(v[0], v[1])) }),
	"mad":   lanewise(func(s *specimen, v []*big.Int) *big.Int { return sum(s.part(bigProduct(v[0], v[1])), v[2]) }),
	"mul24": lanewise(func(s *specimen, v []*big.Int) *big.Int { return s.part24(v[0], v[1]) }),
	"mad24": lanewise(func(s *specimen, v []*big.Int) *big.Int { return sum(s.part24(v[0], v[1]), v[2]) }),
	"sad": lanewise(func(_ *specimen, v []*big.Int) *big.Int {
		return sum(v[2], new(big.Int).Abs(sum(v[0], negated(v[1]))))
	}),
	"div": lanewise(func(_ *specimen, v []*big.Int) *big.Int { return quotient(v, new(big.Int).Quo) }),
	"rem": lanewise(func(_ *specimen, v []*big.Int) *big.Int { return quotient(v, new(big.Int).Rem) }),
	"abs": lanewise(func(_ *specimen, v []*big.Int) *big.Int { return new(big.Int).Abs(v[0]) }),
	"neg": lanewise(func(_ *specimen, v []*big.Int) *big.Int { return negated(v[0]) }),
	"min": lanewise(func(s *specimen, v []*big.Int) *big.Int { return s.relu(smaller(v[0], v[1])) }),
	"max": lanewise(func(s *specimen, v []*big.Int) *big.Int {
		return s.relu(negated(smaller(negated(v[0]), negated(v[1]))))
	}),

	"and":  bitwise(func(a, b bool) bool { return a && b }),
	"or":   bitwise(func(a, b bool) bool { return a || b }),
	"xor":  bitwise(func(a, b bool) bool { return a != b }),
	"not":  bitwise(func(a, _ bool) bool { return !a }),
	"cnot": defined(func(_ *specimen, v []uint64) uint64 { return b2u(v[0] == 0) }),
	"shl":  defined(func(s *specimen, v []uint64) uint64 { return shifted(s, v, 1) }),
	"shr":  defined(func(s *specimen, v []uint64) uint64 { return shifted(s, v, -1) }),
	"shf":  defined(refShf),
	"popc": defined(func(s *specimen, v []uint64) uint64 { return onesIn(v[0], s.typ(1).Bits()) }),
	"clz":  defined(func(s *specimen, v []uint64) uint64 { return leadingZeros(v[0], s.typ(1).Bits()) }),
	"brev": defined(func(s *specimen, v []uint64) uint64 {
		r, n := uint64(0), s.typ(1).Bits()
		for i := range n {
			r |= v[0] >> i & 1 << (n - 1 - i)
		}
		return r
	}),
	"bfind": defined(refBfind),
	"bfe":   defined(refBfe),
	"bfi":   defined(refBfi),
	"bmsk":  defined(refBmsk),
	"szext": defined(refSzext),
	"fns":   refFns,
	"clmad": lanewise(func(s *specimen, v []*big.Int) *big.Int {
		product := new(big.Int)
		for i := range 64 {
			if v[1].Bit(i) == 1 {
				product.Xor(product, new(big.Int).Lsh(v[0], uint(i)))
			}
		}
		if s.has("hi") {
			product.Rsh(product, 64)
		}
		return product.Xor(product, v[2])
	}),
	"dp4a": defined(func(s *specimen, v []uint64) uint64 { return dot(s, v, 4, 8, 8, 0) }),
	"dp2a": defined(func(s *specimen, v []uint64) uint64 {
		return dot(s, v, 2, 16, 8, map[bool]int{true: 2}[s.has("hi")])
	}),
	"slct": defined(func(s *specimen, v []uint64) uint64 {
		t := s.typ(3)
		sign := v[2]>>(t.Bits()-1) != 0
		if t.Float() && v[2]<<1&0xffffffff == 0 { // -0 is not below 0
			sign = false
		}
		if t.Float() && v[2]&0x7fffffff > 0x7f800000 {
			sign = true // a NaN is not at least 0
		}
		if s.has("ftz") && v[2]&0x7f800000 == 0 {
			sign = false
		}
		return async.Pick(sign, v[1], v[0])
	}),
}

// defined makes a reference of a function of all operands.
func defined(f func(s *specimen, v []uint64) uint64) reference {
	return func(s *specimen) result {
		return func(v []uint64) (uint64, bool) { return f(s, v), true }
	}
}

// lanewise makes a reference of a function of numbers, applied to each element of packed types
// and with the result clamped for .sat and cut off to the type. A nil result is undefined.
func lanewise(f func(s *specimen, v []*big.Int) *big.Int) reference {
	return func(s *specimen) result {
		if s.has("cc") || s.typ(0).Float() || s.typ(1).Float() {
			return nil // carries have a test of their own
		}
		return func(v []uint64) (uint64, bool) {
			n := s.typ(1).Lanes()
			out, bits := uint64(0), uint(s.typ(0).Bits()/n)
			for k := range n {
				args := make([]*big.Int, len(v))
				for i := range v {
					args[i] = numberAt(v[i], s.typ(i+1), k)
				}
				r := f(s, args)
				if r == nil {
					return 0, false
				}
				if s.has("sat") {
					r = clamped(r, bits, s.typ(1).Signed())
				}
				out |= lowWord(r, bits) << (uint(k) * bits)
			}
			return out, true
		}
	}
}

// numberAt is element k of a value of an integer type.
func numberAt(v uint64, t isa.Type, k int) *big.Int {
	n := t.Lanes()
	bits := uint(t.Bits() / n)
	signed := t.Signed()
	if n > 1 {
		signed = lane(t).Signed()
	}
	return bigPart(v, uint(k)*bits, bits, signed)
}

// lowWord is the low bits of a number in two's complement.
func lowWord(x *big.Int, bits uint) uint64 {
	mask := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), bits), big.NewInt(1))
	return new(big.Int).And(x, mask).Uint64()
}

// clamped is the nearest number that so many bits hold.
func clamped(x *big.Int, bits uint, signed bool) *big.Int { return bigClamp(x, bits, signed) }

func sum(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }

func bigProduct(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }

func negated(a *big.Int) *big.Int { return new(big.Int).Neg(a) }

func smaller(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

// quotient is undefined for a divisor of 0.
func quotient(v []*big.Int, f func(a, b *big.Int) *big.Int) *big.Int {
	if v[1].Sign() == 0 {
		return nil
	}
	return f(v[0], v[1])
}

// part is the part of a product that .hi, .lo and .wide ask for.
func (s *specimen) part(p *big.Int) *big.Int {
	bits := uint(s.typ(1).Bits())
	switch {
	case s.has("hi"):
		return new(big.Int).Rsh(p, bits)
	case s.has("lo"):
		return bigPart(lowWord(p, bits), 0, bits, s.typ(1).Signed())
	}
	return p
}

// part24 is the upper or lower 32 bits of the 48-bit product of the lower 24 bits.
func (s *specimen) part24(a, b *big.Int) *big.Int {
	signed := s.typ(1).Signed()
	p := bigProduct(bigPart(lowWord(a, 32), 0, 24, signed), bigPart(lowWord(b, 32), 0, 24, signed))
	if s.has("hi") {
		return new(big.Int).Rsh(p, 16)
	}
	return bigPart(lowWord(p, 32), 0, 32, signed)
}

// relu makes negative numbers 0 when the instruction says so.
func (s *specimen) relu(x *big.Int) *big.Int {
	if s.has("relu") && x.Sign() < 0 {
		return new(big.Int)
	}
	return x
}

// bitwise makes a reference of a function of bits.
func bitwise(f func(a, b bool) bool) reference {
	return defined(func(s *specimen, v []uint64) uint64 {
		r := uint64(0)
		for i := range s.typ(0).Bits() {
			r |= b2u(f(v[0]>>i&1 != 0, v[len(v)-1]>>i&1 != 0)) << i
		}
		return r
	})
}

// shifted moves bit by bit; dir is 1 to the left.
func shifted(s *specimen, v []uint64, dir int) uint64 {
	n := s.typ(0).Bits()
	by := int(min(uint32(v[1]), uint32(n)))
	fill := uint64(0)
	if dir < 0 && s.typ(1).Signed() {
		fill = v[0] >> (n - 1) & 1
	}
	r := uint64(0)
	for i := range n {
		bit := fill
		if from := i - dir*by; from >= 0 && from < n {
			bit = v[0] >> from & 1
		}
		r |= bit << i
	}
	return r
}

func refShf(s *specimen, v []uint64) uint64 {
	by := uint32(v[2])
	if s.has("wrap") {
		by &= 31
	}
	by = min(by, 32)
	both := new(big.Int).Or(new(big.Int).Lsh(new(big.Int).SetUint64(v[1]), 32), new(big.Int).SetUint64(v[0]))
	if s.has("l") {
		return lowWord(new(big.Int).Rsh(new(big.Int).Lsh(both, uint(by)), 32), 32)
	}
	return lowWord(new(big.Int).Rsh(both, uint(by)), 32)
}

func onesIn(v uint64, n int) uint64 {
	c := uint64(0)
	for i := range n {
		c += v >> i & 1
	}
	return c
}

func leadingZeros(v uint64, n int) uint64 {
	c := uint64(0)
	for i := n - 1; i >= 0 && v>>i&1 == 0; i-- {
		c++
	}
	return c
}

// refBfind follows the manual's program.
func refBfind(s *specimen, v []uint64) uint64 {
	n, a := s.typ(1).Bits(), v[0]
	if s.typ(1).Signed() && a>>(n-1)&1 != 0 {
		a = ^a
	}
	for i := n - 1; i >= 0; i-- {
		if a>>i&1 != 0 {
			if s.has("shiftamt") {
				return uint64(n - 1 - i)
			}
			return uint64(i)
		}
	}
	return 0xffffffff
}

// refBfe follows the manual's program.
func refBfe(s *specimen, v []uint64) uint64 {
	msb, pos, length := s.typ(0).Bits()-1, int(v[1]&0xff), int(v[2]&0xff)
	sbit := uint64(0)
	if s.typ(0).Signed() && length > 0 {
		sbit = v[0] >> min(pos+length-1, msb) & 1
	}
	d := uint64(0)
	for i := 0; i <= msb; i++ {
		bit := sbit
		if i < length && pos+i <= msb {
			bit = v[0] >> (pos + i) & 1
		}
		d |= bit << i
	}
	return d
}

// refBfi follows the manual's program: a is put into b.
func refBfi(s *specimen, v []uint64) uint64 {
	msb, pos, length, f := s.typ(0).Bits()-1, int(v[2]&0xff), int(v[3]&0xff), v[1]
	for i := 0; i < length && pos+i <= msb; i++ {
		f = f&^(1<<(pos+i)) | v[0]>>i&1<<(pos+i)
	}
	return f
}

func refBmsk(s *specimen, v []uint64) uint64 {
	a, b := v[0], v[1]
	if s.has("wrap") {
		a, b = a&31, b&31
	}
	d := uint64(0)
	for i := range uint64(32) {
		d |= b2u(i >= a && i-a < b) << i
	}
	return d
}

// refSzext keeps the low b bits.
func refSzext(s *specimen, v []uint64) uint64 {
	n := v[1]
	if s.has("wrap") {
		n &= 31
	}
	if n >= 32 {
		return v[0]
	}
	keep := uint64(1)<<n - 1
	if s.typ(0).Signed() && n > 0 && v[0]>>(n-1)&1 != 0 {
		return v[0] | ^keep&0xffffffff
	}
	return v[0] & keep
}

// refFns follows the manual's program; a base beyond 31 is undefined.
func refFns(*specimen) result {
	return func(v []uint64) (uint64, bool) {
		mask, base, offset := v[0], int64(v[1]), int64(int32(v[2]))
		if base > 31 {
			return 0, false
		}
		if offset == 0 {
			return async.Pick(mask>>base&1 != 0, uint64(base), 0xffffffff), true
		}
		pos, step := base-1, int64(1)
		count := offset - 1
		if offset < 0 {
			pos, step, count = base+1, -1, -offset-1
		}
		for {
			pos += step
			if pos < 0 || pos > 31 {
				return 0xffffffff, true
			}
			if mask>>pos&1 != 0 {
				if count == 0 {
					return uint64(pos), true
				}
				count--
			}
		}
	}
}

// dot is c plus the sum of n products of parts of a and b, those of b beginning with
// number first.
func dot(s *specimen, v []uint64, n, aBits, bBits, first int) uint64 {
	d := bigPart(v[2], 0, 32, true)
	types := s.mods[len(s.mods)-2:]
	for k := range n {
		d = sum(d, bigProduct(bigPart(v[0], uint(k*aBits), uint(aBits), types[0] == "s32"), bigPart(v[1], uint((first+k)*bBits), uint(bBits), types[1] == "s32")))
	}
	return lowWord(d, 32)
}

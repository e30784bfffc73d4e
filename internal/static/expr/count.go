// Functions of all bits of a number: how many there are, how many are set, their reverse order.

package expr

import (
	"math/big"
	"strconv"
)

// countNames has the names of the functions of bits in texts.
var countNames = map[Op]string{OpLen: "len", OpOnes: "ones", OpFlip: "flip"}

// counts has the functions of the bits of a number of a width, which is in [0, 2^bits).
var counts = map[Op]func(k *big.Int, bits int) *big.Int{
	OpLen:  func(k *big.Int, _ int) *big.Int { return big.NewInt(int64(k.BitLen())) },
	OpOnes: func(k *big.Int, bits int) *big.Int { return big.NewInt(int64(ones(k, bits))) },
	OpFlip: flipped,
}

// ones counts the one bits of a number.
func ones(k *big.Int, bits int) (n int) {
	for i := range bits {
		n += int(k.Bit(i))
	}
	return n
}

// flipped reverses the order of the bits of a number.
func flipped(k *big.Int, bits int) *big.Int {
	z := new(big.Int)
	for i := range bits {
		z.SetBit(z, bits-1-i, k.Bit(i))
	}
	return z
}

// Name returns the name in texts of a function of the bits of a number of a width.
func (op Op) Name(bits int) string { return countNames[op] + strconv.Itoa(bits) }

// Count applies a function of the bits of a number, OpLen, OpOnes or OpFlip, to a constant modulo 2^bits.
func (op Op) Count(k *big.Int, bits int) *Int { return counted(op, Big(k), bits) }

// Len returns the number of bits, without leading zeros, of x modulo 2^bits: 0 for 0, and 1 + floor(log2 x) for others.
func Len(x *Int, bits int) *Int { return counted(OpLen, x, bits) }

// Ones returns the number of one bits of x modulo 2^bits.
func Ones(x *Int, bits int) *Int { return counted(OpOnes, x, bits) }

// Flip returns x modulo 2^bits with its bits in reverse order.
func Flip(x *Int, bits int) *Int { return counted(OpFlip, x, bits) }

// counted makes a function of the bits of x modulo 2^bits.
func counted(op Op, x *Int, bits int) *Int {
	if x = Wrap(x, bits, false); x.op == OpUnknown || x.op == OpConst {
		return fold(op, x, bits)
	}
	z := &Int{op: op, bits: uint16(bits), args: []*Int{x}, uniform: x.uniform}
	z.lo, z.hi = zero.k, big.NewInt(int64(bits))
	switch op {
	case OpLen: // it does not decrease where x does not
		z.lo, z.hi = big.NewInt(int64(x.lo.BitLen())), big.NewInt(int64(x.hi.BitLen()))
	case OpOnes:
		z.hi = big.NewInt(int64(x.hi.BitLen()))
	case OpFlip: // the bits above the highest of x are the lowest of the result
		_, z.hi = wrapRange(bits, false)
		z.hi = new(big.Int).Sub(z.hi, new(big.Int).Sub(new(big.Int).Lsh(bigOne, uint(bits-x.hi.BitLen())), bigOne))
	}
	return seal(z)
}

// fold computes a function of the bits of a constant.
func fold(op Op, x *Int, bits int) *Int {
	if x.op == OpUnknown {
		return x
	}
	return Big(counts[op](x.k, bits))
}

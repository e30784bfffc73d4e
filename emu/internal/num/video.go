// Arithmetic of the video instructions.

package num

import "math/bits"

// Part is the byte, the half-word or the whole of a 32-bit value that an operand of a scalar video instruction selects
// (PTX ISA 9.7.18.1).
type Part struct{ Shift, Bits uint }

// Word is the part of an operand without selector.
var Word = Part{0, 32}

// Extract returns the part of v, sign- or zero-extended.
func (p Part) Extract(v uint32, signed bool) int64 {
	up := 64 - p.Bits
	if signed {
		return int64(uint64(v>>p.Shift)<<up) >> up
	}
	return int64(uint64(v>>p.Shift) << up >> up)
}

// Clamp clamps v to the range of the part.
func (p Part) Clamp(v int64, signed bool) int64 {
	if signed {
		limit := int64(1) << (p.Bits - 1)
		return max(-limit, min(limit-1, v))
	}
	return max(0, min(int64(1)<<p.Bits-1, v))
}

// Merge returns c with the part replaced by the low bits of v.
func (p Part) Merge(v int64, c uint32) uint32 {
	mask := uint32(uint64(1)<<p.Bits-1) << p.Shift
	return c&^mask | uint32(v)<<p.Shift&mask
}

// VideoOp is the operation of a video instruction on two extended parts.
type VideoOp func(a, b int64) int64

// VideoOps has the operations by name; for vset see VideoCompare.
var VideoOps = map[string]VideoOp{
	"add": func(a, b int64) int64 { return a + b },
	"sub": func(a, b int64) int64 { return a - b },
	"min": func(a, b int64) int64 { return min(a, b) },
	"max": func(a, b int64) int64 { return max(a, b) },
	"shl": videoShl,
	"shr": func(a, b int64) int64 { return a >> uint64(b) },
	"absdiff": func(a, b int64) int64 {
		return max(a-b, b-a)
	},
	"avrg": func(a, b int64) int64 {
		if a+b >= 0 {
			return (a + b + 1) >> 1
		}
		return (a + b) >> 1
	},
}

// videoShl shifts a 33-bit number left by at most 32 bits. The result of a shift by 32 has the lowest 33 bits of the
// exact one, and is out of range on the same side.
func videoShl(a, b int64) int64 {
	switch {
	case b < 32:
		return a << uint64(b)
	case a == 0:
		return 0
	case a < 0:
		return -1<<40 + a&1<<32
	}
	return 1<<40 + a&1<<32
}

// VideoCompare returns the operation of vset: 1 if the comparison holds, else 0.
func VideoCompare(cmp string) VideoOp {
	holds := map[string]func(a, b int64) bool{
		"eq": func(a, b int64) bool { return a == b }, "ne": func(a, b int64) bool { return a != b },
		"lt": func(a, b int64) bool { return a < b }, "le": func(a, b int64) bool { return a <= b },
		"gt": func(a, b int64) bool { return a > b }, "ge": func(a, b int64) bool { return a >= b },
	}[cmp]
	return func(a, b int64) int64 {
		if holds(a, b) {
			return 1
		}
		return 0
	}
}

// Video is a scalar video instruction other than vmad.
type Video struct {
	Op                        VideoOp
	Dst, A, B                 Part // Dst is merged into c unless it is Word
	SignedD, SignedA, SignedB bool
	Wrap, Clamp               bool // of the shift amount: modulo 32, at most 32
	Sat                       bool
	Second                    VideoOp // add, min or max with c; nil for none
}

// Apply computes the instruction. The manual defines intermediate results with 33 bits; higher bits are dropped.
func (v *Video) Apply(a, b, c uint32) uint32 {
	x, y := v.A.Extract(a, v.SignedA), v.B.Extract(b, v.SignedB)
	switch {
	case v.Wrap:
		y &= 31
	case v.Clamp:
		y = min(y, 32)
	}
	t := v.Op(x, y)
	if v.Sat {
		t = v.Dst.Clamp(t, v.SignedD)
	}
	t = t << 31 >> 31
	switch {
	case v.Second != nil:
		return uint32(v.Second(t, Word.Extract(c, v.SignedD)))
	case v.Dst != Word:
		return v.Dst.Merge(t, c)
	}
	return uint32(t)
}

// Vmad is vmad: a*b + c, with signs according to the manual's table of combinations.
type Vmad struct {
	A, B             Part
	SignedA, SignedB bool
	NegProduct, NegC bool
	PlusOne          bool
	Shift            uint // 0, 7 or 15
	Sat              bool
}

// Apply computes the instruction in 128 bits, as the manual does.
func (v *Vmad) Apply(a, b, c uint32) uint32 {
	signed := v.SignedA || v.SignedB || v.NegProduct || v.NegC
	x, y := v.A.Extract(a, v.SignedA), v.B.Extract(b, v.SignedB)
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	hi -= uint64(x>>63)&uint64(y) + uint64(y>>63)&uint64(x)
	carry := uint64(0)
	switch {
	case v.PlusOne:
		carry = 1
	case v.NegProduct:
		hi, lo, carry = ^hi, ^lo, 1
	case v.NegC:
		c, carry = ^c, 1
	}
	addend := Word.Extract(c, signed)
	lo, carry = bits.Add64(lo, uint64(addend), carry)
	hi, _ = bits.Add64(hi, uint64(addend>>63), carry)
	if v.Shift > 0 {
		lo, hi = lo>>v.Shift|hi<<(64-v.Shift), uint64(int64(hi)>>v.Shift)
	}
	if v.Sat {
		return saturate128(hi, lo, signed)
	}
	return uint32(lo)
}

// saturate128 clamps a 128-bit number to s32 or u32.
func saturate128(hi, lo uint64, signed bool) uint32 {
	switch {
	case !signed && (hi != 0 || lo>>32 != 0):
		return 1<<32 - 1
	case !signed || int64(hi) == int64(lo)>>63 && int64(lo) == int64(int32(lo)):
		return uint32(lo)
	case int64(hi) < 0:
		return 1 << 31
	}
	return 1<<31 - 1
}

// VideoSIMD is a video instruction on two half-words or four bytes (PTX ISA 9.7.18.2). Element i of a source is element
// number A[i] (or B[i]) of the elements of a, from 0 on, followed by those of b.
type VideoSIMD struct {
	Op                        VideoOp
	Lanes                     int    // 2 or 4
	A, B                      [4]int // lowest element first
	Mask                      uint   // elements computed, bit i for element i
	SignedD, SignedA, SignedB bool
	Sat, Add                  bool // Add accumulates into c instead of merging
}

// Apply computes the instruction.
func (v *VideoSIMD) Apply(a, b, c uint32) uint32 {
	width := 32 / uint(v.Lanes)
	element := func(n int, signed bool) int64 {
		src := a
		if n >= v.Lanes {
			src = b
		}
		return Part{uint(n%v.Lanes) * width, width}.Extract(src, signed)
	}
	d := c
	for i := range v.Lanes {
		if v.Mask>>i&1 == 0 {
			continue
		}
		t, p := v.Op(element(v.A[i], v.SignedA), element(v.B[i], v.SignedB)), Part{uint(i) * width, width}
		if v.Sat {
			t = p.Clamp(t, v.SignedD)
		}
		if v.Add {
			d += uint32(t)
		} else {
			d = p.Merge(t, d)
		}
	}
	return d
}

package emu

import (
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/num"
)

// operandEdges are values at which operations of some width go wrong.
var operandEdges = []uint64{
	0, 1, 2, 3, 7, 15, 31, 32, 33, 63, 64, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
	0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0x3c003c00, 0x3f800000, 0x3ff0000000000000,
	0x7f800000, 0xff800000, 0x7fc00000, 0x7ff0000000000000, 0x7ff8000000000001, 0x7c00, 0xfc00, 0x7e01, 0x00000001, 0x007fffff, 0x00800000,
}

// tuples draws n operand tuples for a form.
func tuples(f form, n int) [][]uint64 {
	rng := rand.New(rand.NewPCG(uint64(len(f.text)), 77))
	out := make([][]uint64, n)
	for i := range out {
		v := make([]uint64, len(strings.Fields(f.args))-1)
		for k := range v {
			switch rng.IntN(3) {
			case 0:
				v[k] = operandEdges[rng.IntN(len(operandEdges))]
			case 1:
				v[k] = uint64(rng.IntN(80)) - 8
			default:
				v[k] = rng.Uint64()
			}
		}
		out[i] = v
	}
	return out
}

func checkForms(t *testing.T, forms []form) {
	t.Helper()
	for _, f := range forms {
		f.check(t, tuples(f, 96))
	}
}

func s16(v uint64) int64 { return int64(int16(v)) }

func s32(v uint64) int64 { return int64(int32(v)) }

func s64(v uint64) int64 { return int64(v) }

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// TestIntegerForms runs every integer instruction of the table through the
// emulator: the expected values are plain Go on 64-bit numbers.
func TestIntegerForms(t *testing.T) {
	checkForms(t, []form{
		{"add.u16 $d, $a, $b", "16 16 16", func(v []uint64) uint64 { return v[0] + v[1] }},
		{"add.s16 $d, $a, -5", "16 16", func(v []uint64) uint64 { return v[0] - 5 }},
		{"add.u32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return v[0] + v[1] }},
		{"add.s32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return v[0] + v[1] }},
		{"add.s64 $d, $a, $b", "64 64 64", func(v []uint64) uint64 { return v[0] + v[1] }},
		{"add.u16x2 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return (v[0]+v[1])&0xffff | (v[0]>>16+v[1]>>16)<<16 }},
		{"add.sat.s32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return uint64(clamp32(s32(v[0]) + s32(v[1]))) }},
		{"sub.sat.s32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return uint64(clamp32(s32(v[0]) - s32(v[1]))) }},
		{"sub.u16 $d, $a, $b", "16 16 16", func(v []uint64) uint64 { return v[0] - v[1] }},
		{"sub.s32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return v[0] - v[1] }},
		{"sub.u64 $d, $a, $b", "64 64 64", func(v []uint64) uint64 { return v[0] - v[1] }},
		{"mul.lo.u16 $d, $a, $b", "16 16 16", func(v []uint64) uint64 { return v[0] * v[1] }},
		{"mul.lo.s32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return v[0] * v[1] }},
		{"mul.lo.u64 $d, $a, $b", "64 64 64", func(v []uint64) uint64 { return v[0] * v[1] }},
		{"mul.hi.u16 $d, $a, $b", "16 16 16", func(v []uint64) uint64 { return v[0] * v[1] >> 16 }},
		{"mul.hi.s16 $d, $a, $b", "16 16 16", func(v []uint64) uint64 { return uint64(s16(v[0]) * s16(v[1]) >> 16) }},
		{"mul.hi.u32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return v[0] * v[1] >> 32 }},
		{"mul.hi.s32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return uint64(s32(v[0]) * s32(v[1]) >> 32) }},
		{"mul.hi.u64 $d, $a, $b", "64 64 64", func(v []uint64) uint64 { h, _ := bits.Mul64(v[0], v[1]); return h }},
		{"mul.hi.s64 $d, $a, $b", "64 64 64", func(v []uint64) uint64 { return uint64(num.MulHiS64(int64(v[0]), int64(v[1]))) }},
		{"mul.wide.u16 $d, $a, $b", "32 16 16", func(v []uint64) uint64 { return v[0] * v[1] }},
		{"mul.wide.s16 $d, $a, $b", "32 16 16", func(v []uint64) uint64 { return uint64(s16(v[0]) * s16(v[1])) }},
		{"mul.wide.u32 $d, $a, $b", "64 32 32", func(v []uint64) uint64 { return v[0] * v[1] }},
		{"mul.wide.s32 $d, $a, $b", "64 32 32", func(v []uint64) uint64 { return uint64(s32(v[0]) * s32(v[1])) }},
		{"mad.lo.u16 $d, $a, $b, $c", "16 16 16 16", func(v []uint64) uint64 { return v[0]*v[1] + v[2] }},
		{"mad.lo.s32 $d, $a, $b, $c", "32 32 32 32", func(v []uint64) uint64 { return v[0]*v[1] + v[2] }},
		{"mad.lo.u64 $d, $a, $b, $c", "64 64 64 64", func(v []uint64) uint64 { return v[0]*v[1] + v[2] }},
		{"mad.hi.s16 $d, $a, $b, $c", "16 16 16 16", func(v []uint64) uint64 { return uint64(s16(v[0])*s16(v[1])>>16) + v[2] }},
		{"mad.hi.u32 $d, $a, $b, $c", "32 32 32 32", func(v []uint64) uint64 { return v[0]*v[1]>>32 + v[2] }},
		{"mad.hi.s32 $d, $a, $b, $c", "32 32 32 32", func(v []uint64) uint64 { return uint64(s32(v[0])*s32(v[1])>>32) + v[2] }},
		{"mad.hi.sat.s32 $d, $a, $b, $c", "32 32 32 32", func(v []uint64) uint64 { return uint64(clamp32(s32(v[0])*s32(v[1])>>32 + s32(v[2]))) }},
		{"mad.wide.u16 $d, $a, $b, $c", "32 16 16 32", func(v []uint64) uint64 { return v[0]*v[1] + v[2] }},
		{"mad.wide.s16 $d, $a, $b, $c", "32 16 16 32", func(v []uint64) uint64 { return uint64(s16(v[0])*s16(v[1])) + v[2] }},
		{"mad.wide.u32 $d, $a, $b, $c", "64 32 32 64", func(v []uint64) uint64 { return v[0]*v[1] + v[2] }},
		{"mad.wide.s32 $d, $a, $b, $c", "64 32 32 64", func(v []uint64) uint64 { return uint64(s32(v[0])*s32(v[1])) + v[2] }},
		{"mul24.lo.u32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return v[0] & 0xffffff * (v[1] & 0xffffff) }},
		{"mul24.hi.s32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return uint64(s32(v[0]<<8) >> 8 * (s32(v[1]<<8) >> 8) >> 16) }},
		{"mad24.lo.s32 $d, $a, $b, $c", "32 32 32 32", func(v []uint64) uint64 { return uint64(s32(v[0]<<8)>>8*(s32(v[1]<<8)>>8)) + v[2] }},
		{"sad.u32 $d, $a, $b, $c", "32 32 32 32", func(v []uint64) uint64 { return max(v[0], v[1]) - min(v[0], v[1]) + v[2] }},
		{"sad.s16 $d, $a, $b, $c", "16 16 16 16", func(v []uint64) uint64 {
			return uint64(max(s16(v[0]), s16(v[1]))-min(s16(v[0]), s16(v[1]))) + v[2]
		}},
		{"div.u32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return divU(v[0], v[1]) }},
		{"div.s32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return divS(s32(v[0]), s32(v[1])) }},
		{"div.s16 $d, $a, $b", "16 16 16", func(v []uint64) uint64 { return divS(s16(v[0]), s16(v[1])) }},
		{"div.u64 $d, $a, $b", "64 64 64", func(v []uint64) uint64 { return divU(v[0], v[1]) }},
		{"rem.u16 $d, $a, $b", "16 16 16", func(v []uint64) uint64 { return v[0] - v[1]*divU0(v[0], v[1]) }},
		{"rem.s64 $d, $a, $b", "64 64 64", func(v []uint64) uint64 {
			if v[1] == 0 {
				return v[0]
			}
			return uint64(s64(v[0]) % s64(v[1]))
		}},
		{"abs.s16 $d, $a", "16 16", func(v []uint64) uint64 { return uint64(max(s16(v[0]), -s16(v[0]))) }},
		{"abs.s32 $d, $a", "32 32", func(v []uint64) uint64 { return uint64(max(s32(v[0]), -s32(v[0]))) }},
		{"neg.s64 $d, $a", "64 64", func(v []uint64) uint64 { return -v[0] }},
		{"neg.s16 $d, $a", "16 16", func(v []uint64) uint64 { return -v[0] }},
		{"min.u16 $d, $a, $b", "16 16 16", func(v []uint64) uint64 { return min(v[0], v[1]) }},
		{"min.s16 $d, $a, $b", "16 16 16", func(v []uint64) uint64 { return uint64(min(s16(v[0]), s16(v[1]))) }},
		{"min.s32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return uint64(min(s32(v[0]), s32(v[1]))) }},
		{"min.relu.s32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return uint64(max(0, min(s32(v[0]), s32(v[1])))) }},
		{"max.u32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return max(v[0], v[1]) }},
		{"max.s64 $d, $a, $b", "64 64 64", func(v []uint64) uint64 { return uint64(max(s64(v[0]), s64(v[1]))) }},
		{"max.u64 $d, $a, $b", "64 64 64", func(v []uint64) uint64 { return max(v[0], v[1]) }},
		{"max.s16x2 $d, $a, $b", "32 32 32", func(v []uint64) uint64 {
			return uint64(max(s16(v[0]), s16(v[1])))&0xffff | uint64(max(s16(v[0]>>16), s16(v[1]>>16)))<<16
		}},
		{"min.u16x2 $d, $a, $b", "32 32 32", func(v []uint64) uint64 {
			return min(v[0]&0xffff, v[1]&0xffff) | min(v[0]>>16, v[1]>>16)<<16
		}},
		{"dp4a.u32.s32 $d, $a, $b, $c", "32 32 32 32", func(v []uint64) uint64 {
			return uint64(num.Dp4a(uint32(v[0]), uint32(v[1]), uint32(v[2]), false, true))
		}},
		{"dp2a.hi.s32.u32 $d, $a, $b, $c", "32 32 32 32", func(v []uint64) uint64 {
			return uint64(num.Dp2a(uint32(v[0]), uint32(v[1]), uint32(v[2]), true, false, true))
		}},
	})
}

func clamp32(v int64) int64 { return max(-1<<31, min(1<<31-1, v)) }

func divU(a, b uint64) uint64 {
	if b == 0 {
		return ^uint64(0)
	}
	return a / b
}

func divU0(a, b uint64) uint64 {
	if b == 0 {
		return 0
	}
	return a / b
}

func divS(a, b int64) uint64 {
	if b == 0 {
		return ^uint64(0)
	}
	return uint64(a / b)
}

// TestCarryChains adds, subtracts and multiplies 128-bit numbers in 32- and
// 64-bit steps.
func TestCarryChains(t *testing.T) {
	checkForms(t, []form{
		{"add.cc.u64 %rd8, $a, $b; addc.u64 $d, $c, $e", "64 64 64 64 64", func(v []uint64) uint64 {
			_, c := bits.Add64(v[0], v[1], 0)
			return v[2] + v[3] + c
		}},
		{"sub.cc.u64 %rd8, $a, $b; subc.u64 $d, $c, $e", "64 64 64 64 64", func(v []uint64) uint64 {
			_, c := bits.Sub64(v[0], v[1], 0)
			return v[2] - v[3] - c
		}},
		// CC.CF holds the carry or the borrow, whichever came last (PTX ISA, "Extended-Precision
		// Integer Arithmetic Instructions").
		{"sub.cc.u32 %r20, $a, $b; addc.u32 $d, 0, 0", "32 32 32", func(v []uint64) uint64 {
			_, c := bits.Sub32(uint32(v[0]), uint32(v[1]), 0)
			return uint64(c)
		}},
		{"add.cc.u32 %r20, $a, $b; subc.u32 $d, 0, 0", "32 32 32", func(v []uint64) uint64 {
			_, c := bits.Add32(uint32(v[0]), uint32(v[1]), 0)
			return uint64(-c)
		}},
		{"add.cc.u32 %r20, $a, $b; addc.cc.u32 %r20, $c, $e; addc.u32 $d, 0, 0", "32 32 32 32 32", func(v []uint64) uint64 {
			return (v[2] + v[3] + (v[0]+v[1])>>32) >> 32
		}},
		{"sub.cc.u32 %r20, $a, $b; subc.cc.u32 $d, $c, $e", "32 32 32 32 32", func(v []uint64) uint64 {
			return v[2] - v[3] - b2u(v[0] < v[1])
		}},
		{"sub.cc.u32 %r20, $a, $b; subc.cc.u32 %r20, $c, $e; subc.u32 $d, 0, 0", "32 32 32 32 32", func(v []uint64) uint64 {
			return -b2u(v[2]<<32|v[0] < v[3]<<32|v[1])
		}},
		{"sub.cc.u64 %rd8, $a, $b; subc.cc.s64 %rd8, $c, $e; subc.u64 $d, 0, 0", "64 64 64 64 64", func(v []uint64) uint64 {
			_, b := bits.Sub64(v[0], v[1], 0)
			_, b = bits.Sub64(v[2], v[3], b)
			return -b
		}},
		{"mad.lo.cc.u32 %r20, $a, $b, $c; madc.lo.cc.u32 $d, $a, $b, $e", "32 32 32 32 32", func(v []uint64) uint64 {
			return v[0]*v[1] + v[3] + (v[0]*v[1]&0xffffffff+v[2])>>32
		}},
		{"mad.lo.cc.u32 %r20, $a, $b, $c; madc.hi.cc.u32 %r20, $a, $b, $e; addc.u32 $d, 0, 0", "32 32 32 32 32", func(v []uint64) uint64 {
			return (v[0]*v[1]>>32 + v[3] + (v[0]*v[1]&0xffffffff+v[2])>>32) >> 32
		}},
		{"mad.lo.cc.u64 %rd8, $a, $b, $c; madc.hi.cc.u64 %rd8, $a, $b, $e; addc.u64 $d, 0, 0", "64 64 64 64 64", func(v []uint64) uint64 {
			hi, lo := bits.Mul64(v[0], v[1])
			_, c := bits.Add64(lo, v[2], 0)
			_, c = bits.Add64(hi, v[3], c)
			return c
		}},
		{"mad.lo.cc.u32 %r20, $a, $b, $c; madc.hi.u32 $d, $a, $b, $e", "32 32 32 32 32", func(v []uint64) uint64 {
			return (v[0]*v[1]+v[2])>>32 + v[3]
		}},
		{"mad.lo.cc.u64 %rd8, $a, $b, $c; madc.hi.u64 $d, $a, $b, $e", "64 64 64 64 64", func(v []uint64) uint64 {
			hi, lo := bits.Mul64(v[0], v[1])
			_, c := bits.Add64(lo, v[2], 0)
			return hi + c + v[3]
		}},
		{"mad.lo.cc.s32 %r20, $a, $b, $c; madc.hi.s32 $d, $a, $b, $e", "32 32 32 32 32", func(v []uint64) uint64 {
			return uint64(s32(v[0])*s32(v[1])>>32) + (v[0]*v[1]&0xffffffff+v[2])>>32 + v[3]
		}},
	})
}

// TestLogicForms runs logic, shifts and bit fields through the emulator.
func TestLogicForms(t *testing.T) {
	w := func(v uint64) uint32 { return uint32(v) }
	checkForms(t, []form{
		{"and.b16 $d, $a, $b", "16 16 16", func(v []uint64) uint64 { return v[0] & v[1] }},
		{"and.b32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return v[0] & v[1] }},
		{"or.b64 $d, $a, $b", "64 64 64", func(v []uint64) uint64 { return v[0] | v[1] }},
		{"or.b32 $d, $a, 0x80000001", "32 32", func(v []uint64) uint64 { return v[0] | 0x80000001 }},
		{"xor.b32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return v[0] ^ v[1] }},
		{"xor.b64 $d, $a, -1", "64 64", func(v []uint64) uint64 { return ^v[0] }},
		{"not.b16 $d, $a", "16 16", func(v []uint64) uint64 { return ^v[0] }},
		{"not.b32 $d, $a", "32 32", func(v []uint64) uint64 { return ^v[0] }},
		{"not.b64 $d, $a", "64 64", func(v []uint64) uint64 { return ^v[0] }},
		{"cnot.b16 $d, $a", "16 16", func(v []uint64) uint64 { return b2u(v[0] == 0) }},
		{"cnot.b64 $d, $a", "64 64", func(v []uint64) uint64 { return b2u(v[0] == 0) }},
		{"shl.b16 $d, $a, $b", "16 16 32", func(v []uint64) uint64 { return v[0] << v[1] }},
		{"shl.b32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return v[0] << v[1] }},
		{"shl.b64 $d, $a, $b", "64 64 32", func(v []uint64) uint64 { return v[0] << v[1] }},
		{"shr.u16 $d, $a, $b", "16 16 32", func(v []uint64) uint64 { return v[0] >> v[1] }},
		{"shr.s16 $d, $a, $b", "16 16 32", func(v []uint64) uint64 { return uint64(s16(v[0]) >> v[1]) }},
		{"shr.b32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return v[0] >> v[1] }},
		{"shr.s32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return uint64(s32(v[0]) >> v[1]) }},
		{"shr.s32 $d, $a, 33", "32 32", func(v []uint64) uint64 { return uint64(s32(v[0]) >> 33) }},
		{"shr.u64 $d, $a, $b", "64 64 32", func(v []uint64) uint64 { return v[0] >> v[1] }},
		{"shr.s64 $d, $a, $b", "64 64 32", func(v []uint64) uint64 { return uint64(s64(v[0]) >> v[1]) }},
		{"shf.l.wrap.b32 $d, $a, $b, $c", "32 32 32 32", func(v []uint64) uint64 { return (v[1]<<32 | v[0]) << (v[2] & 31) >> 32 }},
		{"shf.r.clamp.b32 $d, $a, $b, $c", "32 32 32 32", func(v []uint64) uint64 { return (v[1]<<32 | v[0]) >> min(v[2], 32) }},
		{"popc.b32 $d, $a", "32 32", func(v []uint64) uint64 { return uint64(bits.OnesCount64(v[0])) }},
		{"popc.b64 $d, $a", "32 64", func(v []uint64) uint64 { return uint64(bits.OnesCount64(v[0])) }},
		{"clz.b32 $d, $a", "32 32", func(v []uint64) uint64 { return uint64(bits.LeadingZeros32(w(v[0]))) }},
		{"clz.b64 $d, $a", "32 64", func(v []uint64) uint64 { return uint64(bits.LeadingZeros64(v[0])) }},
		{"brev.b32 $d, $a", "32 32", func(v []uint64) uint64 { return uint64(bits.Reverse32(w(v[0]))) }},
		{"brev.b64 $d, $a", "64 64", func(v []uint64) uint64 { return bits.Reverse64(v[0]) }},
		{"bfind.u32 $d, $a", "32 32", func(v []uint64) uint64 { return uint64(bits.Len64(v[0])) - 1 }},
		{"bfind.shiftamt.u64 $d, $a", "32 64", func(v []uint64) uint64 {
			if v[0] == 0 {
				return ^uint64(0)
			}
			return uint64(bits.LeadingZeros64(v[0]))
		}},
		{"bfind.s32 $d, $a", "32 32", func(v []uint64) uint64 { return uint64(bits.Len32(w(uint64(s32(v[0])^s32(v[0])>>63)))) - 1 }},
		{"fns.b32 $d, $a, $b, $c", "32 32 32 32", func(v []uint64) uint64 { return uint64(num.Fns(w(v[0]), w(v[1]), int32(v[2]))) }},
		{"bfe.u32 $d, $a, $b, $c", "32 32 32 32", func(v []uint64) uint64 { return v[0] >> (v[1] & 255) & (1<<(v[2]&255) - 1) }},
		{"bfe.s32 $d, $a, $b, $c", "32 32 32 32", func(v []uint64) uint64 { return uint64(num.Bfe32(w(v[0]), w(v[1]), w(v[2]), true)) }},
		{"bfe.u64 $d, $a, $b, $c", "64 64 32 32", func(v []uint64) uint64 { return v[0] >> (v[1] & 255) & (1<<(v[2]&255) - 1) }},
		{"bfi.b32 $d, $a, $b, $c, $e", "32 32 32 32 32", func(v []uint64) uint64 { return uint64(num.Bfi32(w(v[0]), w(v[1]), w(v[2]), w(v[3]))) }},
		{"bfi.b64 $d, $a, $b, $c, $e", "64 64 64 32 32", func(v []uint64) uint64 { return num.Bfi64(v[0], v[1], w(v[2]), w(v[3])) }},
		{"bmsk.clamp.b32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return uint64(num.Bmsk(w(v[0]), w(v[1]), true)) }},
		{"szext.wrap.s32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return uint64(num.Szext(w(v[0]), w(v[1]), true, false)) }},
		{"prmt.b32 $d, $a, $b, $c", "32 32 32 32", func(v []uint64) uint64 { return uint64(num.Prmt(w(v[0]), w(v[1]), w(v[2]), num.PrmtIndex)) }},
		{"prmt.b32.rc16 $d, $a, $b, $c", "32 32 32 32", func(v []uint64) uint64 { return uint64(num.Prmt(w(v[0]), w(v[1]), w(v[2]), num.PrmtRC16)) }},
		{"lop3.b32 $d, $a, $b, $c, 0x96", "32 32 32 32", func(v []uint64) uint64 { return v[0] ^ v[1] ^ v[2] }},
		{"lop3.b32 $d, $a, $b, $c, 0xea", "32 32 32 32", func(v []uint64) uint64 { return v[0]&v[1] | v[2] }},
		{"lop3.b32 $d, $a, $b, $c, 0xae", "32 32 32 32", func(v []uint64) uint64 { return ^v[0]&v[1] | v[2] }},
		{"lop3.b32 $d, $a, $b, $c, 0x28", "32 32 32 32", func(v []uint64) uint64 { return (v[0] ^ v[1]) & v[2] }},
		{"lop3.b32 $d, $a, $b, $c, 0xbe", "32 32 32 32", func(v []uint64) uint64 { return v[0] ^ v[1] | v[2] }},
		{"lop3.b32 $d, $a, $b, $c, 0xfe", "32 32 32 32", func(v []uint64) uint64 { return v[0] | v[1] | v[2] }},
		{"and.b32 %r20, $a, $b; setp.eq.u32 $d, %r20, $c", "p 32 32 32", func(v []uint64) uint64 { return b2u(v[0]&v[1] == v[2]) }},
		{"and.b32 %r20, $a, $b; setp.ne.u32 $d, $c, %r20", "p 32 32 32", func(v []uint64) uint64 { return b2u(v[0]&v[1] != v[2]) }},
		{"lop3.and.b32 %r20|$d, $a, $b, $c, 0x80, 1", "p 32 32 32", func(v []uint64) uint64 { return b2u(v[0]&v[1]&v[2] != 0) }},
		{"setp.lt.u32 %p5, $a, $b; setp.lt.u32 %p6, $a, $c; xor.pred $d, %p5, %p6", "p 32 32 32", func(v []uint64) uint64 {
			return b2u(v[0] < v[1] != (v[0] < v[2]))
		}},
		{"setp.lt.u32 %p5, $a, $b; not.pred %p6, %p5; and.pred $d, %p6, %p6", "p 32 32", func(v []uint64) uint64 {
			return b2u(v[0] >= v[1])
		}},
	})
}

package emu

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/num"
)

// f32v and f64v are operands as numbers.
func f32v(v uint64) float64 { return float64(math.Float32frombits(uint32(v))) }

func f64v(v uint64) float64 { return math.Float64frombits(v) }

// bits32 rounds to f32 with the canonical NaN.
func bits32(x float64) uint64 {
	if x != x {
		return 0x7fffffff
	}
	return uint64(math.Float32bits(float32(x)))
}

func bits64(x float64) uint64 {
	if x != x {
		return 0xfff8000000000000
	}
	return math.Float64bits(x)
}

// realTuples draws operands that are mostly ordinary numbers of the forms' types.
func realTuples(f form, n int) [][]uint64 {
	rng := rand.New(rand.NewPCG(uint64(len(f.text)), 5))
	out := tuples(f, n)
	for _, v := range out {
		for k, c := range strings.Fields(f.args)[1:] {
			x := (rng.Float64() - 0.5) * math.Exp2(float64(rng.IntN(16)))
			switch {
			case rng.IntN(4) == 0: // keep the edge
			case c == "f64":
				v[k] = math.Float64bits(x)
			case c == "f32":
				v[k] = uint64(math.Float32bits(float32(x)))
			case c == "16":
				v[k] = num.F16.FromFloat64(x, num.RN)
			case c == "32":
				v[k] = num.F16.FromFloat64(x, num.RN)<<16 | num.F16.FromFloat64(-x/2, num.RN)
			}
		}
	}
	return out
}

func checkReals(t *testing.T, forms []form) {
	t.Helper()
	for _, f := range forms {
		f.check(t, realTuples(f, 128))
	}
}

// TestFloatForms runs f32 and f64 instructions through the emulator. The plain
// ones are compared with the host's arithmetic, those with modifiers with num,
// which has tests against big arithmetic of its own.
func TestFloatForms(t *testing.T) {
	w := func(v uint64) uint32 { return uint32(v) }
	m32 := func(fn func(a, b uint32, m num.Mode) uint32, m num.Mode) func([]uint64) uint64 {
		return func(v []uint64) uint64 { return uint64(fn(w(v[0]), w(v[1]), m)) }
	}
	m64 := func(fn func(a, b uint64, r num.Rounding) uint64, r num.Rounding) func([]uint64) uint64 {
		return func(v []uint64) uint64 { return fn(v[0], v[1], r) }
	}
	checkReals(t, []form{
		{"add.f32 $d, $a, $b", "f32 f32 f32", func(v []uint64) uint64 { return bits32(f32v(v[0]) + f32v(v[1])) }},
		{"add.rn.f32 $d, $a, 0f40490FDB", "f32 f32", func(v []uint64) uint64 { return bits32(f32v(v[0]) + f32v(0x40490fdb)) }},
		{"sub.f32 $d, $a, $b", "f32 f32 f32", func(v []uint64) uint64 { return bits32(f32v(v[0]) - f32v(v[1])) }},
		{"mul.f32 $d, $a, $b", "f32 f32 f32", func(v []uint64) uint64 { return bits32(f32v(v[0]) * f32v(v[1])) }},
		{"fma.rn.f32 $d, $a, $b, $c", "f32 f32 f32 f32", func(v []uint64) uint64 { return uint64(num.Fma32(w(v[0]), w(v[1]), w(v[2]))) }},
		{"mad.rz.f32 $d, $a, $b, $c", "f32 f32 f32 f32", func(v []uint64) uint64 {
			return uint64(num.FmaF32(w(v[0]), w(v[1]), w(v[2]), num.Mode{Round: num.RZ}))
		}},
		{"add.rz.ftz.f32 $d, $a, $b", "f32 f32 f32", m32(num.AddF32, num.Mode{Round: num.RZ, Ftz: true})},
		{"sub.rm.f32 $d, $a, $b", "f32 f32 f32", m32(num.SubF32, num.Mode{Round: num.RM})},
		{"mul.rp.sat.f32 $d, $a, $b", "f32 f32 f32", m32(num.MulF32, num.Mode{Round: num.RP, Sat: true})},
		{"mul.ftz.f32 $d, $a, $b", "f32 f32 f32", m32(num.MulF32, num.Mode{Ftz: true})},
		{"div.rn.f32 $d, $a, $b", "f32 f32 f32", m32(num.DivF32, num.Mode{})},
		{"div.rp.f32 $d, $a, $b", "f32 f32 f32", m32(num.DivF32, num.Mode{Round: num.RP})},
		{"div.full.ftz.f32 $d, $a, $b", "f32 f32 f32", m32(num.DivF32, num.Mode{Ftz: true})},
		{"div.approx.f32 $d, $a, $b", "f32 f32 f32", func(v []uint64) uint64 { return uint64(num.DivApproxF32(w(v[0]), w(v[1]), false)) }},
		{"abs.f32 $d, $a", "f32 f32", func(v []uint64) uint64 { return v[0] & 0x7fffffff }},
		{"neg.f32 $d, $a", "f32 f32", func(v []uint64) uint64 { return v[0] ^ 0x80000000 }},
		{"copysign.f32 $d, $a, $b", "f32 f32 f32", func(v []uint64) uint64 { return v[0]&0x80000000 | v[1]&0x7fffffff }},
		{"min.f32 $d, $a, $b", "f32 f32 f32", func(v []uint64) uint64 { return num.MinMax{}.Select(num.F32, v[0], v[1]) }},
		{"max.ftz.NaN.f32 $d, $a, $b", "f32 f32 f32", func(v []uint64) uint64 {
			return num.MinMax{Max: true, NaN: true, Ftz: true}.Select(num.F32, v[0], v[1])
		}},
		{"min.xorsign.abs.f32 $d, $a, $b", "f32 f32 f32", func(v []uint64) uint64 { return num.MinMax{Xorsign: true}.Select(num.F32, v[0], v[1]) }},
		{"max.f32 $d, $a, $b, $c", "f32 f32 f32 f32", func(v []uint64) uint64 {
			mm := num.MinMax{Max: true}
			return mm.Select(num.F32, mm.Select(num.F32, v[0], v[1]), v[2])
		}},
		{"rcp.rn.f32 $d, $a", "f32 f32", func(v []uint64) uint64 { return bits32(1 / f32v(v[0])) }},
		{"sqrt.rn.f32 $d, $a", "f32 f32", func(v []uint64) uint64 { return bits32(math.Sqrt(f32v(v[0]))) }},
		{"rsqrt.approx.f32 $d, $a", "f32 f32", func(v []uint64) uint64 { return uint64(num.RsqrtF32(w(v[0]), false)) }},
		{"ex2.approx.ftz.f32 $d, $a", "f32 f32", func(v []uint64) uint64 { return uint64(num.Ex2F32(w(v[0]), true)) }},
		{"lg2.approx.f32 $d, $a", "f32 f32", func(v []uint64) uint64 { return bits32(math.Log2(f32v(v[0]))) }},
		{"sin.approx.f32 $d, $a", "f32 f32", func(v []uint64) uint64 { return bits32(math.Sin(f32v(v[0]))) }},
		{"cos.approx.f32 $d, $a", "f32 f32", func(v []uint64) uint64 { return bits32(math.Cos(f32v(v[0]))) }},
		{"tanh.approx.f32 $d, $a", "f32 f32", func(v []uint64) uint64 { return bits32(math.Tanh(f32v(v[0]))) }},
		{"testp.subnormal.f32 $d, $a", "p f32", func(v []uint64) uint64 { m := v[0] & 0x7fffffff; return b2u(m != 0 && m < 0x800000) }},
		{"testp.finite.f64 $d, $a", "p f64", func(v []uint64) uint64 { return b2u(!math.IsInf(f64v(v[0]), 0) && f64v(v[0]) == f64v(v[0])) }},

		{"fma.rz.f32x2 $d, $a, $b, $c", "64 64 64 64", func(v []uint64) uint64 {
			m := num.Mode{Round: num.RZ}
			return uint64(num.FmaF32(w(v[0]>>32), w(v[1]>>32), w(v[2]>>32), m))<<32 | uint64(num.FmaF32(w(v[0]), w(v[1]), w(v[2]), m))
		}},
		{"sub.ftz.f32x2 $d, $a, $b", "64 64 64", func(v []uint64) uint64 {
			m := num.Mode{Ftz: true}
			return uint64(num.SubF32(w(v[0]>>32), w(v[1]>>32), m))<<32 | uint64(num.SubF32(w(v[0]), w(v[1]), m))
		}},

		{"add.f64 $d, $a, $b", "f64 f64 f64", func(v []uint64) uint64 { return bits64(f64v(v[0]) + f64v(v[1])) }},
		{"sub.rn.f64 $d, $a, $b", "f64 f64 f64", func(v []uint64) uint64 { return bits64(f64v(v[0]) - f64v(v[1])) }},
		{"mul.f64 $d, $a, 0d3FE0000000000000", "f64 f64", func(v []uint64) uint64 { return bits64(f64v(v[0]) * 0.5) }},
		{"mul.rz.f64 $d, $a, $b", "f64 f64 f64", m64(num.MulF64, num.RZ)},
		{"add.rm.f64 $d, $a, $b", "f64 f64 f64", m64(num.AddF64, num.RM)},
		{"div.rp.f64 $d, $a, $b", "f64 f64 f64", m64(num.DivF64, num.RP)},
		{"fma.rn.f64 $d, $a, $b, $c", "f64 f64 f64 f64", func(v []uint64) uint64 { return bits64(math.FMA(f64v(v[0]), f64v(v[1]), f64v(v[2]))) }},
		{"fma.rp.f64 $d, $a, $b, $c", "f64 f64 f64 f64", func(v []uint64) uint64 { return num.FmaF64(v[0], v[1], v[2], num.RP) }},
		{"abs.f64 $d, $a", "f64 f64", func(v []uint64) uint64 { return v[0] &^ (1 << 63) }},
		{"neg.f64 $d, $a", "f64 f64", func(v []uint64) uint64 { return v[0] ^ 1<<63 }},
		{"copysign.f64 $d, $a, $b", "f64 f64 f64", func(v []uint64) uint64 { return v[0]&(1<<63) | v[1]&^(1<<63) }},
		{"min.f64 $d, $a, $b", "f64 f64 f64", func(v []uint64) uint64 { return num.MinMax{}.Select(num.F64, v[0], v[1]) }},
		{"max.f64 $d, $a, $b", "f64 f64 f64", func(v []uint64) uint64 { return num.MinMax{Max: true}.Select(num.F64, v[0], v[1]) }},
		{"rcp.rn.f64 $d, $a", "f64 f64", func(v []uint64) uint64 { return bits64(1 / f64v(v[0])) }},
		{"rcp.approx.ftz.f64 $d, $a", "f64 f64", func(v []uint64) uint64 { return num.RcpApproxF64(v[0]) }},
		{"sqrt.rm.f64 $d, $a", "f64 f64", func(v []uint64) uint64 { return num.SqrtF64(v[0], num.RM) }},
		{"rsqrt.approx.ftz.f64 $d, $a", "f64 f64", func(v []uint64) uint64 { return num.RsqrtApproxF64(v[0]) }},
	})
}

// TestHalfForms runs f16 and bf16 instructions through the emulator.
func TestHalfForms(t *testing.T) {
	bin := func(fn func(a, b uint32, m num.Mode) uint32, m num.Mode) func([]uint64) uint64 {
		return func(v []uint64) uint64 { return uint64(fn(uint32(v[0]), uint32(v[1]), m)) }
	}
	pair := func(fn func(a, b uint32, m num.Mode) uint32, m num.Mode) func([]uint64) uint64 {
		return func(v []uint64) uint64 {
			lo := fn(uint32(v[0]&0xffff), uint32(v[1]&0xffff), m)
			hi := fn(uint32(v[0]>>16), uint32(v[1]>>16), m)
			return uint64(hi)<<16 | uint64(lo)
		}
	}
	f16, bf16 := num.F16, num.BF16
	checkReals(t, []form{
		{"add.f16 $d, $a, $b", "16 16 16", bin(f16.Add, num.Mode{})},
		{"add.rn.ftz.sat.f16 $d, $a, $b", "16 16 16", bin(f16.Add, num.Mode{Ftz: true, Sat: true})},
		{"sub.f16 $d, $a, $b", "16 16 16", bin(f16.Sub, num.Mode{})},
		{"mul.f16 $d, $a, $b", "16 16 16", bin(f16.Mul, num.Mode{})},
		{"add.bf16 $d, $a, $b", "16 16 16", bin(bf16.Add, num.Mode{})},
		{"mul.bf16x2 $d, $a, $b", "32 32 32", pair(bf16.Mul, num.Mode{})},
		{"add.f16x2 $d, $a, $b", "32 32 32", pair(f16.Add, num.Mode{})},
		{"sub.ftz.f16x2 $d, $a, $b", "32 32 32", pair(f16.Sub, num.Mode{Ftz: true})},
		{"fma.rn.f16 $d, $a, $b, $c", "16 16 16 16", func(v []uint64) uint64 {
			return uint64(f16.Fma(uint32(v[0]), uint32(v[1]), uint32(v[2]), num.Mode{}))
		}},
		{"fma.rn.relu.bf16 $d, $a, $b, $c", "16 16 16 16", func(v []uint64) uint64 {
			return bf16.Relu(uint64(bf16.Fma(uint32(v[0]), uint32(v[1]), uint32(v[2]), num.Mode{})))
		}},
		{"fma.rn.f16x2 $d, $a, $b, $c", "32 32 32 32", func(v []uint64) uint64 {
			lo := f16.Fma(uint32(v[0]&0xffff), uint32(v[1]&0xffff), uint32(v[2]&0xffff), num.Mode{})
			hi := f16.Fma(uint32(v[0]>>16), uint32(v[1]>>16), uint32(v[2]>>16), num.Mode{})
			return uint64(hi)<<16 | uint64(lo)
		}},
		{"fma.rn.f32.f16 $d, $a, $b, $c", "f32 16 16 f32", func(v []uint64) uint64 {
			a, b := float32(f16.Float64(v[0])), float32(f16.Float64(v[1]))
			return uint64(num.Fma32(math.Float32bits(a), math.Float32bits(b), uint32(v[2])))
		}},
		{"abs.f16x2 $d, $a", "32 32", func(v []uint64) uint64 { return v[0] & 0x7fff7fff }},
		{"neg.bf16 $d, $a", "16 16", func(v []uint64) uint64 { return v[0] ^ 0x8000 }},
		{"min.f16 $d, $a, $b", "16 16 16", func(v []uint64) uint64 { return num.MinMax{}.Select(f16, v[0], v[1]) }},
		{"max.NaN.bf16 $d, $a, $b", "16 16 16", func(v []uint64) uint64 { return num.MinMax{Max: true, NaN: true}.Select(bf16, v[0], v[1]) }},
		{"ex2.approx.f16 $d, $a", "16 16", func(v []uint64) uint64 { return f16.FromFloat64(math.Exp2(f16.Float64(v[0])), num.RN) }},
		{"tanh.approx.bf16 $d, $a", "16 16", func(v []uint64) uint64 { return bf16.FromFloat64(math.Tanh(bf16.Float64(v[0])), num.RN) }},
	})
}

// TestCompareForms runs set, setp, selp and slct through the emulator.
func TestCompareForms(t *testing.T) {
	var forms []form
	ints := map[string]func(a, b int64) bool{
		"eq": func(a, b int64) bool { return a == b }, "ne": func(a, b int64) bool { return a != b }, "lt": func(a, b int64) bool { return a < b },
		"le": func(a, b int64) bool { return a <= b }, "gt": func(a, b int64) bool { return a > b }, "ge": func(a, b int64) bool { return a >= b },
	}
	for _, op := range []string{"eq", "ne", "lt", "le", "gt", "ge"} {
		cmp := ints[op]
		forms = append(forms,
			form{"setp." + op + ".s16 $d, $a, $b", "p 16 16", func(v []uint64) uint64 { return b2u(cmp(s16(v[0]), s16(v[1]))) }},
			form{"setp." + op + ".u16 $d, $a, $b", "p 16 16", func(v []uint64) uint64 { return b2u(cmp(int64(v[0]), int64(v[1]))) }},
			form{"setp." + op + ".s32 $d, $a, $b", "p 32 32", func(v []uint64) uint64 { return b2u(cmp(s32(v[0]), s32(v[1]))) }},
			form{"setp." + op + ".u32 $d, $a, $b", "p 32 32", func(v []uint64) uint64 { return b2u(cmp(int64(v[0]), int64(v[1]))) }},
			form{"setp." + op + ".s64 $d, $a, $b", "p 64 64", func(v []uint64) uint64 { return b2u(cmp(s64(v[0]), s64(v[1]))) }},
			form{"setp." + op + ".u64 $d, $a, $b", "p 64 64", func(v []uint64) uint64 { return b2u(cmp(s64(v[0]^1<<63), s64(v[1]^1<<63))) }},
		)
	}
	forms = append(forms,
		form{"setp.lo.u32 $d, $a, $b", "p 32 32", func(v []uint64) uint64 { return b2u(v[0] < v[1]) }},
		form{"setp.hs.u64 $d, $a, $b", "p 64 64", func(v []uint64) uint64 { return b2u(v[0] >= v[1]) }},
		form{"setp.eq.s32 %p5, $c, 0; setp.lt.or.s32 $d, $a, $b, %p5", "p 32 32 32", func(v []uint64) uint64 {
			return b2u(s32(v[0]) < s32(v[1]) || v[2] == 0)
		}},
		form{"setp.eq.s32 %p5, $c, 0; setp.lt.xor.s32 %p6|$d, $a, $b, !%p5", "p 32 32 32", func(v []uint64) uint64 {
			return b2u(s32(v[0]) >= s32(v[1]) != (v[2] != 0))
		}},
		form{"setp.eq.s32 %p5, $c, 0; setp.lt.and.s32 %p6|$d, $a, $b, %p5", "p 32 32 32", func(v []uint64) uint64 {
			return b2u(s32(v[0]) >= s32(v[1]) && v[2] == 0)
		}},
		form{"setp.gt.u32 %p5|$d, $a, $b", "p 32 32", func(v []uint64) uint64 { return b2u(v[0] <= v[1]) }},
		form{"set.lt.u32.s32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 { return -b2u(s32(v[0]) < s32(v[1])) }},
		form{"set.ge.f32.u64 $d, $a, $b", "f32 64 64", func(v []uint64) uint64 { return 0x3f800000 * b2u(v[0] >= v[1]) }},
		form{"setp.ne.u32 %p5, $c, 0; selp.b32 $d, $a, $b, %p5", "32 32 32 32", func(v []uint64) uint64 {
			if v[2] != 0 {
				return v[0]
			}
			return v[1]
		}},
		form{"setp.ne.u32 %p5, $c, 0; selp.f64 $d, $a, $b, %p5", "f64 f64 f64 32", func(v []uint64) uint64 {
			if v[2] != 0 {
				return v[0]
			}
			return v[1]
		}},
		form{"slct.u64.s32 $d, $a, $b, $c", "64 64 64 32", func(v []uint64) uint64 {
			if s32(v[2]) >= 0 {
				return v[0]
			}
			return v[1]
		}},
		form{"slct.f32.f32 $d, $a, $b, $c", "f32 f32 f32 f32", func(v []uint64) uint64 {
			if f32v(v[2]) >= 0 {
				return v[0]
			}
			return v[1]
		}},
	)
	checkForms(t, forms)

	var reals []form
	for _, op := range []string{"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"} {
		c, _ := num.CmpOf(op)
		reals = append(reals,
			form{"setp." + op + ".f32 $d, $a, $b", "p f32 f32", func(v []uint64) uint64 { return b2u(num.Compare(c, f32v(v[0]), f32v(v[1]))) }},
			form{"setp." + op + ".f64 $d, $a, $b", "p f64 f64", func(v []uint64) uint64 { return b2u(num.Compare(c, f64v(v[0]), f64v(v[1]))) }},
			form{"setp." + op + ".f16 $d, $a, $b", "p 16 16", func(v []uint64) uint64 {
				return b2u(num.Compare(c, num.F16.Float64(v[0]), num.F16.Float64(v[1])))
			}},
		)
	}
	reals = append(reals,
		form{"setp.eq.ftz.f32 $d, $a, $b", "p f32 f32", func(v []uint64) uint64 {
			return b2u(f32v(uint64(num.Ftz32(uint32(v[0])))) == f32v(uint64(num.Ftz32(uint32(v[1])))))
		}},
		form{"setp.lt.f16x2 %p5|$d, $a, $b", "p 32 32", func(v []uint64) uint64 {
			return b2u(num.F16.Float64(v[0]>>16) < num.F16.Float64(v[1]>>16))
		}},
		form{"set.le.f16x2.f16x2 $d, $a, $b", "32 32 32", func(v []uint64) uint64 {
			return 0x3c00*b2u(num.F16.Float64(v[0]&0xffff) <= num.F16.Float64(v[1]&0xffff)) |
				0x3c000000*b2u(num.F16.Float64(v[0]>>16) <= num.F16.Float64(v[1]>>16))
		}},
	)
	checkReals(t, reals)
}

// TestConvertForms runs cvt through the emulator: registers wider than the types
// are extended as the destination type says.
func TestConvertForms(t *testing.T) {
	checkForms(t, []form{
		{"cvt.u64.u32 $d, $a", "64 32", func(v []uint64) uint64 { return v[0] }},
		{"cvt.s64.s32 $d, $a", "64 32", func(v []uint64) uint64 { return uint64(s32(v[0])) }},
		{"cvt.u32.u64 $d, $a", "32 64", func(v []uint64) uint64 { return v[0] }},
		{"cvt.u16.u32 $d, $a", "16 32", func(v []uint64) uint64 { return v[0] }},
		{"cvt.u16.u64 $d, $a", "16 64", func(v []uint64) uint64 { return v[0] }},
		{"cvt.s32.s16 $d, $a", "32 16", func(v []uint64) uint64 { return uint64(s16(v[0])) }},
		{"cvt.u32.u16 $d, $a", "32 16", func(v []uint64) uint64 { return v[0] }},
		{"cvt.u32.u8 $d, $a", "32 16", func(v []uint64) uint64 { return v[0] & 0xff }},
		{"cvt.s32.s8 $d, $a", "32 32", func(v []uint64) uint64 { return uint64(int64(int8(v[0]))) }},
		{"cvt.s8.s32 $d, $a", "16 32", func(v []uint64) uint64 { return uint64(int64(int8(v[0]))) }},
		{"cvt.s8.s32 %h5, $a; cvt.u32.u16 $d, %h5", "32 32", func(v []uint64) uint64 { return uint64(int64(int8(v[0]))) & 0xffff }},
		{"cvt.s8.s64 %h5, $a; cvt.u32.u16 $d, %h5", "32 64", func(v []uint64) uint64 { return uint64(int64(int8(v[0]))) & 0xffff }},
		{"cvt.s64.s8 $d, $a", "64 64", func(v []uint64) uint64 { return uint64(int64(int8(v[0]))) }},
		{"cvt.u8.u32 $d, $a", "32 32", func(v []uint64) uint64 { return v[0] & 0xff }},
		{"cvt.sat.u8.s32 $d, $a", "32 32", func(v []uint64) uint64 { return uint64(max(0, min(255, s32(v[0])))) }},
		{"cvt.sat.s16.s32 $d, $a", "16 32", func(v []uint64) uint64 { return uint64(max(-1<<15, min(1<<15-1, s32(v[0])))) }},
		{"cvt.sat.s32.u32 $d, $a", "32 32", func(v []uint64) uint64 { return min(v[0], 1<<31-1) }},
		{"cvt.rn.f32.s32 $d, $a", "f32 32", func(v []uint64) uint64 { return uint64(math.Float32bits(float32(int32(v[0])))) }},
		{"cvt.rn.f32.u32 $d, $a", "f32 32", func(v []uint64) uint64 { return uint64(math.Float32bits(float32(uint32(v[0])))) }},
		{"cvt.rn.f32.u64 $d, $a", "f32 64", func(v []uint64) uint64 { return uint64(math.Float32bits(float32(v[0]))) }},
		{"cvt.rn.f32.s64 $d, $a", "f32 64", func(v []uint64) uint64 { return uint64(math.Float32bits(float32(int64(v[0])))) }},
		{"cvt.rn.f64.s64 $d, $a", "f64 64", func(v []uint64) uint64 { return math.Float64bits(float64(int64(v[0]))) }},
		{"cvt.rn.f64.u32 $d, $a", "f64 32", func(v []uint64) uint64 { return math.Float64bits(float64(v[0])) }},
		{"cvt.rz.f32.u32 $d, $a", "f32 32", func(v []uint64) uint64 { return num.F32.FromInt(v[0], false, num.RZ) }},
		{"cvt.rn.f16.s16 $d, $a", "16 16", func(v []uint64) uint64 { return num.F16.FromFloat64(float64(s16(v[0])), num.RN) }},
		{"cvt.pack.sat.s16.s32 $d, $a, $b", "32 32 32", func(v []uint64) uint64 {
			c := func(x uint64) uint64 { return uint64(max(-1<<15, min(1<<15-1, s32(x)))) & 0xffff }
			return c(v[0])<<16 | c(v[1])
		}},
		{"cvt.pack.sat.u8.s32.b32 $d, $a, $b, $c", "32 32 32 32", func(v []uint64) uint64 {
			c := func(x uint64) uint64 { return uint64(max(0, min(255, s32(x)))) }
			return v[2]<<16 | c(v[0])<<8 | c(v[1])
		}},
	})
	checkReals(t, []form{
		{"cvt.rzi.s32.f32 $d, $a", "32 f32", func(v []uint64) uint64 {
			x := f32v(v[0])
			if x != x {
				return 0
			}
			return uint64(int64(max(-1<<31, min(1<<31-1, math.Trunc(x)))))
		}},
		{"cvt.rni.u32.f32 $d, $a", "32 f32", func(v []uint64) uint64 {
			x := f32v(v[0])
			if x != x {
				return 0
			}
			return uint64(max(0, min(1<<32-1, math.RoundToEven(x))))
		}},
		{"cvt.rmi.s64.f64 $d, $a", "64 f64", func(v []uint64) uint64 {
			x := math.Floor(f64v(v[0]))
			switch {
			case x != x || x <= -1<<63:
				return 1 << 63
			case x >= 1<<63:
				return 1<<63 - 1
			}
			return uint64(int64(x))
		}},
		{"cvt.rzi.u8.f32 $d, $a", "32 f32", func(v []uint64) uint64 {
			x := f32v(v[0])
			if x != x {
				return 0
			}
			return uint64(max(0, min(255, math.Trunc(x))))
		}},
		{"cvt.rpi.f32.f32 $d, $a", "f32 f32", func(v []uint64) uint64 { return bits32(math.Ceil(f32v(v[0]))) }},
		{"cvt.rni.f64.f64 $d, $a", "f64 f64", func(v []uint64) uint64 { return bits64(math.RoundToEven(f64v(v[0]))) }},
		{"cvt.f64.f32 $d, $a", "f64 f32", func(v []uint64) uint64 { return bits64(f32v(v[0])) }},
		{"cvt.rn.f32.f64 $d, $a", "f32 f64", func(v []uint64) uint64 { return bits32(f64v(v[0])) }},
		{"cvt.rm.f32.f64 $d, $a", "f32 f64", func(v []uint64) uint64 {
			return num.FloatCvt{Mode: num.Mode{Round: num.RM}}.Convert(num.F64, num.F32, v[0])
		}},
		{"cvt.sat.f32.f32 $d, $a", "f32 f32", func(v []uint64) uint64 {
			if x := f32v(v[0]); x > 0 {
				return bits32(min(x, 1))
			}
			return 0
		}},
		{"cvt.rn.f16.f32 $d, $a", "16 f32", func(v []uint64) uint64 { return num.F16.FromFloat64(f32v(v[0]), num.RN) }},
		{"cvt.f32.f16 $d, $a", "f32 16", func(v []uint64) uint64 { return bits32(num.F16.Float64(v[0])) }},
		{"cvt.f32.bf16 $d, $a", "f32 16", func(v []uint64) uint64 { return bits32(num.BF16.Float64(v[0])) }},
		{"cvt.rn.relu.bf16.f32 $d, $a", "16 f32", func(v []uint64) uint64 { return num.BF16.Relu(num.BF16.FromFloat64(f32v(v[0]), num.RN)) }},
		{"cvt.rn.f16x2.f32 $d, $a, $b", "32 f32 f32", func(v []uint64) uint64 {
			return num.F16.FromFloat64(f32v(v[0]), num.RN)<<16 | num.F16.FromFloat64(f32v(v[1]), num.RN)
		}},
		{"cvt.rn.satfinite.e4m3x2.f32 $d, $a, $b", "16 f32 f32", func(v []uint64) uint64 {
			c := num.FloatCvt{SatFinite: true}
			return c.Convert(num.F32, num.E4M3, v[0])<<8 | c.Convert(num.F32, num.E4M3, v[1])
		}},
		{"cvt.rn.f16x2.e5m2x2 $d, $a", "32 16", func(v []uint64) uint64 {
			half := func(x uint64) uint64 { // e5m2 is the upper half of f16
				if x&0x7f > 0x7c {
					return 0x7fff
				}
				return x << 8
			}
			return half(v[0]>>8)<<16 | half(v[0]&0xff)
		}},
		{"cvt.rna.tf32.f32 $d, $a", "32 f32", func(v []uint64) uint64 { return num.TF32.FromFloat64(f32v(v[0]), num.RNA) }},
	})
}

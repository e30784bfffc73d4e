package emu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/num"
)

// TestHalfTies: f16 and bf16 arithmetic, and conversions, round correctly where a result lies in the middle between two
// numbers, or a little beside it; and comparisons. The reference is num, which has tests against big arithmetic of its
// own.
func TestHalfTies(t *testing.T) {
	tuples := 1 << 14
	if testing.Short() {
		tuples = 1 << 11
	}
	for name, f := range map[string]*num.Format{"f16": num.F16, "bf16": num.BF16} {
		r := rand.New(rand.NewPCG(7, uint64(len(name))))
		var numbers, pairs, halves, singles, both [][]uint64
		for range tuples {
			v, w := halfTie(r, f), halfTie(r, f)
			numbers = append(numbers, v)
			pairs = append(pairs, []uint64{w[0]<<16 | v[0], w[1]<<16 | v[1], w[2]<<16 | v[2]})
			halves = append(halves, v[:1])
			x, y := singleTie(r, f), singleTie(r, f)
			singles, both = append(singles, []uint64{x}), append(both, []uint64{x, y})
		}
		for op, fn := range map[string]func(v []uint32) uint32{
			"add":    func(v []uint32) uint32 { return f.Add(v[0], v[2], num.Mode{}) },
			"sub":    func(v []uint32) uint32 { return f.Sub(v[0], v[2], num.Mode{}) },
			"mul":    func(v []uint32) uint32 { return f.Mul(v[0], v[1], num.Mode{}) },
			"fma.rn": func(v []uint32) uint32 { return f.Fma(v[0], v[1], v[2], num.Mode{}) },
			"min":    func(v []uint32) uint32 { return uint32(num.MinMax{}.Select(f, uint64(v[0]), uint64(v[1]))) },
			"neg":    func(v []uint32) uint32 { return f.Neg(v[0]) },
			"abs":    func(v []uint32) uint32 { return f.Abs(v[0]) },
			"max":    func(v []uint32) uint32 { return uint32(num.MinMax{Max: true}.Select(f, uint64(v[0]), uint64(v[1]))) },
		} {
			operands := map[string]string{"add": "$a, $c", "sub": "$a, $c", "fma.rn": "$a, $b, $c", "neg": "$a", "abs": "$a"}[op]
			if operands == "" {
				operands = "$a, $b"
			}
			one := func(v []uint64, shift uint) uint64 {
				return uint64(fn([]uint32{uint32(v[0] >> shift & 0xffff), uint32(v[1] >> shift & 0xffff), uint32(v[2] >> shift & 0xffff)}))
			}
			form{fmt.Sprintf("%s.%s $d, %s", op, name, operands), "16 16 16 16", func(v []uint64) uint64 { return one(v, 0) }}.check(t, numbers)
			form{fmt.Sprintf("%s.%sx2 $d, %s", op, name, operands), "32 32 32 32", func(v []uint64) uint64 { return one(v, 16)<<16 | one(v, 0) }}.check(t, pairs)
		}
		for op, holds := range comparisonsOfReals {
			form{fmt.Sprintf("setp.%s.%s $d, $a, $b", op, name), "p 16 16 16", func(v []uint64) uint64 { return b2u(holds(f.Float64(v[0]), f.Float64(v[1]))) }}.check(t, numbers)
		}
		narrow := func(v uint64) uint64 { return f.FromFloat64(num.F32.Float64(v), num.RN) }
		form{fmt.Sprintf("cvt.rn.%s.f32 $d, $a", name), "16 f32", func(v []uint64) uint64 { return narrow(v[0]) }}.check(t, singles)
		form{fmt.Sprintf("cvt.rn.%sx2.f32 $d, $a, $b", name), "32 f32 f32", func(v []uint64) uint64 { return narrow(v[0])<<16 | narrow(v[1]) }}.check(t, both)
		form{fmt.Sprintf("cvt.f32.%s $d, $a", name), "f32 16", func(v []uint64) uint64 { return num.F32.FromFloat64(f.Float64(v[0]), num.RN) }}.check(t, halves)
	}
}

// comparisonsOfReals are those of setp (PTX ISA, "Floating-Point Comparisons").
var comparisonsOfReals = map[string]func(x, y float64) bool{
	"eq": func(x, y float64) bool { return x == y }, "ne": func(x, y float64) bool { return x < y || x > y },
	"lt": func(x, y float64) bool { return x < y }, "le": func(x, y float64) bool { return x <= y },
	"gt": func(x, y float64) bool { return x > y }, "ge": func(x, y float64) bool { return x >= y },
	"equ": func(x, y float64) bool { return !(x < y || x > y) }, "neu": func(x, y float64) bool { return x != y },
	"ltu": func(x, y float64) bool { return !(x >= y) }, "leu": func(x, y float64) bool { return !(x > y) },
	"gtu": func(x, y float64) bool { return !(x <= y) }, "geu": func(x, y float64) bool { return !(x < y) },
	"num": func(x, y float64) bool { return !math.IsNaN(x) && !math.IsNaN(y) },
	"nan": func(x, y float64) bool { return math.IsNaN(x) || math.IsNaN(y) },
}

// halfTie is three numbers a, b and c of a format: any ones, with few bits of mantissa as often as with all, and c
// often such that a*b+c is near the middle between two numbers.
func halfTie(r *rand.Rand, f *num.Format) []uint64 {
	v := []uint64{half(r), half(r), half(r)}
	if r.IntN(2) == 0 {
		middle := f.Float64(half(r)) * (1 + 1/float64(uint64(2)<<r.IntN(12)))
		v[2] = f.FromFloat64(middle-f.Float64(v[0])*f.Float64(v[1]), num.RN) + uint64(r.IntN(3)) - 1
		v[2] &= 0xffff
	}
	return v
}

// half is 16 bits, the lower ones of which are often equal.
func half(r *rand.Rand) uint64 {
	v := r.Uint64() & 0xffff
	if r.IntN(2) == 0 {
		low := uint64(1)<<r.IntN(12) - 1
		v &^= low
		v |= -uint64(r.IntN(2)) & low
	}
	return v
}

// singleTie is an f32 that is near the middle between two numbers of a format.
func singleTie(r *rand.Rand, f *num.Format) uint64 {
	bits := num.F32.FromFloat64(f.Float64(half(r)), num.RN)
	return bits + uint64(1)<<r.IntN(24) + uint64(r.IntN(3)) - 1
}

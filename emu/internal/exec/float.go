// Floating-point arithmetic, including half precision and packed types.

package exec

import (
	"math"

	"github.com/ptxsan/ptxsan/emu/internal/async"
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/mma"
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semFloat is the semantics of single- and double-precision arithmetic (PTX ISA, "Floating Point Instructions").
// decodeArith dispatches add, sub, mul, mad, div, min, max, abs and neg to it.
var semFloat = map[string]state.DecodeFunc{
	"fma":      decodeArith,
	"rcp":      decodeFloat,
	"sqrt":     decodeFloat,
	"rsqrt":    decodeFloat,
	"sin":      decodeFloat,
	"cos":      decodeFloat,
	"lg2":      decodeFloat,
	"ex2":      decodeArith,
	"tanh":     decodeArith,
	"copysign": decodeFloat,
	"testp":    decodeTestp,
}

// decodeFloat decodes an instruction on f32 or f64.
func decodeFloat(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	if len(in.Types) > 1 {
		return decodeMixed(d, in)
	}
	name := in.Instr.Name
	body := floatBody32(name, in)
	if in.Type(0) == isa.F64 {
		body = floatBody64(name, in)
	}
	if name == "min" || name == "max" {
		return chain(d, in, body)
	}
	return decode.Simple(d, in, body)
}

// floatBody32 returns the body of an f32 instruction, nil if there is none.
func floatBody32(name string, in *rewrite.Inst) state.BodyFunc {
	m := mma.Mode(in)
	plain := m == num.Mode{}
	switch name {
	case "add":
		if plain {
			return execAddF32
		}
		return map2(func(a, b uint32) uint32 { return num.AddF32(a, b, m) })
	case "sub":
		if plain {
			return execSubF32
		}
		return map2(func(a, b uint32) uint32 { return num.SubF32(a, b, m) })
	case "mul":
		if plain {
			return execMulF32
		}
		return map2(func(a, b uint32) uint32 { return num.MulF32(a, b, m) })
	case "fma", "mad":
		if plain {
			return execFmaF32
		}
		return map3(func(a, b, c uint32) uint32 { return num.FmaF32(a, b, c, m) })
	case "div":
		if in.Has("approx") {
			return map2(func(a, b uint32) uint32 { return num.DivApproxF32(a, b, m.Ftz) })
		}
		return map2(func(a, b uint32) uint32 { return num.DivF32(a, b, m) })
	case "min", "max":
		mm := minMax(in)
		return map2(func(a, b uint32) uint32 { return uint32(mm.Select(num.F32, uint64(a), uint64(b))) })
	case "abs":
		return map1(func(a uint32) uint32 { return num.AbsF32(a, m.Ftz) })
	case "neg":
		return map1(func(a uint32) uint32 { return num.NegF32(a, m.Ftz) })
	case "copysign":
		return map2(num.CopysignF32)
	case "rcp":
		return map1(func(a uint32) uint32 { return num.RcpF32(a, m) })
	case "sqrt":
		return map1(func(a uint32) uint32 { return num.SqrtF32(a, m) })
	case "tanh":
		return map1(num.TanhF32)
	}
	if in.Has("2pi") {
		name += ".2pi"
	}
	if fn, ok := approximations[name]; ok {
		return map1(func(a uint32) uint32 { return fn(a, m.Ftz) })
	}
	return nil
}

// approximations are the f32 functions that exist only as .approx.
var approximations = map[string]func(a uint32, ftz bool) uint32{
	"rsqrt":   num.RsqrtF32,
	"sin":     num.SinF32,
	"cos":     num.CosF32,
	"sin.2pi": num.SinTurnsF32,
	"cos.2pi": num.CosTurnsF32,
	"lg2":     num.Lg2F32,
	"ex2":     num.Ex2F32,
}

// floatBody64 returns the body of an f64 instruction, nil if there is none.
func floatBody64(name string, in *rewrite.Inst) state.BodyFunc {
	r := mma.Mode(in).Round
	switch name {
	case "add":
		return map2(func(a, b uint64) uint64 { return num.AddF64(a, b, r) })
	case "sub":
		return map2(func(a, b uint64) uint64 { return num.SubF64(a, b, r) })
	case "mul":
		return map2(func(a, b uint64) uint64 { return num.MulF64(a, b, r) })
	case "fma", "mad":
		return map3(func(a, b, c uint64) uint64 { return num.FmaF64(a, b, c, r) })
	case "div":
		return map2(func(a, b uint64) uint64 { return num.DivF64(a, b, r) })
	case "min", "max":
		mm := minMax(in)
		return map2(func(a, b uint64) uint64 { return mm.Select(num.F64, a, b) })
	case "abs":
		return map1(func(a uint64) uint64 { return a &^ (1 << 63) })
	case "neg":
		return map1(func(a uint64) uint64 { return a ^ 1<<63 })
	case "copysign":
		return map2(num.CopysignF64)
	case "rcp":
		if in.Has("approx") {
			return map1(num.RcpApproxF64)
		}
		return map1(func(a uint64) uint64 { return num.RcpF64(a, r) })
	case "sqrt":
		return map1(func(a uint64) uint64 { return num.SqrtF64(a, r) })
	case "rsqrt":
		if in.Has("ftz") {
			return map1(num.RsqrtApproxF64)
		}
		return map1(num.RsqrtF64)
	}
	return nil
}

// decodePairF32 decodes add, sub, mul and fma on f32x2: both halves of 64 bits.
func decodePairF32(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	m := mma.Mode(in)
	pair := func(fn func(a, b uint32, m num.Mode) uint32) (state.Inst, error) {
		return decode.Simple(d, in, map2(func(a, b uint64) uint64 {
			return uint64(fn(uint32(a>>32), uint32(b>>32), m))<<32 | uint64(fn(uint32(a), uint32(b), m))
		}))
	}
	switch in.Instr.Name {
	case "add":
		return pair(num.AddF32)
	case "sub":
		return pair(num.SubF32)
	case "mul":
		return pair(num.MulF32)
	case "fma":
		return decode.Simple(d, in, map3(func(a, b, c uint64) uint64 {
			return uint64(num.FmaF32(uint32(a>>32), uint32(b>>32), uint32(c>>32), m))<<32 |
				uint64(num.FmaF32(uint32(a), uint32(b), uint32(c), m))
		}))
	}
	return decode.Simple(d, in, nil)
}

// minMax returns the behaviour that the modifiers of min and max specify.
func minMax(in *rewrite.Inst) num.MinMax {
	return num.MinMax{
		Max: in.Instr.Name == "max", NaN: in.Has("NaN"), Abs: in.Has("abs"), Xorsign: in.Has("xorsign"),
		Ftz: in.Has("ftz"),
	}
}

// decodeMixed decodes add, sub and fma on f32 with f16 or bf16 operands, which are widened first; that is exact.
func decodeMixed(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	f, m := async.HalfFormat(in.Type(1)), mma.Mode(in)
	if f == nil || in.Type(0) != isa.F32 {
		return decode.Simple(d, in, nil)
	}
	widen := func(a uint32) uint32 {
		return uint32(num.FloatCvt{}.Convert(f, num.F32, uint64(a&0xffff)))
	}
	switch in.Instr.Name {
	case "add":
		return decode.Simple(d, in, map2(func(a, c uint32) uint32 { return num.AddF32(widen(a), c, m) }))
	case "sub":
		return decode.Simple(d, in, map2(func(a, c uint32) uint32 { return num.SubF32(widen(a), c, m) }))
	case "fma":
		return decode.Simple(d, in, map3(func(a, b, c uint32) uint32 { return num.FmaF32(widen(a), widen(b), c, m) }))
	}
	return decode.Simple(d, in, nil)
}

var properties = map[string]num.Property{
	"finite": num.Finite, "infinite": num.Infinite, "number": num.Number,
	"notanumber": num.NotANumber, "normal": num.Normal, "subnormal": num.Subnormal,
}

// decodeTestp decodes testp.
func decodeTestp(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	var prop num.Property
	for _, s := range in.Mods {
		if p, ok := properties[s]; ok {
			prop = p
		}
	}
	if in.Type(0) == isa.F64 {
		return decode.Simple(d, in, testBody(func(v uint64) bool { return prop.Test(num.F64, v) }))
	}
	return decode.Simple(d, in, testBody(func(v uint32) bool { return prop.Test(num.F32, uint64(v)) }))
}

func testBody[T uint32 | uint64](test func(T) bool) state.BodyFunc {
	return func(x *state.Engine, in *state.Inst, m state.Lanes) {
		d, a := x.Frame.P(in.D), decode.View[T](x.Frame, in.A)
		for ; m != 0; m &= m - 1 {
			i := m.First()
			*d &^= 1 << i
			if test(a[i]) {
				*d |= 1 << i
			}
		}
	}
}

// halfOf returns the type of one half of a packed type.
func halfOf(t isa.Type) isa.Type {
	switch t {
	case isa.F16x2:
		return isa.F16
	case isa.BF16x2:
		return isa.BF16
	}
	return t
}

// decodeHalf decodes an instruction on f16, bf16, f16x2 or bf16x2.
func decodeHalf(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	t := in.Type(0)
	f := async.HalfFormat(t)
	if f == nil || len(in.Types) > 1 {
		return decode.Simple(d, in, nil)
	}
	packed := t.Lanes() == 2
	if fn := halfUnary(f, in); fn != nil {
		if packed {
			one := fn
			fn = func(v uint32) uint32 { return one(v&0xffff) | one(v>>16)<<16 }
		}
		return decode.Simple(d, in, map1(fn))
	}
	if fn := halfFma(f, in); fn != nil {
		if packed {
			return decode.Simple(d, in, map3(func(a, b, c uint32) uint32 { return num.Pair3(a, b, c, fn) }))
		}
		return decode.Simple(d, in, map3(fn))
	}
	fn := halfBinary(f, in)
	if fn == nil {
		return decode.Simple(d, in, nil)
	}
	body := map2(fn)
	if packed {
		body = map2(func(a, b uint32) uint32 { return num.Pair(a, b, fn) })
	}
	return chain(d, in, body)
}

func halfUnary(f *num.Format, in *rewrite.Inst) func(uint32) uint32 {
	ftz := in.Has("ftz")
	flush := func(v uint32) uint32 {
		if ftz {
			return f.Flush(v)
		}
		return v
	}
	switch in.Instr.Name {
	case "abs":
		return func(v uint32) uint32 { return f.Abs(flush(v)) }
	case "neg":
		return func(v uint32) uint32 { return f.Neg(flush(v)) }
	case "ex2":
		return func(v uint32) uint32 { return f.Unary(v, math.Exp2, ftz) }
	case "tanh":
		return func(v uint32) uint32 { return f.Unary(v, math.Tanh, ftz) }
	}
	return nil
}

func halfFma(f *num.Format, in *rewrite.Inst) func(a, b, c uint32) uint32 {
	if in.Instr.Name != "fma" {
		return nil
	}
	m := mma.Mode(in)
	fma := func(a, b, c uint32) uint32 { return f.Fma(a, b, c, m) }
	if in.Has("relu") {
		fma = func(a, b, c uint32) uint32 { return uint32(f.Relu(uint64(f.Fma(a, b, c, m)))) }
	}
	if !in.Has("oob") {
		return fma
	}
	return func(a, b, c uint32) uint32 {
		if a == num.OOBNaN || b == num.OOBNaN || c == num.OOBNaN {
			return 0
		}
		return fma(a, b, c)
	}
}

func halfBinary(f *num.Format, in *rewrite.Inst) func(a, b uint32) uint32 {
	m := mma.Mode(in)
	switch in.Instr.Name {
	case "add":
		return func(a, b uint32) uint32 { return f.Add(a, b, m) }
	case "sub":
		return func(a, b uint32) uint32 { return f.Sub(a, b, m) }
	case "mul":
		return func(a, b uint32) uint32 { return f.Mul(a, b, m) }
	case "min", "max":
		mm := minMax(in)
		return func(a, b uint32) uint32 { return uint32(mm.Select(f, uint64(a), uint64(b))) }
	}
	return nil
}

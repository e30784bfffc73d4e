package emu

import (
	"math"

	"github.com/ptxsan/ptxsan/emu/num"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Half precision: f16, bf16 and their packed pairs (PTX ISA, "Half Precision
// Floating Point Instructions"). The opcodes are those of sem_float.go; packed
// types apply the operation of one half to both.

// halfFormat is the format of a 16-bit floating-point type or of the halves of a
// packed one, nil for other types.
func halfFormat(t isa.Type) *num.Format {
	switch t {
	case isa.F16, isa.F16x2:
		return num.F16
	case isa.BF16, isa.BF16x2:
		return num.BF16
	}
	return nil
}

// halfOf is the type of one half of a packed type.
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
func decodeHalf(d *decoder, in *rewrite.Inst) (inst, error) {
	t := in.Type(0)
	f := halfFormat(t)
	if f == nil || len(in.Types) > 1 {
		return d.simple(in, nil)
	}
	packed := t.Lanes() == 2
	if fn := halfUnary(f, in); fn != nil {
		if packed {
			one := fn
			fn = func(v uint32) uint32 { return one(v&0xffff) | one(v>>16)<<16 }
		}
		return d.simple(in, map1(fn))
	}
	if fn := halfFma(f, in); fn != nil {
		if packed {
			return d.simple(in, map3(func(a, b, c uint32) uint32 { return num.Pair3(a, b, c, fn) }))
		}
		return d.simple(in, map3(fn))
	}
	fn := halfBinary(f, in)
	if fn == nil {
		return d.simple(in, nil)
	}
	body := map2(fn)
	if packed {
		body = map2(func(a, b uint32) uint32 { return num.Pair(a, b, fn) })
	}
	return d.chain(in, body)
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
	m := mode(in)
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
	m := mode(in)
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

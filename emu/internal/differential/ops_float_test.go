// Operations on floating-point numbers.

package differential

import "fmt"

var floatTypes = []scalar{typeF32, typeF64}

// roundings are the suffixes in PTX with the rounding modes of C.
var roundings = []struct{ ptx, mode string }{
	{"rn", "FE_TONEAREST"}, {"rz", "FE_TOWARDZERO"}, {"rm", "FE_DOWNWARD"}, {"rp", "FE_UPWARD"},
}

// rounded returns the host's code for an expression over x, y and z, the arguments.
func rounded(mode string, t scalar, args []scalar, expr string) string {
	text := ""
	for i, a := range args {
		text += fmt.Sprintf("volatile %s %c = %c; ", a.c, 'x'+i, 'a'+i)
	}
	return text + fmt.Sprintf("ROUNDED(%s, %s, %s)", mode, t.c, expr)
}

// floats adds the arithmetic that IEEE 754 defines, in all rounding modes.
func (t *opTable) floats() {
	for _, x := range floatTypes {
		for _, r := range roundings {
			t.arithmetic(x, r.ptx, r.mode)
		}
		t.selections(x)
	}
	t.flushing()
}

func (t *opTable) arithmetic(x scalar, rounding, mode string) {
	fma, root := "__builtin_fma(x, y, z)", "__builtin_sqrt(x)"
	if x == typeF32 {
		fma, root = "__builtin_fmaf(x, y, z)", "__builtin_sqrtf(x)"
	}
	for _, o := range []struct {
		name string
		n    int
		expr string
	}{
		{"add", 2, "x + y"},
		{"sub", 2, "x - y"},
		{"mul", 2, "x * y"},
		{"div", 2, "x / y"},
		{"fma", 3, fma},
		{"sqrt", 1, root},
		{"rcp", 1, "1 / x"},
	} {
		args := same(x, o.n)
		form := o.name + "." + rounding + "." + x.ptx
		t.add(o.name+"_"+rounding+"_"+x.c, x, args, form, rounded(mode, x, args, o.expr))
	}
}

// selections adds operations that return or classify an operand. The negative zero is less than the positive one.
func (t *opTable) selections(x scalar) {
	two := same(x, 2)
	less := "(a < b || (a == b && std::signbit(a)))"
	t.add("min_"+x.c, x, two, "min."+x.ptx, fmt.Sprintf("a != a ? b : b != b ? a : %s ? a : b", less))
	t.add("max_"+x.c, x, two, "max."+x.ptx, fmt.Sprintf("a != a ? b : b != b ? a : %s ? b : a", less))
	t.add("abs_"+x.c, x, same(x, 1), "abs."+x.ptx, "std::fabs(a)")
	t.add("neg_"+x.c, x, same(x, 1), "neg."+x.ptx, "-a")
	t.add("copysign_"+x.c, x, two, "copysign."+x.ptx, "std::copysign(b, a)")
	for _, c := range []struct{ name, expr string }{
		{"equ", "!(a < b || a > b)"},
		{"neu", "!(a == b)"},
		{"ltu", "!(a >= b)"},
		{"leu", "!(a > b)"},
		{"gtu", "!(a <= b)"},
		{"geu", "!(a < b)"},
		{"num", "a == a && b == b"},
		{"nan", "a != a || b != b"},
		{"ne", "a < b || a > b"},
		{"ge", "a >= b"},
	} {
		t.add("set_"+c.name+"_"+x.c, typeU32, two, "set."+c.name+".u32."+x.ptx, "("+c.expr+") ? ~0u : 0")
	}
	for _, c := range []struct{ name, expr string }{
		{"finite", "std::isfinite(a)"},
		{"infinite", "std::isinf(a)"},
		{"number", "a == a"},
		{"notanumber", "a != a"},
		{"normal", "std::isnormal(a)"},
		{"subnormal", "std::fpclassify(a) == FP_SUBNORMAL"},
	} {
		t.add("testp_"+c.name+"_"+x.c, typeU32, same(x, 1),
			fmt.Sprintf("{ .reg .pred p; testp.%s.%s p, %%a; selp.u32 %%r, 1, 0, p; }", c.name, x.ptx), c.expr)
	}
}

// flushing adds arithmetic that flushes subnormal numbers to zero, or that clamps the result to [0, 1].
func (t *opTable) flushing() {
	const flush = "auto ftz = [](float v) { return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v; }; "
	const clamp = "auto sat = [](float v) { return v > 0 ? v < 1 ? v : 1.0f : 0.0f; }; "
	for _, o := range []struct {
		name string
		n    int
		expr string
	}{
		{"add", 2, "%[1]s(a) + %[1]s(b)"},
		{"sub", 2, "%[1]s(a) - %[1]s(b)"},
		{"mul", 2, "%[1]s(a) * %[1]s(b)"},
		{"fma.rn", 3, "__builtin_fmaf(%[1]s(a), %[1]s(b), %[1]s(c))"},
	} {
		name, args := o.name[:3], same(typeF32, o.n)
		t.add(name+"_ftz", typeF32, args, o.name+".ftz.f32", flush+"return ftz("+fmt.Sprintf(o.expr, "ftz")+")")
		t.add(name+"_sat", typeF32, args, o.name+".sat.f32", clamp+"return sat("+fmt.Sprintf(o.expr, "")+")")
	}
	t.add("div_ftz", typeF32, same(typeF32, 2), "div.rn.ftz.f32", flush+"return ftz(ftz(a) / ftz(b))")
	t.add("sqrt_ftz", typeF32, same(typeF32, 1), "sqrt.rn.ftz.f32", flush+"return ftz(__builtin_sqrtf(ftz(a)))")
}

// conversions adds cvt between integers and floating-point numbers, and between floating-point numbers.
func (t *opTable) conversions() {
	for _, r := range roundings {
		for _, f := range floatTypes {
			for _, i := range allWords {
				t.fromInteger(f, i, r.ptx, r.mode)
				t.toInteger(i, f, r.ptx, r.mode)
			}
			t.add("integral_"+r.ptx+"_"+f.c, f, same(f, 1), fmt.Sprintf("cvt.%si.%s.%[2]s", r.ptx, f.ptx),
				rounded(r.mode, f, same(f, 1), "std::nearbyint(x)"))
		}
		t.add("f32_"+r.ptx+"_f64", typeF32, same(typeF64, 1), "cvt."+r.ptx+".f32.f64", rounded(r.mode, typeF32, same(typeF64, 1), "(float)x"))
	}
	t.add("f64_f32", typeF64, same(typeF32, 1), "cvt.f64.f32", "(double)a")
}

// fromInteger handles 0 separately: compilers convert unsigned numbers by a subtraction, and the difference of equal
// numbers may be -0.
func (t *opTable) fromInteger(f, i scalar, rounding, mode string) {
	t.add(f.c+"_"+rounding+"_"+i.c, f, same(i, 1), "cvt."+rounding+"."+f.ptx+"."+i.ptx,
		"if (a == 0) return 0; "+rounded(mode, f, same(i, 1), "("+f.c+")x"))
}

// toInteger rounds, then clamps. The result for NaN depends on the types.
func (t *opTable) toInteger(i, f scalar, rounding, mode string) {
	nan := "0"
	if f == typeF64 || i.bits == 64 {
		nan = fmt.Sprintf("(u64)1 << %d", i.bits-1)
	}
	low, high := limits(i)
	t.add(i.c+"_"+rounding+"_"+f.c, i, same(f, 1), "cvt."+rounding+"i."+i.ptx+"."+f.ptx,
		fmt.Sprintf("if (a != a) return (%s)(%s); volatile double x = a; fesetround(%s); volatile double n = std::nearbyint(x); fesetround(FE_TONEAREST); "+
			"return (%[1]s)(n < -1e30 ? %[4]s : n > 1e30 ? %[5]s : (__int128)n < %[4]s ? %[4]s : (__int128)n > %[5]s ? %[5]s : (__int128)n)", i.c, nan, mode, low, high))
}

// halves adds conversions to and from 16-bit floating-point numbers, and arithmetic whose exact result fits a double.
func (t *opTable) halves() {
	half := []scalar{typeU16}
	for _, f := range floatTypes {
		t.add("half_rn_"+f.c, typeU16, same(f, 1), "cvt.rn.f16."+f.ptx, "narrow(a, 11, -24, false)")
		t.add("half_rz_"+f.c, typeU16, same(f, 1), "cvt.rz.f16."+f.ptx, "narrow(a, 11, -24, true)")
	}
	t.add("f32_half", typeF32, half, "cvt.f32.f16", "(float)widen(a, 11, -24)")
	t.add("f64_half", typeF64, half, "cvt.f64.f16", "widen(a, 11, -24)")
	for _, o := range []struct{ name, sign string }{{"add", "+"}, {"sub", "-"}, {"mul", "*"}} {
		t.add("half_"+o.name, typeU16, same(typeU16, 2), o.name+".rn.f16", fmt.Sprintf("narrow(widen(a, 11, -24) %s widen(b, 11, -24), 11, -24, false)", o.sign))
	}
	t.add("bfloat_rn", typeU16, same(typeF32, 1), "cvt.rn.bf16.f32", "narrow(a, 8, -133, false)").sm = 80
	t.add("bfloat_rz", typeU16, same(typeF32, 1), "cvt.rz.bf16.f32", "narrow(a, 8, -133, true)").sm = 80
	t.add("f32_bfloat", typeF32, half, "cvt.f32.bf16", "(float)widen(a, 8, -133)").sm = 90
}

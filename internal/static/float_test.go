package static

import (
	"strings"
	"testing"
)

// withRegisters returns the text of a kernel that declares further registers.
func withRegisters(text, declarations string) string {
	return strings.Replace(text, ".reg .pred", declarations+"\n.reg .pred", 1)
}

// TestFloatIndices: indices that are computed in floating-point numbers are exact as long as the type represents each
// integer on the way.
func TestFloatIndices(t *testing.T) {
	const (
		store  = "mul.wide.s32 %rd3, %r6, 4; add.s64 %rd3, %rd1, %rd3; st.global.u32 [%rd3], %r2;"
		single = "cvt.rn.f32.u32 %f1, %r2; "
		double = "cvt.rn.f64.u32 %fd1, %r2; "
		loop   = double + "mul.f64 %fd1, %fd1, 0d4000000000000000; mov.u32 %r9, 0;\nA:\n cvt.rzi.s32.f64 %r6, %fd1; " + store +
			"cvt.rn.f64.s32 %fd2, %r6; add.f64 %fd1, %fd2, STEP; add.s32 %r9, %r9, 1; setp.lt.s32 %p1, %r9, 4; @%p1 bra A;"
	)
	step := func(bits string) string { return strings.Replace(loop, "STEP", bits, 1) }
	tests := []struct {
		name, body string
		want       bool // no race is proved
	}{
		{"back and forth", single + "cvt.rzi.s32.f32 %r6, %f1; " + store, true},
		{"a product and a sum", single + "fma.rn.f32 %f1, %f1, 0f40400000, 0f40A00000; cvt.rzi.s32.f32 %r6, %f1; " + store, true},
		{"half", single + "mul.f32 %f1, %f1, 0f3F000000; cvt.rzi.s32.f32 %r6, %f1; " + store, false},
		{"beyond 2^24", single + "add.f32 %f1, %f1, 0f4B800000; cvt.rzi.s32.f32 %r6, %f1; " + store, false},
		{"beyond 2^24 in between", single + "add.f32 %f1, %f1, 0f4B800000; sub.f32 %f1, %f1, 0f4B800000; cvt.rzi.s32.f32 %r6, %f1; " + store, false},
		{"a product beyond 2^24 in between", single + "mul.f32 %f1, %f1, 0f4B000001; cvt.rzi.s32.f32 %r6, %f1; shr.s32 %r6, %r6, 23; " + store, false},
		{"2^24 in double", double + "add.f64 %fd1, %fd1, 0d4170000000000000; cvt.rzi.s32.f64 %r6, %fd1; " + store, true},
		{"2^53 in double", double + "add.f64 %fd1, %fd1, 0d4340000000000000; add.f64 %fd1, %fd1, 0dC340000000000000; cvt.rzi.s32.f64 %r6, %fd1; " + store, false},
		{"the root of 16", double + "sqrt.rn.f64 %fd2, 0d4030000000000000; mul.f64 %fd1, %fd1, %fd2; cvt.rzi.s32.f64 %r6, %fd1; " + store, true},
		{"the root of 2", double + "sqrt.rn.f64 %fd2, 0d4000000000000000; mul.f64 %fd1, %fd1, %fd2; cvt.rzi.s32.f64 %r6, %fd1; " + store, false},
		{"an approximated root", single + "sqrt.approx.f32 %f2, 0f41800000; mul.f32 %f1, %f1, %f2; cvt.rzi.s32.f32 %r6, %f1; " + store, false},
		{"negative numbers to unsigned ones", single + "neg.f32 %f1, %f1; cvt.rzi.u32.f32 %r6, %f1; " + store, false},
		{"negative numbers", single + "sub.f32 %f1, 0f42000000, %f1; cvt.rzi.s32.f32 %r6, %f1; " + store, true},
		{"beyond the integer type", double + "add.f64 %fd1, %fd1, 0d41DFFFFFFFC00000; cvt.rzi.s32.f64 %r6, %fd1; add.s32 %r6, %r6, -2147483647; " + store, false},
		{"the least of two", single + "min.f32 %f1, %f1, 0f44800000; cvt.rzi.s32.f32 %r6, %f1; " + store, true},
		{"a magnitude", single + "neg.f32 %f1, %f1; abs.f32 %f1, %f1; cvt.rzi.s32.f32 %r6, %f1; " + store, true},
		{"the least of three", single + "min.f32 %f1, %f1, 0f44800000, 0f40400000; cvt.rzi.s32.f32 %r6, %f1; " + store, false},
		{"the greatest of three", single + "max.f32 %f1, %f1, 0f00000000, 0f42800000; cvt.rzi.s32.f32 %r6, %f1; " + store, false},
		{"the least magnitude of three", single + "sub.f32 %f1, %f1, 0f41800000; min.abs.f32 %f1, %f1, 0f44800000, 0f44800000; cvt.rzi.s32.f32 %r6, %f1; " + store, false},
		{"the least magnitude with a sign", single + "sub.f32 %f1, 0f41800000, %f1; min.xorsign.abs.f32 %f1, %f1, 0f40400000; cvt.rzi.s32.f32 %r6, %f1; " + store, false},
		{"saturated", single + "add.sat.f32 %f1, %f1, 0f00000000; cvt.rzi.s32.f32 %r6, %f1; " + store, false},
		{"a comparison", single + "setp.lt.f32 %p1, %f1, 0f3F800000; @!%p1 bra E; " + store + "\nE:", true},
		{"a comparison of two threads", single + "setp.le.f32 %p1, %f1, 0f3F800000; mov.u32 %r6, 0; @!%p1 bra E; " + store + "\nE:", false},
		{"a selection", single + "setp.lt.u32 %p1, %r2, 16; add.f32 %f2, %f1, 0f42800000; selp.f32 %f1, %f1, %f2, %p1; cvt.rzi.s32.f32 %r6, %f1; " + store, true},
		{"a step of 64 in a loop", step("0d4050000000000000"), true},
		{"a step of 63 in a loop", step("0d404F800000000000"), true}, // odd and even numbers
		{"a step of 2 in a loop", step("0d4000000000000000"), false},
		{"a step of -64 in a loop", step("0dC050000000000000"), true},
		{"a step of a half in a loop", step("0d3FE0000000000000"), false},
		{"a step to the greatest integer in a loop", step("0d41DFFFFFFFC00000"), false},
		{"a step beyond all sums in a loop", step("0d4340000000000000"), false},
		{"a step that varies in a loop", step("%fd2"), false},
	}
	for _, test := range tests {
		g := launchOf(0)
		text := withRegisters(kernelText(test.body), ".reg .f32 %f<9>; .reg .f64 %fd<9>;")
		text = strings.NewReplacer(".version 8.0", ".version 8.8", "sm_80", "sm_100").Replace(text)
		if r := analyzeText(t, text, g, Options{}); (r.Verdict == Clean) != test.want {
			t.Errorf("%s: %s\n%s", test.name, r.Verdict, describe(r))
		}
	}
}

package address

import "testing"

// TestSameAlong: which addresses are equal whatever they are computed from.
func TestSameAlong(t *testing.T) {
	for _, c := range []struct {
		name, body string // compute %rd8 and %rd9
		want       bool
	}{
		{"one register", "mov.u64 %rd8, %rd1; mov.u64 %rd9, %rd1;", true},
		{"two registers", "mov.u64 %rd8, %rd1; mov.u64 %rd9, %rd2;", false},
		{"a sum in another order", "add.u64 %rd8, %rd1, %rd2; add.u64 %rd9, %rd2, %rd1;", true},
		{"a sum, a difference", "sub.u64 %rd8, %rd1, %rd2; neg.s64 %rd3, %rd2; add.u64 %rd9, %rd1, %rd3;", true},
		{"shifts and products", "mul.wide.u32 %rd8, %r1, 4; cvt.u64.u32 %rd3, %r1; shl.b64 %rd9, %rd3, 2;", true},
		{"signed and unsigned", "mul.wide.u32 %rd8, %r1, 4; mul.wide.s32 %rd9, %r1, 4;", false},
		{"before and after widening", "shl.b32 %r2, %r1, 2; cvt.u64.u32 %rd8, %r2; cvt.u64.u32 %rd3, %r1; shl.b64 %rd9, %rd3, 2;", false},
		{"a product and a sum", "mad.wide.u32 %rd8, %r1, 8, %rd1; mul.wide.u32 %rd3, %r1, 8; add.u64 %rd9, %rd1, %rd3;", true},
		{"masks", "and.b32 %r2, %r1, 255; shl.b32 %r2, %r2, 2; cvt.u64.u32 %rd8, %r2; shl.b32 %r3, %r1, 2; and.b32 %r3, %r3, 1020; cvt.u64.u32 %rd9, %r3;", true},
		{"another mask", "and.b32 %r2, %r1, 511; shl.b32 %r2, %r2, 2; cvt.u64.u32 %rd8, %r2; shl.b32 %r3, %r1, 2; and.b32 %r3, %r3, 1020; cvt.u64.u32 %rd9, %r3;", false},
		{"or as a sum", "and.b32 %r2, %r1, -4; or.b32 %r2, %r2, 3; cvt.u64.u32 %rd8, %r2; and.b32 %r3, %r1, -4; add.u32 %r3, %r3, 3; cvt.u64.u32 %rd9, %r3;", true},
		{"complements", "not.b32 %r2, %r1; cvt.u64.u32 %rd8, %r2; xor.b32 %r3, %r1, -1; cvt.u64.u32 %rd9, %r3;", true},
		{"a shift back", "shr.u32 %r2, %r1, 4; shl.b32 %r2, %r2, 4; cvt.u64.u32 %rd8, %r2; and.b32 %r3, %r1, -16; cvt.u64.u32 %rd9, %r3;", true},
		{"a signed shift", "shr.s32 %r2, %r1, 4; cvt.u64.u32 %rd8, %r2; shr.u32 %r3, %r1, 4; cvt.u64.u32 %rd9, %r3;", false},
		{"a shift of the next number", "shr.u32 %r2, %r1, 10; cvt.u64.u32 %rd8, %r2; add.u32 %r3, %r1, 1; shr.u32 %r3, %r3, 10; cvt.u64.u32 %rd9, %r3;", false},
		{"a shift of the number before", "shr.u32 %r2, %r1, 10; cvt.u64.u32 %rd8, %r2; sub.u32 %r3, %r1, 1; shr.u32 %r3, %r3, 10; cvt.u64.u32 %rd9, %r3;", false},
		{"quotients", "mul.hi.u32 %r2, %r1, 274877907; shr.u32 %r2, %r2, 6; cvt.u64.u32 %rd8, %r2; add.u32 %r3, %r1, 1; mul.hi.u32 %r3, %r3, 274877907; shr.u32 %r3, %r3, 6; cvt.u64.u32 %rd9, %r3;", false},
		{"another function", "popc.b32 %r2, %r1; cvt.u64.u32 %rd8, %r2; popc.b32 %r3, %r1; cvt.u64.u32 %rd9, %r3;", true},
		{"another function of others", "popc.b32 %r2, %r1; cvt.u64.u32 %rd8, %r2; popc.b32 %r3, %r4; cvt.u64.u32 %rd9, %r3;", false},
		{"two functions", "popc.b32 %r2, %r1; cvt.u64.u32 %rd8, %r2; clz.b32 %r3, %r1; cvt.u64.u32 %rd9, %r3;", false},
		{"a place of the thread", "mov.u32 %r2, %tid.x; cvt.u64.u32 %rd8, %r2; mov.u32 %r3, %tid.x; cvt.u64.u32 %rd9, %r3;", true},
		{"another dimension", "mov.u32 %r2, %tid.x; cvt.u64.u32 %rd8, %r2; mov.u32 %r3, %tid.y; cvt.u64.u32 %rd9, %r3;", false},
		{"two times", "mov.u64 %rd8, %clock64; mov.u64 %rd9, %clock64;", false},
		{"two loads", "ld.global.u64 %rd8, [%rd1]; ld.global.u64 %rd9, [%rd1];", false},
		{"a guard", "mov.u64 %rd8, %rd1; mov.u64 %rd9, %rd2; @%p1 mov.u64 %rd9, %rd1;", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := kernel(t, ".reg .pred %p<9>; .reg .b32 %r<10>; .reg .b64 %rd<10>;\n"+c.body+"\nst.global.u32 [%rd8], 1; st.global.u32 [%rd9], 1;\nret;")
			n := len(f.Insts)
			if got := sameAlong(f.CFG().Blocks[:1], f.Insts[n-3], f.Insts[n-2]); got != c.want {
				t.Errorf("equal: %t", got)
			}
		})
	}
}

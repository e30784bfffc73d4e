package query

import (
	"testing"

	"github.com/ptxsan/ptxsan/rewrite"
)

// TestEvaluate: values that the PTX manual defines.
func TestEvaluate(t *testing.T) {
	const minus = ^uint64(0)
	for _, c := range []struct {
		inst    string
		sources []uint64
		want    uint64 // in the bits of the result
		bits    int
	}{
		{"mov.u32 %r1, %r2", []uint64{7}, 7, 32},
		{"cvta.to.global.u64 %rd1, %rd2", []uint64{1 << 40}, 1 << 40, 64},
		{"cvt.s64.s8 %rd1, %r2", []uint64{0x180}, minus - 127, 64},
		{"cvt.u64.u8 %rd1, %r2", []uint64{0x180}, 0x80, 64},
		{"add.s32 %r1, %r2, %r3", []uint64{0xffffffff, 2}, 1, 32},
		{"sub.u32 %r1, %r2, %r3", []uint64{1, 2}, 0xffffffff, 32},
		{"mul.lo.u32 %r1, %r2, %r3", []uint64{0x10000, 0x10003}, 0x30000, 32},
		{"mul.hi.u32 %r1, %r2, %r3", []uint64{0xffffffff, 0xffffffff}, 0xfffffffe, 32},
		{"mul.hi.s32 %r1, %r2, %r3", []uint64{0xffffffff, 5}, 0xffffffff, 32},
		{"mul.hi.u64 %rd1, %rd2, %rd3", []uint64{1 << 63, 6}, 3, 64},
		{"mul.hi.s64 %rd1, %rd2, %rd3", []uint64{minus, 5}, minus, 64},
		{"mul.wide.s32 %rd1, %r2, %r3", []uint64{0xffffffff, 3}, minus - 2, 64},
		{"mul.wide.u32 %rd1, %r2, %r3", []uint64{0xffffffff, 3}, 0x2fffffffd, 64},
		{"mad.wide.s32 %rd1, %r2, %r3, %rd4", []uint64{0xffffffff, 3, 10}, 7, 64},
		{"mad.hi.u32 %r1, %r2, %r3, %r4", []uint64{1 << 31, 4, 9}, 11, 32},
		{"min.s32 %r1, %r2, %r3", []uint64{0xffffffff, 1}, 0xffffffff, 32},
		{"min.u32 %r1, %r2, %r3", []uint64{0xffffffff, 1}, 1, 32},
		{"max.s32 %r1, %r2, %r3", []uint64{0xffffffff, 1}, 1, 32},
		{"max.u32 %r1, %r2, %r3", []uint64{0xffffffff, 1}, 0xffffffff, 32},
		{"min.relu.s32 %r1, %r2, %r3", []uint64{0xffffffff, 1}, 0, 32},
		{"min.relu.s32 %r1, %r2, %r3", []uint64{7, 1}, 1, 32},
		{"max.relu.s32 %r1, %r2, %r3", []uint64{0xffffffff, 0xfffffffe}, 0, 32},
		{"abs.s32 %r1, %r2", []uint64{0xfffffffd}, 3, 32},
		{"neg.s32 %r1, %r2", []uint64{3}, 0xfffffffd, 32},
		{"div.s32 %r1, %r2, %r3", []uint64{0xfffffff9, 2}, 0xfffffffd, 32},
		{"div.s32 %r1, %r2, %r3", []uint64{0x80000000, 0xffffffff}, 0x80000000, 32},
		{"div.s64 %rd1, %rd2, %rd3", []uint64{1 << 63, minus}, 1 << 63, 64},
		{"div.u32 %r1, %r2, %r3", []uint64{0xfffffff9, 2}, 0x7ffffffc, 32},
		{"rem.s32 %r1, %r2, %r3", []uint64{0xfffffff9, 4}, 0xfffffffd, 32},
		{"rem.s32 %r1, %r2, %r3", []uint64{0x80000000, 0xffffffff}, 0, 32},
		{"rem.u32 %r1, %r2, %r3", []uint64{0xfffffff9, 4}, 1, 32},
		{"and.b32 %r1, %r2, %r3", []uint64{12, 10}, 8, 32},
		{"or.b32 %r1, %r2, %r3", []uint64{12, 10}, 14, 32},
		{"xor.b32 %r1, %r2, %r3", []uint64{12, 10}, 6, 32},
		{"not.b32 %r1, %r2", []uint64{1}, 0xfffffffe, 32},
		{"not.pred %p1, %p2", []uint64{1}, 0, 1},
		{"shl.b32 %r1, %r2, %r3", []uint64{3, 31}, 0x80000000, 32},
		{"shl.b32 %r1, %r2, %r3", []uint64{3, 32}, 0, 32},
		{"shl.b64 %rd1, %rd2, %r3", []uint64{3, 64}, 0, 64},
		{"shr.u32 %r1, %r2, %r3", []uint64{0x80000000, 31}, 1, 32},
		{"shr.u32 %r1, %r2, %r3", []uint64{0x80000000, 100}, 0, 32},
		{"shr.s32 %r1, %r2, %r3", []uint64{0x80000000, 100}, 0xffffffff, 32},
		{"shr.b32 %r1, %r2, %r3", []uint64{0x80000000, 4}, 0x08000000, 32},
		{"bfe.u32 %r1, %r2, %r3, %r4", []uint64{0xabcd, 4, 8}, 0xbc, 32},
		{"bfe.s32 %r1, %r2, %r3, %r4", []uint64{0xabcd, 4, 8}, 0xffffffbc, 32},
		{"bfe.s32 %r1, %r2, %r3, %r4", []uint64{0x80000000, 30, 10}, 0xfffffffe, 32},
		{"bfe.u32 %r1, %r2, %r3, %r4", []uint64{0x80000000, 30, 10}, 2, 32},
		{"bfe.s32 %r1, %r2, %r3, %r4", []uint64{0x80000000, 31, 0}, 0, 32},
		{"bfe.u64 %rd1, %rd2, %r3, %r4", []uint64{minus, 1, 200}, minus >> 1, 64},
		{"popc.b32 %r1, %r2", []uint64{minus}, 32, 32},
		{"popc.b64 %r1, %rd2", []uint64{minus}, 64, 32},
		{"clz.b32 %r1, %r2", []uint64{0xffffffff00000001}, 31, 32},
		{"clz.b64 %r1, %rd2", []uint64{0}, 64, 32},
		{"brev.b32 %r1, %r2", []uint64{0xffffffff00000006}, 0x60000000, 32},
		{"brev.b64 %rd1, %rd2", []uint64{1}, 1 << 63, 64},
		{"bfind.u32 %r1, %r2", []uint64{0}, 0xffffffff, 32},
		{"bfind.u32 %r1, %r2", []uint64{0xffffffff}, 31, 32},
		{"bfind.s32 %r1, %r2", []uint64{0xffffffff}, 0xffffffff, 32},
		{"bfind.s32 %r1, %r2", []uint64{0xfffffffb}, 2, 32},
		{"bfind.shiftamt.u32 %r1, %r2", []uint64{0x10}, 27, 32},
		{"bfind.shiftamt.s64 %r1, %rd2", []uint64{minus - 15}, 60, 32},
		{"selp.b32 %r1, %r2, %r3, %p1", []uint64{4, 5, 1}, 4, 32},
		{"selp.b32 %r1, %r2, %r3, %p1", []uint64{4, 5, 0}, 5, 32},
		{"setp.lt.s32 %p1|%p2, %r2, %r3", []uint64{0xffffffff, 0}, 1, 2},
		{"setp.lt.u32 %p1|%p2, %r2, %r3", []uint64{0xffffffff, 0}, 2, 2},
		{"setp.eq.and.u32 %p1|%p2, %r2, %r3, %p3", []uint64{5, 5, 0}, 0, 2},
		{"setp.ne.or.u32 %p1|%p2, %r2, %r3, %p3", []uint64{5, 5, 1}, 3, 2},
		{"setp.ge.xor.u32 %p1|%p2, %r2, %r3, %p3", []uint64{5, 5, 1}, 2, 2},
	} {
		got, ok := Evaluate(instruction(t, c.inst), c.sources)
		if got &= ^uint64(0) >> (64 - c.bits); !ok || got != c.want {
			t.Errorf("%s of %#x: %#x, %t; it is %#x", c.inst, c.sources, got, ok, c.want)
		}
	}
}

// TestEvaluateNot: instructions whose result is not a defined integer.
func TestEvaluateNot(t *testing.T) {
	for _, c := range []struct {
		inst    string
		sources []uint64
	}{
		{"div.u32 %r1, %r2, %r3", []uint64{1, 0}},
		{"rem.s32 %r1, %r2, %r3", []uint64{1, 0}},
		{"add.sat.s32 %r1, %r2, %r3", []uint64{1, 2}},
		{"add.cc.u32 %r1, %r2, %r3", []uint64{1, 2}},
		{"addc.u32 %r1, %r2, %r3", []uint64{1, 2}},
		{"add.f32 %f1, %f2, %f3", []uint64{1, 2}},
		{"setp.lt.f32 %p1, %f2, %f3", []uint64{1, 2}},
		{"cvt.rn.f32.u32 %f1, %r2", []uint64{1}},
		{"cvt.rzi.u32.f32 %r1, %f2", []uint64{1}},
		{"fns.b32 %r1, %r2, %r3, %r4", []uint64{1, 0, 1}},
		{"ld.global.u32 %r1, [%rd1]", []uint64{1}},
	} {
		if got, ok := Evaluate(instruction(t, c.inst), c.sources); ok {
			t.Errorf("%s of %#x has the value %#x", c.inst, c.sources, got)
		}
	}
}

// instruction returns an instruction that is alone in a kernel.
func instruction(t *testing.T, text string) *rewrite.Inst {
	t.Helper()
	return kernel(t, ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\n"+text+";\nret;").Insts[0]
}

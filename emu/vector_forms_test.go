package emu_test

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// TestVectorForms: instructions that run in assembly in some of their forms, for all lanes
// and for some, against what they should do.
func TestVectorForms(t *testing.T) {
	window := func(lane uint32) uint64 { // one in each of eight windows of 4 GiB, by lane
		return uint64(lane/4)<<32 | 0xffff_fff0*uint64(lane&1)
	}
	in := func(from, to uint64) func(uint32) uint32 {
		return func(i uint32) uint32 {
			if w := window(i) >> 32; w >= from && w < to {
				return 1
			}
			return 0
		}
	}
	value := func(i uint32) uint64 { return bits.RotateLeft64(0x123456789abcdef1, int(i)*3) }
	isspacep := func(space string) string { return "isspacep." + space + " %p1, %rd1; selp.u32 %r6, 1, 0, %p1;" }
	bfe := func(pos, length uint64) (string, func(uint32) uint32) {
		return fmt.Sprintf("bfe.u64 %%rd3, %%rd2, %d, %d; cvt.u32.u64 %%r6, %%rd3; shr.u64 %%rd3, %%rd3, 32; cvt.u32.u64 %%r7, %%rd3; xor.b32 %%r6, %%r6, %%r7;", pos, length),
			func(i uint32) uint32 {
				field := uint64(0)
				for k := range length {
					if at := pos + k; at < 64 {
						field |= value(i) >> at & 1 << k
					}
				}
				return uint32(field) ^ uint32(field>>32)
			}
	}
	type form struct {
		name, body string
		want       func(i uint32) uint32
	}
	forms := []form{
		{"isspacep.global", isspacep("global"), func(i uint32) uint32 { return 1 - in(1, 3)(i) }},
		{"isspacep.local", isspacep("local"), in(2, 3)},
		{"isspacep.param", isspacep("param"), in(3, 4)},
		{"isspacep.const", isspacep("const"), func(uint32) uint32 { return 0 }},
		{"ld.param", "mov.u64 %rd1, p; ld.param.u32 %r6, [%rd1+4]; shr.u64 %rd2, %base, 32; cvt.u32.u64 %r7, %rd2; sub.u32 %r6, %r6, %r7; add.u32 %r6, %r6, %r1;", func(i uint32) uint32 { return i }},
		{"setp.ne.s16", ".reg .b16 %h; cvt.u16.u32 %h, %r1; setp.ne.s16 %p1, %h, 5; selp.u32 %r6, 1, 0, %p1;", func(i uint32) uint32 { return min(1, i^5) }},
		{"setp.lt.s16", ".reg .b16 %h; sub.u32 %r6, %r1, 5; cvt.u16.u32 %h, %r6; setp.lt.s16 %p1, %h, 3; selp.u32 %r6, 1, 0, %p1;", func(i uint32) uint32 {
			if i < 8 {
				return 1
			}
			return 0
		}},
	}
	isZero := func(x uint32) uint32 { return 1 - min(1, x) }
	forms = append(forms,
		form{"setp.lt.u32 1", "and.b32 %r5, %r1, 6; setp.lt.u32 %p1, %r5, 1; selp.u32 %r6, 1, 0, %p1;", func(i uint32) uint32 { return isZero(i & 6) }},
		form{"setp.lt.u16 1", ".reg .b16 %h; shl.b32 %r5, %r1, 12; cvt.u16.u32 %h, %r5; setp.lt.u16 %p1, %h, 1; selp.u32 %r6, 1, 0, %p1;", func(i uint32) uint32 { return isZero(i & 15) }},
		form{"setp.lt.s32 1", "sub.u32 %r5, %r1, 7; setp.lt.s32 %p1, %r5, 1; selp.u32 %r6, 1, 0, %p1;", func(i uint32) uint32 { return isZero(i / 8) }},
		form{"setp.lt.u32 1, both", "and.b32 %r5, %r1, 6; setp.gt.u32 %p1, %r1, 16; setp.lt.and.u32 %p1|%p2, %r5, 1, %p1; selp.u32 %r6, 1, 0, %p1; selp.u32 %r7, 2, 0, %p2; or.b32 %r6, %r6, %r7;", func(i uint32) uint32 {
			if i <= 16 {
				return 0
			}
			return 2 - isZero(i&6)
		}},
	)
	for _, f := range [][2]uint64{{0, 64}, {5, 5}, {60, 9}, {7, 0}, {64, 3}, {200, 64}, {31, 33}} {
		body, want := bfe(f[0], f[1])
		forms = append(forms, form{fmt.Sprintf("bfe.u64 %v", f), body, want})
	}
	const setUp = "cvt.u64.u32 %rd1, %r1; shr.u64 %rd1, %rd1, 2; shl.b64 %rd1, %rd1, 32; and.b32 %r5, %r1, 1; mul.wide.u32 %rd2, %r5, 0xfffffff0; or.b64 %rd1, %rd1, %rd2;" +
		"mul.lo.u32 %r5, %r1, 3; and.b32 %r5, %r5, 63; mov.u64 %rd2, 0x123456789abcdef1; shl.b64 %rd3, %rd2, %r5; sub.u32 %r5, 64, %r5; shr.u64 %rd2, %rd2, %r5; or.b64 %rd2, %rd2, %rd3; mov.u32 %r6, 77;"
	for _, f := range forms {
		for name, guard := range map[string]string{"all": "", "some": "rem.u32 %r8, %r1, 3; setp.eq.u32 %p2, %r8, 0; @%p2 bra OUT;"} {
			want := make([]uint32, 32)
			for i := range want {
				if want[i] = f.want(uint32(i)); guard != "" && i%3 == 0 {
					want[i] = 77
				}
			}
			for _, scalar := range []bool{false, true} {
				got := run(t, kernel(setUp+guard+f.body+"OUT: st.global.u32 [%out], %r6; ret;"), emu.Config{NoVector: scalar}, 1, 32, 32)
				if !slices.Equal(got, want) {
					t.Errorf("%s, %s lanes, without assembly %t: %v, want %v", f.name, name, scalar, got, want)
				}
			}
		}
	}
}

// TestVectorShuffles: shuffles by constants are the same in assembly and in Go, for all
// lanes and for some, with segments and the predicate.
func TestVectorShuffles(t *testing.T) {
	for _, mode := range []string{"up", "down", "bfly", "idx"} {
		for _, by := range []int{0, 1, 5, 16, 31, 40} {
			for _, clamp := range []int{31, 0, 28<<8 | 3, 24<<8 | 31, 16 << 8} {
				for name, lanes := range map[string]string{"all": "", "some": "rem.u32 %r8, %r1, 3; setp.eq.u32 %p2, %r8, 0; @%p2 bra OUT;"} {
					text := kernel(fmt.Sprintf("mul.lo.u32 %%r5, %%r1, 77; mov.u32 %%r6, 1; %s activemask.b32 %%r9; shfl.sync.%s.b32 %%r5|%%p1, %%r5, %d, %d, %%r9; shfl.sync.%s.b32 %%r6, %%r5, %d, %d, %%r9; selp.u32 %%r7, 4096, 0, %%p1; add.u32 %%r6, %%r6, %%r7; OUT: st.global.u32 [%%out], %%r6; ret;",
						lanes, mode, by, clamp, mode, by, clamp))
					got, want := run(t, text, emu.Config{}, 1, 32, 32), run(t, text, emu.Config{NoVector: true}, 1, 32, 32)
					if !slices.Equal(got, want) {
						t.Errorf("%s by %d in 0x%x, %s lanes: %v, want %v", mode, by, clamp, name, got, want)
					}
				}
			}
		}
	}
}

// TestShuffleFromAbsentLane: a lane that reads one that does not take part gets 0, in every
// mode; one that is out of range of its segment gets its own value, and the predicate says
// which of the two it was.
func TestShuffleFromAbsentLane(t *testing.T) {
	const prepare = "add.u32 %r5, %r1, 100; mov.u32 %r6, 1; mov.u32 %r7, 3; mov.u32 %r9, 0x0000ffff; setp.ge.u32 %p2, %r1, 16; @%p2 bra OUT;"
	for _, c := range []struct {
		name, shuffle string
		from          func(lane uint32) (uint32, bool) // false: out of range
	}{
		{"down", "shfl.sync.down.b32 %r6|%p1, %r5, 3, 31, %r9;", func(i uint32) (uint32, bool) { return i + 3, true }},
		{"down by a register", "shfl.sync.down.b32 %r6|%p1, %r5, %r7, 31, %r9;", func(i uint32) (uint32, bool) { return i + 3, true }},
		{"bfly", "shfl.sync.bfly.b32 %r6|%p1, %r5, 16, 31, %r9;", func(i uint32) (uint32, bool) { return i ^ 16, true }},
		{"idx", "shfl.sync.idx.b32 %r6|%p1, %r5, 20, 31, %r9;", func(uint32) (uint32, bool) { return 20, true }},
		{"idx in segments", "shfl.sync.idx.b32 %r6|%p1, %r5, 9, 0x1807, %r9;", func(i uint32) (uint32, bool) { return i&^7 | 1, true }},
		{"down in segments", "shfl.sync.down.b32 %r6|%p1, %r5, 3, 0x1807, %r9;", func(i uint32) (uint32, bool) { return i + 3, i%8 < 5 }},
		{"up", "shfl.sync.up.b32 %r6|%p1, %r5, 3, 0, %r9;", func(i uint32) (uint32, bool) { return i - 3, i >= 3 }},
	} {
		want := make([]uint32, 32)
		for i := range uint32(32) {
			switch j, ok := c.from(i); {
			case i >= 16:
				want[i] = 1
			case !ok:
				want[i] = 100 + i
			case j < 16:
				want[i] = 4096 + 100 + j
			default:
				want[i] = 4096
			}
		}
		for tier, plain := range tiers {
			text := kernel(prepare + c.shuffle + "selp.u32 %r8, 4096, 0, %p1; add.u32 %r6, %r6, %r8; OUT: st.global.u32 [%out], %r6; ret;")
			if got := run(t, text, emu.Config{NoVector: plain}, 1, 32, 32); !slices.Equal(got, want) {
				t.Errorf("%s, %s: %v, want %v", c.name, tier, got, want)
			}
		}
	}
}

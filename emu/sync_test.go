package emu_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// TestWarpOperations runs operations among the lanes of a warp. Expected values
// are computed from the manual's definition, lane by lane.
func TestWarpOperations(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       func(i uint32) uint32 // i < 32
	}{
		{"shfl up", "shfl.sync.up.b32 %r6, %r1, 3, 0, -1;", func(i uint32) uint32 {
			if i < 3 {
				return i
			}
			return i - 3
		}},
		{"shfl down", "shfl.sync.down.b32 %r6, %r1, 5, 31, -1;", func(i uint32) uint32 {
			if i+5 > 31 {
				return i
			}
			return i + 5
		}},
		{"shfl bfly", "shfl.sync.bfly.b32 %r6, %r1, 16, 31, -1;", func(i uint32) uint32 { return i ^ 16 }},
		{"shfl idx", "add.u32 %r5, %r1, 1; shfl.sync.idx.b32 %r6, %r1, %r5, 31, -1;", func(i uint32) uint32 { return (i + 1) % 32 }},
		// width 8: c = (32-8)<<8 | 7 for down and bfly, (32-8)<<8 for up
		{"shfl down width 8", "shfl.sync.down.b32 %r6|%p1, %r1, 3, 0x1807, -1; @!%p1 mov.u32 %r6, 99;", func(i uint32) uint32 {
			if i%8+3 > 7 {
				return 99
			}
			return i + 3
		}},
		{"shfl up width 8", "shfl.sync.up.b32 %r6|%p1, %r1, 2, 0x1800, -1; @!%p1 mov.u32 %r6, 99;", func(i uint32) uint32 {
			if i%8 < 2 {
				return 99
			}
			return i - 2
		}},
		{"shfl idx width 8", "shfl.sync.idx.b32 %r6, %r1, 10, 0x181f, -1;", func(i uint32) uint32 { return i&^7 | 2 }},
		{
			"shfl by halves", "setp.lt.u32 %p1, %r1, 16; selp.b32 %r5, 0xffff, 0xffff0000, %p1; shfl.sync.bfly.b32 %r6, %r1, 1, 31, %r5;",
			func(i uint32) uint32 { return i ^ 1 },
		},
		{"vote ballot", "setp.gt.u32 %p1, %r1, 20; vote.sync.ballot.b32 %r6, %p1, -1;", func(uint32) uint32 { return 0xffe00000 }},
		{"vote ballot not", "setp.gt.u32 %p1, %r1, 20; vote.sync.ballot.b32 %r6, !%p1, -1;", func(uint32) uint32 { return 0x001fffff }},
		{"vote any", "setp.eq.u32 %p1, %r1, 20; vote.sync.any.pred %p2, %p1, -1; selp.u32 %r6, 1, 2, %p2;", func(uint32) uint32 { return 1 }},
		{"vote all", "setp.ne.u32 %p1, %r1, 20; vote.sync.all.pred %p2, %p1, -1; selp.u32 %r6, 1, 2, %p2;", func(uint32) uint32 { return 2 }},
		{"vote uni", "setp.lt.u32 %p1, %r1, 100; vote.sync.uni.pred %p2, %p1, -1; selp.u32 %r6, 1, 2, %p2;", func(uint32) uint32 { return 1 }},
		{"match any", "and.b32 %r5, %r1, 3; match.any.sync.b32 %r6, %r5, -1;", func(i uint32) uint32 { return 0x11111111 << (i % 4) }},
		{
			"match any 64", "and.b32 %r5, %r1, 1; cvt.u64.u32 %rd1, %r5; shl.b64 %rd1, %rd1, 40; match.any.sync.b64 %r6, %rd1, -1;",
			func(i uint32) uint32 { return 0x55555555 << (i % 2) },
		},
		{"match any 64 ascending", "cvt.u64.u32 %rd1, %r1; match.any.sync.b64 %r6, %rd1, -1;", func(i uint32) uint32 { return 1 << i }},
		{"match all", "match.all.sync.b32 %r6|%p1, %r2, -1; @!%p1 mov.u32 %r6, 5;", func(uint32) uint32 { return 0xffffffff }},
		{"match all differs", "match.all.sync.b32 %r6|%p1, %r1, -1; selp.u32 %r7, 50, 60, %p1; add.u32 %r6, %r6, %r7;", func(uint32) uint32 { return 60 }},
		{"redux add", "redux.sync.add.u32 %r6, %r1, -1;", func(uint32) uint32 { return 496 }},
		{"redux min s32", "sub.s32 %r5, %r1, 10; redux.sync.min.s32 %r6, %r5, -1;", func(uint32) uint32 { return 0xfffffff6 }},
		{"redux max u32", "sub.s32 %r5, %r1, 10; redux.sync.max.u32 %r6, %r5, -1;", func(uint32) uint32 { return 0xffffffff }},
		{"redux xor", "redux.sync.xor.b32 %r6, %r1, -1;", func(uint32) uint32 { return 0 }},
		{"redux or, some lanes", "setp.lt.u32 %p1, %r1, 4; mov.u32 %r6, 0; @%p1 redux.sync.or.b32 %r6, %r1, 0xf;", func(i uint32) uint32 {
			if i < 4 {
				return 3
			}
			return 0
		}},
		{"divergent sync", `
			setp.lt.u32 %p1, %r1, 8; @%p1 bra A;
			mov.u32 %r5, 1; bra B;
		A:	mov.u32 %r5, 2;
		B:	redux.sync.add.u32 %r6, %r5, -1;`, func(uint32) uint32 { return 8*2 + 24 }},
		{"exited lanes are not waited for", `
			setp.ge.u32 %p1, %r1, 8; @%p1 st.global.u32 [%out], 7; @%p1 exit;
			setp.eq.u32 %p2, %r1, %r1; vote.sync.ballot.b32 %r6, %p2, -1;`, func(i uint32) uint32 {
			if i < 8 {
				return 0xff
			}
			return 7
		}},
		{"exit while others wait", `
			setp.lt.u32 %p1, %r1, 8; @%p1 bra A;
			st.global.u32 [%out], 7; exit;
		A:	setp.eq.u32 %p2, %r1, %r1; vote.sync.ballot.b32 %r6, %p2, -1;`, func(i uint32) uint32 {
			if i < 8 {
				return 0xff
			}
			return 7
		}},
		{"lanemask", "mov.u32 %r5, %lanemask_lt; popc.b32 %r6, %r5;", func(i uint32) uint32 { return i }},
		{"lanemask ge", "mov.u32 %r6, %lanemask_ge;", func(i uint32) uint32 { return 0xffffffff << i }},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachPolicy(t, func(t *testing.T, cfg emu.Config) {
				for i, v := range run(t, kernel(c.body+"\nst.global.u32 [%out], %r6; ret;"), cfg, 1, 32, 32) {
					if want := c.want(uint32(i)); v != want {
						t.Fatalf("%v: lane %d: got 0x%x, want 0x%x", cfg, i, v, want)
					}
				}
			})
		})
	}
}

// TestSyncInSeparateActivations: lanes that called a function separately meet in
// a shfl inside it.
func TestSyncInSeparateActivations(t *testing.T) {
	lib := `.func (.param .b32 r) total(.param .b32 n) {
	.reg .b32 %a<3>;
	ld.param.u32 %a1, [n];
	redux.sync.add.u32 %a2, %a1, -1;
	st.param.b32 [r], %a2;
	ret;
}`
	call := "{ .param .b32 q; .param .b32 v; st.param.b32 [q], %r1; call (v), total, (q); ld.param.b32 %r6, [v]; }"
	body := "setp.lt.u32 %p1, %r1, 10; @%p1 bra A; " + call + " bra B;\nA: " + call + "\nB: st.global.u32 [%out], %r6; ret;"
	for _, cfg := range []emu.Config{{}, {Policy: emu.Random, Seed: 3}, {Policy: emu.Random, Seed: 4}, {Policy: emu.PCT}, {Policy: emu.PCT, Seed: 1, Length: 50}} {
		for i, v := range run(t, lib+kernel(body), cfg, 1, 32, 32) {
			if v != 496 {
				t.Fatalf("%v: lane %d: got %d", cfg, i, v)
			}
		}
	}
}

// TestLanesOnBothSides: an operation in one arm of a branch meets one with the same qualifiers in the other arm,
// whatever registers and constants the two have (CUDA C++ Programming Guide, "Independent Thread Scheduling":
// __shfl_xor_sync in both arms).
func TestLanesOnBothSides(t *testing.T) {
	lower := func(i uint32) bool { return i < 8 }
	for name, c := range map[string]struct {
		then, els string // lanes 0 to 7, and the others
		want      func(i uint32) uint32
	}{
		"shuffle": {
			"mov.u32 %r5, 100; shfl.sync.bfly.b32 %r6, %r1, 16, 31, -1; add.u32 %r6, %r6, %r5;",
			"add.u32 %r5, %r1, 1000; shfl.sync.bfly.b32 %r7, %r5, 16, 31, -1; mov.u32 %r6, %r7;",
			func(i uint32) uint32 {
				switch {
				case lower(i):
					return i ^ 16 + 1100
				case lower(i ^ 16):
					return i ^ 16
				}
				return i ^ 16 + 1000
			},
		},
		"distance, and a predicate in one arm": {
			"shfl.sync.down.b32 %r6, %r1, 1, 31, -1;",
			"shfl.sync.down.b32 %r6|%p2, %r1, 2, 31, -1; @!%p2 mov.u32 %r6, 99;",
			func(i uint32) uint32 {
				switch {
				case lower(i):
					return i + 1
				case i > 29:
					return 99
				}
				return i + 2
			},
		},
		"one register for two operands": {
			"shfl.sync.idx.b32 %r6, %r1, %r1, 31, -1;",
			"mov.u32 %r5, 31; shfl.sync.idx.b32 %r6, %r1, %r5, %r5, -1;",
			func(i uint32) uint32 {
				if lower(i) {
					return i
				}
				return 31
			},
		},
		"ballot": {
			"setp.lt.u32 %p2, %r1, 2; vote.sync.ballot.b32 %r6, %p2, -1;",
			"setp.lt.u32 %p3, %r1, 10; vote.sync.ballot.b32 %r6, %p3, -1;",
			func(uint32) uint32 { return 0x303 },
		},
		"reduction": {
			"mov.u32 %r5, 1; redux.sync.add.u32 %r6, %r5, -1;",
			"mov.u32 %r7, 2; redux.sync.add.u32 %r6, %r7, -1;",
			func(uint32) uint32 { return 8 + 2*24 },
		},
		"match": {
			"mov.u32 %r5, 9; match.any.sync.b32 %r6, %r5, -1;",
			"match.any.sync.b32 %r6, %r1, -1;",
			func(i uint32) uint32 {
				if lower(i) || i == 9 {
					return 0x2ff
				}
				return 1 << i
			},
		},
		"election": {"elect.sync %r6|%p2, -1;", "elect.sync _|%p2, -1; mov.u32 %r6, 0;", func(uint32) uint32 { return 0 }},
	} {
		t.Run(name, func(t *testing.T) {
			body := "setp.lt.u32 %p1, %r1, 8; @%p1 bra A;\n" + c.els + " bra B;\nA: " + c.then + "\nB: st.global.u32 [%out], %r6; ret;"
			for seed := range uint64(4) {
				cfg := emu.Config{Policy: emu.Random, Seed: seed}
				for i, v := range run(t, kernel(body), cfg, 1, 32, 32) {
					if v != c.want(uint32(i)) {
						t.Fatalf("seed %d, lane %d: got %d, want %d", seed, i, v, c.want(uint32(i)))
					}
				}
			}
		})
	}
}

// TestWarpBarrierOnBothSides: bar.warp.sync instructions at different places match.
// Before Volta, whose policy is lockstep, the sides of a branch cannot meet.
func TestWarpBarrierOnBothSides(t *testing.T) {
	body := `
		setp.lt.u32 %p1, %r1, 8; @%p1 bra A;
		bar.warp.sync -1; mov.u32 %r6, 1; bra B;
	A:	bar.warp.sync -1; mov.u32 %r6, 2;
	B:	st.global.u32 [%out], %r6; ret;`
	for _, cfg := range []emu.Config{{}, {Policy: emu.Random}, {Policy: emu.PCT}} {
		for i, v := range run(t, kernel(body), cfg, 1, 32, 32) {
			if i < 8 && v != 2 || i >= 8 && v != 1 {
				t.Fatalf("%v: lane %d: got %d", cfg, i, v)
			}
		}
	}
	m := load(t, kernel(body), emu.Config{Policy: emu.Lockstep})
	r := launch(t, m, 1, 32, alloc(t, m, "out", 32))
	if len(r.Faults) != 1 || r.Faults[0].Class != "deadlock" {
		t.Fatal(r.Faults)
	}
}

// TestBarriers runs barriers of a block of 96 threads.
func TestBarriers(t *testing.T) {
	const shared = ".shared .align 4 .b8 sh[512];\n"
	for _, c := range []struct {
		name, body string
		want       func(i uint32) uint32 // i < 96
	}{
		{
			"exchange", `
			mov.u32 %r5, sh; shl.b32 %r6, %r1, 2; add.u32 %r7, %r5, %r6; st.shared.u32 [%r7], %r1;
			bar.sync 0;
			mov.u32 %r8, 95; sub.u32 %r8, %r8, %r1; shl.b32 %r8, %r8, 2; add.u32 %r8, %r8, %r5; ld.shared.u32 %r6, [%r8];`,
			func(i uint32) uint32 { return 95 - i },
		},
		{"exited threads", `
			setp.ge.u32 %p1, %r1, 64; @%p1 st.global.u32 [%out], 1; @%p1 exit;
			bar.sync 0; mov.u32 %r6, 2;`, func(i uint32) uint32 {
			if i >= 64 {
				return 1
			}
			return 2
		}},
		{"partial", `
			setp.ge.u32 %p1, %r1, 64; mov.u32 %r6, 1; @%p1 bra E;
			bar.sync 3, 64; mov.u32 %r6, 2;
		E:`, func(i uint32) uint32 {
			if i >= 64 {
				return 1
			}
			return 2
		}},
		{"count of the block and none", `
			mov.u32 %r6, 5; setp.ge.u32 %p1, %r1, 32; @%p1 bra B;
			bar.sync 0, 96; bra E;
		B:	bar.sync 0;
		E:`, func(uint32) uint32 { return 5 }},
		{"producer consumer", `
			mov.u32 %r5, sh; setp.lt.u32 %p1, %r1, 32; @%p1 bra C;
			setp.eq.u32 %p2, %r1, 32; @%p2 st.shared.u32 [%r5], 77; mov.u32 %r6, 0;
			bar.arrive 1, 96; bra E;
		C:	bar.sync 1, 96; ld.shared.u32 %r6, [%r5];
		E:`, func(i uint32) uint32 {
			if i < 32 {
				return 77
			}
			return 0
		}},
		{"red popc", "setp.lt.u32 %p1, %r1, 10; bar.red.popc.u32 %r6, 0, %p1;", func(uint32) uint32 { return 10 }},
		{"red popc not", "setp.lt.u32 %p1, %r1, 10; bar.red.popc.u32 %r6, 0, !%p1;", func(uint32) uint32 { return 86 }},
		{"red and", "setp.lt.u32 %p1, %r1, 95; bar.red.and.pred %p2, 0, %p1; selp.u32 %r6, 1, 2, %p2;", func(uint32) uint32 { return 2 }},
		{"red or", "setp.eq.u32 %p1, %r1, 95; bar.red.or.pred %p2, 0, %p1; selp.u32 %r6, 1, 2, %p2;", func(uint32) uint32 { return 1 }},
		{"divergent arrival", `
			setp.lt.u32 %p1, %r1, 10; @!%p1 bra L;
			mov.u32 %r6, 4; 
		L:	barrier.sync 0; mov.u32 %r6, 3;`, func(uint32) uint32 { return 3 }},
		{"loop of barriers", `
			mov.u32 %r5, 0; mov.u32 %r7, sh; mov.u32 %r6, 0;
		L:	rem.u32 %r8, %r5, 96; setp.eq.u32 %p1, %r8, %r1; @%p1 st.shared.u32 [%r7], %r5;
			bar.sync 0;
			ld.shared.u32 %r8, [%r7]; add.u32 %r6, %r6, %r8;
			bar.sync 0;
			add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 100; @%p1 bra L;`, func(uint32) uint32 { return 99 * 100 / 2 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachPolicy(t, func(t *testing.T, cfg emu.Config) {
				for i, v := range run(t, shared+kernel(c.body+"\nst.global.u32 [%out], %r6; ret;"), cfg, 1, 96, 96) {
					if want := c.want(uint32(i)); v != want {
						t.Fatalf("%v: thread %d: got %d, want %d", cfg, i, v, want)
					}
				}
			})
		})
	}
}

// TestPartialWarpAtCountedBarrier: the last warp of a block of 40 threads counts as
// 32 at a barrier with a count, even when its first lane has exited.
func TestPartialWarpAtCountedBarrier(t *testing.T) {
	body := `
		setp.eq.u32 %p1, %r1, 32; @%p1 exit;
		barrier.sync 1, 64; st.global.u32 [%out], 2; ret;`
	for i, v := range run(t, kernel(body), emu.Config{}, 1, 40, 40) {
		if i != 32 && v != 2 || i == 32 && v != 0 {
			t.Fatalf("thread %d: got %d", i, v)
		}
	}
}

// TestExitAfterArrival: lanes that exit after the first lane of their warp has arrived at a barrier with a count are
// counted then, once, whether or not they have arrived before.
func TestExitAfterArrival(t *testing.T) {
	body := `
		mov.u32 %r5, 0; and.b32 %r6, %r1, 31;
		setp.eq.u32 %p1, %r6, 0; @%p1 bra SYNC;
		setp.eq.u32 %p1, %r6, 7; @%p1 barrier.arrive 1, 96;
	LATE:	add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 500; @%p1 bra LATE;
		ret;
	SYNC:	setp.eq.u32 %p1, %r1, 64; @%p1 st.volatile.global.u32 [%base+64], 7;
		barrier.sync 1, 96; ld.volatile.global.u32 %r5, [%base+64]; st.global.u32 [%out], %r5; ret;`
	for i, v := range run(t, kernel(body), emu.Config{}, 1, 96, 96) {
		if waits := i%32 == 0 || i == 16; waits != (v == 7) { // element 16 is the word at 64
			t.Fatalf("thread %d: got %d", i, v)
		}
	}
}

// TestArrivalsBeforeExit: lanes that arrive without waiting and exit do not count again
// when the rest of their warp arrives.
func TestArrivalsBeforeExit(t *testing.T) {
	body := `
		setp.ge.u32 %p1, %r1, 32; @%p1 bra WAIT;
		setp.ge.u32 %p1, %r1, 16; @%p1 bra ARRIVE;
	FIRST:	ld.volatile.global.u32 %r5, [%base+124]; setp.eq.u32 %p1, %r5, 0; @%p1 bra FIRST;
		mov.u32 %r5, 0; setp.lt.u32 %p1, %r1, 8; @%p1 bra SOON;
	LATE:	add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 5000; @%p1 bra LATE;
		st.volatile.global.u32 [%base+64], 7;
		barrier.arrive 1, 64; ret;
	SOON:	add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 500; @%p1 bra SOON;
		barrier.arrive 1, 64; ret;
	ARRIVE:	barrier.arrive 1, 64; st.volatile.global.u32 [%out], 1; ret;
	WAIT:	barrier.sync 1, 64; ld.volatile.global.u32 %r5, [%base+64]; st.global.u32 [%out], %r5; ret;`
	for i, v := range run(t, kernel(body), emu.Config{}, 1, 64, 64)[32:] {
		if v != 7 {
			t.Fatalf("thread %d goes on too early: got %d", 32+i, v)
		}
	}
}

// TestBarrierParts: lanes of a warp at different barriers, and lanes whose guard
// is false.
func TestBarrierParts(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       func(i uint32) uint32 // i < 64
	}{
		{"numbers by lane", `
			and.b32 %r5, %r1, 1; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r1, 32;
			barrier.red.popc.u32 %r6, %r5, 32, %p1;`, func(uint32) uint32 { return 16 }},
		{"guard", `
			and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 0; mov.u32 %r6, 4;
			setp.lt.u32 %p2, %r1, 32; @%p2 bra A;
		W:	ld.volatile.global.u32 %r7, [%base+252]; setp.eq.u32 %p3, %r7, 0; @%p3 bra W;
		A:	@%p1 barrier.sync 1, 32; @!%p1 st.volatile.global.u32 [%base+252], 1; @%p1 mov.u32 %r6, 5;`, func(i uint32) uint32 { return 5 - i%2 }},
		{"together again", `
			setp.lt.u32 %p1, %r1, 5; @%p1 bra A;
			barrier.sync 0; bra B;
		A:	ld.volatile.global.u32 %r5, [%base]; barrier.sync 0;
		B:	barrier.sync 0; activemask.b32 %r6;`, func(uint32) uint32 { return 0xffffffff }},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i, v := range run(t, kernel(c.body+"\nst.global.u32 [%out], %r6; ret;"), emu.Config{}, 1, 64, 64) {
				if want := c.want(uint32(i)); v != want {
					t.Fatalf("thread %d: got 0x%x, want 0x%x", i, v, want)
				}
			}
		})
	}
}

// spinLock increments base[1] under a lock in base[0].
const spinLock = `
	SPIN:	atom.global.cas.b32 %r5, [%base], 0, 1;
	setp.ne.u32 %p1, %r5, 0; @%p1 bra SPIN;
	ld.volatile.global.u32 %r6, [%base+4]; add.u32 %r6, %r6, 1; st.volatile.global.u32 [%base+4], %r6;
	membar.gl; atom.global.exch.b32 %r7, [%base], 0;
	ret;`

// TestSpinLock: threads of one warp take turns at a lock. Independent scheduling
// lets them finish; the SIMT stack does not, and the fault says where they spin.
func TestSpinLock(t *testing.T) {
	finish := func(t *testing.T, cfg emu.Config) {
		if w := run(t, kernel(spinLock), cfg, 2, 64, 2); w[1] != 128 {
			t.Fatalf("%v: counter is %d, want 128", cfg, w[1])
		}
	}
	finish(t, emu.Config{})
	for seed := range uint64(10) {
		finish(t, emu.Config{Policy: emu.Random, Seed: seed})
		finish(t, emu.Config{Policy: emu.PCT, Seed: seed})
	}
	m := load(t, kernel(spinLock), emu.Config{Policy: emu.Lockstep})
	r := launch(t, m, 1, 32, alloc(t, m, "lock", 2))
	if len(r.Faults) != 1 || r.Faults[0].Class != "livelock" || r.Faults[0].Inst.Instr.Name != "atom" {
		t.Fatal(r.Faults)
	}
	if msg := r.Faults[0].Message; !strings.Contains(msg, "31 threads spin at line 11") || !strings.Contains(msg, "1 thread waits to reconverge") {
		t.Fatal(msg)
	}
}

// TestStandstill: kernels that can never end are faults, with class and position.
func TestStandstill(t *testing.T) {
	for _, c := range []struct {
		name, body  string
		grid, block uint32
		class, text string
	}{
		{"flag never set", "L: ld.volatile.global.u32 %r5, [%base]; setp.eq.u32 %p1, %r5, 0; @%p1 bra L; ret;", 2, 64, "livelock", "128 threads spin"},
		{"flag never set, nested", `L: mov.u32 %r7, 0;
			M: ld.volatile.global.u32 %r5, [%base]; add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, 5; @%p2 bra M;
			setp.eq.u32 %p1, %r5, 0; @%p1 bra L; ret;`, 1, 32, "livelock", "32 threads spin"},
		{"locks in opposite order", `
			setp.eq.u32 %p2, %r2, 0; selp.u64 %rd1, 0, 4, %p2; selp.u64 %rd2, 4, 0, %p2; add.u64 %rd1, %rd1, %base; add.u64 %rd2, %rd2, %base;
			A: atom.global.cas.b32 %r5, [%rd1], 0, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra A;
			atom.global.add.u32 %r5, [%base+8], 1;
			W: ld.volatile.global.u32 %r5, [%base+8]; setp.lt.u32 %p1, %r5, 2; @%p1 bra W;
			B: atom.global.cas.b32 %r5, [%rd2], 0, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra B;
			ret;`, 2, 1, "livelock", "2 threads spin"},
		{"barrier and another barrier", "setp.lt.u32 %p1, %r1, 32; @%p1 bra A; bar.sync 1; ret;\nA: bar.sync 2; ret;", 1, 64, "barrier-divergence", "32 threads wait at a barrier"},
		{"barrier count too high", "bar.sync 1, 96; ret;", 1, 64, "barrier-divergence", "64 threads wait at a barrier"},
		{"different instructions in a warp", "setp.lt.u32 %p1, %r1, 16; @%p1 bra A; bar.sync 0; ret;\nA: bar.sync 0; ret;", 1, 64, "barrier-divergence", "from different instructions"},
		{"counts differ", "setp.lt.u32 %p1, %r1, 32; @%p1 bra A; bar.sync 0, 64; ret;\nA: bar.sync 0, 128; ret;", 1, 96, "barrier-divergence", "different counts"},
		{"sync and red", "setp.lt.u32 %p1, %r1, 32; @%p1 bra A; bar.sync 0; ret;\nA: bar.red.popc.u32 %r5, 0, %p1; ret;", 1, 64, "barrier-divergence", "by different operations"},
		{"two reductions", "setp.lt.u32 %p1, %r1, 32; @%p1 bra A; bar.red.or.pred %p2, 0, %p1; ret;\nA: bar.red.and.pred %p2, 0, %p1; ret;", 1, 64, "barrier-divergence", "by different operations"},
		{"arrive and red", "setp.lt.u32 %p1, %r1, 32; @%p1 bra A; bar.arrive 0, 64; ret;\nA: bar.red.and.pred %p2, 0, 64, %p1; ret;", 1, 64, "barrier-divergence", "by different operations"},
		{"count of half a warp", "bar.sync 1, 48; ret;", 1, 64, "barrier-divergence", "multiples of 32"},
		{"warp sync never complete", "setp.lt.u32 %p1, %r1, 16; @%p1 bra A; bar.sync 0;\nA: bar.warp.sync -1; ret;", 1, 64, "barrier-divergence", "wait for other lanes"},
		{"different operations", `setp.lt.u32 %p1, %r1, 16; @%p1 bra A; redux.sync.add.u32 %r5, %r1, -1; ret;
			A: redux.sync.max.u32 %r5, %r1, -1; ret;`, 1, 32, "deadlock", "16 threads wait for other lanes"},
		{"different shuffles in two arms", "setp.lt.u32 %p1, %r1, 8; @%p1 bra A; shfl.sync.up.b32 %r6, %r1, 1, 0, -1; ret;\nA: shfl.sync.down.b32 %r6, %r1, 1, 31, -1; ret;", 1, 32, "deadlock", "wait for other lanes"},
		{"membermask without self", "bar.warp.sync 1; ret;", 1, 2, "barrier-divergence", "does not contain the executing lane 1"},
		{"trap", "setp.eq.u32 %p1, %r4, 37; @%p1 trap; ret;", 1, 64, "trap", "trap"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, cfg := range []emu.Config{{}, {Policy: emu.Random, Seed: 5}, {Policy: emu.PCT, Seed: 5}} {
				m := load(t, kernel(c.body), cfg)
				r := launch(t, m, c.grid, c.block, alloc(t, m, "out", 128))
				if len(r.Faults) != 1 || r.Faults[0].Class != c.class || !strings.Contains(r.Faults[0].Message, c.text) {
					t.Fatalf("policy %d: got %v, want %s with %q", cfg.Policy, r.Faults, c.class, c.text)
				}
				if r.Faults[0].Inst == nil {
					t.Fatalf("no instruction in %v", r.Faults[0])
				}
			}
		})
	}
}

// TestGridBarrier: all blocks wait for each other.
func TestGridBarrier(t *testing.T) {
	body := `
		bar.sync 0;
		setp.ne.u32 %p1, %r1, 0; @%p1 bra J;
		atom.global.add.u32 %r5, [%base], 1; mov.u32 %r6, %nctaid.x;
	W:	ld.volatile.global.u32 %r5, [%base]; setp.lt.u32 %p2, %r5, %r6; @%p2 bra W;
	J:	bar.sync 0;
		ld.volatile.global.u32 %r7, [%base]; add.u64 %out, %out, 4; st.global.u32 [%out], %r7; ret;`
	const grid, block = 300, 64
	for _, cfg := range []emu.Config{{}, {Policy: emu.Lockstep}, {Policy: emu.Random}, {Policy: emu.PCT}} {
		for i, v := range run(t, kernel(body), cfg, grid, block, grid*block+1) {
			if v != grid {
				t.Fatalf("word %d: %d", i, v)
			}
		}
	}
	m := load(t, kernel(body), emu.Config{Resident: 100})
	r := launch(t, m, grid, block, alloc(t, m, "out", grid*block+1))
	if len(r.Faults) != 1 || !strings.Contains(r.Faults[0].Message, "200 blocks have not started because only 100 may be resident") {
		t.Fatal(r.Faults)
	}
}

func TestStepLimit(t *testing.T) {
	body := "mov.u32 %r5, 0; L: add.u32 %r5, %r5, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra L;"
	m := load(t, kernel(body), emu.Config{MaxSteps: 10000})
	r := launch(t, m, 1, 32, alloc(t, m, "out", 1))
	if len(r.Faults) != 1 || r.Faults[0].Class != "timeout" || r.Faults[0].Inst == nil {
		t.Fatal(r.Faults)
	}
}

// lateContext is a context whose time is over when it has been asked a number of times.
type lateContext struct {
	context.Context
	left int
}

func (c *lateContext) Err() error {
	if c.left--; c.left < 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// TestCancel: a launch whose time is over, or that is cancelled, ends.
func TestCancel(t *testing.T) {
	m := load(t, kernel("mov.u32 %r5, 0; L: add.u32 %r5, %r5, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra L;"), emu.Config{})
	lc := emu.LaunchConfig{Kernel: "k", Grid: dim(1), Block: dim(1), Params: args(0)}
	for _, c := range []struct {
		asked int
		text  string
	}{
		{0, "the time allowed is over before a block has started"},
		{10, "has not finished in the time allowed: 1 thread runs at line"},
	} {
		r, err := m.Launch(&lateContext{t.Context(), c.asked}, lc)
		if err != nil || len(r.Faults) != 1 || r.Faults[0].Class != "timeout" || !strings.Contains(r.Faults[0].Message, c.text) {
			t.Fatal(r, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Launch(ctx, lc); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

// exitingFunc ends the lanes whose argument is not 0.
const exitingFunc = `.func quit(.param .b32 n) {
	.reg .b32 %a; .reg .pred %p;
	ld.param.u32 %a, [n]; setp.ne.u32 %p, %a, 0; @%p exit;
	ret;
}
`

// TestExitInCallee: lanes that exit inside a call are not waited for after it.
func TestExitInCallee(t *testing.T) {
	body := `
		and.b32 %r5, %r1, 1;
		{ .param .b32 q; st.param.b32 [q], %r5; call quit, (q); }
		activemask.b32 %r6; st.global.u32 [%out], %r6; ret;`
	for _, p := range []emu.Policy{emu.ITS, emu.Lockstep} {
		for i, v := range run(t, exitingFunc+kernel(body), emu.Config{Policy: p}, 1, 32, 32) {
			if want := [2]uint32{0x55555555, 0}[i%2]; v != want {
				t.Fatalf("policy %d lane %d: got 0x%x", p, i, v)
			}
		}
	}
}

// TestExitWhileSiblingSpins: lane 0 waits to reconverge with lane 1, which exits,
// and with lane 2, which spins until lane 0 has set a flag.
func TestExitWhileSiblingSpins(t *testing.T) {
	body := `
		mov.u32 %r6, 0;
		setp.eq.u32 %p1, %r1, 0; @%p1 bra JOIN;
		setp.eq.u32 %p2, %r1, 2; @%p2 bra SPIN;
	DELAY:	add.u32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, 1000; @%p3 bra DELAY;
		{ .param .b32 q; st.param.b32 [q], 1; call quit, (q); }
		bra JOIN;
	SPIN:	ld.volatile.global.u32 %r5, [%base]; setp.eq.u32 %p1, %r5, 0; @%p1 bra SPIN;
	JOIN:	st.volatile.global.u32 [%base], 1; ret;`
	for _, cfg := range []emu.Config{{}, {Policy: emu.Random}, {Policy: emu.PCT}} {
		if w := run(t, exitingFunc+kernel(body), cfg, 1, 3, 1); w[0] != 1 {
			t.Fatal(w)
		}
	}
}

// TestUnwrittenRegisters are 0, whatever an earlier block left in them.
func TestUnwrittenRegisters(t *testing.T) {
	body := "setp.eq.u32 %p1, %r2, 0; @%p1 mov.u32 %r5, 77; st.global.u32 [%out], %r5; ret;"
	for i, v := range run(t, kernel(body), emu.Config{Resident: 1}, 4, 32, 128) {
		if want := [4]uint32{77}[i/32]; v != want {
			t.Fatalf("thread %d: got %d", i, v)
		}
	}
}

// TestLateBlocks: running blocks spin, not provably, for one that starts last.
func TestLateBlocks(t *testing.T) {
	body := `
		mov.u32 %r5, %nctaid.x; sub.u32 %r5, %r5, 1; setp.eq.u32 %p1, %r2, %r5; @%p1 st.volatile.global.u32 [%base], 1;
		mov.u32 %r6, 0;
	L:	add.u32 %r6, %r6, 1; ld.volatile.global.u32 %r7, [%base]; setp.eq.u32 %p2, %r7, 0; @%p2 bra L;
		st.global.u32 [%base+4], %r6; ret;`
	clean(t, launchLimited(t, kernel(body), 200, 32))
}

// TestSharedMemoryStartsZeroed in every block.
func TestSharedMemoryStartsZeroed(t *testing.T) {
	body := "ld.shared.u32 %r5, [sh]; st.shared.u32 [sh], 7; st.global.u32 [%out], %r5; ret;"
	for i, v := range run(t, ".shared .align 4 .u32 sh;\n"+kernel(body), emu.Config{Resident: 1}, 3, 1, 3) {
		if v != 0 {
			t.Fatalf("block %d found %d", i, v)
		}
	}
}

// TestRandomSplits: the random policy takes converged lanes apart, and lets them
// come together again.
func TestRandomSplits(t *testing.T) {
	const rounds, perRound = 3000, 4
	body := "mov.u32 %r6, 0;\nL: ld.volatile.global.u32 %r5, [%base]; add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 3000; @%p1 bra L; ret;"
	m := load(t, kernel(body), emu.Config{Policy: emu.Random, Seed: 1})
	r := launch(t, m, 1, 32, alloc(t, m, "out", 32))
	clean(t, r)
	groups := float64(r.Stats.WarpInstructions) / (rounds * perRound)
	if groups < 1.5 || groups > 10 {
		t.Errorf("on average %.1f groups", groups)
	}
}

// TestBarrierMisuses: barriers that the threads of a block do not pass at one place, which CUDA C
// leaves undefined, are in the result of a launch.
func TestBarrierMisuses(t *testing.T) {
	branches := "setp.lt.u32 %p1, %r1, 32; @%p1 bra L;\nbar.sync 0;\nbra M; L:\nbar.sync 0;\nM: "
	for _, c := range []struct {
		name, body string
		want       string
	}{
		{"all threads", "bar.sync 0; ret;", ""},
		{"a warp has exited", "setp.lt.u32 %p1, %r1, 32; @%p1 exit;\nbar.sync 0; ret;", ""},
		{"lanes have exited", "setp.lt.u32 %p1, %r1, 4; @%p1 exit;\nbar.sync 0; ret;", ""},
		{"two places", branches + "ret;", "1 3"},
		{"two places, twice, and all", branches + strings.ReplaceAll(strings.ReplaceAll(branches, "L", "N"), "M", "O") + "bar.sync 0; ret;", "1 3, 5 7"},
		{"counted", strings.ReplaceAll(branches, "sync 0", "sync 0, 64") + "ret;", ""},
		{"another barrier", strings.ReplaceAll(branches, "sync 0", "sync 1") + "ret;", ""},
		{"not aligned", strings.ReplaceAll(branches, "bar.sync", "barrier.sync") + "ret;", ""},
	} {
		for _, workers := range []int{1, 4} {
			r := launch(t, load(t, kernel(c.body), emu.Config{Workers: workers}), 8, 64, 0)
			clean(t, r)
			var list []string
			first := 0
			for _, s := range r.Misuses {
				if first == 0 {
					first = s.At.Line - 1
				}
				list = append(list, fmt.Sprint(s.At.Line-first, " ", s.Other.Line-first))
			}
			if got := strings.Join(list, ", "); got != c.want {
				t.Errorf("%s, %d workers: %s, want %s", c.name, workers, got, c.want)
			}
		}
	}
}

// TestMissingThreads: barriers and shuffles that are complete although threads of the block, or lanes of the mask, have
// gone around them or have left. Threads that exit before they have come to a barrier are not missing.
func TestMissingThreads(t *testing.T) {
	const store = "st.global.u32 [%out], %r5;\n"
	for name, c := range map[string]struct {
		body string
		kind emu.MisuseKind
		want string // the instruction, and where the missing threads go on; empty for no misuse
	}{
		"an early return": {"setp.ge.u32 %p1, %r1, 40; @%p1 bra END;\nbar.sync 0;\n" + store + "bar.sync 0; END: ret;", 0, ""},
		"an early exit":   {"setp.ge.u32 %p1, %r1, 40; @%p1 exit;\nbar.sync 0;\n" + store + "ret;", 0, ""},
		"the last round of a loop": {
			"mov.u32 %r6, %r1; setp.ge.u32 %p1, %r6, 100; @%p1 bra END;\nL: bar.sync 0;\nadd.u32 %r6, %r6, 64; bar.sync 1; setp.lt.u32 %p1, %r6, 100; @%p1 bra L; END: ret;",
			emu.LeftBarrier, "bar.sync 0",
		},
		"warps that leave a loop": {"mov.u32 %r6, %r1;\nL: bar.sync 0; add.u32 %r6, %r6, 64; setp.lt.u32 %p1, %r6, 96; @%p1 bra L; ret;", emu.LeftBarrier, "bar.sync 0"},
		"not aligned":             {"mov.u32 %r6, %r1;\nL: barrier.sync 0; add.u32 %r6, %r6, 64; setp.lt.u32 %p1, %r6, 96; @%p1 bra L; ret;", 0, ""},
		"a uniform loop":          {"mov.u32 %r6, 0;\nL: bar.sync 0; add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 3; @%p1 bra L;\n" + store + "ret;", 0, ""},
		"a branch around":         {"setp.ge.u32 %p1, %r1, 40; @%p1 bra END;\nbar.sync 0;\nEND: " + store + "ret;", emu.SkippedBarrier, "bar.sync 0, st.global.u32 [%out], %r5"},
		"warps go around":         {"setp.ge.u32 %p1, %r1, 32; @%p1 bra END;\nbar.sync 0;\nEND: " + store + "ret;", emu.SkippedBarrier, "bar.sync 0, st.global.u32 [%out], %r5"},
		"a guard":                 {"setp.lt.u32 %p1, %r1, 40;\n@%p1 bar.sync 0;\n" + store + "ret;", emu.SkippedBarrier, "bar.sync 0, st.global.u32 [%out], %r5"},
		"a guard that all meet":   {"setp.lt.u32 %p1, %r1, 64;\n@%p1 bar.sync 0;\n" + store + "ret;", 0, ""},
		"a barrier for a count":   {"setp.ge.u32 %p1, %r1, 32; @%p1 bra END;\nbar.sync 1, 32;\nEND: " + store + "ret;", 0, ""},
		"lanes around a shuffle": {
			"setp.ge.u32 %p1, %r1, 40; @%p1 bra END;\nshfl.sync.bfly.b32 %r5, %r1, 1, 31, -1;\nEND: " + store + "ret;",
			emu.SkippedBarrier, "shfl.sync.bfly.b32 %r5, %r1, 1, 31, -1, st.global.u32 [%out], %r5",
		},
		"lanes of an active mask": {
			"activemask.b32 %r6; setp.ge.u32 %p1, %r1, 40; @%p1 bra END;\nshfl.sync.down.b32 %r5, %r1, 1, 31, %r6;\nEND: " + store + "ret;",
			emu.SkippedBarrier, "shfl.sync.down.b32 %r5, %r1, 1, 31, %r6, st.global.u32 [%out], %r5",
		},
		"lanes around a vote": {
			"setp.ge.u32 %p1, %r1, 40; @%p1 bra END;\nvote.sync.ballot.b32 %r5, %p1, -1;\nEND: " + store + "ret;",
			emu.SkippedBarrier, "vote.sync.ballot.b32 %r5, %p1, -1, st.global.u32 [%out], %r5",
		},
		"lanes that return before a shuffle": {"setp.ge.u32 %p1, %r1, 40; @%p1 bra END;\nshfl.sync.bfly.b32 %r5, %r1, 1, 31, -1;\n" + store + "END: ret;", 0, ""},
		"a mask without them":                {"setp.ge.u32 %p1, %r1, 40; @%p1 bra END;\nactivemask.b32 %r6; shfl.sync.bfly.b32 %r5, %r1, 1, 31, %r6;\nEND: " + store + "ret;", 0, ""},
		"a warp without threads":             {"setp.ge.u32 %p1, %r1, 32; @%p1 bra END;\nshfl.sync.bfly.b32 %r5, %r1, 1, 31, -1;\nEND: " + store + "ret;", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			for _, cfg := range []emu.Config{{}, {Policy: emu.Random, Seed: 3}, {Policy: emu.PCT, Seed: 1, Length: 100}, {NoVector: true}} {
				cfg.Listener = emu.NopListener{} // without one, warps that take turns pass barriers in assembly, uncounted
				m := load(t, kernel(c.body), cfg)
				r := launch(t, m, 1, 64, alloc(t, m, "out", 64))
				clean(t, r)
				var got []string
				for _, x := range r.Misuses {
					text := x.At.Text()
					if x.Other != nil {
						text += ", " + x.Other.Text()
					}
					if got = append(got, text); x.Kind != c.kind {
						t.Errorf("kind %d, want %d", x.Kind, c.kind)
					}
				}
				if text := strings.Join(got, "; "); text != c.want {
					t.Errorf("got %q, want %q", text, c.want)
				}
			}
		})
	}
}

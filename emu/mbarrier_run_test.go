package emu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// TestMbarrierTokens: all threads arrive round after round and wait with the state
// that they got, test_wait or try_wait.
func TestMbarrierTokens(t *testing.T) {
	for _, wait := range []string{"test_wait", "try_wait"} {
		text := ".shared .align 8 .b64 bar; .shared .align 4 .u32 cell[64];\n" + kernel(`
	setp.ne.u32 %p1, %r1, 0;
	@!%p1 mbarrier.init.shared.b64 [bar], 64;
	bar.sync 0;
	mov.u32 %r5, cell; mad.lo.u32 %r6, %r1, 4, %r5;
	mov.u32 %r7, 0; mov.u32 %r10, 0;
ROUND:
	add.u32 %r8, %r1, %r7; st.shared.u32 [%r6], %r8;
	mbarrier.arrive.shared.b64 %rd1, [bar];
W1:	mbarrier.`+wait+`.shared.b64 %p2, [bar], %rd1;
	@!%p2 bra W1;
	xor.b32 %r9, %r1, 63; mad.lo.u32 %r9, %r9, 4, %r5; ld.shared.u32 %r9, [%r9];
	add.u32 %r10, %r10, %r9;
	mbarrier.arrive.shared.b64 %rd1, [bar];
W2:	mbarrier.`+wait+`.shared.b64 %p2, [bar], %rd1;
	@!%p2 bra W2;
	add.u32 %r7, %r7, 1; setp.lt.u32 %p3, %r7, 5; @%p3 bra ROUND;
	st.global.u32 [%out], %r10; ret;`)
		eachPolicy(t, func(t *testing.T, cfg emu.Config) {
			for i, v := range run(t, text, cfg, 2, 64, 128) {
				if want := uint32(5*(63-i%64) + 10); v != want { // 0+1+..+4 = 10
					t.Fatalf("thread %d: got %d, want %d", i, v, want)
				}
			}
		})
	}
}

// ring moves 20 numbers from warp 0 to warp 1 through two buffers of 32 words, each
// with a barrier that says that it is full and one that says that it is empty.
var ring = ".shared .align 8 .b64 full[2]; .shared .align 8 .b64 empty[2]; .shared .align 128 .u32 buf[64];\n" + kernel(`
	setp.eq.u32 %p1, %r1, 0;
	mov.u32 %r20, full; mov.u32 %r21, empty; mov.u32 %r22, buf;
	@%p1 mbarrier.init.shared::cta.b64 [%r20], 32;   @%p1 mbarrier.init.shared::cta.b64 [%r20+8], 32;
	@%p1 mbarrier.init.shared::cta.b64 [%r21], 32;   @%p1 mbarrier.init.shared::cta.b64 [%r21+8], 32;
	bar.sync 0;
	and.b32 %r5, %r1, 31;
	mov.u32 %r6, 0; mov.u32 %r15, 0;
	setp.ge.u32 %p2, %r1, 32;
LOOP:
	and.b32 %r7, %r6, 1;                          // buffer
	shr.u32 %r8, %r6, 1; and.b32 %r8, %r8, 1;     // parity of the use of the buffer
	mad.lo.u32 %r9, %r7, 8, %r20; mad.lo.u32 %r10, %r7, 8, %r21;
	shl.b32 %r11, %r7, 5; add.u32 %r11, %r11, %r5; mad.lo.u32 %r11, %r11, 4, %r22;
	@%p2 bra CONSUME;
	xor.b32 %r12, %r8, 1;                         // the first time round, it is empty
PE:	mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r10], %r12, 1000;
	@!%p3 bra PE;
	mad.lo.u32 %r13, %r6, 100, %r5; st.shared.u32 [%r11], %r13;
	mbarrier.arrive.release.cta.shared::cta.b64 _, [%r9];
	bra NEXT;
CONSUME:
PF:	mbarrier.test_wait.parity.shared::cta.b64 %p3, [%r9], %r8;
	@!%p3 bra PF;
	xor.b32 %r14, %r11, 124;                      // another thread's word of the buffer
	ld.shared.u32 %r13, [%r14]; add.u32 %r15, %r15, %r13;
	mbarrier.arrive.shared::cta.b64 %rd1, [%r10];
NEXT:
	add.u32 %r6, %r6, 1; setp.lt.u32 %p4, %r6, 20; @%p4 bra LOOP;
	st.global.u32 [%out], %r15; ret;`)

// TestMbarrierRing is a producer and a consumer with double buffering.
func TestMbarrierRing(t *testing.T) {
	eachPolicy(t, func(t *testing.T, cfg emu.Config) {
		for i, v := range run(t, ring, cfg, 1, 64, 64) {
			want := uint32(0)
			if i >= 32 {
				want = uint32(190*100 + 20*(31-(i-32))) // 0+..+19 = 190
			}
			if v != want {
				t.Fatalf("thread %d: got %d, want %d", i, v, want)
			}
		}
	})
}

// TestMbarrierDrop: threads that leave are not waited for any more, and the
// pending count is that of the state.
func TestMbarrierDrop(t *testing.T) {
	text := ".shared .align 8 .b64 bar, own;\n" + kernel(`
	setp.ne.u32 %p1, %r1, 0;
	@!%p1 mbarrier.init.shared.b64 [bar], 4;
	bar.sync 0;
	setp.ge.u32 %p2, %r1, 2;
	@%p2 mbarrier.arrive_drop.shared.b64 %rd1, [bar];
	@%p2 bra END;
	mbarrier.arrive.shared.b64 %rd1, [bar];
W1:	mbarrier.try_wait.shared.b64 %p3, [bar], %rd1; @!%p3 bra W1;
	mbarrier.arrive.shared.b64 %rd1, [bar];
W2:	mbarrier.try_wait.shared.b64 %p3, [bar], %rd1; @!%p3 bra W2;
	@%p1 bra END;
	mbarrier.init.shared.b64 [own], 5;
	mbarrier.arrive.noComplete.shared.b64 %rd1, [own], 3;
	mbarrier.pending_count.b64 %r5, %rd1;
	mbarrier.arrive_drop.noComplete.shared.b64 %rd1, [own], 1;
	mbarrier.pending_count.b64 %r6, %rd1;
	mbarrier.inval.shared.b64 [own];
	mbarrier.init.shared.b64 [own], 1;
	mad.lo.u32 %r5, %r5, 10, %r6;
	st.global.u32 [%out], %r5;
END:	ret;`)
	eachPolicy(t, func(t *testing.T, cfg emu.Config) {
		if got := run(t, text, cfg, 1, 4, 4); got[0] != 52 {
			t.Fatalf("got pending counts %d, want 5 and 2", got[0])
		}
	})
}

// TestMbarrierFaults: misuse is a fault that names the instruction.
func TestMbarrierFaults(t *testing.T) {
	const init = "mbarrier.init.shared.b64 [bar], 2;\n"
	for _, c := range []struct{ body, class, want string }{
		{"mbarrier.arrive.shared.b64 %rd1, [bar];", "uninitialised", "no mbarrier here"},
		{"mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;", "uninitialised", "no mbarrier here"},
		{"mbarrier.inval.shared.b64 [bar];", "uninitialised", "no mbarrier here"},
		{"mov.u64 %rd1, 0x8000000000100001; st.shared.u64 [bar], %rd1; mbarrier.arrive.shared.b64 %rd1, [bar];", "uninitialised", "has not been initialised"},
		{init + "mbarrier.inval.shared.b64 [bar]; mbarrier.arrive.shared.b64 %rd1, [bar];", "uninitialised", "invalidated at line 12 (mbarrier.inval"},
		{init + "mbarrier.inval.shared.b64 [bar]; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%base], 16, [bar];", "uninitialised", "invalidated at line 12"},
		{init + "mov.u64 %rd1, 5; mbarrier.test_wait.shared.b64 %p1, [bar], %rd1;", "uninitialised", "0x5 is no state"},
		{init + "mov.u64 %rd1, 5; mbarrier.pending_count.b64 %r5, %rd1;", "uninitialised", "0x5 is no state"},
		{init + "mbarrier.arrive.shared.b64 %rd1, [bar], 3;", "barrier-divergence", "3 arrivals"},
		{init + "mbarrier.arrive.noComplete.shared.b64 %rd1, [bar], 2;", "barrier-divergence", ".noComplete"},
		{init + "mbarrier.arrive.shared.b64 %rd1, [bar];" + init, "mbarrier", "a valid mbarrier here, initialised at line 11 (mbarrier.init"},
		{init + init, "mbarrier", "a valid mbarrier here"},
		{"mbarrier.init.shared.b64 [bar], 0;", "barrier-divergence", "count of 0"},
		{init + "mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 1048576;", "barrier-divergence", "tx-count"},
		{"mbarrier.init.shared.b64 [bar+4], 1;", "misaligned", "8 bytes"},
		{"mbarrier.init.b64 [%base], 1;", "out-of-bounds", "not in shared memory"},
		{init + "W: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra W;", "livelock", "lacks 2 of 2 arrivals"},
		{init + "mbarrier.arrive.expect_tx.shared.b64 %rd1, [bar], 16; mbarrier.arrive.shared.b64 %rd1, [bar]; W: mbarrier.try_wait.shared.b64 %p1, [bar], %rd1; @!%p1 bra W;", "livelock", "the mbarrier at shared address 0x0 of block (0,0,0) lacks 16 bytes"},
		{init + "W: mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra W;", "livelock", "mbarrier.test_wait"},
	} {
		text := ".shared .align 16 .b64 bar[4];\n" + kernel("mov.u32 %r5, bar+16; "+c.body+"\nret;")
		r := launch1(t, text)
		if len(r.Faults) == 0 || r.Faults[0].Class != c.class || !strings.Contains(r.Faults[0].Message, c.want) || r.Faults[0].Inst == nil {
			t.Errorf("%s: got %v, want %s: %s", c.body, r.Faults, c.class, c.want)
		}
	}
}

// TestMbarrierParity: only the lowest bit of a parity counts. Before an arrival, phase 0 is the current one and that of
// parity 1 has ended; afterwards it is the other way round.
func TestMbarrierParity(t *testing.T) {
	for op, hint := range map[string]string{"test_wait": "", "try_wait": ", 1"} {
		text := ".shared .align 8 .b64 bar;\n" + kernel(`
	mbarrier.init.shared.b64 [bar], 1; mov.u32 %r5, 0;
	sub.u32 %r6, %r5, 1; sub.u32 %r7, %r5, 2; // all bits, all but the lowest
	mbarrier.`+op+`.parity.shared.b64 %p1, [bar], %r6`+hint+`; @%p1 or.b32 %r5, %r5, 1;
	mbarrier.`+op+`.parity.shared.b64 %p1, [bar], %r7`+hint+`; @%p1 or.b32 %r5, %r5, 2;
	mbarrier.arrive.shared.b64 _, [bar];
	mbarrier.`+op+`.parity.shared.b64 %p1, [bar], %r6`+hint+`; @%p1 or.b32 %r5, %r5, 4;
	mbarrier.`+op+`.parity.shared.b64 %p1, [bar], %r7`+hint+`; @%p1 or.b32 %r5, %r5, 8;
	st.global.u32 [%out], %r5; ret;`)
		if got := run(t, text, emu.Config{}, 1, 1, 1); got[0] != 1|8 {
			t.Errorf("%s: phases of the results %04b, want 1001", op, got[0])
		}
	}
}

// TestMbarrierMemory: the memory of a valid mbarrier is used for nothing else, whichever instruction accesses it.
func TestMbarrierMemory(t *testing.T) {
	const setup = "mov.u32 %r5, bar; mbarrier.init.shared.b64 [bar+32], 1; mbarrier.init.shared.b64 [bar+64], 1;\n"
	for body, want := range map[string]string{
		"ld.shared.u32 %r6, [bar+68];":                                                                    "read of 4 bytes at shared address 0x44",
		"st.shared.v4.u32 [bar+32], {%r1, %r1, %r1, %r1};":                                                "write of 16 bytes",
		"atom.shared.add.u32 %r6, [bar+36], 1;":                                                           "atomic of 4 bytes",
		"red.shared.or.b64 [bar+64], %rd1;":                                                               "8 bytes",
		"cvta.shared.u64 %rd1, 32; st.u8 [%rd1+7], %r1;":                                                  "write of 1 bytes",
		"cp.async.ca.shared.global [%r5+64], [%base], 16;":                                                "write of 16 bytes",
		"st.bulk.shared::cta [bar+24], 16, 0;":                                                            "write of 8 bytes",
		"@!%p1 st.shared.u64 [bar+32], %rd1;":                                                             "write of 8 bytes",
		"mbarrier.inval.shared.b64 [bar+32]; st.shared.u32 [bar+32], 1; st.shared.u32 [bar+64], 1;":       "0x40",
		"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%base], 48, [bar+64];": "write of 48 bytes at shared address 0x0",
		"cp.async.bulk.global.shared::cta.bulk_group [%base], [%r5+16], 32;":                              "read of 32 bytes at shared address 0x10",
	} {
		r := launch1(t, ".shared .align 16 .b64 bar[16];\n"+kernel(setup+body+"\nret;"))
		if len(r.Faults) != 1 || r.Faults[0].Class != "mbarrier" || !strings.Contains(r.Faults[0].Message, want) || !strings.Contains(r.Faults[0].Message, "which is in the mbarrier initialised at line ") {
			t.Errorf("%s: got %v, want %s", body, r.Faults, want)
		}
	}
}

// TestMbarrierInitTogether: that several threads execute one mbarrier.init is for detectors to judge, until the
// mbarrier is used.
func TestMbarrierInitTogether(t *testing.T) {
	text := func(body string) string {
		return ".shared .align 8 .b64 bar;\n" + kernel("mbarrier.init.shared.b64 [bar], 1; "+body+" ret;")
	}
	m := load(t, text(""), emu.Config{})
	clean(t, launch(t, m, 2, 64, 0))
	m = load(t, text("mbarrier.arrive.shared.b64 %rd1, [bar];"), emu.Config{})
	if r := launch(t, m, 1, 64, 0); len(r.Faults) != 1 || r.Faults[0].Class != "mbarrier" {
		t.Errorf("initialised after an arrival: %v", r.Faults)
	}
	m = load(t, text("mbarrier.inval.shared.b64 [bar];"), emu.Config{})
	clean(t, launch(t, m, 2, 1, 0))
	m = load(t, ".shared .align 8 .b64 bar;\n"+kernel("L: mbarrier.init.shared.b64 [bar], 1; bra L;"), emu.Config{})
	if r := launch(t, m, 1, 1, 0); len(r.Faults) != 1 || r.Faults[0].Class != "mbarrier" {
		t.Errorf("initialised by one thread twice: %v", r.Faults)
	}
}

// launch1 runs one thread, with a buffer of 64 bytes.
func launch1(t *testing.T, text string) *emu.Result {
	m := load(t, text, emu.Config{})
	return launch(t, m, 1, 1, alloc(t, m, "out", 16))
}

// TestMbarrierNeighbours: memory beside valid mbarriers, and that of an invalid one, can be used; objects end with
// their block.
func TestMbarrierNeighbours(t *testing.T) {
	text := ".shared .align 8 .b32 cell[36];\n" + kernel(`
	mov.u32 %r5, cell; mad.lo.u32 %r6, %r1, 4, %r5;
	setp.ne.u32 %p1, %r1, 0; setp.ge.u32 %p2, %r1, 16; setp.gt.u32 %p3, %r1, 27;
	@%p2 add.u32 %r6, %r6, 8; @%p3 add.u32 %r6, %r6, 8;   // around [64, 72) and [120, 128)
	@!%p1 mbarrier.init.shared.b64 [cell+64], 1; @!%p1 mbarrier.init.shared.b64 [cell+120], 1;
	@!%p1 mbarrier.init.shared.b64 [cell+0], 1; @!%p1 mbarrier.inval.shared.b64 [cell+0];
	bar.sync 0;
	st.shared.u32 [%r6], %r1;
	bar.sync 0;
	ld.shared.u32 %r7, [%r6]; cvt.u64.u32 %rd1, %r6; cvta.shared.u64 %rd1, %rd1; ld.u32 %r8, [%rd1];
	mad.lo.u32 %r7, %r7, 100, %r8; st.global.u32 [%out], %r7; ret;`)
	eachPolicy(t, func(t *testing.T, cfg emu.Config) {
		for i, v := range run(t, text, cfg, 3, 32, 96) {
			if want := uint32(i % 32 * 101); v != want {
				t.Fatalf("thread %d: got %d, want %d", i, v, want)
			}
		}
	})
}

// TestCopyArrive: the asynchronous copies of a thread arrive at a barrier, counted
// in advance (.noinc) or not.
func TestCopyArrive(t *testing.T) {
	for noinc, count := range map[string]int{"": 64, ".noinc": 128} {
		text := ".shared .align 8 .b64 bar; .shared .align 16 .u32 cell[64];\n" + kernel(fmt.Sprintf(`
	setp.ne.u32 %%p1, %%r1, 0;
	@!%%p1 mbarrier.init.shared.b64 [bar], %d;
	bar.sync 0;
	mov.u32 %%r5, cell; mad.lo.u32 %%r6, %%r1, 4, %%r5;
	mad.wide.u32 %%rd2, %%r1, 4, %%base;
	cp.async.ca.shared.global [%%r6], [%%rd2], 4;
	cp.async.mbarrier.arrive%s.shared.b64 [bar];
	mbarrier.arrive.shared.b64 %%rd1, [bar];
W:	mbarrier.try_wait.shared.b64 %%p2, [bar], %%rd1; @!%%p2 bra W;
	xor.b32 %%r9, %%r1, 63; mad.lo.u32 %%r9, %%r9, 4, %%r5; ld.shared.u32 %%r9, [%%r9];
	st.global.u32 [%%out+256], %%r9; ret;`, count, noinc))
		eachFlight(t, func(t *testing.T, cfg emu.Config) {
			m := load(t, text, cfg)
			buf := alloc(t, m, "buf", 128)
			fillWords(t, m, buf, 64, func(i int) uint32 { return uint32(7 * i) })
			clean(t, launch(t, m, 1, 64, buf))
			for i, v := range words(t, m, buf, 128)[64:] {
				if want := uint32(7 * (63 - i)); v != want {
					t.Fatalf("thread %d: got %d, want %d", i, v, want)
				}
			}
		})
	}
}

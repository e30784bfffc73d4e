package emu_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// TestProducerConsumer: block 0 sends 64 items to block 1 through a ring of four slots in global memory; each
// constantly waits for the other. Word 0 counts items written, word 1 items read, words 2 to 5 are the ring, word 6 is
// the sum.
func TestProducerConsumer(t *testing.T) {
	const body = `
	mov.u32 %r5, 0; mov.u32 %r9, 0; setp.ne.u32 %p1, %r2, 0;
	@%p1 bra CONSUME;
FULL:	ld.acquire.gpu.global.u32 %r6, [%base+4]; sub.u32 %r7, %r5, %r6; setp.ge.u32 %p2, %r7, 4; @%p2 bra FULL;
	and.b32 %r8, %r5, 3; mul.wide.u32 %rd1, %r8, 4; add.u64 %rd1, %rd1, %base;
	mad.lo.u32 %r7, %r5, %r5, 1; st.global.u32 [%rd1+8], %r7;
	add.u32 %r5, %r5, 1; st.release.gpu.global.u32 [%base], %r5;
	setp.lt.u32 %p3, %r5, 64; @%p3 bra FULL;
	ret;
CONSUME: ld.acquire.gpu.global.u32 %r6, [%base]; setp.eq.u32 %p2, %r6, %r5; @%p2 bra CONSUME;
	and.b32 %r8, %r5, 3; mul.wide.u32 %rd1, %r8, 4; add.u64 %rd1, %rd1, %base;
	ld.global.u32 %r7, [%rd1+8]; add.u32 %r9, %r9, %r7;
	add.u32 %r5, %r5, 1; st.release.gpu.global.u32 [%base+4], %r5;
	setp.lt.u32 %p3, %r5, 64; @%p3 bra CONSUME;
	st.global.u32 [%base+24], %r9; ret;`
	want := uint32(64)
	for i := range uint32(64) {
		want += i * i
	}
	eachPolicy(t, func(t *testing.T, cfg emu.Config) {
		if w := run(t, kernel(body), cfg, 2, 1, 7); w[0] != 64 || w[1] != 64 || w[6] != want {
			t.Fatalf("%v: %d, expected a sum of %d", cfg, w, want)
		}
	})
}

// TestPersistentKernel: a kernel whose blocks wait for all others hangs on a device that
// cannot hold all of them, here too, with the reason; 15,360 threads at once are no
// problem.
func TestPersistentKernel(t *testing.T) {
	const body = `
	atom.global.add.u32 %r5, [%base], 1; mul.lo.u32 %r6, %r3, 120;
W:	ld.volatile.global.u32 %r5, [%base]; setp.lt.u32 %p2, %r5, %r6; @%p2 bra W;
	ret;`
	if w := run(t, kernel(body), emu.Config{}, 120, 128, 1); w[0] != 15360 {
		t.Errorf("%d threads have arrived, expected 15360", w[0])
	}
	m := load(t, kernel(body), emu.Config{Resident: 119})
	r := launch(t, m, 120, 128, alloc(t, m, "out", 1))
	if len(r.Faults) != 1 || r.Faults[0].Class != "deadlock" || !strings.Contains(r.Faults[0].Message, "1 blocks have not started because only 119 may be resident") {
		t.Error(r.Faults)
	}
}

// TestWaitingCosts: the number of instructions executed by threads that wait for each other grows linearly with the
// number of threads. Blocks do not start one by one where all wait, and not all blocks start where a lock is passed
// from thread to thread and polling threads change memory, as a detector's checks do.
func TestWaitingCosts(t *testing.T) {
	for _, c := range []struct {
		name, body         string
		block, small, more uint32
	}{
		{"barrier of the grid", `
			atom.global.add.u32 %r5, [%base], 1; mov.u32 %r6, %nctaid.x;
		W:	ld.volatile.global.u32 %r5, [%base]; setp.lt.u32 %p2, %r5, %r6; @%p2 bra W;
			ret;`, 1, 500, 8},
		{"lock", `
		L:	atom.global.add.u32 %r6, [%base+4], 1; nanosleep.u32 20;
			atom.global.cas.b32 %r5, [%base], 0, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra L;
			nanosleep.u32 20; nanosleep.u32 20; nanosleep.u32 20;
			atom.global.exch.b32 %r7, [%base], 0; ret;`, 256, 4, 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			executed := func(blocks uint32) uint64 {
				m := load(t, kernel(c.body), emu.Config{})
				r := launch(t, m, blocks, c.block, alloc(t, m, "words", 2))
				clean(t, r)
				return r.Stats.WarpInstructions
			}
			if few, many := executed(c.small), executed(c.more*c.small); many > 2*uint64(c.more)*few {
				t.Fatalf("%d warp instructions of %d blocks, %d of %d", few, c.small, many, c.more*c.small)
			}
		})
	}
}

// TestPriorityOfPolls: under PCT, two warps that meet at barriers and poll under a lock for a block's result do not
// keep that block from running, although no warp runs alone and memory changes all the time.
func TestPriorityOfPolls(t *testing.T) {
	const body = `
	.shared .b32 go;
	setp.ne.u32 %p1, %r2, 0; setp.ne.u32 %p2, %r1, 0;
	@%p1 bra WORK;
WAIT:	@%p2 bra MEET;
	atom.global.exch.b32 %r5, [%base], 1;
	ld.volatile.global.u32 %r6, [%base+4]; st.shared.u32 [go], %r6;
	atom.global.exch.b32 %r5, [%base], 0;
MEET:	bar.sync 0;
	ld.shared.u32 %r7, [go];
	bar.sync 0;
	setp.eq.u32 %p3, %r7, 0; @%p3 bra WAIT;
	ret;
WORK:	@%p2 bra END;
	mov.u32 %r8, 0;
ROUND:	atom.global.add.u32 %r5, [%base+8], 1;
	add.u32 %r8, %r8, 1; setp.lt.u32 %p3, %r8, 100; @%p3 bra ROUND;
	st.volatile.global.u32 [%base+4], 1;
END:	ret;`
	for seed := range uint64(24) {
		m := load(t, kernel(body), emu.Config{Policy: emu.PCT, Seed: seed, Length: 200, MaxSteps: 20_000})
		r := launch(t, m, 2, 64, alloc(t, m, "words", 3))
		clean(t, r)
	}
}

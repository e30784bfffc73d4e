// Tests of the progress of threads that spin: back-off, livelocks, fairness.

package emu_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// TestBackoff: a lane that sleeps in its spin loop, with state that changes, lets
// its waiting siblings go on soon.
func TestBackoff(t *testing.T) {
	body := `
		mov.u32 %r8, 8;
	SPIN:	atom.global.cas.b32 %r5, [%base], 0, 1;
		setp.eq.u32 %p1, %r5, 0; @%p1 bra GOT;
		nanosleep.u32 %r8; add.u32 %r8, %r8, 1; bra SPIN;
	GOT:	ld.volatile.global.u32 %r6, [%base+4]; add.u32 %r6, %r6, 1; st.volatile.global.u32 [%base+4], %r6;
		membar.gl; atom.global.exch.b32 %r7, [%base], 0; ret;`
	for _, cfg := range []emu.Config{{MaxSteps: 20_000}, {MaxSteps: 100_000, Policy: emu.PCT}} {
		m := load(t, kernel(body), cfg)
		buf := alloc(t, m, "lock", 2)
		clean(t, launch(t, m, 1, 64, buf))
		if w := words(t, m, buf, 2); w[1] != 64 {
			t.Fatal(w)
		}
	}
}

// TestWaitingLanesAreNotWaitedFor: lanes on one side of a branch wait for lanes that wait at the join.
func TestWaitingLanesAreNotWaitedFor(t *testing.T) {
	for _, body := range []string{
		`	setp.lt.u32 %p1, %r1, 8; @!%p1 bra JOIN;
			bar.warp.sync -1;
		JOIN:	@!%p1 bar.warp.sync -1; st.global.u32 [%out], 1; ret;`,
		`	setp.lt.u32 %p1, %r1, 8; @!%p1 bra JOIN;
			barrier.sync 0;
		JOIN:	@!%p1 barrier.sync 0; st.global.u32 [%out], 1; ret;`,
		// Lane 1 exits on its way to the join, lane 2 waits in a barrier.
		`	setp.eq.u32 %p1, %r1, 1; setp.eq.u32 %p2, %r1, 2; mov.u32 %r6, 0;
			@%p2 bra WAIT;
			@!%p1 bra JOIN;
		DELAY:	ld.volatile.global.u32 %r5, [%base+4]; add.u32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, 1000; @%p3 bra DELAY;
			st.global.u32 [%out], 1;
			{ .param .b32 q; st.param.b32 [q], 1; call quit, (q); }
			bra JOIN;
		WAIT:	barrier.sync 0; bra JOIN;
		JOIN:	@!%p2 barrier.sync 0; st.global.u32 [%out], 1; ret;`,
	} {
		for _, cfg := range []emu.Config{{}, {Policy: emu.Random}, {Policy: emu.PCT}} {
			for i, v := range run(t, exitingFunc+kernel(body), cfg, 1, 32, 32) {
				if v != 1 {
					t.Fatalf("%s\npolicy %d lane %d: got %d", body, cfg.Policy, i, v)
				}
			}
		}
	}
}

// TestImpoliteSpin: a spin loop whose state changes proves nothing, but the lanes that wait for it at a join are
// released after a while.
func TestImpoliteSpin(t *testing.T) {
	body := `
		mov.u32 %r8, 0;
	SPIN:	add.u32 %r8, %r8, 1; atom.global.cas.b32 %r5, [%base], 0, 1;
		setp.ne.u32 %p1, %r5, 0; @%p1 bra SPIN;
		st.global.u32 [%out+8], %r8;
		membar.gl; atom.global.exch.b32 %r7, [%base], 0; ret;`
	clean(t, launchLimited(t, kernel(body), 1, 6))
}

// TestNoStarvation: a loop of any length that holds a lock most of the time lets others take it now and then, wherever
// its turns end.
func TestNoStarvation(t *testing.T) {
	for reads := range 64 {
		body := `
			setp.ge.u32 %p1, %r1, 32; @%p1 bra TRY;
		HOLD:	atom.global.cas.b32 %r5, [%base], 0, 1;
			setp.ne.u32 %p1, %r5, 0; @%p1 bra HOLD;
			` + strings.Repeat("ld.volatile.global.u32 %r6, [%base+8];\n", reads) + `
			atom.global.exch.b32 %r7, [%base], 0;
			ld.volatile.global.u32 %r6, [%base+4]; setp.eq.u32 %p1, %r6, 0; @%p1 bra HOLD;
			ret;
		TRY:	atom.global.cas.b32 %r5, [%base], 0, 1;
			setp.ne.u32 %p1, %r5, 0; @%p1 bra TRY;
			st.volatile.global.u32 [%base+4], 1;
			atom.global.exch.b32 %r7, [%base], 0; ret;`
		m := load(t, kernel("and.b32 %r8, %r1, 31; setp.ne.u32 %p2, %r8, 0; @%p2 ret;"+body), emu.Config{MaxSteps: 200_000})
		clean(t, launch(t, m, 1, 64, alloc(t, m, "buf", 3)))
	}
}

// launchLimited runs a kernel that should not need many steps.
func launchLimited(t *testing.T, text string, grid, block uint32) *emu.Result {
	m := load(t, text, emu.Config{MaxSteps: 5_000_000, Policy: emu.PCT, Seed: 4})
	clean(t, launch(t, m, grid, block, alloc(t, m, "buf", int(grid*block)+4)))
	m = load(t, text, emu.Config{MaxSteps: 5_000_000})
	return launch(t, m, grid, block, alloc(t, m, "buf", int(grid*block)+4))
}

// TestNoFalseLivelock: loops that come back to the same registers but do make
// progress.
func TestNoFalseLivelock(t *testing.T) {
	inner := `.func work() {
	.reg .b32 %a; .reg .pred %p;
	mov.u32 %a, 0;
L:	add.u32 %a, %a, 1; and.b32 %a, %a, 7; setp.ne.u32 %p, %a, 0; @%p bra L;
	ret;
}
`
	for _, body := range []string{
		// The counter is in memory.
		"L: ld.volatile.global.u32 %r5, [%out]; add.u32 %r5, %r5, 1; st.volatile.global.u32 [%out], %r5; setp.lt.u32 %p1, %r5, 1000; @%p1 bra L; ret;",
		// The counter is in the caller of a function that loops.
		"mov.u32 %r5, 0; L: call work; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 100; @%p1 bra L; ret;",
	} {
		clean(t, launchLimited(t, inner+kernel(body), 1, 32))
	}
}

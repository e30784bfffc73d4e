package emu_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
)

// polled is a kernel in which a function watches each poll: a ticket lock, which each thread takes once. Word 0 is the next ticket,
// word 1 the one that is served, word 2 is incremented under the lock. The observer counts polls in word 4, under a lock in word 3,
// and tells the thread, which passes the count on to the next call.
const polled = `
.func (.param .b32 count) watch(.param .b64 mem, .param .b32 before) {
	.reg .pred %p; .reg .b32 %r<4>; .reg .b64 %d;
	ld.param.u64 %d, [mem]; ld.param.u32 %r1, [before];
TAKE:	atom.global.exch.b32 %r2, [%d+12], 1; setp.eq.u32 %p, %r2, 0; @%p bra TAKEN;
	nanosleep.u32 20; bra TAKE;
TAKEN:	ld.volatile.global.u32 %r3, [%d+16]; max.u32 %r3, %r3, %r1; add.u32 %r3, %r3, 1; st.volatile.global.u32 [%d+16], %r3;
	st.volatile.global.u32 [%d+12], 0;
	st.param.b32 [count], %r3; ret;
}
.visible .entry k(.param .u64 p) {
	.reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %base;
	ld.param.u64 %base, [p]; mov.u32 %r8, 0;
	mov.u32 %r7, %tid.x; and.b32 %r7, %r7, 31; setp.eq.u32 %p2, %r7, 0; @!%p2 bra END;
	atom.global.add.u32 %r1, [%base], 1;
W:	WATCH
	ld.volatile.global.u32 %r2, [%base+4]; setp.ne.u32 %p1, %r2, %r1; @%p1 bra W;
	nanosleep.u32 20; ld.global.u32 %r3, [%base+8]; add.u32 %r3, %r3, 1; st.global.u32 [%base+8], %r3;
	membar.gl; add.u32 %r2, %r2, ADD; st.volatile.global.u32 [%base+4], %r2;
END:	ret;
}`

// observedKernel returns the kernel with an instruction that calls the observer, unless it is "", in a configuration that names the
// observer. A thread serves the next ticket if serves is 1, its own again if it is 0.
func observedKernel(call, serves string, cfg emu.Config) (string, emu.Config) {
	if call != "" {
		call = `{ .param .b64 a; .param .b32 b; .param .b32 c; st.param.b64 [a], %base; st.param.b32 [b], %r8;
		` + call + ` (c), watch, (a, b); ld.param.b32 %r8, [c]; }`
	}
	cfg.Observes = func(in *rewrite.Inst) bool {
		c, calls := in.Call()
		return in.Func.Name == "watch" || calls && c.Func.Name == "watch" || strings.Contains(in.Opcode(), ".param.b")
	}
	return strings.NewReplacer("WATCH", call, "ADD", serves).Replace(polled), cfg
}

// calls of the observer: one that is inlined, and one that is not, because it has a guard.
var observerCalls = []string{"call", "@%p2 call"}

// TestObservedPolls: threads that poll are parked although an observer changes memory and registers in each poll: the number of
// instructions is proportional to that of the kernel alone. It is the same in both tiers.
func TestObservedPolls(t *testing.T) {
	const blocks, times = 48, 8
	execute := func(policy emu.Policy, call string, noVector bool) emu.Stats {
		text, cfg := observedKernel(call, "1", emu.Config{Policy: policy, Seed: 64, NoVector: noVector})
		m := load(t, text, cfg)
		mem := alloc(t, m, "words", 5)
		r := launch(t, m, blocks, 64, mem)
		clean(t, r)
		if w := words(t, m, mem, 5); w[2] != 2*blocks || w[3] != 0 {
			t.Errorf("policy %d, %q: %d threads have had the lock, that of the observer is %d", policy, call, w[2], w[3])
		}
		return r.Stats
	}
	for _, policy := range []emu.Policy{emu.ITS, emu.PCT, emu.RoundRobin} {
		alone := execute(policy, "", false)
		for _, call := range observerCalls {
			stats := execute(policy, call, false)
			if stats.WarpInstructions > times*alone.WarpInstructions {
				t.Errorf("policy %d, %s: %d warp instructions, %d without the observer", policy, call, stats.WarpInstructions, alone.WarpInstructions)
			}
			if same := execute(policy, call, true); same != stats {
				t.Errorf("policy %d, %s: %+v in Go, %+v in assembly", policy, call, same, stats)
			}
		}
	}
}

// TestObservedLivelock: threads that wait for a ticket that is never served are a livelock, whatever the observer counts.
func TestObservedLivelock(t *testing.T) {
	for _, policy := range []emu.Policy{emu.ITS, emu.Lockstep, emu.PCT, emu.RoundRobin} {
		for _, call := range observerCalls {
			text, cfg := observedKernel(call, "0", emu.Config{Policy: policy, MaxSteps: 1_000_000})
			m := load(t, text, cfg)
			r := launch(t, m, 4, 64, alloc(t, m, "words", 5))
			if len(r.Faults) != 1 || r.Faults[0].Class != "livelock" {
				t.Errorf("policy %d, %s: %v after %d warp instructions", policy, call, r.Faults, r.Stats.WarpInstructions)
			}
		}
	}
}

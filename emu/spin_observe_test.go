package emu_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
)

// polled is a kernel in which a function watches each poll: a ticket lock, which each thread takes once. Word 0 is the
// next ticket, word 1 the one that is served, word 2 is incremented under the lock. The observer counts polls in word
// 4, under a lock in word 3, and tells the thread, which passes the count on to the next call.
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

// observedKernel returns the kernel with an instruction that calls the observer, unless it is "", in a configuration
// that names the observer. A thread serves the next ticket if serves is 1, its own again if it is 0.
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

// TestObservedPolls: threads that poll are parked although an observer changes memory and registers in each poll: the
// number of instructions is proportional to that of the kernel alone. It is the same in both tiers.
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

// TestObservedLivelock: threads that wait for a ticket that is never served are a livelock, whatever the observer
// counts.
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

// contended is a kernel in which a function watches each thread: one lane of each warp takes a lock, in word 0, for all
// of them. The first warp holds it for TURNS turns. Then each thread stores how many lanes it executes with.
const contended = `
.func watch(.param .b64 mem, .param .b32 thread) {
	.reg .pred %p<3>; .reg .b32 %r<5>; .reg .b64 %d;
	ld.param.u64 %d, [mem]; ld.param.u32 %r1, [thread];
	and.b32 %r2, %r1, 31; setp.ne.u32 %p1, %r2, 0; @%p1 bra END;
TAKE:	atom.global.exch.b32 %r2, [%d], 1; setp.eq.u32 %p2, %r2, 0; @%p2 bra TAKEN;
	nanosleep.u32 20; bra TAKE;
TAKEN:	setp.ne.u32 %p2, %r1, 0; @%p2 bra GIVE;
	mov.u32 %r3, 0;
HOLD:	nanosleep.u32 20; add.u32 %r3, %r3, 1; setp.lt.u32 %p2, %r3, TURNS; @%p2 bra HOLD;
GIVE:	st.volatile.global.u32 [%d], 0;
END:	ret;
}
.visible .entry k(.param .u64 p) {
	.reg .b32 %r<9>; .reg .b64 %base; .reg .b64 %at;
	ld.param.u64 %base, [p]; mov.u32 %r1, %tid.x;
	{ .param .b64 a; .param .b32 b; st.param.b64 [a], %base; st.param.b32 [b], %r1; call watch, (a, b); }
	activemask.b32 %r2; popc.b32 %r2, %r2; mad.wide.u32 %at, %r1, 4, %base; st.global.u32 [%at+4], %r2;
	ret;
}`

// TestObservedTogether: lanes that an observer lets wait for one that waits for another warp's lock go on together with
// it, under ITS also when they wait for more turns than lanes wait for each other in the program.
func TestObservedTogether(t *testing.T) {
	const threads = 128
	for _, c := range []struct {
		policy emu.Policy
		turns  string
	}{{emu.ITS, "24"}, {emu.ITS, "400"}, {emu.RoundRobin, "24"}} {
		for _, noVector := range []bool{false, true} {
			_, cfg := observedKernel("", "1", emu.Config{Policy: c.policy, Seed: 64, NoVector: noVector})
			m := load(t, strings.Replace(contended, "TURNS", c.turns, 1), cfg)
			mem := alloc(t, m, "words", 1+threads)
			clean(t, launch(t, m, 1, threads, mem))
			for i, n := range words(t, m, mem, 1+threads)[1:] {
				if n != 32 {
					t.Errorf("policy %d, %s turns: thread %d executes with %d lanes", c.policy, c.turns, i, n)
					break
				}
			}
		}
	}
}

// TestObservedHolder: an observer in which a lane that has taken a lock waits at a join for its siblings, which try to
// take it, ends: lanes do not wait there forever.
func TestObservedHolder(t *testing.T) {
	const threads = 128
	every := strings.NewReplacer("and.b32 %r2, %r1, 31; setp.ne.u32 %p1, %r2, 0; @%p1 bra END;", "", "TURNS", "1").Replace(contended)
	for _, policy := range []emu.Policy{emu.ITS, emu.RoundRobin} {
		_, cfg := observedKernel("", "1", emu.Config{Policy: policy, Seed: 64, MaxSteps: 10_000_000})
		m := load(t, every, cfg)
		clean(t, launch(t, m, 1, threads, alloc(t, m, "words", 1+threads)))
	}
}

// locked is a kernel in which each thread of a warp increments a word under a lock, and counts its attempts. A function
// that watches them lets others work when the lock is not free.
const locked = `
.func watch(.param .b64 mem) {
	.reg .pred %p; .reg .b32 %r; .reg .b64 %d;
	ld.param.u64 %d, [mem]; ld.volatile.global.u32 %r, [%d]; setp.eq.u32 %p, %r, 0; @%p bra END;
	nanosleep.u32 20;
END:	ret;
}
.visible .entry k(.param .u64 p) {
	.reg .pred %p; .reg .b32 %r<4>; .reg .b64 %base;
	ld.param.u64 %base, [p];
TAKE:	WATCH red.global.add.u32 [%base+8], 1; atom.global.cas.b32 %r1, [%base], 0, 1; setp.ne.u32 %p, %r1, 0; @%p bra TAKE;
	ld.global.u32 %r2, [%base+4]; add.u32 %r2, %r2, 1; st.global.u32 [%base+4], %r2;
	membar.gl; atom.global.exch.b32 %r3, [%base], 0;
	ret;
}`

// TestObservedLock: lanes that hold a lock of the program, for which an observer lets siblings wait, go on soon.
func TestObservedLock(t *testing.T) {
	const threads, times = 32, 6
	execute := func(call string) emu.Stats {
		_, cfg := observedKernel("", "1", emu.Config{Policy: emu.ITS})
		m := load(t, strings.Replace(locked, "WATCH", call, 1), cfg)
		mem := alloc(t, m, "words", 3)
		r := launch(t, m, 1, threads, mem)
		clean(t, r)
		if w := words(t, m, mem, 2); w[1] != threads {
			t.Errorf("%q: %d threads have had the lock", call, w[1])
		}
		return r.Stats
	}
	alone := execute("nanosleep.u32 20;")
	stats := execute("{ .param .b64 a; st.param.b64 [a], %base; call watch, (a); }")
	if stats.WarpInstructions > times*alone.WarpInstructions {
		t.Errorf("%d warp instructions, %d without the observer", stats.WarpInstructions, alone.WarpInstructions)
	}
}

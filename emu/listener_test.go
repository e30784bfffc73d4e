package emu_test

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// stepCounter counts the threads that execute each instruction.
type stepCounter struct {
	emu.NopListener
	threads map[*rewrite.Inst]int
	guarded map[*rewrite.Inst]int // those with a guard that holds
	bad     string
}

// Interest implements emu.Listener.
func (c *stepCounter) Interest() emu.Interest { return emu.Interest{Step: c.step} }

func (c *stepCounter) step(ev *emu.Step) {
	if c.threads == nil {
		c.threads, c.guarded = map[*rewrite.Inst]int{}, map[*rewrite.Inst]int{}
	}
	c.threads[ev.Inst] += bits.OnesCount32(ev.Active)
	c.guarded[ev.Inst] += bits.OnesCount32(ev.Mask)
	if ev.Active == 0 || ev.Active&^ev.Live != 0 || ev.Mask&^ev.Active != 0 {
		c.bad = ev.Inst.Text()
	}
}

// TestSteps: every thread executes every instruction on its way once, also those
// that it waits in, however the policy splits and merges groups.
func TestSteps(t *testing.T) {
	const text = `.func (.param .b32 r) inc(.param .b32 a) {
	.reg .b32 %x; ld.param.b32 %x, [a]; add.u32 %x, %x, 1; st.param.b32 [r], %x; ret;
}
.entry k(.param .u64 out) {
	.reg .b32 %r<8>; .reg .pred %p<3>; .reg .b64 %d<3>;
	ld.param.u64 %d1, [out];
	mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; setp.ne.u32 %p1, %r2, 0;
	@%p1 bra ODD;
	add.u32 %r3, %r1, 1; bra JOIN;
ODD:	add.u32 %r3, %r1, 2;
JOIN:	shfl.sync.bfly.b32 %r4, %r3, 5, 31, -1;
	bar.warp.sync -1;
	vote.sync.ballot.b32 %r5, %p1, -1;
	bar.sync 0;
	barrier.red.popc.u32 %r6, 1, %p1;
	{ .param .b32 a; .param .b32 r; st.param.b32 [a], %r4; call (r), inc, (a); ld.param.b32 %r4, [r]; }
	@%p1 atom.global.add.u32 %r7, [%d1], 1;
	@!%p1 exit;
	membar.gl;
	ret;
}`
	const threads, instructions = 2 * 64, 24
	// Threads in all and with a guard that holds, where these are not all.
	part := map[string][2]int{
		"bra ODD": {threads, threads / 2}, "add.u32 %r3, %r1, 1": {threads / 2, threads / 2}, "bra JOIN": {threads / 2, threads / 2},
		"add.u32 %r3, %r1, 2": {threads / 2, threads / 2}, "atom.global.add.u32 %r7, [%d1], 1": {threads, threads / 2},
		"exit": {threads, threads / 2}, "membar.gl": {threads / 2, threads / 2},
	}
	for name, p := range policies {
		for seed := range uint64(20) {
			c := &stepCounter{}
			m := load(t, text, emu.Config{Policy: p, Seed: seed, Listener: c})
			clean(t, launch(t, m, 2, 64, alloc(t, m, "out", 1)))
			if c.bad != "" {
				t.Errorf("%s seed %d: masks of %s are not within each other", name, seed, c.bad)
			}
			for in, n := range c.threads {
				want, ok := part[in.Text()]
				switch {
				case in.Text() == "ret" && in.Func.Entry:
					want = [2]int{threads / 2, threads / 2}
				case !ok:
					want = [2]int{threads, threads}
				}
				if n != want[0] || c.guarded[in] != want[1] {
					t.Errorf("%s seed %d: %s is executed by %d threads and done by %d, expected %v", name, seed, in.Text(), n, c.guarded[in], want)
				}
			}
			if len(c.threads) != instructions {
				t.Errorf("%s seed %d: %d instructions were observed, expected %d", name, seed, len(c.threads), instructions)
			}
		}
	}
}

// TestAccessEvents: kind, size and space of accesses.
func TestAccessEvents(t *testing.T) {
	c := &accessRecorder{}
	m := load(t, `.entry k(.param .u64 out) {
	.shared .b64 s; .const .b32 c = 1; .reg .b64 %d<4>; .reg .b32 %r<5>;
	ld.param.u64 %d1, [out];
	st.shared.b64 [s], %d1;
	mov.u64 %d2, s; cvta.shared.u64 %d2, %d2;
	ld.u16 %r1, [%d2];
	ld.const.b32 %r2, [c];
	ld.v4.b32 {%r1, %r2, %r3, %r4}, [%d1];
	atom.global.add.u32 %r1, [%d1], 1;
	red.global.add.u32 [%d1], 1;
	ret;
}`, emu.Config{Listener: c})
	clean(t, launch(t, m, 1, 1, alloc(t, m, "out", 4)))
	want := "write 8 shared; read 2 shared; read 4 const; read 16 global; atomic 4 global; reduce 4 global; "
	if c.text != want {
		t.Errorf("got %s\nexpected %s", c.text, want)
	}
}

// TestBulkStoreEvent: st.bulk is a write of all that it clears.
func TestBulkStoreEvent(t *testing.T) {
	c := &accessRecorder{}
	m := loadWith(t, header100+`.entry k(.param .u64 out) {
	.shared .align 8 .b8 s[640]; .reg .b64 %d<4>;
	mov.u64 %d2, s; st.bulk.weak.shared::cta [%d2+64], 512, 0;
	cvta.shared.u64 %d2, %d2; st.bulk [%d2], 640, 0; st.bulk [%d2], 0, 0;
	ret;
}`, emu.Config{Listener: c})
	clean(t, launch(t, m, 1, 1, alloc(t, m, "out", 4)))
	if want := "write 512 shared; write 640 shared; "; c.text != want {
		t.Errorf("got %s\nexpected %s", c.text, want)
	}
}

// accessRecorder writes accesses as text.
type accessRecorder struct {
	emu.NopListener
	text string
}

// Accesses implements abi.Receiver.
func (c *accessRecorder) Accesses(b *abi.Batch) {
	for a := range b.All() {
		kind := a.Access.String()
		if a.Reduces {
			kind = "reduce"
		}
		c.text += fmt.Sprintf("%s %d %v; ", kind, a.Bytes, a.Space)
	}
}

// demandCounter counts the threads that execute each instruction, and those that access memory by loads.
type demandCounter struct {
	emu.Follower
	stepCounter
	used  bool
	plain bool // it does not observe steps
	loads map[*rewrite.Inst]int
}

func (c *demandCounter) Interest() emu.Interest {
	of := emu.Interest{Needs: abi.Needs{Shared: true, Used: c.used}, Step: c.step}
	if c.plain {
		of.Step = nil
	}
	return c.Following(of)
}

func (c *demandCounter) Event(*abi.Event) {}

func (c *demandCounter) Accesses(b *abi.Batch) {
	for a := range b.All() {
		if a.Access == abi.AccessLoad {
			c.loads[c.Inst(a.Site)] += bits.OnesCount32(a.Mask)
		}
	}
}

// TestUsedLoads: with Needs.Used the accesses of a load are those of the threads that use its value, which all other
// results do not depend on.
func TestUsedLoads(t *testing.T) {
	const text = `.entry k(.param .u64 out) {
	.shared .b32 flag; .reg .b32 %r<8>; .reg .pred %p<5>; .reg .b64 %d<4>;
	ld.param.u64 %d1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.u64 %d2, %d1, %d2;
	setp.ne.u32 %p1, %r1, 5; st.shared.u32 [flag], 7; bar.sync 0;
	ld.shared.u32 %r2, [flag]; setp.ne.u32 %p2, %r2, 7; or.pred %p3, %p1, %p2;
	ld.shared.u32 %r3, [flag]; selp.b32 %r4, %r3, 1, %p1;
	ld.global.u32 %r5, [%d2]; selp.b32 %r6, 2, %r5, %p1; add.u32 %r4, %r4, %r6;
	@%p3 bra OUT;
	add.u32 %r4, %r4, 100;
OUT:	st.global.u32 [%d2], %r4;
	ret;
}`
	const threads = 64
	want := map[string]int{"ld.shared.u32 %r2, [flag]": 1, "ld.shared.u32 %r3, [flag]": threads - 1, "ld.global.u32 %r5, [%d2]": 1}
	for i := range 4 {
		c := &demandCounter{used: i&1 != 0, plain: i&2 != 0, loads: map[*rewrite.Inst]int{}}
		m := load(t, text, emu.Config{Listener: c})
		out := alloc(t, m, "out", threads)
		clean(t, launch(t, m, 1, threads, out))
		for n, got := range words(t, m, out, threads) {
			if want := map[bool]uint32{true: 101, false: 9}[n == 5]; got != want {
				t.Errorf("used %v: thread %d has %d, expected %d", c.used, n, got, want)
			}
		}
		if len(c.loads) != len(want) {
			t.Errorf("used %v: accesses of %d loads, expected %d", c.used, len(c.loads), len(want))
		}
		for in, got := range c.loads {
			if n := want[in.Text()]; c.used && got != n || !c.used && got != threads {
				t.Errorf("used %v: %d threads access memory by %s, expected %d of %d", c.used, got, in.Text(), n, threads)
			}
			if i&2 == 0 && (c.threads[in] != threads || c.guarded[in] != threads) {
				t.Errorf("used %v: %d threads execute %s, and do it %d, expected %d", c.used, c.threads[in], in.Text(), c.guarded[in], threads)
			}
		}
	}
}

// TestUsedLoadsAhead: conditions that are computed behind a load decide which threads use it, too; registers keep their
// values until the load.
func TestUsedLoadsAhead(t *testing.T) {
	const text = `.entry k(.param .u64 out) {
	.reg .b32 %r<12>; .reg .pred %p<8>; .reg .b64 %d<4>;
	ld.param.u64 %d1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 32; add.u64 %d2, %d1, %d2;
	setp.lt.u32 %p4, %r1, 48;
	st.global.u32 [%d2], %r1;
	ld.global.u32 %r2, [%d2];
	and.b32 %r3, %r1, 32; setp.eq.u32 %p1, %r3, 0;
	@%p1 st.global.u32 [%d2+4], %r2;
	mov.u32 %r5, 7;
	@%p4 ld.global.u32 %r5, [%d2+4];
	add.u32 %r1, %r1, 1; setp.lt.u32 %p5, %r1, 11;
	@%p5 st.global.u32 [%d2+8], %r5;
	st.global.u32 [%d2+12], %r1;
	ld.global.u32 %r7, [%d2+12];
	setp.lt.u32 %p6, %r1, 5; setp.lt.u32 %p7, %r1, 61; add.u32 %r7, %r7, %r1;
	@%p6 st.global.u32 [%d2+16], %r7;
	@!%p7 st.global.u32 [%d2+20], %r7;
	ret;
}`
	const threads, words32 = 64, 8
	counts := map[string]int{"ld.global.u32 %r2, [%d2]": 32, "ld.global.u32 %r5, [%d2+4]": 10, "ld.global.u32 %r7, [%d2+12]": 8}
	for i := range 4 {
		c := &demandCounter{used: i&1 != 0, loads: map[*rewrite.Inst]int{}}
		m := load(t, text, emu.Config{Listener: c, NoVector: i&2 != 0})
		out := alloc(t, m, "out", threads*words32)
		clean(t, launch(t, m, 1, threads, out))
		got := words(t, m, out, threads*words32)
		for n := range uint32(threads) {
			want := [words32]uint32{0: n, 3: n + 1}
			if n < 32 {
				want[1] = n
			}
			if n < 10 {
				want[2] = n
			}
			if n < 4 {
				want[4] = 2 * (n + 1)
			}
			if n >= 60 {
				want[5] = 2 * (n + 1)
			}
			if have := [words32]uint32(got[n*words32:]); have != want {
				t.Errorf("used %v: thread %d has %d, expected %d", c.used, n, have, want)
			}
		}
		for in, n := range c.loads {
			all := map[bool]int{true: 48, false: threads}[in.Guard != nil]
			if want := counts[in.Text()]; c.used && n != want || !c.used && n != all {
				t.Errorf("used %v: %d threads access memory by %s, expected %d of %d", c.used, n, in.Text(), want, all)
			}
		}
		if len(c.loads) != len(counts) {
			t.Errorf("accesses of %d loads, expected %d", len(c.loads), len(counts))
		}
	}
}

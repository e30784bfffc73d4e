package emu_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// watched is loops that spin, by the words that they read; %r1 is the thread, %r2 the block. Each ends with the words
// of buf in want.
var watched = []struct {
	name, body string
	want       []uint32
}{
	{"lock", lockLoop("%base"), []uint32{0, 960}},
	{"lock of lanes apart", "and.b32 %r8, %r1, 3; mul.wide.u32 %rd5, %r8, 16; add.s64 %rd5, %base, %rd5;" + lockLoop("%rd5"), []uint32{0, 240}},
	{"lock and sleep", "bra L; S: nanosleep.u32 100;" + strings.Replace(lockLoop("%base"), "@%p1 bra L", "@%p1 bra S", 1), []uint32{0, 960}},
	{"ticket lock", `
		atom.global.add.u32 %r8, [%base], 1;
	L:	ld.volatile.global.u32 %r5, [%base+4]; setp.ne.u32 %p1, %r5, %r8; @%p1 bra L;
		membar.gl; ld.volatile.global.u32 %r6, [%base+8]; add.u32 %r6, %r6, 1; st.volatile.global.u32 [%base+8], %r6;
		membar.gl; red.global.add.u32 [%base+4], 1; ret;`, []uint32{960, 960, 960}},
	{"two locks, the first given back when the second is taken", `
		and.b32 %r8, %r4, 63; add.u32 %r9, %r4, 1; and.b32 %r9, %r9, 63; max.u32 %r10, %r8, %r9; min.u32 %r8, %r8, %r9;
		mul.wide.u32 %rd5, %r8, 4; add.s64 %rd5, %base, %rd5; mul.wide.u32 %rd6, %r10, 4; add.s64 %rd6, %base, %rd6;
	L:	atom.global.cas.b32 %r5, [%rd5+512], 0, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra L;
		atom.global.cas.b32 %r6, [%rd6+512], 0, 1; setp.ne.u32 %p2, %r6, 0; @%p2 bra F; bra.uni D;
	F:	atom.global.exch.b32 %r7, [%rd5+512], 0; bra.uni L;
	D:	red.global.add.u32 [%base], 1; atom.global.exch.b32 %r7, [%rd6+512], 0; atom.global.exch.b32 %r7, [%rd5+512], 0; ret;`, []uint32{960}},
	{"flag", `
		setp.ne.u32 %p1, %r2, 29; @%p1 bra L; setp.ne.u32 %p1, %r1, 0; @%p1 bra L;
		mov.u32 %r6, 0;
	W:	add.u32 %r6, %r6, 1; st.volatile.global.u32 [%base+4], %r6; setp.lt.u32 %p1, %r6, 5000; @%p1 bra W;
		st.volatile.global.u32 [%base], 7;
	L:	ld.volatile.global.u32 %r5, [%base]; setp.eq.u32 %p1, %r5, 0; @%p1 bra L;
		red.global.add.u32 [%base+8], 1; ret;`, []uint32{7, 5000, 960}},
	{"generic flag in shared memory", `
		.shared .u32 s; mov.u64 %rd5, s; cvta.shared.u64 %rd5, %rd5; mov.u32 %r5, 0;
		setp.ne.u32 %p1, %r1, 0; @%p1 bra L;
	W:	add.u32 %r5, %r5, 1; red.global.add.u32 [%base+4], 1; setp.lt.u32 %p1, %r5, 500; @%p1 bra W;
		st.volatile.shared.u32 [s], 1;
	L:	ld.volatile.u32 %r5, [%rd5]; setp.eq.u32 %p1, %r5, 0; @%p1 bra L;
		red.global.add.u32 [%base], 1; ret;`, []uint32{960, 15000}},
	{"grid barrier", `
		setp.ne.u32 %p2, %r1, 0; @%p2 bra S;
		membar.gl; atom.global.add.u32 %r5, [%base], 1; mov.u32 %r6, %nctaid.x;
	L:	ld.volatile.global.u32 %r5, [%base]; setp.lt.u32 %p1, %r5, %r6; @%p1 bra L;
	S:	bar.sync 0; red.global.add.u32 [%base+4], 1; ret;`, []uint32{30, 960}},
	{"silent stores", `
		setp.ne.u32 %p1, %r2, 0; @%p1 bra L; setp.ne.u32 %p1, %r1, 0; @%p1 bra L;
		mov.u32 %r6, 0;
	W:	add.u32 %r6, %r6, 1; st.volatile.global.u32 [%base+8], %r6; setp.lt.u32 %p1, %r6, 2000; @%p1 bra W;
		st.volatile.global.u32 [%base], 1; ret;
	L:	st.volatile.global.u32 [%base+4], 0; ld.volatile.global.v2.u32 {%r5,%r7}, [%base]; setp.eq.u32 %p1, %r5, 0; @%p1 bra L;
		ret;`, []uint32{1, 0, 2000}},
	{"clock", `
		setp.ne.u32 %p1, %r2, 0; @%p1 bra L; setp.ne.u32 %p1, %r1, 0; @%p1 bra L;
		mov.u32 %r6, 0;
	W:	add.u32 %r6, %r6, 1; st.volatile.global.u32 [%base+4], %r6; setp.lt.u32 %p1, %r6, 2000; @%p1 bra W;
		st.volatile.global.u32 [%base], 1; ret;
	L:	mov.u32 %r8, %clock; ld.volatile.global.u32 %r5, [%base]; setp.eq.u32 %p1, %r5, 0; @%p1 bra L;
		ret;`, []uint32{1, 2000}},
	{"more than can be watched", `
		setp.ne.u32 %p1, %r2, 0; @%p1 bra L; setp.ne.u32 %p1, %r1, 0; @%p1 bra L;
		mov.u32 %r6, 0;
	W:	add.u32 %r6, %r6, 1; st.volatile.global.u32 [%base+4], %r6; setp.lt.u32 %p1, %r6, 2000; @%p1 bra W;
		st.volatile.global.u32 [%base], 1; ret;
	L:	ld.volatile.global.u32 %r5, [%out+256]; ld.volatile.global.u32 %r5, [%out+384]; ld.volatile.global.u32 %r5, [%out+512];
		ld.volatile.global.u32 %r5, [%base]; setp.eq.u32 %p1, %r5, 0; @%p1 bra L;
		ret;`, []uint32{1, 2000}},
}

// lockLoop is every thread adding to the word after a lock.
func lockLoop(lock string) string {
	return `
	L:	atom.global.cas.b32 %r5, [` + lock + `], 0, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra L;
		membar.gl; ld.volatile.global.u32 %r6, [` + lock + `+4]; add.u32 %r6, %r6, 1; st.volatile.global.u32 [` + lock + `+4], %r6;
		membar.gl; atom.global.exch.b32 %r7, [` + lock + `], 0; ret;`
}

// TestWatch: spinning groups notice the change that they wait for, under each policy, with and without assembly and a
// listener, in the same run.
func TestWatch(t *testing.T) {
	for _, c := range watched {
		t.Run(c.name, func(t *testing.T) {
			var its emu.Stats
			for i, cfg := range []emu.Config{
				{}, {NoVector: true}, {Listener: emu.NopListener{}}, {Record: new(emu.Schedule)}, {Policy: emu.Random}, {Policy: emu.PCT}, {Policy: emu.RoundRobin},
			} {
				cfg.MaxSteps = 20_000_000
				m := load(t, kernel(c.body), cfg)
				buf := alloc(t, m, "buf", 1200)
				r := launch(t, m, 30, 32, buf)
				clean(t, r)
				if got := words(t, m, buf, len(c.want)); !slices.Equal(got, c.want) {
					t.Errorf("configuration %d: %d, want %d", i, got, c.want)
				}
				if i == 0 {
					its = r.Stats
				} else if cfg.Policy == emu.ITS && r.Stats != its {
					t.Errorf("configuration %d executes %+v, the first %+v", i, r.Stats, its)
				}
			}
		})
	}
}

// TestWaitingForTheClock: threads that wait until some time has passed go on, also when nothing else can change; those
// that wait for memory as well end with the launch.
func TestWaitingForTheClock(t *testing.T) {
	for _, c := range []struct{ name, body, class string }{
		{"time", `
			mov.u32 %r5, %clock;
		L:	mov.u32 %r6, %clock; sub.u32 %r6, %r6, %r5; setp.lt.u32 %p1, %r6, 50000; @%p1 bra L;
			red.global.add.u32 [%base], 1; ret;`, ""},
		{"time in all but one warp", `
			setp.eq.u32 %p2, %r2, 0; @%p2 bra W;
			mov.u32 %r5, %clock;
		L:	mov.u32 %r6, %clock; sub.u32 %r6, %r6, %r5; setp.lt.u32 %p1, %r6, 50000; @%p1 bra L;
			red.global.add.u32 [%base], 1; ret;
		W:	ld.volatile.global.u32 %r5, [%base]; setp.lt.u32 %p1, %r5, 64; @%p1 bra W;
			red.global.add.u32 [%base], 1; ret;`, ""},
		{"memory", `
		L:	mov.u32 %r6, %clock; ld.volatile.global.u32 %r5, [%base]; setp.eq.u32 %p1, %r5, 0; @%p1 bra L;
			ret;`, "timeout"},
	} {
		for i, cfg := range []emu.Config{
			{}, {NoVector: true}, {Listener: emu.NopListener{}}, {Policy: emu.Random}, {Policy: emu.PCT}, {Policy: emu.RoundRobin}, {Policy: emu.Lockstep},
		} {
			cfg.MaxSteps = 1_000_000
			m := load(t, kernel(c.body), cfg)
			buf := alloc(t, m, "buf", 128)
			r := launch(t, m, 3, 32, buf)
			if c.class == "" {
				clean(t, r)
				if got := words(t, m, buf, 1); got[0] != 96 {
					t.Errorf("%s, configuration %d: %d threads have added, want 96", c.name, i, got[0])
				}
			} else if len(r.Faults) != 1 || r.Faults[0].Class != c.class {
				t.Errorf("%s, configuration %d: %v, want a fault of class %s", c.name, i, r.Faults, c.class)
			}
		}
	}
}

// TestKnownRounds: lanes that wait for a lock try once after another lane has held it, and wait again, also if they
// sleep in between or a function contains the loop, and although other code of the kernel votes and calls. The 32 or so
// warps that wait for a ticket poll twice for each ticket served.
func TestKnownRounds(t *testing.T) {
	const threads = 30 * 128
	lock := `
		.func take(.param .b64 p) { .reg .pred %p1; .reg .b32 %r5; .reg .b64 %base; ld.param.u64 %base, [p];
		L: atom.global.cas.b32 %r5, [%base], 0, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra L; ret; }`
	for _, c := range []struct {
		name, functions, body string
		most                  uint64 // warp instructions of a critical section, attempts included
	}{
		{"lock", "", lockLoop("%base"), 16},
		{"lock behind a vote", "", "vote.sync.any.pred %p1, 1, -1;" + lockLoop("%base"), 16},
		{"lock and sleep", "", "bra L; S: nanosleep.u32 100;" + strings.Replace(lockLoop("%base"), "@%p1 bra L", "@%p1 bra S", 1), 20},
		{"lock in a function", lock, `{ .param .b64 q; st.param.b64 [q], %base; call take, (q); }
			membar.gl; ld.volatile.global.u32 %r6, [%base+4]; add.u32 %r6, %r6, 1; st.volatile.global.u32 [%base+4], %r6;
			membar.gl; atom.global.exch.b32 %r7, [%base], 0; ret;`, 18},
		{"ticket", "", `atom.global.add.u32 %r8, [%base], 1;
		L:	ld.volatile.global.u32 %r5, [%base+8]; setp.ne.u32 %p1, %r5, %r8; @%p1 bra L;
			membar.gl; ld.volatile.global.u32 %r6, [%base+4]; add.u32 %r6, %r6, 1; st.volatile.global.u32 [%base+4], %r6;
			membar.gl; red.global.add.u32 [%base+8], 1; ret;`, 250},
	} {
		m := load(t, c.functions+kernel(c.body), emu.Config{})
		buf := alloc(t, m, "buf", 128)
		r := launch(t, m, 30, threads/30, buf)
		clean(t, r)
		if got := words(t, m, buf, 2)[1]; got != threads {
			t.Fatalf("%s: %d threads have added, want %d", c.name, got, threads)
		}
		// The first wait of each warp takes some iterations more.
		if n, most := r.Stats.WarpInstructions, threads*c.most+120*64; n > most {
			t.Errorf("%s: %d warp instructions, want %d at most", c.name, n, most)
		}
	}
}

// TestKnownRoundOfOtherLanes: a lane that leaves the loop when it is alone does not wait as it did together with
// others, though registers and memory are the same. Lane k of block 0 leaves when the word is k+1, and sets it to 0;
// the last one leaves alone. Block 1 waits for it in a loop with a counter, so that the launch never stalls, which
// would wake all waiting groups.
func TestKnownRoundOfOtherLanes(t *testing.T) {
	const body = `
		add.u32 %r8, %r1, 1;
		setp.ne.u32 %p1, %r2, 0; @%p1 bra B;
	L:	activemask.b32 %r6; ld.volatile.global.u32 %r5, [%base]; setp.ne.u32 %p1, %r5, %r8; @%p1 bra N;
		red.global.add.u32 [%base+4], 1; st.volatile.global.u32 [%base], 0; ret;
	N:	popc.b32 %r6, %r6; setp.gt.u32 %p1, %r6, 1; @%p1 bra L;
		red.global.add.u32 [%base+4], 100; ret;
	B:	setp.ne.u32 %p1, %r1, 0; @%p1 bra E; mov.u32 %r7, 1;
	W:	st.volatile.global.u32 [%base], %r7;
	V:	ld.volatile.global.u32 %r5, [%base]; setp.ne.u32 %p1, %r5, 0; @%p1 bra V;
		add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 32; @%p1 bra W;
	U:	add.u32 %r7, %r7, 1; ld.volatile.global.u32 %r5, [%base+4]; setp.lt.u32 %p1, %r5, 131; @%p1 bra U;
	E:	ret;`
	for i, cfg := range []emu.Config{{}, {NoVector: true}} {
		cfg.MaxSteps = 1_000_000
		m := load(t, kernel(body), cfg)
		buf := alloc(t, m, "buf", 128)
		clean(t, launch(t, m, 2, 32, buf))
		if got := words(t, m, buf, 2); got[0] != 0 || got[1] != 131 {
			t.Errorf("configuration %d: %d, want 0 and 131", i, got)
		}
	}
}

// TestSpinningIsFree: threads that wait for a lock or a flag execute a bounded number of instructions for each time
// that it is released, however many they are.
func TestSpinningIsFree(t *testing.T) {
	flag := `
		setp.ne.u32 %p1, %r2, 0; @%p1 bra L; setp.ne.u32 %p1, %r1, 0; @%p1 bra L;
		mov.u32 %r6, 0;
	W:	add.u32 %r6, %r6, 1; st.volatile.global.u32 [%base+4], %r6; setp.lt.u32 %p1, %r6, 50000; @%p1 bra W;
		st.volatile.global.u32 [%base], 1;
	L:	ld.volatile.global.u32 %r5, [%base]; setp.eq.u32 %p1, %r5, 0; @%p1 bra L;
		bar.sync 0; ret;`
	for _, c := range []struct {
		name, body string
		limit      uint64 // warp instructions
	}{
		{"flag", flag, 4*50_000 + 469*200},
		{"lock", lockLoop("%base"), 15008 * 60},
	} {
		m := load(t, kernel(c.body), emu.Config{})
		r := launch(t, m, 469, 32, alloc(t, m, "buf", 15008+4))
		clean(t, r)
		if n := r.Stats.WarpInstructions; n > c.limit {
			t.Errorf("%s: %d warp instructions, expected %d at most", c.name, n, c.limit)
		}
	}
}

// TestWatchedForEver: groups that wait forever are detected.
func TestWatchedForEver(t *testing.T) {
	body := `
		setp.eq.u32 %p1, %r2, 0; @%p1 st.volatile.global.u32 [%base+4], 1;
	L:	ld.volatile.global.u32 %r5, [%base]; setp.eq.u32 %p1, %r5, 0; @%p1 bra L;
		ret;`
	m := load(t, kernel(body), emu.Config{})
	r := launch(t, m, 3, 32, alloc(t, m, "buf", 128))
	if len(r.Faults) != 1 || r.Faults[0].Class != "livelock" {
		t.Errorf("%v, want a livelock", r.Faults)
	}
}

// TestWatchedFreed: the words in a wait set may be freed.
func TestWatchedFreed(t *testing.T) {
	text := `.extern .func (.param .b64 p) malloc (.param .b64 n);
.extern .func free (.param .b64 p);
` + kernel(`
		setp.ne.u32 %p1, %r2, 0; @%p1 bra W; setp.ne.u32 %p1, %r1, 0; @%p1 bra W;
		{ .param .b64 p; .param .b64 n; st.param.b64 [n], 64; call (p), malloc, (n); ld.param.b64 %rd5, [p]; }
		st.volatile.u32 [%rd5], 0;
		st.volatile.global.u64 [%base], %rd5; mov.u32 %r6, 0;
	D:	add.u32 %r6, %r6, 1; st.volatile.global.u32 [%base+8], %r6; setp.lt.u32 %p1, %r6, 3000; @%p1 bra D;
		{ .param .b64 p; st.param.b64 [p], %rd5; call free, (p); }
		ret;
	W:	ld.volatile.global.u64 %rd5, [%base]; setp.eq.u64 %p1, %rd5, 0; @%p1 bra W;
		{ .param .b64 q; st.param.b64 [q], %rd5; call wait, (q); }
		ret;`)
	wait := `.func wait(.param .b64 q) {
	.reg .b64 %a; .reg .b32 %v; .reg .pred %p;
	ld.param.b64 %a, [q];
L:	ld.volatile.u32 %v, [%a]; setp.eq.u32 %p, %v, 0; @%p bra L;
	ret;
}
`
	m := load(t, wait+text, emu.Config{})
	r := launch(t, m, 2, 32, alloc(t, m, "buf", 128))
	if len(r.Faults) != 1 || r.Faults[0].Class != "use-after-free" {
		t.Errorf("%v, want a use after free", r.Faults)
	}
}

package session_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/all"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// pollingLocks are kernels in which each thread takes a lock once: a ticket lock whose threads poll a volatile word,
// with a fence in each round or without, and a lock taken by compare-and-swap. words[2] counts the threads.
var pollingLocks = map[string]string{
	"ticket":         "atom.global.add.u32 %r1, [%d], 1;\nW: ld.volatile.global.u32 %r2, [%d+4]; setp.ne.u32 %p, %r2, %r1; @%p bra W;",
	"ticket, fences": "atom.global.add.u32 %r1, [%d], 1;\nW: membar.gl; ld.volatile.global.u32 %r2, [%d+4]; setp.ne.u32 %p, %r2, %r1; @%p bra W;",
	"swap":           "W: atom.global.cas.b32 %r1, [%d+4], 0, 1; setp.ne.u32 %p, %r1, 0; @%p bra W;\nmov.u32 %r1, -1;",
}

// pollingKernel returns a kernel that takes a lock.
func pollingKernel(lock string) string {
	return `.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 words)
{
	.reg .pred %p;
	.reg .b32 %r<4>;
	.reg .b64 %d;
	ld.param.u64 %d, [words];
	` + lock + `
	membar.gl;
	ld.global.u32 %r3, [%d+8];
	add.u32 %r3, %r3, 1;
	st.global.u32 [%d+8], %r3;
	membar.gl;
	add.u32 %r1, %r1, 1;
	` + map[bool]string{true: "atom.global.exch.b32 %r1, [%d+4], 0", false: "st.volatile.global.u32 [%d+4], %r1"}[strings.Contains(lock, "cas")] + `;
	ret;
}
`
}

// TestPollingUnderChecks: threads that poll are parked, although the checks of a detector inside the kernel change its
// metadata: the number of instructions is that of the program alone times what checks cost.
func TestPollingUnderChecks(t *testing.T) {
	const most = 160
	for _, detector := range []string{"iguard", "iguard<paper>", "iguard<elide=false>", "barracuda<instrumented>"} {
		for name, lock := range pollingLocks {
			s := open(t, detector, pollingKernel(lock))
			data := buffer(t, s, "words", make([]uint32, 3))
			res := launch(t, s, session.Launch{Kernel: "k", Grid: emu.Dim3{X: 8}, Block: emu.Dim3{X: 32}, Args: []any{data}})
			if len(res.Faults) > 0 {
				t.Fatalf("%s, %s: %v", detector, name, res.Faults)
			}
			stats := s.Report().Stats
			if stats.InstrumentedWarpInstructions > most*stats.WarpInstructions {
				t.Errorf("%s, %s: %d warp instructions, %d instrumented", detector, name, stats.WarpInstructions, stats.InstrumentedWarpInstructions)
			}
		}
	}
}

// TestPollingUnderMeters: the same for passes that only measure, whose counters change with each poll.
func TestPollingUnderMeters(t *testing.T) {
	const most = 40
	run := func(measuring string) uint64 {
		var o session.Options
		if measuring != "" {
			var err error
			if o.Passes, err = passes.ParsePipeline(measuring, all.Passes); err != nil {
				t.Fatal(err)
			}
		}
		s, err := session.Open(o)
		if err == nil {
			err = s.Load(parse(t, pollingKernel(pollingLocks["ticket"])))
		}
		if err != nil {
			t.Fatal(err)
		}
		data := buffer(t, s, "words", make([]uint32, 3))
		res := launch(t, s, session.Launch{Kernel: "k", Grid: emu.Dim3{X: 8}, Block: emu.Dim3{X: 32}, Args: []any{data}})
		if len(res.Faults) > 0 {
			t.Fatalf("%s: %v", measuring, res.Faults)
		}
		return s.Report().Stats.WarpInstructions
	}
	alone := run("")
	for _, pass := range []string{"coverage", "instcount", "memtrace", "coverage,instcount"} {
		if n := run(pass); n > most*alone {
			t.Errorf("%s: %d warp instructions, %d without", pass, n, alone)
		}
	}
}

// TestContendedUnderChecks: threads whose checks wait for each other, because they all access one word, execute no more
// than the checks themselves cost: warps do not fall into lanes, however long they run, and lanes of a warp pass the
// word on among them.
func TestContendedUnderChecks(t *testing.T) {
	const blocks, threads = 2, 256
	for _, c := range []struct {
		access string
		rounds int
		most   int // warp instructions for each access by a thread
	}{
		{"st.global.u32 [%d], %r1;", 512, 120},
		{"st.global.v4.u32 [%d], {%r1, %r1, %r1, %r1};", 8, 400},
		{"ld.volatile.global.u32 %r1, [%d]; st.volatile.global.u32 [%d], %r1;", 512, 130},
		{"atom.relaxed.cta.global.add.u32 %r1, [%d], 1;", 128, 5},
	} {
		s := open(t, "iguard", `.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 words, .param .u32 rounds)
{
	.reg .pred %p;
	.reg .b32 %r<4>;
	.reg .b64 %d;
	ld.param.u64 %d, [words];
	ld.param.u32 %r3, [rounds];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, 0;
ROUND:
	`+c.access+`
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p, %r2, %r3;
	@%p bra ROUND;
	ret;
}
`)
		data := buffer(t, s, "words", make([]uint32, 4))
		res := launch(t, s, session.Launch{Kernel: "k", Grid: emu.Dim3{X: blocks}, Block: emu.Dim3{X: threads}, Args: []any{data, c.rounds}})
		if len(res.Faults) > 0 {
			t.Fatalf("%s: %v", c.access, res.Faults)
		}
		if n := int(s.Report().Stats.InstrumentedWarpInstructions) / (c.rounds * blocks * threads); n > c.most {
			t.Errorf("%s: %d warp instructions for each access, expected %d at most", c.access, n, c.most)
		}
	}
}

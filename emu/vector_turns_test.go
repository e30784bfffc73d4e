package emu

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/commute"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/grids"
	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// turnLog writes down accesses and barriers. Batches of accesses come one by one.
type turnLog struct {
	NopListener
	lines []string
}

func (l *turnLog) Interest() Interest {
	return Interest{Needs: abi.Needs{Shared: true, Values: true}}
}

func (l *turnLog) add(format string, args ...any) {
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

func (l *turnLog) Accesses(b *abi.Batch) {
	for a := range b.All() {
		l.add("%v/%d %08x %d: %x", b.Block, b.Warp, a.Mask, a.Site, a.At(state.Lanes(a.Mask).First()))
	}
}

func (l *turnLog) Event(ev *abi.Event) {
	switch ev.Kind {
	case abi.EventBarrierArrive, abi.EventBarrierComplete, abi.EventBarrierPass, abi.EventWarpSync:
		l.add("%v/%d %08x %d: %d, %d of %d, %v", ev.Block, ev.Warp, ev.Mask, ev.Site, ev.Kind, ev.Barrier, ev.Expected, ev.Mode)
	}
}

// turnKernel is a kernel whose body has %t, the thread in its block, %w, its warp, %n, the block's threads, %i, the
// thread in the grid, %a, the address of its word of global memory, and %s, of shared memory.
func turnKernel(body string) string {
	return `.shared .align 4 .b8 tile[4096];
.global .align 4 .b8 words[262144];
.visible .entry k() {
.reg .b32 %t, %w, %n, %i, %s, %r<10>;
.reg .b64 %a, %rd<5>;
.reg .pred %p<5>;
.local .align 4 .b8 own[64];
mov.u32 %t, %tid.x; mov.u32 %n, %ntid.x; shr.u32 %w, %t, 5; mov.u32 %r0, %ctaid.x; mad.lo.u32 %i, %r0, %n, %t;
mov.u64 %a, words; mul.wide.u32 %rd0, %i, 4; add.s64 %a, %a, %rd0;
mov.u32 %s, tile; shl.b32 %r0, %t, 2; add.u32 %s, %s, %r0; mov.u32 %r1, %t;
` + body + "\nst.global.u32 [%a], %r1;\nret;\n}\n"
}

// turnSteps are what the threads of a block do between barriers.
var turnSteps = []string{
	"st.shared.u32 [%s], %r1;",
	"ld.shared.u32 %r2, [%s]; add.u32 %r1, %r1, %r2;",
	"xor.b32 %r3, %t, 1; shl.b32 %r3, %r3, 2; mov.u32 %r4, tile; add.u32 %r4, %r4, %r3; ld.shared.u32 %r2, [%r4]; add.u32 %r1, %r1, %r2;",
	"setp.lt.u32 %p1, %t, 40; @!%p1 bra L$; st.shared.u32 [%s], %t; add.u32 %r1, %r1, 3; L$:",
	"setp.eq.u32 %p1, %t, 5; @%p1 red.global.add.u32 [%a], 7;",
	"mov.u32 %r5, 0; L$: add.u32 %r5, %r5, 1; atom.global.add.u32 %r2, [%a], 1; setp.lt.u32 %p1, %r5, 5; @%p1 bra L$;",
	"mov.u32 %r5, 0; L$: add.u32 %r5, %r5, 1; add.u32 %r1, %r1, %r5; setp.lt.u32 %p1, %r5, 400; @%p1 bra L$;",
	"and.b32 %r2, %t, 3; L$: setp.eq.u32 %p1, %r2, 0; @%p1 bra M$; sub.u32 %r2, %r2, 1; st.global.u32 [%a], %r2; bra L$; M$:",
	"setp.eq.u32 %p1, %i, 77; @%p1 add.s64 %a, %a, 0x10000000; ld.global.u32 %r2, [%a]; @%p1 sub.s64 %a, %a, 0x10000000;", // a fault
	"shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1; add.u32 %r1, %r1, %r2;",
}

// turnBarriers end such steps. Those that are not bar.sync for all threads end turns in Go.
var turnBarriers = []string{
	"bar.sync 0;", "bar.sync 0;", "bar.sync 0;", "bar.sync 0;", "bar.sync 0;", "bar.sync 1;", "barrier.sync 2;", "bar.sync 3, %n;",
	"setp.ne.u32 %p2, %t, 7; bar.red.popc.u32 %r2, 0, %p2; add.u32 %r1, %r1, %r2;",
	"setp.lt.u32 %p2, %n, 5000; @%p2 bar.sync 0;",
	"setp.eq.u32 %p2, %w, 0; @%p2 bra L$; bar.arrive 4, %n; bra M$; L$: bar.sync 4, %n; M$: bar.sync 0;",
	"setp.gt.u32 %p2, %w, 5; @%p2 exit; bar.sync 0;",
	"setp.gt.u32 %p2, %w, 2; @%p2 bra L$; bar.sync 5; L$: bar.sync 0;", // too few come to barrier 5
}

// plainSteps and plainBarriers are how many of these, from the first on, are executed in assembly by all warps of a
// block.
const plainSteps, plainBarriers = 4, 5

// turnProgram is the body of a random kernel, in which a loop may stand around some of the steps.
func turnProgram(r *rand.Rand) string {
	var s strings.Builder
	label := 0
	add := func(text string) {
		label++
		s.WriteString(strings.NewReplacer("L$", fmt.Sprint("L", label), "M$", fmt.Sprint("M", label)).Replace(text) + "\n")
	}
	steps, barriers, local := len(turnSteps), len(turnBarriers), r.IntN(8) == 0
	if r.IntN(2) == 0 { // all of it is executed in assembly
		steps, barriers, local = plainSteps, plainBarriers, false
	}
	around := r.IntN(2) == 0
	if around {
		s.WriteString("mov.u32 %r7, 0;\nAROUND:\n")
	}
	for range 1 + r.IntN(5) {
		for range 1 + r.IntN(2) {
			add(turnSteps[r.IntN(steps)])
		}
		if r.IntN(3) > 0 {
			add(turnBarriers[r.IntN(plainBarriers)])
		} else {
			add(turnBarriers[r.IntN(barriers)])
		}
	}
	if around {
		fmt.Fprintf(&s, "add.u32 %%r7, %%r7, 1;\nsetp.lt.u32 %%p3, %%r7, %d;\n@%%p3 bra AROUND;\n", 1+r.IntN(6))
	}
	if local {
		s.WriteString("st.local.u32 [own], %r1; ld.local.u32 %r1, [own]; bar.sync 0;\n")
	}
	return s.String()
}

// turnsTaken says whether several turns were taken in one run of the assembly, whether turns could pass barriers there,
// and whether blocks began there.
type turnsTaken struct{ together, passed, begun bool }

// turnOutcome runs a kernel; a listener in cfg says that events are among what happened. It reports that, and how turns
// were taken. If inTurn is set, blocks run one after another, as independent ones do.
func turnOutcome(t *testing.T, text string, cfg Config, grid, block uint32, inTurn bool) (outcome []string, took turnsTaken) {
	t.Helper()
	log := &turnLog{}
	if cfg.Listener != nil {
		cfg.Listener = log
	}
	m := machineFor(t, cfg, text)
	if err := m.Decode("k"); err != nil {
		t.Fatal(err)
	}
	l, err := grids.Prepare(m.state, &LaunchConfig{Kernel: "k", Grid: Dim3{X: grid, Y: 1, Z: 1}, Block: Dim3{X: block, Y: 1, Z: 1}})
	if err != nil {
		t.Fatal(err)
	}
	x := &state.Engine{M: m.state, Ctx: t.Context(), L: l}
	events.SetListener(&x.Emitter, m.state.Cfg.Listener, m.state.Interest)
	run := func() error { return run(x) }
	if inTurn {
		n := len(l.Kernel.Src.Insts)
		l.Proof = &state.Independence{Apart: make([]*gmem.Allocation, n), Commutative: make([]commute.Op, n)}
		run = func() error {
			x.Vec, x.Special = newVectorRunner(x), l.SpecialContext()
			begin(x, 0, l.Total)
			err := runAll(x, t.Context())
			groups.KeepReuse(x)
			return err
		}
	}
	if err := run(); err != nil {
		t.Fatal(err)
	}
	outcome = append(log.lines, fmt.Sprint(x.Stats, l.Turns, l.Serial, l.Next, x.Sched.(*state.FairScheduler).Rng), fmt.Sprint(faults.Outcome(x)))
	if of := l.Kernel.Stored; of != nil {
		for _, c := range of.Ctas {
			for _, w := range c.Warps {
				outcome = append(outcome, fmt.Sprint("turns and number of a warp: ", w.Turns, w.Serial))
			}
		}
	}
	addr, size, _ := m.Symbol("words")
	words := make([]byte, size)
	if err := m.Read(addr, words); err != nil {
		t.Fatal(err)
	}
	if x.Vec != nil {
		took.together = x.Vec.Turns.Turns[0].PC != 0
		took.passed = slices.ContainsFunc(x.Vec.Turns.Pauses[:], func(p state.TurnPause) bool { return p.Turns > 0 })
		took.begun = x.Vec.Turns.Blocks > x.Vec.C.Blocks
	}
	return append(outcome, string(words)), took
}

// TestTurnsTogether: whether the assembly takes many turns in one run or the engine one at a time, events have the same
// order, the number of turns is the same, and the results are the same.
func TestTurnsTogether(t *testing.T) {
	if !vector.Available() {
		t.Skip("this machine has no vector instructions")
	}
	n := 150
	if testing.Short() {
		n = 60
	}
	together, passed, begun := 0, 0, 0
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 29))
		text := turnKernel(turnProgram(r))
		grid, block := 1+uint32(r.IntN(20)), []uint32{32, 64, 96, 100, 256, 512, 1000, 1024}[r.IntN(8)]
		inTurn := r.IntN(2) == 0
		if !inTurn && r.IntN(2) == 0 {
			grid = 1 // turns pass barriers where one block runs alone
		}
		cfg := Config{MaxSteps: 10_000_000, MaxFaults: []int{1, 30}[r.IntN(2)]}
		if r.IntN(10) == 0 {
			cfg.MaxSteps = 1 + r.Uint64N(20_000)
		}
		if r.IntN(2) == 0 {
			cfg.Listener = NopListener{} // turnOutcome makes the one that listens
		}
		got, took := turnOutcome(t, text, cfg, grid, block, inTurn)
		cfg.NoVector = true
		want, _ := turnOutcome(t, text, cfg, grid, block, inTurn)
		if took.together {
			together++
		}
		if took.passed {
			passed++
		}
		if took.begun {
			begun++
		}
		if !slices.Equal(got, want) {
			for k := range min(len(got), len(want)) {
				if got[k] != want[k] {
					t.Fatalf("seed %d, %d blocks of %d, at most %d steps: event %d of %d is\n%.300s\nwith turns one by one, of %d,\n%.300s\n%s", seed, grid, block, cfg.MaxSteps, k, len(got), got[k], len(want), want[k], text)
				}
			}
			t.Fatalf("seed %d: %d events, with turns one by one %d\n%s", seed, len(got), len(want), text)
		}
	}
	if together < n/4 || passed < n/10 || begun < n/20 {
		t.Errorf("several turns were taken in one run in %d of %d programs, could pass barriers in %d, and blocks began in %d", together, n, passed, begun)
	}
}

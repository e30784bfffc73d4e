package emu_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"sort"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// callTree is a kernel that calls f0, where each of depth functions calls the next twice:
// 2^depth calls without a jump backwards. Pad makes the functions too long to be inlined.
func callTree(depth, pad int) string {
	var b strings.Builder
	for i := depth - 1; i >= 0; i-- {
		fmt.Fprintf(&b, ".func f%d () {\n.reg .u32 %%r;\nmov.u32 %%r, 0;\n%s", i, strings.Repeat("add.u32 %r, %r, 1;\n", pad))
		if i < depth-1 {
			fmt.Fprintf(&b, "call f%d;\ncall f%[1]d;\n", i+1)
		}
		b.WriteString("ret;\n}\n")
	}
	return b.String() + ".entry k () {\ncall f0;\nret;\n}\n"
}

// recursion is a kernel that calls a function that calls itself twice, 60 deep.
const recursion = `.func f (.param .u32 d) {
.reg .u32 %n;
.reg .pred %p;
ld.param.u32 %n, [d];
setp.eq.u32 %p, %n, 0;
@%p ret;
sub.u32 %n, %n, 1;
{ .param .u32 a; st.param.u32 [a], %n; call f, (a); }
{ .param .u32 a; st.param.u32 [a], %n; call f, (a); }
ret;
}
.entry k () {
{ .param .u32 a; st.param.u32 [a], 60; call f, (a); }
ret;
}
`

// callTrees are kernels that take 2^40 calls.
func callTrees() map[string]string {
	return map[string]string{"calls": callTree(41, 500), "inlined": callTree(41, 1), "recursion": recursion}
}

// tiers are the ways in which instructions are executed.
var tiers = map[string]bool{"assembly": false, "plain Go": true}

// eachRun calls f for every tree of calls, policy and tier.
func eachRun(t *testing.T, f func(t *testing.T, text string, cfg emu.Config)) {
	all := maps.Clone(policies)
	all["round-robin"], all["apart"] = emu.RoundRobin, emu.PerThread
	for tree, text := range callTrees() {
		for policy, p := range all {
			for tier, plain := range tiers {
				t.Run(tree+"/"+policy+"/"+tier, func(t *testing.T) { f(t, text, emu.Config{Policy: p, NoVector: plain}) })
			}
		}
	}
}

// oneFault fails the test unless the launch ended with one fault, of a class and with a
// thread and a line.
func oneFault(t *testing.T, r *emu.Result, class string) *emu.Fault {
	t.Helper()
	if len(r.Faults) != 1 || r.Faults[0].Class != class {
		t.Fatalf("faults %v, want one of class %s", r.Faults, class)
	}
	if r.Faults[0].Inst == nil {
		t.Fatalf("%v has no line", r.Faults[0])
	}
	return r.Faults[0]
}

// TestCallTreeStopsAtMaxSteps: a tree of calls has no back edge, but still ends at the limit on steps.
func TestCallTreeStopsAtMaxSteps(t *testing.T) {
	eachRun(t, func(t *testing.T, text string, cfg emu.Config) {
		cfg.MaxSteps = 1000
		r := launch(t, load(t, text, cfg), 1, 1)
		_ = oneFault(t, r, "timeout")
		if n := r.Stats.WarpInstructions; n > 20_000 {
			t.Errorf("%d warp instructions", n)
		}
	})
}

// TestLimitOnSteps: the limit is that of the configuration, else of Limits, else by the size of the launch; one by
// Limits leaves livelocks to be found out.
func TestLimitOnSteps(t *testing.T) {
	run := func(body string, cfg emu.Config) *emu.Result {
		m := load(t, kernel(body), cfg)
		p, err := m.Alloc("p", 4)
		if err != nil {
			t.Fatal(err)
		}
		return launch(t, m, 1, 1, p)
	}
	const endless = "mov.b32 %r5, 0;\nL: add.u32 %r5, %r5, 1;\nsetp.ne.u32 %p1, %r5, 0;\n@%p1 bra L;"
	for _, c := range []struct {
		steps, limit uint64
		want         string
	}{
		{1000, 2000, "after 1000 warp"}, {0, 2000, "after 2000 warp"}, {0, 0, "after 200500000 warp"}, {0, 201_000_000, "after 201000000 warp"},
	} {
		f := oneFault(t, run(endless, emu.Config{MaxSteps: c.steps, Limits: emu.Limits{Steps: c.limit}}), "timeout")
		if !strings.Contains(f.Message, c.want) {
			t.Errorf("%d, %d: %s, want %s", c.steps, c.limit, f.Message, c.want)
		}
	}
	const waiting = "L: ld.volatile.global.u32 %r5, [%base];\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 bra L;"
	_ = oneFault(t, run(waiting, emu.Config{Limits: emu.Limits{Steps: emu.LongMaxSteps}}), "livelock")
}

// doneAfter is a context that is done after a number of queries.
type doneAfter struct {
	context.Context
	asked, after int
	err          error
}

func (d *doneAfter) Err() error {
	if d.asked++; d.asked > d.after {
		return d.err
	}
	return nil
}

// TestCallTreeStopsAtDeadline: a tree of calls ends when the time is over, in the middle of
// the first turn.
func TestCallTreeStopsAtDeadline(t *testing.T) {
	eachRun(t, func(t *testing.T, text string, cfg emu.Config) {
		ctx := &doneAfter{Context: context.Background(), after: 3, err: context.DeadlineExceeded}
		r, err := load(t, text, cfg).Launch(ctx, emu.LaunchConfig{Kernel: "k", Grid: dim(1), Block: dim(1)})
		if err != nil {
			t.Fatal(err)
		}
		_ = oneFault(t, r, "timeout")
	})
}

// TestCallTreeStopsWhenCancelled: the same for an interrupt.
func TestCallTreeStopsWhenCancelled(t *testing.T) {
	eachRun(t, func(t *testing.T, text string, cfg emu.Config) {
		ctx := &doneAfter{Context: context.Background(), after: 3, err: context.Canceled}
		_, err := load(t, text, cfg).Launch(ctx, emu.LaunchConfig{Kernel: "k", Grid: dim(1), Block: dim(1)})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

// TestMaxStepsIsExact: a launch with exactly the allowed number of warp instructions ends well, one more is a fault,
// with or without back edges.
func TestMaxStepsIsExact(t *testing.T) {
	for name, text := range map[string]string{
		"straight": ".entry k () {\n.reg .u32 %r;\n" + strings.Repeat("mov.u32 %r, 0;\n", 99) + "ret;\n}",
		"loop":     ".entry k () {\n.reg .u32 %r;\n.reg .pred %p;\nmov.u32 %r, 0;\nL:\nadd.u32 %r, %r, 1;\nsetp.lt.u32 %p, %r, 77;\n@%p bra L;\nexit;\n}",
		"calls":    callTree(6, 3),
		"barrier":  ".entry k () {\nbar.sync 0;\nbar.sync 0;\nret;\n}",
	} {
		for tier, plain := range tiers {
			for _, block := range []uint32{1, 64} {
				cfg := emu.Config{NoVector: plain}
				n := launch(t, load(t, text, cfg), 1, block).Stats.WarpInstructions
				cfg.MaxSteps = n
				clean(t, launch(t, load(t, text, cfg), 1, block))
				cfg.MaxSteps = n - 1
				r := launch(t, load(t, text, cfg), 1, block)
				if f := oneFault(t, r, "timeout"); !strings.Contains(f.Message, fmt.Sprint(n-1)) {
					t.Errorf("%s, %s: %v", name, tier, f)
				}
			}
		}
	}
}

// launchTree is a kernel of one thread that launches itself three times, as deep as grids
// may nest: 3^24 grids.
func launchTree(stream string) string {
	l := launchV2("cuda", "", "k", "1", "1", stream, "%rd0")
	return deviceRuntime + entry("k", 1, l+l+l)
}

// TestEndedGridsAreForgotten: of a tree of grids only those between the first and the one
// that runs take up memory.
func TestEndedGridsAreForgotten(t *testing.T) {
	m := load(t, launchTree("0"), emu.Config{MaxSteps: 400_000})
	out := alloc(t, m, "out", 1)
	var before, after runtime.MemStats
	ctx := &heapAt{Context: context.Background(), stats: &after}
	runtime.GC()
	runtime.ReadMemStats(&before)
	r, err := m.Launch(ctx, emu.LaunchConfig{Kernel: "k", Grid: dim(1), Block: dim(1), Params: args(out)})
	if err != nil || len(r.Faults) != 1 || r.Faults[0].Class != "timeout" {
		t.Fatal(r, err)
	}
	if grew := int64(after.HeapAlloc - before.HeapAlloc); ctx.asked < 3000 || grew > 16<<20 {
		t.Errorf("%d bytes are in use after %d grids", grew, ctx.asked)
	}
}

// heapAt is a context that measures the heap at the 3,000th query of its error.
type heapAt struct {
	context.Context
	asked int
	stats *runtime.MemStats
}

func (h *heapAt) Err() error {
	if h.asked++; h.asked == 3000 {
		runtime.GC()
		runtime.ReadMemStats(h.stats)
	}
	return nil
}

// TestLaunchedGridsCountAsState: grids that wait take up state, all those of a launch and
// of the grids below it together, whether they follow the grid or run in it.
func TestLaunchedGridsCountAsState(t *testing.T) {
	for name, stream := range map[string]string{"waiting": "0", "tail": "3"} {
		body := "mov.u32 %r10, 0;\nL:\n" + launchV2("cuda", "", "c", "1", "1", stream, "%rd0") +
			"add.u32 %r10, %r10, 1;\nsetp.lt.u32 %p4, %r10, 1000;\n@%p4 bra L;\n"
		text := deviceRuntime + entry("c", 1, "") + entry("k", 1, body)
		run := func(state uint64) *emu.Result {
			m := load(t, text, emu.Config{Limits: emu.Limits{ThreadState: state}})
			return launch(t, m, 1, 1, alloc(t, m, "out", 1))
		}
		clean(t, run(4<<20))
		f := oneFault(t, run(256<<10), "unsupported")
		if !strings.Contains(f.Message, "more than 262144 bytes of launched grids") {
			t.Errorf("%s: %v", name, f)
		}
	}
}

// TestStateIsExact: a launch that has as much state as is allowed ends well; with one
// byte less it does not.
func TestStateIsExact(t *testing.T) {
	for name, c := range map[string]struct {
		cfg  emu.Config
		text string
	}{
		"registers":     {text: ".entry k () { bar.sync 0; ret; }"},
		"shared memory": {text: ".entry k () { .shared .b8 s[40000]; .reg .u64 %a; mov.u64 %a, s; ret; }"},
		"local memory":  {text: recursive(100)},
		"threads apart": {text: recursive(8), cfg: emu.Config{Policy: emu.PerThread}},
	} {
		ends := func(state int) bool {
			cfg := c.cfg
			cfg.Limits.ThreadState = uint64(state)
			r := launch(t, load(t, c.text, cfg), 2, 64)
			if len(r.Faults) > 0 {
				_ = oneFault(t, r, "unsupported")
			}
			return len(r.Faults) == 0
		}
		const most = 8 << 20
		least := 1 + sort.Search(most, func(n int) bool { return ends(n + 1) })
		if least > most || !ends(least) || least > 1 && ends(least-1) {
			t.Errorf("%s: %d bytes", name, least)
		}
	}
}

// recursive is a kernel that calls a function with local memory so deep.
func recursive(depth int) string {
	return fmt.Sprintf(`.func f (.param .u32 d) {
.local .b8 a[64];
.reg .u64 %%a;
.reg .u32 %%n;
.reg .pred %%p;
mov.u64 %%a, a;
ld.param.u32 %%n, [d];
st.local.u32 [%%a], %%n;
setp.eq.u32 %%p, %%n, 0;
@%%p ret;
sub.u32 %%n, %%n, 1;
{ .param .u32 b; st.param.u32 [b], %%n; call f, (b); }
ret;
}
.entry k () {
{ .param .u32 b; st.param.u32 [b], %d; call f, (b); }
ret;
}
`, depth)
}

// TestStateBoundsWhatIsAllocated: the limit on state bounds all memory for threads, including outgrown tables: the
// memory allocated until the limit is reached, and not only the memory in use, hardly exceeds it.
func TestStateBoundsWhatIsAllocated(t *testing.T) {
	const limit = 32 << 20
	// All wait at the deepest place, for what nobody writes.
	wait := "@!%p bra GO;\nWAIT:\nld.volatile.global.u32 %n, [flag];\nsetp.eq.u32 %p, %n, 0;\n@%p bra WAIT;\nret;\nGO:"
	text := ".global .u32 flag;\n" + strings.Replace(recursive(60), "@%p ret;", wait, 1)
	for name, p := range policies {
		m := load(t, text, emu.Config{Policy: p, Limits: emu.Limits{ThreadState: limit}})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var r *emu.Result
		emu.WithoutVerifier(func() { r = launch(t, m, 20_000, 64) })
		runtime.ReadMemStats(&after)
		_ = oneFault(t, r, "unsupported")
		if allocated := after.TotalAlloc - before.TotalAlloc; allocated > limit+limit/4 {
			t.Errorf("%s: %d bytes were allocated for a limit of %d", name, allocated, uint64(limit))
		}
	}
}

// interrupting is a listener during whose nth access the launch is interrupted.
type interrupting struct {
	emu.NopListener
	n      int
	seen   int
	cancel context.CancelFunc
}

// Accesses implements abi.Receiver.
func (l *interrupting) Accesses(b *abi.Batch) {
	for range b.All() {
		if l.seen++; l.seen == l.n {
			l.cancel()
		}
	}
}

// TestInterruptedListener: a launch ends soon after an interrupt, counted in accesses: a listener may
// take long for each.
func TestInterruptedListener(t *testing.T) {
	for name, body := range map[string]string{
		"loop":  "mov.u32 %r2, 0; L: add.u32 %r2, %r2, 1; st.global.u32 [%rd0], %r2; bra L;",
		"calls": "", // of callTree
	} {
		for tier, plain := range tiers {
			ctx, cancel := context.WithCancel(t.Context())
			l := &interrupting{n: 1000, cancel: cancel}
			text := entry("k", 1, body)
			if body == "" {
				text = storingTree(41)
			}
			m := load(t, text, emu.Config{NoVector: plain, Listener: l})
			_, err := m.Launch(ctx, emu.LaunchConfig{Kernel: "k", Grid: dim(1), Block: dim(1), Params: args(alloc(t, m, "out", 1))})
			if cancel(); !errors.Is(err, context.Canceled) || l.seen > l.n+5000 {
				t.Errorf("%s in %s: %v after %d accesses", name, tier, err, l.seen)
			}
		}
	}
}

// storingTree is callTree of functions that store to a variable.
func storingTree(depth int) string {
	text := strings.ReplaceAll(callTree(depth, 50), "mov.u32 %r, 0;\n", "mov.u32 %r, 0;\nst.global.u32 [g], %r;\n")
	return ".global .u32 g;\n" + strings.Replace(text, ".entry k ()", ".entry k (.param .u64 out)", 1)
}

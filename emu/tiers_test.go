package emu_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/rewrite"
)

var (
	tierPrograms = flag.Uint64("tiers", 1000, "random programs that TestTiers compares")
	tierFirst    = flag.Uint64("tiers.first", 0, "the first of them")
	tierSums     = flag.String("tiers.sums", "", "file that TestTiers writes what the programs did to")
)

// tierListeners are ways to listen: to nothing, to accesses one by one, through a Tee, and to loops.
var tierListeners = []func() (emu.Listener, *accessLog){
	func() (emu.Listener, *accessLog) { return nil, &accessLog{} },
	func() (emu.Listener, *accessLog) { l := &accessLog{shared: true}; return l, l },
	func() (emu.Listener, *accessLog) { l := &accessLog{values: true, shared: true}; return l, l },
	func() (emu.Listener, *accessLog) {
		l := &accessLog{values: true, shared: true}
		return observe.Tee(l, &emu.NopListener{}), l
	},
	func() (emu.Listener, *accessLog) {
		l := &accessLog{shared: true, branches: true, loops: true}
		return l, l
	},
	func() (emu.Listener, *accessLog) {
		l := &accessLog{values: true, loops: true}
		return observe.Tee(l, nil), l
	},
}

// tierPolicies are the policies that programs run under.
var tierPolicies = []emu.Policy{emu.ITS, emu.Lockstep, emu.Random, emu.PCT, emu.RoundRobin, emu.PerThread}

// tierRun is a random program and how it is run.
type tierRun struct {
	text     string
	mod      *rewrite.Module
	cfg      emu.Config
	policy   int // in tierPolicies
	listener int // in tierListeners
	sizes    [2]uint64
	grid     uint32
	block    uint32
	launches int
}

// newTierRun is the run of a seed. Half of them have no listener.
func newTierRun(t *testing.T, seed uint64) *tierRun {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 21))
	run := &tierRun{
		policy: r.IntN(len(tierPolicies)), listener: max(0, r.IntN(2*len(tierListeners))-len(tierListeners)),
		grid: 1 + uint32(r.IntN(2)), block: []uint32{32, 64, 40, 1}[r.IntN(4)], launches: 1 + r.IntN(2),
	}
	run.cfg = emu.Config{
		Policy: tierPolicies[run.policy], Seed: seed, Length: 500, MaxSteps: 4000, MaxFaults: []int{1, 1, 30}[r.IntN(3)], MemoryLimit: 16 << 20,
		LateAsync: r.IntN(4) == 0,
	}
	switch r.IntN(16) {
	case 0:
		run.cfg.NoMemcheck = true
	case 1:
		run.cfg.Variables = true
	case 2:
		run.cfg.Uninitialised, run.cfg.MaxFaults = true, 30
	case 3:
		run.cfg.Synccheck = true
	}
	run.text, run.sizes = tierProgram(r)
	var err error
	if run.mod, err = parse(strings.TrimPrefix(run.text, header)); err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, run.text)
	}
	return run
}

// tierOutcome is all that can be seen of a run.
type tierOutcome struct {
	results string // of each launch
	heard   []string
	memory  [sha256.Size]byte
	faults  []*emu.Fault
}

// outcome runs the program.
func (run *tierRun) outcome(t *testing.T, plain bool) tierOutcome {
	t.Helper()
	cfg := run.cfg
	var log *accessLog
	cfg.Listener, log = tierListeners[run.listener]()
	cfg.NoVector = plain
	m, err := emu.New(run.mod, cfg)
	if err != nil {
		t.Fatalf("%v\n%s", err, run.text)
	}
	var buffers []uint64
	for i, size := range run.sizes {
		addr, err := m.Alloc(fmt.Sprint("buffer", i), size)
		if err != nil {
			t.Fatal(err)
		}
		buffers = append(buffers, addr)
	}
	params := append(args(buffers...), bytes.Repeat([]byte{1, 2, 3, 4, 5, 6, 7, 8}, 66)...)
	var o tierOutcome
	for range run.launches {
		r, err := m.Launch(context.Background(), emu.LaunchConfig{Kernel: "k", Grid: dim(run.grid), Block: dim(run.block), Params: params})
		if err != nil {
			t.Fatalf("%v\n%s", err, run.text)
		}
		o.results += fmt.Sprintln(r.Stats)
		for _, f := range r.Faults {
			o.results += fmt.Sprintln(f, f.Count)
		}
		o.faults = append(o.faults, r.Faults...)
	}
	o.heard, o.memory = log.lines, run.memory(t, m, buffers)
	return o
}

// memory is the digest of what is in the buffers and variables.
func (run *tierRun) memory(t *testing.T, m *emu.Machine, buffers []uint64) (sum [sha256.Size]byte) {
	t.Helper()
	h := sha256.New()
	add := func(addr, size uint64) {
		b := make([]byte, size)
		if err := m.Read(addr, b); err != nil {
			t.Fatal(err)
		}
		h.Write(b)
	}
	for i, addr := range buffers {
		add(addr, run.sizes[i])
	}
	for _, name := range []string{"gv", "cv"} {
		addr, size, _ := m.Symbol(name)
		add(addr, size)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// difference says how two runs of a program differ, "" when they do not.
func (o *tierOutcome) difference(other *tierOutcome) string {
	switch {
	case o.results != other.results:
		return fmt.Sprintf("results\n%s\n%s", o.results, other.results)
	case o.memory != other.memory:
		return fmt.Sprintf("memory, after\n%s", o.results)
	case slices.Equal(o.heard, other.heard):
		return ""
	}
	for i := range min(len(o.heard), len(other.heard)) {
		if o.heard[i] != other.heard[i] {
			return fmt.Sprintf("access %d\n%s\n%s", i, o.heard[i], other.heard[i])
		}
	}
	return fmt.Sprintf("%d and %d accesses", len(o.heard), len(other.heard))
}

// TestTiers: random programs about stacks, calls, memory that comes and goes, generic
// addresses, ends of memory and grids leave the same memory, statistics and faults, and
// listeners hear the same, in assembly and in Go. The flag -tiers says how many programs;
// with -tiers.sums, what they did is written to a file, to be compared with that of
// another build.
func TestTiers(t *testing.T) {
	n := *tierPrograms
	if testing.Short() {
		n = min(n, 200)
	}
	var sums bytes.Buffer
	faulty, kinds := 0, map[string]int{}
	for seed := *tierFirst; seed < *tierFirst+n; seed++ {
		run := newTierRun(t, seed)
		got, want := run.outcome(t, false), run.outcome(t, true)
		if diff := got.difference(&want); diff != "" {
			t.Fatalf("seed %d, policy %v, listener %d: in assembly and in Go differ: %s\n%s", seed, run.cfg.Policy, run.listener, diff, run.text)
		}
		if *tierSums != "" {
			fmt.Fprintf(&sums, "%d %x\n", seed, sha256.Sum256(fmt.Appendf(nil, "%s%q%x", got.results, got.heard, got.memory)))
		}
		if len(got.faults) > 0 {
			faulty++
		}
		for _, f := range got.faults {
			kinds[f.Class]++
		}
	}
	t.Logf("%d programs, of which %d fault: %v", n, faulty, kinds)
	if *tierSums != "" {
		if err := os.WriteFile(*tierSums, sums.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if share := float64(faulty) / float64(n); n >= 200 && (share < 0.2 || share > 0.8) {
		t.Errorf("%.0f %% of the programs fault", 100*share)
	}
}

// TestLimitNoticedAlike: the limit on steps ends a launch at the same instruction in
// assembly and in Go, also where threads of a warp exchange values.
func TestLimitNoticedAlike(t *testing.T) {
	const text = `.func (.param .b32 r) f(.param .b32 a) {
	.reg .b32 %r<3>; .reg .pred %p; .local .b32 v[2];
	ld.param.b32 %r1, [a]; st.local.b32 [v], %r1; setp.eq.u32 %p, %r1, 0; @%p bra END;
	{ .param .b32 a; .param .b32 o; sub.u32 %r1, %r1, 1; st.param.b32 [a], %r1; call (o), f, (a); ld.param.b32 %r2, [o]; }
	shfl.sync.bfly.b32 %r2, %r2, 1, 31, -1; vote.sync.ballot.b32 %r2, %p, -1; bar.warp.sync -1;
END:	st.param.b32 [r], %r1; ret;
}
.entry k(.param .u64 out) {
	.reg .b32 %r<3>; { .param .b32 a; .param .b32 o; st.param.b32 [a], 6; call (o), f, (a); ld.param.b32 %r1, [o]; } ret;
}`
	for limit := uint64(10); limit < 110; limit++ {
		faults := map[string]string{}
		for tier, plain := range tiers {
			m := load(t, text, emu.Config{NoVector: plain, MaxSteps: limit})
			r := launch(t, m, 1, 32, alloc(t, m, "out", 1))
			faults[tier] = fmt.Sprint(r.Faults, r.Stats)
		}
		if faults["assembly"] != faults["plain Go"] {
			t.Fatalf("limit %d: %s in assembly, %s in Go", limit, faults["assembly"], faults["plain Go"])
		}
	}
}

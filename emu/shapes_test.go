package emu_test

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Shapes of control flow: shapes.cu, as clang 19 compiles it, and what it writes on a
// processor.
var (
	//go:embed testdata/shapes/shapes.ptx
	shapesPTX []byte
	//go:embed testdata/shapes/shapes.want
	shapesWant []byte
)

// The block that runs a shape, and the words that each thread may write.
const (
	shapeThreads = 64
	shapeEntries = 256
)

// shapeRun is a shape with one of the inputs, and the hash of what it writes.
type shapeRun struct {
	name    string
	pattern uint32
	want    uint64
}

func shapeRuns(t testing.TB) []shapeRun {
	t.Helper()
	var runs []shapeRun
	for s := bufio.NewScanner(bytes.NewReader(shapesWant)); s.Scan(); {
		var r shapeRun
		if _, err := fmt.Sscanf(s.Text(), "%s %d %x", &r.name, &r.pattern, &r.want); err != nil {
			t.Fatal(err)
		}
		runs = append(runs, r)
	}
	return runs
}

func loadShapes(t testing.TB) *rewrite.Module {
	t.Helper()
	ast, err := ptxgrammar.Parse("shapes.ptx", shapesPTX)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rewrite.Load(ast)
	if err != nil {
		t.Fatal(err)
	}
	return mod
}

// shapeInput is what thread t reads, as in shapes.cu.
func shapeInput(pattern, t uint32) uint32 {
	switch {
	case pattern == 0:
		return 0
	case pattern == 1:
		return 3
	case pattern == 2:
		return t & 3
	case pattern == 3:
		return t % 11
	case pattern == 4 && t < 16, pattern == 5 && t%5 == 0:
		return 7
	case pattern == 4:
		return 2
	case pattern == 5:
		return t % 5
	case pattern == 6:
		return t * 7 % 11
	}
	return 5 + t/20
}

// TestShapes: programs whose lanes diverge and reconverge in every allowed way have the results of a processor, and no
// barrier divergence is reported, under every policy.
func TestShapes(t *testing.T) {
	mod, runs := loadShapes(t), shapeRuns(t)
	configs := []emu.Config{{Policy: emu.RoundRobin, Seed: 3}, {Policy: emu.PerThread}, {Policy: emu.Lockstep, NoVector: true}, {Policy: emu.Random, Seed: 7}}
	for _, name := range slices.Sorted(maps.Keys(policies)) {
		configs = append(configs, emu.Config{Policy: policies[name], Seed: 1})
	}
	for _, cfg := range configs {
		m, err := emu.New(mod, cfg)
		if err != nil {
			t.Fatal(err)
		}
		out, in := alloc(t, m, "out", shapeThreads*shapeEntries), alloc(t, m, "in", shapeThreads)
		for _, r := range runs {
			if got, fault := runShape(t, m, r, out, in); fault != nil {
				t.Errorf("%s, input %d, policy %d: %v", r.name, r.pattern, cfg.Policy, fault)
			} else if got != r.want {
				t.Errorf("%s, input %d, policy %d: other marks than on a processor", r.name, r.pattern, cfg.Policy)
			}
		}
	}
}

// runShape is the hash of what a shape writes.
func runShape(t testing.TB, m *emu.Machine, r shapeRun, out, in uint64) (uint64, error) {
	t.Helper()
	fillWords(t, m, in, shapeThreads, func(i int) uint32 { return shapeInput(r.pattern, uint32(i)) })
	fillWords(t, m, out, shapeThreads*shapeEntries, func(int) uint32 { return 0 })
	res, err := m.Launch(context.Background(), emu.LaunchConfig{Kernel: r.name, Grid: dim(1), Block: dim(shapeThreads), Params: args(out, in)})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Faults) > 0 {
		return 0, res.Faults[0]
	}
	h := uint64(14695981039346656037)
	for _, w := range words(t, m, out, shapeThreads*shapeEntries) {
		h = (h ^ uint64(w)) * 1099511628211
	}
	return h, nil
}

// TestJumpToNextInstruction: lanes that jump to the fall-through instruction are together with the others at the
// barrier that follows.
func TestJumpToNextInstruction(t *testing.T) {
	body := "setp.lt.u32 %p1, %r1, 8; @%p1 bra N;\nN: bar.sync 0; st.global.u32 [%out], 5; ret;"
	eachPolicy(t, func(t *testing.T, cfg emu.Config) {
		for i, v := range run(t, kernel(body), cfg, 1, 32, 32) {
			if v != 5 {
				t.Fatalf("%v: lane %d: got %d", cfg, i, v)
			}
		}
	})
}

// TestLoopLeftEarlyInOtherRounds: lanes that leave two loops at once wait behind them for lanes that execute the outer
// loop again and leave it elsewhere. All are together at the warp operation that follows, since it post-dominates the
// loops.
func TestLoopLeftEarlyInOtherRounds(t *testing.T) {
	body := `mul.lo.u32 %r5, %r1, 7; and.b32 %r5, %r5, 15;
OUTER:	add.u32 %r5, %r5, 1; setp.gt.u32 %p1, %r5, 20; @%p1 bra END;
	add.u32 %r6, %r1, %r5; and.b32 %r7, %r6, 3; setp.ne.u32 %p2, %r7, 3; @%p2 bra INNER;
	add.u32 %r5, %r5, 100; bra END;
INNER:	add.u32 %r5, %r5, 1; setp.gt.u32 %p1, %r5, 20; @%p1 bra END;
	shr.u32 %r7, %r1, 2; xor.b32 %r7, %r7, %r5; and.b32 %r7, %r7, 1; setp.eq.u32 %p2, %r7, 0; @%p2 bra OUTER;
	bra INNER;
END:	redux.sync.add.u32 %r8, 1, -1; st.global.u32 [%out], %r8; ret;`
	eachPolicy(t, func(t *testing.T, cfg emu.Config) {
		for i, v := range run(t, kernel(body), cfg, 1, 32, 32) {
			if v != 32 {
				t.Fatalf("%v: lane %d: got %d", cfg, i, v)
			}
		}
	})
}

// TestSecondConditionsMeetTheFirst: lanes that jump at a second condition wait for those that jumped at the first one
// to the same place, though the second condition's immediate post-dominator is further on.
func TestSecondConditionsMeetTheFirst(t *testing.T) {
	tests := map[string]struct {
		body string
		want func(lane int) uint32
	}{
		"either": {`setp.lt.u32 %p1, %r1, 16; @%p1 bra BOTH;
	setp.lt.u32 %p2, %r1, 24; @!%p2 bra END;
BOTH:	redux.sync.add.u32 %r8, 1, 0xffffff; st.global.u32 [%out], %r8;
END:	bar.sync 0; ret;`, func(lane int) uint32 {
			if lane < 24 {
				return 24
			}
			return 0
		}},
		"continue twice, then break": {`mov.u32 %r5, 0; mov.u32 %r6, 0; mov.u32 %r7, -1; bra HEADER;
LATCH:	add.u32 %r5, %r5, 1;
HEADER:	redux.sync.add.u32 %r8, 1, %r7; add.u32 %r6, %r6, %r8; mov.u32 %r7, 0xffefffff;
	setp.lt.u32 %p1, %r5, 3; setp.ne.and.u32 %p1, %r1, 20, %p1; setp.eq.and.u32 %p2, %r1, 0, %p1; setp.ne.and.u32 %p1, %r1, 0, %p1;
	@%p1 bra LATCH;
	@%p2 bra LATCH;
	st.global.u32 [%out], %r6; bar.sync 0; ret;`, func(lane int) uint32 {
			if lane == 20 {
				return 32
			}
			return 32 + 3*31
		}},
	}
	for name, tt := range tests {
		eachPolicy(t, func(t *testing.T, cfg emu.Config) {
			for i, v := range run(t, kernel(tt.body), cfg, 1, 32, 32) {
				if v != tt.want(i) {
					t.Fatalf("%s, %v: lane %d: got %d, want %d", name, cfg, i, v, tt.want(i))
				}
			}
		})
	}
}

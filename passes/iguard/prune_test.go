package iguard_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/iguard"
)

// TestPruneKeepsVerdicts: pruned or hoisted, a kernel is racy if and only if it was,
// with races of the same kinds and causes.
func TestPruneKeepsVerdicts(t *testing.T) {
	for _, options := range []string{"prune", "hoist", "prune,hoist"} {
		t.Run(options, func(t *testing.T) { keepsVerdicts(t, options) })
	}
}

func keepsVerdicts(t *testing.T, options string) {
	for _, k := range kernels {
		pipeline := "iguard<" + options + ">"
		if k.pipeline != "" {
			pipeline = strings.TrimSuffix(k.pipeline, ">") + "," + options + ">"
		}
		src := kernelHead + strings.TrimPrefix(k.body, "\n") + "\n\tret;\n}\n"
		out := passtest.Run(t, passtest.Load(t, "k.ptx", []byte(src)), pipeline, iguard.Pass)
		want := map[string]bool{}
		for _, race := range k.want {
			want[outcome(race)] = true
		}
		for _, seed := range []uint64{0, 1} {
			cfg := emu.Config{Seed: seed}
			if seed > 0 {
				cfg.Policy = emu.Random
			}
			got := map[string]bool{}
			for _, race := range runKernel(t, src, out, k.grid, k.block, cfg) {
				got[outcome(race)] = true
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s, seed %d: %v, want %v", k.name, seed, got, want)
			}
		}
	}
}

// outcome is a race without its accesses.
func outcome(race string) string {
	_, rest, _ := strings.Cut(race, " ")
	return rest
}

// TestPrune says which accesses are not checked.
func TestPrune(t *testing.T) {
	for _, tc := range []struct {
		body   string
		pruned int
	}{
		{"ld.global.u32 %r1, [%rd0];\nld.global.u32 %r2, [%rd0];", 1},
		{"st.global.u32 [%rd0], 1;\nld.global.u32 %r2, [%rd0];\nst.global.u32 [%rd0], 2;", 2},
		{"ld.global.u32 %r1, [%rd0];\nst.global.u32 [%rd0], 1;", 0}, // a store says more
		{"st.global.u32 [%rd0], 1;\nmembar.cta;\nst.global.u32 [%rd0], 1;", 0},
		{"st.global.u32 [%rd0], 1;\nbar.sync 0;\nst.global.u32 [%rd0], 1;", 0},
		{"st.global.u32 [%rd0], 1;\nbar.warp.sync -1;\nst.global.u32 [%rd0], 1;", 0},
		{"st.global.u32 [%rd0], 1;\nred.global.add.u32 [%rd0+64], 1;\nst.global.u32 [%rd0], 1;", 0},
		{"st.global.u32 [%rd0], 1;\nld.acquire.gpu.global.u32 %r1, [%rd0+64];\nst.global.u32 [%rd0], 1;", 0},
		{"st.volatile.global.u32 [%rd0], 1;\nst.volatile.global.u32 [%rd0], 1;", 0},
		{"st.global.u32 [%rd0], 1;\n{\n.param .b64 a;\nst.param.b64 [a], %rd0;\ncall touch, (a);\n}\nst.global.u32 [%rd0], 1;", 0},
		{"st.global.u32 [%rd0], 1;\nst.shared.u32 [tile], 1;\nst.global.u32 [%rd0], 1;", 1},
	} {
		src := kernelHead + tc.body + "\nret;\n}\n"
		for pipeline, want := range map[string]int{"iguard<elide=false>": 0, "iguard<elide=false,prune>": tc.pruned} {
			out := passtest.Run(t, passtest.Load(t, "k.ptx", []byte(src)), pipeline, iguard.Pass)
			got := 0
			for _, c := range out.Stats[len(out.Stats)-1].Counts {
				if c.Name == "pruned" {
					got = c.N
				}
			}
			if got != want {
				t.Errorf("%s: %d accesses pruned, want %d\n%s", pipeline, got, want, tc.body)
			}
		}
	}
	if _, err := passes.ParsePipeline("iguard<prune=maybe>", []*passes.Pass{iguard.Pass}); err == nil {
		t.Error("prune=maybe parses")
	}
}

// TestHoist says which accesses are checked once for a loop, of those of
//
//	do { body } while (--%r3);
func TestHoist(t *testing.T) {
	for _, tc := range []struct {
		body    string
		hoisted int
	}{
		{"st.global.u32 [%rd0], 1;\nld.global.u32 %r1, [%rd0+8];", 2},
		{"@%p1 st.global.u32 [%rd0], 1;", 1},
		{"ld.global.u64 %rd0, [%rd0];", 0}, // a list
		{"st.global.u32 [%rd0], 1;\nbar.sync 0;", 0},
		{"ld.global.u32 %r1, [%rd0];\nmembar.gl;", 0},
		{"ld.volatile.global.u32 %r1, [%rd0];", 0},
		{"ld.global.u32 %r1, [%rd0];\nred.global.add.u32 [%rd0+64], 1;", 0},
		{"st.global.u32 [%rd0], 1;\n{\n.param .b64 a;\nst.param.b64 [a], %rd0;\ncall touch, (a);\n}", 0},
		{"st.shared.u32 [tile], 1;\nst.global.u32 [word], 1;", 1},
	} {
		src := kernelHead + "mov.u32 %r3, 9;\n$L:\n" + tc.body + "\nsub.u32 %r3, %r3, 1;\nsetp.ne.u32 %p2, %r3, 0;\n@%p2 bra $L;\nret;\n}\n"
		for pipeline, want := range map[string]int{"iguard": 0, "iguard<hoist>": tc.hoisted} {
			out := passtest.RunVerified(t, passtest.Load(t, "k.ptx", []byte(src)), pipeline, iguard.Pass)
			got := 0
			for _, c := range out.Stats[len(out.Stats)-1].Counts {
				if c.Name == "hoisted" {
					got = c.N
				}
			}
			if got != want {
				t.Errorf("%s: %d accesses hoisted, want %d\n%s", pipeline, got, want, tc.body)
			}
		}
	}
}

// TestHoistOnRandomPrograms: kernels of loops over the words of the threads, or over
// shared words, without synchronisation: the first are clean and the others racy, with
// and without hoist, under several schedules.
func TestHoistOnRandomPrograms(t *testing.T) {
	hoisted := 0
	for seed := range 10 {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		racy := seed%2 == 1
		src := kernelHead + loopKernel(r, racy) + "\n\tret;\n}\n"
		m := passtest.Load(t, "k.ptx", []byte(src))
		for _, pipeline := range []string{"iguard", "iguard<hoist>"} {
			out := passtest.Run(t, m, pipeline, iguard.Pass)
			for _, c := range out.Stats[len(out.Stats)-1].Counts {
				if c.Name == "hoisted" {
					hoisted += c.N
				}
			}
			for _, cfg := range []emu.Config{{}, {Policy: emu.Random, Seed: uint64(seed)}} {
				if got := runKernel(t, src, out, 2, 64, cfg); len(got) > 0 != racy {
					t.Fatalf("seed %d, %s, policy %d: racy is %v, reported %v\n%s", seed, pipeline, cfg.Policy, racy, got, src)
				}
			}
		}
	}
	if hoisted < 20 {
		t.Errorf("only %d accesses hoisted", hoisted)
	}
}

// loopKernel nests loops around accesses of the word of a thread, %rd1, and when racy
// of words that threads of several warps and blocks store to.
func loopKernel(r *rand.Rand, racy bool) string {
	var b strings.Builder
	b.WriteString("\tand.b32 %r4, %t, 1;\n\tsetp.eq.u32 %p3, %r4, 0;\n")
	labels := 0
	var body func(depth int)
	access := func(base string) {
		guard := []string{"", "", "@%p3 ", "@!%p3 "}[r.IntN(4)]
		fmt.Fprintf(&b, "\t%s%s\n", guard, []string{"ld.global.u32 %r1, [" + base + "];", "st.global.u32 [" + base + "], %r1;"}[r.IntN(2)])
	}
	body = func(depth int) {
		for range 2 + r.IntN(3) {
			access("%rd1")
		}
		if depth == 2 {
			return
		}
		id := labels
		labels++
		fmt.Fprintf(&b, "\tmov.u32 %%r%d, %d;\n$L%d:\n", 5+depth, 1+r.IntN(3), id)
		body(depth + 1)
		fmt.Fprintf(&b, "\tsub.u32 %%r%d, %%r%d, 1;\n\tsetp.ne.u32 %%p0, %%r%d, 0;\n\t@%%p0 bra $L%d;\n", 5+depth, 5+depth, 5+depth, id)
		access("%rd1")
	}
	body(0)
	if racy {
		fmt.Fprintf(&b, "\tmov.u32 %%r5, 3;\n$LAST:\n\tst.global.u32 [%%rd0+%d], %%r1;\n\tsub.u32 %%r5, %%r5, 1;\n\tsetp.ne.u32 %%p0, %%r5, 0;\n\t@%%p0 bra $LAST;\n", 4*r.IntN(8))
	}
	return b.String()
}

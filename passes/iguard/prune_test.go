package iguard_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/iguard"
	"github.com/ptxsan/ptxsan/passes/passtest"
)

// TestPruneKeepsVerdicts: pruned, a kernel is racy if and only if it was, with
// races of the same kinds and causes.
func TestPruneKeepsVerdicts(t *testing.T) {
	for _, k := range kernels {
		pipeline := "iguard<prune>"
		if k.pipeline != "" {
			pipeline = strings.TrimSuffix(k.pipeline, ">") + ",prune>"
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
		for pipeline, want := range map[string]int{"iguard": 0, "iguard<prune>": tc.pruned} {
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

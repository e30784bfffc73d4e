package static

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/query"
)

// TestLarge: a kernel of many accesses costs no more than its budget, and pairs beyond it are
// possible.
func TestLarge(t *testing.T) {
	var body strings.Builder
	body.WriteString("shl.b32 %r6, %r5, 7; mul.wide.s32 %rd3, %r6, 4; add.s64 %rd3, %rd1, %rd3;")
	for i := range 100 {
		fmt.Fprintf(&body, "ld.global.u32 %%r7, [%%rd3+%d]; add.s32 %%r7, %%r7, 1; st.global.u32 [%%rd3+%d], %%r7;", 4*i, 4*i)
	}
	const budget = 2_000_000
	r := analyzeText(t, kernelText(body.String()), &facts.Given{Disjoint: true}, Options{NoWrap: true, Budget: budget})
	counts := make(map[Verdict]int)
	for _, p := range r.Pairs {
		counts[p.Verdict]++
		if p.Verdict == Possible && p.Reason != "budget" {
			t.Fatalf("%s", p.Reason)
		}
	}
	if counts[Racy] > 0 || counts[Clean] == 0 || counts[Possible] == 0 || r.Verdict != Possible {
		t.Errorf("%v, %s", counts, r.Verdict)
	}
	if r.Work > budget+query.DefaultQuery {
		t.Errorf("%d work units of %d", r.Work, budget)
	}
	t.Log(len(r.Pairs), counts, r.Work)
}

// TestManyPairs: of pairs beyond the limit one stands for all, and the kernel is not proved.
func TestManyPairs(t *testing.T) {
	var body strings.Builder
	for i := range 220 {
		fmt.Fprintf(&body, "st.global.u32 [%%rd1+%d], 1;", 4*i)
	}
	const all = 220 * 221 / 2
	r := analyzeText(t, kernelText(body.String()), facts.Nothing(), Options{Budget: 1, NoWrap: true})
	if last := r.Pairs[len(r.Pairs)-1]; len(r.Pairs) != MaxPairs+1 || r.Rest != all-MaxPairs-1 || r.Verdict != Possible || !strings.Contains(last.Reason, "this is the first of the others") || len(r.Notes) != 1 {
		t.Errorf("%d pairs, %d others, %s: %s, %q", len(r.Pairs), r.Rest, r.Verdict, last.Reason, r.Notes)
	}
}

// TestManyBarriers: what follows barriers is found once for each, and not for all pairs of them again and again: that
// takes a second, where it took half a minute. So it is with locks.
func TestManyBarriers(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	var barriers, locks strings.Builder
	for range 3000 {
		barriers.WriteString("bar.sync 0;")
	}
	for i := range 100 {
		fmt.Fprintf(&locks, "A%d:\n atom.global.cas.b32 %%r10, [%%rd2+%d], 0, 1; setp.ne.u32 %%p1, %%r10, 0; @%%p1 bra A%d; membar.gl;", i, 4*i, i)
		fmt.Fprintf(&locks, "ld.global.u32 %%r11, [%%rd1+%d]; st.global.u32 [%%rd1+%d], %%r11; membar.gl; atom.global.exch.b32 %%r10, [%%rd2+%d], 0;", 4*i, 4*i, 4*i)
	}
	for name, body := range map[string]string{"barriers": smem + "st.shared.u32 [%rd4], %r2;" + barriers.String() + "ld.shared.u32 %r6, [tile];", "locks": locks.String()} {
		start := time.Now()
		r := analyzeText(t, kernelText(body), oneLaunch(), Options{})
		if took := time.Since(start); r.Verdict != Clean && name == "barriers" || took > 25*time.Second {
			t.Errorf("%s: %s after %v", name, r.Verdict, took)
		}
	}
}

package static

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/static/facts"
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
	if r.Work > budget+defaultQuery {
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

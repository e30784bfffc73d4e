package rewrite

import (
	"slices"
	"testing"
)

// joinsAt is the first instructions of the joins of the branch at instruction i of f.
func joinsAt(f *Func, parts []Reconvergence, i int) []int {
	var starts []int
	for _, j := range parts[f.CFG().BlockOf[i].Index].Joins {
		starts = append(starts, j.Start)
	}
	return starts
}

// TestPostDominatorIsLastJoin: the exit of the outer loop comes before the end, also for the
// branches in the inner loop from which lanes go round again to come there.
func TestPostDominatorIsLastJoin(t *testing.T) {
	f := kernel(t, `.reg .pred %p;
OUTER:	@%p bra END;
	@%p bra INNER;
	membar.gl;
	bra END;
INNER:	@%p bra END;
	@%p bra OUTER;
	bra INNER;
END:	bar.warp.sync -1;
	ret;`)
	const outer, left, inner, end = 0, 2, 4, 7
	for branch, want := range map[int][]int{
		0: {left, end},
		1: {left, end},
		4: {outer, left, end},
		5: {inner, outer, left, end},
	} {
		if got := joinsAt(f, f.Reconvergences(), branch); !slices.Equal(got, want) {
			t.Errorf("branch at %d: joins at %v, want %v", branch, got, want)
		}
	}
}

// TestJoinSearchIsBounded: branches are searched for joins until the regions of those before
// have more blocks than the bound. Those that follow have only their immediate post-dominator,
// which is the end of the function here and thus no join.
func TestJoinSearchIsBounded(t *testing.T) {
	const n, most = 40, 1000
	f := kernel(t, ".reg .pred %p;\n"+numbered("@%%p bra S%d;\nmembar.gl;\nbra M%[1]d;\nS%[1]d: @%%p exit;\nM%[1]d:\n", n)+"ret;")
	parts := newReconvergences(f.CFG(), most)
	blocks, searched := 0, 0
	for i := range n {
		want := blocks <= most
		if want {
			searched++
		}
		if got := joinsAt(f, parts, 4*i); want != slices.Equal(got, []int{4*i + 4}) || !want && len(got) > 0 {
			t.Fatalf("branch %d, after %d blocks: joins at %v", i, blocks, got)
		}
		blocks += 3*(n-i) + 2
	}
	if searched == n {
		t.Error("the bound has not been exceeded")
	}
}

package rewrite

import (
	"slices"
	"testing"
)

// joinsAt is the first instructions of the joins of the branch at instruction i of f.
func joinsAt(f *Func, i int) []int {
	var starts []int
	for _, j := range f.Partings()[f.CFG().BlockOf[i].Index].Joins {
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
		if got := joinsAt(f, branch); !slices.Equal(got, want) {
			t.Errorf("branch at %d: joins at %v, want %v", branch, got, want)
		}
	}
}

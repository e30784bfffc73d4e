// Answers about instructions whose purpose runs cannot show.

package syncs_test

import (
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/internal/syncs"
)

// TestUnmodelled: nothing is claimed of fences between proxies and of objects, and a wait for grids is not proved to be
// superfluous by a kernel alone.
func TestUnmodelled(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{
			"objects",
			"setp.ne.u32 %p1, %r1, 0;\n@!%p1 mbarrier.init.shared.b64 [m], 1;\nfence.mbarrier_init.release.cluster;",
			"not-decided",
		},
		{"proxies", "fence.proxy.async;", "not-decided"},
		{"grids", "griddepcontrol.wait;\nld.global.u32 %r5, [%rd2];", "not-needed-here"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := answers(ask(t, planOf(t, "sm_90", c.body, "grid: 1, block: 64")))
			if !slices.Equal(got, []string{c.want}) {
				t.Errorf("%v, want %s", got, c.want)
			}
		})
	}
}

// TestClusterHalves: an arrival at a cluster's barrier is left out together with the wait alone.
func TestClusterHalves(t *testing.T) {
	r := ask(t, planOf(t, "sm_90", "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;",
		"grid: 2, block: 32, cluster: 2"))
	for _, a := range r.Answers {
		if a.Verdict != syncs.NotNeededHere && a.Verdict != syncs.NotNeeded || len(a.With) != 1 {
			t.Errorf("%s with %d others", a, len(a.With))
		}
	}
	if len(r.Answers) != 2 {
		t.Errorf("%d answers", len(r.Answers))
	}
}

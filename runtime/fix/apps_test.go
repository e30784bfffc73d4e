// Repairs of several edits and of accesses in called functions.

package fix_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/passes/ldetector/regiongen"
	"github.com/ptxsan/ptxsan/passes/repair"
	"github.com/ptxsan/ptxsan/runtime/fix"
	"github.com/ptxsan/ptxsan/runtime/session"
)

func ops(res *fix.Result) (list []repair.Op) {
	for _, e := range res.Edits {
		list = append(list, e.Op)
	}
	return list
}

// TestSteps: a repair may need one barrier behind the other, in arms of branches that depend on what a
// block reads from memory, and behind a branch by which warps exit.
func TestSteps(t *testing.T) {
	apps := filepath.Dir(suite) + "/apps/"
	for name, want := range map[string][]repair.Op{
		apps + "graph-connectivity/init-barrier.yaml":        {repair.SplitBarrier},
		apps + "reduction/warp-sync.yaml":                    slices.Repeat([]repair.Op{repair.WarpBarrier}, 5),
		suite + "/warp/last-warp-reduction-shared-racy.yaml": slices.Repeat([]repair.Op{repair.WarpBarrier}, 4),
		suite + "/warp/nested-branch-racy.yaml":              {repair.SplitBarrier},
	} {
		if res := mend(t, name, 16, 100); !slices.Equal(ops(res), want) {
			t.Errorf("%s: %v, expected %v; %s", name, ops(res), want, res.Why)
		}
	}
}

// TestCalls: an access of a called function is ordered by a barrier next to the call.
func TestCalls(t *testing.T) {
	k := regiongen.Make(7)
	dets, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	res, err := fix.Run(context.Background(), fix.Options{
		Plan: regionPlan(t, &k, []byte(regiongen.Module(k)), k.Block), Session: session.Options{Detectors: dets}, Schedules: 12, Attempts: 60,
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(ops(res), []repair.Op{repair.Barrier}) || !res.Edits[0].Changes[0].At.Func.Entry {
		t.Errorf("%v, expected a barrier in the kernel; %s", ops(res), res.Why)
	}
}

// TestProof: what the static detector proves of a mended module is said.
func TestProof(t *testing.T) {
	for name, want := range map[string]string{"barrier/exchange-shared": fix.ProofOfLaunches, "fence/message-block-fence": ""} {
		if res := mend(t, filepath.Join(suite, name+"-racy.yaml"), 8, 40); !res.Mended() || res.Verified.Proof != want {
			t.Errorf("%s: mended %v, proof %q, expected %q", name, res.Mended(), res.Verified.Proof, want)
		}
	}
}

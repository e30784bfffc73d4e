// Repairs of the race suite.

package fix_test

import (
	"flag"
	"path/filepath"
	"slices"
	"testing"
)

var whole = flag.Bool("suite", false, "mend every case of the race suite")

var more = flag.String("advise", "", "apply the advice for the launch files that `GLOB` matches, each beside its PTX")

var only = flag.String("case", "", "mend the cases whose name contains `TEXT` only")

// sample lists the cases that every test run repairs, each in a different way, and the kinds of the edits.
var sample = map[string]string{
	"fence/message-block-fence": "widen-fence", "fence/fence-after-flag": "release", "fence/warps-no-consumer-fence": "fence",
	"barrier/exchange-shared": "barrier", "barrier/broadcast": "split-barrier", "warp/exchange-global": "warp-barrier", "warp/half-warps": "widen-mask",
	"atomic/lost-increment": "atomic", "atomic/block-scope-two-blocks": "widen-scope", "atomic/plain-read-of-counter": "grid-barrier", "atomic/check-before-max": "strong",
	"cluster/remote-store-no-barrier": "split-barrier", "grid/last-block-no-acquire": "acquire", "async/no-wait": "wait", "async/global-write-no-proxy-fence": "proxy-fence",
	"tensor/no-fence-after": "tensor-fence", "tensor/store-not-waited": "wait", "tensor/gemm-stage-reused": "wait", "tensor/two-shapes": "wait",
}

// TestSample tests that races of all causes are repaired by the appropriate edit.
func TestSample(t *testing.T) {
	short := []string{"barrier/exchange-shared", "fence/warps-no-consumer-fence", "atomic/lost-increment"}
	for name, want := range sample {
		if testing.Short() && !slices.Contains(short, name) {
			continue
		}
		res := mend(t, filepath.Join(suite, name+"-racy.yaml"), 16, 200)
		if len(res.Edits) != 1 || string(res.Edits[0].Op) != want {
			t.Errorf("%s: %d edits, expected one of kind %s; %s", name, len(res.Edits), want, res.Why)
		}
	}
}

// TestUnmended: where nothing orders the accesses, nothing is proposed that only hides the race.
func TestUnmended(t *testing.T) {
	for _, name := range []string{"width/clear-words-set-bytes", "grid/overlapping-tiles"} {
		if res := mend(t, filepath.Join(suite, name+"-racy.yaml"), 16, 200); res.Mended() || res.Why == "" {
			t.Errorf("%s: mended by %d edits", name, len(res.Edits))
		}
	}
}

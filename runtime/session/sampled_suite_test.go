package session_test

import (
	"fmt"
	"testing"

	"github.com/ptxsan/ptxsan/internal/racesuite"
	"github.com/ptxsan/ptxsan/internal/sample"
)

// TestSampledSuite: whatever is left out, no detector that listens reports a race in a case of the suite without races.
// With all blocks that a share leaves, races are found.
func TestSampledSuite(t *testing.T) {
	found, racy := 0, 0
	for i, c := range racesuite.Micro(t) {
		if testing.Short() && i%10 > 1 {
			continue
		}
		for _, detector := range []string{"precise", "barracuda", "scord"} {
			if detector != "precise" && (i/2)%6 != 0 { // each takes part in the whole suite elsewhere
				continue
			}
			k := c.Run(t, detector)
			all := len(k.Check(t).Races)
			for n, share := range []sample.Share{sample.Whole / 20, 3 * (sample.Whole / 4)} {
				k.Options.Sample = sample.Options{Plan: sample.Plan{{Share: share, Launch: 1}}, Seed: uint64(n)}
				rep := k.Check(t)
				if len(rep.Races) > all {
					t.Errorf("%s: %s reports %d races of %s, all in all %d: %s", c.Name(), detector, len(rep.Races), share, all, fmt.Sprint(rep.Races))
				}
				if detector == "precise" && all > 0 && share > sample.Whole/2 {
					if racy++; len(rep.Races) > 0 {
						found++
					}
				}
			}
		}
	}
	if t.Logf("found in %d of %d racy cases", found, racy); 4*found < 3*racy {
		t.Errorf("races were found in %d of %d racy cases", found, racy)
	}
}

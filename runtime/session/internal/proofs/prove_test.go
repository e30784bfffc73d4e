package proofs_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/racesuite"
)

// TestProveChangesNothing: precise finds the same races in a schedule whether it leaves out the
// accesses that the static analysis proves free of races or not. Every eleventh case of the suite
// is tried, and the applications.
func TestProveChangesNothing(t *testing.T) {
	left, free := 0, 0
	for i, c := range append(racesuite.Micro(t), racesuite.Applications(t)...) {
		if i%11 != 0 {
			continue
		}
		all, _ := listened(t, c, "precise")
		proof := c.Run(t, "precise<prove>").Under("random", 5).Play(t)
		some := proof.Report()
		left += proof.ExemptByAnalysis()
		for _, note := range some.Notes {
			kernel, _, proved := strings.Cut(note, ": proved free")
			if !proved {
				continue
			}
			free++
			for _, r := range all.Races {
				if r.First.Kernel == kernel && r.Second.Kernel == kernel {
					t.Errorf("%s: %s, and it races: %+v", c.Name(), note, r)
				}
			}
		}
		some.Notes = all.Notes
		if !reflect.DeepEqual(racesuite.Facts(some), racesuite.Facts(all)) {
			t.Errorf("%s: without some accesses\n%+v\nwith all\n%+v", c.Name(), racesuite.Facts(some), racesuite.Facts(all))
		}
	}
	if left < 5 {
		t.Errorf("%d accesses are left out, %d kernels proved: too few to tell", left, free)
	}
	t.Logf("%d accesses left out, %d kernels proved free of races", left, free)
}

package racesuite

import (
	"testing"

	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestExamples checks every example under several schedules with the default detector, and with iguard. The launch file
// says what must be found: verdict, kinds, lines and buffers.
func TestExamples(t *testing.T) {
	for _, c := range Examples(t) {
		t.Run(c.Name(), func(t *testing.T) {
			for _, detector := range []string{session.DetectorNames()[0], "iguard"} {
				r := c.Run(t, detector)
				if detector == "iguard" && c.Name() == "spin-lock/racy" {
					r.Plan.File.Expect.Races, r.Plan.File.Expect.Lines = 1, iguardSpinLock
				}
				r.meets(t, "lockstep", 0)
				for seed := uint64(1); seed <= 15; seed++ {
					r.meets(t, "random", seed)
				}
			}
		})
	}
}

// iguardSpinLock is iguard's finding in spin-lock/racy: its entry for a location holds the latest access (iGUARD,
// Figure 6), and between two stores there is always a load.
var iguardSpinLock = [][2]int{{11, 12}}

// meets runs the example and compares it with the launch file's expectations.
func (r *Run) meets(t *testing.T, schedule string, seed uint64) {
	t.Helper()
	for _, e := range r.Under(schedule, seed).Check(t).Expect {
		if !e.OK {
			t.Errorf("%s, seed %d: %s: expected %s, got %s", schedule, seed, e.What, e.Want, e.Got)
		}
	}
}

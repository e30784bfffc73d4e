package session_test

import (
	"reflect"
	"runtime"
	"testing"

	"github.com/ptxsan/ptxsan/internal/racesuite"
)

// TestBeside tests that a detector on a separate processor has the same report as on that of the emulator, for
// applications that are large enough for it to lag behind.
func TestBeside(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	racy, seen := 0, make(map[string]bool) // applications of which a build that races is compared
	for _, small := range racesuite.Applications(t) {
		c := small.Resized(t, racesuite.MiddleSize)
		if c == nil || c.Pair != racesuite.CorrectBuild && seen[c.Category] || testing.Short() && c.Category != "apps/reduction" {
			continue
		}
		seen[c.Category] = c.Pair != racesuite.CorrectBuild || seen[c.Category]
		for _, detector := range []string{"barracuda", "precise,scord"} {
			t.Run(c.Name()+"/"+detector, func(t *testing.T) {
				k := c.Run(t, detector)
				k.Options.Emulator.Workers = 1
				want := k.Play(t).Report()
				k = c.Run(t, detector)
				k.Options.Emulator.Workers = 2
				if got := k.Play(t).Report(); !reflect.DeepEqual(got, want) {
					t.Errorf("on two processors\n%+v\non one\n%+v", got, want)
				}
				racy += min(len(want.Races), 1)
			})
		}
	}
	if racy < 10 && !testing.Short() {
		t.Errorf("%d reports have races: too few to tell", racy)
	}
}

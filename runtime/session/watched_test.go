// Launches whose races nobody asks for.

package session_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestUnreported: races are those of the launches whose races are asked for, whatever lies between them.
func TestUnreported(t *testing.T) {
	for detector, found := range map[string]int{"precise": 2, "barracuda": 2, "scord": 6, "iguard": 1} { // each by its own rules
		var o session.Options
		var err error
		if o.Detectors, err = session.ParseDetectors(detector); err != nil {
			t.Fatal(err)
		}
		s, err := session.Open(o)
		if err == nil {
			err = s.Load(parse(t, sampledKernel))
		}
		if err != nil {
			t.Fatal(err)
		}
		for i, unreported := range []bool{true, false, true, true, false, true} {
			data := buffer(t, s, "data", make([]uint32, 16))
			res := launch(t, s, session.Launch{Kernel: "k", Grid: emu.Dim3{X: 8}, Block: emu.Dim3{X: 32}, Args: []any{data}, Unreported: unreported})
			if want := map[bool]int{true: 0, false: found}[unreported]; len(res.Races) != want {
				t.Errorf("%s: launch %d has %d races, want %d", detector, i, len(res.Races), want)
			}
		}
	}
}

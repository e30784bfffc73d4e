package barracuda_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/ptxsan/ptxsan/internal/racesuite"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestTraces: for each case of the suite, the trace that a run saves gives the same
// races as the run.
func TestTraces(t *testing.T) {
	racy := 0
	for _, c := range racesuite.Micro(t) {
		k := c.Run(t, "barracuda").Under("random", 3)
		var file bytes.Buffer
		k.Options.SaveTrace = &file
		s := k.Play(t)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		want := s.Report()
		got, _, err := session.CheckTrace(&file, k.Options.Detectors[0])
		if err != nil {
			t.Errorf("%s: %v", c.Name(), err)
			continue
		}
		if len(want.Races) > 0 {
			racy++
		}
		if !reflect.DeepEqual(racesuite.Facts(got), racesuite.Facts(want)) {
			t.Errorf("%s: trace\n%+v\nrun\n%+v", c.Name(), racesuite.Facts(got), racesuite.Facts(want))
		}
	}
	if racy < 50 {
		t.Errorf("%d cases race: too few to tell", racy)
	}
}

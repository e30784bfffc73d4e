package detector_test

import (
	"context"
	"os"
	"testing"

	"github.com/ptxsan/ptxsan/examples/detector"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// check runs an example of this repository under the detector.
func check(t *testing.T, example string) *report.Report {
	t.Helper()
	text, err := os.ReadFile(example + ".ptx")
	if err != nil {
		t.Fatal(err)
	}
	program, err := session.Parse(example+".ptx", text)
	if err != nil {
		t.Fatal(err)
	}
	file, err := launch.Load(example+".yaml", launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := session.NewPlan(program, file, 0)
	if err != nil {
		t.Fatal(err)
	}
	d, err := session.NewDetector("last-writer", detector.New)
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Open(session.Options{Detectors: []*session.Detector{d}})
	if err != nil {
		t.Fatal(err)
	}
	rep, err := plan.Check(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// The detector finds a missing barrier, with the lines of the source, and no race when the
// barrier is there.
func TestDetector(t *testing.T) {
	racy := check(t, "../block-exchange/racy")
	if len(racy.Races) != 1 || racy.Detector != "last-writer" {
		t.Fatalf("%s: %d races", racy.Detector, len(racy.Races))
	}
	if x := racy.Races[0]; x.First.Source.Line != 7 || x.Second.Source.Line != 9 || x.Kind != "intra-block" || x.Symbol == "" {
		t.Errorf("%+v", x)
	}
	if fixed := check(t, "../block-exchange/fixed"); len(fixed.Races) > 0 {
		t.Errorf("fixed: %+v", fixed.Races[0])
	}
}

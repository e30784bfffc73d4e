// The race suite, mended.

package fix_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/fix"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

var only = flag.String("case", "", "mend the cases whose name contains `TEXT` only")

const suite = "../../examples/suite/micro"

// open is the plan of a case.
func open(t *testing.T, yaml string) *session.Plan {
	t.Helper()
	name := strings.TrimSuffix(yaml, ".yaml") + ".ptx"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := session.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	file, err := launch.Load(yaml, launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := session.NewPlan(p, file, 0)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func mend(t *testing.T, yaml string) *fix.Result {
	t.Helper()
	dets, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	res, err := fix.Run(context.Background(), fix.Options{
		Plan: open(t, yaml), Session: session.Options{Detectors: dets}, Schedules: 40, Workers: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestSuite(t *testing.T) {
	names, err := filepath.Glob(suite + "/*/*-racy.yaml")
	if err != nil {
		t.Fatal(err)
	}
	mended := 0
	for _, name := range names {
		if !strings.Contains(name, *only) {
			continue
		}
		res := mend(t, name)
		if res.Mended() {
			mended++
		}
		t.Logf("%s: %d races, cost %d, %d attempts %s", strings.TrimPrefix(name, suite), len(res.Races), res.Cost, res.Attempts, res.Why)
		for _, e := range res.Edits {
			for _, c := range e.Changes {
				t.Logf("    %s: %d %s %s %q %s %s", e.Op, c.At.Line, c.Place, c.At.Text(), c.Text, c.Sem, c.Scope)
			}
		}
		if res.Mended() {
			t.Logf("    %+v", res.Verified)
		}
	}
	t.Logf("%d of %d", mended, len(names))
}

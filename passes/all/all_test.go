package all_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/all"
)

func TestPasses(t *testing.T) {
	if err := passes.Validate(all.Passes); err != nil {
		t.Fatal(err)
	}
	for i, p := range all.Passes {
		if i > 0 && p.Name <= all.Passes[i-1].Name {
			t.Errorf("%s is out of order", p.Name)
		}
		for _, o := range p.Options() {
			if o.Usage == "" {
				t.Errorf("option %s of %s has no description", o.Name, p.Name)
			}
		}
	}
}

package precise_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
)

// TestOneStore: what races of weak stores of one element lack. Step i has site i+1, but those that begin with "same"
// have the site of the first step. Reads decide what their thread does next, unless idle is set.
func TestOneStore(t *testing.T) {
	const (
		chance   = "A st.weak d; A atom.relaxed.gpu x; D atom.relaxed.gpu x; D same.weak d"
		fenced   = "A st.weak d; A fence.acq_rel.cta; D same.weak d"
		narrow   = "A st.weak d; A fence.acq_rel.cta; A st.relaxed.gpu x; D ld.acquire.gpu x; D same.weak d"
		unwaited = "A st.weak d; A st.relaxed.gpu x; D ld.relaxed.gpu x; D same.weak d; C same.weak d"
		twoSites = "A st.weak d; A atom.relaxed.gpu x; D atom.relaxed.gpu x; D st.weak d"
		lanes    = "F st.weak d; G same.weak d"
	)
	for name, c := range map[string]struct {
		steps string
		marks map[uint32]uint32
		idle  bool
		missing
	}{
		"one value, and a message":         {chance, map[uint32]uint32{1: 1}, false, missing{cause: "not-strong"}},
		"one value, and a fence":           {fenced, map[uint32]uint32{1: 1}, false, missing{cause: "not-strong"}},
		"one value, by lanes":              {lanes, map[uint32]uint32{1: 1}, false, missing{cause: "not-strong"}},
		"one value, by two stores":         {twoSites, map[uint32]uint32{1: 1, 4: 1}, false, missing{cause: "not-strong"}},
		"two values, by two stores":        {twoSites, map[uint32]uint32{1: 1, 4: 2}, false, missing{"missing-fence", "a release and an acquire", 0, 2, 3}},
		"a value and another":              {twoSites, map[uint32]uint32{1: 1}, false, missing{"missing-fence", "a release and an acquire", 0, 2, 3}},
		"some values, and a message":       {chance, nil, false, missing{"missing-fence", "a release and an acquire", 0, 2, 3}},
		"a message that decides nothing":   {chance, nil, true, missing{cause: "not-strong"}},
		"a message that others do not get": {unwaited, nil, false, missing{cause: "not-strong"}},
		"a message and a narrow fence":     {narrow, nil, false, missing{"insufficient-fence-scope", "a gpu-scope fence", 2, 3, 4}},
		"a narrow fence that tells nobody": {fenced, nil, false, missing{cause: "not-strong"}},
		"some values, by lanes":            {lanes, nil, false, missing{cause: "missing-warp-sync"}},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := precise.New(precise.DefaultOptions())
			if err != nil {
				t.Fatal(err)
			}
			consulted := make(map[uint32]bool)
			steps := strings.Split(c.steps, "; ")
			for i, step := range steps {
				consulted[uint32(i+1)] = !c.idle && (strings.Contains(step, "ld.") || strings.Contains(step, "atom."))
			}
			d.SetConsulted(consulted)
			d.SetMarks(c.marks)
			events := litmusEvents(t, strings.Split(strings.ReplaceAll(c.steps, "same.", "st."), "; "))
			for i, step := range steps {
				if strings.Contains(step, "same.") {
					events[i].Site = 1
				}
			}
			races := play(d, events)
			if len(races) == 0 {
				t.Fatal("no race")
			}
			for _, r := range races {
				c.compare(t, &r)
			}
		})
	}
}

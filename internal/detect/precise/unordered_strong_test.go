package precise_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
)

// TestWarnings: strong accesses in no order are worth a warning where the location holds
// data. Steps are counted from 0.
func TestWarnings(t *testing.T) {
	for name, c := range map[string]struct {
		steps   string
		decides []uint32 // steps whose reads decide what is done
		want    string
	}{
		"message without fences":           {"A st.volatile d; A st.volatile x; D ld.volatile x; D ld.volatile d", []uint32{2}, "0-3"},
		"message with fences":              {"A st.volatile d; A fence.acq_rel.gpu; A st.volatile x; D ld.volatile x; D fence.acq_rel.gpu; D ld.volatile d", []uint32{3}, ""},
		"no fence of the reader":           {"A st.volatile d; A fence.acq_rel.gpu; A atom.relaxed.gpu x; D atom.relaxed.gpu x; D ld.volatile d", nil, "0-4"},
		"a fence that is too narrow":       {"A st.volatile d; A fence.acq_rel.cta; A atom.relaxed.gpu x; D atom.relaxed.gpu x; D fence.acq_rel.gpu; D ld.volatile d", nil, "0-5"},
		"read, then overwritten":           {"A ld.volatile d; D st.volatile d", nil, "0-1"},
		"two writers":                      {"A st.volatile d; D st.volatile d", nil, "0-1"},
		"who has seen it may overwrite it": {"A st.volatile d; D ld.volatile d; D st.volatile d", []uint32{1}, ""},
		"seen as data, then overwritten":   {"A st.volatile d; D ld.volatile d; D st.volatile d", nil, "0-1"},
		"a flag":                           {"A st.volatile x; D ld.volatile x", []uint32{1}, ""},
		"a flag that others look at too":   {"A st.volatile x; D ld.volatile x; C ld.volatile x", []uint32{2}, ""},
		"a counter that is looked at":      {"A atom.relaxed.gpu x; D ld.volatile x", []uint32{1}, ""},
		"one by which somebody is last":    {"A atom.relaxed.gpu x; D st.volatile x", []uint32{0}, ""},
		"a counter as data":                {"A atom.relaxed.gpu x; D ld.volatile x", nil, "0-1"},
		"atomics among each other":         {"A atom.relaxed.gpu x; C atom.relaxed.gpu x; D ld.volatile x; A atom.relaxed.gpu x", nil, "1-2 2-3"},
		"counted later":                    {"A st.volatile x; D ld.volatile x; D atom.relaxed.gpu x", nil, "0-1"},
		"who has counted may read":         {"A atom.relaxed.gpu x; D atom.relaxed.gpu x; D ld.volatile x", nil, ""},
		"an exchange and a store":          {"A exch.relaxed.gpu d; D st.volatile d", nil, "0-1"},
		"a compare-and-swap":               {"A cas.relaxed.gpu d; D st.volatile d", nil, ""},
		"a relaxed read of a counter":      {"A atom.relaxed.gpu d; A st.relaxed.gpu x; D ld.relaxed.gpu x; D ld.relaxed.gpu d", []uint32{2}, ""},
		"a volatile one, with fences":      {"A atom.relaxed.gpu d; A fence.acq_rel.gpu; A st.relaxed.gpu x; D ld.relaxed.gpu x; D fence.acq_rel.gpu; D ld.volatile d", []uint32{3}, ""},
		"an acquire":                       {"A st.volatile x; D ld.acquire.gpu x", nil, ""},
		"a release":                        {"A st.release.gpu x; D ld.volatile x", nil, ""},
		"relaxed, with no message":         {"A st.relaxed.gpu d; D ld.relaxed.gpu d", nil, ""},
		"relaxed, with a message":          {"A st.relaxed.gpu d; A st.relaxed.gpu x; D ld.relaxed.gpu x; D ld.relaxed.gpu d", []uint32{2}, "0-3"},
		"relaxed, after the message":       {"A st.relaxed.gpu x; A st.relaxed.gpu d; D ld.relaxed.gpu x; D ld.relaxed.gpu d", []uint32{2}, ""},
		"its writer looks at it":           {"A st.volatile d; A ld.volatile d; D ld.volatile d", []uint32{1}, ""},
		"its writer uses it":               {"A st.volatile d; A ld.volatile d; D ld.volatile d", nil, "0-2"},
		"looked at in order":               {"A st.volatile d; A fence.acq_rel.gpu; A atom.relaxed.gpu x; C atom.relaxed.gpu x; C fence.acq_rel.gpu; C ld.volatile d; D ld.volatile d", []uint32{5}, ""},
		"used in order":                    {"A st.volatile d; A fence.acq_rel.gpu; A atom.relaxed.gpu x; C atom.relaxed.gpu x; C fence.acq_rel.gpu; C ld.volatile d; D ld.volatile d", nil, "0-6"},
		"one thread":                       {"A st.volatile d; A ld.volatile d; A st.volatile d", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			decides := make(map[uint32]bool)
			for _, step := range c.decides {
				decides[step+1] = true
			}
			var got []string
			for _, r := range reportKnowing(t, litmusEvents(t, strings.Split(c.steps, "; ")), decides) {
				if r.Severity != "warning" || !strings.HasPrefix(r.Detail, "both accesses are strong") {
					t.Errorf("%+v", r)
				}
				got = append(got, fmt.Sprintf("%d-%d", r.First.Site-1, r.Second.Site-1))
			}
			if slices.Sort(got); strings.Join(got, " ") != c.want {
				t.Errorf("%s\nwarnings: %q, want %q", c.steps, got, c.want)
			}
		})
	}
}

// TestWarningsNeedDecisions: a detector that does not know what reads are for does not
// warn.
func TestWarningsNeedDecisions(t *testing.T) {
	d, err := precise.New(precise.DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	if races := play(d, litmusEvents(t, []string{"A st.volatile d", "D ld.volatile d"})); len(races) > 0 {
		t.Errorf("%+v", races)
	}
}

// TestWarningsOfEqualValues: it does not matter who writes last.
func TestWarningsOfEqualValues(t *testing.T) {
	for values, want := range map[[2]uint64]int{{7, 7}: 0, {7, 8}: 1} {
		events := litmusEvents(t, []string{"A st.volatile d", "D st.volatile d"})
		events[0].New[0], events[1].New[0] = values[0], values[1]
		if races := report(t, events); len(races) != want {
			t.Errorf("values %d: %+v", values, races)
		}
	}
}

// TestWarningsOncePerPair: occurrences at several locations are one finding.
func TestWarningsOncePerPair(t *testing.T) {
	events := litmusEvents(t, []string{"A st.volatile a", "D ld.volatile a", "A st.volatile b", "D ld.volatile b", "A st.volatile c", "D ld.volatile c", "D cas.relaxed.gpu c"})
	for i := range events[:6] {
		events[i].Site = uint32(1 + i%2)
	}
	races := report(t, events)
	if len(races) != 1 || races[0].Count != 2 {
		t.Errorf("%+v, want one with two occurrences: the third location is synchronised by", races)
	}
}

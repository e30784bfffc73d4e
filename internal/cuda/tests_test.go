// The findings of the tests that a program runs.

package cuda

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// TestFindingsOfTests: a finding belongs to each test within which it has occurred.
func TestFindingsOfTests(t *testing.T) {
	var s tests
	for i, c := range []struct {
		test string
		now  map[string]uint64
		want []string
	}{
		{"one", map[string]uint64{"race a": 2}, []string{"race a"}},
		{"two", map[string]uint64{"race a": 2}, nil},
		{"", map[string]uint64{"race a": 2, "race b": 1}, []string{"race b"}},
		{"three", map[string]uint64{"race a": 3, "race b": 1}, []string{"race a"}},
	} {
		if found := slices.Sorted(maps.Keys(s.end(c.test, c.now))); !slices.Equal(found, c.want) {
			t.Errorf("%d: found %q, want %q", i, found, c.want)
		}
	}
	rep := &report.Report{Races: []*report.Race{{ID: "a", Programs: []string{"app"}}, {ID: "b"}}}
	s.name(rep)
	s.name(rep)
	if got, want := rep.Races[0].Programs, []string{"app", "test one", "test three"}; !reflect.DeepEqual(got, want) || rep.Races[1].Programs != nil {
		t.Errorf("the races name %q and %q, want %q and none", got, rep.Races[1].Programs, want)
	}
}

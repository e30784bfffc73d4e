// The tests that a program runs one after the other, and the findings of each.

package cuda

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/report"
)

// tests knows which tests of a program showed a finding. The zero value is ready for use.
type tests struct {
	seen  map[string]uint64   // occurrences of a finding up to the end of the last test
	names map[string][]string // of the tests that showed a finding
}

// Ended says that a test of the program ends, and returns the report of the process with those findings alone that have
// occurred since the test before ended. Reports name the test with them, unless its name is "".
func (p *Process) Ended(test string) *report.Report {
	p.mu.Lock()
	defer p.mu.Unlock()
	rep := p.report()
	found := p.tests.end(test, occurrences(rep))
	rep.Races = slices.DeleteFunc(slices.Clone(rep.Races), func(x *report.Race) bool { return !found[raceKey(x)] })
	rep.Faults = slices.DeleteFunc(slices.Clone(rep.Faults),
		func(f *report.FaultEvent) bool { return !found[faultKey(f)] })
	p.tests.name(rep)
	rep.Finish()
	return rep
}

// end returns the findings that occur more often than at the end of the test before.
func (t *tests) end(test string, now map[string]uint64) map[string]bool {
	found := make(map[string]bool)
	if t.names == nil {
		t.names = make(map[string][]string)
	}
	for key, count := range now {
		if count <= t.seen[key] {
			continue
		}
		found[key] = true
		if test != "" && !slices.Contains(t.names[key], test) {
			t.names[key] = append(t.names[key], test)
		}
	}
	t.seen = now
	return found
}

// name adds to the findings of a report the tests that showed them.
func (t *tests) name(rep *report.Report) {
	named := func(programs []string, key string) []string {
		for _, test := range t.names[key] {
			if name := "test " + test; !slices.Contains(programs, name) {
				programs = append(programs, name)
			}
		}
		return programs
	}
	for _, x := range rep.Races {
		x.Programs = named(x.Programs, raceKey(x))
	}
	for _, f := range rep.Faults {
		f.Programs = named(f.Programs, faultKey(f))
	}
}

// occurrences counts how often each finding of a report has occurred.
func occurrences(rep *report.Report) map[string]uint64 {
	n := make(map[string]uint64)
	for _, x := range rep.Races {
		n[raceKey(x)] += x.Count
	}
	for _, f := range rep.Faults {
		n[faultKey(f)] += max(1, f.Count)
	}
	return n
}

func raceKey(x *report.Race) string { return "race " + x.ID }

func faultKey(f *report.FaultEvent) string {
	key := fmt.Sprint(f.Class, f.Kernel, f.PTX, f.Message, f.Handled)
	if f.Call != nil {
		key += fmt.Sprint(f.Call.Function, f.Call.In)
		if f.Call.Source != nil {
			key += fmt.Sprint(*f.Call.Source)
		}
	}
	return key
}

// Launches that were not checked.

package report

import "fmt"

// Unchecked is the prefix of notes about launches that were not checked.
const Unchecked = "not checked: "

// Skipped counts launches that were not checked, by kernel and reason. The zero value is empty.
type Skipped struct {
	list   []skipped // in the order of first launch
	counts map[skipped]int
}

// mostReasons limits the pairs of a kernel and a reason that are counted separately: some reasons contain numbers that differ
// between launches. Later ones count as "other reasons" of their kernels.
const mostReasons = 100

type skipped struct{ kernel, why string }

// Add counts a launch of a kernel that was not checked, with the reason.
func (s *Skipped) Add(kernel, why string) {
	if s.counts == nil {
		s.counts = make(map[skipped]int)
	}
	x := skipped{kernel, why}
	if len(s.list) >= mostReasons && s.counts[x] == 0 {
		x.why = "other reasons"
	}
	if s.counts[x]++; s.counts[x] == 1 {
		s.list = append(s.list, x)
	}
}

// Notes returns lines for Report.Notes.
func (s *Skipped) Notes() (list []string) {
	for _, x := range s.list {
		list = append(list, fmt.Sprintf("%s%s of %s: %s", Unchecked, plural2(s.counts[x], "launch", "launches"), Demangle(x.kernel), x.why))
	}
	return list
}

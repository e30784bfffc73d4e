// Launches that were not checked.

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Unchecked is the prefix of notes about what was not checked.
const Unchecked = "not checked: "

// NotChecked counts launches of one kernel that were not checked for one reason.
type NotChecked struct {
	Kernel   string `json:"kernel,omitempty"` // as in the PTX; "" for a request of the command line that no kernel met
	Launches int    `json:"launches,omitempty"`
	Why      string `json:"why"`
	// Required says that the verdict cannot be clean: the command line asked for a check that was not made, or the
	// check of a launch did not include one that it may overlap.
	Required bool `json:"required,omitempty"`
	// Sampled says how much of the launches was checked all the same.
	Sampled Sampled `json:"sampled,omitzero"`
}

// Sampled counts what was checked of launches: the launches of which some block was, these blocks, and the blocks of
// all launches.
type Sampled struct {
	Launches uint64 `json:"launches"`
	Blocks   uint64 `json:"blocks"`
	OfBlocks uint64 `json:"ofBlocks"`
}

// add adds the counts of other launches.
func (s *Sampled) add(t Sampled) {
	s.Launches, s.Blocks, s.OfBlocks = s.Launches+t.Launches, s.Blocks+t.Blocks, s.OfBlocks+t.OfBlocks
}

// text returns the counts in words, "" if nothing was checked for another reason.
func (s *Sampled) text() string {
	if s.OfBlocks == 0 {
		return ""
	}
	return fmt.Sprintf("only %d of %d blocks, in %s, were watched for races: ", s.Blocks, s.OfBlocks,
		plural2(int(s.Launches), "launch", "launches"))
}

// NotSelected is the reason for launches that the command line leaves out.
const NotSelected = "the command line does not select it"

// Skipped counts launches that were not checked, by kernel and reason. The zero value is empty.
type Skipped struct {
	list  []NotChecked // in the order of first launch
	index map[NotChecked]int
}

// mostReasons limits the pairs of a kernel and a reason that are counted separately: some reasons contain numbers that
// differ between launches. Later ones count as "other reasons" of their kernels.
const mostReasons = 100

// Add counts a launch of a kernel that was not checked, with the reason.
func (s *Skipped) Add(kernel, why string) {
	if s.index == nil {
		s.index = make(map[NotChecked]int)
	}
	x := NotChecked{Kernel: kernel, Why: why}
	if _, have := s.index[x]; !have && why != NotSelected && len(s.list) >= mostReasons {
		x.Why = "other reasons"
	}
	i, have := s.index[x]
	if !have {
		i = len(s.list)
		s.index[x] = i
		s.list = append(s.list, x)
	}
	s.list[i].Launches++
}

// List returns entries for Report.NotChecked.
func (s *Skipped) List() []NotChecked { return slices.Clone(s.list) }

// Leave adds entries to the launches that were not checked.
func (r *Report) Leave(list []NotChecked) {
	for _, n := range list {
		i := slices.IndexFunc(r.NotChecked, func(have NotChecked) bool {
			return have.Kernel == n.Kernel &&
				have.Why == n.Why
		})
		if i < 0 {
			r.NotChecked = append(r.NotChecked, n)
		} else {
			r.NotChecked[i].Launches += n.Launches
			r.NotChecked[i].Sampled.add(n.Sampled)
		}
	}
}

// Require records each pattern of a command-line option that selects no checked kernel. If launched is set, a kernel
// with an unchecked launch counts, too. The verdict of a report with such a pattern is not clean.
func (r *Report) Require(option string, patterns Filter, launched bool) {
	names, what := r.checked(), "was checked"
	if launched {
		names, what = r.launched(), "was launched"
	}
	for _, pattern := range patterns {
		if !slices.ContainsFunc(names, func(kernel string) bool { return Selects(pattern, kernel) }) {
			why := fmt.Sprintf("%s %q: no kernel of that name %s%s", option, pattern, what, others(names))
			r.NotChecked = append(r.NotChecked, NotChecked{Why: why, Required: true})
		}
	}
	r.settle()
}

// others lists the kernels that there are instead of the one that is missing.
func others(names []string) string {
	if len(names) == 0 {
		return ""
	}
	var list []string
	for _, n := range names[:min(len(names), mostNames)] {
		list = append(list, Demangle(n))
	}
	if len(names) > mostNames {
		list = append(list, "…")
	}
	return "; there are " + strings.Join(list, ", ")
}

// mostNames limits the kernels that a note lists.
const mostNames = 20

// checked lists the kernels with checked launches or, for a static analysis, with results.
func (r *Report) checked() (names []string) {
	for _, c := range r.Coverage {
		names = append(names, c.Kernel)
	}
	for _, p := range r.Proofs {
		names = append(names, p.Kernel)
	}
	return unique(names)
}

// launched lists the kernels with launches, checked or not.
func (r *Report) launched() []string {
	names := r.checked()
	for _, n := range r.NotChecked {
		if n.Kernel != "" {
			names = append(names, n.Kernel)
		}
	}
	return unique(names)
}

// unique removes repeated names, and keeps the order.
func unique(names []string) (out []string) {
	have := make(map[string]bool)
	for _, n := range names {
		if !have[n] {
			out = append(out, n)
		}
		have[n] = true
	}
	return out
}

// mostKernels limits the kernels with one reason that text lists one by one.
const mostKernels = 4

// idleKernels returns the kernels of which guessed launches have executed no store.
func (r *Report) idleKernels() (list []NotChecked) {
	for _, c := range r.Coverage {
		if !c.Idle {
			continue
		}
		n := NotChecked{Kernel: c.Kernel, Why: "no thread has come to a store: " + cmp.Or(c.Guess,
			"sizes and numbers are guesses")}
		for _, s := range c.Launched {
			n.Launches += s.Launches
		}
		if !slices.Contains(list, n) { // of several detectors
			list = append(list, n)
		}
	}
	return list
}

// unchecked returns the entries of NotChecked and those of kernels that have executed no store.
func (r *Report) unchecked() []NotChecked {
	list := slices.Clone(r.NotChecked)
	for _, n := range r.idleKernels() {
		if !slices.Contains(list, n) { // of a report that was read
			list = append(list, n)
		}
	}
	return list
}

// uncheckedNotes returns a line for each entry of NotChecked; one for all kernels of a reason with many.
func (r *Report) uncheckedNotes() (notes []string) {
	kernels, launches, sampled := make(map[string]int), make(map[string]int), make(map[string]Sampled)
	unchecked := r.unchecked()
	for _, n := range unchecked {
		kernels[n.Why]++
		launches[n.Why] += n.Launches
		n.Sampled.add(sampled[n.Why])
		sampled[n.Why] = n.Sampled
	}
	said := make(map[string]bool)
	for _, n := range unchecked {
		many := kernels[n.Why] > mostKernels
		switch {
		case n.Kernel == "":
			notes = append(notes, n.Why)
		case !many:
			notes = append(notes, fmt.Sprintf("%s of %s: %s%s", plural2(n.Launches, "launch", "launches"),
				Demangle(n.Kernel), n.Sampled.text(), n.Why))
		case !said[n.Why]:
			all := sampled[n.Why]
			notes = append(notes, fmt.Sprintf("%s of %d kernels: %s%s", plural2(launches[n.Why], "launch", "launches"),
				kernels[n.Why], all.text(), n.Why))
		}
		said[n.Why] = true
	}
	return notes
}

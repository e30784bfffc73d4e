// Claims in words, and whether a command line's demand for them is met.

package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// mostDepends limits the reasons of one kernel that formats for people list.
const mostDepends = 3

// String returns what a verdict holds for in words: "every schedule; every content of a, b".
func (h *Holds) String() string {
	if h.Undecided != "" {
		return "not decided: " + h.Undecided
	}
	words := string(h.Schedules) + " schedule"
	if h.Resident > 0 {
		words += fmt.Sprintf(" if %s resident together", plural2(h.Resident, "block is", "blocks are"))
	}
	if len(h.Contents) == 0 {
		return words
	}
	buffers := h.Contents[:min(len(h.Contents), mostNames)]
	words += "; every content of " + strings.Join(buffers, ", ")
	if further := len(h.Contents) - len(buffers); further > 0 {
		words += fmt.Sprintf(" and of %d more", further)
	}
	return words
}

// String returns the reason in words, with a command that tells more.
func (d *Depends) String() string {
	if d.On == detect.OnContents {
		return fmt.Sprintf("contents of %s: %s", d.Object, d.What)
	}
	const order = "the order of threads"
	if strings.HasPrefix(d.What, order+" ") {
		return d.What + " (ptxsan explore)"
	}
	return fmt.Sprintf("%s: %s (ptxsan explore)", order, d.What)
}

// At returns the place of what is decided, as file:line.
func (d *Depends) At() string { return where(d.Source, d.PTX) }

// Claimed is a claim in words.
type Claimed struct {
	Kernel  string // as in the PTX
	Holds   string
	Depends []string // the first reasons why the claim is not wider, and the number of the others
}

// Claimed returns the claims that stand, in words.
func (r *Report) Claimed() (list []Claimed) {
	for _, c := range r.Standing() {
		reasons := r.dependences(c)
		w := Claimed{Kernel: c.Kernel, Holds: c.String()}
		if r.Exploration != nil && c.Schedules == ThisSchedule && c.Undecided == "" {
			w.Holds = strings.Replace(w.Holds, "this schedule", "these schedules", 1)
		}
		for _, d := range reasons[:min(len(reasons), mostDepends)] {
			w.Depends = append(w.Depends, d.String())
		}
		if further := len(reasons) - mostDepends; further > 0 {
			w.Depends = append(w.Depends, plural2(further, "more place", "more places"))
		}
		list = append(list, w)
	}
	return list
}

// ClaimLines returns the claims that stand as lines "HOLDS FOR" and "DEPENDS ON". If there are several kernels, they
// have the names that a function gives them.
func (r *Report) ClaimLines(name func(kernel string) string) (lines []string) {
	several := len(r.launched()) > 1
	for _, c := range r.Claimed() {
		of := ""
		if several {
			of = name(c.Kernel) + ": "
		}
		lines = append(lines, "HOLDS FOR: "+of+c.Holds)
		for _, why := range c.Depends {
			lines = append(lines, "DEPENDS ON: "+of+why)
		}
	}
	return lines
}

// claims writes what the verdicts about kernels hold for.
func (t *text) claims(r *Report) {
	for _, line := range r.ClaimLines(func(kernel string) string {
		name, _, _ := strings.Cut(t.function(kernel), "(")
		return name
	}) {
		t.line("%s", line)
	}
}

// RequireSchedules records the kernels whose verdicts do not hold for every schedule, as an option demands that they
// do. The verdict of a report with such a kernel is not clean.
func (r *Report) RequireSchedules(option string) {
	var names []string
	for _, kernel := range r.Narrow() {
		names = append(names, Demangle(kernel))
	}
	if len(names) == 0 {
		return
	}
	if further := len(names) - mostNames; further > 0 {
		names = append(names[:mostNames], fmt.Sprintf("%d more", further))
	}
	why := fmt.Sprintf("%s: not shown to hold for every schedule: %s", option, strings.Join(names, ", "))
	r.NotChecked = append(r.NotChecked, NotChecked{Why: why, Required: true})
	r.settle()
}

// Narrow returns the kernels whose verdict is not shown to hold for every schedule: by a claim, by a search that ran
// all schedules, or by a proof. An error has its witness, and is the verdict in any schedule.
func (r *Report) Narrow() []string {
	left := r.leftOut()
	e := r.Exploration
	all := e != nil && e.Complete && len(e.Limits) == 0
	claims := r.Standing()
	return slices.DeleteFunc(unique(append(r.checked(), left...)), func(kernel string) bool {
		switch {
		case r.failed(kernel):
			return true
		case slices.Contains(left, kernel):
			return false
		}
		return all || r.proved(kernel) || slices.ContainsFunc(claims, func(c *Claim) bool {
			return c.Kernel == kernel && c.Schedules == EverySchedule
		})
	})
}

// leftOut returns the kernels with launches that were not checked, or not in whole, although they were selected.
func (r *Report) leftOut() (kernels []string) {
	for _, n := range r.unchecked() {
		if n.Kernel != "" && n.Why != NotSelected {
			kernels = append(kernels, n.Kernel)
		}
	}
	return kernels
}

// proved reports whether a static analysis has proved the kernel free of races, wherever it is launched.
func (r *Report) proved(kernel string) bool {
	found := false
	for _, p := range r.Proofs {
		if p.Kernel == kernel {
			if p.Verdict != Clean {
				return false
			}
			found = true
		}
	}
	return found
}

// Claims: what verdicts about the launches of kernels hold for beyond the runs that were made, and what they depend on.

package report

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Schedules is the set of schedules, which are orders of the threads, that a verdict holds for.
type Schedules string

// Sets of schedules.
const (
	EverySchedule Schedules = "every"
	ThisSchedule  Schedules = "this"
)

// Holds is what a verdict holds for.
type Holds struct {
	Schedules Schedules `json:"schedules"`
	// Contents names the buffers whose contents before the first launch do not matter; never null.
	Contents []string `json:"contents"`
	// Resident is the number of blocks that must be resident together, since they wait for one another; 0 if none do.
	Resident int `json:"resident,omitempty"`
	// Undecided is why it was not found out what the verdict holds for, "" if it was. Schedules is then ThisSchedule.
	Undecided string `json:"undecided,omitempty"`
}

// Claim is what the verdict about the launches of a kernel holds for.
type Claim struct {
	Kernel string `json:"kernel"` // as in the PTX
	Holds
	// Matter names the buffers whose contents may matter: they are in no list of Contents of the report.
	Matter []string `json:"matter,omitempty"`
}

// Depends is a reason why the verdict about a kernel may not hold for other schedules, or for other contents.
type Depends struct {
	Kernel string        `json:"kernel"` // as in the PTX
	On     detect.Ground `json:"on"`
	Object string        `json:"object,omitempty"` // the buffer, of contents
	What   string        `json:"what"`             // the operations and what they decide, with their places
	PTX    Place         `json:"ptx,omitzero"`     // of what is decided, else of By
	Source *Source       `json:"source,omitempty"`
	By     *Operation    `json:"by,omitempty"` // the operation whose result or place in the order differs
}

// AddClaim adds the claim for a launch, with the reasons why it is not wider. The claim for several launches of a
// kernel is the weakest of theirs.
func (r *Report) AddClaim(c Claim, depends ...Depends) {
	c.Contents, c.Matter = slices.Clone(c.Contents), slices.Clone(c.Matter)
	if c.Undecided != "" {
		c.Holds = undecided(c.Undecided)
	}
	if i := slices.IndexFunc(r.Claims, func(have *Claim) bool { return have.Kernel == c.Kernel }); i >= 0 {
		r.Claims[i].weaken(&c)
	} else {
		c.weaken(&c)
		r.Claims = append(r.Claims, &c)
	}
	for i := range depends {
		r.addDepends(&depends[i])
	}
}

// addDepends adds a reason, unless the report has it.
func (r *Report) addDepends(d *Depends) {
	if !slices.ContainsFunc(r.Depends, func(have *Depends) bool { return have.same(d) }) {
		r.Depends = append(r.Depends, d)
	}
}

// same reports whether two reasons read the same and are in the same place.
func (d *Depends) same(e *Depends) bool {
	return d.Kernel == e.Kernel && d.On == e.On && d.Object == e.Object && d.What == e.What && d.PTX == e.PTX
}

// weaken makes a claim one for further launches as well. A buffer that matters to none of them does not matter.
func (c *Claim) weaken(d *Claim) {
	if d.Schedules != EverySchedule {
		c.Schedules = ThisSchedule
	}
	if c.Undecided == "" {
		c.Undecided = d.Undecided
	}
	c.Resident = max(c.Resident, d.Resident)
	c.Matter = union(c.Matter, d.Matter)
	contents := []string{}
	if c.Undecided == "" {
		contents = union(contents, union(c.Contents, d.Contents))
	}
	c.Contents = slices.DeleteFunc(contents, func(buffer string) bool { return slices.Contains(c.Matter, buffer) })
}

// Standing returns the claims that stand: those for kernels without an error, since an error has its witness in the
// run. If an error does not count, what the kernel leaves in memory may differ between schedules all the same.
func (r *Report) Standing() (list []*Claim) {
	silent := &Report{Races: r.Suppressed, Faults: r.SuppressedFaults}
	if r.Baseline != nil {
		silent.Races = slices.Concat(silent.Races, r.Baseline.Same)
	}
	for _, c := range r.Claims {
		switch {
		case r.failed(c.Kernel):
			continue
		case silent.failed(c.Kernel):
			c = &Claim{Kernel: c.Kernel, Holds: undecided("errors are suppressed, or in the baseline")}
		}
		list = append(list, c)
	}
	return list
}

// undecided returns what a verdict holds for of which it was not found out, with the reason.
func undecided(why string) Holds {
	return Holds{Schedules: ThisSchedule, Contents: []string{}, Undecided: why}
}

// failed reports whether a kernel has a race or a fault that is an error.
func (r *Report) failed(kernel string) bool {
	return r.Racing(kernel) || slices.ContainsFunc(r.Faults, func(f *FaultEvent) bool {
		return f.Kernel == kernel && (f.Severity == Error || f.Stops())
	})
}

// dependences returns the reasons that concern a claim.
func (r *Report) dependences(c *Claim) (list []*Depends) {
	for _, d := range r.Depends {
		if d.Kernel == c.Kernel {
			list = append(list, d)
		}
	}
	return list
}

// Weakest returns the weakest of the claims, nil if there is none or if one does not stand.
func (r *Report) Weakest() *Holds {
	list := r.Standing()
	if len(list) == 0 || len(list) < len(r.Claims) {
		return nil
	}
	all := Claim{Holds: Holds{Schedules: EverySchedule}}
	for _, c := range list {
		all.weaken(c)
	}
	return &all.Holds
}

// mergeClaims adds the claims of another report. Launches that a report has without a claim leave the kernel's
// undecided.
func (r *Report) mergeClaims(other *Report) {
	const unknown = "not looked for in all launches"
	mine, theirs := r.unclaimed(), other.unclaimed()
	for _, c := range other.Claims {
		r.AddClaim(*c)
	}
	for _, d := range other.Depends {
		r.addDepends(d)
	}
	for _, c := range r.Claims {
		if slices.Contains(mine, c.Kernel) || slices.Contains(theirs, c.Kernel) {
			c.weaken(&Claim{Holds: undecided(unknown)})
		}
	}
}

// unclaimed returns the checked kernels without a claim.
func (r *Report) unclaimed() []string {
	return slices.DeleteFunc(r.checked(), func(kernel string) bool {
		return slices.ContainsFunc(r.Claims, func(c *Claim) bool { return c.Kernel == kernel })
	})
}

// completeClaims checks the claims of a report that was read.
func (r *Report) completeClaims() error {
	for _, c := range r.Claims {
		if c == nil || c.Schedules != EverySchedule && c.Schedules != ThisSchedule {
			return fmt.Errorf("a claim without schedules, expected %s or %s", EverySchedule, ThisSchedule)
		}
	}
	if slices.Contains(r.Depends, nil) {
		return errors.New("an empty entry of depends")
	}
	r.Holds = nil // of the claims
	return nil
}

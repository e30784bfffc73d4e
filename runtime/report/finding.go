// Findings: races of one pair of source lines, which are reported together.

package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// findingID identifies a finding across runs by the kernel, the memory space, and the pair of lines, in the source or,
// if unknown, in the PTX. It does not depend on which races of the two lines a run shows.
func (x *Race) findingID() string {
	sides := []string{x.First.line(), x.Second.line()}
	slices.Sort(sides)
	words := append([]string{"finding", x.First.Kernel, x.Space, fmt.Sprint(x.Possible)}, sides...)
	sum := sha256.Sum256([]byte(strings.Join(words, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// line returns the line of an access that findings are grouped by.
func (a *Access) line() string {
	if a.Operation != "" {
		return a.Kernel + " " + a.identity()
	}
	return a.at()
}

// parts returns the races of a finding separately, each with its own identity. The leading one is copied, since the
// finding remains in use.
func (x *Race) parts() []*Race {
	lead := *x
	lead.Also, lead.Schedules, lead.Smallest, lead.Programs, lead.ID = nil, 0, "", nil, x.stableID()
	if x.own != nil {
		lead.Detectors = x.own
	}
	for _, y := range x.Also {
		lead.Count -= y.Count
	}
	return append([]*Race{&lead}, x.Also...)
}

// Kernel returns the kernel of the earlier access, as in the PTX.
func (x *Race) Kernel() string { return x.First.Kernel }

// Each returns the races of a finding: itself, and those of the same two lines.
func (x *Race) Each() []*Race { return append([]*Race{x}, x.Also...) }

// Announced reports whether the race is a warning about strong accesses that nothing orders, a store and a load after
// it, between which the thread that has stored writes a message that the other one reads.
func (x *Race) Announced() bool {
	signalled := x.Observe != nil || x.Cause == detect.InsufficientFenceScope && x.Fence != nil
	return x.Severity == Warning && x.Rule == detect.LeftOpenRule && x.First.Access == "write" &&
		x.Second.Access == "read" && signalled
}

// SamePair reports whether some races of two findings are of the same two instructions of a kernel.
func (x *Race) SamePair(y *Race) bool {
	return slices.ContainsFunc(x.Each(), func(a *Race) bool {
		return slices.ContainsFunc(y.Each(), func(b *Race) bool {
			return a.First.Kernel == b.First.Kernel && a.First.PTX == b.First.PTX && a.Second.PTX == b.Second.PTX
		})
	})
}

// Pairs returns the races of all findings.
func (r *Report) Pairs() (list []*Race) {
	for _, x := range r.Races {
		list = append(list, x.Each()...)
	}
	return list
}

// Shows reports whether the report contains the leading race of a finding.
func (r *Report) Shows(x *Race) bool {
	id := x.stableID()
	return slices.ContainsFunc(r.Pairs(), func(y *Race) bool { return y.stableID() == id })
}

// take adds the races of another finding of the same lines. The most severe race of the widest kind leads; in a static
// analysis, the one found first.
func (x *Race) take(y *Race) {
	parts := joined(append(x.parts(), y.parts()...))
	x.set(parts)
}

// set sets the races of the finding.
func (x *Race) set(parts []*Race) {
	slices.SortStableFunc(parts, leads)
	schedules, smallest, programs := x.Schedules, x.Smallest, x.Programs
	*x = *parts[0]
	x.counsel(parts)
	x.own, x.Also = parts[0].Detectors, parts[1:]
	x.Schedules, x.Smallest, x.Programs, x.ID = schedules, smallest, programs, x.findingID()
	if len(x.Also) == 0 {
		x.Also = nil
	}
	x.Detectors = slices.Clone(x.own)
	for _, p := range x.Also {
		x.Count += p.Count
		for _, d := range p.Detectors {
			if !slices.Contains(x.Detectors, d) {
				x.Detectors = append(x.Detectors, d)
			}
		}
	}
}

// counsel sets advice that repairs all races of the finding, unless a search has found some.
func (x *Race) counsel(parts []*Race) {
	if x.Advice.searched() {
		return
	}
	x.plain = x.Missing
	advice, missing, hint := advise(parts)
	x.Advice = advice
	x.Missing, x.Hint = cmp.Or(missing, x.Missing), cmp.Or(hint, x.Hint)
	x.Hint = named(parts, x.Hint)
}

// Counsel replaces the advice of a finding by the result of a search. What is missing remains as it was if the kind of
// repair does.
func (x *Race) Counsel(a *Advice, hint string) {
	switch same := x.Advice != nil && x.Advice.Repair == a.Repair; {
	case same:
	case a.Repair == detect.RepairBarrier && x.Cause == detect.NotStrong:
		x.Missing = "a barrier between them, since more than this element needs an order"
	default:
		x.Missing = cmp.Or(x.plain, x.Missing)
	}
	x.Advice, x.Hint = a, named(x.Each(), hint)
	x.share()
}

// named returns a hint for races that says whose code they are in, if that is a library's.
func named(parts []*Race, hint string) string {
	first, second := &parts[0].First, &parts[0].Second
	hint = spoken(first, hint)
	switch called := calledLibrary(parts); {
	case strings.HasPrefix(hint, ofLibrary) || strings.HasPrefix(hint, inCalled):
	case inLibrary(parts):
		return ofLibrary + hint + "; a newer version may not have the race, and --suppressions leaves the finding out"
	case called != "":
		return inCalled + "(" + called + "), called at " + both(first.at(), second.at()) + ": " + hint
	}
	return hint
}

// ofLibrary begins the hint of a finding in code that the program only calls.
const ofLibrary = "in the library, not in the program: "

// inCalled begins the hint of a finding whose accesses are in code of a library, and the calls in the user's.
const inCalled = "in code of the library "

// calledLibrary returns where the library's code begins that makes both accesses of each race of a finding, called by
// code of the user; it is empty if some access is the user's.
func calledLibrary(parts []*Race) string {
	var at Frame
	for _, x := range parts {
		for _, side := range []*Source{x.First.Source, x.Second.Source} {
			if side == nil {
				return ""
			}
			f, ok := side.Library()
			if !ok {
				return ""
			}
			at = f
		}
	}
	return base(at.File)
}

// inLibrary reports whether no access of a finding is in the user's code, as in the kernels of Thrust.
func inLibrary(parts []*Race) bool {
	return !slices.ContainsFunc(parts, func(x *Race) bool {
		a, b := x.First.Source, x.Second.Source
		return a == nil || b == nil || !a.InHeader() || !b.InHeader()
	})
}

// leads compares races of a finding by which should lead.
func leads(a, b *Race) int {
	if a.Witness != nil || b.Witness != nil || a.Possible || b.Possible {
		return 0
	}
	return cmp.Or(
		SeverityRank(b.Severity)-SeverityRank(a.Severity), width(a)-width(b),
		a.First.PTX.Line-b.First.PTX.Line, a.Second.PTX.Line-b.Second.PTX.Line, cmp.Compare(a.ID, b.ID))
}

// joined merges races of the same identity into the first one. Races of instructions that an unrolled loop or a
// repeated launch made from the same source become one race in this way.
func joined(races []*Race) (out []*Race) {
	byID := make(map[string]*Race, len(races))
	for _, x := range races {
		if kept, ok := byID[x.ID]; ok {
			kept.join(x)
			continue
		}
		byID[x.ID] = x
		out = append(out, x)
	}
	return out
}

// findings groups the races by pair of lines into findings, and sorts findings by the places of their accesses.
func findings(races []*Race) (out []*Race) {
	parts, byID := make(map[*Race][]*Race), make(map[string]*Race)
	for _, x := range races {
		id := x.findingID()
		lead := byID[id]
		if lead == nil {
			lead, byID[id], out = x, x, append(out, x)
		}
		parts[lead] = append(parts[lead], x.parts()...)
	}
	for _, x := range out {
		x.set(joined(parts[x]))
	}
	slices.SortStableFunc(out, func(a, b *Race) int {
		return cmp.Or(strings.Compare(a.First.Kernel, b.First.Kernel),
			a.First.PTX.Line-b.First.PTX.Line, a.Second.PTX.Line-b.Second.PTX.Line, strings.Compare(a.ID, b.ID))
	})
	return out
}

// also writes the other races of a finding, one to a line.
func (t *text) also(x *Race) {
	const most = 6
	for i, y := range x.Also {
		if i == most {
			t.more("Also: %s of these two lines", plural(uint64(len(x.Also)-most), "more race"))
			return
		}
		by := ""
		if len(x.Detectors) > 1 {
			by = ", by " + strings.Join(y.Detectors, ", ")
		}
		t.more("Also: %s %s and %s %s: %s on %s, %s%s%s", y.First.Access, y.First.spot(), y.Second.Access,
			y.Second.spot(),
			y.Cause, y.object(), y.Kind, y.apart(), by)
	}
}

// spot returns the line of an access in the PTX, or the operation that is no kernel.
func (a *Access) spot() string {
	if a.PTX.File == "" && a.Operation != "" {
		return "by " + a.Operation
	}
	return "at " + place(a.PTX)
}

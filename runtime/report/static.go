// Results of static analysis in a report: proofs, and races with witnesses.

package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Unknown is the verdict of an analysis without a race and without a proof for every pair of accesses, and of a run
// whose detectors watched nothing.
const Unknown = "unknown"

// Proof is the result of a static analysis of a kernel, for the launches at one place of host code or for any launch.
type Proof struct {
	Kernel   string   `json:"kernel"`
	Site     string   `json:"site,omitempty"` // file:line:col of the launch; "" for any launch
	Verdict  string   `json:"verdict"`        // clean: every pair is proved free of races; racy; unknown; fault: the others are proved
	Pairs    int      `json:"pairs"`          // pairs of accesses that might conflict
	Proved   int      `json:"proved"`         // number of them proved free of races
	Possible int      `json:"possible"`       // number of them undecided
	Racy     int      `json:"racy"`
	Faulted  int      `json:"faulted,omitempty"` // number of them of an access that ends in a fault whenever a thread comes to it
	Needed   []string `json:"needed"`            // facts assumed by the proofs
	Notes    []string `json:"notes,omitempty"`
}

// Witness is a launch in which two threads race.
type Witness struct {
	Site      string    `json:"site,omitempty"` // of the launch in host code
	Grid      [3]uint32 `json:"grid"`
	Block     [3]uint32 `json:"block"`
	Values    []Value   `json:"values,omitempty"`    // of parameters and host variables
	Contents  []Value   `json:"contents,omitempty"`  // contents of memory, by place
	Confirmed bool      `json:"confirmed,omitempty"` // an execution of this launch showed the race
}

// Value is a named value.
type Value struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// SettleStatic sets the verdict of a static analysis: racy if a race is at or above level, or else fault if a fault is,
// clean if every pair is proved, else unknown. Call it after Finish and Suppress.
func (r *Report) SettleStatic(level string) {
	r.Verdict, r.ErrorLevel = Clean, level
	switch {
	case slices.ContainsFunc(r.Races, func(x *Race) bool { return SeverityRank(x.Severity) >= SeverityRank(level) }):
		r.Verdict = Racy
	case r.Count(level) > 0:
		r.Verdict = Fault
	case len(r.Races) > 0, r.Unchecked():
		r.Verdict = Unknown
	default:
		for _, p := range r.Proofs {
			if p.Verdict != Clean && !r.suppresses(p) {
				r.Verdict = Unknown
			}
		}
	}
}

// suppresses reports whether all that keeps a kernel from being proved is suppressed: its races and undecided pairs, of
// which a report may not list all.
func (r *Report) suppresses(p *Proof) bool {
	n := 0
	for _, x := range r.Suppressed {
		for _, y := range x.Each() {
			if y.Kernel() == p.Kernel {
				n++
			}
		}
	}
	return n > 0 && n >= p.Possible+p.Racy
}

// withholdUndecided takes advice from pairs that a static analysis could not decide: before a race is known there is
// nothing to mend.
func (r *Report) withholdUndecided() {
	for _, x := range r.Pairs() {
		if x.Possible {
			x.Advice, x.Hint = nil, ""
		}
	}
}

// unlisted reports whether the text does not list a finding of a static analysis: a pair that could not be decided, and
// of which no launch is known in which it may race. The line of its kernel counts it.
func (r *Report) unlisted(x *Race) bool {
	return r.Proofs != nil && x.Possible && x.Witness == nil &&
		SeverityRank(x.Severity) < SeverityRank(cmp.Or(r.ErrorLevel, Error))
}

// reasons returns why pairs of a kernel could not be decided that the text does not list, each reason with the number
// of pairs.
func (r *Report) reasons(kernel string) string {
	counts := make(map[string]int)
	for _, x := range r.Races {
		for _, y := range x.Each() {
			if y.Kernel() == kernel && r.unlisted(x) {
				counts[cmp.Or(y.Reason, "unknown")]++
			}
		}
	}
	var list []string
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, fmt.Sprintf("%s: %s", plural(uint64(counts[reason]), "pair"), reason))
	}
	return strings.Join(list, "; ")
}

// static writes a finding of a static analysis.
func (t *text) static(x *Race) {
	head, other := &x.First, &x.Second
	if !head.writes() {
		head, other = other, head
	}
	what := "Race reported"
	if x.Possible {
		what = "Possible race"
	}
	t.line("%s %s between %s access at %s", t.severity(x.Severity), what, title(head.Access), t.location(head))
	t.more("and %s access at %s", title(other.Access), t.location(other))
	t.more("Cause: %s on %s, %s", t.paint(bold, string(x.Cause)), x.object(), x.Kind)
	for _, a := range []*Access{head, other} {
		switch {
		case a.Event != "":
			t.more("%s by %s", title(a.Access), a.Operation)
		case x.Witness == nil:
			t.more("%s: %s at %s", title(a.Access), a.Instruction, place(a.PTX))
		default:
			t.more("%s by thread %s in block %s, warp %d: %s at %s", title(a.Access), dim(a.Thread), dim(a.Block),
				a.Warp, a.Instruction, place(a.PTX))
		}
		t.source(a.Source)
	}
	if x.Reason != "" {
		t.more("Undecided: %s", x.Reason)
	}
	if x.Witness != nil {
		t.witness(x.Witness)
	}
	t.also(x)
	if !x.Possible {
		t.more("Missing: %s", x.Missing)
		t.more("Fix: %s", x.Hint)
	}
	t.more("See: %s", x.see())
	t.more("Id: %s", x.ID)
	t.end()
}

func (t *text) witness(w *Witness) {
	list := []string{fmt.Sprintf("grid %s", dim(w.Grid)), fmt.Sprintf("block %s", dim(w.Block))}
	for _, v := range w.Values {
		list = append(list, v.Name+" = "+v.Value)
	}
	at := ""
	if w.Site != "" {
		at = " at " + w.Site
	}
	t.more("Witness: launch%s with %s", at, strings.Join(list, ", "))
	for _, v := range w.Contents {
		t.more("    %s holds %s", v.Name, v.Value)
	}
	if w.Confirmed {
		t.more("    confirmed by an execution")
	}
}

// conclusion returns the result in a sentence, with a name of the kernel.
func (p *Proof) conclusion(name string) string {
	if p.Site != "" {
		name += " launched at " + p.Site
	}
	pairs := plural(uint64(p.Pairs), "pair")
	switch {
	case p.Verdict == Clean:
		return fmt.Sprintf("NO RACE: %s: %s proved", name, pairs)
	case p.Verdict == Racy:
		return fmt.Sprintf("RACE: %s: %s of %s", name, plural(uint64(p.Racy), "race"), pairs)
	case p.Verdict == Fault && p.Faulted > 0:
		return fmt.Sprintf("FAULT: %s: %d of %s proved, in the others an access faults", name, p.Proved, pairs)
	case p.Verdict == Fault:
		return fmt.Sprintf("FAULT: %s: %s proved", name, pairs)
	case p.Pairs == 0:
		return fmt.Sprintf("POSSIBLE: %s: nothing is proved", name)
	}
	return fmt.Sprintf("POSSIBLE: %s: %d of %s undecided", name, p.Possible, pairs)
}

// Headline returns the result in a sentence.
func (p *Proof) Headline() string { return p.conclusion(Demangle(p.Kernel)) }

// Lines returns what the result depends on: the facts that the proofs need, and what was not analysed.
func (p *Proof) Lines() (lines []string) {
	for _, f := range p.Needed {
		lines = append(lines, "needs "+f)
	}
	for _, n := range p.Notes {
		lines = append(lines, "note: "+n)
	}
	return lines
}

// ProofNotes returns each result of a static analysis in one line, with what it depends on.
func (r *Report) ProofNotes() (notes []string) {
	for _, p := range r.Proofs {
		notes = append(notes, strings.Join(append([]string{p.Headline()}, p.Lines()...), "; "))
	}
	return notes
}

// proofs writes the results for each kernel, the reasons for undecided pairs below the first one.
func (t *text) proofs(r *Report) {
	seen := make(map[string]bool)
	for _, p := range r.Proofs {
		t.line("%s", p.conclusion(t.function(p.Kernel)))
		if reasons := r.reasons(p.Kernel); reasons != "" && !seen[p.Kernel] {
			t.more("Undecided: %s (--error-level warning lists them)", reasons)
		}
		seen[p.Kernel] = true
		for _, l := range p.Lines() {
			t.more("%s", l)
		}
	}
	t.end()
}

// What a search for a patch says of each finding of a report that people have read before it.

package fix

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Findings says what has become of each finding that counts. printed is the report before the search, whose advice the
// new one replaces; rep has that of the search; why says why the search was not finished, "" for a finished one. The
// result may be nil for a search that was not.
func (r *Result) Findings(printed, rep *report.Report, source *SourceFix, why string) (lines []string) {
	if r == nil {
		return []string{"not decided: " + why}
	}
	for _, x := range r.fixer.Counted(rep.Races) {
		line := fmt.Sprintf("%s (%s and %s): %s", x.ID, trial.Brief(&x.First), trial.Brief(&x.Second), r.outcome(x, source))
		old := printed.Finding(x.ID)
		switch {
		case (r.Mended() || r.revised != nil) && (old == nil || old.Hint == x.Hint):
		case x.Unverified(): // there is no Fix to speak of
		case old == nil || old.Hint == x.Hint:
			line += standing(x.Advice)
		case old.Unverified():
			line += "; Fix: " + x.Hint
		case x.Advice != nil && x.Advice.Verified > 0:
			line += "; in place of the Fix above: " + x.Hint
		default:
			line += "; the Fix above is withdrawn: " + x.Hint
		}
		lines = append(lines, line)
	}
	return lines
}

// Refute withdraws the advice of findings that edits of the PTX remove, if the source with these edits still shows a
// race as it is compiled.
func (r *Result) Refute(rep *report.Report, source *SourceFix) {
	if source == nil || source.Verdict != Wrong {
		return
	}
	for _, x := range r.fixer.Counted(rep.Races) {
		if a := x.Advice; r.shows(x) && a != nil && !a.None {
			why := "no edit of the source is known: what removes it from the PTX (" + x.Hint + ") does not do so in the source as it is compiled"
			x.Counsel(&report.Advice{Repair: a.Repair, Scope: a.Scope, None: true}, why)
		}
	}
}

// patched says that a patch of the source has been run.
const patched = "the patch below, compiled and run, removes it"

// outcome says what the search has found for a finding.
func (r *Result) outcome(x *report.Race, source *SourceFix) string {
	removed := fmt.Sprintf("edits of the PTX remove it under %s; ", r.Verified.schedules())
	switch {
	case !r.shows(x):
		return "not looked at: the runs of the search do not show it"
	case r.revised != nil:
		return patched
	case !r.Mended() && r.Undecided != "":
		return "not decided"
	case !r.Mended():
		return "no patch was found"
	case source == nil || source.Verdict == NotDecided:
		return removed + "a patch of the source is not decided"
	case source.Verdict == Checked:
		return patched
	case source.Verdict == Wrong || source.Text == string(source.Old):
		return removed + "there is no patch of the source"
	}
	return removed + "the patch below has them, and was not run"
}

// shows reports whether the runs of the original have shown a finding.
func (r *Result) shows(x *report.Race) bool {
	return slices.ContainsFunc(r.Races, func(have *report.Race) bool { return have.ID == x.ID || have.SamePair(x) })
}

// standing says what advice that the search has not changed is based on.
func standing(a *report.Advice) string {
	switch {
	case a == nil || a.None:
		return ""
	case a.Verified > 0:
		return fmt.Sprintf("; the Fix above was run under %d schedules, for this finding alone", a.Verified)
	}
	return "; the Fix above has not been run"
}

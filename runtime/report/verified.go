// Advice of other runs, and findings for which no run has verified advice.

package report

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/runtime/detect"
)

// Learn takes advice over from another report, whose races are those of a part of the run: for findings of which that
// report has all races, and the result of a search.
func (r *Report) Learn(other *Report) {
	for _, x := range r.Races {
		for _, y := range other.Races {
			if x.ID == y.ID && y.Advice.searched() && y.covers(x) {
				x.Advice, x.Missing, x.Hint = y.Advice, y.Missing, y.Hint
			}
		}
	}
}

// covers reports whether a finding has all races of another one.
func (x *Race) covers(other *Race) bool {
	ids := make(map[string]bool)
	for _, y := range x.Each() {
		ids[y.stableID()] = true
	}
	return !slices.ContainsFunc(other.Each(), func(y *Race) bool { return !ids[y.stableID()] })
}

// Identities returns the identities of the races of findings at or above a severity: they are the same in other runs.
func (r *Report) Identities(severity string) (list []string) {
	for _, x := range r.Pairs() {
		if SeverityRank(x.Severity) >= SeverityRank(severity) {
			list = append(list, x.stableID())
		}
	}
	return list
}

// Advised leaves the findings for which a search has found advice.
func (r *Report) Advised() {
	r.Races = slices.DeleteFunc(r.Races, func(x *Race) bool { return !x.Advice.searched() })
}

// withhold replaces the advice to edit a kernel that no search has found by a hint that names no edit. What is missing
// stays.
func (r *Report) withhold() {
	for _, x := range r.Races {
		if x.Unverified() {
			level := ""
			if x.Severity != Error {
				level = " --error-level " + x.Severity
			}
			x.Advice, x.Hint = &Advice{Repair: x.Advice.Repair, Scope: x.Advice.Scope},
				named(x.Each(), fmt.Sprintf(unverified, level))
		}
		x.share()
	}
}

// Unverified reports whether the finding asks for an edit of a kernel and no search has found one: its hint names none.
// No search runs a program on several devices.
func (x *Race) Unverified() bool {
	return x.Advice != nil && !x.Advice.searched() && !beyondEdits[x.Advice.Repair] && !x.betweenDevices()
}

// Await gives the findings that no search has found an edit for another hint: that of a search that follows.
func (r *Report) Await(hint string) {
	for _, x := range r.Races {
		if x.Unverified() {
			x.Hint = hint
			x.share()
		}
	}
}

// share gives all races of a finding its hint.
func (x *Race) share() {
	for _, y := range x.Also {
		y.Hint = x.Hint
	}
}

// unverified is the hint for a finding for which no run has verified an edit.
const unverified = "no edit has been verified: ptxsan fix%s --launch FILE looks for one; exec --save DIR, on the emulator, writes such files"

// beyondEdits has the repairs that no search among edits of a kernel can find: they change launches, types or the
// host's code.
var beyondEdits = map[detect.Repair]bool{
	detect.RepairShape: true, detect.RepairSize: true, detect.RepairApart: true, detect.RepairStream: true,
	detect.RepairGridWait: true, detect.RepairHostWait: true,
}

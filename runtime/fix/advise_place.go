// Advice without runs: barriers at places that the control flow shows.

package fix

import (
	"github.com/ptxsan/ptxsan/passes/repair"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Place replaces the advice in the errors of a module to insert a barrier, by one at a place that all its threads reach, or says that
// there is none; and to widen a fence, by that for all fences. It is for findings that cannot be run again.
func Place(m *rewrite.Module, rep *report.Report) {
	f := &fixer{original: m}
	for _, x := range rep.Races {
		if x.Advice == nil || x.Severity != report.Error || len(x.Advice.Changes) > 0 || m.Func(x.Kernel()) == nil {
			continue
		}
		res := &Result{Report: rep, Races: []*report.Race{x}, Original: m, fixer: f, pairs: f.add(x)}
		res.place(x)
	}
}

// place replaces the advice of a finding.
func (r *Result) place(x *report.Race) {
	old := x.Advice
	a := &report.Advice{Repair: old.Repair, Scope: old.Scope}
	var e *repair.Edit
	switch {
	case !r.located(x):
		return
	case old.Repair == detect.RepairScope && x.Cause == detect.InsufficientFenceScope:
		e = repair.Widen(r.pairs)
	case wantsBarrier(x):
		a.Repair = detect.RepairBarrier
		e = repair.Separate(r.pairs)
		a.None = e == nil
	}
	switch {
	case e != nil:
		r.Edits = []*repair.Edit{e}
		a.Changes = r.changesOf(e.Changes)
		x.Counsel(a, r.words())
	case a.None:
		x.Counsel(a, noPlace)
	}
}

// located reports whether the instructions of all accesses of a finding are known, in memory that barriers order.
func (r *Result) located(x *report.Race) bool {
	return len(r.pairs) == len(x.Each()) && x.Space != "tensor"
}

// wantsBarrier reports whether the advice for a finding is a barrier of the block or warp.
func wantsBarrier(x *report.Race) bool {
	return x.Kind != detect.InterBlock && (x.Advice.Repair == detect.RepairBarrier || x.Advice.Repair == detect.RepairSplit)
}

// separate returns barriers at all places that the control flow shows, nil if a finding needs something else.
func (r *Result) separate(x *report.Race) *repair.Edit {
	if x.Advice == nil || !r.located(x) || !wantsBarrier(x) {
		return nil
	}
	return repair.Separate(r.pairs)
}

// noPlace is the advice where threads that a barrier has to wait for may be elsewhere.
const noPlace = "no single edit: no place between the accesses is reached by all threads that a barrier would wait for; move them out of the branch or loop that only some threads execute, with a barrier between"

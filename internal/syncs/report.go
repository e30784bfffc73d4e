// Answers as parts of a report: copies of one place in the source have one answer, the strictest.

package syncs

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/diff"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Fill puts the answers and the set into the report of the original.
func (r *Result) Fill(rep *report.Report) {
	rep.Sync, rep.SyncSet = []report.Sync{}, r.set()
	if rep.Exploration != nil {
		rep.Exploration.Outcomes = nil // nobody has asked for them
	}
	var places []place
	for _, a := range r.Answers {
		s, at := r.record(a), r.placeOf(a.Site)
		i := slices.Index(places, at)
		if i < 0 {
			places, rep.Sync = append(places, at), append(rep.Sync, s)
			continue
		}
		rep.Sync[i] = strictest(&rep.Sync[i], &s)
	}
}

// withoutReplays removes the schedules that repeat findings: they are those of the engine's own runs, many of them of
// edited modules.
func withoutReplays(races []*report.Race, faults []*report.FaultEvent) {
	for _, x := range races {
		for _, y := range x.Each() {
			y.Replay = ""
		}
	}
	for _, f := range faults {
		f.Replay = ""
	}
}

// place identifies what a reader of the source takes for one synchronisation: calls may lead to it in several ways.
type place struct {
	kind         isa.Sync
	library      report.Frame
	file         string
	line, column int
}

func (r *Result) placeOf(s *Site) place {
	at := s.Source()
	if at == nil {
		return place{kind: s.Kind, line: s.First().Line}
	}
	own, lib := at.Own(), report.Frame{}
	if r.libraries {
		lib, _ = s.library()
	}
	return place{s.Kind, lib, own.File, own.Line, own.Column}
}

// strictest returns the stricter one of two answers for one place, for the copies of both.
func strictest(a, b *report.Sync) report.Sync {
	rank := func(s *report.Sync) int { return slices.Index(report.SyncVerdicts, s.Verdict) }
	s, other := *a, b
	if rank(b) < rank(a) {
		s, other = *b, a
	}
	s.Copies, s.Executions = a.Copies+b.Copies, a.Executions+b.Executions
	if s.Set = s.Set && other.Set; s.Changeable() {
		s.Or = cmp.Or(s.Or, other.Or)
	}
	return s
}

// record returns an answer as a part of a report.
func (r *Result) record(a *Answer) report.Sync {
	s := report.Sync{
		Kernel: a.First().Func.Name, Kind: a.Kind.String(), Copies: len(a.Insts), Executions: a.Executions,
		Verdict: a.Verdict, To: a.To, Because: a.Because, Needs: a.Needs, Why: a.Why, Elsewhere: a.Elsewhere,
		Set: a.Chosen && r.Module != r.Original,
	}
	if lib, ok := a.library(); ok {
		s.Library = &lib
	}
	at := operation(a.Site)
	s.Instruction, s.PTX, s.Source = at.Instruction, at.PTX, at.Source
	if why := a.Because; why != nil && why.Race != nil {
		withoutReplays([]*report.Race{why.Race}, nil)
	} else if why != nil && why.Fault != nil {
		withoutReplays(nil, []*report.FaultEvent{why.Fault})
	}
	if s.Changeable() {
		holds := a.Holds
		s.Holds = &holds
	}
	for _, o := range a.With {
		s.With = append(s.With, operation(o))
	}
	s.With = append(s.With, a.counts()...)
	if o := r.other(a); o != nil {
		of := operation(o)
		s.Or = &of
	}
	return s
}

// counts returns the instructions beside those of the site that the change of an answer edits: initialisations, whose
// objects then expect fewer arrivals.
func (a *Answer) counts() (list []report.Operation) {
	if a.change == nil {
		return nil
	}
	for _, c := range a.change.edit.Changes {
		if !slices.Contains(a.Insts, c.At) {
			list = append(list, operation(&Site{Insts: []*rewrite.Inst{c.At}}))
		}
	}
	return list
}

// other returns the site that can go in place of an answer's, but not together with it; nil for none.
func (r *Result) other(a *Answer) *Site {
	if a.Or != nil {
		return a.Or
	}
	for _, b := range r.Answers {
		if b.Or == a.Site {
			return b.Site
		}
	}
	return nil
}

// operation returns the first instruction of a site.
func operation(s *Site) report.Operation {
	return report.Operation{Instruction: session.OpcodeText(s.First()), PTX: placeOfPTX(s), Source: s.Source()}
}

func placeOfPTX(s *Site) report.Place {
	return report.Place{File: s.First().Func.Module.AST.File.Name, Line: s.First().Line}
}

// set returns the changes that stand together, nil for none.
func (r *Result) set() *report.SyncSet {
	if len(r.Set) == 0 || r.Module == r.Original { // not searched to the end
		return nil
	}
	set := &report.SyncSet{Verified: r.Verified, Holds: r.Holds, Diff: r.Diff()}
	for _, c := range repair.Changes(r.Set) {
		set.Changes = append(set.Changes, report.Change{
			PTX:    report.Place{File: c.At.Func.Module.AST.File.Name, Line: c.At.Line},
			Source: session.SourceOf(c.At), Function: c.At.Func.Name, Place: string(c.Place), Old: c.At.Text() + ";",
			New: c.Statements(),
		})
	}
	return set
}

// Diff returns the set as a patch of the PTX, "" for no set.
func (r *Result) Diff() string {
	old := r.Original.AST.File
	return diff.Patch(old.Name, string(old.Src), string(r.Module.AST.File.Src))
}

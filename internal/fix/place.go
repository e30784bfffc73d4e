// Places of changes in the CUDA source.

package fix

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/fix/source"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// within is the place of a statement between two accesses of one source line.
const within repair.Place = "within"

// originsOf returns the places of the instructions of a module: the own line of each, its column, and the calls that
// lead there.
func originsOf(m *rewrite.Module) *repair.Origins {
	numbers := make(map[string]int)
	number := func(place string) int {
		if numbers[place] == 0 {
			numbers[place] = len(numbers) + 1
		}
		return numbers[place]
	}
	return repair.NewOrigins(m, func(in *rewrite.Inst) repair.Origin {
		s := session.SourceOf(in)
		if s == nil {
			return repair.Origin{}
		}
		own := s.Own()
		return repair.Origin{
			Line:   number(fmt.Sprintf("%s:%d", own.File, own.Line)),
			Column: number(fmt.Sprintf("%s:%d:%d", own.File, own.Line, own.Column)),
			Call:   number(fmt.Sprintf("%s:%s:%d:%d %v", in.Func.Name, s.File, s.Line, s.Column, s.InlinedAt)),
		}
	})
}

// changePlace returns the source line of a change, or else its PTX line.
func (r *Result) changePlace(c *repair.Change) string {
	if s := r.spotOf(c).Line; s != nil {
		own := s.Own()
		return own.String()
	}
	return fmt.Sprintf("%s:%d", c.At.Func.Module.AST.File.Name, c.At.Line)
}

// spotOf returns the place of a change for people: the one in the patch of the source, if there is one, or the
// likeliest.
func (r *Result) spotOf(c *repair.Change) source.Spot {
	for _, e := range r.Edits {
		if places := r.chosen[e]; len(places) == 1 && slices.Contains(e.Changes, *c) {
			at := source.At(places[0].Line, c.Place)
			if inserts(c) {
				at.Place = places[0].Place
			}
			return at
		}
	}
	return r.likely(c)
}

// inserts reports whether a change inserts statements.
func inserts(c *repair.Change) bool { return c.Place == repair.Before || c.Place == repair.After }

// likely returns the place in the source that a change seems to have. Compilers move and duplicate the computation of a
// line. If a statement is inserted at an instruction whose own line is not between the accesses of a race, its place is
// the nearest line of the same basic block that is. It goes after that line if the line has an access of a race before
// the inserted statement.
func (r *Result) likely(c *repair.Change) source.Spot {
	at := source.At(session.SourceOf(c.At), c.Place)
	if !inserts(c) || at.Line == nil {
		return at
	}
	if !r.between(at.Line) {
		for _, in := range inBlock(c) {
			if s := session.SourceOf(in); s != nil && r.between(s) {
				at.Line = s
				break
			}
		}
	}
	switch before, after := r.accessesAround(c, at.Line); {
	case before && after:
		at.Place = within
	case before:
		at.Place = repair.After
	case after:
		at.Place = repair.Before
	}
	return at
}

// places returns the places that an edit may have in the source, the likeliest first: several for an edit of the arms
// of a branch. Statements go to where they fit.
func (r *Result) places(s *source.File, e *repair.Edit) (list [][]source.Spot) {
	if e.Parts() {
		return r.parts(s, e)
	}
	if e.Op == repair.SplitBarrier {
		if at := r.arms(e); at != nil {
			list = append(list, at)
		}
		return list
	}
	if at := r.lines(s, e); len(at) > 1 {
		list = append(list, at)
	}
	seen := make(map[source.Spot]bool)
	for _, at := range r.spots(e) {
		if at.Line == nil {
			continue
		}
		for _, n := range s.Candidates(at) {
			x := source.At(&report.Source{File: at.Line.Own().File, Line: n}, at.Place)
			if key := source.At(nil, repair.Place(fmt.Sprint(n, x.Place))); !seen[key] &&
				s.HasForm(e, []source.Spot{x}) {
				seen[key] = true
				list = append(list, []source.Spot{x})
			}
		}
	}
	return list
}

// lines returns the places of all changes of an edit that changes several instructions, nil for another edit, and if
// one has no form.
func (r *Result) lines(s *source.File, e *repair.Edit) (list []source.Spot) {
	for _, c := range e.Changes {
		one := *e
		one.Changes = []repair.Change{c}
		if inserts(&c) || len(e.Changes) == 1 {
			return nil
		}
		at := r.places(s, &one)
		if len(at) == 0 {
			return nil
		}
		same := func(x source.Spot) bool { return x.Line.Line == at[0][0].Line.Line }
		if !slices.ContainsFunc(list, same) {
			list = append(list, at[0]...)
		}
	}
	return list
}

// parts returns the places at which a branch may end and continue, with a barrier between that all threads reach.
func (r *Result) parts(s *source.File, e *repair.Edit) (list [][]source.Spot) {
	for i := range e.Changes {
		at := r.likely(&e.Changes[i])
		if !strings.HasPrefix(e.Changes[i].Text, "@") && s.HasForm(e, []source.Spot{at}) {
			list = append(list, []source.Spot{at})
		}
	}
	return list
}

// arms returns the places of barriers in the arms of a branch, nil if there is one for threads that do not take an arm.
func (r *Result) arms(e *repair.Edit) (list []source.Spot) {
	for i := range e.Changes {
		at := r.likely(&e.Changes[i])
		if strings.HasPrefix(e.Changes[i].Text, "@") || at.Line == nil {
			return nil
		}
		list = append(list, at)
	}
	return list
}

// spots returns the places of the changes of an edit, and for statements, the places beside the accesses of races.
// Those within a line come last: other copies of the line may show the side.
func (r *Result) spots(e *repair.Edit) (list []source.Spot) {
	statement := false
	for i := range e.Changes {
		c := &e.Changes[len(e.Changes)-1-i]
		at := r.likely(c)
		if c.Place == repair.Strengthen { // or a fence beside the access
			at.Place = beside[e.Op]
		}
		list = append(list, at, source.At(session.SourceOf(c.At), at.Place))
		statement = statement || inserts(c)
	}
	slices.SortStableFunc(list, func(a, b source.Spot) int { return cmp.Compare(rank(a), rank(b)) })
	for _, x := range r.pairs {
		if statement {
			first, second := session.SourceOf(x.First), session.SourceOf(x.Second)
			list = append(list, source.At(second, repair.Before), source.At(first, repair.After),
				source.At(first, repair.Before), source.At(second, repair.After))
		}
	}
	return list
}

// beside has the sides of an access on which fences take the place of its order.
var beside = map[repair.Op]repair.Place{repair.Release: repair.Before, repair.Acquire: repair.After}

func rank(at source.Spot) int {
	if at.Place == within {
		return 1
	}
	return 0
}

// accessesAround reports whether the nearest access of a race before a change, in its basic block, is of a line, and
// the nearest one behind it: others are of copies of the line.
func (r *Result) accessesAround(c *repair.Change, line *report.Source) (before, after bool) {
	f := c.At.Func
	b := f.CFG().BlockOf[c.At.Index]
	split := c.At.Index
	if c.Place == repair.After {
		split++
	}
	of := func(insts []*rewrite.Inst) bool {
		for _, in := range insts {
			if r.races(in) {
				s := session.SourceOf(in)
				return s != nil && s.Own().File == line.Own().File && s.Own().Line == line.Own().Line
			}
		}
		return false
	}
	above := slices.Clone(f.Insts[b.Start:split])
	slices.Reverse(above)
	return of(above), of(f.Insts[split:b.End])
}

// races reports whether an instruction, or another copy of it, is an access of a race.
func (r *Result) races(in *rewrite.Inst) bool {
	origins := r.fixer.origins
	return slices.ContainsFunc(r.pairs, func(x *repair.Race) bool {
		return slices.ContainsFunc([]*rewrite.Inst{x.First, x.Second},
			func(a *rewrite.Inst) bool { return a.Opcode() == in.Opcode() && origins.Same(a, in) })
	})
}

// inBlock returns the instructions of the basic block of a change from the nearest one on: those after it, then those
// before it; for a change that is inserted after an instruction, the other way round.
func inBlock(c *repair.Change) []*rewrite.Inst {
	f := c.At.Func
	b := f.CFG().BlockOf[c.At.Index]
	before, after := slices.Clone(f.Insts[b.Start:c.At.Index+1]), f.Insts[c.At.Index:b.End]
	slices.Reverse(before)
	if c.Place == repair.After {
		return append(before, after...)
	}
	return slices.Concat(after, before)
}

// spans reports whether a place is between those of two accesses, or one of them: in the innermost function that
// contains both, from one line to the other.
func spans(first, second *report.Access, at *report.Source) bool {
	if first.Source == nil || second.Source == nil {
		return false
	}
	a, b := report.Apart(first.Source, second.Source)
	for _, x := range at.Calls() {
		if a.File == x.File && b.File == x.File && min(a.Line, b.Line) <= x.Line && x.Line <= max(a.Line, b.Line) {
			return true
		}
	}
	return false
}

// between reports whether a line is between the lines of the two accesses of a race, or is one of them.
func (r *Result) between(s *report.Source) bool {
	for _, x := range r.Races {
		for _, y := range x.Each() {
			if spans(&y.First, &y.Second, s) {
				return true
			}
		}
	}
	return slices.ContainsFunc(r.Weak, func(x *report.FaultEvent) bool {
		return slices.ContainsFunc(x.Reordered, func(y report.Reordering) bool { return spans(&y.First, &y.Second, s) })
	})
}

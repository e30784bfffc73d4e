// Places of changes in the CUDA source.

package fix

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// within is the place of a statement between two accesses of one source line.
const within repair.Place = "within"

// spot is the place of a change for people: a line of the CUDA source, nil if unknown, and for inserted statements the
// side of the line.
type spot struct {
	line  *report.Source
	place repair.Place
}

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
	if s := r.spotOf(c).line; s != nil {
		own := s.Own()
		return own.String()
	}
	return fmt.Sprintf("%s:%d", c.At.Func.Module.AST.File.Name, c.At.Line)
}

// spotOf returns the place of a change for people: the one in the patch of the source, if there is one, or the
// likeliest.
func (r *Result) spotOf(c *repair.Change) spot {
	for _, e := range r.Edits {
		if places := r.chosen[e]; len(places) == 1 && slices.Contains(e.Changes, *c) {
			at := spot{places[0].line, c.Place}
			if inserts(c) {
				at.place = places[0].place
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
func (r *Result) likely(c *repair.Change) spot {
	at := spot{session.SourceOf(c.At), c.Place}
	if !inserts(c) || at.line == nil {
		return at
	}
	if !r.between(at.line) {
		for _, in := range inBlock(c) {
			if s := session.SourceOf(in); s != nil && r.between(s) {
				at.line = s
				break
			}
		}
	}
	switch before, after := r.accessesAround(c, at.line); {
	case before && after:
		at.place = within
	case before:
		at.place = repair.After
	case after:
		at.place = repair.Before
	}
	return at
}

// places returns the places that an edit may have in the source, the likeliest first: several for an edit of the arms
// of a branch. Statements go to where they fit.
func (r *Result) places(s *source, e *repair.Edit) (list [][]spot) {
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
	seen := make(map[spot]bool)
	for _, at := range r.spots(e) {
		if at.line == nil {
			continue
		}
		for _, n := range s.candidates(at) {
			x := spot{&report.Source{File: at.line.Own().File, Line: n}, at.place}
			if key := (spot{nil, repair.Place(fmt.Sprint(n, x.place))}); !seen[key] &&
				newSource(s.name, s.src).edit(e, []spot{x}) {
				seen[key] = true
				list = append(list, []spot{x})
			}
		}
	}
	return list
}

// lines returns the places of all changes of an edit that changes several instructions, nil for another edit, and if
// one has no form.
func (r *Result) lines(s *source, e *repair.Edit) (list []spot) {
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
		same := func(x spot) bool { return x.line.Line == at[0][0].line.Line }
		if !slices.ContainsFunc(list, same) {
			list = append(list, at[0]...)
		}
	}
	return list
}

// parts returns the places at which a branch may end and continue, with a barrier between that all threads reach.
func (r *Result) parts(s *source, e *repair.Edit) (list [][]spot) {
	for i := range e.Changes {
		at := r.likely(&e.Changes[i])
		if !strings.HasPrefix(e.Changes[i].Text, "@") && newSource(s.name, s.src).edit(e, []spot{at}) {
			list = append(list, []spot{at})
		}
	}
	return list
}

// arms returns the places of barriers in the arms of a branch, nil if there is one for threads that do not take an arm.
func (r *Result) arms(e *repair.Edit) (list []spot) {
	for i := range e.Changes {
		at := r.likely(&e.Changes[i])
		if strings.HasPrefix(e.Changes[i].Text, "@") || at.line == nil {
			return nil
		}
		list = append(list, at)
	}
	return list
}

// spots returns the places of the changes of an edit, and for statements, the places beside the accesses of races.
// Those within a line come last: other copies of the line may show the side.
func (r *Result) spots(e *repair.Edit) (list []spot) {
	statement := false
	for i := range e.Changes {
		c := &e.Changes[len(e.Changes)-1-i]
		at := r.likely(c)
		if c.Place == repair.Strengthen { // or a fence beside the access
			at.place = beside[e.Op]
		}
		list = append(list, at, spot{session.SourceOf(c.At), at.place})
		statement = statement || inserts(c)
	}
	slices.SortStableFunc(list, func(a, b spot) int { return cmp.Compare(rank(a), rank(b)) })
	for _, x := range r.pairs {
		if statement {
			first, second := session.SourceOf(x.First), session.SourceOf(x.Second)
			list = append(list, spot{second, repair.Before}, spot{first, repair.After}, spot{first, repair.Before},
				spot{second, repair.After})
		}
	}
	return list
}

// beside has the sides of an access on which fences take the place of its order.
var beside = map[repair.Op]repair.Place{repair.Release: repair.Before, repair.Acquire: repair.After}

func rank(at spot) int {
	if at.place == within {
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

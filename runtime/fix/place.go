// Places of changes in the CUDA source.

package fix

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/passes/repair"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// within is the place of a statement between two accesses of one source line.
const within repair.Place = "within"

// spot is the place of a change for people: a line of the CUDA source, nil if unknown, and for inserted statements the side of
// the line.
type spot struct {
	line  *report.Source
	place repair.Place
}

// originsOf returns the places of the instructions of a module: the own line of each, and that with its callers.
func originsOf(m *rewrite.Module) repair.Origins {
	origins := make(repair.Origins)
	numbers := make(map[string]int)
	number := func(place string) int {
		if numbers[place] == 0 {
			numbers[place] = len(numbers) + 1
		}
		return numbers[place]
	}
	for _, f := range m.Funcs {
		for _, in := range f.Insts {
			if s := session.SourceOf(in); s != nil {
				own := s.Own()
				origins[in] = repair.Origin{
					Line: number(fmt.Sprintf("%s:%d:%d", own.File, own.Line, own.Column)),
					Call: number(fmt.Sprintf("%s:%s:%d:%d %v", f.Name, s.File, s.Line, s.Column, s.InlinedAt)),
				}
			}
		}
	}
	return origins
}

// changePlace returns the source line of a change, or else its PTX line.
func (r *Result) changePlace(c *repair.Change) string {
	if s := r.spotOf(c).line; s != nil {
		own := s.Own()
		return own.String()
	}
	return fmt.Sprintf("%s:%d", c.At.Func.Module.AST.File.Name, c.At.Line)
}

// spotOf returns the place of a change for people: the one in the patch of the source, if there is one. Compilers move and duplicate
// the computation of a line. If a statement is inserted at an instruction whose own line is not between the accesses of a race, its
// place is the nearest line of the same basic block that is. It goes after that line if the line has an access of a race before the
// inserted statement.
func (r *Result) spotOf(c *repair.Change) spot {
	at := spot{session.SourceOf(c.At), c.Place}
	inserts := c.Place == repair.Before || c.Place == repair.After
	for e, places := range r.chosen {
		if len(places) == 1 && slices.Contains(e.Changes, *c) {
			if at.line = places[0].line; inserts {
				at.place = places[0].place
			}
			return at
		}
	}
	if !inserts || at.line == nil {
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

// accessesAround reports whether the nearest access of a race before a change, in its basic block, is of a line, and the nearest one
// behind it: others are of copies of the line.
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
		return slices.ContainsFunc([]*rewrite.Inst{x.First, x.Second}, func(a *rewrite.Inst) bool { return a.Opcode() == in.Opcode() && origins.SameLine(a, in) })
	})
}

// inBlock returns the instructions of the basic block of a change from the nearest one on: those after it, then those before it; for a
// change that is inserted after an instruction, the other way round.
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

// spans reports whether a line is one of the lines of two accesses, or between them.
func spans(first, second *report.Access, at report.Frame) bool {
	if first.Source == nil || second.Source == nil {
		return false
	}
	a, b := first.Source.Own(), second.Source.Own()
	return a.File == at.File && b.File == at.File && min(a.Line, b.Line) <= at.Line && at.Line <= max(a.Line, b.Line)
}

// between reports whether a line is between the lines of the two accesses of a race, or is one of them.
func (r *Result) between(s *report.Source) bool {
	at := s.Own()
	for _, x := range r.Races {
		for _, y := range x.Each() {
			if spans(&y.First, &y.Second, at) {
				return true
			}
		}
	}
	return slices.ContainsFunc(r.Weak, func(x *report.FaultEvent) bool {
		return slices.ContainsFunc(x.Reordered, func(y report.Reordering) bool { return spans(&y.First, &y.Second, at) })
	})
}

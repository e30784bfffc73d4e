// Places of changes in the CUDA source.

package fix

import (
	"fmt"

	"github.com/ptxsan/ptxsan/passes/repair"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// within is the place of a statement between two accesses of one source line.
const within repair.Place = "within"

// spot is where people make a change: a line of the CUDA source, nil when it is unknown, and for
// statements that are inserted, on which side of it.
type spot struct {
	line  *report.Source
	place repair.Place
}

// changePlace is the source line of a change, or its PTX line.
func (r *Result) changePlace(c *repair.Change) string {
	if s := r.spotOf(c).line; s != nil {
		own := s.Own()
		return fmt.Sprintf("%s:%d", own.File, own.Line)
	}
	return fmt.Sprintf("%s:%d", c.At.Func.Module.AST.File.Name, c.At.Line)
}

// spotOf is where people make a change. Compilers move what a line computes and repeat it elsewhere: when a
// statement is inserted at an instruction whose own line is not between the accesses of a race, it belongs to
// the nearest line of the same basic block that is. It stands behind that line when this has an access of a race in
// front of the inserted statement.
func (r *Result) spotOf(c *repair.Change) spot {
	at := spot{session.SourceOf(c.At), c.Place}
	if c.Place != repair.Before && c.Place != repair.After || at.line == nil {
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

// accessesAround reports whether a line has accesses of a race in front of and behind a change, in its basic block.
func (r *Result) accessesAround(c *repair.Change, line *report.Source) (before, after bool) {
	g := c.At.Func.CFG()
	for _, x := range r.pairs {
		for _, in := range []*rewrite.Inst{x.First, x.Second} {
			s := session.SourceOf(in)
			if in.Func != c.At.Func || g.BlockOf[in.Index] != g.BlockOf[c.At.Index] || s == nil || s.Own().File != line.Own().File || s.Own().Line != line.Own().Line {
				continue
			}
			if in.Index < c.At.Index || in == c.At && c.Place == repair.After {
				before = true
			} else {
				after = true
			}
		}
	}
	return before, after
}

// inBlock are the instructions of the basic block from a change on: behind it, or for one that comes after an
// instruction, those in front of it.
func inBlock(c *repair.Change) (list []*rewrite.Inst) {
	f := c.At.Func
	b := f.CFG().BlockOf[c.At.Index]
	if c.Place == repair.After {
		for i := c.At.Index; i >= b.Start; i-- {
			list = append(list, f.Insts[i])
		}
		return list
	}
	return f.Insts[c.At.Index:b.End]
}

// between reports whether a line is between those of the two accesses of a race, or one of them.
func (r *Result) between(s *report.Source) bool {
	at := s.Own()
	for _, x := range r.Races {
		for _, y := range x.Each() {
			if y.First.Source == nil || y.Second.Source == nil {
				continue
			}
			a, b := y.First.Source.Own(), y.Second.Source.Own()
			if a.File == at.File && b.File == at.File && min(a.Line, b.Line) <= at.Line && at.Line <= max(a.Line, b.Line) {
				return true
			}
		}
	}
	return false
}

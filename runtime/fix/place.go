// Places of changes in the CUDA source.

package fix

import (
	"fmt"

	"github.com/ptxsan/ptxsan/passes/repair"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// changePlace is the source line of a change, or its PTX line.
func (r *Result) changePlace(c *repair.Change) string {
	if s := r.sourceOf(c); s != nil {
		own := s.Own()
		return fmt.Sprintf("%s:%d", own.File, own.Line)
	}
	return fmt.Sprintf("%s:%d", c.At.Func.Module.AST.File.Name, c.At.Line)
}

// sourceOf is the source line where people make a change, nil when it is unknown. Compilers move what a line
// computes and repeat it elsewhere: when a statement is inserted at an instruction whose own line is not between
// the accesses of a race, it belongs to the nearest one of the same basic block that is.
func (r *Result) sourceOf(c *repair.Change) *report.Source {
	own := session.SourceOf(c.At)
	if c.Place != repair.Before && c.Place != repair.After || own == nil || r.between(own) {
		return own
	}
	for _, in := range inBlock(c) {
		if s := session.SourceOf(in); s != nil && r.between(s) {
			return s
		}
	}
	return own
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

// Conflicts between queued edits.

package rewrite

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// change is a queued change of existing text: a token, an instruction, a region.
type change struct {
	at   ptxgrammar.Range
	text string
	what string // the edit that queued it, for messages
	// known marks replaced instructions, which editWriter.replace writes: such a change is used only to find conflicts.
	known bool
	moves bool // the text is moved, and nothing is inserted
}

// change queues a change of text.
func (e *Editor) change(at ptxgrammar.Range, text, what string) {
	e.changes = append(e.changes, change{at: at, text: text, what: what})
}

// resolve sorts the changes by position, drops duplicates and records overlaps as errors. Insertions at one position do
// not overlap.
func (e *Editor) resolve() []change {
	list := slices.Clone(e.changes)
	slices.SortStableFunc(list, func(a, b change) int {
		if a.at.Start != b.at.Start {
			return int(int64(a.at.Start) - int64(b.at.Start))
		}
		return int(int64(a.at.End) - int64(b.at.End))
	})
	var out []change
	var widest change // the change so far that ends last
	for _, c := range list {
		if n := len(out); n > 0 && out[n-1] == c && c.at.Start < c.at.End && !c.known {
			continue
		}
		if c.at.Start < widest.at.End {
			e.conflict(widest, c)
		}
		if c.at.End >= widest.at.End {
			widest = c
		}
		out = append(out, c)
	}
	e.checkRegions(list)
	return out
}

// conflict records an error about two changes of the same text.
func (e *Editor) conflict(a, b change) {
	at := b.at
	if a.at.Start > at.Start || a.at.End < at.End {
		at = a.at
	}
	e.errs = append(e.errs, &ptxgrammar.Error{
		Pos: e.m.AST.File.Position(at.Start),
		Msg: fmt.Sprintf("%s and %s both change %q", a.what, b.what, oneLine(e.m.AST.Text(at))),
	})
}

// checkRegions records errors about insertions into text that is moved elsewhere.
func (e *Editor) checkRegions(list []change) {
	for _, c := range list {
		if !c.moves {
			continue
		}
		for _, f := range e.m.Funcs {
			if fe := e.funcs[f]; fe != nil && f.AST.Start <= c.at.Start && c.at.End <= f.AST.End {
				e.checkRegion(fe, c)
			}
		}
	}
}

// checkRegion records errors about insertions inside a region. Insertions before its first and after its last
// instruction are allowed.
func (e *Editor) checkRegion(fe *funcEdit, c change) {
	ast := e.m.AST
	for _, in := range fe.f.Insts {
		s := fe.sites[in.Index]
		if s == nil {
			continue
		}
		start, end := ast.InstRange(in.AST).Start, ast.InstRange(fe.f.Insts[s.last].AST).End
		inside := start < c.at.End && end > c.at.Start
		before := len(s.before)+len(s.inner) > 0 && start > c.at.Start
		after := len(s.after) > 0 && end < c.at.End
		if inside && (before || after || s.guarded()) {
			_ = e.errorf(in, "%s moves %q, at which something is inserted", c.what, in.Text())
		}
	}
}

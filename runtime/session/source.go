// Places in the CUDA source, from the line tables of the PTX.

package session

import (
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// SourceOf is the place of an instruction in the CUDA source, nil when it is not
// known. Some compilers, clang 19 among them, do not say in PTX where code of a
// toolkit's header is inlined; the caller is then the nearest guess.
func SourceOf(in *rewrite.Inst) *report.Source {
	s := locOf(in)
	if s != nil && s.Line == 0 {
		s = placeOfHoisted(in, s)
	}
	if s == nil || !s.InHeader() {
		return s
	}
	if caller := callerOf(in); caller != nil {
		s.InlinedAt = append(append(s.InlinedAt, report.Frame{File: caller.File, Line: caller.Line, Column: caller.Column}), caller.InlinedAt...)
	}
	return s
}

// placeOfHoisted is a place for an instruction whose .loc directive has line 0, as compilers
// give code that they have moved or made: where it is inlined, else the guess of callerOf.
func placeOfHoisted(in *rewrite.Inst, s *report.Source) *report.Source {
	for i, f := range s.InlinedAt {
		if f.Line > 0 {
			return &report.Source{File: f.File, Line: f.Line, Column: f.Column, InlinedAt: s.InlinedAt[i+1:]}
		}
	}
	return callerOf(in)
}

// callerOf guesses the line of the user's that the header's code was inlined at:
// where the result is used, when that is in the same basic block, else the line
// that stands nearest above in the PTX, else nearest below.
func callerOf(in *rewrite.Inst) *report.Source {
	insts := in.Func.Insts
	g := in.Func.CFG()
	for _, next := range insts[in.Index+1 : g.BlockOf[in.Index].End] {
		if usesResult(next, in) {
			if s := ownLoc(next); s != nil {
				return s
			}
		}
	}
	for i := in.Index - 1; i >= 0; i-- {
		if s := ownLoc(insts[i]); s != nil {
			return s
		}
	}
	for _, next := range insts[in.Index+1:] {
		if s := ownLoc(next); s != nil {
			return s
		}
	}
	return nil
}

// usesResult reports whether an instruction reads a register that another one
// writes.
func usesResult(in, result *rewrite.Inst) bool {
	found := false
	result.Defs(func(d *rewrite.Reg) {
		in.Uses(func(u *rewrite.Reg) { found = found || u == d })
	})
	return found
}

// ownLoc is the place of an instruction of the user's own code, nil for others.
func ownLoc(in *rewrite.Inst) *report.Source {
	if s := locOf(in); s != nil && s.Line > 0 && !s.InHeader() {
		return s
	}
	return nil
}

// locOf is the place that the .loc directive says.
func locOf(in *rewrite.Inst) *report.Source {
	if in.Loc == nil {
		return nil
	}
	s := &report.Source{File: in.Loc.File, Line: in.Loc.Line, Column: in.Loc.Col}
	for at := in.Loc.InlinedAt; at != nil; at = at.InlinedAt {
		s.InlinedAt = append(s.InlinedAt, report.Frame{File: at.File, Line: at.Line, Column: at.Col})
	}
	return s
}

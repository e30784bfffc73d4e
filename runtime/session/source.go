// Places in the CUDA source, from the line tables of the PTX.

package session

import (
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// SourceOf returns the place of an instruction in the CUDA source, nil if unknown. In a function with line information, code
// without it has been moved or made by the compiler: its place is a guess, that of callerOf.
func SourceOf(in *rewrite.Inst) *report.Source {
	if s := statedSource(in); s != nil {
		return s
	}
	return callerOf(in)
}

// statedSource returns the place that the PTX gives for an instruction, nil for none. Some compilers, such as clang 19, do not
// say in PTX where code of a toolkit's header is inlined; the caller is then guessed.
func statedSource(in *rewrite.Inst) *report.Source {
	s := locOf(in)
	if s == nil || !s.InHeader() {
		return s
	}
	if caller := callerOf(in); caller != nil {
		s.InlinedAt = append(append(s.InlinedAt, report.Frame{File: caller.File, Line: caller.Line, Column: caller.Column}), caller.InlinedAt...)
	}
	return s
}

// callerOf guesses the user's line at which code of a header was inlined: where the result is used in the same basic block, else
// the nearest line above in the PTX, else the nearest below.
func callerOf(in *rewrite.Inst) *report.Source {
	insts := in.Func.Insts
	g := in.Func.CFG()
	headers := make(headers)
	for _, next := range insts[in.Index+1 : g.BlockOf[in.Index].End] {
		if usesResult(next, in) {
			if s := headers.ownLoc(next); s != nil {
				return s
			}
		}
	}
	for i := in.Index - 1; i >= 0; i-- {
		if s := headers.ownLoc(insts[i]); s != nil {
			return s
		}
	}
	for _, next := range insts[in.Index+1:] {
		if s := headers.ownLoc(next); s != nil {
			return s
		}
	}
	return nil
}

// usesResult reports whether an instruction reads a register that another writes.
func usesResult(in, result *rewrite.Inst) bool {
	found := false
	result.Defs(func(d *rewrite.Reg) {
		in.Uses(func(u *rewrite.Reg) { found = found || u == d })
	})
	return found
}

// headers caches which file names are headers of a toolkit: thousands of instructions name few files.
type headers map[string]bool

// ownLoc returns the place of an instruction of the user's own code, nil for other instructions.
func (h headers) ownLoc(in *rewrite.Inst) *report.Source {
	outer := in.Loc
	for outer != nil && outer.InlinedAt != nil {
		outer = outer.InlinedAt
	}
	if outer == nil || in.Loc.Line == 0 || h[outer.File] {
		return nil
	}
	s := locOf(in)
	if s.InHeader() {
		h[outer.File] = true
		return nil
	}
	return s
}

// locOf returns the place in the .loc directive.
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

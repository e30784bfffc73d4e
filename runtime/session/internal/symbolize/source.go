// Places in the CUDA source, from the line tables of the PTX.

package symbolize

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// SourceOf returns the place of an instruction in the CUDA source, nil if unknown. In a function with line information,
// code without it has been moved or made by the compiler: its place is a guess, that of callerOf.
func SourceOf(in *rewrite.Inst) *report.Source {
	if s := StatedSource(in); s != nil {
		return s
	}
	if s := callerOf(in); s != nil {
		own := *s // the original is kept for other instructions
		own.InlinedAt, own.Approximate = slices.Clip(own.InlinedAt), true
		return &own
	}
	return nil
}

// StatedSource returns the place that the PTX gives for an instruction, nil for none. Some compilers, such as clang 19,
// do not say in PTX where code of a toolkit's header is inlined; the caller is then guessed.
func StatedSource(in *rewrite.Inst) *report.Source {
	s := locOf(in)
	if s == nil || !s.InHeader() {
		return s
	}
	if caller := callerOf(in); caller != nil {
		s.InlinedAt = append(append(s.InlinedAt, report.Frame{
			File: caller.File, Line: caller.Line,
			Column: caller.Column,
		}), caller.InlinedAt...)
	}
	return s
}

// callerOf guesses the user's line at which code of a header was inlined: where the result is used in the same basic
// block, else the nearest line above in the PTX, else the nearest below.
func callerOf(in *rewrite.Inst) *report.Source {
	own := ownLocs(in.Func)
	if own == nil {
		return nil
	}
	end := in.Func.CFG().BlockOf[in.Index].End
	for i, next := range in.Func.Insts[in.Index+1 : end] {
		if s := own[in.Index+1+i]; s != nil && usesResult(next, in) {
			return s
		}
	}
	for _, s := range slices.Backward(own[:in.Index]) {
		if s != nil {
			return s
		}
	}
	for _, s := range own[in.Index+1:] {
		if s != nil {
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

// ownLocs returns the places of a function's instructions of the user's own code, by index; nil for other instructions.
// The result is nil if there are none.
func ownLocs(f *rewrite.Func) []*report.Source {
	return f.Memo(ownLocsKey{}, func() any {
		var own []*report.Source
		headers := map[string]bool{} // files that are headers of a toolkit: thousands of instructions name few files
		for i, in := range f.Insts {
			s := ownLoc(in, headers)
			if s != nil && own == nil {
				own = make([]*report.Source, len(f.Insts))
			}
			if s != nil {
				own[i] = s
			}
		}
		return own
	}).([]*report.Source)
}

// ownLocsKey is the key under which a function caches its ownLocs.
type ownLocsKey struct{}

// ownLoc returns the place of an instruction in a function of the user, nil for other instructions. Kernels of a
// library have none: the user's functors that they call are no callers of the library's code.
func ownLoc(in *rewrite.Inst, headers map[string]bool) *report.Source {
	outer := in.Loc
	for outer != nil && outer.InlinedAt != nil {
		outer = outer.InlinedAt
	}
	if outer == nil || in.Loc.Line == 0 || headers[outer.File] {
		return nil
	}
	s := locOf(in)
	if s.OfHeader() {
		headers[outer.File] = true
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

// SiteSource returns the place of a site in the form of reports.
func SiteSource(s *abi.Source) *report.Source {
	if s == nil {
		return nil
	}
	out := &report.Source{File: s.File, Line: s.Line, Column: s.Column}
	for at := s.InlinedAt; at != nil; at = at.InlinedAt {
		out.InlinedAt = append(out.InlinedAt, report.Frame{File: at.File, Line: at.Line, Column: at.Column})
	}
	return out
}

// AccessOf describes an instruction that accesses memory, and its function. Access is empty unless the instruction is
// atomic.
func AccessOf(in *rewrite.Inst) report.Access {
	a := report.Access{
		Instruction: OpcodeText(in), PTX: report.Place{File: in.Func.Module.AST.File.Name, Line: in.Line},
		Source: SourceOf(in), Function: in.Func.Name, NoGridControl: noGridControl(in),
	}
	if in.Access.Kind == isa.AccessAtomic {
		a.Access = in.Access.Kind.Word()
	}
	return a
}

// noGridControl returns the target of an instruction's module if none of the module is griddepcontrol, else "".
func noGridControl(in *rewrite.Inst) string {
	m := in.Func.Module
	if m.OrdersGrids() || len(m.AST.Target) == 0 {
		return ""
	}
	return m.AST.Target[0]
}

// UsersOwn returns a function that maps an instruction of an instrumented program to the user's instruction, nil for
// inserted ones.
func UsersOwn(user *rewrite.Module) func(*rewrite.Inst) *rewrite.Inst {
	byLine := instsByLine(user)
	return func(in *rewrite.Inst) *rewrite.Inst {
		if line := UserLine(in); line != 0 {
			return alike(byLine[line], in)
		}
		return nil
	}
}

// UserLine returns the line of an instruction in the user's program, 0 for one that a pass has inserted.
func UserLine(in *rewrite.Inst) int { return in.Func.Module.Origin(in.Line).Line }

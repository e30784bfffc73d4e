// Package instrument has what instrumenting passes share:
//
//   - which instructions are the user's;
//   - hook calls that are planned first, and inserted after the device library has been linked;
//   - regions of instructions that execute equally often;
//   - accesses that need no hook because an earlier one covers them, and accesses in loops that
//     need a hook only the first time.
//
// It must not know any particular pass, nor what a hook does.
package instrument

import (
	"iter"
	"slices"

	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Own reports whether an instruction is the user's: not a library's, and not
// inserted by a pass.
func Own(in *rewrite.Inst) bool { return in.Func.Module.Origin(in.Line).Pass == "" }

// OwnFunc reports whether a function is the user's.
func OwnFunc(f *rewrite.Func) bool {
	return f.Module.Origin(f.Module.AST.File.Line(f.AST.NameAt.Start)).Pass == ""
}

// Insts returns the user's instructions in source order.
func Insts(m *rewrite.Module) iter.Seq[*rewrite.Inst] {
	return func(yield func(*rewrite.Inst) bool) {
		for _, f := range m.Funcs {
			for _, in := range f.Insts {
				if Own(in) && !yield(in) {
					return
				}
			}
		}
	}
}

// Lines returns the lines of the user's program for the instructions of a function, by index: lines of the CUDA source
// if the function has .loc directives, innermost where code was inlined, else of the PTX. Instructions without a line
// (.loc with line 0) get that of the instruction before them.
func Lines(f *rewrite.Func) []abi.Line {
	lines := make([]abi.Line, len(f.Insts))
	var last *rewrite.SourceLoc
	if i := slices.IndexFunc(f.Insts, func(in *rewrite.Inst) bool { return in.Loc != nil }); i >= 0 {
		last = f.Insts[i].Loc
	}
	for i, in := range f.Insts {
		if in.Loc != nil {
			last = in.Loc
		}
		if last != nil {
			lines[i] = abi.Line{File: last.File, Line: last.Line}
		} else {
			lines[i] = abi.Line{File: in.Position().File, Line: sites.Line(in)}
		}
	}
	return lines
}

// Accesses reports whether the instruction accesses memory in one of the spaces;
// SpaceNone stands for generic addresses.
func Accesses(in *rewrite.Inst, spaces ...isa.Space) bool {
	if in.Access.Kind == isa.AccessNone {
		return false
	}
	for _, s := range spaces {
		if in.Access.Space == s {
			return true
		}
	}
	return false
}

// Package sites converts instructions to entries of the site table, to which device code,
// detectors and reports refer.
//
// It must not know who instruments or observes the instructions, nor why.
package sites

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Of describes an instruction. The caller sets the ID.
func Of(in *rewrite.Inst) abi.Site {
	return abi.Site{
		Access: accessOf(in), Instruction: in.Opcode(),
		Function: in.Func.Name, Entry: in.Func.Entry,
		Space: in.Space.String(), Scope: in.MemoryScope().String(), Size: in.Access.Size,
		PTX:    abi.Place{File: in.Position().File, Line: Line(in)},
		Source: source(in.Loc),
	}
}

// accessOf returns the word for the access of an instruction.
func accessOf(in *rewrite.Inst) string {
	switch {
	case in.Instr.Class == isa.ClassFence:
		return "fence"
	case in.Instr.Class == isa.ClassBarrier:
		return "barrier"
	case in.Access.Kind == isa.AccessNone:
		return isa.AccessLoad.Word()
	}
	return in.Access.Kind.Word()
}

// Line returns the line in the user's PTX, before any pass.
func Line(in *rewrite.Inst) int { return in.Func.Module.Origin(in.Line).Line }

// source returns the place in the CUDA source, innermost first.
func source(loc *rewrite.SourceLoc) *abi.Source {
	if loc == nil {
		return nil
	}
	return &abi.Source{File: loc.File, Line: loc.Line, Column: loc.Col, InlinedAt: source(loc.InlinedAt)}
}

// Suggestions: operations of a program that a report names as places for a fence or barrier.

package symbolize

import (
	"cmp"
	"slices"

	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// after returns the first operation of some kind that can follow an access, nil when there is none.
func (n *Symbolizer) after(site *abi.Site, kind operationKind) *report.Operation {
	from := n.instOf(site)
	if from == nil {
		return nil
	}
	in := reachable(from, positionsOf(from.Func, kind), nil)
	if in == nil {
		return nil
	}
	return n.operation(in)
}

func (n *Symbolizer) operation(in *rewrite.Inst) *report.Operation {
	o := Operation(in)
	return &o
}

// Operation describes an instruction of a program.
func Operation(in *rewrite.Inst) report.Operation {
	return report.Operation{
		Instruction: OpcodeText(in),
		PTX:         report.Place{File: in.Func.Module.AST.File.Name, Line: in.Line},
		Source:      SourceOf(in),
	}
}

// at returns the operation of a site, nil when it is unknown.
func (n *Symbolizer) at(id uint32) *report.Operation {
	site := n.site(id)
	if site == nil {
		return nil
	}
	if n.User != nil {
		if in := n.instOf(site); in != nil {
			return n.operation(in)
		}
	}
	return &report.Operation{
		Instruction: site.Instruction, PTX: report.Place{File: site.PTX.File, Line: site.PTX.Line},
		Source: SiteSource(site.Source),
	}
}

// instOf returns the user's instruction at a site, nil when it is not found.
func (n *Symbolizer) instOf(site *abi.Site) *rewrite.Inst {
	in, known := n.insts[site]
	if !known {
		if n.insts == nil {
			n.insts = make(map[*abi.Site]*rewrite.Inst)
		}
		in = n.findInst(site)
		n.insts[site] = in
	}
	return in
}

// findInst searches the instructions of a function, which are in the order of their lines.
func (n *Symbolizer) findInst(site *abi.Site) *rewrite.Inst {
	f := n.User.Func(site.Function)
	if f == nil {
		return nil
	}
	first, _ := slices.BinarySearchFunc(f.Insts, site.PTX.Line,
		func(in *rewrite.Inst, line int) int { return cmp.Compare(in.Line, line) })
	for _, in := range f.Insts[first:] {
		switch {
		case in.Line != site.PTX.Line:
			return nil
		case OpcodeText(in) == site.Instruction:
			return in
		}
	}
	return nil
}

// Suggestions: operations of a program that a report names as places for a fence or barrier.

package session

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// after returns the first operation that satisfies match and can follow an access, nil
// when there is none.
func (n *symbolizer) after(site *abi.Site, match func(*rewrite.Inst) bool) *report.Operation {
	from := n.instOf(site)
	if from == nil {
		return nil
	}
	in := reachable(from, match, nil)
	if in == nil {
		return nil
	}
	return n.operation(in)
}

func (n *symbolizer) operation(in *rewrite.Inst) *report.Operation {
	return &report.Operation{
		Instruction: OpcodeText(in),
		PTX:         report.Place{File: n.user.AST.File.Name, Line: in.Line},
		Source:      SourceOf(in),
	}
}

// at returns the operation of a site, nil when it is unknown.
func (n *symbolizer) at(id uint32) *report.Operation {
	site := n.site(id)
	if site == nil {
		return nil
	}
	if n.user != nil {
		if in := n.instOf(site); in != nil {
			return n.operation(in)
		}
	}
	return &report.Operation{
		Instruction: site.Instruction, PTX: report.Place{File: site.PTX.File, Line: site.PTX.Line}, Source: siteSource(site.Source),
	}
}

// narrowFence reports whether an instruction is a fence of block scope, which must be wider if another block is to observe an
// access before it.
func narrowFence(in *rewrite.Inst) bool {
	return in.Instr.Class == isa.ClassFence && in.Scope == isa.ScopeCTA
}

// publishes reports whether an access can signal another block that it may continue: an atomic operation, or a store that is
// volatile or stronger.
func publishes(in *rewrite.Inst) bool {
	global := in.Space == isa.SpaceNone || in.Space == isa.SpaceGlobal
	return global && in.Access.Writes() && in.Strong()
}

// instOf returns the user's instruction at a site, nil when it is not found.
func (n *symbolizer) instOf(site *abi.Site) *rewrite.Inst {
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

func (n *symbolizer) findInst(site *abi.Site) *rewrite.Inst {
	f := n.user.Func(site.Function)
	if f == nil {
		return nil
	}
	for _, in := range f.Insts {
		if in.Line == site.PTX.Line && OpcodeText(in) == site.Instruction {
			return in
		}
	}
	return nil
}

// reachable returns the nearest instruction after from that satisfies match, nil when there is none. It searches block by block
// along the control flow, and not beyond instructions that satisfy stops.
func reachable(from *rewrite.Inst, match, stops func(*rewrite.Inst) bool) *rewrite.Inst {
	g, insts := from.Func.CFG(), from.Func.Insts
	first := g.BlockOf[from.Index]
	search := func(start, end int) (found *rewrite.Inst, stopped bool) {
		for _, in := range insts[start:end] {
			switch {
			case match(in):
				return in, true
			case stops != nil && stops(in):
				return nil, true
			}
		}
		return nil, false
	}
	if in, stopped := search(from.Index+1, first.End); stopped {
		return in
	}
	seen := make(map[*rewrite.Block]bool)
	for queue := first.Succs; len(queue) > 0; queue = queue[1:] {
		b := queue[0]
		if seen[b] {
			continue
		}
		seen[b] = true
		in, stopped := search(b.Start, b.End)
		if in != nil {
			return in
		}
		if !stopped {
			queue = append(queue, b.Succs...)
		}
	}
	return nil
}

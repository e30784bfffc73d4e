// Call sequences: the .param variables, stores and loads around a call.

package rewrite

import (
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// callSeq is Insts[first] to Insts[last] of a function: a call with the parameter
// accesses around it.
type callSeq struct{ first, last int }

// callSequences finds the call sequences of a function, by instruction. Calls
// without parameters in memory are not listed.
func callSequences(f *Func) map[int]*callSeq {
	seqs := make(map[int]*callSeq)
	next := 0
	var walk func(b *ptxgrammar.Block)
	walk = func(b *ptxgrammar.Block) {
		var run []*Inst // consecutive parameter accesses and calls
		flush := func() {
			addSequences(seqs, run)
			run = run[:0]
		}
		for _, s := range b.Stmts {
			switch s.Kind {
			case ptxgrammar.StmtInst:
				in := f.Insts[next]
				next++
				if _, call := in.Call(); call || in.callParam() {
					run = append(run, in)
				} else {
					flush()
				}
			case ptxgrammar.StmtDecl, ptxgrammar.StmtLoc:
			case ptxgrammar.StmtBlock:
				flush()
				walk(&f.Module.AST.Blocks[s.Index])
			default:
				flush()
			}
		}
		flush()
	}
	walk(&f.Module.AST.Blocks[f.AST.Body])
	return seqs
}

// addSequences cuts a run of calls and parameter accesses into sequences: stores,
// call, loads.
func addSequences(seqs map[int]*callSeq, run []*Inst) {
	for len(run) > 0 {
		n := 0
		for n < len(run) && run[n].Access.Kind == isa.AccessStore {
			n++
		}
		if n == len(run) {
			return
		}
		if _, call := run[n].Call(); call {
			n++
		} else {
			run = run[1:]
			continue
		}
		for n < len(run) && run[n].Access.Kind == isa.AccessLoad {
			n++
		}
		if n > 1 {
			q := &callSeq{run[0].Index, run[n-1].Index}
			for _, in := range run[:n] {
				seqs[in.Index] = q
			}
		}
		run = run[n:]
	}
}

// callParam reports whether the instruction stores an argument or loads a result of a call: it accesses a .param
// variable declared in the body.
func (i *Inst) callParam() bool {
	if i.Access.Kind == isa.AccessNone || i.Access.Space != isa.SpaceParam || i.Access.Addr >= len(i.Operands) {
		return false
	}
	v, ok := i.Operands[i.Access.Addr].Sym.(*Var)
	return ok && v.Func == i.Func && !i.Func.Formal(v)
}

// Formal reports whether v is a parameter or return parameter of f.
func (f *Func) Formal(v *Var) bool {
	for _, p := range f.Params {
		if p == v {
			return true
		}
	}
	for _, p := range f.Returns {
		if p == v {
			return true
		}
	}
	return false
}

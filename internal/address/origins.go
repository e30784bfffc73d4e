// Loads on whose results an address depends.

package address

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Origins returns the reads of memory, loads and atomic operations in the same function and in source order, on whose
// results the address of an access may depend: through registers, predicates that select values, and the addresses of
// further loads. Values that are stored in memory between, or passed to and from functions, are not followed.
func Origins(in *rewrite.Inst) (reads []*rewrite.Inst) {
	if in.Access.Kind == isa.AccessNone {
		return nil
	}
	links, seen := in.Func.DefUse(), make(map[*rewrite.Inst]bool)
	var work []*rewrite.Inst
	follow := func(reader *rewrite.Inst) func(*rewrite.Reg) {
		return func(r *rewrite.Reg) {
			defs, _ := links.Defs(reader, r)
			for _, d := range defs {
				if !seen[d] {
					seen[d] = true
					work = append(work, d)
				}
			}
		}
	}
	for in.Operands[in.Access.Addr].EachReg(follow(in)); len(work) > 0; {
		d := work[len(work)-1]
		work = work[:len(work)-1]
		if k := d.Access.Kind; k == isa.AccessLoad || k == isa.AccessAtomic {
			reads = append(reads, d)
		}
		if _, call := d.Call(); !call {
			d.Uses(follow(d))
		}
	}
	slices.SortFunc(reads, func(a, b *rewrite.Inst) int { return a.Index - b.Index })
	return reads
}

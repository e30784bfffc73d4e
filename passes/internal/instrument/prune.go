// Redundant accesses, which another access covers.

package instrument

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Policy says which accesses a pass need not instrument because an earlier one gives the same information.
type Policy struct {
	// Candidate selects the accesses that the pass instruments.
	Candidate func(*rewrite.Inst) bool
	// Covers reports whether it suffices to instrument first, for a second access by the same thread of some of the
	// same bytes.
	Covers func(first, second *rewrite.Inst) bool
	// Forgets reports whether nothing before an instruction covers anything after it, such as at synchronisation. Nil:
	// no instruction forgets.
	Forgets func(*rewrite.Inst) bool
}

// Redundant returns the accesses of a function that an earlier access of the same basic block covers, mapped to that
// access.
//
// The claim, for a thread that executes the second access: it has executed the first before, in the same execution of
// the block, with an address that contains the bytes of the second, and Forgets was true for nothing between them. For
// both are in one block, which is entered at its start only, and no instruction of it leaves before its end except
// calls that do not return, after which the second access is not executed either. The first access has no guard, or the
// guard of the second, whose register is not written between them. The addresses have the same base: a variable, or a
// register that is not written between them; so their distance is that of their constant offsets.
//
// The claim is about one thread. It does not require that the threads of a warp execute together, and says nothing
// about other threads between the two accesses: the pass has to argue that Covers and Forgets are right for its
// purpose.
//
// Of each block, the last mostKnown accesses that may cover others are compared with an access, so that the time is
// linear.
func Redundant(f *rewrite.Func, p Policy) map[*rewrite.Inst]*rewrite.Inst {
	found := map[*rewrite.Inst]*rewrite.Inst{}
	for _, b := range f.CFG().Blocks {
		var known []*rewrite.Inst
		for _, in := range f.Insts[b.Start:b.End] {
			if p.Forgets != nil && p.Forgets(in) {
				known = nil
			}
			if Own(in) && in.Access.Kind != isa.AccessNone && p.Candidate(in) {
				if first := p.cover(known, in); first != nil {
					found[in] = first
				} else {
					known = append(known, in)
					known = known[max(0, len(known)-mostKnown):]
				}
			}
			known = unwritten(known, in)
		}
	}
	return found
}

// mostKnown is the number of accesses of a block that are compared with each further one. Blocks of compilers have
// fewer.
const mostKnown = 256

// cover returns a known access that covers another, nil if there is none.
func (p Policy) cover(known []*rewrite.Inst, in *rewrite.Inst) *rewrite.Inst {
	for _, first := range known {
		if contains(first, in) && p.Covers(first, in) {
			return first
		}
	}
	return nil
}

// contains reports whether the bytes of the second access are always among those of the first.
func contains(first, second *rewrite.Inst) bool {
	if first.Guard != nil && (first.Guard != second.Guard || first.GuardNot != second.GuardNot) {
		return false
	}
	a, b := first.Operands[first.Access.Addr], second.Operands[second.Access.Addr]
	if a.Kind == rewrite.OperandSum || b.Kind == rewrite.OperandSum {
		return false // the sum wraps around in the width of the register
	}
	if first.Access.Space != second.Access.Space || a.Reg != b.Reg || a.Member != b.Member || a.Sym != b.Sym {
		return false
	}
	return second.Access.Size > 0 && Delta(first, second) >= 0 &&
		Delta(first, second)+int64(second.Access.Size) <= int64(first.Access.Size)
}

// Delta returns the distance in bytes from the address of an access to that of another
// with the same base.
func Delta(from, to *rewrite.Inst) int64 {
	return to.Operands[to.Access.Addr].Off - from.Operands[from.Access.Addr].Off
}

// unwritten returns the accesses whose base and guard an instruction does not write.
func unwritten(known []*rewrite.Inst, in *rewrite.Inst) []*rewrite.Inst {
	in.Defs(func(r *rewrite.Reg) {
		kept := known[:0]
		for _, k := range known {
			if k.Guard != r && k.Operands[k.Access.Addr].Reg != r {
				kept = append(kept, k)
			}
		}
		known = kept
	})
	return known
}

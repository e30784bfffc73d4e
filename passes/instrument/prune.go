// Redundant checks: accesses that another access covers.

package instrument

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Policy says which accesses a pass need not instrument because an earlier one
// tells it the same.
type Policy struct {
	// Candidate selects the accesses that the pass instruments.
	Candidate func(*rewrite.Inst) bool
	// Covers reports whether instrumenting first is enough, for a second access by
	// the same thread of some of the same bytes.
	Covers func(first, second *rewrite.Inst) bool
	// Forgets reports whether nothing before an instruction covers anything after
	// it, such as at synchronisation. Nil: no instruction does.
	Forgets func(*rewrite.Inst) bool
}

// Redundant finds the accesses of a function that an earlier access of the same
// basic block covers; the result maps them to that access.
//
// The claim, for a thread that executes the second access: it has executed the
// first before, in the same execution of the block, with an address that contains
// the bytes of the second, and nothing between them made Forgets true. For both
// are in one block, which is entered at its start only, and no instruction of it
// leaves before its end except calls that do not return, and those do not get to
// the second access either. The first access has no guard, or the guard of the
// second, whose register is not written between them. And the addresses have one
// base: a variable, or a register that is not written between them; so their
// distance is that of their constant offsets.
//
// The claim is about one thread. It does not need the threads of a warp to execute
// together, nor does it say what other threads do between the two accesses: that
// Covers and Forgets are right for its purpose is the pass's part of the argument.
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
				}
			}
			known = unwritten(known, in)
		}
	}
	return found
}

// cover is a known access that covers another, nil when none does.
func (p Policy) cover(known []*rewrite.Inst, in *rewrite.Inst) *rewrite.Inst {
	for _, first := range known {
		if contains(first, in) && p.Covers(first, in) {
			return first
		}
	}
	return nil
}

// contains reports whether the bytes of the second access are among those of the
// first, whenever the second executes.
func contains(first, second *rewrite.Inst) bool {
	if first.Guard != nil && (first.Guard != second.Guard || first.GuardNot != second.GuardNot) {
		return false
	}
	a, b := first.Operands[first.Access.Addr], second.Operands[second.Access.Addr]
	if a.Kind == rewrite.OperandSum || b.Kind == rewrite.OperandSum {
		return false // what is added wraps around in the width of the register
	}
	if first.Access.Space != second.Access.Space || a.Reg != b.Reg || a.Member != b.Member || a.Sym != b.Sym {
		return false
	}
	return second.Access.Size > 0 && Delta(first, second) >= 0 &&
		Delta(first, second)+int64(second.Access.Size) <= int64(first.Access.Size)
}

// Delta is the distance in bytes from the address of an access to that of another
// with the same base.
func Delta(from, to *rewrite.Inst) int64 {
	return to.Operands[to.Access.Addr].Off - from.Operands[from.Access.Addr].Off
}

// unwritten keeps the accesses whose base and guard an instruction leaves alone.
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

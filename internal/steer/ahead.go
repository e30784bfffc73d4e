// Tests in front of wait loops: if the phase is complete, the thread skips the loop that waits for it.

package steer

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/rewrite"
)

// ahead returns the blocks in which a thread goes on after a wait that a test of an mbarrier has made unnecessary: the
// result of the test decides nothing else. It is not ok if it does.
func ahead(test *rewrite.Inst, tests map[*rewrite.Inst]bool, spins map[*rewrite.Block]spin) (joins []*rewrite.Block, ok bool) {
	g := test.Func.CFG()
	for in := range flow(test) {
		ok := true
		in.Defs(func(r *rewrite.Reg) {
			for _, u := range test.Func.DefUse().Uses(in, r) {
				if !u.Branches() {
					ok = ok && computesOnly(u)
					continue
				}
				join := skipped(test, g.BlockOf[u.Index], tests, spins)
				ok = ok && join != nil
				joins = append(joins, join)
			}
		})
		if !ok {
			return nil, false
		}
	}
	return joins, len(joins) > 0
}

// flow returns an instruction and those that compute with its result, directly or through others.
func flow(from *rewrite.Inst) map[*rewrite.Inst]bool {
	seen := map[*rewrite.Inst]bool{from: true}
	for work := []*rewrite.Inst{from}; len(work) > 0; {
		in := work[len(work)-1]
		work = work[:len(work)-1]
		in.Defs(func(r *rewrite.Reg) {
			for _, u := range from.Func.DefUse().Uses(in, r) {
				if !seen[u] {
					seen[u] = true
					work = append(work, u)
				}
			}
		})
	}
	return seen
}

// skipped returns the successor of a block that lies behind a wait for what a test tests, if the other one leads to that
// wait and then to the first; nil if it does not.
func skipped(test *rewrite.Inst, b *rewrite.Block, tests map[*rewrite.Inst]bool,
	spins map[*rewrite.Block]spin,
) *rewrite.Block {
	if len(b.Succs) != 2 {
		return nil
	}
	for i, join := range b.Succs {
		if waits(test, b.Succs[1-i], join, tests, spins) {
			return join
		}
	}
	return nil
}

// waits reports whether all ways from one block to another pass a spin loop that ends when what a test tests is
// complete, and have no other effects.
func waits(test *rewrite.Inst, from, to *rewrite.Block, tests map[*rewrite.Inst]bool,
	spins map[*rewrite.Block]spin,
) bool {
	f, found := test.Func, false
	seen := map[*rewrite.Block]bool{from: true}
	for work := []*rewrite.Block{from}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == to || b == f.CFG().Exit {
			return false // past the loop
		}
		if s, ok := spins[b]; ok {
			if b != s.loop.Header || !ends(test, s.loop, to, tests) {
				return false
			}
			found = true
			continue
		}
		if slices.ContainsFunc(f.Insts[b.Start:b.End], func(in *rewrite.Inst) bool { return !computesOnly(in) && !in.Branches() }) {
			return false
		}
		for _, s := range b.Succs {
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return found
}

// ends reports whether a spin loop ends only when a test of the same object and phase as another has found it complete,
// and whether a thread then comes to a block.
func ends(test *rewrite.Inst, l *rewrite.Loop, to *rewrite.Block, tests map[*rewrite.Inst]bool) bool {
	f := test.Func
	decides := map[*rewrite.Inst]bool{} // what is computed from the tests
	for _, b := range l.Blocks {
		for _, in := range f.Insts[b.Start:b.End] {
			if tests[in] && !alike(test, in) {
				return false
			}
			if tests[in] {
				for x := range flow(in) {
					decides[x] = true
				}
			}
		}
	}
	for _, b := range l.Blocks {
		for _, s := range b.Succs {
			if !slices.Contains(l.Blocks, s) && (!decides[f.Insts[b.End-1]] || !leadsTo(f, s, to)) {
				return false
			}
		}
	}
	return true
}

// leadsTo reports whether a block without effects leads to another and nowhere else, or is that.
func leadsTo(f *rewrite.Func, from, to *rewrite.Block) bool {
	for range f.CFG().Blocks {
		if from == to {
			return true
		}
		if len(from.Succs) != 1 || slices.ContainsFunc(f.Insts[from.Start:from.End],
			func(in *rewrite.Inst) bool { return !computesOnly(in) && !in.Branches() }) {
			return false
		}
		from = from.Succs[0]
	}
	return false
}

// alike reports whether two tests are of the same mbarrier and the same phase.
func alike(a, b *rewrite.Inst) bool {
	if !b.Mbarrier().Waits() || a.Has("parity") != b.Has("parity") {
		return false
	}
	roots := address.RootsOf(a.Func)
	x, y := roots.Address(a, a.Access.Addr), roots.Address(b, b.Access.Addr)
	return (x == y && x.Kind == address.RootVar && x.Exact || address.SamePlace(a, b)) &&
		sameValue(a, b, a.Access.Addr+1, b.Access.Addr+1)
}

// sameValue reports whether operands of two instructions are the same value, by the text of the function.
func sameValue(a, b *rewrite.Inst, n, m int) bool {
	if n >= len(a.Operands) || m >= len(b.Operands) {
		return false
	}
	x, y := &a.Operands[n], &b.Operands[m]
	if x.Kind != y.Kind || x.Imm != y.Imm || x.Off != y.Off || x.Sym != y.Sym || (x.Reg == nil) != (y.Reg == nil) {
		return false
	}
	return x.Reg == nil && x.Kind != rewrite.OperandSpecial || x.Reg != nil && copied(a, x.Reg) == copied(b, y.Reg)
}

// copied returns the value of a register that an instruction reads, or that from which it was copied.
func copied(in *rewrite.Inst, r *rewrite.Reg) int32 {
	ssa := in.Func.SSA()
	val := ssa.Use(in, r)
	for range len(ssa.Values) {
		v := &ssa.Values[val]
		if v.Kind != rewrite.SSAWrite || v.Old != rewrite.NoValue || !isCopy(v.Inst) {
			break
		}
		val = ssa.Use(v.Inst, v.Inst.Operands[1].Reg)
	}
	return val
}

// What barriers alone separate: the part of the proofs that needs neither addresses nor a solver, nor anything of a launch.

package hgrd

import (
	"slices"

	"github.com/ptxsan/ptxsan/passes/hgrd/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Separated returns the accesses of a kernel to shared memory that a barrier of all threads of the block separates from every
// conflicting access, whatever their addresses. Atomic operations do not conflict with each other. Only weak loads and atomic
// operations can be among them, since a store conflicts with the same store by another thread. The result is nil for kernels that
// call functions or have accesses that are asynchronous or not known.
func Separated(f *rewrite.Func) map[*rewrite.Inst]bool {
	if !f.Entry || !f.Defined() || f.CFG().Degenerate || !slices.ContainsFunc(f.Insts, waitsForBlock) || slices.ContainsFunc(f.Insts, obscures) {
		return nil
	}
	k := symbolic.New(f)
	if len(k.Unknown) > 0 || len(k.Frames) > 1 {
		return nil
	}
	s := separation{kernel: k, barriers: k.BarriersOf(isa.BarrierOfCTA), separate: make(map[[2]stretch]bool)}
	if !s.barriers.Complete() {
		return nil
	}
	s.collect(f)
	out := make(map[*rewrite.Inst]bool)
	for _, x := range s.accesses {
		if !x.generic && (x.atomic || !x.writes && !x.inst.Strong()) && !slices.ContainsFunc(s.accesses, func(y sharedAccess) bool { return x.conflicts(&y) && !s.separates(&x, &y) }) {
			out[x.inst] = true
		}
	}
	return out
}

// waitsForBlock reports whether an instruction is a barrier of a block.
func waitsForBlock(in *rewrite.Inst) bool {
	b, ok := in.Barrier()
	return ok && b.Of == isa.BarrierOfCTA
}

// obscures reports whether an instruction makes accesses to shared memory that Separated does not follow: asynchronous ones, those of
// other blocks, and those at unknown addresses.
func obscures(in *rewrite.Inst) bool {
	b, ok := in.Barrier()
	return ok && b.Of == isa.BarrierOfCluster || in.Instr.Calc == isa.CalcPeerAddress || in.Instr.Class == isa.ClassAsync || in.Proxy() != isa.ProxyGeneric || hides(in)
}

// separation is the state of Separated.
type separation struct {
	kernel   *symbolic.Kernel
	barriers *symbolic.Barriers
	accesses []sharedAccess
	separate map[[2]stretch]bool // whether a barrier separates all accesses of two stretches
}

// sharedAccess is an instruction that may access shared memory.
type sharedAccess struct {
	inst    *rewrite.Inst
	in      stretch
	generic bool // the access may be to other memory
	atomic  bool // it is an atomic operation of a scope that includes the block
	writes  bool
}

// stretch identifies instructions of one basic block between the same barriers.
type stretch struct{ block, barriers int }

func (s stretch) before(t stretch) bool {
	return s.block < t.block || s.block == t.block && s.barriers < t.barriers
}

// collect finds the accesses.
func (s *separation) collect(f *rewrite.Func) {
	for _, b := range f.CFG().Blocks {
		at := stretch{block: b.Index}
		for _, in := range f.Insts[b.Start:b.End] {
			if waitsForBlock(in) {
				at.barriers++
			}
			x := sharedAccess{inst: in, in: at, generic: true, atomic: len(in.Accesses) == 1 && in.Access.Atomic() && in.StrongScope() >= isa.ScopeCTA}
			shared := false
			for _, a := range in.Accesses {
				shared = shared || a.Space == isa.SpaceShared || a.Space == isa.SpaceNone
				x.generic = x.generic && a.Space != isa.SpaceShared
				x.writes = x.writes || a.Writes()
			}
			if shared && s.kernel.Root.Reached(in) {
				s.accesses = append(s.accesses, x)
			}
		}
	}
}

// conflicts reports whether two accesses conflict if they are to a common address.
func (x *sharedAccess) conflicts(y *sharedAccess) bool {
	return (x.writes || y.writes) && (!x.atomic || !y.atomic || x.inst.Access.ElemSize != y.inst.Access.ElemSize)
}

// separates reports whether a barrier always separates two accesses.
func (s *separation) separates(x, y *sharedAccess) bool {
	if y.in.before(x.in) {
		x, y = y, x
	}
	key := [2]stretch{x.in, y.in}
	yes, known := s.separate[key]
	if !known {
		root := s.kernel.Root
		yes = s.barriers.Separate(&symbolic.Access{Frame: root, Inst: x.inst}, &symbolic.Access{Frame: root, Inst: y.inst})
		s.separate[key] = yes
	}
	return yes
}

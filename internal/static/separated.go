// What barriers separate: the part of the proofs that needs no solver, and addresses only where no barrier separates
// two accesses.

package static

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/intervals"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Separation has the accesses of a kernel to shared memory, and which of them barriers separate. It may not be used by
// several goroutines at a time.
type Separation struct {
	kernel   *symbolic.Kernel
	barriers *intervals.Barriers
	accesses []sharedAccess
	separate map[[2]stretch]bool // whether a barrier separates all accesses of two stretches
}

// SeparationOf returns the separation of a kernel. It is nil for kernels that do not access shared memory, and for
// those that call functions or have accesses that are asynchronous or not known.
func SeparationOf(f *rewrite.Func) *Separation {
	if !f.Entry || !f.Defined() || f.CFG().Degenerate || !slices.ContainsFunc(f.Insts, accessesShared) ||
		slices.ContainsFunc(f.Insts, obscures) {
		return nil
	}
	k := symbolic.New(f, nil)
	if len(k.Unknown) > 0 || len(k.Frames) > 1 {
		return nil
	}
	s := &Separation{kernel: k, barriers: intervals.Of(k, isa.BarrierOfCTA), separate: make(map[[2]stretch]bool)}
	s.collect(f)
	if s.barriers.Complete() && !s.barriers.Even() {
		s.agree()
	}
	if !s.barriers.Complete() {
		return nil
	}
	return s
}

// agree finds the loads from shared memory that are uniform, that is, return the same value in all threads of a block,
// and computes the barrier intervals again with them. An example is the load of a flag that ends a loop for the whole
// block. The method first assumes that all loads at uniform addresses are uniform. It then removes each load for which
// some thread may write to shared memory in the same barrier interval (intervals.Barriers.Steady), and repeats that
// until it removes none. The remaining loads are uniform by induction on the barrier intervals.
func (s *Separation) agree() {
	loads := make(map[*rewrite.Inst]bool)
	var writes []*symbolic.Access
	for _, x := range s.accesses {
		switch {
		case x.writes:
			writes = append(writes, s.access(x.inst))
		case !x.generic:
			loads[x.inst] = true
		}
	}
	for tries, dropped := 0, len(loads) > 0; dropped; tries++ {
		if tries == kernel.MaxAgree {
			clear(loads)
		}
		s.kernel.AssumeUniform(loads)
		s.barriers = intervals.Of(s.kernel, isa.BarrierOfCTA)
		dropped = false
		for in := range loads {
			if !s.barriers.Complete() || !s.barriers.Steady(s.access(in), writes) {
				dropped = true
				delete(loads, in)
			}
		}
	}
}

// access returns an access of the kernel as the barriers know it.
func (s *Separation) access(in *rewrite.Inst) *symbolic.Access {
	return &symbolic.Access{Frame: s.kernel.Root, Inst: in}
}

// Separated returns the accesses that take part in no race: a barrier of all threads of the block separates them from
// every conflicting access that may be to the same bytes. Function apart reports whether two accesses, or one that
// several threads make, touch no common byte when different threads of a block make them; if it is nil, any two may.
// Atomic operations do not conflict with each other.
func (s *Separation) Separated(apart func(x, y *rewrite.Inst) bool) map[*rewrite.Inst]bool {
	out := make(map[*rewrite.Inst]bool)
	if s == nil {
		return out
	}
	for _, x := range s.accesses {
		if !x.generic && (x.atomic || !x.inst.Strong()) && !slices.ContainsFunc(s.accesses, func(y sharedAccess) bool {
			return x.conflicts(&y) && !s.separates(&x, &y) && (apart == nil || !apart(x.inst, y.inst))
		}) {
			out[x.inst] = true
		}
	}
	return out
}

// accessesShared reports whether an instruction accesses shared memory by its name.
func accessesShared(in *rewrite.Inst) bool {
	return slices.ContainsFunc(in.Accesses, func(a isa.Access) bool { return a.Space == isa.SpaceShared })
}

// obscures reports whether an instruction makes accesses to shared memory that a Separation does not follow:
// asynchronous ones, those of other blocks, and those at unknown addresses.
func obscures(in *rewrite.Inst) bool {
	b, ok := in.Barrier()
	apart := in.Proxy() != isa.ProxyGeneric && in.Proxy() != isa.ProxyReadOnly
	return ok && b.Of == isa.BarrierOfCluster || in.Instr.Calc == isa.CalcPeerAddress ||
		in.Instr.Class == isa.ClassAsync || apart || kernel.Hides(in)
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
func (s *Separation) collect(f *rewrite.Func) {
	for _, b := range f.CFG().Blocks {
		at := stretch{block: b.Index}
		for _, in := range f.Insts[b.Start:b.End] {
			if kernel.WaitsForBlock(in) {
				at.barriers++
			}
			x := sharedAccess{inst: in, in: at, generic: true, atomic: len(in.Accesses) == 1 && in.Access.Atomic() &&
				in.StrongScope() >= isa.ScopeCTA}
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
	return (x.writes || y.writes) && (!x.atomic || !y.atomic || x.inst.Access.Scalar != y.inst.Access.Scalar)
}

// separates reports whether a barrier always separates two accesses.
func (s *Separation) separates(x, y *sharedAccess) bool {
	if y.in.before(x.in) {
		x, y = y, x
	}
	key := [2]stretch{x.in, y.in}
	yes, known := s.separate[key]
	if !known {
		yes = s.barriers.Separate(s.access(x.inst), s.access(y.inst))
		s.separate[key] = yes
	}
	return yes
}

// Block independence: the proof that no block of a launch can observe another one.

package emu

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/commute"
	"github.com/ptxsan/ptxsan/emu/internal/crew"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Independent blocks may run in any order, and several at a time (parallel_workers.go). Independence is proved from the
// kernel's code and the values of the launch:
//
//   - device memory is accessed only by loads, stores and commutative operations (emu/internal/commute), not by other
//     atomic operations, asynchronous copies or calls;
//   - the address of each store is linear in the indices of thread and block, or the partner of such an address
//     (internal/address), and the bytes that different blocks store, or load at such addresses from the same
//     allocation, are disjoint;
//   - other loads do not access an allocation that is stored to, commutative operations access separate allocations,
//     and accesses of partners stay in the allocation of the index. This is checked at run time, when an instruction
//     first accesses an allocation (find).
//
// Then no block reads or writes a byte that another one writes, and all orders give the same result, whatever fences
// and orderings the program uses.

// copiedBytes limits the size of a private copy of an allocation, per thread of the launch.
const copiedBytes = 64

// footprint is a set of accesses to one allocation that touch no byte which accesses outside of the set touch.
type footprint struct {
	address.Footprint
	a        *gmem.Allocation
	written  bool
	unlike   bool // its accesses have different factors
	accesses []int
}

// linearAccesses are the accesses with linear addresses to one allocation.
type linearAccesses struct {
	a     *gmem.Allocation
	list  []address.LinearAccess
	insts []int // indices of the instructions in the kernel
}

// independent proves that the blocks of a launch are independent. It returns nil if it cannot.
func independent(m *state.Machine, l *state.Launch) *state.Independence {
	if parts(l) < 2 || !anyOrder(&m.Cfg) || l.ClusterDim().Count() > 1 {
		return nil
	}
	p := &state.Independence{Apart: make([]*gmem.Allocation, len(l.Kernel.Src.Insts))}
	p.Prepare = func(w *state.Machine) {
		prepareKernel(w, m, l.Kernel)
		shareMemory(w, m)
	}
	found := false
	if p.Commutative, found = commute.OpsOf(l.Kernel.Src); found {
		p.Of, p.Limit = map[*gmem.Allocation]commute.Op{}, copiedBytes*l.Total*l.Block.Count()
	}
	if observes(m, l.Kernel.Src) && !observesParts(m, l.Kernel.Src, p.Commutative) {
		return nil
	}
	if !plainCode(l.Kernel.Src, p.Commutative) {
		return nil
	}
	crew.Wake(workersFor(m, l)) // waking a processor takes about as long as the rest of the proof
	prints, ok := footprints(m, l, p.Commutative)
	if !ok {
		return nil
	}
	for _, f := range prints {
		if !f.written {
			continue
		}
		if f.unlike || !f.Separate(address.SeparatesBlocks, shape(l)) {
			return nil
		}
		if !slices.Contains(p.Written, f.a) {
			p.Written = append(p.Written, f.a)
		}
	}
	p.Writes = func(first, end uint64) (list []state.Extent) {
		for _, f := range prints {
			if f.written {
				list = append(list, f.extents(l, first, end)...)
			}
		}
		return list
	}
	for _, f := range prints { // accesses that only read are disjoint from the stores
		if slices.Contains(p.Written, f.a) {
			for _, i := range f.accesses {
				p.Apart[i] = f.a
			}
		}
	}
	if !preclaim(p, m, l) {
		return nil
	}
	return p
}

// footprints returns the loads and stores of device memory with known addresses. ok is false if the address of a store
// is not known.
func footprints(m *state.Machine, l *state.Launch, commutative []commute.Op) (prints []*footprint, ok bool) {
	linear := address.LinearOf(l.Kernel.Src, launchValues(m, l))
	var all []*linearAccesses
	for i, in := range l.Kernel.Src.Insts {
		if in.Access.Kind == isa.AccessNone || privateSpace(in.Access.Space) || commutative[i] != (commute.Op{}) {
			continue
		}
		at, known := linear.Access(in, in.Access.Addr, in.Access.Size)
		var a *gmem.Allocation
		if known {
			a = allocationOf(m.Dev.Mem, at.At, l)
		}
		switch {
		case a == nil && in.Access.Writes():
			return nil, false
		case a == nil:
			continue
		}
		k := slices.IndexFunc(all, func(x *linearAccesses) bool { return x.a == a })
		if k < 0 {
			k = len(all)
			all = append(all, &linearAccesses{a: a})
		}
		x := all[k]
		x.list, x.insts = append(x.list, at), append(x.insts, i)
	}
	for _, x := range all {
		prints = append(prints, x.footprints(l)...)
	}
	return prints, true
}

// footprints divides the accesses into sets that have no byte in common.
func (x *linearAccesses) footprints(l *state.Launch) (prints []*footprint) {
	for _, part := range address.Parts(x.list, shape(l)) {
		p, ok := address.FootprintOf(x.list, part)
		f := &footprint{Footprint: p, a: x.a, unlike: !ok}
		for _, k := range part {
			f.accesses = append(f.accesses, x.insts[k])
			f.written = f.written || l.Kernel.Src.Insts[x.insts[k]].Access.Writes()
		}
		prints = append(prints, f)
	}
	return prints
}

// anyOrder reports whether blocks may run in any order: neither the policy nor another option fixes or observes it.
func anyOrder(c *Config) bool {
	return c.Policy.Traits().AnyOrder && c.Record == nil && c.Replay == nil &&
		!c.Uninitialised && !c.LateAsync && !c.NoMemcheck && c.Poll == nil
}

// observes reports whether a listener needs events of the blocks of a launch.
func observes(m *state.Machine, kernel *rewrite.Func) bool {
	if m.Cfg.Listener == nil {
		return false
	}
	return m.Interest.Step != nil || m.Interest.NeedsLaunch(kernel)
}

// observesParts reports whether the listener can be notified of a launch in parts. It must not need commutative
// operations on device memory: in the private copies, these find other values, and their order among blocks is not that
// of one execution.
func observesParts(m *state.Machine, kernel *rewrite.Func, commutative []commute.Op) bool {
	if m.Interest.Step != nil || m.Interest.Parts == nil {
		return false
	}
	for i, in := range kernel.Insts {
		if commutative[i] != (commute.Op{}) && m.Interest.NeedsSite(in) {
			return false
		}
	}
	return m.Interest.Parts(kernel) != nil
}

// plainCode reports whether the blocks of the kernel can communicate only through loads, stores and commutative
// operations on device memory.
func plainCode(f *rewrite.Func, commutative []commute.Op) bool {
	for i, in := range f.Insts {
		if !plain(in, commutative[i]) {
			return false
		}
	}
	return true
}

func plain(in *rewrite.Inst, op commute.Op) bool {
	if in.Effects()&(isa.Calls|isa.Aborts) != 0 || in.Has("try_cancel") {
		return false
	}
	for _, o := range in.Operands {
		if o.Kind == rewrite.OperandSpecial && o.Special.Volatile {
			return false
		}
	}
	for _, ac := range in.Accesses {
		switch {
		case ac.Indirect || in.Has("shared::cluster"):
			return false
		case privateSpace(ac.Space), op != commute.Op{}:
		case ac.Space != isa.SpaceGlobal && ac.Space != isa.SpaceNone:
			return false
		case ac.Kind != isa.AccessLoad && ac.Kind != isa.AccessStore || ac.Size == 0 || in.Has("async"):
			return false
		case in.Instr.Calc != isa.CalcLoad && in.Instr.Calc != isa.CalcStore:
			return false
		}
	}
	return true
}

// privateSpace reports whether no block can read there what another one writes.
func privateSpace(s isa.Space) bool {
	switch s {
	case isa.SpaceShared, isa.SpaceLocal, isa.SpaceParam, isa.SpaceConst:
		return true
	}
	return false
}

// launchValues returns the facts about a launch for the analysis of addresses.
func launchValues(m *state.Machine, l *state.Launch) address.LaunchValues {
	params := l.Kernel.Formals
	values := shape(l)
	values.Param = func(v *rewrite.Var, off int64, size int) (address.ParamValue, bool) {
		for _, p := range params {
			if p.Var == v {
				n, ok := address.ParamNumber(l.Params[p.Offset:][:p.Size], off, size)
				return address.ParamValue{Number: n}, ok
			}
		}
		return address.ParamValue{}, false
	}
	values.Address = func(v *rewrite.Var) (uint64, bool) {
		a, ok := m.Vars[v]
		return a, ok && v.Space == isa.SpaceGlobal
	}
	return values
}

// shape returns the extents of the launch.
func shape(l *state.Launch) address.LaunchValues {
	return address.LaunchValues{
		Block: [3]uint32{l.Block.X, l.Block.Y, l.Block.Z},
		Grid:  [3]uint32{l.Grid.X, l.Grid.Y, l.Grid.Z},
	}
}

// allocationOf returns the only allocation that accesses at the addresses can touch, nil if there may be several or
// none.
func allocationOf(mm *gmem.Memory, form address.Linear, l *state.Launch) *gmem.Allocation {
	lo, hi := form.Range(shape(l))
	a := mm.Find(uint64(lo))
	if a == nil || a.Freed() || mm.Find(uint64(hi)) != a {
		return nil
	}
	return a
}

// extents returns ranges of the allocation that contain what the blocks from first to before end touch.
func (f *footprint) extents(l *state.Launch, first, end uint64) (list []state.Extent) {
	most := f.a.Extent()
	if !f.Bounded() {
		return []state.Extent{{A: f.a, Hi: most}}
	}
	for _, s := range f.Spans(shape(l), first, end) {
		lo, hi := max(s.Lo-int64(f.a.Base), 0), min(s.Hi-int64(f.a.Base), int64(most))
		if lo < hi {
			list = append(list, state.Extent{A: f.a, Lo: uint64(lo), Hi: uint64(hi)})
		}
	}
	return list
}

// Block independence: the proof that no block of a launch can observe another one.

package emu

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/commute"
	"github.com/ptxsan/ptxsan/emu/internal/crew"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
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
//     first accesses an allocation (access.find).
//
// Then no block reads or writes a byte that another one writes, and all orders give the same result, whatever fences
// and orderings the program uses.

// copiedBytes limits the size of a private copy of an allocation, per thread of the launch.
const copiedBytes = 64

// independence is the proof that the blocks of a launch are independent.
type independence struct {
	allocationUses
	written     []*gmem.Allocation
	apart       []*gmem.Allocation // by instruction of the kernel: the allocation in which its accesses touch only bytes that no other block touches; nil if there is none
	commutative []commute.Op       // by instruction of the kernel
	extents     []extent
	saved       [][]byte // slices of the extents; Device.undo has their contents from before the launch
	// prepare prepares a worker to execute parts. runParts cannot refer to the decoder, which refers to instructions
	// that launch grids, and thus to runParts.
	prepare func(worker *machine)
}

// extent is a range of an allocation that the launch may write.
type extent struct {
	a      *gmem.Allocation
	lo, hi uint64 // offsets
}

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
func (m *machine) independent(l *launch) *independence {
	if l.parts() < 2 || !m.cfg.anyOrder() || l.clusterDim().count() > 1 {
		return nil
	}
	p := &independence{apart: make([]*gmem.Allocation, len(l.kernel.src.Insts))}
	p.prepare = func(w *machine) {
		w.prepareKernel(m, l.kernel)
		w.shareMemory(m)
	}
	found := false
	if p.commutative, found = commute.OpsOf(l.kernel.src); found {
		p.of, p.limit = map[*gmem.Allocation]commute.Op{}, copiedBytes*l.total*l.block.count()
	}
	if m.observes(l.kernel.src) && !m.observesParts(l.kernel.src, p.commutative) {
		return nil
	}
	if !plainCode(l.kernel.src, p.commutative) {
		return nil
	}
	crew.Wake(m.workersFor(l)) // waking a processor takes about as long as the rest of the proof
	prints, ok := m.footprints(l, p.commutative)
	if !ok {
		return nil
	}
	for _, f := range prints {
		if !f.written {
			continue
		}
		if f.unlike || !f.Separate(address.SeparatesBlocks, l.shape()) {
			return nil
		}
		if !slices.Contains(p.written, f.a) {
			p.written = append(p.written, f.a)
		}
		p.extents = append(p.extents, f.extent(l))
	}
	for _, f := range prints { // accesses that only read are disjoint from the stores
		if slices.Contains(p.written, f.a) {
			for _, i := range f.accesses {
				p.apart[i] = f.a
			}
		}
	}
	if !p.preclaim(m, l) {
		return nil
	}
	return p
}

// footprints returns the loads and stores of device memory with known addresses. ok is false if the address of a store
// is not known.
func (m *machine) footprints(l *launch, commutative []commute.Op) (prints []*footprint, ok bool) {
	linear := address.LinearOf(l.kernel.src, m.launchValues(l))
	var all []*linearAccesses
	for i, in := range l.kernel.src.Insts {
		if in.Access.Kind == isa.AccessNone || privateSpace(in.Access.Space) || commutative[i] != (commute.Op{}) {
			continue
		}
		at, known := linear.Access(in, in.Access.Addr, in.Access.Size)
		var a *gmem.Allocation
		if known {
			a = allocationOf(m.dev.mem, at.At, l)
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
func (x *linearAccesses) footprints(l *launch) (prints []*footprint) {
	for _, part := range address.Parts(x.list, l.shape()) {
		p, ok := address.FootprintOf(x.list, part)
		f := &footprint{Footprint: p, a: x.a, unlike: !ok}
		for _, k := range part {
			f.accesses = append(f.accesses, x.insts[k])
			f.written = f.written || l.kernel.src.Insts[x.insts[k]].Access.Writes()
		}
		prints = append(prints, f)
	}
	return prints
}

// admit returns the memory of a for the accesses of in when m executes a part: the allocation's, or a private copy. It
// returns nil if blocks might observe each other there.
func (p *independence) admit(m *machine, in *inst, a *gmem.Allocation) []byte {
	if p == nil {
		return a.Data
	}
	r := commute.Op{}
	if in.src >= 0 {
		if only := p.apart[in.src]; only == a {
			return a.Data
		} else if only != nil {
			return nil
		}
		r = p.commutative[in.src]
	}
	switch {
	case slices.Contains(p.written, a) || !p.claim(r, a):
		return nil
	case r != commute.Op{}:
		return m.privateCopy(r, a)
	}
	return a.Data
}

// anyOrder reports whether blocks may run in any order: neither the policy nor another option fixes or observes it.
func (c *Config) anyOrder() bool {
	return c.Policy.Traits().AnyOrder && c.Record == nil && c.Replay == nil &&
		!c.Uninitialised && !c.LateAsync && !c.NoMemcheck && c.Poll == nil
}

// observes reports whether a listener needs events of the blocks of a launch.
func (m *machine) observes(kernel *rewrite.Func) bool {
	if m.cfg.Listener == nil {
		return false
	}
	return m.interest.Step != nil || m.interest.NeedsLaunch(kernel)
}

// observesParts reports whether the listener can be notified of a launch in parts. It must not need commutative
// operations on device memory: in the private copies, these find other values, and their order among blocks is not that
// of one execution.
func (m *machine) observesParts(kernel *rewrite.Func, commutative []commute.Op) bool {
	if m.interest.Step != nil || m.interest.Parts == nil {
		return false
	}
	for i, in := range kernel.Insts {
		if commutative[i] != (commute.Op{}) && m.interest.NeedsSite(in) {
			return false
		}
	}
	return m.interest.Parts(kernel) != nil
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
func (m *machine) launchValues(l *launch) address.LaunchValues {
	params := l.kernel.formals
	values := l.shape()
	values.Param = func(v *rewrite.Var, off int64, size int) (address.ParamValue, bool) {
		for _, p := range params {
			if p.Var == v {
				n, ok := address.ParamNumber(l.params[p.Offset:][:p.Size], off, size)
				return address.ParamValue{Number: n}, ok
			}
		}
		return address.ParamValue{}, false
	}
	values.Address = func(v *rewrite.Var) (uint64, bool) {
		a, ok := m.vars[v]
		return a, ok && v.Space == isa.SpaceGlobal
	}
	return values
}

// shape returns the extents of the launch.
func (l *launch) shape() address.LaunchValues {
	return address.LaunchValues{
		Block: [3]uint32{l.block.X, l.block.Y, l.block.Z},
		Grid:  [3]uint32{l.grid.X, l.grid.Y, l.grid.Z},
	}
}

// allocationOf returns the only allocation that accesses at the addresses can touch, nil if there may be several or
// none.
func allocationOf(mm *gmem.Memory, form address.Linear, l *launch) *gmem.Allocation {
	lo, hi := form.Range(l.shape())
	a := mm.Find(uint64(lo))
	if a == nil || a.Freed() || mm.Find(uint64(hi)) != a {
		return nil
	}
	return a
}

// extent returns the range of the allocation that the footprint covers.
func (f *footprint) extent(l *launch) extent {
	if !f.Bounded() {
		return extent{a: f.a, hi: f.a.Extent()}
	}
	form := f.Form
	form.Const = f.Lo
	lo, _ := form.Range(l.shape())
	form.Const = f.Hi
	_, hi := form.Range(l.shape())
	base := int64(f.a.Base)
	return extent{a: f.a, lo: uint64(max(lo-base, 0)), hi: uint64(max(min(hi-base, int64(f.a.Extent())), 0))}
}

// savedBytes is the size in bytes of the slices that save copies.
const savedBytes = 1 << 20

// save copies the bytes that the launch may write to m.undo, for restore, on the given number of goroutines. It reuses
// the buffers of the last launch.
func (p *independence) save(m *machine, goroutines int) {
	p.saved = p.saved[:0]
	for _, e := range p.extents {
		for data := range slices.Chunk(e.a.Data[min(e.lo, e.hi):e.hi], savedBytes) {
			p.saved = append(p.saved, data)
		}
	}
	for len(m.dev.undo) < len(p.saved) {
		m.dev.undo = append(m.dev.undo, nil)
	}
	goroutines = min(goroutines, len(p.saved))
	crew.Do(goroutines, func(first int) {
		for i := first; i < len(p.saved); i += goroutines {
			m.dev.undo[i] = append(m.dev.undo[i][:0], p.saved[i]...)
		}
	})
}

// restore copies back the bytes that save has copied.
func (p *independence) restore(m *machine) {
	for i, data := range p.saved {
		copy(data, m.dev.undo[i])
	}
}

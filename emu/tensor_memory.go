// The tensor memory of blocks: allocation, pairs of blocks, events of accesses; tcgen05.commit, .cp and .shift.

package emu

import (
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/matrix"
	"github.com/ptxsan/ptxsan/emu/internal/tmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// tensorBlock is the tensor memory of a block.
type tensorBlock struct {
	*tmem.Memory               // nil before the first allocation
	first        *rewrite.Inst // first executed instruction with a .cta_group
	// Of the latest allocation, for the fault if it is not freed:
	at   *rewrite.Inst
	warp *warp
	// Of .cta_group::2: requested is the number of columns that a warp waits for the peer to allocate; granted says
	// that it may go on.
	requested uint32
	granted   bool
}

// tensorMemory returns a block's tensor memory, and creates it on first use.
func (x *engine) tensorMemory(c *cta) *tmem.Memory {
	if c.tensor.Memory == nil && x.claim(tmem.Bytes, "tensor memory") {
		c.tensor.Memory = &tmem.Memory{}
	}
	return c.tensor.Memory
}

// endTensor is called when a block ends: all of its tensor memory must have been deallocated.
func (x *engine) endTensor(c *cta) {
	t := &c.tensor
	if t.Memory == nil {
		return
	}
	if n := t.Leaks(); n > 0 && x.fault == nil {
		x.fail(t.warp, 0, t.at, "tensor-memory", 0, diag.Plural(n,
			"column")+" of tensor memory not deallocated when the block ends")
	}
	t.Reset()
	*t = tensorBlock{Memory: t.Memory}
}

// peerOf returns the other block of a block's pair, nil if there is none or it has ended.
func peerOf(c *cta) *cta {
	if blocks, rank := c.cluster.blocks, int(c.rank^1); rank < len(blocks) {
		return blocks[rank]
	}
	return nil
}

// tensorGroup returns the blocks that take part in a tcgen05 operation: the running one, or with .cta_group::2 the
// pair, the block of even rank first. It returns nil after a fault.
func (x *engine) tensorGroup(in *inst, lane int, pair bool) []*cta {
	if !pair {
		return []*cta{x.cta}
	}
	peer := peerOf(x.cta)
	if peer == nil {
		x.raise(in, lane, "tensor-memory", 0,
			".cta_group::2 in block %d of a cluster of %d: there is no peer, or it has ended", x.cta.rank,
			len(x.cta.cluster.blocks))
		return nil
	}
	if x.cta.rank&1 == 0 {
		return []*cta{x.cta, peer}
	}
	return []*cta{peer, x.cta}
}

// canAllocate reports whether the running block's warp can allocate now. With .cta_group::2 a warp of the peer must be
// ready to allocate, too.
func (x *engine) canAllocate(columns uint32, pair bool) bool {
	own := x.tensorMemory(x.cta)
	if own == nil || own.CheckAlloc(columns) != nil {
		return true // to fault
	}
	_, room := own.Room(columns)
	if !pair {
		return room
	}
	peer, t := peerOf(x.cta), &x.cta.tensor
	switch {
	case t.granted || peer == nil:
		return true
	case peer.tensor.requested != columns:
		t.requested = columns
		return false
	}
	other, roomThere := x.tensorMemory(peer), false
	if other != nil {
		_, roomThere = other.Room(columns)
	}
	if t.requested = columns; !room || !roomThere {
		return false
	}
	peer.tensor.granted = true
	x.retrySyncs(peer)
	return true
}

// allocate allocates columns in the running block.
func (x *engine) allocate(in *inst, lane int, columns uint32) (tmem.Addr, bool) {
	m := x.tensorMemory(x.cta)
	if m == nil {
		return 0, false
	}
	if bad := m.CheckAlloc(columns); bad != nil {
		x.raise(in, lane, bad.Class, 0, "%s", bad.Msg)
		return 0, false
	}
	a, ok := m.Alloc(columns)
	if !ok {
		panic("BUG: emu: tensor memory is full")
	}
	t := &x.cta.tensor
	t.requested, t.granted, t.at, t.warp = 0, false, x.blame(x.frame, in.src), x.warp
	return a, true
}

// tensorAddr returns the address of a cell for listeners: unique in the cluster.
func tensorAddr(c *cta, lane, column int) uint64 {
	return toRank(uint64(lane*tmem.Columns+column)*4, c.rank)
}

// tensorAccess returns an access to tensor memory.
func tensorAccess(kind isa.AccessKind, async abi.AsyncKind) *access {
	return &access{space: isa.SpaceTensor, kind: kind, async: async}
}

// emitTensor emits the access of a thread to columns of a lane.
func (x *engine) emitTensor(in *inst, ac *access, c *cta, lane, column, columns, thread int) {
	if x.ignored(ac) {
		return
	}
	ac.size = uint64(columns) * 4
	x.addrs[thread] = tensorAddr(c, lane, column)
	x.emitAccess(in, ac, 1<<thread, &x.addrs)
}

// completeTensor completes the operations in flight of a block and its peer that began before the operation with the
// given number.
func (x *engine) completeTensor(c *cta, before uint64) {
	type one struct {
		w *warp
		f *flight
	}
	var due []one
	for _, b := range []*cta{c, peerOf(c)} {
		if b == nil {
			continue
		}
		for _, w := range b.warps {
			w.flights = slices.DeleteFunc(w.flights, func(f *flight) bool {
				is := f.kind == flightTensor && f.op < before
				if is {
					due = append(due, one{w, f})
				}
				return is
			})
		}
	}
	slices.SortFunc(due, func(p, q one) int { return int(int64(p.f.op - q.f.op)) })
	for _, d := range due {
		x.unclaim(d.f.state())
		if bad := x.complete(d.w, d.f); bad != nil {
			x.fail(d.w, d.f.lane, d.f.at, bad.Class, 0, bad.Msg)
		}
	}
}

// tensorCommit: tcgen05.commit [mbar]{, ctaMask} arrives at an mbarrier when the earlier operations are complete.
func (d *decoder) tensorCommit(in *rewrite.Inst) (inst, error) {
	done, err := d.signalAt(in, 0)
	if err != nil {
		return inst{}, err
	}
	mask, err := d.ctaMask(in)
	if err != nil {
		return inst{}, err
	}
	return inst{flags: flagVisible | flagFaults, body: func(x *engine, in *inst, m lanes) {
		for ; m != 0 && x.fault == nil; m &= m - 1 {
			i := m.first()
			addr, ok := done.addr(x, in, i)
			if !ok {
				return
			}
			x.beginAsync()
			x.emitTensorCommit(in, i)
			if mask.slot == 0 {
				x.commitTo(in, done, addr, i)
				continue
			}
			for ranks := mask.of(x, i); ranks != 0 && x.fault == nil; ranks &= ranks - 1 {
				x.commitTo(in, done, toRank(addr, uint32(ranks.first())), i)
			}
		}
	}}, nil
}

// commitTo starts the arrival at one mbarrier.
func (x *engine) commitTo(in *inst, done *signal, addr uint64, i int) {
	if p := done.object(x, in, addr, i); p != nil {
		x.startFlight(in, flight{kind: flightCommit, signal: p, signalAddr: gmem.SharedWindow + addr}, i)
	}
}

// tcgenCopy: tcgen05.cp [taddr], s-desc.
func (d *decoder) tcgenCopy(in *rewrite.Inst) (inst, error) {
	multicast := modOf(in, "warpx2::02_13", "warpx2::01_23", "warpx4")
	v := &tcgenCopy{pattern: tmem.CopyOf(in.Mod("shape"), multicast), pair: inPair(in)}
	if v.pattern == nil {
		return inst{}, d.unsupported(in, "%s", in.Text())
	}
	switch {
	case in.Has("b6x16_p32"):
		v.bits = 6
	case in.Has("b4x16_p64"):
		v.bits = 4
	}
	var err error
	if v.at, err = d.tensorAt(in, 0); err != nil {
		return inst{}, err
	}
	if v.desc, err = d.descriptor(in, 1); err != nil {
		return inst{}, err
	}
	v.from, v.to = sharedSlices(d, in), tensorAccess(isa.AccessStore, abi.AsyncTensor)
	v.to.silent = v.from.silent
	return inst{body: v.exec, flags: flagVisible | flagFaults}, nil
}

// sharedSlices returns the access of a tcgen05 operation to slices in shared memory.
func sharedSlices(d *decoder, in *rewrite.Inst) *access {
	return &access{
		space: isa.SpaceShared, size: matrix.SliceBytes, kind: isa.AccessLoad, async: abi.AsyncTensor,
		silent: !d.m.interest.NeedsSite(in),
	}
}

// tcgenCopy is a decoded tcgen05.cp. Each block of a pair copies from its own shared memory.
type tcgenCopy struct {
	pattern  *tmem.Copy
	pair     bool
	bits     int // bits of elements that are decompressed, 0 for none
	at       tensorAt
	desc     operand
	from, to *access
}

func (v *tcgenCopy) exec(x *engine, in *inst, m lanes) {
	for ; m != 0 && x.fault == nil; m &= m - 1 {
		i := m.first()
		a, desc := v.at.of(x.frame, i), x.frame.r64(v.desc.slot)[i]
		s, problem := matrix.TensorDescriptor(desc)
		if problem != "" {
			x.raise(in, i, "unsupported", 0, "matrix descriptor 0x%x: %s", desc, problem)
			return
		}
		x.beginAsync()
		if x.pipe = (abi.Pipe{Kind: abi.PipeCopy, Pair: v.pair}); v.pattern.Rows == 4 {
			x.pipe.Kind = abi.PipeCopyRows
		}
		for _, c := range x.tensorGroup(in, i, v.pair) {
			t := x.tensorMemory(c)
			if t == nil {
				return
			}
			v.emit(x, in, c, &s, a, i)
			x.startFlight(in, flight{kind: flightTensor, work: func() *diag.Violation { return v.copy(c, t, s, a) }}, i)
		}
	}
}

// emit emits the accesses of a block.
func (v *tcgenCopy) emit(x *engine, in *inst, c *cta, s *matrix.Descriptor, a tmem.Addr, i int) {
	if x.ignored(v.to) {
		return
	}
	for row := range v.pattern.Rows {
		for k := range v.pattern.Slices {
			x.addrs[i] = v.from.generic(c.sharedBase() + s.Slice(row, k, false))
			x.emitAccess(in, v.from, 1<<i, &x.addrs)
		}
		for _, lane := range v.pattern.Targets(row) {
			x.emitTensor(in, v.to, c, a.Lane()+lane, a.Column(), v.pattern.Columns(), i)
		}
	}
}

// copy copies in one block.
func (v *tcgenCopy) copy(c *cta, t *tmem.Memory, s matrix.Descriptor, a tmem.Addr) *diag.Violation {
	if bad := t.Check(a.Lane(), v.pattern.Span(), a.Column(), v.pattern.Columns()); bad != nil {
		return bad
	}
	for row := range v.pattern.Rows {
		for k := range v.pattern.Slices {
			p, bad := tmem.Slice(c.shared, s.Slice(row, k, false))
			if bad != nil {
				return bad
			}
			cells := *(*[4]uint32)(unsafe.Pointer(p))
			if v.bits != 0 {
				cells = tmem.Expand(cells, v.bits)
			}
			for _, lane := range v.pattern.Targets(row) {
				copy(t.Row(a.Lane()+lane, a.Column()+4*k, 4), cells[:])
			}
		}
	}
	return nil
}

// shiftColumns is the number of columns that tcgen05.shift moves.
const shiftColumns = 8

// tensorShift: tcgen05.shift.down [taddr] copies to each lane of a quarter, except the last, the contents of the next
// lane.
func (d *decoder) tensorShift(in *rewrite.Inst) (inst, error) {
	at, err := d.tensorAt(in, 0)
	pair := inPair(in)
	from, to := tensorAccess(isa.AccessLoad, abi.AsyncTensor), tensorAccess(isa.AccessStore, abi.AsyncTensor)
	from.silent = !d.m.interest.NeedsSite(in)
	to.silent = from.silent
	return inst{flags: flagVisible | flagFaults, body: func(x *engine, in *inst, m lanes) {
		for ; m != 0 && x.fault == nil; m &= m - 1 {
			i := m.first()
			a := at.of(x.frame, i)
			if a.Lane()%tmem.Quarter != 0 {
				x.raise(in, i, "misaligned", 0, "lane %d of tensor memory, expected a multiple of %d", a.Lane(),
					tmem.Quarter)
				return
			}
			x.beginAsync()
			x.pipe = abi.Pipe{Kind: abi.PipeShift, Pair: pair}
			for _, c := range x.tensorGroup(in, i, pair) {
				t := x.tensorMemory(c)
				if t == nil {
					return
				}
				for row := range tmem.Quarter - 1 {
					x.emitTensor(in, from, c, a.Lane()+row+1, a.Column(), shiftColumns, i)
					x.emitTensor(in, to, c, a.Lane()+row, a.Column(), shiftColumns, i)
				}
				x.startFlight(in, flight{kind: flightTensor, work: func() *diag.Violation {
					if bad := t.Check(a.Lane(), tmem.Quarter, a.Column(), shiftColumns); bad != nil {
						return bad
					}
					for row := range tmem.Quarter - 1 {
						copy(t.Row(a.Lane()+row, a.Column(), shiftColumns),
							t.Row(a.Lane()+row+1, a.Column(), shiftColumns))
					}
					return nil
				}}, i)
			}
		}
	}}, err
}

// Operations made from the records of an instrumented kernel.

package barracuda

import (
	"fmt"
	"math/bits"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// FromRecords turns the records of an instrumented kernel into operations. What the kernel does not record is inferred
// from the begin and end of warps: a block begins with its first record and ends with the exit of its last thread, and
// a bar.warp.sync is complete when all lanes that it names have arrived or exited.
type FromRecords struct {
	emit    func(*Op)
	op      Op
	shape   detect.LaunchShape
	threads uint64 // per block
	blocks  map[uint64]*recordBlock
	last    *recordBlock // of the last record; nil if it has ended
	at      uint64       // index of last
}

// recordBlock is the state of a running block.
type recordBlock struct {
	left  uint64 // number of live threads
	warps [fanout]recordWarp
}

// recordWarp is the state of a warp.
type recordWarp struct {
	exited uint32
	syncs  []warpSync
}

// warpSync is a bar.warp.sync at which some of its lanes have arrived.
type warpSync struct{ lanes, come, site uint32 }

// NewFromRecords makes a FromRecords that hands the operations of a launch to emit, which must not keep them.
func NewFromRecords(shape detect.LaunchShape, emit func(*Op)) *FromRecords {
	return &FromRecords{
		emit: emit, shape: shape, blocks: map[uint64]*recordBlock{},
		threads: uint64(shape.Block[0]) * uint64(shape.Block[1]) * uint64(shape.Block[2]),
	}
}

// Record emits the operations of a record: none for a fence, and two for a branch if threads are scheduled
// independently, since both of its paths begin at once.
func (f *FromRecords) Record(r *abi.BarracudaRecord) error {
	blocks := uint64(f.shape.Grid[0]) * uint64(f.shape.Grid[1]) * uint64(f.shape.Grid[2])
	if f.threads == 0 || f.threads > fanout*abi.WarpLanes || r.Thread/f.threads >= blocks {
		return fmt.Errorf("barracuda: a record of thread %d, of a launch of %d blocks of %d threads", r.Thread, blocks,
			f.threads)
	}
	block, warp := r.Thread/f.threads, uint32(r.Thread%f.threads/abi.WarpLanes)
	b := f.block(block)
	w := &b.warps[warp]
	f.op.Block, f.op.Cluster, f.op.Warp = block, f.shape.ClusterOf(block), warp
	f.op.Mask, f.op.Live, f.op.Site = r.Mask, ^w.exited, r.Site
	switch r.Kind {
	case abi.BarracudaRead, abi.BarracudaWrite, abi.BarracudaAtomic, abi.BarracudaAtomicRead, abi.BarracudaSync:
		f.access(r)
	case abi.BarracudaIf:
		f.branch(r)
	case abi.BarracudaFi:
		f.emitKind(Fi)
	case abi.BarracudaLanes:
		w.come(r)
		f.synced(w)
	case abi.BarracudaArrive, abi.BarracudaGo, abi.BarracudaPass:
		f.barrier(r)
	case abi.BarracudaExited:
		f.exit(b, w)
	}
	return nil
}

// block returns the state of a block, which it begins at its first record.
func (f *FromRecords) block(i uint64) *recordBlock {
	if f.last != nil && f.at == i {
		return f.last
	}
	b := f.blocks[i]
	if b == nil {
		b = &recordBlock{left: f.threads}
		f.blocks[i] = b
		f.machine(BlockBegin, i)
	}
	f.last, f.at = b, i
	return b
}

// emitKind emits the current operation as one of a kind.
func (f *FromRecords) emitKind(k Kind) {
	f.op.Kind = k
	f.emit(&f.op)
}

// machine emits an operation that belongs to no warp.
func (f *FromRecords) machine(k Kind, block uint64) {
	f.op.Block, f.op.Cluster, f.op.Mask, f.op.Site = block, f.shape.ClusterOf(block), 0, 0
	f.emitKind(k)
}

var accessKinds = [...]Kind{
	abi.BarracudaRead: Read, abi.BarracudaWrite: Write, abi.BarracudaAtomic: Atomic,
	abi.BarracudaAtomicRead: AtomicRead, abi.BarracudaSync: Sync,
}

// access emits a Read, Write, Atomic, AtomicRead or Sync.
func (f *FromRecords) access(r *abi.BarracudaRecord) {
	op := &f.op
	op.Order = Order{Acquire: r.Acquire, Release: r.Release, Scope: ScopeOf(r.Scope)}
	op.Space, op.Bytes, op.Addr = r.Space, r.Bytes, r.Addresses
	op.Strong, op.Reach = r.Strong, ScopeGlobal
	if r.Reach != abi.ScopeNone {
		op.Reach = ScopeOf(r.Reach)
	}
	op.Valued = r.Kind == abi.BarracudaWrite && r.Valued
	if op.Valued {
		f.values(r)
	}
	f.emitKind(accessKinds[r.Kind])
}

// values sets stand-ins for values: the device has compared the values, and records which lanes differ from the first
// lane with the same address. Those lanes may agree with each other, which makes no difference.
func (f *FromRecords) values(r *abi.BarracudaRecord) {
	for m := r.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		f.op.Value[lane] = 0
		if r.Extra>>lane&1 != 0 {
			f.op.Value[lane] = uint64(lane) + 1
		}
	}
}

// branch emits If and Else.
func (f *FromRecords) branch(r *abi.BarracudaRecord) {
	f.op.Then = r.Extra & r.Mask
	f.emitKind(If)
	if rest := r.Mask &^ r.Extra; rest != 0 && f.op.Then != 0 {
		f.op.Mask = rest
		f.emitKind(Else)
	}
}

// barrier emits an Arrive or Pass.
func (f *FromRecords) barrier(r *abi.BarracudaRecord) {
	op := &f.op
	op.Barrier, op.Expected, op.Goes = r.Extra>>16, r.Extra&0xffff, r.Kind == abi.BarracudaGo
	switch {
	case op.Barrier == abi.BarracudaCluster:
		op.Barrier, op.Expected = ClusterBarrier, 0
	case op.Expected == 0:
		op.Expected = uint32(f.threads)
	}
	if r.Kind == abi.BarracudaPass {
		f.emitKind(Pass)
		return
	}
	f.emitKind(Arrive)
}

// come records that the lanes of a record have arrived at a bar.warp.sync.
func (w *recordWarp) come(r *abi.BarracudaRecord) {
	for i := range w.syncs {
		if s := &w.syncs[i]; s.lanes == r.Extra && s.come&r.Mask == 0 {
			s.come |= r.Mask
			return
		}
	}
	w.syncs = append(w.syncs, warpSync{lanes: r.Extra, come: r.Mask, site: r.Site})
}

// synced emits the completed bar.warp.sync of a warp.
func (f *FromRecords) synced(w *recordWarp) {
	kept := w.syncs[:0]
	for _, s := range w.syncs {
		if s.lanes&^(s.come|w.exited) != 0 {
			kept = append(kept, s)
			continue
		}
		f.op.Mask, f.op.Site = s.come, s.site
		f.emitKind(WarpSync)
	}
	w.syncs = kept
}

// exit emits the exit of some threads, and with the last one the end of their block.
func (f *FromRecords) exit(b *recordBlock, w *recordWarp) {
	mask := f.op.Mask &^ w.exited
	f.op.Mask = mask
	f.emitKind(Exit)
	w.exited |= mask
	f.synced(w)
	if b.left -= min(b.left, uint64(bits.OnesCount32(mask))); b.left == 0 {
		delete(f.blocks, f.op.Block)
		f.last = nil
		f.machine(BlockEnd, f.op.Block)
	}
}

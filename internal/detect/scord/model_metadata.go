// Metadata entries: the last access to a granule, as 32 bits of hardware state.

package scord

import "github.com/ptxsan/ptxsan/runtime/abi"

// entry is the metadata of one granule of memory, 8 bytes laid out as in Figure
// 7 of the paper:
//
//	57-54 Tag  53-47 BlockID  46-42 WarpID  41-36 DevFenceID  35-30 BlkFenceID
//	29-22 BarrierID  21 Modified  20 BlkShared  19 DevShared  18 IsAtom  17 Scope  16 Strong
//	15-0  Lock Bloom Filter
//
// Section VI uses the highest bit of BarrierID for hasDiverged, and five unused bits, here 62-58, for the thread.
// Without option its, only reports use the thread.
type entry uint64

// Bits and fields.
const (
	mdStrong entry = 1 << (iota + 16)
	mdScope        // scope of the atomic access: set for device, else block
	mdIsAtom
	mdDevShared
	mdBlkShared
	mdModified

	mdDiverged entry = 1 << 29 // with option its

	barrierShift  = 22
	blkFenceShift = 30
	devFenceShift = 36
	warpShift     = 42
	blockShift    = 47
	tagShift      = 54
	threadShift   = 58

	fenceMask   = 1<<6 - 1
	barrierMask = 1<<8 - 1
	warpMask    = 1<<5 - 1
	blockMask   = 1<<7 - 1
	tagMask     = 1<<4 - 1
	bloomMask   = 1<<16 - 1
)

// fresh is the initial state of all entries: condition (a) of Table III.
const fresh = mdModified | mdBlkShared | mdDevShared

func (e entry) has(f entry) bool { return e&f != 0 }
func (e entry) bloom() uint16    { return uint16(e & bloomMask) }
func (e entry) blkFence() uint32 { return uint32(e>>blkFenceShift) & fenceMask }
func (e entry) devFence() uint32 { return uint32(e>>devFenceShift) & fenceMask }
func (e entry) warp() uint32     { return uint32(e>>warpShift) & warpMask }
func (e entry) block() uint32    { return uint32(e>>blockShift) & blockMask }
func (e entry) tag() uint32      { return uint32(e>>tagShift) & tagMask }
func (e entry) thread() uint32   { return uint32(e>>threadShift) & warpMask }

// barrier returns BarrierID, which has seven bits if threads are distinguished.
func (e entry) barrier(its bool) uint32 {
	return uint32(e>>barrierShift) & barrierWidth(its)
}

func barrierWidth(its bool) uint32 {
	if its {
		return barrierMask >> 1
	}
	return barrierMask
}

// with sets or clears a flag.
func (e entry) with(f entry, on bool) entry {
	if on {
		return e | f
	}
	return e &^ f
}

// access is what an SM sends to the race detector for an access to one granule.
type access struct {
	store    bool // or atomic
	atomic   bool
	strong   bool
	device   bool // scope of an atomic access
	its      bool // the option
	diverged bool // hasDiverged, with its
	thread   uint32
	block    uint32
	warp     uint32
	barrier  uint32
	blkFence uint32
	devFence uint32
	bloom    uint16
	who      entry // fields that identify the thread and its point of time
	written  entry // fields that a store leaves, without mdStrong
	mark     mark

	batch *abi.Batch // that the access belongs to
	of    *abi.Access
}

// by makes a lane the accessing thread.
func (a *access) by(lane uint32) {
	a.thread = lane
	a.identify()
	a.classify()
}

// identify sets the fields that identify the accessing thread and its point of time.
func (a *access) identify() {
	a.who = entry(a.block)<<blockShift | entry(a.warp)<<warpShift |
		entry(a.devFence)<<devFenceShift | entry(a.blkFence)<<blkFenceShift |
		entry(a.barrier)<<barrierShift | entry(a.bloom) | entry(a.thread)<<threadShift
	if a.diverged {
		a.who |= mdDiverged
	}
}

// classify sets the fields that a store or an atomic operation leaves.
func (a *access) classify() {
	a.written = a.who | mdModified
	if a.atomic {
		a.written = (a.written | mdIsAtom).with(mdScope, a.device)
	}
}

// update returns the entry after the access (IV.A). The caller sets the tag.
func (e entry) update(a *access) entry {
	first := initialization(e)
	strong := a.strong && (first || e.has(mdStrong))
	switch {
	case a.store:
		e = a.written
	case first:
		e = a.who
	case e.keeps(a):
		return e.with(mdStrong, strong)
	default:
		e = e.sharing(a) | a.who
	}
	if a.atomic && !a.store { // with option release: polling does not race with what it waits for
		e = (e | mdIsAtom).with(mdScope, a.device)
	}
	return e.with(mdStrong, strong)
}

// keeps reports whether the entry still describes the write before the access: a load by the same warp, in the same
// barrier interval.
func (e entry) keeps(a *access) bool {
	return !a.store && e.has(mdModified) && e.ownWrite(a)
}

// ownWrite reports whether an entry with Modified is of a write of the accessing warp, in the same barrier interval.
func (e entry) ownWrite(a *access) bool {
	return !initialization(e) && e.sameThread(a) && !barrierSince(e, a)
}

// sharing returns the flags after a load that need not be by the last accessor. The first warp that reads what another
// has written becomes the owner.
func (e entry) sharing(a *access) entry {
	flags := e & (mdBlkShared | mdDevShared)
	switch {
	case e.has(mdModified):
		return 0
	case e.block() != a.block:
		return mdDevShared
	case barrierSince(e, a):
		return 0
	case !e.sameThread(a) && flags == 0:
		return mdBlkShared
	}
	return flags
}

// sameThread reports whether the access is by the warp of the last one or, in a warp that has diverged, by its thread.
func (e entry) sameThread(a *access) bool {
	if e.block() != a.block || e.warp() != a.warp {
		return false
	}
	return !a.diverged || !e.has(mdDiverged) || e.thread() == a.thread
}

// Clusters of blocks and addresses in their shared memory.

package state

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Cluster is the blocks of one cluster, from its start until the last block has ended.
type Cluster struct {
	Linear uint64 // position among the clusters of the grid, x fastest
	Blocks []*CTA // by rank; nil once ended
	Live   int    // threads that have not exited

	// State of the cluster barrier:
	Arrived int // Live threads that have arrived in the current phase
	Waiting []*Group
	Met     WeakPhase // the latest that is complete, under weak memory
}

// explicit reports whether the launch specifies clusters.
func (l *Launch) explicit() bool { return l.Cluster != Dim3{} }

// Clustered reports whether clusters have more than one block.
func (l *Launch) Clustered() bool { return l.Cluster.Count() > 1 }

// ClusterDim returns the extent of a cluster in blocks.
func (l *Launch) ClusterDim() Dim3 {
	if l.explicit() {
		return l.Cluster
	}
	return Dim3{1, 1, 1}
}

// Linear returns the linear index, x fastest, of an index within the extent.
func (d Dim3) Linear(at Dim3) uint64 {
	return uint64(at.X) + uint64(d.X)*(uint64(at.Y)+uint64(d.Y)*uint64(at.Z))
}

// At returns the index for a linear index, x fastest.
func (d Dim3) At(i uint64) Dim3 {
	x, y := uint64(d.X), uint64(d.Y)
	return Dim3{uint32(i % x), uint32(i / x % y), uint32(i / x / y)}
}

// Times multiplies component by component.
func (d Dim3) Times(e Dim3) Dim3 { return Dim3{d.X * e.X, d.Y * e.Y, d.Z * e.Z} }

// Over divides component by component.
func (d Dim3) Over(e Dim3) Dim3 { return Dim3{d.X / e.X, d.Y / e.Y, d.Z / e.Z} }

// Plus adds component by component.
func (d Dim3) Plus(e Dim3) Dim3 { return Dim3{d.X + e.X, d.Y + e.Y, d.Z + e.Z} }

// Distributed shared memory. The bits of a shared address from bit 24 on hold the rank in the cluster of the block that
// owns it, so that .shared::cta addresses are valid .shared::cluster addresses and may be passed to other blocks. The
// same applies to the low 32 bits of generic addresses. The rank of a block without an explicit cluster is 0.

// Where an address in shared memory has the rank of its block.
const (
	RankShift = 24
	rankBits  = gmem.SlotBits - RankShift
	RankMask  = (1<<rankBits - 1) << RankShift
)

// RankOf returns the rank in a shared address, or in a generic address in the shared window.
func RankOf(addr uint64) uint32 { return uint32(addr&RankMask) >> RankShift }

// SharedBase returns the address of the block's shared memory in the shared space.
func (c *CTA) SharedBase() uint64 { return uint64(c.Rank) << RankShift }

// Valid mbarriers in shared memory: ordinary accesses to them are faults.

// ObjectAt is a place at which a thread of a block has initialised or invalidated an mbarrier.
type ObjectAt struct {
	Inst   *rewrite.Inst
	Thread int // within the block
}

// OffsetOf returns the offset of p in the shared memory of c, a larger number if p is not in it.
func (c *CTA) OffsetOf(p *uint64) uint64 {
	return uint64(uintptr(unsafe.Pointer(p)) - uintptr(unsafe.Pointer(unsafe.SliceData(c.Shared))))
}

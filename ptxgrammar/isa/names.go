// Special registers, and the versions that they require.

package isa

import (
	"strconv"
	"strings"
)

// SpecialReg describes a predefined register such as %tid or %laneid.
type SpecialReg struct {
	Name     string // with the percent sign, without .x
	Type     Type   // of one component
	Dim      bool   // has .x .y .z (and .w)
	Volatile bool   // two reads by one thread may differ: %clock, %smid
	PerLane  bool   // differs between the lanes of a warp: %tid, %laneid
	Opaque   bool   // may hold an address, or part of one: %envreg0
	PerBlock bool   // differs between blocks, and is equal in all threads of one: %ctaid, %clusterid
	// Launched says that it may differ between launches with equal extents of block and cluster, or between the
	// clusters of one launch: %ctaid, %nctaid.
	Launched bool
	Since    Version
	MinSM    int
	Doc      string
	Count    int // 0 in the results of Special
}

// Requires returns the version and target that a module needs to read the register.
func (r SpecialReg) Requires() Requirement { return Requirement{Since: r.Since, MinSM: r.MinSM} }

// Components returns the number of the register's components: 4 for %tid, 1 for a scalar.
func (r SpecialReg) Components() int {
	if r.Dim {
		return 4
	}
	return 1
}

// specials lists the special registers in the order of PTX ISA chapter 10. If Count is set, # stands for the numbers
// below it.
var specials = []SpecialReg{
	{Name: "%tid", Type: U32, PerLane: true, Dim: true, Since: 10, Doc: "thread within the block"},
	{Name: "%ntid", Type: U32, Dim: true, Since: 10, Doc: "threads per block"},
	{Name: "%laneid", Type: U32, PerLane: true, Since: 13, Doc: "lane within the warp"},
	{Name: "%warpid", Type: U32, Volatile: true, Since: 13, Doc: "warp within the block"},
	{Name: "%nwarpid", Type: U32, Since: 20, MinSM: 20, Doc: "greatest number of warps"},
	{Name: "%ctaid", Type: U32, PerBlock: true, Dim: true, Launched: true, Since: 10, Doc: "block within the grid"},
	{Name: "%nctaid", Type: U32, Dim: true, Launched: true, Since: 10, Doc: "blocks per grid"},
	{Name: "%smid", Type: U32, Volatile: true, Since: 13, Doc: "multiprocessor that runs the thread"},
	{Name: "%nsmid", Type: U32, Volatile: true, Since: 20, MinSM: 20, Doc: "greatest number of multiprocessors"},
	{Name: "%gridid", Type: U64, Launched: true, Since: 10, Doc: "grid within the context"},
	{Name: "%is_explicit_cluster", Type: Pred, Launched: true, Since: 78, MinSM: 90, Doc: "was the grid launched with explicit clusters"},
	{Name: "%clusterid", Type: U32, PerBlock: true, Dim: true, Launched: true, Since: 78, MinSM: 90, Doc: "cluster within the grid"},
	{Name: "%nclusterid", Type: U32, Dim: true, Launched: true, Since: 78, MinSM: 90, Doc: "clusters per grid"},
	{Name: "%cluster_ctaid", Type: U32, PerBlock: true, Dim: true, Since: 78, MinSM: 90, Doc: "block within the cluster"},
	{Name: "%cluster_nctaid", Type: U32, Dim: true, Since: 78, MinSM: 90, Doc: "blocks per cluster"},
	{Name: "%cluster_ctarank", Type: U32, PerBlock: true, Since: 78, MinSM: 90, Doc: "flat rank of the block within the cluster"},
	{Name: "%cluster_nctarank", Type: U32, Since: 78, MinSM: 90, Doc: "blocks per cluster, flat"},
	{Name: "%lanemask_eq", Type: U32, PerLane: true, Since: 20, MinSM: 20, Doc: "mask of this lane"},
	{Name: "%lanemask_le", Type: U32, PerLane: true, Since: 20, MinSM: 20, Doc: "mask of this lane and those below"},
	{Name: "%lanemask_lt", Type: U32, PerLane: true, Since: 20, MinSM: 20, Doc: "mask of the lanes below"},
	{Name: "%lanemask_ge", Type: U32, PerLane: true, Since: 20, MinSM: 20, Doc: "mask of this lane and those above"},
	{Name: "%lanemask_gt", Type: U32, PerLane: true, Since: 20, MinSM: 20, Doc: "mask of the lanes above"},
	{Name: "%clock", Type: U32, Volatile: true, Since: 10, Doc: "cycle counter"},
	{Name: "%clock_hi", Type: U32, Volatile: true, Since: 50, MinSM: 20, Doc: "upper half of %clock64"},
	{Name: "%clock64", Type: U64, Volatile: true, Since: 20, MinSM: 20, Doc: "cycle counter"},
	{Name: "%pm#", Count: 8, Type: U32, Volatile: true, Since: 13, Doc: "performance counter"},
	{Name: "%pm#_64", Count: 8, Type: U64, Volatile: true, Since: 40, MinSM: 50, Doc: "performance counter"},
	{Name: "%envreg#", Count: 32, Type: B32, Opaque: true, Launched: true, Since: 21, Doc: "set by the driver"},
	{Name: "%globaltimer", Type: U64, Volatile: true, Since: 31, MinSM: 30, Doc: "wall clock, nanoseconds"},
	{Name: "%globaltimer_lo", Type: U32, Volatile: true, Since: 31, MinSM: 30, Doc: "lower half of %globaltimer"},
	{Name: "%globaltimer_hi", Type: U32, Volatile: true, Since: 31, MinSM: 30, Doc: "upper half of %globaltimer"},
	{Name: "%reserved_smem_offset_begin", Type: B32, Since: 76, MinSM: 80, Doc: "start of reserved shared memory"},
	{Name: "%reserved_smem_offset_end", Type: B32, Since: 76, MinSM: 80, Doc: "end of reserved shared memory"},
	{Name: "%reserved_smem_offset_cap", Type: B32, Since: 76, MinSM: 80, Doc: "size of reserved shared memory"},
	{Name: "%reserved_smem_offset_#", Count: 2, Type: B32, Since: 76, MinSM: 80, Doc: "offset within reserved shared memory"},
	{Name: "%total_smem_size", Type: U32, Launched: true, Since: 41, MinSM: 20, Doc: "bytes of shared memory of the block"},
	{Name: "%aggr_smem_size", Type: U32, Launched: true, Since: 81, MinSM: 90, Doc: "bytes of shared memory with the reserved part"},
	{Name: "%dynamic_smem_size", Type: U32, Launched: true, Since: 41, MinSM: 20, Doc: "bytes of dynamic shared memory of the launch"},
	{Name: "%perctamemoryoffset", Type: U64, Opaque: true, PerBlock: true, Launched: true, Since: 94, MinSM: 80, Doc: "start of the block's part of global memory"},
	{Name: "%perctamemorysize", Type: U32, Launched: true, Since: 94, MinSM: 80, Doc: "bytes of a block's part of global memory"},
	{Name: "%locality_domain_id", Type: U32, Volatile: true, Since: 95, MinSM: 100, Doc: "locality domain of the multiprocessor"},
	{Name: "%locality_domain_supplemental_sm", Type: U32, Volatile: true, Since: 95, MinSM: 100, Doc: "is the multiprocessor beyond those that every locality domain has"},
	{Name: "%current_graph_exec", Type: U64, Opaque: true, Launched: true, Since: 80, MinSM: 50, Doc: "running graph, 0 outside one"},
}

var specialByName = func() map[string]SpecialReg {
	m := make(map[string]SpecialReg, len(specials))
	for _, r := range specials {
		pattern, count := r.Name, max(1, r.Count)
		r.Count = 0
		for i := range count {
			r.Name = strings.Replace(pattern, "#", strconv.Itoa(i), 1)
			m[r.Name] = r
		}
	}
	return m
}()

// Special returns the special register named s ("%tid", "%clock64").
func Special(s string) (SpecialReg, bool) {
	r, ok := specialByName[s]
	return r, ok
}

// ReservedSharedSize is the size of the part of a block's shared memory that is reserved for system software on targets
// from sm_80 on (CUDA C++ Programming Guide, "Compute Capabilities": 1 KB per block).
const ReservedSharedSize = 1024

// ReservedSharedCap is the special register that contains the size of the reserved shared memory.
const ReservedSharedCap = "%reserved_smem_offset_cap"

// reservedShared has the offsets in the reserved shared memory that special registers contain. Cooperative groups of
// several warps keep 288 bytes from %reserved_smem_offset_1 on.
var reservedShared = map[string]int64{
	"%reserved_smem_offset_begin": 0,
	"%reserved_smem_offset_0":     0,
	"%reserved_smem_offset_1":     ReservedSharedSize / 2,
	"%reserved_smem_offset_end":   ReservedSharedSize,
}

// ReservedShared returns the offset in the reserved shared memory of the address that a special register contains; ok
// is false if it contains no such address.
func ReservedShared(name string) (offset int64, ok bool) {
	offset, ok = reservedShared[name]
	return offset, ok
}

// WarpSize is the value of the predefined constant WARP_SZ.
const WarpSize = 32

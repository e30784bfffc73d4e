// The host part of the pass boundscheck.

package profile

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Allocation is memory that a kernel may access.
type Allocation struct {
	Name string
	Base uint64
	Size uint64
}

// BoundsFault describes the out-of-bounds accesses of one site in one launch.
type BoundsFault struct {
	Site          uint32 // abi.Site.ID
	Count         uint32 // accesses, in threads
	Block, Thread [3]uint32
	Address       uint64 // address of the first one, by the thread above
	Near          string // position of the address: after, before or across an allocation
}

// BoundsCheck is the host part of the boundscheck pass.
type BoundsCheck struct {
	allocations []Allocation // sorted
	sites       []abi.Site
	table       uint64 // address of the table, 0 before the first launch
	records     uint64
}

// NewBoundsCheck returns a checker of accesses to the given allocations.
func NewBoundsCheck(allocations []Allocation, sites []abi.Site) *BoundsCheck {
	b := &BoundsCheck{allocations: slices.Clone(allocations), sites: sites}
	slices.SortFunc(b.allocations, func(x, y Allocation) int { return cmp.Compare(x.Base, y.Base) })
	return b
}

// Prepare writes the table and clears the records. Call it before each launch.
func (b *BoundsCheck) Prepare(dev abi.Device) error {
	addr, _, err := abi.BoundsLibrary.Find(dev)
	if err != nil {
		return err
	}
	if b.records == 0 {
		if err := b.provide(dev); err != nil {
			return fmt.Errorf("boundscheck: %w", err)
		}
	}
	if err := dev.Write(b.records, make([]byte, b.recordBytes())); err != nil {
		return fmt.Errorf("boundscheck: %w", err)
	}
	state := abi.BoundsStateVar{
		Table: b.table, Entries: uint64(len(b.allocations)), Records: b.records,
		Sites: uint32(len(b.sites)), Version: abi.BoundsVersion,
	}
	return dev.Write(addr, state.Encode())
}

func (b *BoundsCheck) recordBytes() uint64 {
	return uint64(len(b.sites)+1) * abi.BoundsRecordBytes
}

// provide allocates the table and the records and fills the table.
func (b *BoundsCheck) provide(dev abi.Device) (err error) {
	var table []byte
	for _, a := range b.allocations {
		table = binary.LittleEndian.AppendUint64(table, a.Base)
		table = binary.LittleEndian.AppendUint64(table, a.Base+a.Size)
	}
	if b.table, err = dev.Alloc("boundscheck.table", max(uint64(len(table)), abi.BoundsEntryBytes)); err != nil {
		return err
	}
	if b.records, err = dev.Alloc("boundscheck.records", b.recordBytes()); err != nil {
		return err
	}
	return dev.Write(b.table, table)
}

// Collect reads the faults of the launch that Prepare was called for, by site. grid and block are the extents of the
// launch.
func (b *BoundsCheck) Collect(dev abi.Device, grid, block [3]uint32) ([]BoundsFault, error) {
	data := make([]byte, b.recordBytes())
	if err := dev.Read(b.records, data); err != nil {
		return nil, fmt.Errorf("boundscheck: %w", err)
	}
	records, err := abi.DecodeBoundsRecords(data)
	if err != nil {
		return nil, err
	}
	var faults []BoundsFault
	for id, r := range records {
		if r.Count > 0 {
			faults = append(faults, BoundsFault{
				Site: uint32(id), Count: r.Count, Address: r.Address,
				Block: abi.Index3(uint64(r.Block), grid), Thread: abi.Index3(uint64(r.Thread), block),
				Near: b.near(r.Address),
			})
		}
	}
	return faults, nil
}

// near describes the position of an address relative to the nearest allocation.
func (b *BoundsCheck) near(addr uint64) string {
	best, distance := "is in no allocation", ^uint64(0)
	for _, a := range b.allocations {
		end := a.Base + a.Size
		of := fmt.Sprintf("allocation %s of size %d bytes", strings.TrimPrefix(a.Name, "allocation "), a.Size) // allocations of an application are named allocation 1 and so on
		switch {
		case addr >= a.Base && addr < end:
			return fmt.Sprintf("begins in and ends after %s", of)
		case addr >= end && addr-end < distance:
			distance = addr - end
			best = fmt.Sprintf("is %d bytes after %s", distance, of)
		case addr < a.Base && a.Base-addr < distance:
			distance = a.Base - addr
			best = fmt.Sprintf("is %d bytes before %s", distance, of)
		}
	}
	if distance >= farAway {
		return "is in no allocation"
	}
	return best
}

// farAway is the distance in bytes beyond which an allocation is not named.
const farAway = 1 << 30

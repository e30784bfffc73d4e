package emu

import (
	"fmt"
	"runtime"
	"slices"
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/pages"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Device memory and the map of generic addresses.
//
// A generic address is a number below 2^57. Its upper bits select a window:
//
//	0              null: never valid
//	sharedWindow   .shared of the blocks of the thread's cluster (cluster_address.go)
//	localWindow    .local of the thread itself
//	paramWindow    parameters of the kernel
//	firstSlot...   device memory: .global and .const variables, buffers
//
// so that cvta between a state space and generic is one addition, and none for
// .global and .const. Every device allocation starts in a window ("slot") of its
// own: an access less than 4 GiB out of bounds never reaches another one. The first
// allocations have 64 GiB to themselves, which is as far as an index of 32 bits leads
// in an array of elements of up to 16 bytes. The low
// 32 bits of the bases are handed out like a heap's, so that hash functions of
// addresses see what they would see on a device. Slots of freed allocations are
// not used again, so that a use after free is recognised as such.
const (
	slotBits32   = 32 // log2 of the size of a window
	sharedWindow = 1 << slotBits32
	localWindow  = 2 << slotBits32
	paramWindow  = 3 << slotBits32
	firstSlot    = 16
	maxSlots     = 1 << (57 - slotBits32)

	roomyAllocations = 1 << 10 // those that begin roomySlots apart
	roomySlots       = 16

	allocAlign = 512 // alignment of allocations, as cudaMalloc's
)

// What is known of an allocation, freed or not, counts as RecordBytes: there can be as
// many as make up the memory limit, but always LeastAllocations.
const (
	RecordBytes      = 256
	LeastAllocations = 1 << 16
)

// memory is the device memory of one Machine.
type memory struct {
	slots []*allocation // by address >> slotBits32; an allocation may fill several
	all   []*allocation // in order of address
	low   uint32        // low half of the next base
	used  uint64        // bytes of live allocations
	limit uint64
	sites []*site        // that may hold pointers into allocations
	moves uint64         // how often the sites were emptied
	spare []*pages.Block // of allocations that the host has freed, for the next ones
}

// allocation is a range of device memory.
type allocation struct {
	name     string
	base     uint64
	size     uint64
	data     []byte       // nil when freed; capacity rounded up to whole words
	block    *pages.Block // that data is of, nil for a slice of Go's heap
	readonly bool         // .const: see constant.go
	writes   constantWrites
	shadow   shadow // of what was written, nil for everything
}

func (a *allocation) end() uint64 { return a.base + a.size }

func (a *allocation) freed() bool { return a.data == nil }

func newMemory(limit uint64) *memory {
	return &memory{slots: make([]*allocation, firstSlot), limit: limit}
}

// alloc reserves zeroed memory. Large allocations are sparse (sparse.go).
func (mm *memory) alloc(name string, size uint64, readonly bool) (*allocation, error) {
	if size > mm.limit || mm.used > mm.limit-size {
		return nil, fmt.Errorf("allocation %s of %d bytes exceeds the memory limit of %d bytes (%d in use)", name, size, mm.limit, mm.used)
	}
	slot := mm.nextSlot()
	base := slot<<slotBits32 | uint64(mm.low)
	n := (uint64(mm.low) + max(size, 1) - 1 + 1<<slotBits32) >> slotBits32
	switch {
	case slot+n > maxSlots:
		return nil, fmt.Errorf("allocation %s of %d bytes: the device address space is exhausted", name, size)
	case uint64(len(mm.all)) >= max(LeastAllocations, mm.limit/RecordBytes):
		return nil, fmt.Errorf("allocation %s of %d bytes: there have been %d allocations; with a memory limit of %d bytes there can be no more", name, size, len(mm.all), mm.limit)
	}
	a := &allocation{name: name, base: base, size: size, readonly: readonly}
	if err := mm.provide(a); err != nil {
		return nil, fmt.Errorf("allocation %s of %d bytes: %w", name, size, err)
	}
	mm.slots = append(mm.slots, make([]*allocation, slot-uint64(len(mm.slots)))...)
	for range n {
		mm.slots = append(mm.slots, a)
	}
	mm.all = append(mm.all, a)
	mm.low = uint32((uint64(mm.low) + size + 2*allocAlign - 1) &^ (allocAlign - 1))
	mm.used += size
	return a, nil
}

// nextSlot is where the next allocation begins.
func (mm *memory) nextSlot() uint64 {
	slot, before := uint64(len(mm.slots)), len(mm.all)
	if before >= roomyAllocations {
		return slot
	}
	slot = (slot + roomySlots - 1) &^ (roomySlots - 1)
	if before > 0 && slot<<slotBits32|uint64(mm.low) < mm.all[before-1].base+roomySlots<<slotBits32 {
		slot += roomySlots // the low halves of addresses begin again
	}
	return slot
}

// free ends the life of the allocation that starts at addr.
func (mm *memory) free(addr uint64) error {
	a, err := mm.end(addr)
	if err == nil && a.block != nil {
		a.block.Drop() // and stays: somebody may be about to write to it
	}
	return err
}

// end makes the allocation that starts at addr a freed one, that has its block still.
func (mm *memory) end(addr uint64) (*allocation, error) {
	a := mm.find(addr)
	switch {
	case a == nil || a.base != addr:
		return nil, fmt.Errorf("free of 0x%x: no allocation starts there", addr)
	case a.freed():
		return nil, fmt.Errorf("free of 0x%x: allocation %s is freed already", addr, a.name)
	}
	a.data, a.shadow = nil, nil
	mm.used -= a.size
	mm.forget()
	return a, nil
}

// forget empties all sites.
func (mm *memory) forget() {
	for _, s := range mm.sites {
		s.forget()
	}
	mm.sites = mm.sites[:0]
	mm.moves++
}

// find is the allocation whose slot holds addr, nil when there is none; the
// address may be out of its bounds.
func (mm *memory) find(addr uint64) *allocation {
	if s := addr >> slotBits32; s < uint64(len(mm.slots)) {
		return mm.slots[s]
	}
	return nil
}

// contains reports whether the n bytes at addr lie in a.
func (a *allocation) contains(addr, n uint64) bool {
	off := addr - a.base
	return off <= a.size && n <= a.size-off
}

// at is the bytes of a live allocation from addr on, for the host.
func (mm *memory) at(addr, n uint64) ([]byte, error) {
	a := mm.find(addr)
	if a == nil || a.freed() || !a.contains(addr, n) {
		return nil, fmt.Errorf("%d bytes at 0x%x %s", n, addr, mm.where(addr, n))
	}
	off := addr - a.base
	return a.data[off : off+n], nil
}

// read and write copy between host and device memory; the host may write
// read-only variables.
func (mm *memory) read(addr uint64, p []byte) error {
	b, err := mm.at(addr, uint64(len(p)))
	copy(p, b)
	runtime.KeepAlive(mm) // the blocks
	return err
}

func (mm *memory) write(addr uint64, p []byte) error {
	b, err := mm.at(addr, uint64(len(p)))
	if copy(b, p); err == nil {
		a := mm.find(addr)
		a.shadow.set(addr-a.base, uint64(len(p)))
	}
	runtime.KeepAlive(mm) // the blocks
	return err
}

// describe names the live allocation that holds addr.
func (mm *memory) describe(addr uint64) (name string, offset uint64, ok bool) {
	a := mm.find(addr)
	if a == nil || a.freed() || !a.contains(addr, 1) {
		return "", 0, false
	}
	return a.name, addr - a.base, true
}

// where says in words where n bytes at addr lie relative to the allocations.
func (mm *memory) where(addr, n uint64) string {
	if addr < sharedWindow {
		return "is in the null page"
	}
	a := mm.nearest(addr)
	if a == nil {
		return "is in no allocation"
	}
	what := fmt.Sprintf("allocation %s of size %d", a.name, a.size)
	if a.freed() {
		what = "freed " + what
	}
	switch {
	case addr < a.base:
		return fmt.Sprintf("is %d bytes before the %s", a.base-addr, what)
	case addr >= a.end():
		return fmt.Sprintf("is %d bytes after the %s", addr-a.end(), what)
	case !a.contains(addr, n):
		return fmt.Sprintf("is %d bytes into the %s and reaches %d bytes beyond its end", addr-a.base, what, addr+n-a.end())
	}
	return fmt.Sprintf("is %d bytes into the %s", addr-a.base, what)
}

// nearest is the allocation closest to addr.
func (mm *memory) nearest(addr uint64) *allocation {
	i, _ := slices.BinarySearchFunc(mm.all, addr, func(a *allocation, addr uint64) int {
		if a.base <= addr {
			return -1
		}
		return 1
	})
	switch { // all[i-1] starts at or below addr, all[i] above
	case i == 0 && len(mm.all) == 0:
		return nil
	case i == 0:
		return mm.all[0]
	case i == len(mm.all):
		return mm.all[i-1]
	}
	before, after := mm.all[i-1], mm.all[i]
	if addr >= before.end() && addr-before.end() > after.base-addr {
		return after
	}
	return before
}

// check says why the kernel may not access the n bytes at the device address, or
// nothing when it may.
func (mm *memory) check(addr, n uint64) (*allocation, *diag.Violation) {
	a := mm.find(addr)
	switch {
	case a == nil || !a.contains(addr, n):
		return nil, diag.Violationf("out-of-bounds", "%s", mm.where(addr, n))
	case a.freed():
		return nil, diag.Violationf("use-after-free", "%s", mm.where(addr, n))
	}
	return a, nil
}

// site is the inline cache of one memory instruction: the allocation that it
// last accessed. An access at addr hits when addr-base < lim.
type site struct {
	base uint64
	lim  uint64 // bytes at which an access of the instruction may start; 0 when empty
	ptr  unsafe.Pointer
}

func (s *site) forget() { *s = site{} }

// fill makes s hold a, whose bytes are data, for accesses of n bytes.
func (mm *memory) fill(s *site, a *allocation, data []byte, n uint64) {
	if s.lim == 0 {
		mm.sites = append(mm.sites, s)
	}
	*s = site{base: a.base, lim: a.size - n + 1, ptr: unsafe.Pointer(unsafe.SliceData(data))}
}

// spaceBase is what cvta adds to an address of the space to make it generic.
func spaceBase(space isa.Space) uint64 {
	switch space {
	case isa.SpaceShared:
		return sharedWindow
	case isa.SpaceLocal:
		return localWindow
	case isa.SpaceParam:
		return paramWindow
	}
	return 0
}

// spaceOf is the state space that an access at a generic address is to: .global for
// every address outside the other windows, those of .const variables included.
func (mm *memory) spaceOf(addr uint64) isa.Space {
	switch addr >> slotBits32 {
	case sharedWindow >> slotBits32:
		return isa.SpaceShared
	case localWindow >> slotBits32:
		return isa.SpaceLocal
	case paramWindow >> slotBits32:
		return isa.SpaceParam
	}
	return isa.SpaceGlobal
}

// declaredSpace is spaceOf, but .const for the addresses of such variables.
func (mm *memory) declaredSpace(addr uint64) isa.Space {
	if a := mm.find(addr); a != nil && a.readonly {
		return isa.SpaceConst
	}
	return mm.spaceOf(addr)
}

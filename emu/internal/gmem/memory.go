// Package gmem is the memory of a device: allocations, the map of generic addresses, shadow memory, and the caches of
// the allocation that an instruction last accessed. It does not depend on instructions and threads. The other state
// spaces have an address window here, but their bytes are elsewhere.
package gmem

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
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
//	sharedSlot...  device memory shared with other processes: see AllocShared
//	othersSlot...  device memory of devices with an address range of their own: see Within
//	privateSlot... device memory that is not the program's: see AllocPrivate
//
// Thus cvta between a state space and generic is one addition, and none for .global and .const. Every device allocation
// starts in a separate window ("slot"): an access less than 4 GiB out of bounds never reaches another one. The first
// allocations have 64 GiB each, the range of a 32-bit index in an array of elements of up to 16 bytes. The low 32 bits
// of the bases are assigned like a heap's, so that hash functions of addresses get similar values as on a device. Slots
// of freed allocations are not reused, so that a use after free is recognised as such. The exception is shared memory:
// a process has 47 bits of addresses, of which it uses some itself, so slots there are reused when all have been used.
const (
	SlotBits     = 32 // log2 of the size of a window
	SharedWindow = 1 << SlotBits
	LocalWindow  = 2 << SlotBits
	ParamWindow  = 3 << SlotBits
	firstSlot    = 16
	maxSlots     = 1 << (57 - SlotBits)
	privateSlot  = maxSlots / 2
	sharedSlot   = 1 << (46 - SlotBits)
	sharedEnd    = 1<<(47-SlotBits) - 1 // the end of a process's address range has stacks and libraries
	othersSlot   = privateSlot / 4 * 3
	otherSlots   = (privateSlot - othersSlot) / (AddressRanges - 1) // of one of these devices

	// AddressRanges is the number of disjoint address ranges that devices can allocate memory in.
	AddressRanges = 65

	roomyAllocations = 1 << 10 // number of allocations that begin roomySlots apart
	roomySlots       = 16
	roomyShared      = (sharedEnd - sharedSlot) / roomySlots / 2

	allocAlign = 512     // alignment of allocations, as cudaMalloc's
	largePage  = 2 << 20 // alignment of allocations of a multiple of that size, which fill a GPU's pages

	// SharedAlign is the alignment of shared allocations: a multiple of the page size of any operating system.
	SharedAlign = 1 << 16
)

// The record of an allocation, freed or not, counts as RecordBytes: there can be as many as fit the memory limit, but
// at least LeastAllocations.
const (
	RecordBytes      = 256
	LeastAllocations = 1 << 16
)

// Memory is the device memory of one Machine.
type Memory struct {
	user    arena
	shared  arena
	private arena
	// imported is memory of other devices, at its address there: see AllocAt. Of the arena, only all and used are used.
	imported arena
	limit    uint64         // limit on the bytes of user and shared
	caches   []*AllocCache  // caches that may hold pointers into allocations
	Moves    uint64         // number of times that the caches were emptied
	spare    []*pages.Block // blocks of allocations that the host has freed, for reuse
	Running  Devices        // the device of the running launch; none in programs with a single device
}

// Allocation is a range of device memory.
type Allocation struct {
	Name      string
	Base      uint64
	Size      uint64
	Data      []byte       // nil when freed; capacity rounded up to whole words
	block     *pages.Block // block that contains Data, nil for a slice of Go's heap
	Readonly  bool         // .const: see constantWrites
	writes    constantWrites
	Shadow    *Shadow      // initialised bytes; nil: all
	patterned bool         // unwritten bytes contain the pattern by which writes of the host are recognised
	reserved  *reservation // parts with memory; nil if all of the allocation is memory
	heaps     []*heap      // parts that consist of regions
	home      int          // number of the device that owns the memory
	barred    Devices      // devices that may not access it
}

func (a *Allocation) end() uint64 { return a.Base + a.Size }

// Freed reports whether the allocation has been freed.
func (a *Allocation) Freed() bool { return a.Data == nil }

// charged returns the number of bytes that count for the limit of memory.
func (a *Allocation) charged() uint64 {
	if a.reserved != nil {
		return 0
	}
	return a.Size
}

// New returns an empty memory of limit bytes for programs, and PrivateLimit bytes of private memory.
func New(limit uint64) *Memory {
	return &Memory{
		user: arena{
			first: firstSlot, end: othersSlot, roomy: roomyAllocations, apart: 1 << SlotBits,
			skip: sharedSlot, to: sharedEnd,
		},
		shared:  arena{first: sharedSlot, end: sharedEnd, roomy: roomyShared, apart: 1 << SlotBits, reuses: true},
		private: arena{first: privateSlot, end: maxSlots},
		limit:   limit,
	}
}

// Within makes later allocations take the nth of AddressRanges ranges of addresses, from 0, so that they have other
// addresses than those of a device with another number. With fewer addresses than in range 0, those of freed
// allocations are reused when all have been used. Of shared memory, the first allocations of up to roomySlots devices
// differ.
func (mm *Memory) Within(n int) {
	if n > 0 {
		mm.user.first = othersSlot + uint64(n-1)*otherSlots
		mm.user.end, mm.user.reuses = mm.user.first+otherSlots, true
	}
	mm.shared.phase = uint64(n) % roomySlots
}

// Pad sets the minimum distance in bytes between later allocations of programs, if it is larger than the present one.
func (mm *Memory) Pad(bytes uint64) {
	mm.user.apart = max(mm.user.apart, bytes)
	mm.shared.apart = max(mm.shared.apart, bytes)
}

// Alloc allocates zeroed memory. Large allocations are sparse (sparse.go).
func (mm *Memory) Alloc(name string, size uint64, readonly bool) (*Allocation, error) {
	align := uint32(allocAlign)
	if size%largePage == 0 {
		align = largePage
	}
	return mm.place(&mm.user, &Allocation{Name: name, Size: size, Readonly: readonly}, align)
}

// AllocPrivate is Alloc for memory that is not the program's, such as the metadata of a detector. It has a separate
// address range, and so does not affect the addresses of the program's allocations.
func (mm *Memory) AllocPrivate(name string, size uint64, readonly bool) (*Allocation, error) {
	return mm.place(&mm.private, &Allocation{Name: name, Size: size, Readonly: readonly}, allocAlign)
}

// AllocManaged is Alloc for memory that may become shared later: see Share.
func (mm *Memory) AllocManaged(name string, size uint64) (*Allocation, error) {
	return mm.place(&mm.shared, &Allocation{Name: name, Size: size}, SharedAlign)
}

// AllocShared makes an allocation of memory that is shared with other processes, at a multiple of SharedAlign. The
// capacity of the slice is rounded up to whole words. The memory must stay valid until it is freed.
func (mm *Memory) AllocShared(name string, memory []byte) (*Allocation, error) {
	return mm.place(&mm.shared, &Allocation{Name: name, Size: uint64(len(memory)), Data: memory}, SharedAlign)
}

// AllocAt makes an allocation of memory that another device has at that address, which must be outside the range of
// addresses of this one (Within). The memory must stay valid until it is freed.
func (mm *Memory) AllocAt(name string, addr uint64, memory []byte) error {
	a := &Allocation{Name: name, Base: addr, Size: uint64(len(memory)), Data: memory}
	for slot := addr >> SlotBits; slot <= (a.end()-1)>>SlotBits; slot++ {
		if old := mm.Find(slot << SlotBits); old != nil && !old.Freed() {
			return fmt.Errorf("%s of %d bytes cannot be at 0x%x, where %s is", a.noun(), a.Size, addr, old.Name)
		}
		if old := mm.imported.holding(slot); old != nil {
			mm.imported.forget(old)
		}
	}
	mm.imported.all = slices.Insert(mm.imported.all, mm.imported.after(addr), a)
	mm.imported.used += a.Size
	return nil
}

// Share moves the bytes of the allocation that starts at addr into shared memory, which must be as long as the
// allocation: see AllocShared.
func (mm *Memory) Share(addr uint64, memory []byte) error {
	a := mm.Find(addr)
	if a == nil || a.Base != addr || a.Freed() || uint64(len(memory)) != a.Size {
		return fmt.Errorf("sharing %d bytes at 0x%x: no allocation of that size starts there", len(memory), addr)
	}
	copy(memory, a.Data)
	a.Data, a.block, a.Shadow = memory, nil, nil
	mm.Forget()
	return nil
}

// place chooses the address of a new allocation, and allocates its bytes if it has none.
func (mm *Memory) place(r *arena, a *Allocation, align uint32) (*Allocation, error) {
	if err := mm.admit(r, a); err != nil {
		return nil, err
	}
	low, slot, err := r.find(a, align)
	if err != nil {
		return nil, err
	}
	a.Base = slot<<SlotBits | uint64(low)
	if a.Data == nil {
		if err := mm.provide(a); err != nil {
			return nil, fmt.Errorf("%s of %d bytes: %w", a.noun(), a.Size, err)
		}
	}
	r.enter(a)
	return a, nil
}

// admit returns an error if the limits do not allow another allocation in an arena.
func (mm *Memory) admit(r *arena, a *Allocation) error {
	used, limit := mm.user.used+mm.shared.used, mm.limit
	if r == &mm.private {
		used, limit = r.used, PrivateLimit
	}
	if size := a.charged(); size > limit || used > limit-size {
		return fmt.Errorf("%s of %d bytes exceeds the memory limit of %d bytes (%d in use)", a.noun(), a.Size, limit,
			used)
	}
	if !r.reuses && uint64(r.made) >= max(LeastAllocations, limit/RecordBytes) {
		return fmt.Errorf("%s of %d bytes: there have been %d allocations; with a memory limit of %d bytes there can be no more", a.noun(), a.Size, r.made, limit)
	}
	return nil
}

// Last returns the program's newest allocation, freed or not; nil if there is none.
func (mm *Memory) Last() *Allocation {
	if n := len(mm.user.all); n > 0 {
		return mm.user.all[n-1]
	}
	return nil
}

// Free frees the allocation that starts at addr.
func (mm *Memory) Free(addr uint64) error {
	a, err := mm.end(addr)
	if err == nil && a.block != nil {
		a.block.Drop() // but stays mapped: a thread may be about to write to it
	}
	return err
}

// end marks the allocation that starts at addr as freed, but keeps its block.
func (mm *Memory) end(addr uint64) (*Allocation, error) {
	a := mm.Find(addr)
	switch {
	case a == nil || a.Base != addr:
		return nil, fmt.Errorf("free of 0x%x: no allocation starts there", addr)
	case a.Freed():
		return nil, fmt.Errorf("free of 0x%x: allocation %s is freed already", addr, a.Name)
	}
	a.Data, a.Shadow = nil, nil
	a.Name = strings.Clone(a.Name) // the name may be part of a large text
	mm.arenaOf(addr).used -= a.charged()
	mm.Forget()
	return a, nil
}

// Forget empties all caches.
func (mm *Memory) Forget() {
	for _, s := range mm.caches {
		s.Forget()
	}
	mm.caches = mm.caches[:0]
	mm.Moves++
}

// Mirror makes mm a copy of the tables of from in its current state, with the same bytes and separate caches.
func (mm *Memory) Mirror(from *Memory) {
	for _, c := range mm.caches {
		c.Forget()
	}
	*mm = Memory{
		user: from.user, shared: from.shared, private: from.private, imported: from.imported, limit: from.limit,
		Moves: from.Moves, caches: mm.caches[:0], Running: from.Running,
	}
}

// Find returns the allocation whose slot contains addr, nil if there is none; the address may be out of its bounds.
func (mm *Memory) Find(addr uint64) *Allocation {
	slot := addr >> SlotBits
	if s := slot - sharedSlot; s < uint64(len(mm.shared.slots)) {
		return mm.shared.slots[s]
	}
	if s := slot - mm.user.first; s < uint64(len(mm.user.slots)) {
		return mm.user.slots[s]
	}
	if len(mm.imported.all) > 0 {
		if a := mm.imported.holding(slot); a != nil {
			return a
		}
	}
	return mm.private.at(slot - privateSlot)
}

// contains reports whether the n bytes at addr are in a.
func (a *Allocation) contains(addr, n uint64) bool {
	off := addr - a.Base
	return off <= a.Size && n <= a.Size-off
}

// At returns n bytes of a live allocation from addr on, for the host.
func (mm *Memory) At(addr, n uint64) ([]byte, error) {
	a := mm.Find(addr)
	if a == nil || a.Freed() || !a.contains(addr, n) || a.unmapped(addr-a.Base, n, anyone, "") != "" {
		return nil, fmt.Errorf("%d bytes at 0x%x %s", n, addr, mm.Where(addr, n))
	}
	off := addr - a.Base
	return a.Data[off : off+n], nil
}

// Read copies from device memory to the host.
func (mm *Memory) Read(addr uint64, p []byte) error {
	b, err := mm.At(addr, uint64(len(p)))
	copy(p, b)
	runtime.KeepAlive(mm) // the blocks
	return err
}

// Write copies from the host to device memory. The host may write read-only variables.
func (mm *Memory) Write(addr uint64, p []byte) error {
	b, err := mm.At(addr, uint64(len(p)))
	if copy(b, p); err == nil {
		a := mm.Find(addr)
		a.Shadow.Set(addr-a.Base, uint64(len(p)))
	}
	runtime.KeepAlive(mm) // the blocks
	return err
}

// Zero zeroes device memory for the host; of sparse memory, at the cost of the pages that have been touched.
func (mm *Memory) Zero(addr, size uint64) error {
	b, err := mm.At(addr, size)
	if err != nil {
		return err
	}
	a := mm.Find(addr)
	if a.block != nil {
		a.block.ClearRange(addr-a.Base, size)
	} else {
		clear(b)
	}
	a.Shadow.Set(addr-a.Base, size)
	runtime.KeepAlive(mm) // the blocks
	return nil
}

// Check returns the allocation with the n bytes at the device address, and a violation if the kernel may not access
// them.
func (mm *Memory) Check(addr, n uint64) (*Allocation, *diag.Violation) {
	a := mm.Find(addr)
	switch {
	case a == nil || !a.contains(addr, n):
		return nil, diag.Violationf("out-of-bounds", "%s", mm.Where(addr, n))
	case a.Freed():
		return nil, diag.Violationf("use-after-free", "%s", mm.Where(addr, n))
	case mm.inaccessible(a, addr-a.Base, n) != "":
		return nil, diag.Violationf("out-of-bounds", "%s", mm.Where(addr, n))
	case len(a.heaps) > 0:
		if why, kind := a.outside(addr-a.Base, n); why != "" {
			return nil, diag.Violationf(kind, "%s%s", mm.Where(addr, n), why)
		}
	}
	return a, nil
}

// AllocCache is the inline cache of one memory instruction: the allocation that it last accessed. An access at addr
// hits if addr-Base < Lim.
type AllocCache struct {
	Base uint64
	Lim  uint64 // bytes at which an access of the instruction may start; 0 when empty
	Ptr  unsafe.Pointer
}

// Forget empties the cache.
func (s *AllocCache) Forget() { *s = AllocCache{} }

// Fill caches in s the allocation a, for accesses of n bytes. data is the memory of a, and addr is the address of the
// access that missed. If the shadow memory of a has uninitialised bytes, Fill caches only initialised memory around
// addr (Shadow.Around), and leaves s unchanged if that is less than n bytes.
func (mm *Memory) Fill(s *AllocCache, a *Allocation, data []byte, addr, n uint64) {
	lo, hi := a.around(addr-a.Base, mm.may)
	if !a.Shadow.Complete() {
		from, to := a.Shadow.Around(addr - a.Base)
		if lo, hi = max(lo, from), min(hi, to); hi-lo < n {
			return
		}
	}
	if s.Lim == 0 {
		mm.caches = append(mm.caches, s)
	}
	*s = AllocCache{
		Base: a.Base + lo, Lim: hi - lo - n + 1,
		Ptr: unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), lo),
	}
}

// SpaceBase returns the offset that cvta adds to an address of the space to make it generic.
func SpaceBase(space isa.Space) uint64 {
	switch space {
	case isa.SpaceShared:
		return SharedWindow
	case isa.SpaceLocal:
		return LocalWindow
	case isa.SpaceParam:
		return ParamWindow
	}
	return 0
}

// SpaceOf returns the state space of an access at a generic address: .global for every address outside of the other
// windows, including .const variables.
func (mm *Memory) SpaceOf(addr uint64) isa.Space {
	switch addr >> SlotBits {
	case SharedWindow >> SlotBits:
		return isa.SpaceShared
	case LocalWindow >> SlotBits:
		return isa.SpaceLocal
	case ParamWindow >> SlotBits:
		return isa.SpaceParam
	}
	return isa.SpaceGlobal
}

// SpaceIn returns the state space that an access reaches: the one that the instruction names or, for a generic address, the
// one that contains the address. The window of kernel parameters lies within the
// .global window (PTX ISA 6.4.1.1): an instruction that names .global accesses .param at such an address.
func (mm *Memory) SpaceIn(named isa.Space, addr uint64) isa.Space {
	if named == isa.SpaceNone || named == isa.SpaceGlobal && addr>>SlotBits == ParamWindow>>SlotBits {
		return mm.SpaceOf(addr)
	}
	return named
}

// DeclaredSpace is SpaceOf, but .const for the addresses of .const variables.
func (mm *Memory) DeclaredSpace(addr uint64) isa.Space {
	if a := mm.Find(addr); a != nil && a.Readonly {
		return isa.SpaceConst
	}
	return mm.SpaceOf(addr)
}

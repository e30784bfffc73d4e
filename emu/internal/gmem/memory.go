// Package gmem is the memory of a device: allocations, the map of generic addresses, which
// bytes have been written, and the caches of the allocation that an instruction last accessed.
// It knows nothing of instructions and threads. The other state spaces have a window of
// addresses here, and their bytes elsewhere.
package gmem

import (
	"fmt"
	"runtime"
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
//	sharedSlot...  device memory that others have as well: see AllocShared
//	privateSlot... device memory that programs do not know of: see AllocPrivate
//
// so that cvta between a state space and generic is one addition, and none for
// .global and .const. Every device allocation starts in a window ("slot") of its
// own: an access less than 4 GiB out of bounds never reaches another one. The first
// allocations have 64 GiB to themselves, which is as far as an index of 32 bits leads
// in an array of elements of up to 16 bytes. The low
// 32 bits of the bases are handed out like a heap's, so that hash functions of
// addresses see what they would see on a device. Slots of freed allocations are
// not used again, so that a use after free is recognised as such, but for memory that others have as
// well: a process has 47 bits of addresses, of which it uses some itself, and there slots are used again when
// all have been used.
const (
	SlotBits     = 32 // log2 of the size of a window
	SharedWindow = 1 << SlotBits
	LocalWindow  = 2 << SlotBits
	ParamWindow  = 3 << SlotBits
	firstSlot    = 16
	maxSlots     = 1 << (57 - SlotBits)
	privateSlot  = maxSlots / 2
	sharedSlot   = 1 << (46 - SlotBits)
	sharedEnd    = 1<<(47-SlotBits) - 1 // stacks and libraries are at the end of what a process has

	roomyAllocations = 1 << 10 // those that begin roomySlots apart
	roomySlots       = 16
	roomyShared      = (sharedEnd - sharedSlot) / roomySlots / 2

	allocAlign = 512 // alignment of allocations, as cudaMalloc's

	// SharedAlign is the alignment of allocations that others have as well: pages of any
	// operating system's.
	SharedAlign = 1 << 16
)

// What is known of an allocation, freed or not, counts as RecordBytes: there can be as
// many as make up the memory limit, but always LeastAllocations.
const (
	RecordBytes      = 256
	LeastAllocations = 1 << 16
)

// Memory is the device memory of one Machine.
type Memory struct {
	user    arena
	shared  arena
	private arena
	limit   uint64         // on bytes of user and shared
	caches  []*AllocCache  // that may hold pointers into allocations
	Moves   uint64         // how often the caches were emptied
	spare   []*pages.Block // of allocations that the host has freed, for the next ones
}

// Allocation is a range of device memory.
type Allocation struct {
	Name     string
	Base     uint64
	Size     uint64
	Data     []byte       // nil when freed; capacity rounded up to whole words
	block    *pages.Block // that data is of, nil for a slice of Go's heap
	Readonly bool         // .const: see constantWrites
	writes   constantWrites
	Shadow   *Shadow // of what was written
}

func (a *Allocation) end() uint64 { return a.Base + a.Size }

// noun is the word allocation and the name. The names of an application's allocations, such as allocation 1, contain the word.
func (a *Allocation) noun() string { return "allocation " + strings.TrimPrefix(a.Name, "allocation ") }

// Freed reports whether the allocation has been freed.
func (a *Allocation) Freed() bool { return a.Data == nil }

// New is an empty memory of limit bytes for programs, and as many as PrivateLimit beside them.
func New(limit uint64) *Memory {
	return &Memory{
		user:    arena{first: firstSlot, end: privateSlot, roomy: roomyAllocations, apart: 1 << SlotBits, skip: sharedSlot, to: sharedEnd},
		shared:  arena{first: sharedSlot, end: sharedEnd, roomy: roomyShared, apart: 1 << SlotBits, reuses: true},
		private: arena{first: privateSlot, end: maxSlots},
		limit:   limit,
	}
}

// Pad keeps the next allocations of programs as many bytes apart from each other, if that is more
// than they are anyway.
func (mm *Memory) Pad(bytes uint64) {
	mm.user.apart = max(mm.user.apart, bytes)
	mm.shared.apart = max(mm.shared.apart, bytes)
}

// Alloc reserves zeroed memory. Large allocations are sparse (sparse.go).
func (mm *Memory) Alloc(name string, size uint64, readonly bool) (*Allocation, error) {
	return mm.place(&mm.user, &Allocation{Name: name, Size: size, Readonly: readonly}, allocAlign)
}

// AllocPrivate is Alloc for memory that the program does not know of, such as the metadata of a
// detector. It lies in a range of addresses of its own, and so changes nothing in those of
// the program's allocations.
func (mm *Memory) AllocPrivate(name string, size uint64, readonly bool) (*Allocation, error) {
	return mm.place(&mm.private, &Allocation{Name: name, Size: size, Readonly: readonly}, allocAlign)
}

// AllocManaged is Alloc for memory that others may have as well from some time on: see Share.
func (mm *Memory) AllocManaged(name string, size uint64) (*Allocation, error) {
	return mm.place(&mm.shared, &Allocation{Name: name, Size: size}, SharedAlign)
}

// AllocShared makes memory that others have as well an allocation, which begins at a multiple
// of SharedAlign. The capacity of the slice is rounded up to whole words. The memory must stay
// until it is freed.
func (mm *Memory) AllocShared(name string, memory []byte) (*Allocation, error) {
	return mm.place(&mm.shared, &Allocation{Name: name, Size: uint64(len(memory)), Data: memory}, SharedAlign)
}

// Share puts the bytes of the allocation that starts at addr into memory that others have as
// well, and that must be as long as the allocation: see AllocShared.
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

// place finds the address of a new allocation, and its bytes when it has none.
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

// admit says whether the limits allow for another allocation in an arena.
func (mm *Memory) admit(r *arena, a *Allocation) error {
	used, limit := mm.user.used+mm.shared.used, mm.limit
	if r == &mm.private {
		used, limit = r.used, PrivateLimit
	}
	if a.Size > limit || used > limit-a.Size {
		return fmt.Errorf("%s of %d bytes exceeds the memory limit of %d bytes (%d in use)", a.noun(), a.Size, limit, used)
	}
	if !r.reuses && uint64(r.made) >= max(LeastAllocations, limit/RecordBytes) {
		return fmt.Errorf("%s of %d bytes: there have been %d allocations; with a memory limit of %d bytes there can be no more", a.noun(), a.Size, r.made, limit)
	}
	return nil
}

// Last is the program's newest allocation, freed or not; nil when there is none.
func (mm *Memory) Last() *Allocation {
	if n := len(mm.user.all); n > 0 {
		return mm.user.all[n-1]
	}
	return nil
}

// Free ends the life of the allocation that starts at addr.
func (mm *Memory) Free(addr uint64) error {
	a, err := mm.end(addr)
	if err == nil && a.block != nil {
		a.block.Drop() // but stays mapped: a thread may be about to write to it
	}
	return err
}

// end makes the allocation that starts at addr a freed one, that has its block still.
func (mm *Memory) end(addr uint64) (*Allocation, error) {
	a := mm.Find(addr)
	switch {
	case a == nil || a.Base != addr:
		return nil, fmt.Errorf("free of 0x%x: no allocation starts there", addr)
	case a.Freed():
		return nil, fmt.Errorf("free of 0x%x: allocation %s is freed already", addr, a.Name)
	}
	a.Data, a.Shadow = nil, nil
	a.Name = strings.Clone(a.Name) // it may be a part of a large text
	mm.arenaOf(addr).used -= a.Size
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

// Mirror makes mm the memory from, as it is now, with caches of its own.
func (mm *Memory) Mirror(from *Memory) {
	for _, c := range mm.caches {
		c.Forget()
	}
	*mm = Memory{user: from.user, shared: from.shared, private: from.private, limit: from.limit, Moves: from.Moves, caches: mm.caches[:0]}
}

// Find is the allocation whose slot holds addr, nil when there is none; the
// address may be out of its bounds.
func (mm *Memory) Find(addr uint64) *Allocation {
	slot := addr >> SlotBits
	if s := slot - sharedSlot; s < uint64(len(mm.shared.slots)) {
		return mm.shared.slots[s]
	}
	if s := slot - firstSlot; s < uint64(len(mm.user.slots)) {
		return mm.user.slots[s]
	}
	return mm.private.at(slot - privateSlot)
}

// contains reports whether the n bytes at addr lie in a.
func (a *Allocation) contains(addr, n uint64) bool {
	off := addr - a.Base
	return off <= a.Size && n <= a.Size-off
}

// At is the bytes of a live allocation from addr on, for the host.
func (mm *Memory) At(addr, n uint64) ([]byte, error) {
	a := mm.Find(addr)
	if a == nil || a.Freed() || !a.contains(addr, n) {
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

// Describe names the live allocation that holds addr.
func (mm *Memory) Describe(addr uint64) (name string, offset uint64, ok bool) {
	a := mm.Find(addr)
	if a == nil || a.Freed() || !a.contains(addr, 1) {
		return "", 0, false
	}
	return a.Name, addr - a.Base, true
}

// Where says in words where n bytes at addr lie relative to the allocations.
func (mm *Memory) Where(addr, n uint64) string {
	if addr < SharedWindow {
		return "is in the null page"
	}
	a := mm.arenaOf(addr).nearest(addr)
	if a == nil {
		return "is in no allocation"
	}
	what := fmt.Sprintf("%s of size %d", a.noun(), a.Size)
	if a.Freed() {
		what = "freed " + what
	}
	switch {
	case addr < a.Base:
		return fmt.Sprintf("is %d bytes before the %s", a.Base-addr, what)
	case addr >= a.end():
		return fmt.Sprintf("is %d bytes after the %s", addr-a.end(), what)
	case !a.contains(addr, n):
		return fmt.Sprintf("is %d bytes into the %s and reaches %d bytes beyond its end", addr-a.Base, what, addr+n-a.end())
	}
	return fmt.Sprintf("is %d bytes into the %s", addr-a.Base, what)
}

// Check says why the kernel may not access the n bytes at the device address, or
// nothing when it may.
func (mm *Memory) Check(addr, n uint64) (*Allocation, *diag.Violation) {
	a := mm.Find(addr)
	switch {
	case a == nil || !a.contains(addr, n):
		return nil, diag.Violationf("out-of-bounds", "%s", mm.Where(addr, n))
	case a.Freed():
		return nil, diag.Violationf("use-after-free", "%s", mm.Where(addr, n))
	}
	return a, nil
}

// AllocCache is the inline cache of one memory instruction: the allocation that it
// last accessed. An access at addr hits when addr-base < lim.
type AllocCache struct {
	Base uint64
	Lim  uint64 // bytes at which an access of the instruction may start; 0 when empty
	Ptr  unsafe.Pointer
}

// Forget empties the cache.
func (s *AllocCache) Forget() { *s = AllocCache{} }

// Fill caches in s the allocation a, for accesses of n bytes. The slice data is the memory of a, and addr is the address of the
// access that missed. If the shadow of a has unwritten bytes, Fill caches only written memory around addr (Shadow.Around), and leaves s
// unchanged if that is less than n bytes.
func (mm *Memory) Fill(s *AllocCache, a *Allocation, data []byte, addr, n uint64) {
	lo, hi := uint64(0), a.Size
	if !a.Shadow.Complete() {
		if lo, hi = a.Shadow.Around(addr - a.Base); hi-lo < n {
			return
		}
	}
	if s.Lim == 0 {
		mm.caches = append(mm.caches, s)
	}
	*s = AllocCache{Base: a.Base + lo, Lim: hi - lo - n + 1, Ptr: unsafe.Add(unsafe.Pointer(unsafe.SliceData(data)), lo)}
}

// SpaceBase is what cvta adds to an address of the space to make it generic.
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

// SpaceOf is the state space that an access at a generic address is to: .global for
// every address outside the other windows, those of .const variables included.
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

// DeclaredSpace is spaceOf, but .const for the addresses of such variables.
func (mm *Memory) DeclaredSpace(addr uint64) isa.Space {
	if a := mm.Find(addr); a != nil && a.Readonly {
		return isa.SpaceConst
	}
	return mm.SpaceOf(addr)
}

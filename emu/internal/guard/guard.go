// Package guard provides the memory that assembly accesses: register files, local, shared and small pieces of global
// memory. In tests such memory ends at an inaccessible guard page, so that an access beyond the end crashes in every
// run. Otherwise it would read or write adjacent memory. The package does not depend on the use of the memory.
package guard

import (
	"runtime"
	"sync/atomic"
	"unsafe"
)

// mostPieces limits how many results of Bytes, and how many live blocks, end at a guard page: systems limit the
// mappings of a process, Linux to 65,530, and each guard page takes two. Memory beyond the limit comes from Go's heap.
const mostPieces = 15_000

var (
	guarded        atomic.Bool  // Pages has been called
	pieces, blocks atomic.Int64 // numbers of results of Bytes, and of live blocks, with a guard page
)

// Pages makes memory that is allocated from now on end at guard pages. It is for tests.
func Pages() { guarded.Store(true) }

// Bytes returns size zeroed bytes. Their address is a multiple of align, a power of two from 8 to 64. If size is not a
// multiple of align, the following bytes up to the next multiple are accessible, too, and a guard page follows these.
// Memory with a guard page is never freed.
func Bytes(size, align uint64) []byte {
	if guarded.Load() && size > 0 && pieces.Add(1) <= mostPieces {
		if _, b := beforeGuard(size, align); b != nil {
			return b
		}
	}
	words := make([]uint64, (size+align)/8+1)
	p := unsafe.Pointer(unsafe.SliceData(words))
	return unsafe.Slice((*byte)(unsafe.Add(p, -uintptr(p)&uintptr(align-1))), size)
}

// Block is a piece of memory. It is freed when nothing refers to the Block any more: pointers to its bytes do not keep
// it alive.
type Block struct{ bytes []byte }

// New returns a block of memory like that of Bytes. A guard page is freed with the block.
func New(size, align uint64) *Block {
	if guarded.Load() && size > 0 && blocks.Load() < mostPieces {
		if all, b := beforeGuard(size, align); b != nil {
			blocks.Add(1)
			x := &Block{b}
			runtime.AddCleanup(x, giveBack, all)
			return x
		}
	}
	return &Block{Bytes(size, align)}
}

// Start returns the address of the bytes.
func (b *Block) Start() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b.bytes)) }

func giveBack(all []byte) {
	unmap(all)
	blocks.Add(-1)
}

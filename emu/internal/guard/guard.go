// Package guard provides the memory that code in assembly accesses: register files, local, shared and small pieces of global memory.
// In tests such memory ends at a guard page, one that nobody may access, so that an access behind the end crashes in every run. Otherwise it
// would read or write what happens to lie there. The package knows nothing of what the memory is for.
package guard

import (
	"runtime"
	"sync/atomic"
	"unsafe"
)

// mostPieces limits how many results of Bytes, and how many blocks at a time, end at a guard page: systems limit the mappings of a process, Linux
// to 65,530, and each guard page takes two. Memory beyond the limit comes from Go's heap.
const mostPieces = 15_000

var (
	guarded        atomic.Bool  // Pages has been called
	pieces, blocks atomic.Int64 // results of Bytes, and blocks that exist, with a guard page
)

// Pages has memory that is asked for from now on end at guard pages. It is for tests.
func Pages() { guarded.Store(true) }

// Bytes is size zeroed bytes. Their address is a multiple of align, a power of two from 8 to 64. If size is not a multiple of align, the bytes
// behind them up to the next multiple can be accessed, too; a guard page follows these. Memory with a guard page is never given back.
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

// Block is a piece of memory. The memory is freed when nothing refers to the Block any more: pointers to its bytes do not keep it.
type Block struct{ bytes []byte }

// New is a block of memory as Bytes makes it. A guard page is given back with the block.
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

// Start is where the bytes begin.
func (b *Block) Start() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b.bytes)) }

func giveBack(all []byte) {
	unmap(all)
	blocks.Add(-1)
}

// Package guard provides the memory that code in assembly accesses: register files, local, shared and small pieces of global memory.
// In tests such memory ends at a guard page, one that nobody may access, so that an access behind the end crashes in every run. Otherwise it
// would read or write what happens to lie there. The package knows nothing of what the memory is for.
package guard

import (
	"sync/atomic"
	"unsafe"
)

// mostPieces is how many pieces of memory of a process end at a guard page: systems limit the number of mappings, Linux to 65,530, and each
// piece takes two. The others come from Go's heap.
const mostPieces = 30_000

var (
	guarded atomic.Bool  // Pages has been called
	pieces  atomic.Int64 // that end at a guard page
)

// Pages has memory that is asked for from now on end at guard pages, which are never given back. It is for tests.
func Pages() { guarded.Store(true) }

// Bytes is size zeroed bytes at an address that is a multiple of align, a power of two from 8 to 64. There are some more bytes behind them up
// to the next multiple of align, if size is none, and before a guard page no others.
func Bytes(size, align uint64) []byte {
	if guarded.Load() && size > 0 && pieces.Add(1) <= mostPieces {
		if b := beforeGuard(size, align); b != nil {
			return b
		}
	}
	words := make([]uint64, (size+align)/8+1)
	p := unsafe.Pointer(unsafe.SliceData(words))
	return unsafe.Slice((*byte)(unsafe.Add(p, -uintptr(p)&uintptr(align-1))), size)
}

// Package pages provides large zeroed memory of which only what is touched takes up space
// and time. The memory of Go's heap does so only at first: where another object has
// been, all of it is cleared, and a table of metadata may have a thousand times the bytes
// that a program touches. Pages come from the operating system where that is known to work,
// and from Go's heap elsewhere. The package knows nothing of what the memory is for.
package pages

import (
	"runtime"
	"sync/atomic"
)

// Block is a piece of memory. It ends when nothing refers to the Block any more: slices of
// its bytes do not count.
type Block struct{ bytes []byte }

// collectAfter is how many bytes are asked for before the garbage collector, which does
// not see them, is told to look for blocks that nobody needs.
const collectAfter = 1 << 30

// asked counts the bytes that were asked for since then.
var asked atomic.Uint64

// New is a block of at least size bytes of zeros. It fails when the operating system
// refuses, which it does when there is not nearly as much memory.
func New(size uint64) (*Block, error) {
	if asked.Load() >= collectAfter {
		asked.Store(0)
		runtime.GC()
	}
	asked.Add(size)
	whole, bytes, err := reserve(size)
	if err != nil {
		return nil, err
	}
	b := &Block{bytes}
	runtime.AddCleanup(b, release, whole)
	return b, nil
}

// Bytes is the memory, aligned to pages, on Linux to huge ones.
func (b *Block) Bytes() []byte { return b.bytes }

// Clear makes all bytes zeros again, at the cost of those that have been touched.
func (b *Block) Clear() { wipe(b.bytes) }

// Drop makes all bytes zeros again and gives the space back: what is touched later costs
// as much as in a new block.
func (b *Block) Drop() { drop(b.bytes) }

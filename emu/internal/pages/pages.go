// Package pages provides large zeroed memory that takes space and time only where it is touched. Go's heap does so only
// at first: memory that another object has used is cleared completely, and a table of metadata may have a thousand
// times the bytes that a program touches. Pages come from the operating system where that is known to work, and from
// Go's heap elsewhere. The package does not depend on the use of the memory.
package pages

import (
	"os"
	"runtime"
	"sync/atomic"
)

// Block is a piece of memory. It is freed when nothing refers to the Block any more: slices of its bytes do not keep it
// alive.
type Block struct{ bytes []byte }

// collectAfter is the number of bytes allocated between explicit garbage collections: the collector does not account
// for these bytes, and is called to find unused blocks.
const collectAfter = 1 << 30

// allocated counts the bytes allocated since the last such collection.
var allocated atomic.Uint64

// New returns a block of at least size zeroed bytes. It fails if the operating system refuses, which it does if there
// is far too little memory.
func New(size uint64) (*Block, error) {
	if allocated.Load() >= collectAfter {
		allocated.Store(0)
		runtime.GC()
	}
	allocated.Add(size)
	whole, bytes, err := reserve(size)
	if err != nil {
		return nil, err
	}
	b := &Block{bytes}
	runtime.AddCleanup(b, release, whole)
	return b, nil
}

// Bytes returns the memory, aligned to pages, on Linux to huge ones.
func (b *Block) Bytes() []byte { return b.bytes }

// Clear zeroes all bytes, at the cost of those that have been touched.
func (b *Block) Clear() { wipe(b.bytes) }

// ClearRange is Clear for the n bytes from byte from on.
func (b *Block) ClearRange(from, n uint64) {
	part := b.bytes[from : from+n]
	page := uint64(os.Getpagesize())
	head := min(-from&(page-1), n)
	clear(part[:head])
	part = part[head:]
	whole := uint64(len(part)) &^ (page - 1)
	wipe(part[:whole])
	clear(part[whole:])
}

// Drop zeroes all bytes and returns the pages to the system: touching them later costs as much as in a new block.
func (b *Block) Drop() { drop(b.bytes) }

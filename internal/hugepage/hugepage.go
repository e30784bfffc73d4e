// Package hugepage requests huge pages from the operating system for the part of Go's heap that
// grows.
//
// Memory that is touched for the first time costs a page fault for each 4 KB, up to a third of the
// time of a short check. Linux can use pages of 2 MB
// instead, by itself or, as some distributions configure it, only where a program requests them,
// which Go's runtime does not do. The request is a hint: contents, addresses and results do not
// change, and on other systems it does nothing.
//
// The package must not know what memory is for.
package hugepage

import (
	"sync/atomic"
	"unsafe"
)

// piece is what Go's heap grows by at least, in bytes, and what pieces are aligned to. If that changes, the hint is of
// less use and no harm.
const piece = 4 << 20

// asked are the numbers of pieces for which madvise has been called, that of piece n at index n%len(asked). If another
// piece has taken its place, madvise is called again.
var asked [1024]atomic.Uintptr

// Object asks for huge pages where a new object is, and returns it. Call it before the object is written, while most of
// the piece of the heap around it is untouched. A call for the same piece again takes a nanosecond.
func Object[T any](p *T) *T {
	near(unsafe.Pointer(p), unsafe.Sizeof(*p))
	return p
}

// Slice asks for huge pages where the elements of a new slice are, up to its capacity, and returns it, as Object does.
func Slice[T any](s []T) []T {
	if cap(s) > 0 {
		near(unsafe.Pointer(unsafe.SliceData(s)), uintptr(cap(s))*unsafe.Sizeof(s[:1][0]))
	}
	return s
}

// Append appends an element to a slice that may become large. It doubles the capacity, where append adds a quarter to
// large slices and so copies them more often, and asks for huge pages where the elements will be, as Slice does.
func Append[T any](s []T, x T) []T {
	if n := len(s); n == cap(s) {
		larger := Slice(make([]T, n, max(2*n, 16)))
		copy(larger, s)
		s = larger
	}
	return append(s, x)
}

// near asks for huge pages in the pieces that have some of the bytes from p on, and reports whether it has not asked
// for all of them before.
func near(p unsafe.Pointer, size uintptr) (fresh bool) {
	n := uintptr(p) / piece
	for last := (uintptr(p) + max(size, 1) - 1) / piece; n <= last; n++ {
		if known := &asked[n%uintptr(len(asked))]; known.Load() != n {
			fresh = true
			known.Store(n)
			advise(n * piece)
		}
	}
	return fresh
}

// probe makes the compiler allocate what Growing allocates on the heap.
var probe atomic.Pointer[[40 << 10]byte]

// Growing allocates memory to find the piece by which the heap grows at present, asks for huge pages in it, and reports
// whether it has not asked for that piece before.
func Growing() (fresh bool) {
	p := new([40 << 10]byte) // too large to be put between small objects; it is not touched
	probe.Store(p)
	probe.Store(nil)
	return near(unsafe.Pointer(p), unsafe.Sizeof(*p))
}

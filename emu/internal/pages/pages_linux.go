//go:build !asan

// Memory of the operating system: mmap, with pages that are returned.

package pages

import (
	"encoding/binary"
	"os"
	"syscall"
	"unsafe"
)

// pageSize is the unit of the entries of the page map.
var pageSize = os.Getpagesize()

// huge is the size in bytes of a huge page on most processors. Blocks begin at a multiple of it, so that each huge page
// of a block belongs to that block alone, and tables in one block whose sizes are multiples of it do not share huge
// pages.
const huge = 2 << 20

// reserve maps memory for a block of at least size bytes. whole is the mapping that release unmaps.
func reserve(size uint64) (whole, bytes []byte, err error) {
	n := (int(size) + pageSize - 1) &^ (pageSize - 1)
	whole, err = syscall.Mmap(-1, 0, n+huge, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		return nil, nil, os.NewSyscallError("mmap", err)
	}
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(whole)))) & (huge - 1)
	bytes = whole[skip : skip+n]
	_ = syscall.Madvise(bytes, syscall.MADV_HUGEPAGE) // only a hint: the first touch of a page is the main cost
	return whole, bytes, nil
}

func release(b []byte) {
	if err := syscall.Munmap(b); err != nil {
		panic("BUG: emu/internal/pages: " + err.Error())
	}
}

func drop(b []byte) {
	if syscall.Madvise(b, syscall.MADV_DONTNEED) != nil {
		clear(b)
	}
}

func wipe(b []byte) {
	if !wipeTouched(b) {
		drop(b)
	}
}

// Flags of a page map entry: the page is in memory, or swapped out.
const inUse = 3 << 62

// wipeTouched clears the touched pages, which it finds in /proc/self/pagemap. It returns false if that cannot be read.
func wipeTouched(b []byte) bool {
	f, err := os.Open("/proc/self/pagemap")
	if err != nil {
		return false
	}
	defer f.Close()
	const entry = 8
	entries := make([]byte, 1<<16)
	at := int64(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) / int64(pageSize) * entry
	for len(b) > 0 {
		n := min(len(b)/pageSize*entry, len(entries))
		if _, err := f.ReadAt(entries[:n], at); err != nil {
			return false
		}
		for e := entries[:n]; len(e) > 0; e = e[entry:] {
			if binary.LittleEndian.Uint64(e)&inUse != 0 {
				clear(b[:pageSize])
			}
			b = b[pageSize:]
		}
		at += int64(n)
	}
	return true
}

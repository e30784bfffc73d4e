//go:build !asan

// Memory of the operating system: mmap, with pages that are given back.

package pages

import (
	"encoding/binary"
	"os"
	"syscall"
	"unsafe"
)

// pageSize is what the entries of the page map count in.
var pageSize = os.Getpagesize()

// huge is the size in bytes of a huge page on most processors. Blocks begin at a multiple of it, so that each huge page of a block belongs to that
// block alone, and tables of a multiple of this size in one block do not share huge pages with each other.
const huge = 2 << 20

// reserve maps memory for a block of at least size bytes. whole is what release unmaps.
func reserve(size uint64) (whole, bytes []byte, err error) {
	n := (int(size) + pageSize - 1) &^ (pageSize - 1)
	whole, err = syscall.Mmap(-1, 0, n+huge, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		return nil, nil, os.NewSyscallError("mmap", err)
	}
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(whole)))) & (huge - 1)
	bytes = whole[skip : skip+n]
	_ = syscall.Madvise(bytes, syscall.MADV_HUGEPAGE) // as it likes: the first touch of a page is what costs most
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

// Of an entry of the page map: the page is in memory, or has been put aside.
const inUse = 3 << 62

// wipeTouched clears the pages that have been touched, of which the operating system
// keeps account in /proc/self/pagemap. It reports false when that cannot be read.
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

//go:build !asan

// Guard pages by mmap and mprotect.

package guard

import (
	"os"
	"syscall"
)

// beforeGuard returns the bytes for Bytes, followed by a guard page, and the complete mapping; nil if the system
// refuses.
func beforeGuard(size, align uint64) (all, bytes []byte) {
	page := uint64(os.Getpagesize())
	end := (size + align - 1) &^ (align - 1) // of what the caller may access
	room := (end + page - 1) &^ (page - 1)
	all, err := syscall.Mmap(-1, 0, int(room+page), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, nil
	}
	if syscall.Mprotect(all[room:], syscall.PROT_NONE) != nil {
		unmap(all)
		return nil, nil
	}
	return all, all[room-end : room-end+size : room-end+size]
}

func unmap(all []byte) {
	if err := syscall.Munmap(all); err != nil {
		panic("BUG: guard: " + err.Error())
	}
}

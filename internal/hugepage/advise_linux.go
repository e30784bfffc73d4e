// Huge pages on Linux, by madvise.

package hugepage

import "syscall"

// advise asks for huge pages in the piece at an address. What it returns does not matter: it is a hint.
func advise(at uintptr) {
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, at, piece, syscall.MADV_HUGEPAGE)
}

// Memory shared by two processes, in an anonymous file.

package wire

import (
	"os"

	"golang.org/x/sys/unix"

	"github.com/ptxsan/ptxsan/internal/cuda"
)

// mapping is memory in an anonymous file, which the application's process maps as well.
type mapping struct{ bytes, pages []byte }

// newMapping makes zeroed memory, and the file descriptor with which another process maps it, in whole pages, so that
// it begins at an address there.
func newMapping(address, size uint64) (cuda.Mapping, int, error) {
	fd, err := unix.MemfdCreate("ptxsan", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, 0, os.NewSyscallError("memfd_create", err)
	}
	page := uint64(os.Getpagesize())
	offset := address % page
	length := (offset + size + page - 1) &^ (page - 1)
	if err = unix.Ftruncate(fd, int64(length)); err == nil { // never shrunk, since accesses to a shrunk file would end this process
		_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL)
	}
	if err != nil {
		unix.Close(fd)
		return nil, 0, os.NewSyscallError("ftruncate", err)
	}
	pages, err := unix.Mmap(fd, 0, int(length), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		unix.Close(fd)
		return nil, 0, os.NewSyscallError("mmap", err)
	}
	return &mapping{pages[offset : offset+size], pages}, fd, nil
}

func (m *mapping) Bytes() []byte { return m.bytes }

func (m *mapping) Unmap() {
	if err := unix.Munmap(m.pages); err != nil {
		panic("BUG: internal/cuda/wire: " + err.Error())
	}
}

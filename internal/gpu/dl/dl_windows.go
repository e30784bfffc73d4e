// Loading the driver's library on Windows.

package dl

import "syscall"

// library is the name of the driver's library, which is in the system folder.
const library = "nvcuda.dll"

func open() (uintptr, error) {
	h, err := syscall.LoadLibrary(library)
	return uintptr(h), err
}

func find(lib uintptr, name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(lib), name)
}

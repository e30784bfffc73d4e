// Loading the driver's library on Windows.

package gpu

import "syscall"

// library is the driver's library, which is in the folder of the system.
const library = "nvcuda.dll"

func open(name string) (uintptr, error) {
	h, err := syscall.LoadLibrary(name)
	return uintptr(h), err
}

func find(lib uintptr, name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(lib), name)
}

// Loading the driver's library on Windows.

//go:build !slim

package gpu

import (
	"syscall"

	"github.com/ebitengine/purego"
)

// library is the driver's library, which is in the folder of the system.
const library = "nvcuda.dll"

func open(name string) (uintptr, error) {
	h, err := syscall.LoadLibrary(name)
	return uintptr(h), err
}

func find(lib uintptr, name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(lib), name)
}

// bind makes a variable of a function's type call the C function at addr.
func bind(function any, addr uintptr) { purego.RegisterFunc(function, addr) }

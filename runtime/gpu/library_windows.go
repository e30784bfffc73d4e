// Loading the driver's library on Windows.

//go:build !slim

package gpu

import (
	"syscall"

	"github.com/ebitengine/purego"
)

// library is the name of the driver's library, which is in the system folder.
const library = "nvcuda.dll"

func open(name string) (uintptr, error) {
	h, err := syscall.LoadLibrary(name)
	return uintptr(h), err
}

func find(lib uintptr, name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(lib), name)
}

// bind sets a variable of a function type to call the C function at addr.
func bind(function any, addr uintptr) { purego.RegisterFunc(function, addr) }

// Loading the driver's library where there is dlopen.

//go:build !windows && !slim

package gpu

import "github.com/ebitengine/purego"

// library is the driver's library, which the loader finds.
const library = "libcuda.so.1"

func open(name string) (uintptr, error) {
	return purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func find(lib uintptr, name string) (uintptr, error) { return purego.Dlsym(lib, name) }

// bind makes a variable of a function's type call the C function at addr.
func bind(function any, addr uintptr) { purego.RegisterFunc(function, addr) }

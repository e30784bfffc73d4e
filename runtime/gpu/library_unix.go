// Loading the driver's library with dlopen.

//go:build !windows && !slim

package gpu

import "github.com/ebitengine/purego"

// library is the name of the driver's library, which dlopen searches.
const library = "libcuda.so.1"

func open(name string) (uintptr, error) {
	return purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func find(lib uintptr, name string) (uintptr, error) { return purego.Dlsym(lib, name) }

// bind sets a variable of a function type to call the C function at addr.
func bind(function any, addr uintptr) { purego.RegisterFunc(function, addr) }

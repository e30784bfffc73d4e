// Loading the driver's library with dlopen.

//go:build !windows

package dl

import "github.com/ebitengine/purego"

// library is the name of the driver's library, which dlopen searches.
const library = "libcuda.so.1"

func open() (uintptr, error) {
	return purego.Dlopen(library, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

func find(lib uintptr, name string) (uintptr, error) { return purego.Dlsym(lib, name) }

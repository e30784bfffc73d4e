// Package dl loads the library of the CUDA driver. It is apart from package gpu since it needs the loader of the C
// library, which a statically linked program lacks. It must not know what the driver's functions do.
package dl

import (
	"github.com/ebitengine/purego"

	"github.com/ptxsan/ptxsan/internal/gpu"
)

// Loader returns the loader of this system.
func Loader() gpu.Loader {
	return gpu.Loader{Library: library, Open: open, Find: find, Bind: purego.RegisterFunc}
}

// The headers of CUDA's builtins and runtime for compilers.

package device

import (
	"embed"
	"io/fs"
)

//go:embed include/cuda_*.h include/thrust
var headers embed.FS

// Headers are the files that CUDA source is compiled with where no CUDA toolkit is: cuda_builtins.h, what it
// includes, and cuda_runtime.h.
func Headers() fs.FS {
	sub, err := fs.Sub(headers, "include")
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return sub
}

//go:build linux

// Files that hold a CUDA runtime whose functions could not be redirected.

package wire

import (
	"bytes"
	"io"
	"os"
)

// runtimeText is a text that NVIDIA's runtime has for one of its errors (cudaErrorMissingConfiguration), in all versions.
const runtimeText = "__global__ function call is not configured"

// holdsRuntime reports whether NVIDIA's runtime is linked into a file, which need not have symbols. So it does of a file that cannot
// be read.
func holdsRuntime(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	block := make([]byte, 1<<20)
	for kept := 0; ; {
		n, err := io.ReadFull(f, block[kept:])
		if bytes.Contains(block[:kept+n], []byte(runtimeText)) {
			return true
		}
		if err != nil {
			return err != io.EOF && err != io.ErrUnexpectedEOF
		}
		kept = copy(block, block[len(block)-len(runtimeText):])
	}
}

// staticRuntime says why the calls of a file with NVIDIA's runtime cannot be checked, and what to do.
func staticRuntime(file string) string {
	return file + ": NVIDIA's runtime is linked into this file without its symbols, so that it calls NVIDIA's driver only: keep the symbols (no strip, no -s), or link with -cudart shared (nvcc), CMAKE_CUDA_RUNTIME_LIBRARY=Shared (CMake), or --no-cuda-static-runtime -lcudart (clang)"
}

//go:build linux

// Files that hold a CUDA runtime whose functions could not be redirected.

package wire

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"regexp"
)

// runtimeText is a text that NVIDIA's runtime has for one of its errors (cudaErrorMissingConfiguration), in all
// versions.
const runtimeText = "__global__ function call is not configured"

// holdsRuntime reports whether NVIDIA's runtime is linked into a file, which need not have symbols. So it does of a
// file that cannot be read.
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

// nvidias matches files of NVIDIA's libraries that hold a runtime, and cutlass that of its DSL, which is none of them:
// code that the DSL compiles calls it.
var (
	nvidias = regexp.MustCompile(`/lib(cu|nv|npp)[^/]*\.so`)
	cutlass = regexp.MustCompile(`/libcute_[^/]*\.so`)
)

// packaged matches files of Python packages.
var packaged = regexp.MustCompile(`/(site|dist)-packages/`)

// unredirected says why the calls of a file with NVIDIA's runtime, "" if it is unknown, cannot be checked.
func (c *connection) unredirected(file string) string {
	if nvidias.MatchString(file) && !cutlass.MatchString(file) {
		entry := cmp.Or(c.device.Entry(c.in.Path, file), "unknown call")
		return file + ": " + entry + ": this library is machine code, and nothing stands in for it: its functions fail"
	}
	return staticRuntime(cmp.Or(file, "a process of the application"))
}

// staticRuntime says why the calls of a file with NVIDIA's runtime cannot be checked, and what to do.
func staticRuntime(file string) string {
	elsewhere := ""
	if packaged.MatchString(file) {
		elsewhere = "; docs/python.md says which packages have such a build, or write PTX for ptxsan check"
	}
	return file + ": NVIDIA's runtime is linked into this file without its symbols, so that it calls NVIDIA's driver only: keep the symbols (no strip, no -s), or link with -cudart shared (nvcc), CMAKE_CUDA_RUNTIME_LIBRARY=Shared (CMake), or --no-cuda-static-runtime -lcudart (clang)" + elsewhere
}

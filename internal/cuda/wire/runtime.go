//go:build linux

// Files that hold a CUDA runtime whose functions could not be redirected.

package wire

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"regexp"
)

// runtimeText is a text that NVIDIA's runtime has for one of its errors (cudaErrorMissingConfiguration), in all
// versions.
const runtimeText = "__global__ function call is not configured"

// runtimeIn reports whether NVIDIA's runtime is linked into a file, which need not have symbols, and its version as
// cudaRuntimeGetVersion has it, 0 if that is not found. So it does of a file that cannot be read.
func runtimeIn(path string) (holds bool, version int) {
	f, err := os.Open(path)
	if err != nil {
		return true, 0
	}
	defer f.Close()
	block := make([]byte, 1<<20)
	for kept := 0; ; {
		n, err := io.ReadFull(f, block[kept:])
		holds = holds || bytes.Contains(block[:kept+n], []byte(runtimeText))
		if version == 0 {
			version = storedVersion(block[:kept+n])
		}
		switch {
		case holds && version != 0, err == io.EOF, err == io.ErrUnexpectedEOF:
			return holds, version
		case err != nil:
			return true, version
		}
		kept = copy(block, block[len(block)-len(runtimeText):])
	}
}

// storedVersion returns the version of CUDA that an instruction in x86-64 code stores where a parameter points.
func storedVersion(code []byte) int {
	store := []byte{0xc7, 0x07} // movl $version, (%rdi)
	for at := bytes.Index(code, store); at >= 0 && len(code)-at >= 6; {
		version := int(binary.LittleEndian.Uint32(code[at+2:]))
		if 10000 <= version && version < 20000 && version%1000 <= 200 && version%10 == 0 {
			return version
		}
		next := bytes.Index(code[at+2:], store)
		if next < 0 {
			break
		}
		at += 2 + next
	}
	return 0
}

// nvidias matches files of NVIDIA's libraries that hold a runtime, and cutlass that of its DSL, which is none of them:
// code that the DSL compiles calls it.
var (
	nvidias = regexp.MustCompile(`/lib(cu|nv|npp)[^/]*\.so`)
	cutlass = regexp.MustCompile(`/libcute_[^/]*\.so`)
)

// unredirected says why the calls of a file with NVIDIA's runtime, "" if it is unknown, cannot be checked.
func (c *connection) unredirected(file string, version int) string {
	if nvidias.MatchString(file) && !cutlass.MatchString(file) {
		entry := cmp.Or(c.device.Entry(c.in.Path, file), "unknown call")
		return file + ": " + entry + ": this library is machine code, and nothing stands in for it: its functions fail"
	}
	return staticRuntime(cmp.Or(file, "a process of the application"), version)
}

// staticRuntime says why the calls of a file with NVIDIA's runtime cannot be checked, and what to do.
func staticRuntime(file string, version int) string {
	release, find := "", "the package of its release has"
	if version != 0 {
		release = fmt.Sprintf(" %d.%d", version/1000, version%1000/10)
		find = "pip install --target DIR '" + runtimePackage(version) + "' has"
	}
	return file + ": NVIDIA's runtime" + release + " is linked into this file without its symbols, so that it calls NVIDIA's driver " +
		"only: set PTXSAN_CUDART_STATIC=DIR with the libcudart_static.a that " + find + ", or link with " +
		"-cudart shared (nvcc), CMAKE_CUDA_RUNTIME_LIBRARY=Shared (CMake), or --no-cuda-static-runtime -lcudart (clang)"
}

// runtimePackage is the package of PyPI with the runtime of a version.
func runtimePackage(version int) string {
	name := "nvidia-cuda-runtime"
	if version < 13000 {
		name += fmt.Sprintf("-cu%d", version/1000)
	}
	return fmt.Sprintf("%s==%d.%d.*", name, version/1000, version%1000/10)
}

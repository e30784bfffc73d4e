// The drop-in libraries: their names, what they replace, their sources, and how they are compiled.

package shim

import (
	"path/filepath"
	"runtime"
	"slices"
)

// library is a drop-in library, under the name that applications load.
type library struct {
	name    string // its SONAME
	links   []string
	major   string // CUDA's major version, which determines the layout of structures
	api     string // prefix of the sources and of the names
	version string // of the symbols, "" for none
	needs   string // SONAME of its DT_NEEDED entry: dlsym with its handle finds that library's functions, too; "" for none
}

var libraries = []library{
	{name: "libcudart.so.10.0", major: "10", api: "cudart", version: "libcudart.so.10.0"},
	{name: "libcudart.so.10.1", major: "10", api: "cudart", version: "libcudart.so.10.1"},
	{name: "libcudart.so.10.2", major: "10", api: "cudart", version: "libcudart.so.10.2"},
	{name: "libcudart.so.11.0", links: []string{"libcudart.so"}, major: "11", api: "cudart", version: "libcudart.so.11.0"},
	{name: "libcudart.so.12", major: "12", api: "cudart", version: "libcudart.so.12"},
	{name: "libcudart.so.13", major: "13", api: "cudart", version: "libcudart.so.13"},
	{name: "libcuda.so.1", links: []string{"libcuda.so"}, major: "13", api: "cuda"},
	{name: "libnvidia-ml.so.1", major: "13", api: "nvml"},
	{name: "libcublas.so.11", major: "13", api: "cublas", version: "libcublas.so.11", needs: "libcublasLt.so.11"},
	{name: "libcublas.so.12", major: "13", api: "cublas", version: "libcublas.so.12", needs: "libcublasLt.so.12"},
	{name: "libcublas.so.13", links: []string{"libcublas.so"}, major: "13", api: "cublas", version: "libcublas.so.13", needs: "libcublasLt.so.13"},
	{name: "libcublasLt.so.11", major: "13", api: "cublasLt", version: "libcublasLt.so.11"},
	{name: "libcublasLt.so.12", major: "13", api: "cublasLt", version: "libcublasLt.so.12"},
	{name: "libcublasLt.so.13", links: []string{"libcublasLt.so"}, major: "13", api: "cublasLt", version: "libcublasLt.so.13"},
	{name: "libcurand.so.10", links: []string{"libcurand.so"}, major: "13", api: "curand", version: "libcurand.so.10"},
	{name: "libcufft.so.10", major: "13", api: "cufft", version: "libcufft.so.10"},
	{name: "libcufft.so.11", major: "13", api: "cufft", version: "libcufft.so.11"},
	{name: "libcufft.so.12", links: []string{"libcufft.so"}, major: "13", api: "cufft", version: "libcufft.so.12"},
	{name: "libcusparse.so.11", major: "13", api: "cusparse", version: "libcusparse.so.11"},
	{name: "libcusparse.so.12", links: []string{"libcusparse.so"}, major: "13", api: "cusparse", version: "libcusparse.so.12"},
	{name: "libnccl.so.2", links: []string{"libnccl.so"}, major: "13", api: "nccl"},
	{name: "libcudnn.so.9", major: "13", api: "cudnn", version: "libcudnn.so.9"},
	{name: NVTX, major: "13", api: "nvtx"},
	{name: "libptxsan-jitlink.so", major: "13", api: "jitlink"}, // to which redirect.c redirects nvJitLink
}

// NVTX is the library that NVTX loads (NVTX_INJECTION64_PATH).
const NVTX = "libptxsan-nvtx.so"

// connection is the library with the connection, which the drop-in libraries share: a process has one connection,
// whichever of them it loads.
var connection = library{name: "libptxsan-wire.so", major: "12", api: "wire"}

// inFront is the library in front of the driver, in a folder of its own.
var inFront = library{name: "libcuda.so.1", links: []string{"libcuda.so"}, major: "12", api: "attached"}

// Register is the library in the folder of Front that is preloaded into an application: it instruments what the
// application registers with a shared runtime.
const Register = "libptxsan-register.so"

var register = library{name: Register, major: "12", api: "register"}

// redirect is the audit library that the dynamic linker loads into an application: it redirects a runtime that is
// linked statically to the drop-in libraries.
var redirect = library{name: RedirectName, major: "12", api: "redirect"}

// RedirectName is the file name of that library.
const RedirectName = "libptxsan-redirect.so"

// frontFolder is the folder of the library in front of the driver, beside the drop-in libraries.
const frontFolder = "gpu"

// Front returns the folder with the library in front of the driver, "" on machines whose instruction set it does not
// support.
func Front(libraries string) string {
	if !frontBuilds {
		return ""
	}
	return filepath.Join(libraries, frontFolder)
}

// Redirect returns the path of the audit library for LD_AUDIT (ld.so(8)), "" on machines whose instruction set it does
// not support.
func Redirect(libraries string) string {
	if !frontBuilds {
		return ""
	}
	return filepath.Join(libraries, redirect.name)
}

// frontBuilds says that attached_forward.c and redirect.c support jumps of this machine.
const frontBuilds = runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64"

// Names returns the SONAMEs of the libraries that applications get.
func Names() (names []string) {
	for _, l := range libraries {
		names = append(names, l.name)
	}
	return names
}

// flags returns the compiler flags for a library of either kind.
func (l *library) flags() []string {
	missing := "-DNOT_SUPPORTED=WIRE_NOT_SUPPORTED"
	if result := notSupported(l.api); result != "" {
		missing = "-DNOT_SUPPORTED=" + result
	}
	tls := "global-dynamic"
	if l.api == connection.api {
		tls = "initial-exec" // a few bytes; what is allocated may be in a page that the connection protects
	}
	return []string{
		"-std=gnu11", missing, "-ftls-model=" + tls, "-O1", "-Werror=int-conversion", "-fno-optimize-sibling-calls", "-fPIC", "-fvisibility=hidden",
		"-DCUDA_MAJOR=" + l.major, "-DLIBRARY=\"lib" + l.api + "\"", "-DNAMES=\"" + l.api + "_names.h\"",
	}
}

// notSupported returns the result of a library's functions that exist by name only, or "" for CUDA's own.
func notSupported(api string) string {
	switch api {
	case "nvml":
		return "3" // NVML_ERROR_NOT_SUPPORTED
	case "cudnn":
		return "3000" // CUDNN_STATUS_NOT_SUPPORTED
	case "jitlink":
		return "6" // NVJITLINK_ERROR_INTERNAL
	}
	return standIns[api]
}

// shares reports whether a library uses the common connection.
func (l *library) shares() bool {
	return l.api == connection.api || slices.ContainsFunc(libraries, func(o library) bool { return o.api == l.api })
}

// files returns the sources of a library.
func (l *library) files(src string) ([]string, error) {
	switch l.api {
	case register.api:
		return []string{filepath.Join(src, l.api+".c")}, nil
	case redirect.api:
		return filepath.Glob(filepath.Join(src, l.api+"*.c"))
	}
	files, err := filepath.Glob(filepath.Join(src, l.api+"_*.c"))
	common := "missing.c"
	if standIns[l.api] != "" {
		files = append(files, filepath.Join(src, "library.c"))
	}
	switch l.api {
	case inFront.api:
		common = "wire_image.c"
	case connection.api:
		common = "wire.c"
	}
	return append(files, filepath.Join(src, common)), err
}

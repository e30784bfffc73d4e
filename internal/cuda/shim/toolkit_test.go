// The drop-in libraries beside NVIDIA's: names of functions, layouts of structures.

package shim_test

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda/shim"
)

// toolkits returns the folders of CUDA toolkits, each with include and lib, that the environment's CUDA_TOOLKITS lists
// as a path does.
func toolkits(t *testing.T) []string {
	t.Helper()
	list := filepath.SplitList(os.Getenv("CUDA_TOOLKITS"))
	if len(list) == 0 {
		t.Skip("CUDA_TOOLKITS names no folders of CUDA toolkits, with include and lib")
	}
	return list
}

// major is the major version of a toolkit, from its cuda.h or cuda_runtime_api.h.
func major(t *testing.T, toolkit string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(toolkit, "include", "cuda_runtime_api.h"))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`#define CUDART_VERSION\s+(\d+)`).FindSubmatch(text)
	if m == nil {
		t.Fatalf("%s: cuda_runtime_api.h has no CUDART_VERSION", toolkit)
	}
	version, _ := strconv.Atoi(string(m[1]))
	return version / 1000
}

// exported lists the functions that a shared library exports.
func exported(t *testing.T, path string) map[string]bool {
	t.Helper()
	f, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.DynamicSymbols()
	if err != nil {
		t.Fatal(err)
	}
	names := make(map[string]bool)
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF && elf.ST_TYPE(s.Info) == elf.STT_FUNC {
			names[s.Name] = true
		}
	}
	return names
}

var (
	driverFunction = regexp.MustCompile(`CUDAAPI\s+(cu[A-Z]\w+)\s*\(`)
	driverName     = regexp.MustCompile(`#define\s+cu[A-Z]\w+\s+(__CUDA_API_PT[DS][SZ]\()?(cu[A-Z]\w+)`)
)

// declared lists the functions of the driver API that cuda.h declares, under the names that a compiler makes of them.
func declared(t *testing.T, toolkit string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(toolkit, "include", "cuda.h"))
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	names := make(map[string]bool)
	for _, m := range driverFunction.FindAllSubmatch(text, -1) {
		names[string(m[1])] = true
	}
	for _, m := range driverName.FindAllSubmatch(text, -1) {
		names[string(m[2])] = true
		switch string(m[1]) {
		case "__CUDA_API_PTDS(":
			names[string(m[2])+"_ptds"] = true
		case "__CUDA_API_PTSZ(":
			names[string(m[2])+"_ptsz"] = true
		}
	}
	return names
}

// TestNames checks that the drop-in libraries have all functions that NVIDIA's have.
func TestNames(t *testing.T) {
	lists := toolkits(t)
	dir := libraries(t)
	complete := func(toolkit, name string, want map[string]bool) {
		have := exported(t, filepath.Join(dir, name))
		for function := range want {
			if !have[function] {
				t.Errorf("%s: %s lacks %s", toolkit, name, function)
			}
		}
	}
	for _, toolkit := range lists {
		complete(toolkit, "libcuda.so.1", declared(t, toolkit))
		for _, name := range shim.Names() {
			path := filepath.Join(toolkit, "lib", name)
			if _, err := os.Stat(path); err == nil {
				complete(toolkit, name, exported(t, path))
			}
		}
	}
}

// members are those of cudaDeviceProp by which layouts are compared, and our names of them.
var members = [][2]string{
	{"totalConstMem", "constant"},
	{"major", "major"},
	{"multiProcessorCount", "multiprocessors"},
	{"maxTexture2D", "texture_2d"},
	{"surfaceAlignment", "surface_alignment"},
	{"concurrentKernels", "concurrent_kernels"},
	{"l2CacheSize", "l2"},
	{"sharedMemPerMultiprocessor", "shared_per_multiprocessor"},
	{"cooperativeLaunch", "cooperative"},
	{"sharedMemPerBlockOptin", "shared_optin"},
}

// TestProperties compares the layout of cudaDeviceProp with that of NVIDIA's headers.
func TestProperties(t *testing.T) {
	for _, toolkit := range toolkits(t) {
		version := strconv.Itoa(major(t, toolkit))
		theirs := layout(t, "cuda_runtime_api.h", "struct cudaDeviceProp", column(members, 0), column(members, 0), "-I"+filepath.Join(toolkit, "include"))
		ours := layout(t, "properties.h", "struct properties", column(members, 0), column(members, 1), "-Isrc", "-DCUDA_MAJOR="+version)
		if ours != theirs {
			t.Errorf("CUDA %s: cudaDeviceProp is laid out as\n%sin NVIDIA's header, and here as\n%s", version, theirs, ours)
		}
	}
}

// column returns a column of members.
func column(members [][2]string, i int) (list []string) {
	for _, m := range members {
		list = append(list, m[i])
	}
	return list
}

// nodeLayout is the layout of cudaGraphNodeParams and CUgraphNodeParams that graph_params.h has.
const nodeLayout = `size 256
kernel 16
kernel.kernelParams 56
memcpy.copyParams 32
memset.width 40
host.userData 24
graph.ownership 24
alloc.bytesize 120
alloc.dptr 128
free.dptr 16
`

// handleLayout is the layout of CUmemAllocationProp that cuda_virtual.c has.
const handleLayout = `size 32
requestedHandleTypes 4
location 8
win32HandleMetaData 16
allocFlags.usage 26
`

// TestNodeLayout compares what nodes of graphs and handles of memory are described by with NVIDIA's headers.
func TestNodeLayout(t *testing.T) {
	for _, toolkit := range toolkits(t) {
		for _, c := range []struct{ header, name, want string }{
			{"cuda_runtime_api.h", "struct cudaGraphNodeParams", nodeLayout},
			{"cuda.h", "struct CUgraphNodeParams_st", nodeLayout},
			{"cuda.h", "struct CUmemAllocationProp_st", handleLayout},
		} {
			if _, err := os.Stat(filepath.Join(toolkit, "include", c.header)); err != nil {
				continue // a toolkit without the driver API
			}
			var names []string
			for _, line := range strings.Split(strings.TrimSpace(c.want), "\n")[1:] {
				names = append(names, strings.Fields(line)[0])
			}
			if got := layout(t, c.header, c.name, names, names, "-I"+filepath.Join(toolkit, "include")); got != c.want {
				t.Errorf("%s: %s is laid out as\n%swant\n%s", toolkit, c.name, got, c.want)
			}
		}
	}
}

// layout compiles and runs a program that prints the size of a structure and where its members are.
func layout(t *testing.T, header, name string, labels, members []string, flags ...string) string {
	t.Helper()
	var text strings.Builder
	text.WriteString("#include <stddef.h>\n#include <stdio.h>\n#include \"" + header + "\"\nint main(void) {\n")
	text.WriteString("printf(\"size %zu\\n\", sizeof(" + name + "));\n")
	for i, m := range members {
		text.WriteString("printf(\"" + labels[i] + " %zu\\n\", offsetof(" + name + ", " + m + "));\n")
	}
	text.WriteString("}\n")
	dir := t.TempDir()
	source, program := filepath.Join(dir, "layout.c"), filepath.Join(dir, "layout")
	if err := os.WriteFile(source, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cc", append(flags, source, "-o", program)...).CombinedOutput(); err != nil {
		t.Fatalf("cc: %v\n%s", err, out)
	}
	out, err := exec.Command(program).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

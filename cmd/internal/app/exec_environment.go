// The environment of applications under exec: replacements of NVIDIA's tools, settings of frameworks, caches.

package app

import (
	"os"
	"os/exec"
	"path/filepath"

	"github.com/ptxsan/ptxsan/internal/cuda/shim"
	"github.com/ptxsan/ptxsan/python"
)

// standIns returns environment variables by which Triton finds a replacement of ptxas also where there is none, and by
// which frameworks allocate each object by a call of CUDA's instead of from a pool, in which accesses out of bounds
// would not be seen.
func standIns(libraries string) []string {
	ptxas := shim.Tool(libraries, "ptxas")
	return []string{
		"TRITON_PTXAS_PATH=" + ptxas, "TRITON_PTXAS_BLACKWELL_PATH=" + ptxas,
		"PYTORCH_NO_CUDA_MEMORY_CACHING=1", "XLA_PYTHON_CLIENT_ALLOCATOR=platform", "JAX_SKIP_CUDA_CONSTRAINTS_CHECK=1",
		"CUTE_DSL_LINEINFO=1", "NVTX_INJECTION64_PATH=" + filepath.Join(libraries, shim.NVTX),
		"XLA_FLAGS=--xla_gpu_autotune_level=0 " + os.Getenv("XLA_FLAGS"),
	}
}

// toolsFirst returns environment variables by which applications that have no audit library find the replacements: XLA
// that of ptxas, and others that of nvcc, if it is installed, since one that finds it assumes that the toolkit is there.
func toolsFirst(libraries string) []string {
	list := []string{"CUDA_ROOT=" + libraries}
	if nvcc, err := exec.LookPath("nvcc"); err == nil {
		list = append(list, "PATH="+filepath.Dir(shim.Tool(libraries, "nvcc"))+":"+os.Getenv("PATH"), "PTXSAN_NVCC="+nvcc)
	}
	return list
}

// caches lists the environment variables that name caches of compiled kernels, and what exec has in their place.
var caches = []struct{ variable, name string }{
	{"CACHEDB", "tinygrad.db"},
	{"CUDA_TILE_CACHE_DIR", "cuda-tile"},
	{"CUPY_CACHE_DIR", "cupy"},
	{"CUTE_DSL_CACHE_DIR", "cute"},
	{"DG_JIT_CACHE_DIR", "deep-gemm"},
	{"NUMBA_CACHE_DIR", "numba"},
	{"PYCUDA_CACHE_DIR", "pycuda"},
	{"TILELANG_CACHE_DIR", "tilelang"},
	{"TORCHINDUCTOR_CACHE_DIR", "inductor"},
	{"TRITON_CACHE_DIR", "triton"},
	{"WARP_CACHE_PATH", "warp"},
}

// configurationsVariable is the environment variable that says how many configurations autotuners try at most.
const configurationsVariable = "PTXSAN_CONFIGURATIONS"

// ownCaches returns environment variables by which packages keep compiled kernels apart from those of other runs, which are
// machine code: below folder, for each version of what makes the code, or beside what a variable names already.
func ownCaches(folder string) (list []string) {
	version := "kernels-" + shim.Version() + "-" + python.Version()
	_ = os.MkdirAll(filepath.Join(folder, version), 0o777) // packages say it if they cannot write there
	for _, c := range caches {
		path := filepath.Join(folder, version, c.name)
		if named := os.Getenv(c.variable); named != "" {
			path = named + "-ptxsan-" + version
		}
		list = append(list, c.variable+"="+path)
	}
	if named := os.Getenv(compiledByJAX); named != "" {
		list = append(list, compiledByJAX+"="+named+"-ptxsan-"+version)
	}
	return list
}

// compiledByJAX names JAX's cache, which it has only if the variable is set.
const compiledByJAX = "JAX_COMPILATION_CACHE_DIR"

// Places of calls in host code.

package cuda

import (
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda/callsite"
)

// TestCallIn: the place of a call is in the application's own code, not in what compilers and headers put around a
// launch.
func TestCallIn(t *testing.T) {
	kernels := map[string]bool{"_Z1kPi": true, "run": true}
	in := func(object, function, file string, line int) callsite.Frame {
		return callsite.Frame{Object: object, Function: function, File: file, Line: line}
	}
	launch := in("/lib/libcudart.so.12", "cudaLaunchKernel_ptsz", "", 0)
	for _, c := range []struct {
		name               string
		frames             []callsite.Frame
		function, in, file string
		line               int
	}{
		{"nvcc -g", []callsite.Frame{
			launch, in("a", "_ZL16cudaLaunchKernelIcE9cudaErrorPKT_", "/usr/include/cuda_runtime.h", 216), in("a", "_Z22__device_stub__Z1kPiPi", "/tmp/a.cudafe1.stub.c", 3),
			in("a", "_Z1kPi", "a.cu", 2), in("a", "main", "a.cu", 7),
		}, "cudaLaunchKernel", "", "a.cu", 7},
		{
			"nvcc",
			[]callsite.Frame{
				launch, in("a", "_ZL16cudaLaunchKernelIcE9cudaErrorPKT_", "", 0), in("a", "_ZL28__wrapper__device_stub_kRPi", "", 0), in("a", "_Z1kPi", "", 0), in("a", "main", "", 0),
			},
			"cudaLaunchKernel", "main", "", 0,
		},
		{
			"nvcc 13",
			[]callsite.Frame{
				in("/lib/libcudart.so.13", "__cudaLaunchKernel", "", 0), in("a", "_ZL25__cudaLaunchKernel_helperP9CUkern_st4dim3S1_PPvmP11CUstream_st", "", 0), in("a", "_Z22__device_stub__Z1kPiPi", "", 0), in("a", "main", "", 0),
			},
			"cudaLaunchKernel", "main", "", 0,
		},
		{"clang", []callsite.Frame{launch, in("a", "_Z16__device_stub__kPi", "a.cu", 2), in("a", "main", "a.cu", 7)}, "cudaLaunchKernel", "", "a.cu", 7},
		{"a function with a kernel's name", []callsite.Frame{
			in("/lib/libcuda.so.1", "cuLaunchKernel", "", 0), in("a", "run", "a.c", 9), in("a", "main", "a.c", 20),
		}, "cuLaunchKernel", "", "a.c", 9},
		{"a static runtime", []callsite.Frame{
			in("/lib/libcuda.so.1", "cuMemAlloc_v2", "", 0), in("a", "cudart123", "", 0), in("a", "cudaMalloc", "", 0), in("a", "main", "a.cu", 4),
		}, "cudaMalloc", "", "a.cu", 4},
	} {
		call := callIn(c.frames, kernels)
		file, line := "", 0
		if call.Source != nil {
			file, line = call.Source.File, call.Source.Line
		}
		if call.Function != c.function || call.In != c.in || file != c.file || line != c.line {
			t.Errorf("%s: %s in %q at %s:%d, want %s in %q at %s:%d", c.name, call.Function, call.In, file, line, c.function, c.in, c.file, c.line)
		}
	}
}

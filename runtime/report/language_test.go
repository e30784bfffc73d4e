package report

import "testing"

// TestSpoken: advice for Python is in the words of the packages.
func TestSpoken(t *testing.T) {
	const hint = "__syncthreads() before k:3; and atomicAdd() in place of the load and the store at k:4"
	for _, c := range []struct{ file, kernel, language, want string }{
		{"k.cu", "_Z1kv", "", hint},
		{"k.py", "kernel_bug", CUDA, hint}, // a string
		{"/home/me/k.py", "_ZN8__main__1kB2v1E5ArrayIiLi1E1C7mutable7alignedE", "", "cuda.syncthreads() before k:3; and cuda.atomic.add() in place of the load and the store at k:4"},
		{"k.py", "kernel_cutlass_sum_0", "", "cute.arch.sync_threads() before k:3; and cute.arch.atomic_add() in place of the load and the store at k:4"},
		{"k.py", "sum_1f_cuda_kernel_forward", "", "__syncthreads() before k:3; and wp.atomic_add() in place of the load and the store at k:4"},
		{"k.py", "kernel_bug", "", "tl.debug_barrier() before k:3; and tl.atomic_add() in place of the load and the store at k:4"},
		{"k.py", "add_Kt1_A1i32", Tile, "__syncthreads() before k:3; and ct.atomic_add() in place of the load and the store at k:4"},
		{"k.py", "body_mosaic_gpu_kernel", "", "a barrier (plgpu.barrier_arrive, plgpu.barrier_wait) before k:3; and atomicAdd() in place of the load and the store at k:4"},
	} {
		if got := spoken(&Access{Source: &Source{File: c.file, Line: 3}, Kernel: c.kernel, Language: c.language}, hint); got != c.want {
			t.Errorf("%s: %q, expected %q", c.file, got, c.want)
		}
	}
}

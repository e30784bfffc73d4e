// Words of advice in the language of the source: CUDA C++, or the Python of Numba, Triton, Pallas, cuda.tile, CUTLASS
// or Warp.

package report

import (
	"strings"
	"sync"
)

// numba, triton, mosaic, tile, cutlass and warp have the words of Python for those of CUDA C++.
var (
	numba = sync.OnceValue(func() *strings.Replacer {
		return strings.NewReplacer("__syncthreads()", "cuda.syncthreads()", "__syncwarp()", "cuda.syncwarp()",
			"__threadfence()", "cuda.threadfence()",
			"__threadfence_block()", "cuda.threadfence_block()", "grid.sync()", "cuda.cg.this_grid().sync()", "threadIdx.", "cuda.threadIdx.", "blockIdx.", "cuda.blockIdx.",
			"atomicAdd()", "cuda.atomic.add()", "atomicAdd", "cuda.atomic.add", "atomicMax", "cuda.atomic.max", "atomicMin", "cuda.atomic.min", "atomicCAS", "cuda.atomic.cas", "atomicExch", "cuda.atomic.exch",
			"cuda::atomic_ref, ", "", "cuda::memory_order_release; ", "", "cuda::memory_order_acquire; ", "", "cooperative groups' ", "")
	})
	triton = sync.OnceValue(func() *strings.Replacer {
		return strings.NewReplacer("__syncthreads()", "tl.debug_barrier()", "__syncwarp()", "tl.debug_barrier()",
			"__threadfence()", "a tl.atomic_* operation with sem=\"acq_rel\"", "__threadfence_block()", "a tl.atomic_* operation with sem=\"acq_rel\"", "use cooperative groups' grid.sync(), ", "",
			"atomicAdd", "tl.atomic_add", "atomicMax", "tl.atomic_max", "atomicMin", "tl.atomic_min", "atomicCAS", "tl.atomic_cas", "atomicExch", "tl.atomic_xchg",
			"cuda::memory_order_release", "sem=\"release\"", "cuda::memory_order_acquire", "sem=\"acquire\"", "scope gpu (without _block)", "scope=\"gpu\"")
	})
	cutlass = sync.OnceValue(func() *strings.Replacer {
		return strings.NewReplacer("__syncthreads()", "cute.arch.sync_threads()", "__syncwarp()", "cute.arch.sync_warp()",
			"__threadfence()", "cute.arch.fence_acq_rel_gpu()", "__threadfence_block()", "cute.arch.fence_acq_rel_cta()",
			"atomicAdd", "cute.arch.atomic_add", "atomicMax", "cute.arch.atomic_max", "atomicMin", "cute.arch.atomic_min",
			"atomicCAS", "cute.arch.atomic_cas", "atomicExch", "cute.arch.atomic_exch")
	})
	warp = sync.OnceValue(func() *strings.Replacer {
		return strings.NewReplacer("atomicAdd", "wp.atomic_add", "atomicMax", "wp.atomic_max", "atomicMin", "wp.atomic_min",
			"atomicCAS", "wp.atomic_cas", "atomicExch", "wp.atomic_exch")
	})
	mosaic = sync.OnceValue(func() *strings.Replacer {
		return strings.NewReplacer("__syncthreads()", "a barrier (plgpu.barrier_arrive, plgpu.barrier_wait)",
			"cp.async.bulk.wait_group", "plgpu.wait_smem_to_gmem",
			"mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64", "plgpu.barrier_wait")
	})
	tile = sync.OnceValue(func() *strings.Replacer {
		return strings.NewReplacer(
			"__threadfence()", "a ct.atomic_* operation with memory_order=ct.MemoryOrder.ACQ_REL",
			"use cooperative groups' grid.sync(), ", "",
			"atomicAdd", "ct.atomic_add", "atomicMax", "ct.atomic_max", "atomicMin", "ct.atomic_min",
			"atomicCAS", "ct.atomic_cas", "atomicExch", "ct.atomic_xchg",
			"cuda::memory_order_release", "memory_order=ct.MemoryOrder.RELEASE",
			"cuda::memory_order_acquire", "memory_order=ct.MemoryOrder.ACQUIRE", "scope gpu (without _block)", "memory_scope=ct.MemoryScope.DEVICE")
	})
)

// Languages of an access in a file of Python.
const (
	CUDA = "CUDA C++"
	Tile = "cuda.tile"
)

// spoken returns a hint for an access in the words of its source: of Python for a file that is so called. Numba mangles
// the names of kernels, CUTLASS and Warp make names of their own, Pallas on Mosaic GPU adds to them, Triton does not.
func spoken(a *Access, hint string) string {
	switch {
	case a.Source == nil || a.Language == CUDA || !strings.HasSuffix(a.Source.Own().File, ".py"):
		return hint
	case strings.HasPrefix(a.Kernel, "_Z"):
		return numba().Replace(hint)
	case strings.HasPrefix(a.Kernel, "kernel_cutlass_"):
		return cutlass().Replace(hint)
	case strings.HasSuffix(a.Kernel, "_cuda_kernel_forward"), strings.HasSuffix(a.Kernel, "_cuda_kernel_backward"):
		return warp().Replace(hint)
	case strings.HasSuffix(a.Kernel, "_mosaic_gpu_kernel"):
		return mosaic().Replace(hint)
	case a.Language == Tile:
		return tile().Replace(hint)
	}
	return triton().Replace(hint)
}

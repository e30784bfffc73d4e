#include "cudart.h"

// Occupancy: how many blocks of a kernel fit a multiprocessor.
EXPORT cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel, int threads, size_t shared, unsigned flags) {
	(void)flags;
	cudaError_t error;
	const struct wire_function *f = kernel_of(kernel, &error);
	const struct wire_device *d = f == NULL ? NULL : wire_device(&error);
	if (d == NULL)
		return failed(error);
	if (threads <= 0)
		return failed(cudaErrorInvalidValue);
	enum { MOST = 32, WARP = 32 };
	size_t most = d->max_threads_per_multiprocessor / ((threads + WARP - 1) / WARP * WARP);
	if (f->shared + shared > 0 && d->shared_per_multiprocessor / (f->shared + shared) < most)
		most = d->shared_per_multiprocessor / (f->shared + shared);
	*blocks = most < MOST ? most : MOST;
	return cudaSuccess;
}

EXPORT cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int threads, size_t shared) {
	return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, threads, shared, 0);
}

EXPORT cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *size, const void *kernel, int blocks, int threads) {
	(void)threads;
	cudaError_t error;
	const struct wire_function *f = kernel_of(kernel, &error);
	const struct wire_device *d = f == NULL ? NULL : wire_device(&error);
	if (d == NULL || blocks <= 0)
		return failed(d == NULL ? error : cudaErrorInvalidValue);
	size_t each = d->shared_per_multiprocessor / blocks;
	*size = each > f->shared ? each - f->shared : 0;
	return cudaSuccess;
}

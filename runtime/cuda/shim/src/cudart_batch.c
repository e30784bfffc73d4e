// Several copies in one call, and copies with attributes, which say when the source is read and where the memory is.
#include "cudart.h"

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, int kind, cudaStream_t stream);

static cudaError_t each(void *const *to, const void *const *from, const size_t *sizes, size_t count, cudaStream_t stream) {
	cudaError_t error = cudaSuccess;
	for (size_t i = 0; i < count && error == cudaSuccess; i++)
		error = cudaMemcpyAsync(to[i], from[i], sizes[i], cudaMemcpyDefault, stream);
	return error;
}

#if CUDA_MAJOR >= 13
EXPORT cudaError_t cudaMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *sizes, size_t count, void *attributes, size_t *indices, size_t nattributes, cudaStream_t stream) {
	(void)attributes, (void)indices, (void)nattributes;
	return each(to, from, sizes, count, stream);
}
PTSZ(cudaError_t, cudaMemcpyBatchAsync, (void *const *, const void *const *, const size_t *, size_t, void *, size_t *, size_t, cudaStream_t))
#else
EXPORT cudaError_t cudaMemcpyBatchAsync(void *const *to, const void *const *from, const size_t *sizes, size_t count, void *attributes, size_t *indices, size_t nattributes, size_t *failing, cudaStream_t stream) {
	(void)attributes, (void)indices, (void)nattributes;
	cudaError_t error = each(to, from, sizes, count, stream);
	if (error != cudaSuccess && failing != NULL)
		*failing = SIZE_MAX; // no particular one
	return error;
}
PTSZ(cudaError_t, cudaMemcpyBatchAsync, (void *const *, const void *const *, const size_t *, size_t, void *, size_t *, size_t, size_t *, cudaStream_t))
#endif

EXPORT cudaError_t cudaMemcpyWithAttributesAsync(void *to, const void *from, size_t size, void *attributes, cudaStream_t stream) {
	(void)attributes;
	return cudaMemcpyAsync(to, from, size, cudaMemcpyDefault, stream);
}
PTSZ(cudaError_t, cudaMemcpyWithAttributesAsync, (void *, const void *, size_t, void *, cudaStream_t))

// Where managed memory is concerns no program that is emulated.
EXPORT cudaError_t cudaMemPrefetchBatchAsync(void **p, size_t *sizes, size_t count, void *locations, size_t *indices, size_t nlocations, unsigned long long flags, cudaStream_t stream) {
	(void)p, (void)sizes, (void)count, (void)locations, (void)indices, (void)nlocations, (void)flags, (void)stream;
	return failed(wire_ready());
}
PTSZ(cudaError_t, cudaMemPrefetchBatchAsync, (void **, size_t *, size_t, void *, size_t *, size_t, unsigned long long, cudaStream_t))

// Attributes of kernels of the runtime API, and how many of their blocks fit a multiprocessor.
#include "cudart.h"
#include "launch.h"

#include <string.h>

EXPORT cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel, int threads, size_t shared, unsigned flags) {
	(void)flags;
	cudaError_t error;
	const struct wire_function *f = kernel_of(kernel, &error);
	const struct wire_device *d = f == NULL ? NULL : wire_device(&error);
	if (d == NULL)
		return failed(error);
	if (threads <= 0)
		return failed(cudaErrorInvalidValue);
	*blocks = wire_occupancy(d, f, threads, shared);
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
	*size = wire_dynamic_shared(d, f, blocks);
	return cudaSuccess;
}

EXPORT cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *kernel, const struct runtime_launch_config *c) {
	cudaError_t error;
	const struct wire_function *f = kernel_of(kernel, &error);
	const struct wire_device *d = f == NULL ? NULL : wire_device(&error);
	if (d == NULL || c == NULL)
		return failed(d == NULL ? error : cudaErrorInvalidValue);
	*clusters = wire_clusters(d, f, c->block, c->shared, c->attributes, c->nattributes);
	return cudaSuccess;
}

EXPORT cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *kernel, const struct runtime_launch_config *c) {
	(void)c;
	cudaError_t error;
	const struct wire_function *f = kernel_of(kernel, &error);
	const struct wire_device *d = f == NULL ? NULL : wire_device(&error);
	if (d != NULL)
		*size = d->major >= CLUSTERS_SINCE ? PORTABLE_CLUSTER : 1;
	return failed(d == NULL ? error : cudaSuccess);
}

struct attributes {
	size_t shared, constant, local;
	int max_threads, registers, ptx_version, binary_version, cache_mode, max_dynamic_shared, carveout;
#if CUDA_MAJOR >= 12
	int cluster_must_be_set, cluster[3], cluster_policy, non_portable_cluster, reserved[16];
#endif
};

EXPORT cudaError_t cudaFuncGetAttributes(struct attributes *a, const void *kernel) {
	cudaError_t error;
	const struct wire_function *f = kernel_of(kernel, &error);
	if (f == NULL)
		return failed(error);
	memset(a, 0, sizeof *a);
	a->shared = f->shared, a->constant = 0, a->local = f->local;
	a->max_threads = f->max_threads, a->registers = f->registers;
	a->ptx_version = f->ptx_version, a->binary_version = f->version;
	const struct wire_device *d = wire_device(&error);
	if (d != NULL)
		a->max_dynamic_shared = d->shared_per_block - f->shared;
	return failed(error);
}

static cudaError_t exists(const void *kernel) {
	cudaError_t error;
	kernel_of(kernel, &error);
	return failed(error);
}

EXPORT cudaError_t cudaFuncSetAttribute(const void *kernel, int attribute, int value) {
	(void)attribute, (void)value; // limits of shared memory are checked at the launch
	return exists(kernel);
}

EXPORT cudaError_t cudaFuncSetCacheConfig(const void *kernel, int config) {
	(void)config;
	return exists(kernel);
}

EXPORT cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, int config) {
	(void)config;
	return exists(kernel);
}

EXPORT cudaError_t cudaKernelSetAttributeForDevice(const void *kernel, int attribute, int value, int device) {
	cudaError_t error = wire_exists(device);
	return error != cudaSuccess ? failed(error) : ON_DEVICE(device, cudaFuncSetAttribute(kernel, attribute, value));
}

EXPORT cudaError_t cudaFuncGetName(const char **name, const void *kernel) {
	*name = kernel_name(kernel);
	return failed(*name == NULL ? cudaErrorInvalidDeviceFunction : cudaSuccess);
}

EXPORT cudaError_t cudaFuncGetParamCount(const void *kernel, size_t *count) {
	cudaError_t error;
	const struct wire_function *f = kernel_of(kernel, &error);
	if (f != NULL)
		*count = f->nparams;
	return failed(error);
}

EXPORT cudaError_t cudaFuncGetParamInfo(const void *kernel, size_t index, size_t *offset, size_t *size) {
	cudaError_t error;
	const struct wire_function *f = kernel_of(kernel, &error);
	if (f == NULL || index >= f->nparams)
		return failed(f == NULL ? error : cudaErrorInvalidValue);
	*offset = f->params[index].offset;
	if (size != NULL)
		*size = f->params[index].size;
	return cudaSuccess;
}

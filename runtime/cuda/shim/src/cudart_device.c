// The device of the runtime API: there is one, and these are its properties.
#include "cudart.h"

#include <stdio.h>
#include <string.h>

#include "attributes.h"

#if CUDA_MAJOR == 11
#define RUNTIME_VERSION 11080
#elif CUDA_MAJOR == 10
#define RUNTIME_VERSION 10020
#else
#define RUNTIME_VERSION (CUDA_MAJOR * 1000)
#endif

EXPORT cudaError_t cudaRuntimeGetVersion(int *version) {
	*version = RUNTIME_VERSION;
	return cudaSuccess;
}

// A driver that is older than the runtime would be refused by applications.
EXPORT cudaError_t cudaDriverGetVersion(int *version) {
	*version = RUNTIME_VERSION;
	return cudaSuccess;
}

EXPORT cudaError_t cudaGetDeviceCount(int *count) {
	cudaError_t error = wire_ready();
	*count = error == cudaSuccess;
	return failed(error);
}

static cudaError_t chosen(int device) {
	cudaError_t error = wire_ready();
	return failed(error != cudaSuccess ? error : device == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

EXPORT cudaError_t cudaSetDevice(int device) { return chosen(device); }

EXPORT cudaError_t cudaGetDevice(int *device) {
	*device = 0;
	return failed(wire_ready());
}

EXPORT cudaError_t cudaChooseDevice(int *device, const void *properties) {
	(void)properties;
	return cudaGetDevice(device);
}

EXPORT cudaError_t cudaSetValidDevices(int *devices, int count) {
	(void)devices, (void)count;
	return cudaSuccess;
}

EXPORT cudaError_t cudaSetDeviceFlags(unsigned flags) {
	(void)flags;
	return cudaSuccess;
}

EXPORT cudaError_t cudaGetDeviceFlags(unsigned *flags) {
	*flags = 8; // host memory can be mapped
	return cudaSuccess;
}

EXPORT cudaError_t cudaDeviceSynchronize(void) { return failed(wire_order(ORDER_DEVICE, 0, 0)); }
EXPORT cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }

EXPORT cudaError_t cudaDeviceReset(void) {
	cudaError_t error = wire_reset();
	modules_again();
	return failed(error);
}
EXPORT cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }
EXPORT cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
EXPORT cudaError_t cudaProfilerStop(void) { return cudaSuccess; }

EXPORT cudaError_t cudaDeviceSetLimit(int limit, size_t value) {
	(void)limit, (void)value; // ptxsan's own limits hold
	return failed(wire_ready());
}

EXPORT cudaError_t cudaDeviceGetLimit(size_t *value, int limit) {
	enum { STACK, PRINTF, HEAP };
	*value = limit == STACK ? 1024 : limit == PRINTF ? 1 << 20 : limit == HEAP ? 8 << 20 : 0;
	return failed(wire_ready());
}

EXPORT cudaError_t cudaDeviceSetCacheConfig(int config) {
	(void)config;
	return cudaSuccess;
}

EXPORT cudaError_t cudaDeviceGetCacheConfig(int *config) {
	*config = 0;
	return cudaSuccess;
}

EXPORT cudaError_t cudaDeviceSetSharedMemConfig(int config) {
	(void)config;
	return cudaSuccess;
}

EXPORT cudaError_t cudaDeviceGetSharedMemConfig(int *config) {
	*config = 1;
	return cudaSuccess;
}

EXPORT cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
	(void)device, (void)peer;
	*can = 0;
	return failed(wire_ready());
}

EXPORT cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
	(void)peer, (void)flags;
	return failed(cudaErrorInvalidDevice);
}

EXPORT cudaError_t cudaDeviceDisablePeerAccess(int peer) {
	(void)peer;
	return failed(cudaErrorInvalidDevice);
}

EXPORT cudaError_t cudaDeviceGetPCIBusId(char *id, int size, int device) {
	snprintf(id, size, "0000:00:00.0");
	return chosen(device);
}

EXPORT cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id) {
	(void)id;
	return cudaGetDevice(device);
}

EXPORT cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int device) {
	cudaError_t error = chosen(device);
	const struct wire_device *d = error == cudaSuccess ? wire_device(&error) : NULL;
	return d == NULL ? error : failed(device_attribute(d, attribute, value));
}

// cudaDeviceProp, in the layout of CUDA 10 to 12. Later versions have more at its end.
struct properties {
	char name[256], uuid[16], luid[8];
	unsigned luid_mask;
	size_t memory, shared_per_block;
	int registers, warp;
	size_t pitch;
	int max_threads, max_block[3], max_grid[3], clock;
	size_t constant;
	int major, minor;
	size_t texture_alignment, texture_pitch_alignment;
	int overlap, multiprocessors, timeout, integrated, maps_host, mode;
	int texture_1d[3], texture_2d[2], texture_2d_mipmap[2], texture_2d_linear[3], texture_2d_gather[2];
	int texture_3d[3], texture_3d_alternative[3], cubemap, layered_1d[2], layered_2d[3], layered_cubemap[2];
	int surface_1d, surface_2d[2], surface_3d[3], surface_layered_1d[2], surface_layered_2d[3], surface_cubemap, surface_layered_cubemap[2];
	size_t surface_alignment;
	int concurrent_kernels, ecc, bus, device, domain, tcc, engines, unified, memory_clock, bus_width, l2;
#if CUDA_MAJOR >= 11
	int persisting_l2;
#endif
	int threads_per_multiprocessor, priorities, global_l1, local_l1;
	size_t shared_per_multiprocessor;
	int registers_per_multiprocessor, managed, multi_gpu, multi_gpu_group, native_atomics, double_ratio, pageable, concurrent_managed;
	int preemption, host_pointer, cooperative, cooperative_multi_device;
	size_t shared_optin;
	int host_tables, direct_managed;
#if CUDA_MAJOR >= 11
	int blocks_per_multiprocessor, policy_window;
	size_t shared_reserved;
#endif
#if CUDA_MAJOR >= 12
	int register_host, sparse, register_read_only, timeline, pools, pool_handles_of_host, cluster, deferred, pool_handles, ipc_events, unified_pointers;
	int reserved[63];
#endif
};

EXPORT cudaError_t cudaGetDeviceProperties(struct properties *p, int device) {
	cudaError_t error = chosen(device);
	const struct wire_device *d = error == cudaSuccess ? wire_device(&error) : NULL;
	if (d == NULL)
		return error;
	memset(p, 0, sizeof *p);
	snprintf(p->name, sizeof p->name, "%s", d->name);
	memcpy(p->uuid, "ptxsan emulator", 16);
	p->memory = d->memory, p->shared_per_block = d->shared_per_block, p->registers = d->registers, p->warp = 32;
	p->pitch = 0x7fffffff, p->max_threads = 1024;
	p->max_block[0] = p->max_block[1] = 1024, p->max_block[2] = 64;
	p->max_grid[0] = 0x7fffffff, p->max_grid[1] = p->max_grid[2] = 0xffff;
	p->clock = 1000000, p->constant = 65536, p->major = d->major, p->minor = d->minor;
	p->texture_alignment = 512, p->texture_pitch_alignment = 32, p->surface_alignment = 512;
	p->overlap = p->maps_host = p->concurrent_kernels = p->unified = p->priorities = p->managed = p->cooperative = 1;
	p->multiprocessors = d->multiprocessors, p->engines = 1;
	p->memory_clock = 1000000, p->bus_width = 256, p->l2 = 4 << 20;
	p->texture_1d[0] = 131072, p->texture_1d[1] = 32768, p->texture_1d[2] = 1 << 28;
	p->texture_2d[0] = p->texture_2d[1] = 65536;
	p->texture_3d[0] = p->texture_3d[1] = p->texture_3d[2] = 16384;
	p->threads_per_multiprocessor = d->max_threads_per_multiprocessor;
	p->shared_per_multiprocessor = d->shared_per_multiprocessor, p->shared_optin = d->shared_optin;
	p->registers_per_multiprocessor = 65536, p->double_ratio = 2, p->concurrent_managed = 1, p->global_l1 = p->local_l1 = 1;
#if CUDA_MAJOR >= 11
	p->blocks_per_multiprocessor = 32;
#endif
#if CUDA_MAJOR >= 12
	p->pools = 1;
#endif
	return cudaSuccess;
}
SAME_AS(cudaGetDeviceProperties) cudaError_t cudaGetDeviceProperties_v2(struct properties *, int);

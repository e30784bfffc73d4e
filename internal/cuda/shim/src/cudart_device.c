// The devices of the runtime API, and their properties.
#include "cudart.h"

#include <stdio.h>
#include <string.h>

#include "attributes.h"
#include "properties.h"

// The last release of the major version.
#if CUDA_MAJOR == 10
#define RUNTIME_VERSION 10020
#elif CUDA_MAJOR == 11
#define RUNTIME_VERSION 11080
#elif CUDA_MAJOR == 12
#define RUNTIME_VERSION 12090
#else
#define RUNTIME_VERSION 13050
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
	cudaError_t error;
	const struct wire_device *d = wire_device(&error);
	*count = d == NULL ? 0 : (int)d->devices;
	return failed(error);
}

static cudaError_t chosen(int device) { return failed(wire_exists(device)); }

EXPORT cudaError_t cudaSetDevice(int device) {
	cudaError_t error = chosen(device);
	if (error != cudaSuccess)
		return error;
	wire_primary(device)->active = 1;
	return failed(wire_context_set(wire_primary(device)));
}

EXPORT cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags) {
	(void)device_flags, (void)flags;
	return chosen(device);
}

EXPORT cudaError_t cudaGetDevice(int *device) {
	*device = (int)wire_current_device();
	return chosen(*device);
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
EXPORT cudaError_t cudaLogsRegisterCallback(void (*callback)(void), void *data, void **registered) {
	(void)data;
	if (callback == NULL || registered == NULL)
		return failed(cudaErrorInvalidValue);
	*registered = (void *)callback; // called for what goes wrong in a driver: never
	return cudaSuccess;
}
EXPORT cudaError_t cudaLogsUnregisterCallback(void *registered) { return failed(registered == NULL ? cudaErrorInvalidValue : cudaSuccess); }
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

// Names from before CUDA 4.
EXPORT cudaError_t cudaThreadSetLimit(int limit, size_t value) { return cudaDeviceSetLimit(limit, value); }
EXPORT cudaError_t cudaThreadGetLimit(size_t *value, int limit) { return cudaDeviceGetLimit(value, limit); }
EXPORT cudaError_t cudaThreadSetCacheConfig(int config) { return cudaDeviceSetCacheConfig(config); }
EXPORT cudaError_t cudaThreadGetCacheConfig(int *config) { return cudaDeviceGetCacheConfig(config); }

EXPORT cudaError_t cudaDeviceSetSharedMemConfig(int config) {
	(void)config;
	return cudaSuccess;
}

EXPORT cudaError_t cudaDeviceGetSharedMemConfig(int *config) {
	*config = 1;
	return cudaSuccess;
}

EXPORT cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
	*can = device != peer;
	return failed(wire_both_exist(device, peer));
}

EXPORT cudaError_t cudaDeviceGetP2PAttribute(int *value, int attribute, int device, int peer) {
	cudaError_t error = device == peer ? cudaErrorInvalidDevice : wire_both_exist(device, peer);
	return failed(error == cudaSuccess ? peer_attribute(attribute, value) : error);
}

EXPORT cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
	return failed(flags != 0 ? cudaErrorInvalidValue : wire_peer(PEER_ENABLE, peer, 0));
}

EXPORT cudaError_t cudaDeviceDisablePeerAccess(int peer) { return failed(wire_peer(PEER_DISABLE, peer, 0)); }

EXPORT cudaError_t cudaDeviceGetPCIBusId(char *id, int size, int device) {
	device_bus(device, id, size);
	return chosen(device);
}

EXPORT cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id) {
	return failed(device == NULL || id == NULL ? cudaErrorInvalidValue : device_at(id, device));
}

EXPORT cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int device) {
	cudaError_t error = chosen(device);
	const struct wire_device *d = error == cudaSuccess ? wire_device(&error) : NULL;
	return d == NULL ? error : failed(device_attribute(d, device, attribute, value));
}

EXPORT cudaError_t cudaGetDeviceProperties(struct properties *p, int device) {
	cudaError_t error = chosen(device);
	const struct wire_device *d = error == cudaSuccess ? wire_device(&error) : NULL;
	if (d == NULL)
		return error;
	memset(p, 0, sizeof *p);
	snprintf(p->name, sizeof p->name, "%s", d->name);
	device_uuid(device, p->uuid);
	p->bus = device;
	p->memory = d->memory, p->shared_per_block = d->shared_per_block, p->registers = d->registers, p->warp = 32;
	p->pitch = 0x7fffffff, p->max_threads = 1024;
	p->max_block[0] = p->max_block[1] = 1024, p->max_block[2] = 64;
	p->max_grid[0] = 0x7fffffff, p->max_grid[1] = p->max_grid[2] = 0xffff;
	p->constant = 65536, p->major = d->major, p->minor = d->minor;
	p->texture_alignment = 512, p->texture_pitch_alignment = 32, p->surface_alignment = 512;
	p->maps_host = p->concurrent_kernels = p->unified = p->priorities = p->managed = p->cooperative = 1;
	p->multiprocessors = d->multiprocessors, p->engines = 1;
	p->bus_width = 256, p->l2 = 4 << 20;
	p->texture_1d[0] = 131072, p->texture_1d[1] = 32768;
	p->texture_2d[0] = p->texture_2d[1] = 65536;
	p->texture_3d[0] = p->texture_3d[1] = p->texture_3d[2] = 16384;
	p->threads_per_multiprocessor = d->max_threads_per_multiprocessor;
	p->shared_per_multiprocessor = d->shared_per_multiprocessor, p->shared_optin = d->shared_optin;
	p->registers_per_multiprocessor = 65536, p->concurrent_managed = 1, p->global_l1 = p->local_l1 = 1;
#if CUDA_MAJOR >= 11
	p->blocks_per_multiprocessor = 32;
#endif
#if CUDA_MAJOR >= 12
	p->pools = p->register_host = 1, p->cluster = d->major >= 9;
#endif
#if CUDA_MAJOR < 13
	p->clock = CLOCK_RATE, p->memory_clock = 1000000, p->overlap = 1, p->double_ratio = 2;
	p->texture_1d[2] = 1 << 28;
#endif
	return cudaSuccess;
}
SAME_AS(cudaGetDeviceProperties) cudaError_t cudaGetDeviceProperties_v2(struct properties *, int);

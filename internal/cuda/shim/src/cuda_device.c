// Devices of the driver API, and its errors.
#include "cuda.h"

#include <stdio.h>

#include "attributes.h"

static const struct {
	CUresult error;
	const char *name, *text;
} texts[] = {
#define ERROR(number, runtime, name, text) {number, name, text},
#include "errors.h"
#undef ERROR
};

enum { TEXTS = sizeof texts / sizeof *texts };

static int text_of(CUresult error) {
	for (int i = 0; i < TEXTS; i++)
		if (texts[i].error == error && texts[i].name != NULL)
			return i;
	return -1;
}

CUresult failed(CUresult error) {
	int i = text_of(error);
	if (error != CUDA_SUCCESS)
		wire_failed(error, i < 0 ? "an unknown error" : texts[i].name, i < 0 ? "" : texts[i].text);
	return error;
}

EXPORT CUresult cuGetErrorName(CUresult error, const char **name) {
	int i = text_of(error);
	*name = i < 0 ? NULL : texts[i].name;
	return i < 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

EXPORT CUresult cuGetErrorString(CUresult error, const char **text) {
	int i = text_of(error);
	*text = i < 0 ? NULL : texts[i].text;
	return i < 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

EXPORT CUresult cuInit(unsigned flags) { return failed(flags != 0 ? CUDA_ERROR_INVALID_VALUE : wire_ready()); }

EXPORT CUresult cuDriverGetVersion(int *version) {
	int error;
	const struct wire_device *d = wire_device(&error);
	*version = d == NULL ? 0 : (int)d->version;
	return failed(error);
}

EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal) {
	*device = ordinal;
	return failed(wire_exists(ordinal));
}

EXPORT CUresult cuDeviceGetCount(int *count) {
	int error;
	const struct wire_device *d = wire_device(&error);
	*count = d == NULL ? 0 : (int)d->devices;
	return failed(error);
}

EXPORT CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
	int error = wire_exists(device);
	const struct wire_device *d = error == CUDA_SUCCESS ? wire_device(&error) : NULL;
	if (d != NULL)
		snprintf(name, size, "%s", d->name);
	return failed(error);
}

EXPORT CUresult cuDeviceGetUuid(char *uuid, CUdevice device) {
	device_uuid(device, uuid);
	return failed(wire_exists(device));
}
VERSION2(cuDeviceGetUuid, (char *, CUdevice))

EXPORT CUresult cuDeviceTotalMem(size_t *size, CUdevice device) {
	int error = wire_exists(device);
	const struct wire_device *d = error == CUDA_SUCCESS ? wire_device(&error) : NULL;
	if (d != NULL)
		*size = d->memory;
	return failed(error);
}
VERSION2(cuDeviceTotalMem, (size_t *, CUdevice))

EXPORT CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
	int error = wire_exists(device);
	const struct wire_device *d = error == CUDA_SUCCESS ? wire_device(&error) : NULL;
	if (d != NULL)
		*major = d->major, *minor = d->minor;
	return failed(error);
}

EXPORT CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
	int error = wire_exists(device);
	const struct wire_device *d = error == CUDA_SUCCESS ? wire_device(&error) : NULL;
	return failed(d == NULL ? error : device_attribute(d, device, attribute, value));
}

EXPORT CUresult cuDeviceGetPCIBusId(char *id, int size, CUdevice device) {
	device_bus(device, id, size);
	return failed(wire_exists(device));
}

EXPORT CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id) {
	return failed(device == NULL || id == NULL ? CUDA_ERROR_INVALID_VALUE : device_at(id, device));
}

EXPORT CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
	*can = device != peer;
	return failed(wire_both_exist(device, peer));
}

EXPORT CUresult cuDeviceGetP2PAttribute(int *value, int attribute, CUdevice device, CUdevice peer) {
	CUresult error = device == peer ? CUDA_ERROR_INVALID_DEVICE : wire_both_exist(device, peer);
	return failed(error == CUDA_SUCCESS ? peer_attribute(attribute, value) : error);
}

// The driver's log of what went wrong is empty: callbacks are never called.
EXPORT CUresult cuLogsRegisterCallback(void (*callback)(void), void *data, void **registered) {
	(void)data;
	if (callback == NULL || registered == NULL)
		return failed(CUDA_ERROR_INVALID_VALUE);
	*registered = (void *)callback;
	return CUDA_SUCCESS;
}
EXPORT CUresult cuLogsUnregisterCallback(void *registered) { return failed(registered == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS); }
EXPORT CUresult cuProfilerStart(void) { return CUDA_SUCCESS; }
EXPORT CUresult cuProfilerStop(void) { return CUDA_SUCCESS; }

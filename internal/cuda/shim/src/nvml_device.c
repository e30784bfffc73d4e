// NVIDIA's management library, as far as frameworks ask it what devices there are before they use CUDA (NVML API reference, "Device
// Queries").
#include "attributes.h"
#include "wire.h"

#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define SAME_AS(other) EXPORT __attribute__((alias(#other)))

typedef int nvmlReturn_t;
typedef struct nvml_device *nvmlDevice_t;
struct nvml_device {
	int unused;
};
static struct nvml_device handles[WIRE_DEVICES]; // by number

enum { SUCCESS = 0, INVALID_ARGUMENT = 2, INSUFFICIENT_SIZE = 7, NOT_FOUND = 6, DRIVER_NOT_LOADED = 9 };

// device is what is known of the device.
static const struct wire_device *device(nvmlDevice_t handle, nvmlReturn_t *error) {
	int connection = WIRE_OK;
	const struct wire_device *d = wire_device(&connection);
	*error = d == NULL ? DRIVER_NOT_LOADED : handle < handles || handle >= handles + d->devices ? INVALID_ARGUMENT : SUCCESS;
	return *error == SUCCESS ? d : NULL;
}

EXPORT nvmlReturn_t nvmlInit_v2(void) {
	int error;
	return wire_device(&error) == NULL ? DRIVER_NOT_LOADED : SUCCESS;
}
SAME_AS(nvmlInit_v2) nvmlReturn_t nvmlInit(void);

EXPORT nvmlReturn_t nvmlInitWithFlags(unsigned flags) {
	(void)flags;
	return nvmlInit_v2();
}

EXPORT nvmlReturn_t nvmlShutdown(void) { return SUCCESS; }

EXPORT const char *nvmlErrorString(nvmlReturn_t error) {
	switch (error) {
	case SUCCESS: return "The operation was successful";
	case INVALID_ARGUMENT: return "A supplied argument is invalid";
	case NOT_FOUND: return "A query to find an object was unsuccessful";
	case INSUFFICIENT_SIZE: return "An input argument is not large enough";
	case DRIVER_NOT_LOADED: return "NVIDIA driver is not loaded";
	}
	return "The requested operation is not available on the target device";
}

static int ordinal(nvmlDevice_t handle) { return (int)(handle - handles); }

// text copies a text to a caller.
static nvmlReturn_t text(char *to, unsigned size, const char *from) {
	return to == NULL ? INVALID_ARGUMENT : snprintf(to, size, "%s", from) >= (int)size ? INSUFFICIENT_SIZE : SUCCESS;
}

// The branch of the driver that came with CUDA 13.
EXPORT nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned size) { return text(version, size, "580.95.05"); }
EXPORT nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned size) { return text(version, size, "13.580.95.05"); }

EXPORT nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version) {
	int error;
	const struct wire_device *d = wire_device(&error);
	if (d != NULL)
		*version = (int)d->version;
	return d == NULL ? DRIVER_NOT_LOADED : SUCCESS;
}
SAME_AS(nvmlSystemGetCudaDriverVersion_v2) nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *);

EXPORT nvmlReturn_t nvmlDeviceGetCount_v2(unsigned *count) {
	int error;
	const struct wire_device *d = wire_device(&error);
	*count = d == NULL ? 0 : d->devices;
	return d == NULL ? DRIVER_NOT_LOADED : SUCCESS;
}
SAME_AS(nvmlDeviceGetCount_v2) nvmlReturn_t nvmlDeviceGetCount(unsigned *);

EXPORT nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_t *handle) {
	nvmlReturn_t error = INVALID_ARGUMENT;
	*handle = &handles[index % WIRE_DEVICES];
	return index < WIRE_DEVICES && device(*handle, &error) != NULL ? SUCCESS : error;
}
SAME_AS(nvmlDeviceGetHandleByIndex_v2) nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned, nvmlDevice_t *);

// The identity that the CUDA libraries say: its bytes as a UUID.
enum { UUID_TEXT = 41 };
static void identity(int device, char id[UUID_TEXT]) {
	char b[UUID_SIZE], *to = id + sprintf(id, "GPU-");
	device_uuid(device, b);
	for (int i = 0; i < UUID_SIZE; i++)
		to += sprintf(to, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", (unsigned char)b[i]);
}

EXPORT nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *id, nvmlDevice_t *handle) {
	unsigned count;
	nvmlReturn_t error = nvmlDeviceGetCount_v2(&count);
	for (unsigned d = 0; d < count; d++) {
		char own[UUID_TEXT];
		identity((int)d, own);
		if (strcmp(id, own) != 0)
			continue;
		*handle = &handles[d];
		return SUCCESS;
	}
	return error == SUCCESS ? NOT_FOUND : error;
}

EXPORT nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *id, nvmlDevice_t *handle) {
	int number, error = device_at(id, &number);
	if (error == WIRE_OK)
		*handle = &handles[number];
	return error == WIRE_OK ? SUCCESS : error == WIRE_INVALID_DEVICE || error == WIRE_INVALID_VALUE ? NOT_FOUND : DRIVER_NOT_LOADED;
}
SAME_AS(nvmlDeviceGetHandleByPciBusId_v2) nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char *, nvmlDevice_t *);

EXPORT nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t handle, char *name, unsigned size) {
	nvmlReturn_t error;
	const struct wire_device *d = device(handle, &error);
	return d == NULL ? error : text(name, size, d->name);
}

EXPORT nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t handle, char *id, unsigned size) {
	nvmlReturn_t error;
	char own[UUID_TEXT];
	if (device(handle, &error) == NULL)
		return error;
	identity(ordinal(handle), own);
	return text(id, size, own);
}

EXPORT nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t handle, unsigned *index) {
	nvmlReturn_t error;
	if (device(handle, &error) != NULL)
		*index = (unsigned)ordinal(handle);
	return error;
}
SAME_AS(nvmlDeviceGetIndex) nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t, unsigned *);

EXPORT nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t handle, int *major, int *minor) {
	nvmlReturn_t error;
	const struct wire_device *d = device(handle, &error);
	if (d != NULL)
		*major = (int)d->major, *minor = (int)d->minor;
	return error;
}

// number stores an attribute of the device, in units.
static nvmlReturn_t number(nvmlDevice_t handle, int attribute, int unit, unsigned *to) {
	nvmlReturn_t error;
	int value = 0;
	const struct wire_device *d = device(handle, &error);
	if (d == NULL || to == NULL)
		return d == NULL ? error : INVALID_ARGUMENT;
	device_attribute(d, ordinal(handle), attribute, &value);
	*to = (unsigned)(value / unit);
	return SUCCESS;
}

// The clocks of graphics, multiprocessors, memory and video, in MHz.
EXPORT nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t handle, int clock, unsigned *mhz) {
	return clock < 0 || clock > 3 ? INVALID_ARGUMENT : number(handle, clock == 2 ? 36 : 13, 1000, mhz);
}
SAME_AS(nvmlDeviceGetClockInfo) nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t, int, unsigned *);

EXPORT nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t handle, unsigned *bits) { return number(handle, 37, 1, bits); }

struct memory {
	unsigned long long total, free, used;
};

EXPORT nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t handle, struct memory *m) {
	nvmlReturn_t error;
	uint64_t free_bytes = 0, total = 0;
	if (device(handle, &error) == NULL)
		return error;
	if (ON_DEVICE((uint32_t)ordinal(handle), wire_memory(&free_bytes, &total)) != WIRE_OK)
		return DRIVER_NOT_LOADED;
	*m = (struct memory){total, free_bytes, total - free_bytes};
	return SUCCESS;
}

struct memory_v2 {
	unsigned version;
	unsigned long long total, reserved, free, used;
};

EXPORT nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t handle, struct memory_v2 *m) {
	struct memory v1;
	nvmlReturn_t error = nvmlDeviceGetMemoryInfo(handle, &v1);
	if (error == SUCCESS)
		m->total = v1.total, m->reserved = 0, m->free = v1.free, m->used = v1.used;
	return error;
}

// Every device accesses the memory of every other one, as over NVLink.
EXPORT nvmlReturn_t nvmlDeviceGetP2PStatus(nvmlDevice_t handle, nvmlDevice_t peer, int capability, int *status) {
	enum { OK = 0, CAPABILITIES = 5, SAME_DEVICE = 6 };
	nvmlReturn_t error;
	if (device(handle, &error) == NULL || device(peer, &error) == NULL)
		return error;
	if (status == NULL || capability < 0 || capability >= CAPABILITIES)
		return INVALID_ARGUMENT;
	*status = handle == peer ? SAME_DEVICE : OK;
	return SUCCESS;
}

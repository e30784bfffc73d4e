// Attributes of the device, whose numbers both APIs share.
#ifndef PTXSAN_ATTRIBUTES_H
#define PTXSAN_ATTRIBUTES_H

#include "wire.h"

#include <stdio.h>
#include <string.h>

// CLOCK_RATE is that of the clock that kernels read, which counts the instructions of warps: about as many as are executed in a
// millisecond, so that kernels that wait for a time by this clock take about that time.
enum { CLOCK_RATE = 10000 };

// Devices are alike but for their identity and their place on the bus: "ptxsan emulator" and the number of the device, and a bus
// of that number.
enum { UUID_SIZE = 16 };
static inline void device_uuid(int device, char uuid[UUID_SIZE]) {
	memcpy(uuid, "ptxsan emulator", UUID_SIZE);
	uuid[UUID_SIZE - 1] = (char)device;
}
static inline void device_bus(int device, char *id, size_t size) { snprintf(id, size, "0000:%02x:00.0", (unsigned)device); }

// device_at finds the device with a place on the bus: domain, bus, device and function, without the first or the last, too.
static inline int device_at(const char *id, int *device) {
	unsigned domain = 0, bus = 0, slot = 0, function = 0;
	if (sscanf(id, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3) {
		domain = function = 0;
		if (sscanf(id, "%x:%x.%x", &bus, &slot, &function) < 2)
			return WIRE_INVALID_VALUE;
	}
	*device = (int)bus;
	return domain != 0 || slot != 0 || function != 0 ? WIRE_INVALID_DEVICE : wire_exists(bus);
}

// peer_attribute is an attribute of a device and another one (CUdevice_P2PAttribute); the value is CUDA's error.
static inline int peer_attribute(int attribute, int *value) {
	enum { RANK = 1, ACCESS, ATOMICS, ARRAYS, SOME_ATOMICS };
	if (value == NULL || attribute < RANK || attribute > SOME_ATOMICS)
		return WIRE_INVALID_VALUE;
	*value = attribute == ACCESS || attribute == ATOMICS || attribute == ARRAYS;
	return WIRE_OK;
}

// device_attribute is CUDA's error; an attribute that is not known has the value 0, as those
// of abilities that the device does not have.
static int device_attribute(const struct wire_device *d, int device, int attribute, int *value) {
	switch (attribute) {
	case 1: *value = 1024; break;                          // threads of a block
	case 2: case 3: *value = 1024; break;                  // extents of a block
	case 4: *value = 64; break;
	case 5: *value = 0x7fffffff; break;                    // extents of a grid
	case 6: case 7: *value = 0xffff; break;
	case 8: *value = d->shared_per_block; break;
	case 9: *value = 65536; break;                         // constant memory
	case 10: *value = 32; break;                           // warp size
	case 11: *value = 0x7fffffff; break;                   // pitch
	case 12: *value = d->registers; break;
	case 13: *value = CLOCK_RATE; break;                   // kHz
	case 14: *value = 512; break;                          // alignment of textures
	case 15: case 19: case 31: *value = 1; break;          // overlap, mapped host memory, concurrent kernels
	case 16: *value = d->multiprocessors; break;
	case 21: *value = 131072; break;                       // extents of textures
	case 22: case 23: *value = 65536; break;
	case 24: case 25: case 26: *value = 16384; break;
	case 30: *value = 512; break;                          // alignment of surfaces
	case 33: *value = device; break;                       // PCI bus
	case 36: *value = 1000000; break;                      // clock of the memory, kHz
	case 37: *value = 256; break;                          // width of its bus
	case 38: *value = 4 << 20; break;                      // level 2 cache
	case 39: *value = d->max_threads_per_multiprocessor; break;
	case 40: case 41: *value = 1; break;                   // copy engines, unified addressing
	case 51: *value = 32; break;                           // alignment of pitched textures
	case 75: *value = d->major; break;
	case 76: *value = d->minor; break;
	case 78: case 79: case 80: *value = 1; break;          // stream priorities, level 1 caches
	case 81: *value = d->shared_per_multiprocessor; break;
	case 82: *value = 65536; break;                        // registers of a multiprocessor
	case 83: case 89: *value = 1; break;                   // managed memory, also while kernels run
	case 87: *value = 2; break;                            // ratio of single to double precision
	case 92: case 93: case 94: *value = 1; break;          // values that streams write and wait for, of 64 bits, all conditions
	case 122: case 123: *value = 1; break;                 // the same, for the functions of version 2
	case 95: *value = 1; break;                            // cooperative launch
	case 97: *value = d->shared_optin; break;
	case 99: *value = 1; break;                            // host memory can be registered
	case 102: *value = 1; break;                           // virtual memory management
	case 106: *value = 32; break;                          // blocks of a multiprocessor
	case 115: *value = 1; break;                           // memory pools
	case 120: *value = d->major >= 9; break;               // clusters
	case 132: *value = d->major >= 9; break;               // multicast objects
	case 153: case 155: case 156: *value = d->major >= 10; break; // logical endpoints of this device: unicast, counted, of its own memory
	default: *value = 0;
	}
	return WIRE_OK;
}

#endif

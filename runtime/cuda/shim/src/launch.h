// Launch configurations of cuLaunchKernelEx and cudaLaunchKernelExC: the attributes that matter to a launch.
#ifndef PTXSAN_LAUNCH_H
#define PTXSAN_LAUNCH_H

#include <stdint.h>
#include <string.h>

struct launch_attribute {
	int id;
	char pad[8 - sizeof(int)];
	union {
		char bytes[64];
		int number;
		uint32_t extent[3];
	} value;
};
enum { ATTRIBUTE_COOPERATIVE = 2, ATTRIBUTE_CLUSTER = 4 };

// struct launch_config is the driver API's CUlaunchConfig.
struct launch_config {
	uint32_t grid[3], block[3], shared;
	void *stream;
	struct launch_attribute *attributes;
	unsigned nattributes;
};

// launch_attributes reads attributes; what none of them says stays as it is.
static inline void launch_attributes(const struct launch_attribute *list, unsigned n, uint32_t *cooperative, uint32_t cluster[3]) {
	for (unsigned i = 0; i < n; i++) {
		if (list[i].id == ATTRIBUTE_COOPERATIVE)
			*cooperative = (uint32_t)list[i].value.number;
		if (list[i].id == ATTRIBUTE_CLUSTER)
			memcpy(cluster, list[i].value.extent, sizeof list[i].value.extent);
	}
}

#endif

// Launch configurations of cuLaunchKernelEx and cudaLaunchKernelExC: the attributes that matter to a launch.
#ifndef PTXSAN_LAUNCH_H
#define PTXSAN_LAUNCH_H

#include "wire.h"

#include <stdint.h>
#include <string.h>

struct launch_attribute {
	int id;
	char pad[8 - sizeof(int)];
	union {
		char bytes[64];
		int number;
		uint32_t extent[3];
		struct {
			void *event;
			int flags, at_start;
		} record;
	} value;
};
enum { ATTRIBUTE_COOPERATIVE = 2, ATTRIBUTE_CLUSTER = 4, ATTRIBUTE_STREAM_SERIALIZATION = 6, ATTRIBUTE_EVENT = 7, ATTRIBUTE_COMPLETION_EVENT = 12 };

// launch_order is what attributes say of the order of launches: whether it may begin before the end of the one before in its
// stream, and the events, which may be null, that it records: when its blocks let dependents begin, or at their beginning; and when
// they have begun, for what cannot wait for its end.
struct launch_order {
	uint32_t overlaps, at_start;
	struct event *let, *begun;
};

// struct launch_config is the driver API's CUlaunchConfig.
struct launch_config {
	uint32_t grid[3], block[3], shared;
	void *stream;
	struct launch_attribute *attributes;
	unsigned nattributes;
};

// struct runtime_launch_config is the runtime API's cudaLaunchConfig_t.
struct runtime_launch_config {
	uint32_t grid[3], block[3];
	size_t shared;
	void *stream;
	struct launch_attribute *attributes;
	unsigned nattributes;
};

// launch_attributes reads attributes; what none of them says stays as it is.
static inline void launch_attributes(const struct launch_attribute *list, unsigned n, uint32_t *cooperative, uint32_t cluster[3], struct launch_order *order) {
	for (unsigned i = 0; i < n; i++) {
		if (list[i].id == ATTRIBUTE_COOPERATIVE)
			*cooperative = (uint32_t)list[i].value.number;
		if (list[i].id == ATTRIBUTE_CLUSTER)
			memcpy(cluster, list[i].value.extent, sizeof list[i].value.extent);
		if (list[i].id == ATTRIBUTE_STREAM_SERIALIZATION)
			order->overlaps = list[i].value.number != 0;
		if (list[i].id == ATTRIBUTE_EVENT)
			order->let = list[i].value.record.event, order->at_start = list[i].value.record.at_start != 0;
		if (list[i].id == ATTRIBUTE_COMPLETION_EVENT)
			order->begun = list[i].value.record.event;
	}
}

// Devices have clusters since this compute capability, and any of them has clusters of so many blocks.
enum { CLUSTERS_SINCE = 9, PORTABLE_CLUSTER = 8 };

// wire_clusters is how many clusters of a launch the device holds at a time.
static inline int wire_clusters(const struct wire_device *d, const struct wire_function *f, const uint32_t block[3], size_t shared, const struct launch_attribute *list, unsigned n) {
	uint32_t cooperative = 0, cluster[3] = {1, 1, 1};
	struct launch_order order;
	launch_attributes(list, n, &cooperative, cluster, &order);
	uint64_t threads = (uint64_t)block[0] * block[1] * block[2], blocks = (uint64_t)cluster[0] * cluster[1] * cluster[2];
	if (threads == 0 || blocks == 0 || (d->major < CLUSTERS_SINCE && blocks > 1))
		return 0;
	return (int)(wire_occupancy(d, f, (unsigned)threads, shared) * (uint64_t)d->multiprocessors / blocks);
}

#endif

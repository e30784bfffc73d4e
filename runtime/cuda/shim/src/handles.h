// Streams and events, which are the same in both APIs.
#ifndef PTXSAN_HANDLES_H
#define PTXSAN_HANDLES_H

#include <stdint.h>
#include <time.h>

struct stream {
	unsigned flags;
	int priority;
	uint32_t id, epoch;
	struct graph *capture; // null when the stream executes
	struct stream *next;   // of those that capture
};

struct event {
	struct timespec when;
	int recorded;
	uint32_t id, epoch;
	struct graph *capture; // in which it was recorded
};

#endif

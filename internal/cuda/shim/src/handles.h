// Streams and events, which are the same in both APIs.
#ifndef PTXSAN_HANDLES_H
#define PTXSAN_HANDLES_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct node;
struct wire_part;

// edge is cudaGraphEdgeData.
struct edge {
	unsigned char from_port, to_port, type, reserved[5];
};

// tail are the nodes of a graph that the next one which a stream captures comes after, and in what way.
struct tail {
	struct node **nodes;
	struct edge *edges;
	size_t count;
};

// The epoch of a stream, or an event, identifies its device (wire_epoch).
struct stream {
	unsigned flags;
	int priority;
	uint32_t id, epoch;
	struct graph *capture; // null when the stream executes
	struct tail tail;      // of what it has captured
	struct stream *next;   // of those that capture
	// request makes a request to the other end, an enum wire_op and its parts, a node of what the stream captures.
	int (*request)(struct stream *s, int op, const struct wire_part *parts, int nparts);
	struct green *green;   // the context that it was created in; null for the device's
	struct context *context; // the driver's, in which it was created
};

struct event {
	struct timespec when;
	int recorded;
	uint32_t id, epoch;
	struct graph *capture; // in which it was recorded
	struct tail tail;      // of the stream at that time
};

#endif

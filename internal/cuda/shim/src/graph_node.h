// What the nodes of both APIs' graphs have in common: memory that they allocate, events that they record.
#ifndef PTXSAN_GRAPH_NODE_H
#define PTXSAN_GRAPH_NODE_H

#include "handles.h"
#include "wire.h"

#include <stdlib.h>
#include <string.h>

// Kinds of nodes, by CUDA's numbers (CUgraphNodeType), as far as they are executed here.
enum node_kind { NODE_KERNEL, NODE_MEMCPY, NODE_MEMSET, NODE_HOST, NODE_GRAPH, NODE_EMPTY, NODE_WAIT, NODE_RECORD, NODE_ALLOC = 10, NODE_FREE, NODE_REQUEST, NODE_CONDITIONAL };

// Memory that a graph allocates (graph_memory.h).
struct held;
void held_take(struct held *h), held_drop(struct held *h);
uint64_t held_address(const struct held *h);
// held_freed reports whether memory that the application frees is that of a graph, whose next launch allocates it again.
int held_freed(uint64_t address);
int record_memory(struct graph *g, enum node_kind kind, struct held *h);
int record_alloc(struct graph *g, struct wire_pool *pool, size_t size, uint64_t *address);
int record_free(struct graph *g, uint64_t address);
struct alloc_params;
int record_params(struct graph *g, struct alloc_params *p);

// condition is what a node does that is conditional, by CUDA's numbers (graph_condition.h). Its value is memory that the graph
// allocates, whose address is the handle.
struct condition {
	int type;
	unsigned size;
	struct graph **bodies;
};

// cudaConditionalNodeParams and CUDA_CONDITIONAL_NODE_PARAMS.
struct conditional_params {
	uint64_t handle;
	int type;
	unsigned size;
	struct graph **bodies; // set by the call
	void *context;
};
int record_conditional(struct graph *g, struct conditional_params *p);

// held_condition makes the value of a condition, and held_at finds it. held_assigned reports whether launches of its graph begin
// with its default value.
int held_condition(unsigned value, unsigned flags, uint64_t *handle);
struct held *held_at(uint64_t handle);
int held_assigned(const struct held *h, unsigned *value);

// request is what a node asks of the other end: operations on values in memory, as in a node of CUDA's of this kind, or a call of a
// library.
struct request {
	enum wire_op op;
	size_t size;
	unsigned char bytes[];
};

// request_of is a request made of parts, which must be freed; null without memory.
static inline struct request *request_of(enum wire_op op, const struct wire_part *parts, int nparts) {
	size_t size = 0;
	for (int i = 0; i < nparts; i++)
		size += parts[i].size;
	struct request *r = malloc(sizeof *r + size);
	if (r == NULL)
		return NULL;
	r->op = op, r->size = 0;
	for (int i = 0; i < nparts; r->size += parts[i++].size)
		memcpy(r->bytes + r->size, parts[i].bytes, parts[i].size);
	return r;
}

static inline int execute_request(const struct request *r, uint32_t stream) {
	struct wire_part part = {r->bytes, r->size};
	return IN(stream, wire_call(r->op, &part, 1, NULL, 0, NULL));
}

static inline struct request *request_copy(const struct request *r) {
	struct wire_part part = {r->bytes, r->size};
	return request_of(r->op, &part, 1);
}

// cudaHostNodeParams and CUDA_HOST_NODE_PARAMS.
struct host_node {
	void (*function)(void *);
	void *data;
};

// cudaMemAllocNodeParams and CUDA_MEM_ALLOC_NODE_PARAMS.
struct alloc_params {
	struct wire_pool_properties properties;
	char reserved[56];
	const struct wire_pool_access *access;
	size_t access_count, size;
	uint64_t address;
};
_Static_assert(sizeof(struct alloc_params) == 120, "of CUDA's size");

// alloc_described is what describes memory that a graph allocates.
static inline struct alloc_params alloc_described(const struct held *h) {
	enum { PINNED = 1, PLACE = 1 };
	struct wire_pointer p = {0};
	wire_pointer(held_address(h), &p);
	return (struct alloc_params){.properties = {.kind = PINNED, .location = {PLACE, (int)p.device}}, .size = p.size, .address = held_address(h)};
}

// execute_event executes a node that records an event, or waits for one.
static inline int execute_event(enum node_kind kind, struct event *e, uint32_t stream) {
	if (!LIVE(e))
		return WIRE_INVALID_HANDLE;
	if (kind == NODE_WAIT)
		return wire_order(ORDER_WAIT, stream, e->id);
	e->recorded = 1;
	clock_gettime(CLOCK_MONOTONIC, &e->when);
	return wire_order(ORDER_RECORD, stream, e->id);
}

#endif

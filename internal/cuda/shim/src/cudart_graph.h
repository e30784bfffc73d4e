// Graphs of operations: what a stream records while it captures, and what applications put
// together node by node.
#ifndef PTXSAN_CUDART_GRAPH_H
#define PTXSAN_CUDART_GRAPH_H

#include "cudart.h"
#include "graph_node.h"

// cudaMemcpy3DParms and its parts.
struct pitched {
	void *ptr;
	size_t pitch, width, height;
};
struct extent {
	size_t width, height, depth;
};
struct position {
	size_t x, y, z;
};
struct copy3d {
	void *from_array;
	struct position from_position;
	struct pitched from;
	void *to_array;
	struct position to_position;
	struct pitched to;
	struct extent extent;
	int kind;
};
cudaError_t copy3d(const struct copy3d *c);
cudaError_t cudaMemcpy3DAsync(const struct copy3d *c, cudaStream_t stream);

// without_arrays describes a copy that involves arrays as one of pitched memory.
struct copy3d without_arrays(const struct copy3d *c);

// cudaKernelNodeParams and cudaMemsetParams.
struct kernel_params {
	void *function;
	dim3 grid, block;
	unsigned shared;
	void **params, **extra;
};
struct memset_node {
	void *to;
	size_t pitch;
	unsigned value, element;
	size_t width, height;
};


struct graph;

// recording is the graph that a stream captures operations into, null when it executes them. tail_of is the tail of one that
// captures.
struct graph *recording(cudaStream_t s);
struct tail *tail_of(cudaStream_t s);

// The record functions add a node to a graph. Values of arguments are copied, as CUDA does.
cudaError_t record_launch(struct graph *g, const struct kernel_params *p, int cooperative);
cudaError_t record_copy(struct graph *g, const struct copy3d *c);
cudaError_t record_fill(struct graph *g, const struct memset_node *p);
cudaError_t record_host(struct graph *g, void (*function)(void *), void *data);

cudaError_t record_event(struct graph *g, enum node_kind kind, struct event *e);
// captured is the result of a function that has added the last node of a graph for a stream that captures, captured_launch that of
// a kernel, which may begin before the end of those before it.
cudaError_t captured(cudaStream_t s, cudaError_t error);
cudaError_t captured_launch(cudaStream_t s, cudaError_t error, int overlaps);

// launch_packed launches a kernel with parameters that lie as in memory.
cudaError_t launch_packed(const struct wire_function *f, const struct kernel_params *p, int cooperative, int overlaps, const void *block, size_t size);

// copy1d is the description of a copy in one dimension.
struct copy3d copy1d(void *to, const void *from, size_t size, int kind);

#endif

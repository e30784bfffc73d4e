// Graphs of the driver API, as the drop-in library and the shim in front of the driver see them: what nodes do, by
// CUDA's layout.
#ifndef PTXSAN_CUDA_GRAPH_H
#define PTXSAN_CUDA_GRAPH_H

#include "cuda.h"
#include "graph_node.h"

// CUDA_KERNEL_NODE_PARAMS of both versions, CUDA_MEMSET_NODE_PARAMS and CUDA_MEMCPY3D.
struct kernel_node {
	CUfunction function;
	unsigned grid[3], block[3], shared;
	void **params, **extra;
};
struct kernel_node_v2 {
	struct kernel_node v1;
	void *kernel; // of a library, in place of the function
	CUcontext context;
};
struct memset_node {
	CUdeviceptr to;
	size_t pitch;
	unsigned value, element;
	size_t width, height;
};
struct copy_side {
	size_t x, y, z, level;
	int type;
	const void *host;
	CUdeviceptr device;
	const struct array *array;
	void *reserved;
	size_t pitch, height;
};
struct copy3d {
	struct copy_side from, to;
	size_t width, height, depth;
};


struct graph;
struct node;
struct exec;

// recording is the graph that a stream captures operations into, null when it executes them.
struct graph *recording(CUstream s);

// captured is the result of a function that has added the last node of a graph for a stream that captures, captured_launch that of
// a kernel, which may begin before the end of those before it; tail_of is the tail of that stream.
CUresult captured(CUstream s, CUresult error);
CUresult captured_launch(CUstream s, CUresult error, int overlaps);
struct tail *tail_of(CUstream s);

// stream_of is the stream of a handle, null for the legacy default stream, and created reports whether the application has
// created it. A stream leaves its capture when it ends.
struct stream *stream_of(CUstream s);
int stream_created(CUstream s);
uint32_t device_of_stream(CUstream s);
void stream_ends(CUstream s);

// event_usable is the error of recording an event in a stream, and event_elapsed of the time between two.
CUresult event_usable(CUevent e, CUstream s);
CUresult event_elapsed(float *ms, CUevent from, CUevent to);

// event_captured records an event in a capture, and wait_captured makes a stream wait for it; the values are 0 outside of
// captures.
int event_captured(CUevent e, CUstream s, enum wire_order what);
int wait_captured(CUstream s, CUevent e);

// The record functions add a node. Values of arguments are copied, as CUDA does.
CUresult record_kernel(struct graph *g, const struct kernel_node *p);
CUresult record_copy(struct graph *g, const struct copy3d *p);
CUresult record_bytes(struct graph *g, CUdeviceptr to, CUdeviceptr from, size_t size);
CUresult record_fill(struct graph *g, const struct memset_node *p);
CUresult record_event(struct graph *g, enum node_kind kind, struct event *e);
CUresult record_host(struct graph *g, void (*function)(void *), void *data);

CUresult cuGraphCreate(struct graph **g, unsigned flags);
CUresult cuMemcpy3DAsync(const struct copy3d *c, CUstream stream);
CUresult copy_box(const struct copy3d *c);
CUresult cuLaunchHostFunc(CUstream s, void (*function)(void *), void *data);
CUresult cuLaunchKernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream stream, void **params, void **extra);

#endif

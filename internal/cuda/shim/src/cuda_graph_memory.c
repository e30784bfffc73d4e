// Memory that graphs of the driver API allocate and free.
#include "cuda_graph_node.h"
#include "graph_memory.h"

EXPORT CUresult cuGraphAddMemAllocNode(struct node **out, struct graph *g, struct node *const *deps, size_t n, struct alloc_params *p) {
	return added(out, g, deps, NULL, n, record_params(g, p));
}

EXPORT CUresult cuGraphAddMemFreeNode(struct node **out, struct graph *g, struct node *const *deps, size_t n, CUdeviceptr p) {
	return added(out, g, deps, NULL, n, record_free(g, p));
}

EXPORT CUresult cuGraphMemAllocNodeGetParams(struct node *n, struct alloc_params *p) {
	if (n->kind != NODE_ALLOC)
		return failed(CUDA_ERROR_INVALID_VALUE);
	*p = alloc_described(n->memory);
	return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphMemFreeNodeGetParams(struct node *n, CUdeviceptr *p) {
	if (n->kind != NODE_FREE)
		return failed(CUDA_ERROR_INVALID_VALUE);
	*p = held_address(n->memory);
	return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGetGraphMemAttribute(CUdevice device, int what, void *value) {
	return failed(graph_memory_get(device, what, value));
}

EXPORT CUresult cuDeviceSetGraphMemAttribute(CUdevice device, int what, void *value) {
	return failed(graph_memory_set(device, what, value));
}

EXPORT CUresult cuDeviceGraphMemTrim(CUdevice device) { return failed(wire_exists(device)); } // nothing is kept

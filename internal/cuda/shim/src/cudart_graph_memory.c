// Memory that graphs of the runtime API allocate and free.
#include "cudart_graph_node.h"
#include "graph_memory.h"

EXPORT cudaError_t cudaGraphAddMemAllocNode(struct node **out, struct graph *g, struct node *const *deps, size_t n, struct alloc_params *p) {
	return added(out, g, deps, NULL, n, record_params(g, p));
}

EXPORT cudaError_t cudaGraphAddMemFreeNode(struct node **out, struct graph *g, struct node *const *deps, size_t n, void *p) {
	return added(out, g, deps, NULL, n, record_free(g, (uint64_t)p));
}

EXPORT cudaError_t cudaGraphMemAllocNodeGetParams(struct node *n, struct alloc_params *p) {
	struct held *h = n->kind == NODE_ALLOC ? n->memory : NULL;
	if (h != NULL)
		*p = alloc_described(h);
	return failed(h == NULL ? cudaErrorInvalidValue : cudaSuccess);
}

EXPORT cudaError_t cudaGraphMemFreeNodeGetParams(struct node *n, void **p) {
	struct held *h = n->kind == NODE_FREE ? n->memory : NULL;
	if (h != NULL)
		*p = (void *)held_address(h);
	return failed(h == NULL ? cudaErrorInvalidValue : cudaSuccess);
}

EXPORT cudaError_t cudaDeviceGetGraphMemAttribute(int device, int what, void *value) {
	return failed(graph_memory_get(device, what, value));
}

EXPORT cudaError_t cudaDeviceSetGraphMemAttribute(int device, int what, void *value) {
	return failed(graph_memory_set(device, what, value));
}

EXPORT cudaError_t cudaDeviceGraphMemTrim(int device) { return failed(wire_exists(device)); } // nothing is kept

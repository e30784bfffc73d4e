// Questions about graphs of the runtime API.
#include "cudart_graph_node.h"

#define API(name) cudaGraph##name
#define EDGES (CUDA_MAJOR >= 13)
#include "graph_query.h"

EXPORT cudaError_t cudaGraphGetNodes(struct graph *g, struct node **nodes, size_t *count) {
	struct list l = {.nodes = nodes, .room = *count};
	for (size_t i = 0; i < g->count; i++)
		put(&l, g->nodes[i], NULL, (struct edge){0});
	return counted(&l, count);
}

EXPORT cudaError_t cudaGraphNodeGetType(struct node *n, int *kind) {
	*kind = n->kind;
	return cudaSuccess;
}

// Questions about graphs of the driver API.
#include "cuda_graph_node.h"

#define API(name) cuGraph##name
#define EDGES 0
#include "graph_query.h"

EXPORT CUresult cuGraphGetNodes(struct graph *g, struct node **nodes, size_t *count) {
	struct list l = {.nodes = nodes, .room = *count};
	for (size_t i = 0; i < g->count; i++)
		put(&l, g->nodes[i], NULL, (struct edge){0});
	return counted(&l, count);
}

EXPORT CUresult cuGraphNodeGetType(struct node *n, int *kind) {
	*kind = n->kind;
	return CUDA_SUCCESS;
}

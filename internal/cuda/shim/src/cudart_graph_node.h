// The nodes of graphs of the runtime API, for the files that make, change and execute them.
#ifndef PTXSAN_CUDART_GRAPH_NODE_H
#define PTXSAN_CUDART_GRAPH_NODE_H

#include "cudart_graph.h"
#include "graph_branches.h"

struct node {
	enum node_kind kind;
	struct links links;
	const struct node *from; // of which it is a copy
	const struct wire_function *function;
	struct kernel_params kernel;
	int cooperative;
	unsigned char *params; // packed, of the kernel
	void **pointers;       // into params, for who asks for them
	size_t params_size;
	struct copy3d copy;
	struct memset_node set;
	struct host_node host;
	struct graph *child;
	struct held *memory;
	struct condition *condition;
	struct event *event;
	struct request *request;
};

static int is_kernel(const struct node *n) { return n->kind == NODE_KERNEL; }
static int is_host(const struct node *n) { return n->kind == NODE_HOST; }
static struct links *links_of(struct node *n) { return &n->links; }

// graph_add adds a node, null without memory; kept is the result of filling it, which an error removes again. added is the result of a
// function that has added the last node of a graph, and makes that come after others. set_kernel copies the arguments of a kernel into
// its node.
struct node *graph_add(struct graph *g, enum node_kind kind);
cudaError_t kept(struct node *n, cudaError_t error);
cudaError_t added(struct node **out, struct graph *g, struct node *const *deps, const struct edge *data, size_t n, cudaError_t error);
cudaError_t set_kernel(struct node *n, const struct kernel_params *p, int cooperative);
cudaError_t copy_graph(struct graph **to, const struct graph *from);
cudaError_t record_graph(struct graph *g, const struct graph *child);
void free_graph(struct graph *g);

#endif

// The nodes of graphs of the driver API, for the files that make, change and execute them.
#ifndef PTXSAN_CUDA_GRAPH_NODE_H
#define PTXSAN_CUDA_GRAPH_NODE_H

#include "cuda_graph.h"
#include "graph_branches.h"

struct node {
	enum node_kind kind;
	struct links links;
	struct kernel_node kernel;
	unsigned char *params; // the values of the kernel's arguments
	void **pointers;       // into params
	struct copy3d copy;
	struct memset_node set;
	struct host_node host;
	struct graph *child;
	struct held *memory;
	struct condition *condition;
	struct event *event;
	struct request *request;
	const struct node *from; // of which it is a copy
};

static int is_kernel(const struct node *n) { return n->kind == NODE_KERNEL; }
static int is_host(const struct node *n) { return n->kind == NODE_HOST; }
static struct links *links_of(struct node *n) { return &n->links; }

// graph_add adds a node, null without memory; kept is the result of filling it, which an error removes again. added is the result of a
// function that has added the last node of a graph, and makes that come after others. set_kernel copies the arguments of a kernel into
// its node.
struct node *graph_add(struct graph *g, enum node_kind kind);
CUresult kept(struct node *n, CUresult error);
CUresult added(struct node **out, struct graph *g, struct node *const *deps, const struct edge *data, size_t n, CUresult error);
CUresult set_kernel(struct node *n, const struct kernel_node *p);
CUresult copy_graph(struct graph **to, const struct graph *from);
void free_graph(struct graph *g);

#endif

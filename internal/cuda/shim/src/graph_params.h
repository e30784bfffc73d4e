// What the nodes of graphs of both APIs do: nodes of all kinds are added, and their parameters read and changed. Each library
// includes this once, with its API(name), a function's name; KERNEL, the parameters of a kernel, with functions that add, change
// and describe one; and EDGES, which says that functions without a version take the data of edges.
#ifndef PTXSAN_GRAPH_PARAMS_H
#define PTXSAN_GRAPH_PARAMS_H

#include "graph_branches.h"
#include "graph_node.h"

static int add_kernel(struct graph *g, const KERNEL *p);
static int change_kernel(struct node *n, const KERNEL *p);
static KERNEL kernel_described(const struct node *n);

// cudaGraphNodeParams and CUgraphNodeParams. The contexts, which some parameters end with, are not used.
struct node_params {
	int kind, reserved[3];
	union {
		KERNEL kernel;
		struct {
			int flags, reserved;
			void *context; // for the runtime until CUDA 12, reserved goes on here
			struct copy3d copy;
		} memcpy;
		struct memset_node set;
		struct host_node host;
		struct {
			struct graph *graph;
			int ownership;
		} child;
		struct event *event;
		struct alloc_params alloc;
		uint64_t freed;
		struct conditional_params conditional;
		char bytes[232];
	};
	long long more;
};
_Static_assert(sizeof(struct node_params) == 256, "of CUDA's size");

static int add_empty(struct graph *g) { return graph_add(g, NODE_EMPTY) == NULL ? WIRE_OUT_OF_MEMORY : WIRE_OK; }
static int add_event(struct graph *g, enum node_kind kind, struct event *e) { return !LIVE(e) ? WIRE_INVALID_HANDLE : record_event(g, kind, e); }

// add_child adds a child graph as a node: a copy of it, or with cudaGraphChildGraphOwnershipMove the graph itself.
static int add_child(struct graph *g, struct graph *child, int ownership) {
	enum { MOVED = 1 };
	struct node *n = graph_add(g, NODE_GRAPH);
	if (n == NULL)
		return WIRE_OUT_OF_MEMORY;
	if (ownership != MOVED)
		return kept(n, copy_graph(&n->child, child));
	n->child = child;
	return WIRE_OK;
}

#define TEXT(word) WORD(word)
#define WORD(word) #word

// add_any adds a node of any kind.
static int add_any(struct graph *g, struct node_params *p) {
	switch (p->kind) {
	case NODE_KERNEL: return add_kernel(g, &p->kernel);
	case NODE_MEMCPY: return record_copy(g, &p->memcpy.copy);
	case NODE_MEMSET: return record_fill(g, &p->set);
	case NODE_HOST: return record_host(g, p->host.function, p->host.data);
	case NODE_GRAPH: return add_child(g, p->child.graph, p->child.ownership);
	case NODE_EMPTY: return add_empty(g);
	case NODE_WAIT: case NODE_RECORD: return add_event(g, p->kind, p->event);
	case NODE_ALLOC: return record_params(g, &p->alloc);
	case NODE_FREE: return record_free(g, p->freed);
	case NODE_CONDITIONAL: return record_conditional(g, &p->conditional);
	}
	return wire_missing(LIBRARY, TEXT(API(AddNode)) " of a node of semaphores or of batches");
}

// ADD defines a function that adds a node of one kind: more are its parameters after the dependencies.
#define ADD(name, more, record)                                                                                 \
	EXPORT int API(Add##name)(struct node **out, struct graph *g, struct node *const *deps, size_t n MORE more) { \
		return added(out, g, deps, NULL, n, record);                                                            \
	}
#define MORE(...) , ##__VA_ARGS__
ADD(HostNode, (const struct host_node *p), record_host(g, p->function, p->data))
ADD(EmptyNode, (), add_empty(g))
ADD(ChildGraphNode, (struct graph *child), add_child(g, child, 0))
ADD(EventRecordNode, (struct event *e), add_event(g, NODE_RECORD, e))
ADD(EventWaitNode, (struct event *e), add_event(g, NODE_WAIT, e))

EXPORT int API(AddNode_v2)(struct node **out, struct graph *g, struct node *const *deps, const struct edge *data, size_t n, struct node_params *p) {
	return added(out, g, deps, data, n, p == NULL ? WIRE_INVALID_VALUE : add_any(g, p));
}

#if EDGES
EXPORT int API(AddNode)(struct node **out, struct graph *g, struct node *const *deps, const struct edge *data, size_t n, struct node_params *p) {
	return API(AddNode_v2)(out, g, deps, data, n, p);
}
#else
EXPORT int API(AddNode)(struct node **out, struct graph *g, struct node *const *deps, size_t n, struct node_params *p) {
	return API(AddNode_v2)(out, g, deps, NULL, n, p);
}
#endif

// set_child puts a copy of a graph in place of that of a node.
static int set_child(struct node *n, const struct graph *g) {
	struct graph *copy;
	int error = copy_graph(&copy, g);
	if (error == WIRE_OK)
		free_graph(n->child), n->child = copy;
	return error;
}

// set_any changes what a node does. Its kind stays, and memory that it allocates or frees.
static int set_any(struct node *n, const struct node_params *p) {
	if (n == NULL || p == NULL || p->kind != (int)n->kind)
		return WIRE_INVALID_VALUE;
	switch (n->kind) {
	case NODE_KERNEL: return change_kernel(n, &p->kernel);
	case NODE_MEMCPY: n->copy = p->memcpy.copy; break;
	case NODE_MEMSET: n->set = p->set; break;
	case NODE_HOST: n->host = p->host; break;
	case NODE_GRAPH: return set_child(n, p->child.graph);
	case NODE_WAIT: case NODE_RECORD: n->event = p->event; break;
	default: return WIRE_INVALID_VALUE;
	}
	return WIRE_OK;
}

// in_exec is the node of an executable graph that was copied from n, null if there is none.
static struct node *in_exec(struct exec *e, const struct node *n) { return LIVE(e) ? graph_counterpart(e->graph, n) : NULL; }

EXPORT int API(NodeSetParams)(struct node *n, const struct node_params *p) { return failed(set_any(n, p)); }
EXPORT int API(ExecNodeSetParams)(struct exec *e, struct node *n, const struct node_params *p) { return failed(set_any(in_exec(e, n), p)); }

EXPORT int API(NodeGetParams)(struct node *n, struct node_params *p) {
	if (n == NULL || p == NULL)
		return failed(WIRE_INVALID_VALUE);
	*p = (struct node_params){.kind = n->kind};
	switch (n->kind) {
	case NODE_KERNEL: p->kernel = kernel_described(n); break;
	case NODE_MEMCPY: p->memcpy.copy = n->copy; break;
	case NODE_MEMSET: p->set = n->set; break;
	case NODE_HOST: p->host = n->host; break;
	case NODE_GRAPH: p->child.graph = n->child; break;
	case NODE_WAIT: case NODE_RECORD: p->event = n->event; break;
	case NODE_ALLOC: p->alloc = alloc_described(n->memory); break;
	case NODE_FREE: p->freed = held_address(n->memory); break;
	case NODE_CONDITIONAL:
		p->conditional = (struct conditional_params){held_address(n->memory), n->condition->type, n->condition->size, n->condition->bodies, NULL};
		break;
	case NODE_EMPTY: break;
	}
	return WIRE_OK;
}

// PARAMS defines the functions that read and change what a node of one kind does, EXEC_PARAMS that which changes it in an executable
// graph: more are its parameters behind the others.
#define PARAMS(name, node_kind, type, value, set)                  \
	EXPORT int API(name##GetParams)(struct node *n, type *p) {     \
		if (n == NULL || n->kind != node_kind)                     \
			return failed(WIRE_INVALID_VALUE);                     \
		*p = value;                                                \
		return WIRE_OK;                                            \
	}                                                              \
	EXPORT int API(name##SetParams)(struct node *n, const type *p) { \
		if (n == NULL || n->kind != node_kind)                     \
			return failed(WIRE_INVALID_VALUE);                     \
		return failed(set);                                        \
	}
#define EXEC_PARAMS(name, type, more) \
	EXPORT int API(Exec##name)(struct exec *e, struct node *n, const type *p MORE more) { return API(name)(in_exec(e, n), p); }
PARAMS(MemcpyNode, NODE_MEMCPY, struct copy3d, n->copy, (n->copy = *p, WIRE_OK))
PARAMS(MemsetNode, NODE_MEMSET, struct memset_node, n->set, (n->set = *p, WIRE_OK))
PARAMS(HostNode, NODE_HOST, struct host_node, n->host, (n->host = *p, WIRE_OK))
EXEC_PARAMS(HostNodeSetParams, struct host_node, ())

EXPORT int API(ExecChildGraphNodeSetParams)(struct exec *e, struct node *n, struct graph *g) {
	struct node *own = in_exec(e, n);
	return failed(own == NULL || own->kind != NODE_GRAPH ? WIRE_INVALID_VALUE : set_child(own, g));
}

EXPORT int API(ChildGraphNodeGetGraph)(struct node *n, struct graph **g) {
	*g = n->child;
	return failed(n->child == NULL ? WIRE_INVALID_VALUE : WIRE_OK);
}

#endif

// What the nodes of graphs of the runtime API do: nodes of all kinds are added, and their parameters read and changed.
#include "attribute_hints.h"
#include "cudart_graph_node.h"

static cudaError_t record_empty(struct graph *g) { return graph_add(g, NODE_EMPTY) == NULL ? cudaErrorMemoryAllocation : cudaSuccess; }

EXPORT cudaError_t cudaGraphAddKernelNode(struct node **out, struct graph *g, struct node *const *deps, size_t n, const struct kernel_params *p) {
	return added(out, g, deps, NULL, n, record_launch(g, p, 0));
}

EXPORT cudaError_t cudaGraphAddMemcpyNode(struct node **out, struct graph *g, struct node *const *deps, size_t n, const struct copy3d *c) {
	return added(out, g, deps, NULL, n, record_copy(g, c));
}

EXPORT cudaError_t cudaGraphAddMemcpyNode1D(struct node **out, struct graph *g, struct node *const *deps, size_t n, void *to, const void *from, size_t size, int kind) {
	struct copy3d c = copy1d(to, from, size, kind);
	return added(out, g, deps, NULL, n, record_copy(g, &c));
}

EXPORT cudaError_t cudaGraphAddMemsetNode(struct node **out, struct graph *g, struct node *const *deps, size_t n, const struct memset_params *p) {
	return added(out, g, deps, NULL, n, record_set(g, p));
}

EXPORT cudaError_t cudaGraphAddHostNode(struct node **out, struct graph *g, struct node *const *deps, size_t n, const struct host_params *p) {
	return added(out, g, deps, NULL, n, record_host(g, p->function, p->data));
}

EXPORT cudaError_t cudaGraphAddEmptyNode(struct node **out, struct graph *g, struct node *const *deps, size_t n) {
	return added(out, g, deps, NULL, n, record_empty(g));
}

EXPORT cudaError_t cudaGraphAddChildGraphNode(struct node **out, struct graph *g, struct node *const *deps, size_t n, struct graph *child) {
	return added(out, g, deps, NULL, n, record_graph(g, child));
}

EXPORT cudaError_t cudaGraphAddEventRecordNode(struct node **out, struct graph *g, struct node *const *deps, size_t n, cudaEvent_t e) {
	return added(out, g, deps, NULL, n, record_event(g, NODE_RECORD, e));
}

EXPORT cudaError_t cudaGraphAddEventWaitNode(struct node **out, struct graph *g, struct node *const *deps, size_t n, cudaEvent_t e) {
	return added(out, g, deps, NULL, n, record_event(g, NODE_WAIT, e));
}

// symbol1d describes a copy to or from a variable.
static cudaError_t symbol1d(struct copy3d *c, const void *symbol, size_t offset, void *other, size_t size, int kind, int to_symbol) {
	uint64_t address, room;
	cudaError_t error = variable_of(symbol, &address, &room);
	if (error == cudaSuccess && (offset > room || size > room - offset))
		error = cudaErrorInvalidValue;
	char *variable = (char *)address + offset;
	if (error == cudaSuccess)
		*c = to_symbol ? copy1d(variable, other, size, kind) : copy1d(other, variable, size, kind);
	return error;
}

EXPORT cudaError_t cudaGraphAddMemcpyNodeToSymbol(struct node **out, struct graph *g, struct node *const *deps, size_t n, const void *symbol, const void *from, size_t size, size_t offset, int kind) {
	struct copy3d c;
	cudaError_t error = symbol1d(&c, symbol, offset, (void *)from, size, kind, 1);
	return added(out, g, deps, NULL, n, error == cudaSuccess ? record_copy(g, &c) : error);
}

EXPORT cudaError_t cudaGraphAddMemcpyNodeFromSymbol(struct node **out, struct graph *g, struct node *const *deps, size_t n, void *to, const void *symbol, size_t size, size_t offset, int kind) {
	struct copy3d c;
	cudaError_t error = symbol1d(&c, symbol, offset, to, size, kind, 0);
	return added(out, g, deps, NULL, n, error == cudaSuccess ? record_copy(g, &c) : error);
}

// cudaGraphNodeParams. The contexts, which some parameters end with, are not used.
struct node_params {
	int kind, reserved[3];
	union {
		struct kernel_params kernel;
		struct {
			int flags, reserved;
			void *context; // until CUDA 12, reserved goes on here
			struct copy3d copy;
		} memcpy;
		struct memset_params set;
		struct host_params host;
		struct {
			struct graph *graph;
			int ownership;
		} child;
		struct event *event;
		struct alloc_params alloc;
		void *freed;
		char bytes[232];
	};
	long long more;
};
_Static_assert(sizeof(struct node_params) == 256, "of CUDA's size");

// record_child adds a child graph as a node: a copy of it, or with cudaGraphChildGraphOwnershipMove the graph itself.
static cudaError_t record_child(struct graph *g, struct graph *child, int ownership) {
	enum { MOVED = 1 };
	if (ownership != MOVED)
		return record_graph(g, child);
	struct node *n = graph_add(g, NODE_GRAPH);
	if (n != NULL)
		n->child = child;
	return n == NULL ? cudaErrorMemoryAllocation : cudaSuccess;
}

// record_any adds a node of any kind.
static cudaError_t record_any(struct graph *g, struct node_params *p) {
	switch (p->kind) {
	case NODE_KERNEL: return record_launch(g, &p->kernel, 0);
	case NODE_MEMCPY: return record_copy(g, &p->memcpy.copy);
	case NODE_MEMSET: return record_set(g, &p->set);
	case NODE_HOST: return record_host(g, p->host.function, p->host.data);
	case NODE_GRAPH: return record_child(g, p->child.graph, p->child.ownership);
	case NODE_EMPTY: return record_empty(g);
	case NODE_WAIT: case NODE_RECORD: return record_event(g, p->kind, p->event);
	case NODE_ALLOC: return record_alloc(g, wire_pool_default(), p->alloc.size, &p->alloc.address);
	case NODE_FREE: return record_free(g, (uint64_t)p->freed);
	}
	return wire_missing(LIBRARY, "cudaGraphAddNode of a node that is conditional, of semaphores or of batches");
}

EXPORT cudaError_t cudaGraphAddNode_v2(struct node **out, struct graph *g, struct node *const *deps, const struct edge *data, size_t n, struct node_params *p) {
	return added(out, g, deps, data, n, p == NULL ? cudaErrorInvalidValue : record_any(g, p));
}

#if CUDA_MAJOR >= 13
SAME_AS(cudaGraphAddNode_v2) cudaError_t cudaGraphAddNode(struct node **, struct graph *, struct node *const *, const struct edge *, size_t, struct node_params *);
#else
EXPORT cudaError_t cudaGraphAddNode(struct node **out, struct graph *g, struct node *const *deps, size_t n, struct node_params *p) {
	return cudaGraphAddNode_v2(out, g, deps, NULL, n, p);
}
#endif

// set_child puts a copy of a graph in place of that of a node.
static cudaError_t set_child(struct node *n, const struct graph *g) {
	struct graph *copy;
	cudaError_t error = copy_graph(&copy, g);
	if (error == cudaSuccess)
		free_graph(n->child), n->child = copy;
	return error;
}

// set_any changes what a node does. Its kind stays, and memory that it allocates or frees.
static cudaError_t set_any(struct node *n, const struct node_params *p) {
	if (n == NULL || p == NULL || p->kind != (int)n->kind)
		return cudaErrorInvalidValue;
	switch (n->kind) {
	case NODE_KERNEL: return set_kernel(n, &p->kernel, n->cooperative);
	case NODE_MEMCPY: n->copy = p->memcpy.copy; break;
	case NODE_MEMSET: n->set = p->set; break;
	case NODE_HOST: n->host = p->host; break;
	case NODE_GRAPH: return set_child(n, p->child.graph);
	case NODE_WAIT: case NODE_RECORD: n->event = p->event; break;
	default: return cudaErrorInvalidValue;
	}
	return cudaSuccess;
}

// in_exec is the node of an executable graph that was copied from n, null if there is none.
static struct node *in_exec(struct exec *e, const struct node *n) { return LIVE(e) ? graph_counterpart(e->graph, n) : NULL; }

EXPORT cudaError_t cudaGraphNodeSetParams(struct node *n, const struct node_params *p) { return failed(set_any(n, p)); }
EXPORT cudaError_t cudaGraphExecNodeSetParams(struct exec *e, struct node *n, const struct node_params *p) { return failed(set_any(in_exec(e, n), p)); }

EXPORT cudaError_t cudaGraphNodeGetParams(struct node *n, struct node_params *p) {
	if (n == NULL || p == NULL)
		return failed(cudaErrorInvalidValue);
	*p = (struct node_params){.kind = n->kind};
	switch (n->kind) {
	case NODE_KERNEL: p->kernel = n->kernel; break;
	case NODE_MEMCPY: p->memcpy.copy = n->copy; break;
	case NODE_MEMSET: p->set = n->set; break;
	case NODE_HOST: p->host = n->host; break;
	case NODE_GRAPH: p->child.graph = n->child; break;
	case NODE_WAIT: case NODE_RECORD: p->event = n->event; break;
	case NODE_ALLOC: p->alloc = alloc_described(n->memory); break;
	case NODE_FREE: p->freed = (void *)held_address(n->memory); break;
	case NODE_EMPTY: break;
	}
	return cudaSuccess;
}

// PARAMS defines the functions that read and change what a node does, also in an executable graph.
#define PARAMS(name, node_kind, type, field, set)                                                            \
	EXPORT cudaError_t cudaGraph##name##NodeGetParams(struct node *n, type *p) {                             \
		if (n == NULL || n->kind != node_kind)                                                               \
			return failed(cudaErrorInvalidValue);                                                            \
		*p = n->field;                                                                                       \
		return cudaSuccess;                                                                                  \
	}                                                                                                        \
	EXPORT cudaError_t cudaGraph##name##NodeSetParams(struct node *n, const type *p) {                       \
		if (n == NULL || n->kind != node_kind)                                                               \
			return failed(cudaErrorInvalidValue);                                                            \
		return failed(set);                                                                                  \
	}                                                                                                        \
	EXPORT cudaError_t cudaGraphExec##name##NodeSetParams(struct exec *e, struct node *n, const type *p) {   \
		return cudaGraph##name##NodeSetParams(in_exec(e, n), p);                                             \
	}
PARAMS(Kernel, NODE_KERNEL, struct kernel_params, kernel, set_kernel(n, p, n->cooperative))
PARAMS(Memcpy, NODE_MEMCPY, struct copy3d, copy, (n->copy = *p, cudaSuccess))
PARAMS(Memset, NODE_MEMSET, struct memset_params, set, (n->set = *p, cudaSuccess))
PARAMS(Host, NODE_HOST, struct host_params, host, (n->host = *p, cudaSuccess))

EXPORT cudaError_t cudaGraphMemcpyNodeSetParams1D(struct node *n, void *to, const void *from, size_t size, int kind) {
	struct copy3d c = copy1d(to, from, size, kind);
	return cudaGraphMemcpyNodeSetParams(n, &c);
}

EXPORT cudaError_t cudaGraphExecMemcpyNodeSetParams1D(struct exec *e, struct node *n, void *to, const void *from, size_t size, int kind) {
	return cudaGraphMemcpyNodeSetParams1D(in_exec(e, n), to, from, size, kind);
}

EXPORT cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(struct node *n, const void *symbol, const void *from, size_t size, size_t offset, int kind) {
	struct copy3d c;
	cudaError_t error = symbol1d(&c, symbol, offset, (void *)from, size, kind, 1);
	return error == cudaSuccess ? cudaGraphMemcpyNodeSetParams(n, &c) : failed(error);
}

EXPORT cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(struct node *n, void *to, const void *symbol, size_t size, size_t offset, int kind) {
	struct copy3d c;
	cudaError_t error = symbol1d(&c, symbol, offset, to, size, kind, 0);
	return error == cudaSuccess ? cudaGraphMemcpyNodeSetParams(n, &c) : failed(error);
}

EXPORT cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(struct exec *e, struct node *n, const void *symbol, const void *from, size_t size, size_t offset, int kind) {
	return cudaGraphMemcpyNodeSetParamsToSymbol(in_exec(e, n), symbol, from, size, offset, kind);
}

EXPORT cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(struct exec *e, struct node *n, void *to, const void *symbol, size_t size, size_t offset, int kind) {
	return cudaGraphMemcpyNodeSetParamsFromSymbol(in_exec(e, n), to, symbol, size, offset, kind);
}

EXPORT cudaError_t cudaGraphExecChildGraphNodeSetParams(struct exec *e, struct node *n, struct graph *g) {
	struct node *own = in_exec(e, n);
	return failed(own == NULL || own->kind != NODE_GRAPH ? cudaErrorInvalidValue : set_child(own, g));
}

EXPORT cudaError_t cudaGraphChildGraphNodeGetGraph(struct node *n, struct graph **g) {
	*g = n->child;
	return failed(n->child == NULL ? cudaErrorInvalidValue : cudaSuccess);
}

EXPORT cudaError_t cudaGraphKernelNodeGetAttribute(struct node *n, int what, void *value) {
	enum { COOPERATIVE = 2 };
	cudaError_t error = no_attribute(value);
	if (error == cudaSuccess && what == COOPERATIVE)
		*(int *)value = n->cooperative;
	return failed(error);
}

EXPORT cudaError_t cudaGraphKernelNodeSetAttribute(struct node *n, int what, const void *value) {
	enum { COOPERATIVE = 2 };
	if (what == COOPERATIVE && value != NULL && n->kind == NODE_KERNEL) {
		n->cooperative = *(const int *)value;
		return cudaSuccess;
	}
	return failed(attribute_hint(what, value, LIBRARY, "cudaGraphKernelNodeSetAttribute"));
}

EXPORT cudaError_t cudaGraphKernelNodeCopyAttributes(struct node *to, struct node *from) {
	to->cooperative = from->cooperative;
	return cudaSuccess;
}

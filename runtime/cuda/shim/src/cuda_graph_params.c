// What the nodes of graphs of the driver API do: nodes of all kinds are added, and their parameters read and changed.
#include "attribute_hints.h"
#include "cuda_graph_node.h"

// CUgraphNodeParams. The contexts, which some parameters end with, are not used.
struct node_params {
	int kind, reserved[3];
	union {
		struct kernel_node_v2 kernel;
		struct {
			int flags, reserved;
			CUcontext context;
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
		CUdeviceptr freed;
		char bytes[232];
	};
	long long more;
};
_Static_assert(sizeof(struct node_params) == 256, "of CUDA's size");

static CUresult record_graph(struct graph *g, const struct graph *child) {
	struct node *n = graph_add(g, NODE_GRAPH);
	return n == NULL ? CUDA_ERROR_OUT_OF_MEMORY : copy_graph(&n->child, child);
}

static CUresult record_empty(struct graph *g) { return graph_add(g, NODE_EMPTY) == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS; }

// ADD defines a function that adds a node of one kind: more are its parameters after the dependencies.
#define ADD(name, more, record)                                                                                  \
	EXPORT CUresult name(struct node **out, struct graph *g, struct node *const *deps, size_t ndeps MORE more) { \
		return added(out, g, deps, NULL, ndeps, record);                                                         \
	}
#define MORE(...) , ##__VA_ARGS__

ADD(cuGraphAddKernelNode, (const struct kernel_node *p), record_kernel(g, p))
ADD(cuGraphAddMemcpyNode, (const struct copy3d *p, CUcontext c), ((void)c, record_copy(g, p)))
ADD(cuGraphAddMemsetNode, (const struct memset_node *p, CUcontext c), ((void)c, record_fill(g, p)))
ADD(cuGraphAddHostNode, (const struct host_node *p), record_host(g, p->function, p->data))
ADD(cuGraphAddEmptyNode, (), record_empty(g))
ADD(cuGraphAddChildGraphNode, (struct graph *child), record_graph(g, child))
ADD(cuGraphAddEventRecordNode, (struct event *e), !LIVE(e) ? CUDA_ERROR_INVALID_HANDLE : record_event(g, NODE_RECORD, e))
ADD(cuGraphAddEventWaitNode, (struct event *e), !LIVE(e) ? CUDA_ERROR_INVALID_HANDLE : record_event(g, NODE_WAIT, e))

// v1_of is the description of a kernel, which may be one of a library.
static struct kernel_node v1_of(const struct kernel_node_v2 *p) {
	struct kernel_node v1 = p->v1;
	if (v1.function == NULL)
		v1.function = p->kernel;
	return v1;
}

EXPORT CUresult cuGraphAddKernelNode_v2(struct node **out, struct graph *g, struct node *const *deps, size_t n, const struct kernel_node_v2 *p) {
	struct kernel_node v1 = v1_of(p);
	return cuGraphAddKernelNode(out, g, deps, n, &v1);
}

// record_child adds a child graph as a node: a copy of it, or with cudaGraphChildGraphOwnershipMove the graph itself.
static CUresult record_child(struct graph *g, struct graph *child, int ownership) {
	enum { MOVED = 1 };
	if (ownership != MOVED)
		return record_graph(g, child);
	struct node *n = graph_add(g, NODE_GRAPH);
	if (n != NULL)
		n->child = child;
	return n == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

// record_any adds a node of any kind.
static CUresult record_any(struct graph *g, struct node_params *p) {
	struct kernel_node v1;
	switch (p->kind) {
	case NODE_KERNEL: v1 = v1_of(&p->kernel); return record_kernel(g, &v1);
	case NODE_MEMCPY: return record_copy(g, &p->memcpy.copy);
	case NODE_MEMSET: return record_fill(g, &p->set);
	case NODE_HOST: return record_host(g, p->host.function, p->host.data);
	case NODE_GRAPH: return record_child(g, p->child.graph, p->child.ownership);
	case NODE_EMPTY: return record_empty(g);
	case NODE_WAIT: case NODE_RECORD: return !LIVE(p->event) ? CUDA_ERROR_INVALID_HANDLE : record_event(g, p->kind, p->event);
	case NODE_ALLOC: return record_alloc(g, wire_pool_default(), p->alloc.size, &p->alloc.address);
	case NODE_FREE: return record_free(g, p->freed);
	}
	return wire_missing(LIBRARY, "cuGraphAddNode of a node that is conditional, of semaphores or of batches");
}

EXPORT CUresult cuGraphAddNode_v2(struct node **out, struct graph *g, struct node *const *deps, const struct edge *data, size_t n, struct node_params *p) {
	return added(out, g, deps, data, n, p == NULL ? CUDA_ERROR_INVALID_VALUE : record_any(g, p));
}
SAME_AS(cuGraphAddNode_v2) CUresult cuGraphAddNode_v3(struct node **, struct graph *, struct node *const *, const struct edge *, size_t, struct node_params *);

EXPORT CUresult cuGraphAddNode(struct node **out, struct graph *g, struct node *const *deps, size_t n, struct node_params *p) {
	return cuGraphAddNode_v2(out, g, deps, NULL, n, p);
}

// set_child puts a copy of a graph in place of that of a node.
static CUresult set_child(struct node *n, const struct graph *g) {
	struct graph *copy;
	CUresult error = copy_graph(&copy, g);
	if (error == CUDA_SUCCESS)
		free_graph(n->child), n->child = copy;
	return error;
}

// set_any changes what a node does. Its kind stays, and memory that it allocates or frees.
static CUresult set_any(struct node *n, const struct node_params *p) {
	struct kernel_node v1;
	if (n == NULL || p == NULL || p->kind != (int)n->kind)
		return CUDA_ERROR_INVALID_VALUE;
	switch (n->kind) {
	case NODE_KERNEL: v1 = v1_of(&p->kernel); return set_kernel(n, &v1);
	case NODE_MEMCPY: n->copy = p->memcpy.copy; break;
	case NODE_MEMSET: n->set = p->set; break;
	case NODE_HOST: n->host = p->host; break;
	case NODE_GRAPH: return set_child(n, p->child.graph);
	case NODE_WAIT: case NODE_RECORD: n->event = p->event; break;
	default: return CUDA_ERROR_INVALID_VALUE;
	}
	return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphNodeSetParams_v2(struct node *n, const struct node_params *p) { return failed(set_any(n, p)); }
SAME_AS(cuGraphNodeSetParams_v2) CUresult cuGraphNodeSetParams(struct node *, const struct node_params *);

// in_exec is the node of an executable graph that was copied from n, null if there is none.
static struct node *in_exec(struct exec *e, const struct node *n) { return LIVE(e) ? graph_counterpart(e->graph, n) : NULL; }

EXPORT CUresult cuGraphExecNodeSetParams(struct exec *e, struct node *n, const struct node_params *p) { return failed(set_any(in_exec(e, n), p)); }

EXPORT CUresult cuGraphNodeGetParams(struct node *n, struct node_params *p) {
	if (n == NULL || p == NULL)
		return failed(CUDA_ERROR_INVALID_VALUE);
	*p = (struct node_params){.kind = n->kind};
	switch (n->kind) {
	case NODE_KERNEL: p->kernel.v1 = n->kernel; break;
	case NODE_MEMCPY: p->memcpy.copy = n->copy; break;
	case NODE_MEMSET: p->set = n->set; break;
	case NODE_HOST: p->host = n->host; break;
	case NODE_GRAPH: p->child.graph = n->child; break;
	case NODE_WAIT: case NODE_RECORD: p->event = n->event; break;
	case NODE_ALLOC: p->alloc = alloc_described(n->memory); break;
	case NODE_FREE: p->freed = held_address(n->memory); break;
	case NODE_EMPTY: break;
	}
	return CUDA_SUCCESS;
}

// PARAMS defines the functions that read and change what a node does, also in an executable graph.
#define PARAMS(name, type, field, set)                                            \
	EXPORT CUresult cuGraph##name##NodeGetParams(struct node *n, type *p) {       \
		*p = n->field;                                                            \
		return CUDA_SUCCESS;                                                      \
	}                                                                             \
	EXPORT CUresult cuGraph##name##NodeSetParams(struct node *n, const type *p) { \
		if (n == NULL)                                                            \
			return failed(CUDA_ERROR_INVALID_VALUE);                              \
		set;                                                                      \
		return CUDA_SUCCESS;                                                      \
	}
PARAMS(Kernel, struct kernel_node, kernel, return failed(set_kernel(n, p)))
PARAMS(Memcpy, struct copy3d, copy, n->copy = *p)
PARAMS(Memset, struct memset_node, set, n->set = *p)
PARAMS(Host, struct host_node, host, n->host = *p)

EXPORT CUresult cuGraphKernelNodeGetParams_v2(struct node *n, struct kernel_node_v2 *p) {
	*p = (struct kernel_node_v2){.v1 = n->kernel};
	return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphKernelNodeSetParams_v2(struct node *n, const struct kernel_node_v2 *p) {
	struct kernel_node v1 = v1_of(p);
	return cuGraphKernelNodeSetParams(n, &v1);
}

// EXEC_PARAMS changes what a node does in an executable graph.
#define EXEC_PARAMS(name, type) \
	EXPORT CUresult cuGraphExec##name(struct exec *e, struct node *n, const type *p) { return cuGraph##name(in_exec(e, n), p); }
EXEC_PARAMS(KernelNodeSetParams, struct kernel_node)
EXEC_PARAMS(KernelNodeSetParams_v2, struct kernel_node_v2)
EXEC_PARAMS(HostNodeSetParams, struct host_node)

#define CONTEXT_PARAMS(name, type)                                                                       \
	EXPORT CUresult cuGraphExec##name(struct exec *e, struct node *n, const type *p, CUcontext c) {      \
		(void)c;                                                                                         \
		return cuGraph##name(in_exec(e, n), p);                                                          \
	}
CONTEXT_PARAMS(MemcpyNodeSetParams, struct copy3d)
CONTEXT_PARAMS(MemsetNodeSetParams, struct memset_node)

EXPORT CUresult cuGraphExecChildGraphNodeSetParams(struct exec *e, struct node *n, struct graph *g) {
	struct node *own = in_exec(e, n);
	return failed(own == NULL || own->kind != NODE_GRAPH ? CUDA_ERROR_INVALID_VALUE : set_child(own, g));
}

EXPORT CUresult cuGraphChildGraphNodeGetGraph(struct node *n, struct graph **g) {
	*g = n->child;
	return failed(n->child == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

EXPORT CUresult cuGraphKernelNodeGetAttribute(struct node *n, int what, void *value) {
	(void)n, (void)what;
	return failed(no_attribute(value));
}

EXPORT CUresult cuGraphKernelNodeSetAttribute(struct node *n, int what, const void *value) {
	(void)n;
	return failed(attribute_hint(what, value, LIBRARY, "cuGraphKernelNodeSetAttribute"));
}

EXPORT CUresult cuGraphKernelNodeCopyAttributes(struct node *to, struct node *from) {
	(void)to, (void)from;
	return failed(wire_ready());
}

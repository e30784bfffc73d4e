// Graphs of the driver API: nodes with their dependencies. A launch of a graph executes them one after the other, in the
// order in which they were added where dependencies allow it.
#include "cuda_graph.h"
#include "graph_branches.h"

#include <stdlib.h>
#include <string.h>

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
	const struct node *from; // of which it is a copy
};

struct graph {
	struct node **nodes;
	size_t count, room;
	struct branches branches; // of an executable graph
};

struct exec {
	struct graph *graph;
	uint32_t epoch;
	struct launches launches;
};

static int is_kernel(const struct node *n) { return n->kind == NODE_KERNEL; }
static int is_host(const struct node *n) { return n->kind == NODE_HOST; }

static struct links *links_of(struct node *n) { return &n->links; }

static void free_graph(struct graph *g) {
	if (g != NULL)
		end_branches(&g->branches, g->nodes, g->count);
	for (size_t i = 0; g != NULL && i < g->count; i++) {
		struct node *n = g->nodes[i];
		free_graph(n->child);
		free_links(&n->links);
		free(n->params), free(n->pointers), free(n);
	}
	if (g != NULL)
		free(g->nodes);
	free(g);
}

static struct node *add(struct graph *g, enum node_kind kind, struct node *const *deps, const unsigned char *ports, size_t ndeps) {
	if (g->count == g->room) {
		struct node **more = realloc(g->nodes, (2 * g->room + 8) * sizeof *more);
		if (more == NULL)
			return NULL;
		g->nodes = more, g->room = 2 * g->room + 8;
	}
	struct node *n = calloc(1, sizeof *n);
	if (n == NULL)
		return NULL;
	if (!depend(n, deps, ports, ndeps)) {
		free_links(&n->links);
		free(n);
		return NULL;
	}
	n->kind = kind, n->links.place = g->count;
	return g->nodes[g->count++] = n;
}

// set_kernel copies the arguments of a kernel into its node.
static CUresult set_kernel(struct node *n, const struct kernel_node *p) {
	if (!LIVE(p->function))
		return CUDA_ERROR_INVALID_HANDLE;
	const struct wire_function *f = p->function->kernel;
	size_t size = f->nparams > 0 ? f->params[f->nparams - 1].offset + f->params[f->nparams - 1].size : 0;
	unsigned char *params = calloc(1, size + 1);
	void **pointers = calloc(f->nparams + 1, sizeof *pointers);
	if (params == NULL || pointers == NULL || (p->params == NULL && f->nparams > 0)) {
		free(params), free(pointers);
		return params != NULL && pointers != NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_OUT_OF_MEMORY;
	}
	for (uint32_t i = 0; i < f->nparams; i++) {
		pointers[i] = params + f->params[i].offset;
		memcpy(pointers[i], p->params[i], f->params[i].size);
	}
	free(n->params), free(n->pointers);
	n->kernel = *p, n->params = params, n->pointers = pointers;
	n->kernel.params = pointers, n->kernel.extra = NULL;
	return CUDA_SUCCESS;
}

static CUresult copy_graph(struct graph **to, const struct graph *from);

static struct node *counterpart(const struct graph *g, const struct node *of) {
	for (size_t i = 0; i < g->count; i++)
		if (g->nodes[i]->from == of)
			return g->nodes[i];
	return NULL;
}

// copy_node adds a copy of a node to a graph that has copies of its dependencies.
static CUresult copy_node(struct graph *g, struct node *from) {
	struct node *n = add(g, from->kind, from->links.deps, from->links.ports, from->links.ndeps);
	if (n == NULL)
		return CUDA_ERROR_OUT_OF_MEMORY;
	n->from = from, from->links.twin = n;
	for (size_t i = 0; i < n->links.ndeps; i++)
		n->links.deps[i] = n->links.deps[i]->links.twin;
	n->copy = from->copy, n->set = from->set, n->host = from->host;
	if (from->kind == NODE_KERNEL)
		return set_kernel(n, &from->kernel);
	return from->child != NULL ? copy_graph(&n->child, from->child) : CUDA_SUCCESS;
}

static CUresult copy_graph(struct graph **to, const struct graph *from) {
	CUresult error = (*to = calloc(1, sizeof **to)) == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
	if (error == CUDA_SUCCESS && !in_order(from->nodes, from->count))
		error = CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; error == CUDA_SUCCESS && i < from->count; i++)
		error = copy_node(*to, from->nodes[i]);
	return error == CUDA_SUCCESS && !host_last((*to)->nodes, (*to)->count) ? CUDA_ERROR_OUT_OF_MEMORY : error;
}

static CUresult execute(struct graph *g, uint32_t stream);

static CUresult launch_node(const struct kernel_node *k, void **params, int overlaps) {
	if (!LIVE(k->function))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult error = bind_texrefs();
	struct wire_launch l = {.function = k->function->kernel->id, .shared = k->shared, .overlaps = overlaps};
	memcpy(l.grid, k->grid, sizeof l.grid);
	memcpy(l.block, k->block, sizeof l.block);
	return error != CUDA_SUCCESS ? error : wire_launch(&l, k->function->kernel, params, NULL, 0);
}

static CUresult execute_node(struct node *n, uint32_t stream) {
	const struct memset_node *s = &n->set;
	CUresult error = CUDA_SUCCESS;
	switch (n->kind) {
	case NODE_KERNEL: return IN(stream, launch_node(&n->kernel, n->pointers, n->links.overlaps));
	case NODE_MEMCPY: return IN(stream, copy_box(&n->copy));
	case NODE_MEMSET: return IN(stream, wire_fill(s->to, s->pitch, s->element, s->value, s->width, s->height));
	case NODE_HOST:
		error = wire_order(ORDER_FUNCTION, stream, 0);
		wire_run_function(stream, n->host.function, n->host.data);
		return error;
	case NODE_GRAPH: return execute(n->child, stream);
	case NODE_EMPTY: break;
	}
	return error;
}

static CUresult execute(struct graph *g, uint32_t stream) { return in_branches(&g->branches, g->nodes, g->count, stream, execute_node); }

EXPORT CUresult cuGraphCreate(struct graph **g, unsigned flags) {
	(void)flags;
	*g = calloc(1, sizeof **g);
	return failed(*g == NULL ? CUDA_ERROR_OUT_OF_MEMORY : wire_ready());
}

EXPORT CUresult cuGraphDestroy(struct graph *g) {
	free_graph(g);
	return failed(g == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

EXPORT CUresult cuGraphClone(struct graph **to, struct graph *from) { return failed(copy_graph(to, from)); }

EXPORT CUresult cuGraphNodeFindInClone(struct node **out, struct node *n, struct graph *g) {
	*out = counterpart(g, n);
	return failed(*out == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

// ADD defines a function that adds a node: more are its parameters after the dependencies, and set fills the node n.
#define ADD(name, node_kind, more, set)                                                                                   \
	EXPORT CUresult name(struct node **out, struct graph *g, struct node *const *deps, size_t ndeps MORE more) {          \
		if (!belong(deps, ndeps, g->nodes, g->count))                                                                     \
			return failed(CUDA_ERROR_INVALID_VALUE);                                                                      \
		struct node *n = add(g, node_kind, deps, NULL, ndeps);                                                            \
		if (n == NULL)                                                                                                    \
			return failed(CUDA_ERROR_OUT_OF_MEMORY);                                                                      \
		*out = n;                                                                                                         \
		set;                                                                                                              \
		return CUDA_SUCCESS;                                                                                              \
	}
#define MORE(...) , ##__VA_ARGS__

ADD(cuGraphAddKernelNode, NODE_KERNEL, (const struct kernel_node *p), return failed(set_kernel(n, p)))
ADD(cuGraphAddMemcpyNode, NODE_MEMCPY, (const struct copy3d *p, CUcontext c), ((void)c, n->copy = *p))
ADD(cuGraphAddMemsetNode, NODE_MEMSET, (const struct memset_node *p, CUcontext c), ((void)c, n->set = *p))
ADD(cuGraphAddHostNode, NODE_HOST, (const struct host_node *p), n->host = *p)
ADD(cuGraphAddEmptyNode, NODE_EMPTY, (), (void)n)
ADD(cuGraphAddChildGraphNode, NODE_GRAPH, (struct graph *child), return failed(copy_graph(&n->child, child)))
// Its parameters go on with a kernel of a library and a context.
SAME_AS(cuGraphAddKernelNode) CUresult cuGraphAddKernelNode_v2(struct node **, struct graph *, struct node *const *, size_t, const struct kernel_node *);

EXPORT CUresult cuGraphAddDependencies_v2(struct graph *g, struct node *const *from, struct node *const *to, const struct edge *data, size_t n) {
	if (!belong(from, n, g->nodes, g->count) || !belong(to, n, g->nodes, g->count))
		return failed(CUDA_ERROR_INVALID_VALUE);
	return failed(depend_each(from, to, data, n) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY);
}

EXPORT CUresult cuGraphAddDependencies(struct graph *g, struct node *const *from, struct node *const *to, size_t n) {
	return cuGraphAddDependencies_v2(g, from, to, NULL, n);
}

CUresult captured_launch(CUstream s, CUresult error, int overlaps) {
	if (error != CUDA_SUCCESS)
		return error;
	struct graph *g = recording(s);
	struct node *last = g->nodes[g->count - 1];
	return follows(last, tail_of(s), overlaps) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult captured(CUstream s, CUresult error) { return captured_launch(s, error, 0); }

CUresult record_kernel(struct graph *g, const struct kernel_node *p) {
	struct node *n = add(g, NODE_KERNEL, NULL, NULL, 0);
	return n == NULL ? CUDA_ERROR_OUT_OF_MEMORY : set_kernel(n, p);
}

CUresult record_copy(struct graph *g, const struct copy3d *p) {
	struct node *n = add(g, NODE_MEMCPY, NULL, NULL, 0);
	if (n != NULL)
		n->copy = *p;
	return n == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

CUresult record_bytes(struct graph *g, CUdeviceptr to, CUdeviceptr from, size_t size) {
	enum { UNIFIED = 4 };
	struct copy3d p = {.from = {.type = UNIFIED, .device = from}, .to = {.type = UNIFIED, .device = to}, .width = size, .height = 1, .depth = 1};
	return record_copy(g, &p);
}

CUresult record_fill(struct graph *g, const struct memset_node *p) {
	struct node *n = add(g, NODE_MEMSET, NULL, NULL, 0);
	if (n != NULL)
		n->set = *p;
	return n == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

CUresult record_host(struct graph *g, void (*function)(void *), void *data) {
	struct node *n = add(g, NODE_HOST, NULL, NULL, 0);
	if (n != NULL)
		n->host = (struct host_node){function, data};
	return n == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
}

EXPORT CUresult cuGraphGetNodes(struct graph *g, struct node **nodes, size_t *count) {
	if (nodes != NULL)
		memcpy(nodes, g->nodes, (*count < g->count ? *count : g->count) * sizeof *nodes);
	*count = g->count;
	return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphGetEdges(struct graph *g, struct node **from, struct node **to, size_t *count) {
	size_t n = 0;
	if (from != NULL && *count == 0) // as NVIDIA's driver does
		return failed(CUDA_ERROR_INVALID_VALUE);
	for (size_t i = 0; i < g->count; i++)
		for (size_t k = 0; k < g->nodes[i]->links.ndeps; k++, n++)
			if (from != NULL && to != NULL && n < *count)
				from[n] = g->nodes[i]->links.deps[k], to[n] = g->nodes[i];
	*count = n;
	return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphNodeGetType(struct node *n, int *kind) {
	*kind = n->kind;
	return CUDA_SUCCESS;
}

// PARAMS defines the functions that read and change what a node does.
#define PARAMS(name, type, field, set)                                            \
	EXPORT CUresult cuGraph##name##NodeGetParams(struct node *n, type *p) {       \
		*p = n->field;                                                            \
		return CUDA_SUCCESS;                                                      \
	}                                                                             \
	EXPORT CUresult cuGraph##name##NodeSetParams(struct node *n, const type *p) { \
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

EXPORT CUresult cuGraphKernelNodeSetParams_v2(struct node *n, const struct kernel_node_v2 *p) { return failed(set_kernel(n, &p->v1)); }

EXPORT CUresult cuGraphKernelNodeGetAttribute(struct node *n, int what, void *value) {
	(void)n, (void)what;
	enum { VALUE = 64 };
	memset(value, 0, VALUE); // none is kept
	return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphChildGraphNodeGetGraph(struct node *n, struct graph **g) {
	*g = n->child;
	return failed(n->child == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

EXPORT CUresult cuGraphInstantiateWithFlags(struct exec **e, struct graph *g, unsigned long long flags) {
	(void)flags;
	if ((*e = calloc(1, sizeof **e)) == NULL)
		return failed(CUDA_ERROR_OUT_OF_MEMORY);
	(*e)->epoch = wire_epoch();
	return failed(copy_graph(&(*e)->graph, g));
}

// Before CUDA 12 with a node and a log for errors.
EXPORT CUresult cuGraphInstantiate(struct exec **e, struct graph *g, struct node **wrong, char *log, size_t size) {
	(void)wrong, (void)log, (void)size;
	return cuGraphInstantiateWithFlags(e, g, 0);
}
VERSION2(cuGraphInstantiate, (struct exec **, struct graph *, struct node **, char *, size_t))

EXPORT CUresult cuGraphExecDestroy(struct exec *e) {
	if (!LIVE(e))
		return failed(CUDA_ERROR_INVALID_HANDLE);
	free_graph(e->graph);
	wire_order(ORDER_END_EVENT, 0, e->launches.event);
	free(e);
	return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphLaunch(struct exec *e, CUstream s) {
	uint32_t stream = stream_id(s);
	struct graph *g = recording(s);
	if (!LIVE(e) || stream == WIRE_NO_STREAM)
		return failed(CUDA_ERROR_INVALID_HANDLE);
	if (g != NULL) {
		struct node *n = add(g, NODE_GRAPH, NULL, NULL, 0);
		return failed(captured(s, n == NULL ? CUDA_ERROR_OUT_OF_MEMORY : copy_graph(&n->child, e->graph)));
	}
	begin_launch(&e->launches, stream);
	CUresult error = execute(e->graph, stream);
	end_launch(&e->launches, stream);
	return failed(error);
}
PTSZ(cuGraphLaunch, (struct exec *, CUstream))

EXPORT CUresult cuGraphUpload(struct exec *e, CUstream s) {
	(void)s;
	return failed(LIVE(e) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}
PTSZ(cuGraphUpload, (struct exec *, CUstream))

// EXEC_PARAMS changes what a node does in an executable graph.
#define EXEC_PARAMS(name, set_name, params, args)                             \
	EXPORT CUresult name(struct exec *e, struct node *n, params) {            \
		struct node *own = LIVE(e) ? counterpart(e->graph, n) : NULL;         \
		return own == NULL ? failed(CUDA_ERROR_INVALID_VALUE) : set_name(own, args); \
	}
EXEC_PARAMS(cuGraphExecKernelNodeSetParams, cuGraphKernelNodeSetParams, const struct kernel_node *p, p)
EXEC_PARAMS(cuGraphExecKernelNodeSetParams_v2, cuGraphKernelNodeSetParams_v2, const struct kernel_node_v2 *p, p)
EXEC_PARAMS(cuGraphExecHostNodeSetParams, cuGraphHostNodeSetParams, const struct host_node *p, p)

#define CONTEXT_PARAMS(name, set_name, type)                                                   \
	EXPORT CUresult name(struct exec *e, struct node *n, const type *p, CUcontext c) {         \
		(void)c;                                                                               \
		struct node *own = LIVE(e) ? counterpart(e->graph, n) : NULL;                          \
		return own == NULL ? failed(CUDA_ERROR_INVALID_VALUE) : set_name(own, p);              \
	}
CONTEXT_PARAMS(cuGraphExecMemcpyNodeSetParams, cuGraphMemcpyNodeSetParams, struct copy3d)
CONTEXT_PARAMS(cuGraphExecMemsetNodeSetParams, cuGraphMemsetNodeSetParams, struct memset_node)

// An update takes the nodes of another graph of the same shape.
EXPORT CUresult cuGraphExecUpdate_v2(struct exec *e, struct graph *g, void *info) {
	(void)info;
	struct graph *copy;
	CUresult error = LIVE(e) ? copy_graph(&copy, g) : CUDA_ERROR_INVALID_HANDLE;
	if (error != CUDA_SUCCESS)
		return failed(error);
	free_graph(e->graph);
	e->graph = copy;
	return CUDA_SUCCESS;
}

EXPORT CUresult cuGraphExecUpdate(struct exec *e, struct graph *g, struct node **wrong, int *result) {
	(void)wrong;
	*result = 0;
	return cuGraphExecUpdate_v2(e, g, NULL);
}

// Graphs: nodes with their dependencies. A launch of a graph executes them one after the other, in the order in which they
// were added where dependencies allow it.
#include "cudart_graph.h"
#include "graph_branches.h"

#include <stdlib.h>
#include <string.h>

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
	struct memset_params set;
	struct host_params host;
	struct graph *child;
	struct held *memory;
};

struct graph {
	struct node **nodes;
	size_t count, room;
	struct branches branches; // of an executable graph
};

static int is_kernel(const struct node *n) { return n->kind == NODE_KERNEL; }
static int is_host(const struct node *n) { return n->kind == NODE_HOST; }

static struct links *links_of(struct node *n) { return &n->links; }

static struct graph *new_graph(void) { return calloc(1, sizeof(struct graph)); }

static void free_node(struct node *n);

static void free_graph(struct graph *g) {
	end_branches(&g->branches, g->nodes, g->count);
	for (size_t i = 0; i < g->count; i++)
		free_node(g->nodes[i]);
	free(g->nodes);
	free(g);
}

static void free_node(struct node *n) {
	free(n->params);
	free(n->pointers);
	free_links(&n->links);
	if (n->child != NULL)
		free_graph(n->child);
	if (n->memory != NULL)
		held_drop(n->memory);
	free(n);
}

static struct node *add(struct graph *g, enum node_kind kind) {
	if (g->count == g->room) {
		size_t room = 2 * g->room + 8;
		struct node **more = realloc(g->nodes, room * sizeof *more);
		if (more == NULL)
			return NULL;
		g->nodes = more, g->room = room;
	}
	struct node *n = calloc(1, sizeof *n);
	if (n != NULL)
		n->kind = kind, n->links.place = g->count, g->nodes[g->count++] = n;
	return n;
}

// set_kernel copies the arguments of a kernel into its node.
static cudaError_t set_kernel(struct node *n, const struct kernel_params *p, int cooperative) {
	cudaError_t error;
	const struct wire_function *f = kernel_of(p->function, &error);
	if (f == NULL)
		return error;
	size_t size = f->nparams > 0 ? f->params[f->nparams - 1].offset + f->params[f->nparams - 1].size : 0;
	unsigned char *params = calloc(1, size + 1);
	void **pointers = calloc(f->nparams + 1, sizeof *pointers);
	if (params == NULL || pointers == NULL)
		return cudaErrorMemoryAllocation;
	for (uint32_t i = 0; i < f->nparams; i++) {
		pointers[i] = params + f->params[i].offset;
		if (p->params != NULL)
			memcpy(pointers[i], p->params[i], f->params[i].size);
	}
	free(n->params);
	free(n->pointers);
	n->function = f, n->kernel = *p, n->cooperative = cooperative;
	n->params = params, n->pointers = pointers, n->params_size = size;
	n->kernel.params = pointers, n->kernel.extra = NULL;
	return cudaSuccess;
}

static cudaError_t copy_graph(struct graph **to, const struct graph *from);

// copy_node adds a copy of a node to a graph that has copies of its dependencies.
static cudaError_t copy_node(struct graph *g, struct node *from) {
	struct node *n = add(g, from->kind);
	if (n == NULL || !depend(n, from->links.deps, from->links.ports, from->links.ndeps))
		return cudaErrorMemoryAllocation;
	n->from = from, from->links.twin = n;
	for (size_t i = 0; i < n->links.ndeps; i++)
		n->links.deps[i] = n->links.deps[i]->links.twin;
	n->copy = from->copy, n->set = from->set, n->host = from->host;
	if (from->kind == NODE_KERNEL)
		return set_kernel(n, &from->kernel, from->cooperative);
	if (from->memory != NULL)
		held_take(n->memory = from->memory);
	return from->child != NULL ? copy_graph(&n->child, from->child) : cudaSuccess;
}

static cudaError_t copy_graph(struct graph **to, const struct graph *from) {
	cudaError_t error = cudaSuccess;
	*to = new_graph();
	if (*to == NULL)
		return cudaErrorMemoryAllocation;
	if (!in_order(from->nodes, from->count))
		return cudaErrorInvalidValue;
	for (size_t i = 0; i < from->count && error == cudaSuccess; i++)
		error = copy_node(*to, from->nodes[i]);
	return error == cudaSuccess && !host_last((*to)->nodes, (*to)->count) ? cudaErrorMemoryAllocation : error;
}

static cudaError_t execute(struct graph *g, uint32_t stream);

static cudaError_t execute_node(struct node *n, uint32_t stream) {
	cudaError_t error = cudaSuccess;
	switch (n->kind) {
	case NODE_KERNEL:
		return IN(stream, launch_packed(n->function, &n->kernel, n->cooperative, n->links.overlaps, n->params, n->params_size));
	case NODE_MEMCPY:
		return IN(stream, copy3d(&n->copy));
	case NODE_MEMSET:
		return IN(stream, wire_fill((uint64_t)n->set.to, n->set.pitch, n->set.element, n->set.value, n->set.width, n->set.height));
	case NODE_HOST:
		error = wire_order(ORDER_FUNCTION, stream, 0);
		wire_run_function(stream, n->host.function, n->host.data);
		return error;
	case NODE_GRAPH:
		return execute(n->child, stream);
	case NODE_ALLOC:
		wire_unwritten(held_address(n->memory));
		return wire_order(ORDER_ALLOCATED, stream, held_address(n->memory));
	case NODE_FREE:
		return wire_order(ORDER_RELEASED, stream, held_address(n->memory));
	case NODE_EMPTY:
		break;
	}
	return error;
}

static cudaError_t execute(struct graph *g, uint32_t stream) { return in_branches(&g->branches, g->nodes, g->count, stream, execute_node); }

cudaError_t record_launch(struct graph *g, const struct kernel_params *p, int cooperative) {
	struct node *n = add(g, NODE_KERNEL);
	return n == NULL ? cudaErrorMemoryAllocation : set_kernel(n, p, cooperative);
}

cudaError_t record_copy(struct graph *g, const struct copy3d *c) {
	struct node *n = add(g, NODE_MEMCPY);
	if (n == NULL)
		return cudaErrorMemoryAllocation;
	n->copy = *c;
	return cudaSuccess;
}

cudaError_t record_set(struct graph *g, const struct memset_params *p) {
	struct node *n = add(g, NODE_MEMSET);
	if (n == NULL)
		return cudaErrorMemoryAllocation;
	n->set = *p;
	return cudaSuccess;
}

cudaError_t record_host(struct graph *g, void (*function)(void *), void *data) {
	struct node *n = add(g, NODE_HOST);
	if (n == NULL)
		return cudaErrorMemoryAllocation;
	n->host = (struct host_params){function, data};
	return cudaSuccess;
}

cudaError_t record_memory(struct graph *g, enum node_kind kind, struct held *h) {
	struct node *n = add(g, kind);
	if (n == NULL)
		return cudaErrorMemoryAllocation;
	held_take(n->memory = h);
	return cudaSuccess;
}

cudaError_t added(struct node **out, struct graph *g, struct node *const *deps, size_t n, cudaError_t error) {
	if (error != cudaSuccess)
		return failed(error);
	struct node *last = g->nodes[g->count - 1];
	if (!belong(deps, n, g->nodes, g->count - 1))
		error = cudaErrorInvalidValue;
	else if (!depend(last, deps, NULL, n))
		error = cudaErrorMemoryAllocation;
	if (error != cudaSuccess)
		g->count--, free_node(last);
	else if (out != NULL)
		*out = last;
	return failed(error);
}

cudaError_t captured_launch(cudaStream_t s, cudaError_t error, int overlaps) {
	if (error != cudaSuccess)
		return error;
	struct graph *g = recording(s);
	struct node *last = g->nodes[g->count - 1];
	return follows(last, tail_of(s), overlaps) ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t captured(cudaStream_t s, cudaError_t error) { return captured_launch(s, error, 0); }

EXPORT cudaError_t cudaGraphCreate(struct graph **g, unsigned flags) {
	(void)flags;
	*g = new_graph();
	return failed(*g == NULL ? cudaErrorMemoryAllocation : wire_ready());
}

EXPORT cudaError_t cudaGraphDestroy(struct graph *g) {
	if (g == NULL)
		return failed(cudaErrorInvalidValue);
	free_graph(g);
	return cudaSuccess;
}

EXPORT cudaError_t cudaGraphClone(struct graph **to, struct graph *from) { return failed(copy_graph(to, from)); }

EXPORT cudaError_t cudaGraphAddKernelNode(struct node **out, struct graph *g, struct node *const *deps, size_t n, const struct kernel_params *p) {
	return added(out, g, deps, n, record_launch(g, p, 0));
}

EXPORT cudaError_t cudaGraphAddMemcpyNode(struct node **out, struct graph *g, struct node *const *deps, size_t n, const struct copy3d *c) {
	return added(out, g, deps, n, record_copy(g, c));
}

EXPORT cudaError_t cudaGraphAddMemcpyNode1D(struct node **out, struct graph *g, struct node *const *deps, size_t n, void *to, const void *from, size_t size, int kind) {
	struct copy3d c = copy1d(to, from, size, kind);
	return added(out, g, deps, n, record_copy(g, &c));
}

EXPORT cudaError_t cudaGraphAddMemsetNode(struct node **out, struct graph *g, struct node *const *deps, size_t n, const struct memset_params *p) {
	return added(out, g, deps, n, record_set(g, p));
}

EXPORT cudaError_t cudaGraphAddHostNode(struct node **out, struct graph *g, struct node *const *deps, size_t n, const struct host_params *p) {
	return added(out, g, deps, n, record_host(g, p->function, p->data));
}

EXPORT cudaError_t cudaGraphAddEmptyNode(struct node **out, struct graph *g, struct node *const *deps, size_t n) {
	return added(out, g, deps, n, add(g, NODE_EMPTY) == NULL ? cudaErrorMemoryAllocation : cudaSuccess);
}

static cudaError_t record_graph(struct graph *g, const struct graph *child) {
	struct node *made = add(g, NODE_GRAPH);
	return made == NULL ? cudaErrorMemoryAllocation : copy_graph(&made->child, child);
}

EXPORT cudaError_t cudaGraphAddChildGraphNode(struct node **out, struct graph *g, struct node *const *deps, size_t n, struct graph *child) {
	return added(out, g, deps, n, record_graph(g, child));
}

EXPORT cudaError_t cudaGraphAddDependencies_v2(struct graph *g, struct node *const *from, struct node *const *to, const struct edge *data, size_t n) {
	if (!belong(from, n, g->nodes, g->count) || !belong(to, n, g->nodes, g->count))
		return failed(cudaErrorInvalidValue);
	return failed(depend_each(from, to, data, n) ? cudaSuccess : cudaErrorMemoryAllocation);
}

#if CUDA_MAJOR >= 13
SAME_AS(cudaGraphAddDependencies_v2) cudaError_t cudaGraphAddDependencies(struct graph *, struct node *const *, struct node *const *, const struct edge *, size_t);
#else
EXPORT cudaError_t cudaGraphAddDependencies(struct graph *g, struct node *const *from, struct node *const *to, size_t n) {
	return cudaGraphAddDependencies_v2(g, from, to, NULL, n);
}
#endif

EXPORT cudaError_t cudaGraphGetNodes(struct graph *g, struct node **nodes, size_t *count) {
	if (nodes != NULL)
		memcpy(nodes, g->nodes, (*count < g->count ? *count : g->count) * sizeof *nodes);
	*count = g->count;
	return cudaSuccess;
}

EXPORT cudaError_t cudaGraphNodeGetType(struct node *n, int *kind) {
	*kind = n->kind;
	return cudaSuccess;
}

EXPORT cudaError_t cudaGraphKernelNodeGetParams(struct node *n, struct kernel_params *p) {
	*p = n->kernel;
	return cudaSuccess;
}

EXPORT cudaError_t cudaGraphKernelNodeSetParams(struct node *n, const struct kernel_params *p) { return failed(set_kernel(n, p, n->cooperative)); }

// An executable graph is a copy.
struct exec {
	struct graph *graph;
	uint32_t epoch;
	struct launches launches;
};

EXPORT cudaError_t cudaGraphInstantiateWithFlags(struct exec **e, struct graph *g, unsigned long long flags) {
	(void)flags;
	*e = calloc(1, sizeof **e);
	if (*e == NULL)
		return failed(cudaErrorMemoryAllocation);
	(*e)->epoch = wire_epoch();
	return failed(copy_graph(&(*e)->graph, g));
}

// Until CUDA 11 with a node and a log for errors, from 12 on with flags: neither is used.
EXPORT cudaError_t cudaGraphInstantiate(struct exec **e, struct graph *g) { return cudaGraphInstantiateWithFlags(e, g, 0); }

EXPORT cudaError_t cudaGraphExecDestroy(struct exec *e) {
	if (!LIVE(e))
		return failed(cudaErrorInvalidResourceHandle);
	free_graph(e->graph);
	wire_order(ORDER_END_EVENT, 0, e->launches.event);
	free(e);
	return cudaSuccess;
}

EXPORT cudaError_t cudaGraphLaunch(struct exec *e, cudaStream_t s) {
	uint32_t stream = stream_id(s);
	struct graph *g = recording(s);
	if (!LIVE(e) || stream == WIRE_NO_STREAM)
		return failed(cudaErrorInvalidResourceHandle);
	if (g != NULL)
		return failed(captured(s, record_graph(g, e->graph)));
	begin_launch(&e->launches, stream);
	cudaError_t error = execute(e->graph, stream);
	end_launch(&e->launches, stream);
	return failed(error);
}
PTSZ(cudaError_t, cudaGraphLaunch, (struct exec *, cudaStream_t))

EXPORT cudaError_t cudaGraphUpload(struct exec *e, cudaStream_t s) {
	(void)s;
	return failed(!LIVE(e) ? cudaErrorInvalidResourceHandle : cudaSuccess);
}

// counterpart is the node of an executable graph that was copied from n.
static struct node *counterpart(struct exec *e, const struct node *n) {
	for (size_t i = 0; LIVE(e) && i < e->graph->count; i++)
		if (e->graph->nodes[i]->from == n)
			return e->graph->nodes[i];
	return NULL;
}

EXPORT cudaError_t cudaGraphExecKernelNodeSetParams(struct exec *e, struct node *n, const struct kernel_params *p) {
	struct node *own = counterpart(e, n);
	return failed(own == NULL ? cudaErrorInvalidValue : set_kernel(own, p, own->cooperative));
}

EXPORT cudaError_t cudaGraphExecMemcpyNodeSetParams1D(struct exec *e, struct node *n, void *to, const void *from, size_t size, int kind) {
	struct node *own = counterpart(e, n);
	if (own == NULL)
		return failed(cudaErrorInvalidValue);
	own->copy = copy1d(to, from, size, kind);
	return cudaSuccess;
}

// An update takes the nodes of another graph of the same shape.
EXPORT cudaError_t cudaGraphExecUpdate(struct exec *e, struct graph *g, void *info, int *result) {
	(void)info;
	struct graph *copy;
	if (!LIVE(e))
		return failed(cudaErrorInvalidResourceHandle);
	cudaError_t error = copy_graph(&copy, g);
	if (error != cudaSuccess)
		return failed(error);
	free_graph(e->graph);
	e->graph = copy;
	if (CUDA_MAJOR < 12)
		*result = 0;
	return cudaSuccess;
}

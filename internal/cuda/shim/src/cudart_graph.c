// Graphs: nodes with their dependencies. A launch of a graph executes them one after the other, in the order in which they
// were added where dependencies allow it.
#include "cudart_graph_node.h"

#include <stdlib.h>
#include <string.h>

static cudaError_t execute(struct graph *g, uint32_t stream);
#include "graph_condition.h"

struct graph *graph_new(void) { return calloc(1, sizeof(struct graph)); }

void free_graph(struct graph *g) {
	if (g == NULL)
		return;
	end_branches(&g->branches, g->nodes, g->count);
	for (size_t i = 0; i < g->count; i++)
		graph_free_node(g->nodes[i]);
	objects_drop(g);
	free(g->nodes);
	free(g);
}

void graph_free_node(struct node *n) {
	free(n->params);
	free(n->pointers);
	free_links(&n->links);
	free_condition(n->condition);
	free(n->request);
	free_graph(n->child);
	if (n->memory != NULL)
		held_drop(n->memory);
	free(n);
}

struct node *graph_add(struct graph *g, enum node_kind kind) {
	if (g->count == g->room) {
		size_t room = 2 * g->room + 8;
		struct node **more = realloc(g->nodes, room * sizeof *more);
		if (more == NULL)
			return NULL;
		g->nodes = more, g->room = room;
	}
	struct node *n = calloc(1, sizeof *n);
	if (n != NULL)
		n->kind = kind, n->links.place = g->count, n->links.in = g, n->links.device = wire_current_device(), g->nodes[g->count++] = n;
	return n;
}

cudaError_t set_kernel(struct node *n, const struct kernel_params *p, int cooperative) {
	cudaError_t error;
	const struct wire_function *f;
	if (ON_DEVICE(n->links.device, (f = kernel_of(p->function, &error)) == NULL))
		return error;
	size_t size = f->nparams > 0 ? f->params[f->nparams - 1].offset + f->params[f->nparams - 1].size : 0;
	unsigned char *params = calloc(1, size + 1);
	void **pointers = calloc(f->nparams + 1, sizeof *pointers);
	if (params == NULL || pointers == NULL) {
		free(params), free(pointers);
		return cudaErrorMemoryAllocation;
	}
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

// copy_node adds a copy of a node to a graph that has copies of its dependencies.
static cudaError_t copy_node(struct graph *g, struct node *from) {
	struct node *n = graph_add(g, from->kind);
	if (n == NULL || !depend(n, from->links.deps, from->links.edges, from->links.ndeps))
		return cudaErrorMemoryAllocation;
	n->from = from, from->links.twin = n, n->links.device = from->links.device;
	for (size_t i = 0; i < n->links.ndeps; i++)
		n->links.deps[i] = n->links.deps[i]->links.twin;
	n->copy = from->copy, n->set = from->set, n->host = from->host, n->event = from->event;
	if (from->kind == NODE_KERNEL)
		return set_kernel(n, &from->kernel, from->cooperative);
	if (from->memory != NULL)
		held_take(n->memory = from->memory);
	if (from->request != NULL)
		return (n->request = request_copy(from->request)) == NULL ? cudaErrorMemoryAllocation : cudaSuccess;
	return from->child != NULL ? copy_graph(&n->child, from->child) : copy_condition(n, from->condition);
}

cudaError_t copy_graph(struct graph **to, const struct graph *from) {
	cudaError_t error = (*to = graph_new()) == NULL ? cudaErrorMemoryAllocation : cudaSuccess;
	if (error == cudaSuccess && !in_order(from->nodes, from->count))
		error = cudaErrorInvalidValue;
	for (size_t i = 0; i < from->count && error == cudaSuccess; i++)
		error = copy_node(*to, from->nodes[i]);
	if (error == cudaSuccess && !(host_last((*to)->nodes, (*to)->count) && objects_copy(*to, from)))
		error = cudaErrorMemoryAllocation;
	if (error != cudaSuccess)
		free_graph(*to), *to = NULL;
	return error;
}


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
		return wire_node_function(stream, n->host.function, n->host.data);
	case NODE_GRAPH:
		return execute(n->child, stream);
	case NODE_ALLOC:
		wire_unwritten(held_address(n->memory));
		return wire_order(ORDER_ALLOCATED, stream, held_address(n->memory));
	case NODE_FREE:
		return wire_order(ORDER_RELEASED, stream, held_address(n->memory));
	case NODE_RECORD: case NODE_WAIT:
		return execute_event(n->kind, n->event, stream);
	case NODE_REQUEST:
		return execute_request(n->request, stream);
	case NODE_CONDITIONAL:
		return execute_condition(n, stream);
	case NODE_EMPTY:
		break;
	}
	return error;
}

static cudaError_t execute(struct graph *g, uint32_t stream) { return in_branches(&g->branches, g->nodes, g->count, stream, execute_node); }

cudaError_t record_launch(struct graph *g, const struct kernel_params *p, int cooperative) {
	struct node *n = graph_add(g, NODE_KERNEL);
	return n == NULL ? cudaErrorMemoryAllocation : kept(n, set_kernel(n, p, cooperative));
}

cudaError_t record_copy(struct graph *g, const struct copy3d *c) {
	struct node *n = graph_add(g, NODE_MEMCPY);
	if (n == NULL)
		return cudaErrorMemoryAllocation;
	n->copy = *c;
	return cudaSuccess;
}

cudaError_t record_fill(struct graph *g, const struct memset_node *p) {
	struct node *n = graph_add(g, NODE_MEMSET);
	if (n == NULL)
		return cudaErrorMemoryAllocation;
	n->set = *p;
	return cudaSuccess;
}

cudaError_t record_host(struct graph *g, void (*function)(void *), void *data) {
	struct node *n = graph_add(g, NODE_HOST);
	if (n == NULL)
		return cudaErrorMemoryAllocation;
	n->host = (struct host_node){function, data};
	return cudaSuccess;
}

cudaError_t record_memory(struct graph *g, enum node_kind kind, struct held *h) {
	struct node *n = graph_add(g, kind);
	if (n == NULL)
		return cudaErrorMemoryAllocation;
	held_take(n->memory = h);
	return cudaSuccess;
}

cudaError_t record_event(struct graph *g, enum node_kind kind, struct event *e) {
	struct node *n = LIVE(e) ? graph_add(g, kind) : NULL;
	if (n != NULL)
		n->event = e;
	return !LIVE(e) ? cudaErrorInvalidResourceHandle : n == NULL ? cudaErrorMemoryAllocation : cudaSuccess;
}

cudaError_t record_graph(struct graph *g, const struct graph *child) {
	struct node *made = graph_add(g, NODE_GRAPH);
	return made == NULL ? cudaErrorMemoryAllocation : kept(made, copy_graph(&made->child, child));
}

cudaError_t kept(struct node *n, cudaError_t error) {
	if (error != cudaSuccess)
		n->links.in->count--, graph_free_node(n);
	return error;
}

cudaError_t added(struct node **out, struct graph *g, struct node *const *deps, const struct edge *data, size_t n, cudaError_t error) {
	if (error != cudaSuccess)
		return failed(error);
	struct node *last = g->nodes[g->count - 1];
	if (!belong(deps, n, g->nodes, g->count - 1))
		error = cudaErrorInvalidValue;
	else if (!depend(last, deps, data, n))
		error = cudaErrorMemoryAllocation;
	if (kept(last, error) == cudaSuccess && out != NULL)
		*out = last;
	return failed(error);
}

cudaError_t captured_launch(cudaStream_t s, cudaError_t error, int overlaps) {
	if (error != cudaSuccess)
		return error;
	struct graph *g = recording(s);
	struct node *last = g->nodes[g->count - 1];
	last->links.device = device_of_stream(s);
	return follows(last, tail_of(s), overlaps) ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t captured(cudaStream_t s, cudaError_t error) { return captured_launch(s, error, 0); }

int capture_request(struct stream *s, int op, const struct wire_part *parts, int nparts) {
	struct node *n = graph_add(recording(s), NODE_REQUEST);
	if (n == NULL)
		return cudaErrorMemoryAllocation;
	n->request = request_of(op, parts, nparts);
	return captured(s, kept(n, n->request == NULL ? cudaErrorMemoryAllocation : WIRE_OK));
}

EXPORT cudaError_t cudaGraphCreate(struct graph **g, unsigned flags) {
	(void)flags;
	*g = graph_new();
	return failed(*g == NULL ? cudaErrorMemoryAllocation : wire_ready());
}

EXPORT cudaError_t cudaGraphDestroy(struct graph *g) {
	if (g == NULL)
		return failed(cudaErrorInvalidValue);
	free_graph(g);
	return cudaSuccess;
}

EXPORT cudaError_t cudaGraphClone(struct graph **to, struct graph *from) { return failed(copy_graph(to, from)); }

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

EXPORT cudaError_t cudaGraphInstantiateWithFlags(struct exec **e, struct graph *g, unsigned long long flags) {
	*e = calloc(1, sizeof **e);
	if (*e == NULL)
		return failed(cudaErrorMemoryAllocation);
	(*e)->epoch = wire_epoch(), (*e)->flags = flags;
	cudaError_t error = copy_graph(&(*e)->graph, g);
	if (error != cudaSuccess)
		free(*e), *e = NULL;
	return failed(error);
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

// launch launches a graph in a stream of the current device.
static cudaError_t launch(struct exec *e, uint32_t stream) {
	begin_launch(&e->launches, stream);
	cudaError_t error = assign_conditions(e->graph, stream);
	if (error == cudaSuccess)
		error = execute(e->graph, stream);
	end_launch(&e->launches, stream);
	return error;
}

EXPORT cudaError_t cudaGraphLaunch(struct exec *e, cudaStream_t s) {
	uint32_t stream = stream_id(s);
	struct graph *g = recording(s);
	if (!LIVE(e) || stream == WIRE_NO_STREAM)
		return failed(cudaErrorInvalidResourceHandle);
	if (g != NULL)
		return failed(captured(s, record_graph(g, e->graph)));
	return failed(ON_DEVICE(device_of_stream(s), launch(e, stream)));
}
PTSZ(cudaError_t, cudaGraphLaunch, (struct exec *, cudaStream_t))

EXPORT cudaError_t cudaGraphUpload(struct exec *e, cudaStream_t s) {
	(void)s;
	return failed(!LIVE(e) ? cudaErrorInvalidResourceHandle : cudaSuccess);
}
PTSZ(cudaError_t, cudaGraphUpload, (struct exec *, cudaStream_t))

struct node *graph_counterpart(const struct graph *g, const struct node *of) {
	for (size_t i = 0; i < g->count; i++)
		if (g->nodes[i]->from == of)
			return g->nodes[i];
	return NULL;
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

EXPORT cudaError_t cudaGraphConditionalHandleCreate(uint64_t *handle, struct graph *g, unsigned value, unsigned flags) {
	return failed(g == NULL || handle == NULL ? cudaErrorInvalidValue : held_condition(value, flags, handle));
}

EXPORT cudaError_t cudaGraphConditionalHandleCreate_v2(uint64_t *handle, struct graph *g, void *context, unsigned value, unsigned flags) {
	(void)context;
	return cudaGraphConditionalHandleCreate(handle, g, value, flags);
}

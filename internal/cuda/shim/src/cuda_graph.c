// Graphs of the driver API: nodes with their dependencies. A launch of a graph executes them one after the other, in the
// order in which they were added where dependencies allow it.
#include "cuda_graph_node.h"

#include <stdlib.h>
#include <string.h>

static CUresult execute(struct graph *g, uint32_t stream);
#include "graph_condition.h"

void graph_free_node(struct node *n) {
	free_graph(n->child);
	free_links(&n->links);
	free_condition(n->condition);
	free(n->request);
	if (n->memory != NULL)
		held_drop(n->memory);
	free(n->params), free(n->pointers), free(n);
}

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

struct node *graph_add(struct graph *g, enum node_kind kind) {
	if (g->count == g->room) {
		struct node **more = realloc(g->nodes, (2 * g->room + 8) * sizeof *more);
		if (more == NULL)
			return NULL;
		g->nodes = more, g->room = 2 * g->room + 8;
	}
	struct node *n = calloc(1, sizeof *n);
	if (n == NULL)
		return NULL;
	n->kind = kind, n->links.place = g->count, n->links.in = g, n->links.device = wire_current_device();
	return g->nodes[g->count++] = n;
}

CUresult kept(struct node *n, CUresult error) {
	if (error != CUDA_SUCCESS)
		n->links.in->count--, graph_free_node(n);
	return error;
}

CUresult added(struct node **out, struct graph *g, struct node *const *deps, const struct edge *data, size_t n, CUresult error) {
	if (error != CUDA_SUCCESS)
		return failed(error);
	struct node *last = g->nodes[g->count - 1];
	if (!belong(deps, n, g->nodes, g->count - 1))
		error = CUDA_ERROR_INVALID_VALUE;
	else if (!depend(last, deps, data, n))
		error = CUDA_ERROR_OUT_OF_MEMORY;
	if (kept(last, error) == CUDA_SUCCESS && out != NULL)
		*out = last;
	return failed(error);
}

CUresult set_kernel(struct node *n, const struct kernel_node *p) {
	CUfunction function = p->function;
	CUresult error = function_on(&function, n->links.device);
	if (error != CUDA_SUCCESS)
		return error;
	const struct wire_function *f = function->kernel;
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
	n->links.device = WIRE_DEVICE_OF(function->epoch);
	n->kernel = *p, n->kernel.function = function, n->params = params, n->pointers = pointers;
	n->kernel.params = pointers, n->kernel.extra = NULL;
	return CUDA_SUCCESS;
}

struct graph *graph_new(void) { return calloc(1, sizeof(struct graph)); }

struct node *graph_counterpart(const struct graph *g, const struct node *of) {
	for (size_t i = 0; i < g->count; i++)
		if (g->nodes[i]->from == of)
			return g->nodes[i];
	return NULL;
}

// copy_node adds a copy of a node to a graph that has copies of its dependencies.
static CUresult copy_node(struct graph *g, struct node *from) {
	struct node *n = graph_add(g, from->kind);
	if (n == NULL || !depend(n, from->links.deps, from->links.edges, from->links.ndeps))
		return CUDA_ERROR_OUT_OF_MEMORY;
	n->from = from, from->links.twin = n, n->links.device = from->links.device;
	for (size_t i = 0; i < n->links.ndeps; i++)
		n->links.deps[i] = n->links.deps[i]->links.twin;
	n->copy = from->copy, n->set = from->set, n->host = from->host, n->event = from->event;
	if (from->memory != NULL)
		held_take(n->memory = from->memory);
	if (from->request != NULL)
		return (n->request = request_copy(from->request)) == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
	if (from->kind == NODE_KERNEL)
		return set_kernel(n, &from->kernel);
	return from->child != NULL ? copy_graph(&n->child, from->child) : copy_condition(n, from->condition);
}

CUresult copy_graph(struct graph **to, const struct graph *from) {
	CUresult error = (*to = graph_new()) == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS;
	if (error == CUDA_SUCCESS && !in_order(from->nodes, from->count))
		error = CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; error == CUDA_SUCCESS && i < from->count; i++)
		error = copy_node(*to, from->nodes[i]);
	if (error == CUDA_SUCCESS && !(host_last((*to)->nodes, (*to)->count) && objects_copy(*to, from)))
		error = CUDA_ERROR_OUT_OF_MEMORY;
	if (error != CUDA_SUCCESS)
		free_graph(*to), *to = NULL;
	return error;
}


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
	case NODE_HOST: return wire_node_function(stream, n->host.function, n->host.data);
	case NODE_GRAPH: return execute(n->child, stream);
	case NODE_ALLOC:
		wire_unwritten(held_address(n->memory));
		return wire_order(ORDER_ALLOCATED, stream, held_address(n->memory));
	case NODE_FREE: return wire_order(ORDER_RELEASED, stream, held_address(n->memory));
	case NODE_RECORD: case NODE_WAIT: return execute_event(n->kind, n->event, stream);
	case NODE_REQUEST: return execute_request(n->request, stream);
	case NODE_CONDITIONAL: return execute_condition(n, stream);
	case NODE_EMPTY: break;
	}
	return error;
}

static CUresult execute(struct graph *g, uint32_t stream) { return in_branches(&g->branches, g->nodes, g->count, stream, execute_node); }

EXPORT CUresult cuGraphCreate(struct graph **g, unsigned flags) {
	(void)flags;
	*g = graph_new();
	return failed(*g == NULL ? CUDA_ERROR_OUT_OF_MEMORY : wire_ready());
}

EXPORT CUresult cuGraphDestroy(struct graph *g) {
	free_graph(g);
	return failed(g == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

EXPORT CUresult cuGraphClone(struct graph **to, struct graph *from) { return failed(copy_graph(to, from)); }

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
	last->links.device = device_of_stream(s);
	return follows(last, tail_of(s), overlaps) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult captured(CUstream s, CUresult error) { return captured_launch(s, error, 0); }

int capture_request(struct stream *s, int op, const struct wire_part *parts, int nparts) {
	struct node *n = graph_add(recording(s), NODE_REQUEST);
	if (n == NULL)
		return CUDA_ERROR_OUT_OF_MEMORY;
	n->request = request_of(op, parts, nparts);
	return captured(s, kept(n, n->request == NULL ? CUDA_ERROR_OUT_OF_MEMORY : WIRE_OK));
}

CUresult record_kernel(struct graph *g, const struct kernel_node *p) {
	struct node *n = graph_add(g, NODE_KERNEL);
	return n == NULL ? CUDA_ERROR_OUT_OF_MEMORY : kept(n, set_kernel(n, p));
}

// RECORD defines a function that adds a node, of which set fills the node n.
#define RECORD(name, node_kind, params, set)                     \
	CUresult name params {                                       \
		struct node *n = graph_add(g, node_kind);                \
		if (n != NULL)                                           \
			set;                                                 \
		return n == NULL ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_SUCCESS; \
	}
RECORD(record_copy, NODE_MEMCPY, (struct graph *g, const struct copy3d *p), n->copy = *p)
RECORD(record_fill, NODE_MEMSET, (struct graph *g, const struct memset_node *p), n->set = *p)
RECORD(record_host, NODE_HOST, (struct graph *g, void (*function)(void *), void *data), n->host = ((struct host_node){function, data}))
RECORD(record_memory, kind, (struct graph *g, enum node_kind kind, struct held *h), held_take(n->memory = h))
RECORD(record_event, kind, (struct graph *g, enum node_kind kind, struct event *e), n->event = e)

CUresult record_bytes(struct graph *g, CUdeviceptr to, CUdeviceptr from, size_t size) {
	enum { UNIFIED = 4 };
	struct copy3d p = {.from = {.type = UNIFIED, .device = from}, .to = {.type = UNIFIED, .device = to}, .width = size, .height = 1, .depth = 1};
	return record_copy(g, &p);
}

EXPORT CUresult cuGraphInstantiateWithFlags(struct exec **e, struct graph *g, unsigned long long flags) {
	if ((*e = calloc(1, sizeof **e)) == NULL)
		return failed(CUDA_ERROR_OUT_OF_MEMORY);
	(*e)->epoch = wire_epoch(), (*e)->flags = flags;
	CUresult error = copy_graph(&(*e)->graph, g);
	if (error != CUDA_SUCCESS)
		free(*e), *e = NULL;
	return failed(error);
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

// launch launches a graph in a stream of the current device.
static CUresult launch(struct exec *e, uint32_t stream) {
	begin_launch(&e->launches, stream);
	CUresult error = assign_conditions(e->graph, stream);
	if (error == CUDA_SUCCESS)
		error = execute(e->graph, stream);
	end_launch(&e->launches, stream);
	return error;
}

EXPORT CUresult cuGraphLaunch(struct exec *e, CUstream s) {
	uint32_t stream = stream_id(s);
	struct graph *g = recording(s);
	if (!LIVE(e) || stream == WIRE_NO_STREAM)
		return failed(CUDA_ERROR_INVALID_HANDLE);
	if (g != NULL) {
		struct node *n = graph_add(g, NODE_GRAPH);
		return failed(captured(s, n == NULL ? CUDA_ERROR_OUT_OF_MEMORY : kept(n, copy_graph(&n->child, e->graph))));
	}
	return failed(ON_DEVICE(device_of_stream(s), launch(e, stream)));
}
PTSZ(cuGraphLaunch, (struct exec *, CUstream))

EXPORT CUresult cuGraphUpload(struct exec *e, CUstream s) {
	(void)s;
	return failed(LIVE(e) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}
PTSZ(cuGraphUpload, (struct exec *, CUstream))

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

EXPORT CUresult cuGraphConditionalHandleCreate(uint64_t *handle, struct graph *g, CUcontext context, unsigned value, unsigned flags) {
	(void)context;
	return failed(g == NULL || handle == NULL ? CUDA_ERROR_INVALID_VALUE : held_condition(value, flags, handle));
}

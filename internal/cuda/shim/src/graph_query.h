// Questions about graphs of both APIs, changes of their edges, and the end of nodes. Each library includes this once, with its
// API(name): a function's name. EDGES says that functions without a version take the data of edges.
#ifndef PTXSAN_GRAPH_QUERY_H
#define PTXSAN_GRAPH_QUERY_H

#include "graph_branches.h"
#include "graph_node.h"

#include <stdio.h>
#include <string.h>

// list is an array of an application's, which may be null, and how many entries there are for it.
struct list {
	struct node **nodes, **others;
	struct edge *data;
	size_t room, count;
};

static void put(struct list *l, struct node *n, struct node *other, struct edge data) {
	if (l->count < l->room) {
		if (l->nodes != NULL)
			l->nodes[l->count] = n;
		if (l->others != NULL)
			l->others[l->count] = other;
		if (l->data != NULL)
			l->data[l->count] = data;
	}
	l->count++;
}

// counted gives the application the number of entries: all that there are if it has no array, else those that it has got. What
// remains of the array becomes null.
static int counted(const struct list *l, size_t *count) {
	for (size_t i = l->count; l->nodes != NULL && i < l->room; i++)
		l->nodes[i] = NULL;
	*count = l->nodes == NULL || l->count < l->room ? l->count : l->room;
	return failed(WIRE_OK);
}

EXPORT int API(GetRootNodes)(struct graph *g, struct node **nodes, size_t *count) {
	struct list l = {.nodes = nodes, .room = *count};
	for (size_t i = 0; i < g->count; i++)
		if (links_of(g->nodes[i])->ndeps == 0)
			put(&l, g->nodes[i], NULL, (struct edge){0});
	return counted(&l, count);
}

EXPORT int API(GetEdges_v2)(struct graph *g, struct node **from, struct node **to, struct edge *data, size_t *count) {
	struct list l = {.nodes = from, .others = to, .data = data, .room = *count};
	if (from != NULL && *count == 0) // as NVIDIA's driver does
		return failed(WIRE_INVALID_VALUE);
	for (size_t i = 0; i < g->count; i++) {
		const struct links *own = links_of(g->nodes[i]);
		for (size_t k = 0; k < own->ndeps; k++)
			put(&l, own->deps[k], g->nodes[i], own->edges[k]);
	}
	return counted(&l, count);
}

EXPORT int API(NodeGetDependencies_v2)(struct node *n, struct node **nodes, struct edge *data, size_t *count) {
	struct list l = {.nodes = nodes, .data = data, .room = *count};
	for (size_t i = 0; i < links_of(n)->ndeps; i++)
		put(&l, links_of(n)->deps[i], NULL, links_of(n)->edges[i]);
	return counted(&l, count);
}

EXPORT int API(NodeGetDependentNodes_v2)(struct node *n, struct node **nodes, struct edge *data, size_t *count) {
	struct list l = {.nodes = nodes, .data = data, .room = *count};
	const struct graph *g = links_of(n)->in;
	for (size_t i = 0; i < g->count; i++) {
		const struct links *own = links_of(g->nodes[i]);
		for (size_t k = 0; k < own->ndeps; k++)
			if (own->deps[k] == n)
				put(&l, g->nodes[i], NULL, own->edges[k]);
	}
	return counted(&l, count);
}

// independent makes a node not come after another one. The value says whether it did.
static int independent(struct node *n, const struct node *of) {
	struct links *l = links_of(n);
	for (size_t i = 0; i < l->ndeps; i++) {
		if (l->deps[i] != of)
			continue;
		l->ndeps--;
		memmove(&l->deps[i], &l->deps[i + 1], (l->ndeps - i) * sizeof *l->deps);
		memmove(&l->edges[i], &l->edges[i + 1], (l->ndeps - i) * sizeof *l->edges);
		return 1;
	}
	return 0;
}

EXPORT int API(RemoveDependencies_v2)(struct graph *g, struct node *const *from, struct node *const *to, const struct edge *data, size_t n) {
	(void)data; // there is one edge of two nodes
	if (!belong(from, n, g->nodes, g->count) || !belong(to, n, g->nodes, g->count))
		return failed(WIRE_INVALID_VALUE);
	int error = WIRE_OK;
	for (size_t i = 0; i < n && error == WIRE_OK; i++)
		error = independent(to[i], from[i]) ? WIRE_OK : WIRE_INVALID_VALUE;
	return failed(error);
}

#if EDGES
EXPORT int API(GetEdges)(struct graph *g, struct node **from, struct node **to, struct edge *data, size_t *count) { return API(GetEdges_v2)(g, from, to, data, count); }
EXPORT int API(NodeGetDependencies)(struct node *n, struct node **nodes, struct edge *data, size_t *count) { return API(NodeGetDependencies_v2)(n, nodes, data, count); }
EXPORT int API(NodeGetDependentNodes)(struct node *n, struct node **nodes, struct edge *data, size_t *count) { return API(NodeGetDependentNodes_v2)(n, nodes, data, count); }
EXPORT int API(RemoveDependencies)(struct graph *g, struct node *const *from, struct node *const *to, const struct edge *data, size_t n) { return API(RemoveDependencies_v2)(g, from, to, data, n); }
#else
EXPORT int API(GetEdges)(struct graph *g, struct node **from, struct node **to, size_t *count) { return API(GetEdges_v2)(g, from, to, NULL, count); }
EXPORT int API(NodeGetDependencies)(struct node *n, struct node **nodes, size_t *count) { return API(NodeGetDependencies_v2)(n, nodes, NULL, count); }
EXPORT int API(NodeGetDependentNodes)(struct node *n, struct node **nodes, size_t *count) { return API(NodeGetDependentNodes_v2)(n, nodes, NULL, count); }
EXPORT int API(RemoveDependencies)(struct graph *g, struct node *const *from, struct node *const *to, size_t n) { return API(RemoveDependencies_v2)(g, from, to, NULL, n); }
#endif

EXPORT int API(DestroyNode)(struct node *n) {
	if (n == NULL)
		return failed(WIRE_INVALID_VALUE);
	struct graph *g = links_of(n)->in;
	size_t place = links_of(n)->place;
	memmove(&g->nodes[place], &g->nodes[place + 1], (--g->count - place) * sizeof *g->nodes);
	for (size_t i = 0; i < g->count; i++) {
		links_of(g->nodes[i])->place = i;
		while (independent(g->nodes[i], n))
			;
	}
	graph_free_node(n);
	return failed(WIRE_OK);
}

EXPORT int API(NodeGetContainingGraph)(struct node *n, struct graph **g) {
	*g = n == NULL ? NULL : links_of(n)->in;
	return failed(n == NULL ? WIRE_INVALID_VALUE : WIRE_OK);
}

EXPORT int API(NodeFindInClone)(struct node **out, struct node *n, struct graph *g) {
	*out = graph_counterpart(g, n);
	return failed(*out == NULL ? WIRE_INVALID_VALUE : WIRE_OK);
}

// enables is the node of an executable graph that can be left out: a kernel, a copy or a fill.
static struct node *enables(struct exec *e, const struct node *n) {
	struct node *own = LIVE(e) ? graph_counterpart(e->graph, n) : NULL;
	return own != NULL && own->kind <= NODE_MEMSET ? own : NULL;
}

EXPORT int API(NodeSetEnabled)(struct exec *e, struct node *n, unsigned enabled) {
	struct node *own = enables(e, n);
	if (own != NULL)
		links_of(own)->disabled = enabled == 0;
	return failed(own == NULL ? WIRE_INVALID_VALUE : WIRE_OK);
}

EXPORT int API(NodeGetEnabled)(struct exec *e, struct node *n, unsigned *enabled) {
	struct node *own = enables(e, n);
	if (own != NULL)
		*enabled = !links_of(own)->disabled;
	return failed(own == NULL ? WIRE_INVALID_VALUE : WIRE_OK);
}

// EVENT defines the functions that read and change the event of a node.
#define EVENT(name, node_kind)                                                                              \
	EXPORT int API(name##NodeGetEvent)(struct node *n, struct event **e) {                                  \
		*e = n != NULL && n->kind == node_kind ? n->event : NULL;                                           \
		return failed(*e == NULL ? WIRE_INVALID_VALUE : WIRE_OK);                                           \
	}                                                                                                       \
	EXPORT int API(name##NodeSetEvent)(struct node *n, struct event *e) {                                   \
		if (n == NULL || n->kind != node_kind || !LIVE(e))                                                  \
			return failed(WIRE_INVALID_VALUE);                                                              \
		n->event = e;                                                                                       \
		return failed(WIRE_OK);                                                                             \
	}                                                                                                       \
	EXPORT int API(Exec##name##NodeSetEvent)(struct exec *x, struct node *n, struct event *e) {             \
		return API(name##NodeSetEvent)(LIVE(x) ? graph_counterpart(x->graph, n) : NULL, e);                 \
	}
EVENT(EventRecord, NODE_RECORD)
EVENT(EventWait, NODE_WAIT)

// CUDA_GRAPH_INSTANTIATE_PARAMS.
struct instantiate_params {
	unsigned long long flags;
	struct stream *upload;
	struct node *wrong;
	int result;
};

int API(InstantiateWithFlags)(struct exec **e, struct graph *g, unsigned long long flags);

EXPORT int API(InstantiateWithParams)(struct exec **e, struct graph *g, struct instantiate_params *p) {
	enum { DONE, WRONG };
	int error = API(InstantiateWithFlags)(e, g, p->flags);
	p->wrong = NULL, p->result = error == WIRE_OK ? DONE : WRONG;
	return error;
}
IN_THREAD(int, API(InstantiateWithParams), API(InstantiateWithParams_ptsz), (struct exec **, struct graph *, struct instantiate_params *))

EXPORT int API(ExecGetFlags)(struct exec *e, unsigned long long *flags) {
	if (LIVE(e))
		*flags = e->flags;
	return failed(LIVE(e) ? WIRE_OK : WIRE_INVALID_HANDLE);
}

// A graph as text, for graphviz.
EXPORT int API(DebugDotPrint)(struct graph *g, const char *path, unsigned flags) {
	static const char *const kinds[] = {"kernel", "copy", "fill", "host function", "graph", "empty", "wait", "record", "", "", "allocation", "release", "", "condition"};
	(void)flags;
	FILE *f = fopen(path, "w");
	if (f == NULL)
		return failed(WIRE_INVALID_VALUE);
	fputs("digraph {\n", f);
	for (size_t i = 0; i < g->count; i++) {
		const struct links *l = links_of(g->nodes[i]);
		fprintf(f, "n%zu [label=\"%zu: %s\"];\n", i, i, kinds[g->nodes[i]->kind]);
		for (size_t k = 0; k < l->ndeps; k++)
			fprintf(f, "n%zu -> n%zu;\n", links_of(l->deps[k])->place, i);
	}
	fputs("}\n", f);
	return failed(fclose(f) == 0 ? WIRE_OK : WIRE_INVALID_VALUE);
}

#endif

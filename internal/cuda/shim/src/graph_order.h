// The order of the nodes of a graph, for the graphs of both APIs.
#ifndef PTXSAN_GRAPH_ORDER_H
#define PTXSAN_GRAPH_ORDER_H

#include "handles.h"

#include <stdint.h>
#include <stdlib.h>

// Ways in which a kernel lets a node begin that comes after it: when it has ended; when all its blocks have let dependents begin, or
// have begun, in which cases the node can wait for its end; or when they have begun, and the node cannot wait.
enum way { ENDED, LET, STARTED, BEGUN, WAYS };

// way_of is the way of an edge (CUDA Runtime API, cudaGraphEdgeData).
static enum way way_of(const struct edge *e) {
	enum { PORT_PROGRAMMATIC = 1, PORT_LAUNCH_COMPLETION = 2, TYPE_PROGRAMMATIC = 1 };
	if (e->from_port == PORT_LAUNCH_COMPLETION)
		return e->type == TYPE_PROGRAMMATIC ? STARTED : BEGUN;
	return e->from_port == PORT_PROGRAMMATIC ? LET : ENDED;
}

// links are what a node knows of the others of its graph.
struct links {
	struct node **deps;  // nodes that come before it
	struct edge *edges;  // for each: when it lets this one begin
	size_t ndeps, room;
	struct graph *in;  // its graph
	size_t place;      // in the list of its graph
	int disabled;      // launches leave it out
	uint32_t device;   // that executes it
	struct node *twin; // its latest copy
	enum { NEW, OPEN, DONE } state;
	size_t seen; // how many dependencies in_order has looked at
	size_t branch;
	uint32_t at[WAYS]; // the event for nodes of other branches that begin in a way, 0 for none
	int overlaps;      // it may begin before the end of the node before it in its branch
};

static struct links *links_of(struct node *n);

// is_host reports whether a node is a function of the host, is_kernel whether it is a kernel.
static int is_host(const struct node *n);
static int is_kernel(const struct node *n);

// belong reports whether all nodes of a list are in a graph of these nodes.
static int belong(struct node *const *list, size_t n, struct node *const *nodes, size_t count) {
	for (size_t i = 0; i < n; i++)
		if (list[i] == NULL || links_of(list[i])->place >= count || nodes[links_of(list[i])->place] != list[i])
			return 0;
	return 1;
}

// depend makes a node come after others, in the ways of the given edges, or null for their ends. The value is 0 without memory.
static int depend(struct node *n, struct node *const *deps, const struct edge *data, size_t ndeps) {
	struct links *l = links_of(n);
	if (l->ndeps + ndeps > l->room) {
		size_t room = 2 * l->room + ndeps;
		struct node **more = realloc(l->deps, room * sizeof *more);
		if (more == NULL)
			return 0;
		l->deps = more;
		struct edge *wider = realloc(l->edges, room * sizeof *wider);
		if (wider == NULL)
			return 0;
		l->edges = wider, l->room = room;
	}
	for (size_t i = 0; i < ndeps; i++, l->ndeps++)
		l->deps[l->ndeps] = deps[i], l->edges[l->ndeps] = data != NULL ? data[i] : (struct edge){0};
	return 1;
}

static void free_links(struct links *l) { free(l->deps), free(l->edges); }

// depend_each makes nodes come after others, pair by pair. The value is 0 without memory.
static int depend_each(struct node *const *from, struct node *const *to, const struct edge *data, size_t n) {
	int well = 1;
	for (size_t i = 0; i < n && well; i++)
		well = depend(to[i], &from[i], data != NULL ? &data[i] : NULL, 1);
	return well;
}

// follows makes a node come after those of a tail, and be the only one of it. overlaps says that it is a kernel that may begin
// before the end of those that are; an edge that says more than their end keeps what it says. The value is 0 without memory.
static int follows(struct node *n, struct tail *t, int overlaps) {
	const struct edge programmatic = {.from_port = 1, .type = 1};
	struct node **one = malloc(sizeof *one);
	struct edge *end = calloc(1, sizeof *end);
	int well = one != NULL && end != NULL;
	for (size_t i = 0; well && i < t->count; i++) {
		int may = overlaps && is_kernel(t->nodes[i]) && way_of(&t->edges[i]) == ENDED;
		well = depend(n, &t->nodes[i], may ? &programmatic : &t->edges[i], 1);
	}
	if (!well) {
		free(one), free(end);
		return 0;
	}
	one[0] = n;
	free(t->nodes), free(t->edges);
	*t = (struct tail){one, end, 1};
	return 1;
}

// ordered reports whether every node comes after its dependencies.
static int ordered(struct node *const *nodes, size_t count) {
	for (size_t i = 0; i < count; i++) {
		const struct links *l = links_of(nodes[i]);
		for (size_t k = 0; k < l->ndeps; k++)
			if (links_of(l->deps[k])->place >= i)
				return 0;
	}
	return 1;
}

// ready reports whether the dependencies of a node are done.
static int ready(const struct node *n) {
	const struct links *l = links_of((struct node *)n);
	for (size_t i = 0; i < l->ndeps; i++)
		if (links_of(l->deps[i])->state != DONE)
			return 0;
	return l->state != DONE;
}

// host_last puts nodes that are in order into one in which functions of the host come as late as they can: what they touch is
// compared with what the others have touched before. The value is 0 without memory.
static int host_last(struct node **nodes, size_t count) {
	struct node **list = calloc(count + 1, sizeof *list);
	if (list == NULL)
		return 0;
	for (size_t i = 0; i < count; i++)
		links_of(nodes[i])->state = NEW;
	for (size_t done = 0, host = 0; done < count; host = !host)
		for (size_t i = 0; i < count; i++)
			if (is_host(nodes[i]) == (int)host && ready(nodes[i]))
				links_of(nodes[i])->state = DONE, list[done++] = nodes[i];
	for (size_t i = 0; i < count; i++)
		nodes[i] = list[i], links_of(nodes[i])->place = i;
	free(list);
	return 1;
}

// in_order puts the nodes of a graph into an order that keeps to their dependencies: that in which they were added, but for
// nodes on which earlier ones depend. The value is 0 if nodes depend on each other in a circle, or without memory.
static int in_order(struct node **nodes, size_t count) {
	if (ordered(nodes, count))
		return 1;
	struct node **list = calloc(count, sizeof *list), **stack = calloc(count, sizeof *stack);
	size_t done = 0, depth = 0;
	int well = list != NULL && stack != NULL;
	for (size_t i = 0; i < count; i++)
		links_of(nodes[i])->state = NEW, links_of(nodes[i])->seen = 0;
	for (size_t i = 0; well && i < count; i++) {
		if (links_of(nodes[i])->state == NEW)
			links_of(nodes[i])->state = OPEN, stack[depth++] = nodes[i];
		while (well && depth > 0) {
			struct links *l = links_of(stack[depth - 1]);
			if (l->seen == l->ndeps) {
				l->state = DONE, list[done++] = stack[--depth];
				continue;
			}
			struct node *dep = l->deps[l->seen++];
			if (links_of(dep)->state == NEW)
				links_of(dep)->state = OPEN, stack[depth++] = dep;
			else
				well = links_of(dep)->state == DONE; // an open one waits for itself
		}
	}
	for (size_t i = 0; well && i < count; i++)
		nodes[i] = list[i], links_of(nodes[i])->place = i;
	free(list), free(stack);
	return well;
}

#endif

// The order of the nodes of a graph, for the graphs of both APIs. Each library includes this once, in the file that has its
// graphs.
#ifndef PTXSAN_GRAPH_ORDER_H
#define PTXSAN_GRAPH_ORDER_H

#include "handles.h"

#include <stdint.h>
#include <stdlib.h>

// links are what a node knows of the others of its graph.
struct links {
	struct node **deps; // nodes that come before it
	size_t ndeps, room;
	size_t place;      // in the list of its graph
	struct node *twin; // its latest copy
	enum { NEW, OPEN, DONE } state;
	size_t seen; // how many dependencies in_order has looked at
	size_t branch;
	uint32_t event; // its end, for nodes of other branches; 0 for none
};

static struct links *links_of(struct node *n);

// is_host reports whether a node is a function of the host.
static int is_host(const struct node *n);

// belong reports whether all nodes of a list are in a graph of these nodes.
static int belong(struct node *const *list, size_t n, struct node *const *nodes, size_t count) {
	for (size_t i = 0; i < n; i++)
		if (list[i] == NULL || links_of(list[i])->place >= count || nodes[links_of(list[i])->place] != list[i])
			return 0;
	return 1;
}

// depend makes a node come after others. The value is 0 without memory.
static int depend(struct node *n, struct node *const *deps, size_t ndeps) {
	struct links *l = links_of(n);
	if (l->ndeps + ndeps > l->room) {
		size_t room = 2 * l->room + ndeps;
		struct node **more = realloc(l->deps, room * sizeof *more);
		if (more == NULL)
			return 0;
		l->deps = more, l->room = room;
	}
	for (size_t i = 0; i < ndeps; i++)
		l->deps[l->ndeps++] = deps[i];
	return 1;
}

// follows makes a node come after those of a tail, and be the only one of it. The value is 0 without memory.
static int follows(struct node *n, struct tail *t) {
	struct node **one = malloc(sizeof *one);
	if (one == NULL || !depend(n, t->nodes, t->count)) {
		free(one);
		return 0;
	}
	one[0] = n;
	free(t->nodes);
	*t = (struct tail){one, 1};
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

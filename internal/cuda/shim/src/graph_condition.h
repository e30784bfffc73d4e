// Conditional nodes of the graphs of both APIs. The file of each library that executes nodes includes this once, with its
// API(name), a function's name.
#ifndef PTXSAN_GRAPH_CONDITION_H
#define PTXSAN_GRAPH_CONDITION_H

#include "graph_branches.h"
#include "graph_node.h"

enum { COND_IF, COND_WHILE, COND_SWITCH };

static void free_condition(struct condition *c) {
	for (unsigned i = 0; c != NULL && i < c->size; i++)
		free_graph(c->bodies[i]);
	if (c != NULL)
		free(c->bodies), free(c);
}

// new_condition makes a condition with bodies: empty ones, or copies of those of another condition.
static int new_condition(struct condition **out, int type, unsigned size, struct graph *const *bodies) {
	unsigned most = type == COND_SWITCH ? ~0u : type == COND_IF ? 2 : 1;
	*out = NULL;
	if (type < COND_IF || type > COND_SWITCH || size == 0 || size > most)
		return WIRE_INVALID_VALUE;
	struct condition *c = calloc(1, sizeof *c);
	struct graph **list = calloc(size, sizeof *list);
	if (c == NULL || list == NULL) {
		free(c), free(list);
		return WIRE_OUT_OF_MEMORY;
	}
	*c = (struct condition){type, size, list};
	int error = WIRE_OK;
	for (unsigned i = 0; i < size && error == WIRE_OK; i++) {
		if (bodies != NULL)
			error = copy_graph(&list[i], bodies[i]);
		else if ((list[i] = graph_new()) == NULL)
			error = WIRE_OUT_OF_MEMORY;
	}
	if (error != WIRE_OK)
		free_condition(c);
	else
		*out = c;
	return error;
}

static int copy_condition(struct node *to, const struct condition *c) { return c == NULL ? WIRE_OK : new_condition(&to->condition, c->type, c->size, c->bodies); }

int record_conditional(struct graph *g, struct conditional_params *p) {
	struct held *h = held_at(p->handle);
	struct node *n = h == NULL ? NULL : graph_add(g, NODE_CONDITIONAL);
	if (n == NULL)
		return h == NULL ? WIRE_INVALID_VALUE : WIRE_OUT_OF_MEMORY;
	held_take(n->memory = h);
	int error = kept(n, new_condition(&n->condition, p->type, p->size, NULL));
	if (error == WIRE_OK)
		p->bodies = n->condition->bodies;
	return error;
}

// execute_condition executes the body that the value chooses, again and again for a loop.
static int execute_condition(const struct node *n, uint32_t stream) {
	const struct condition *c = n->condition;
	for (;;) {
		uint32_t value = 0;
		int error = wire_condition(held_address(n->memory), &value);
		uint32_t body = c->type == COND_SWITCH ? value : value == 0;
		if (error != WIRE_OK || body >= c->size)
			return error;
		error = execute(c->bodies[body], stream);
		if (error != WIRE_OK || c->type != COND_WHILE)
			return error;
	}
}

// assign_conditions gives conditions of a graph the values that its launches begin with.
static int assign_conditions(const struct graph *g, uint32_t stream) {
	int error = WIRE_OK;
	for (size_t i = 0; i < g->count && error == WIRE_OK; i++) {
		const struct node *n = g->nodes[i];
		unsigned value;
		if (n->kind == NODE_CONDITIONAL && held_assigned(n->memory, &value))
			error = IN(stream, wire_fill(held_address(n->memory), sizeof value, sizeof value, value, 1, 1));
		if (n->child != NULL && error == WIRE_OK)
			error = assign_conditions(n->child, stream);
		for (unsigned k = 0; n->condition != NULL && k < n->condition->size && error == WIRE_OK; k++)
			error = assign_conditions(n->condition->bodies[k], stream);
	}
	return error;
}

#endif

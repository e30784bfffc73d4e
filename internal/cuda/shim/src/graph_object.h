// Objects of the application that graphs keep alive: the last reference to one that is released calls its destructor. A graph has
// a number of references; its copies, executable ones too, have one each. Each library includes this once.
#ifndef PTXSAN_GRAPH_OBJECT_H
#define PTXSAN_GRAPH_OBJECT_H

#include "graph_branches.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { OBJECT_DONE, OBJECT_INVALID, OBJECT_NO_MEMORY, OBJECT_NO_SYNC = 1, OBJECT_MOVE = 1 };

struct user_object {
	void *data;
	void (*destroy)(void *);
	atomic_uint references;
};

// objects are the references of a graph to an object.
struct objects {
	struct user_object *object;
	unsigned count;
	struct objects *next;
};

static int object_new(struct user_object **to, void *data, void (*destroy)(void *), unsigned references, unsigned flags) {
	if (to == NULL || destroy == NULL || references == 0 || references > 0x7fffffff || flags != OBJECT_NO_SYNC)
		return OBJECT_INVALID;
	if ((*to = malloc(sizeof **to)) == NULL)
		return OBJECT_NO_MEMORY;
	(*to)->data = data, (*to)->destroy = destroy;
	atomic_init(&(*to)->references, references);
	return OBJECT_DONE;
}

static int object_take(struct user_object *o, unsigned count) {
	if (o == NULL || count == 0 || count > 0x7fffffff)
		return OBJECT_INVALID;
	atomic_fetch_add(&o->references, count);
	return OBJECT_DONE;
}

static int object_drop(struct user_object *o, unsigned count) {
	if (o == NULL || count == 0 || count > atomic_load(&o->references))
		return OBJECT_INVALID;
	if (atomic_fetch_sub(&o->references, count) == count) {
		o->destroy(o->data);
		free(o);
	}
	return OBJECT_DONE;
}

// references is where the references of a graph to an object are, or the end of the list.
static struct objects **references(struct graph *g, const struct user_object *o) {
	struct objects **p = &g->objects;
	while (*p != NULL && (*p)->object != o)
		p = &(*p)->next;
	return p;
}

// object_hold gives a graph references to an object, those of the caller or new ones.
static int object_hold(struct graph *g, struct user_object *o, unsigned count, unsigned flags) {
	if (g == NULL || o == NULL || count == 0 || flags > OBJECT_MOVE)
		return OBJECT_INVALID;
	struct objects **p = references(g, o);
	if (*p == NULL && (*p = calloc(1, sizeof **p)) == NULL)
		return OBJECT_NO_MEMORY;
	(*p)->object = o, (*p)->count += count;
	return flags == OBJECT_MOVE ? OBJECT_DONE : object_take(o, count);
}

static int object_leave(struct graph *g, struct user_object *o, unsigned count) {
	struct objects **p = g == NULL ? NULL : references(g, o), *have = p == NULL ? NULL : *p;
	if (have == NULL || count == 0 || count > have->count)
		return OBJECT_INVALID;
	if ((have->count -= count) == 0) {
		*p = have->next;
		free(have);
	}
	return object_drop(o, count);
}

void objects_drop(struct graph *g) {
	while (g->objects != NULL)
		object_leave(g, g->objects->object, g->objects->count);
}

int objects_copy(struct graph *to, const struct graph *from) {
	for (const struct objects *o = from->objects; o != NULL; o = o->next)
		if (object_hold(to, o->object, 1, 0) != OBJECT_DONE)
			return 0;
	return 1;
}

#endif

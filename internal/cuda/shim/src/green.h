// Resources of the device, and contexts that have a part of them (green contexts, execution contexts), which are the same in both
// APIs. A context has streams of its own; its part of the multiprocessors changes nothing of what kernels compute. Each library
// includes this once, with its GREEN(name) for functions.
#ifndef PTXSAN_GREEN_H
#define PTXSAN_GREEN_H

#include "handles.h"
#include "wire.h"

#include <stdlib.h>

// CUdevResource and cudaDevResource.
enum { RESOURCE_INVALID, RESOURCE_SM };
struct multiprocessors {
	unsigned count, least, alignment, flags;
};
struct dev_resource {
	int kind;
	char padding[92];
	union {
		struct multiprocessors sm;
		char room[40];
	};
	struct dev_resource *next;
};
_Static_assert(sizeof(struct dev_resource) == 144, "of CUDA's size");

// CU_DEV_SM_RESOURCE_GROUP_PARAMS.
struct group_params {
	unsigned count, coscheduled, preferred, flags, domain, reserved[11];
};

// described is what a resource descriptor refers to.
struct described {
	struct dev_resource sm;
};

// green is a context with a part of the device, or with all of it (whole). Operations that an event has recorded of all its streams
// end in the stream past; those that its later streams wait for are in the stream future.
struct green {
	struct context context; // as which it may be current
	struct dev_resource sm;
	unsigned long long id;
	uint32_t epoch, past, future, event;
	int whole;
	uint32_t *streams;
	size_t count;
	struct green *next;
};

// device_resource describes all multiprocessors. They are few here, and can be split one by one.
static int device_resource(struct dev_resource *r, int kind) {
	int error = WIRE_OK;
	const struct wire_device *d = wire_device(&error);
	if (d == NULL)
		return error;
	if (r == NULL || kind != RESOURCE_SM)
		return kind == RESOURCE_SM ? WIRE_INVALID_VALUE : WIRE_NOT_SUPPORTED;
	*r = (struct dev_resource){.kind = RESOURCE_SM, .sm = {d->multiprocessors, 1, 1, 0}};
	return WIRE_OK;
}

// resource_of describes all multiprocessors of a device.
static int resource_of(int device, struct dev_resource *r, int kind) {
	int error = wire_exists(device);
	return error == WIRE_OK ? device_resource(r, kind) : error;
}

static struct dev_resource part_of(const struct dev_resource *whole, unsigned count) {
	struct dev_resource part = *whole;
	part.sm.count = count;
	if (count == 0)
		part.kind = RESOURCE_INVALID;
	return part;
}

EXPORT int GREEN(DevSmResourceSplitByCount)(struct dev_resource *out, unsigned *groups, const struct dev_resource *in, struct dev_resource *rest, unsigned flags, unsigned least) {
	(void)flags;
	if (groups == NULL || in == NULL || in->kind != RESOURCE_SM || least > in->sm.count)
		return failed(WIRE_INVALID_VALUE);
	unsigned size = least > in->sm.least ? least : in->sm.least;
	unsigned most = in->sm.count / size, n = out != NULL && *groups < most ? *groups : most;
	for (unsigned i = 0; out != NULL && i < n; i++)
		out[i] = part_of(in, size);
	if (rest != NULL)
		*rest = part_of(in, in->sm.count - n * size);
	*groups = n;
	return failed(WIRE_OK);
}

EXPORT int GREEN(DevSmResourceSplit)(struct dev_resource *out, unsigned groups, const struct dev_resource *in, struct dev_resource *rest, unsigned flags, struct group_params *p) {
	unsigned left = in == NULL ? 0 : in->sm.count;
	(void)flags;
	if (in == NULL || in->kind != RESOURCE_SM || p == NULL)
		return failed(WIRE_INVALID_VALUE);
	for (unsigned i = 0; i < groups; i++) {
		unsigned count = p[i].count == 0 ? left : p[i].count;
		if (count > left || count == 0)
			return failed(WIRE_INVALID_VALUE);
		p[i].count = count, left -= count;
		if (out != NULL)
			out[i] = part_of(in, count);
	}
	if (rest != NULL)
		*rest = part_of(in, left);
	return failed(WIRE_OK);
}

EXPORT int GREEN(DevResourceGenerateDesc)(struct described **out, const struct dev_resource *list, unsigned n) {
	if (out == NULL || list == NULL || n == 0)
		return failed(WIRE_INVALID_VALUE);
	struct described *d = calloc(1, sizeof *d);
	if (d == NULL)
		return failed(WIRE_OUT_OF_MEMORY);
	for (unsigned i = 0; i < n; i++) {
		if (list[i].kind != RESOURCE_SM) {
			free(d);
			return failed(WIRE_INVALID_VALUE);
		}
		unsigned before = d->sm.sm.count;
		d->sm = list[i];
		d->sm.sm.count += before;
	}
	*out = d;
	return failed(WIRE_OK);
}

static struct green *greens;
static unsigned long long made;

// known reports whether a handle is that of a context of this kind.
static int known(const struct green *g) {
	const struct green *x = __atomic_load_n(&greens, __ATOMIC_ACQUIRE);
	while (x != NULL && x != g)
		x = x->next;
	return LIVE(x);
}

// new_green makes a context. Contexts that are destroyed are only no longer live, as their streams may be.
static int new_green(struct green **out, const struct dev_resource *sm, int device, int whole) {
	struct green *g = calloc(1, sizeof *g);
	if (g == NULL)
		return WIRE_OUT_OF_MEMORY;
	g->sm = *sm, g->id = __atomic_add_fetch(&made, 1, __ATOMIC_RELAXED), g->epoch = wire_epoch(), g->whole = whole, g->context.device = device;
	g->past = wire_number(), g->future = wire_number(), g->event = wire_number();
	wire_order(ORDER_CREATE, g->past, 1);
	wire_order(ORDER_CREATE, g->future, 1);
	g->next = __atomic_load_n(&greens, __ATOMIC_ACQUIRE);
	while (!__atomic_compare_exchange_n(&greens, &g->next, g, 0, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
		;
	*out = g;
	return WIRE_OK;
}

EXPORT int GREEN(GreenCtxCreate)(struct green **out, const struct described *d, int device, unsigned flags) {
	(void)flags;
	int error = out == NULL || d == NULL ? WIRE_INVALID_VALUE : wire_exists(device);
	return failed(error == WIRE_OK ? ON_DEVICE(device, new_green(out, &d->sm, device, 0)) : error);
}

static int green_destroy(struct green *g) {
	if (!known(g) || g->whole)
		return WIRE_INVALID_VALUE;
	wire_order(ORDER_END, g->past, 0);
	wire_order(ORDER_END, g->future, 0);
	wire_order(ORDER_END_EVENT, 0, g->event);
	g->epoch = WIRE_DEAD;
	return WIRE_OK;
}

static int green_resource(const struct green *g, struct dev_resource *r, int kind) {
	if (!known(g) || r == NULL)
		return WIRE_INVALID_VALUE;
	*r = g->sm;
	return kind == RESOURCE_SM ? WIRE_OK : WIRE_NOT_SUPPORTED;
}

// green_joined makes a new stream one of a context.
static int green_joined(struct green *g, struct stream *s) {
	uint32_t *more = realloc(g->streams, (g->count + 1) * sizeof *more);
	if (more == NULL)
		return WIRE_OUT_OF_MEMORY;
	g->streams = more, g->streams[g->count++] = s->id, s->green = g;
	wire_order(ORDER_RECORD, g->future, g->event);
	return wire_order(ORDER_WAIT, s->id, g->event);
}

static int green_synchronize(const struct green *g) {
	if (!known(g))
		return WIRE_INVALID_VALUE;
	int error = g->whole ? ON_DEVICE(g->context.device, wire_order(ORDER_DEVICE, 0, 0)) : WIRE_OK;
	for (size_t i = 0; i < g->count && (error == WIRE_OK || error == WIRE_INVALID_HANDLE); i++)
		error = wire_order(ORDER_STREAM, g->streams[i], 0); // invalid for one that has been destroyed
	return error == WIRE_INVALID_HANDLE ? WIRE_OK : error;
}

// green_record records in an event all operations of a context's streams, and green_wait makes them wait for one.
static int green_record(const struct green *g, struct event *e, const char *name) {
	if (!known(g) || !LIVE(e))
		return WIRE_INVALID_HANDLE;
	if (g->whole)
		return wire_missing(LIBRARY, name);
	for (size_t i = 0; i < g->count; i++)
		if (wire_order(ORDER_RECORD, g->streams[i], g->event) == WIRE_OK)
			wire_order(ORDER_WAIT, g->past, g->event);
	e->recorded = 1;
	clock_gettime(CLOCK_MONOTONIC, &e->when);
	return wire_order(ORDER_RECORD, g->past, e->id);
}

static int green_wait(const struct green *g, struct event *e, const char *name) {
	if (!known(g) || !LIVE(e))
		return WIRE_INVALID_HANDLE;
	if (g->whole)
		return wire_missing(LIBRARY, name);
	for (size_t i = 0; i < g->count; i++)
		wire_order(ORDER_WAIT, g->streams[i], e->id);
	return wire_order(ORDER_WAIT, g->future, e->id);
}

#endif

// Memory that graphs allocate and free. It has one address for all launches, so that it is there from the time when the
// node is made until no graph is left that has a node about it. Each library includes this once.
#ifndef PTXSAN_GRAPH_MEMORY_H
#define PTXSAN_GRAPH_MEMORY_H

#include "wire.h"

#include <pthread.h>
#include <stdlib.h>

struct held {
	uint64_t address, size;
	size_t nodes; // about it
	int freed;    // by a node or by the application; else it remains when the graphs are gone
	uint32_t epoch;
	unsigned value, flags; // of a condition
	struct held *next;
};
static struct held *all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	uint64_t now, most; // bytes
} used[WIRE_DEVICES];

uint64_t held_address(const struct held *h) { return h->address; }

void held_take(struct held *h) {
	pthread_mutex_lock(&lock);
	h->nodes++;
	pthread_mutex_unlock(&lock);
}

void held_drop(struct held *h) {
	pthread_mutex_lock(&lock);
	struct held *last = --h->nodes == 0 ? h : NULL;
	for (struct held **p = &all; last != NULL && *p != NULL; p = &(*p)->next)
		if (*p == last) {
			*p = last->next;
			used[WIRE_DEVICE_OF(last->epoch)].now -= last->size;
			break;
		}
	pthread_mutex_unlock(&lock);
	if (last == NULL)
		return;
	if (last->freed && wire_live(last->epoch))
		wire_free(last->address);
	free(last);
}

// at is the memory of graphs at an address, null for other memory. The caller holds the lock.
static struct held *at(uint64_t address) {
	for (struct held *h = all; h != NULL; h = h->next)
		if (h->address == address && wire_live(h->epoch))
			return h;
	return NULL;
}

// freed is the memory of graphs at an address, which is freed; null for other memory.
static struct held *freed(uint64_t address) {
	pthread_mutex_lock(&lock);
	struct held *h = at(address);
	if (h != NULL)
		h->freed = 1;
	pthread_mutex_unlock(&lock);
	return h;
}

int held_freed(uint64_t address) { return freed(address) != NULL; }

// hold allocates memory of graphs, on the device of a pool.
static int hold(struct held **out, struct wire_pool *pool, size_t size) {
	struct held *h = *out = calloc(1, sizeof *h);
	int error = h == NULL ? WIRE_OUT_OF_MEMORY : size == 0 ? WIRE_INVALID_VALUE : wire_pool_alloc(pool, size, &h->address);
	if (error != WIRE_OK) {
		free(h);
		return error;
	}
	h->size = size, h->epoch = ON_DEVICE(wire_pool_home(pool), (int)wire_epoch());
	pthread_mutex_lock(&lock);
	uint64_t *now = &used[WIRE_DEVICE_OF(h->epoch)].now, *most = &used[WIRE_DEVICE_OF(h->epoch)].most;
	*now += size, *most = *now > *most ? *now : *most;
	h->next = all, all = h;
	pthread_mutex_unlock(&lock);
	return WIRE_OK;
}

int record_alloc(struct graph *g, struct wire_pool *pool, size_t size, uint64_t *address) {
	struct held *h;
	int error = hold(&h, pool, size);
	if (error == WIRE_OK)
		*address = h->address;
	return error == WIRE_OK ? record_memory(g, NODE_ALLOC, h) : error;
}

int record_params(struct graph *g, struct alloc_params *p) {
	struct wire_homes of = {.home = (uint32_t)p->properties.location.id};
	int error = wire_exists(p->properties.location.id);
	if (error == WIRE_OK)
		error = wire_pool_devices(&of, p->access, p->access_count);
	if (error == WIRE_OK)
		error = record_alloc(g, wire_pool_default(of.home), p->size, &p->address);
	if (error == WIRE_OK && of.devices != 0)
		wire_peer(PEER_ALLOW, p->address, of.devices);
	return error;
}

int held_condition(unsigned value, unsigned flags, uint64_t *handle) {
	struct held *h;
	int error = hold(&h, wire_pool_default(wire_current_device()), sizeof value);
	if (error != WIRE_OK)
		return error;
	h->value = value, h->flags = flags, h->freed = 1;
	*handle = h->address;
	return wire_fill(h->address, sizeof value, sizeof value, value, 1, 1);
}

struct held *held_at(uint64_t handle) {
	pthread_mutex_lock(&lock);
	struct held *h = at(handle);
	pthread_mutex_unlock(&lock);
	return h;
}

int held_assigned(const struct held *h, unsigned *value) {
	enum { ASSIGN_DEFAULT = 1 };
	*value = h->value;
	return (h->flags & ASSIGN_DEFAULT) != 0;
}

int record_free(struct graph *g, uint64_t address) {
	struct held *h = freed(address);
	return h == NULL ? WIRE_INVALID_VALUE : record_memory(g, NODE_FREE, h);
}

// graph_memory_get is an attribute of the memory of all graphs on a device (cudaGraphMemAttributeType): what is in use is what is
// reserved.
static inline int graph_memory_get(int device, int what, uint64_t *value) {
	enum { USED, MOST_USED, RESERVED, MOST_RESERVED };
	int error = value == NULL || what < USED || what > MOST_RESERVED ? WIRE_INVALID_VALUE : wire_exists(device);
	if (error != WIRE_OK)
		return error;
	pthread_mutex_lock(&lock);
	*value = what == USED || what == RESERVED ? used[device].now : used[device].most;
	pthread_mutex_unlock(&lock);
	return wire_ready();
}

// graph_memory_set sets a high mark back, which is all that can be set.
static inline int graph_memory_set(int device, int what, const uint64_t *value) {
	enum { MOST_USED = 1, MOST_RESERVED = 3 };
	int error = value == NULL || *value != 0 || (what != MOST_USED && what != MOST_RESERVED) ? WIRE_INVALID_VALUE : wire_exists(device);
	if (error != WIRE_OK)
		return error;
	pthread_mutex_lock(&lock);
	used[device].most = used[device].now;
	pthread_mutex_unlock(&lock);
	return wire_ready();
}

#endif

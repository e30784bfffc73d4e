// Memory that graphs allocate and free. It has one address for all launches, so that it is there from the time when the
// node is made until no graph is left that has a node about it. Each library includes this once.
#ifndef PTXSAN_GRAPH_MEMORY_H
#define PTXSAN_GRAPH_MEMORY_H

#include "wire.h"

#include <pthread.h>
#include <stdlib.h>

struct held {
	uint64_t address;
	size_t nodes; // about it
	int freed;    // by a node or by the application; else it remains when the graphs are gone
	uint32_t epoch;
	struct held *next;
};
static struct held *all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

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
			break;
		}
	pthread_mutex_unlock(&lock);
	if (last == NULL)
		return;
	if (last->freed && last->epoch == wire_epoch())
		wire_free(last->address);
	free(last);
}

// at is the memory of graphs at an address, null for other memory. The caller holds the lock.
static struct held *at(uint64_t address) {
	for (struct held *h = all; h != NULL; h = h->next)
		if (h->address == address && h->epoch == wire_epoch())
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

int record_alloc(struct graph *g, struct wire_pool *pool, size_t size, uint64_t *address) {
	int error = size == 0 ? WIRE_INVALID_VALUE : wire_pool_alloc(pool, size, address);
	if (error != WIRE_OK)
		return error;
	struct held *h = calloc(1, sizeof *h);
	if (h == NULL)
		return WIRE_OUT_OF_MEMORY;
	h->address = *address, h->epoch = wire_epoch();
	pthread_mutex_lock(&lock);
	h->next = all, all = h;
	pthread_mutex_unlock(&lock);
	return record_memory(g, NODE_ALLOC, h);
}

int record_free(struct graph *g, uint64_t address) {
	struct held *h = freed(address);
	return h == NULL ? WIRE_INVALID_VALUE : record_memory(g, NODE_FREE, h);
}

#endif

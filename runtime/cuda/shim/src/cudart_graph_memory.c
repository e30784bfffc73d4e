// Memory that graphs allocate and free. It has one address for all launches, so that it is there from the time when the
// node is made until no graph is left that has a node about it.
#include "cudart_graph.h"

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

cudaError_t record_alloc(struct graph *g, struct wire_pool *pool, size_t size, uint64_t *address) {
	cudaError_t error = wire_pool_alloc(pool, size, address);
	if (error != cudaSuccess)
		return error;
	struct held *h = calloc(1, sizeof *h);
	if (h == NULL)
		return cudaErrorMemoryAllocation;
	h->address = *address, h->epoch = wire_epoch();
	pthread_mutex_lock(&lock);
	h->next = all, all = h;
	pthread_mutex_unlock(&lock);
	return record_memory(g, NODE_ALLOC, h);
}

cudaError_t record_free(struct graph *g, uint64_t address) {
	struct held *h = freed(address);
	return h == NULL ? cudaErrorInvalidValue : record_memory(g, NODE_FREE, h);
}

// cudaMemAllocNodeParams.
struct alloc_params {
	struct wire_pool_properties properties;
	char reserved[56];
	const struct wire_pool_access *access;
	size_t access_count, size;
	uint64_t address;
};
_Static_assert(sizeof(struct alloc_params) == 120, "of CUDA's size");

EXPORT cudaError_t cudaGraphAddMemAllocNode(struct node **out, struct graph *g, struct node *const *deps, size_t n, struct alloc_params *p) {
	return added(out, g, deps, n, record_alloc(g, wire_pool_default(), p->size, &p->address));
}

EXPORT cudaError_t cudaGraphAddMemFreeNode(struct node **out, struct graph *g, struct node *const *deps, size_t n, void *p) {
	return added(out, g, deps, n, record_free(g, (uint64_t)p));
}

// Memory pools (CUDA Runtime API, "Stream Ordered Memory Allocator"), which both APIs share. Memory that is
// freed goes back to the device at once, so that a pool has reserved what is in use, and nothing else.
#include "wire_line.h"

#include <stdlib.h>
#include <string.h>

// The numbers of cudaMemPoolAttr and CUmemPool_attribute.
enum {
	REUSE_FOLLOW_EVENTS = 1,
	REUSE_OPPORTUNISTIC,
	REUSE_INTERNAL_DEPENDENCIES,
	RELEASE_THRESHOLD,
	RESERVED_NOW,
	RESERVED_HIGH,
	USED_NOW,
	USED_HIGH,
};

struct wire_pool {
	int reuse[3]; // REUSE_..., without effect
	uint64_t threshold, most, used, reserved_high, used_high;
	struct wire_homes of;
	int ended; // destroyed, with memory that is still in use
	struct wire_pool *next;
};

// A block is memory of a pool that is in use.
struct block {
	uint64_t address, size;
	struct wire_pool *pool;
	struct block *next;
};
enum { BUCKETS = 4096 };
static struct block *blocks[BUCKETS]; // by address

static struct wire_pool firsts[WIRE_DEVICES]; // the devices' own, made at the first use of any pool
static struct wire_pool *current[WIRE_DEVICES];
static struct wire_pool *pools; // others

// make_firsts makes the devices' own pools, once. The caller holds the lock.
static void make_firsts(void) {
	for (uint32_t d = 0; d < WIRE_DEVICES && current[d] == NULL; d++) {
		firsts[d] = (struct wire_pool){.reuse = {1, 1, 1}, .of = {d, 0}};
		current[d] = &firsts[d];
	}
}

static int is_first(const struct wire_pool *pool) { return pool >= firsts && pool < firsts + WIRE_DEVICES; }

static struct block **bucket(uint64_t address) { return &blocks[(address >> 8) % BUCKETS]; }

// known reports whether a handle is that of a pool that has not been destroyed.
static int known(const struct wire_pool *pool) {
	make_firsts();
	if (is_first(pool))
		return 1;
	for (const struct wire_pool *p = pools; p != NULL; p = p->next)
		if (p == pool)
			return !p->ended;
	return 0;
}

// drop frees a pool that has been destroyed and has no memory in use.
static void drop(struct wire_pool *pool) {
	for (struct wire_pool **p = &pools; *p != NULL && !is_first(pool) && pool->ended && pool->used == 0; p = &(*p)->next)
		if (*p == pool) {
			*p = pool->next;
			free(pool);
			return;
		}
}

struct wire_pool *wire_pool_default(uint32_t device) { return &firsts[device]; }

uint32_t wire_pool_home(const struct wire_pool *pool) { return pool->of.home; }

struct wire_pool *wire_pool_current(uint32_t device) {
	line_take();
	make_firsts();
	struct wire_pool *pool = current[device];
	line_give();
	return pool;
}

int wire_pool_use(uint32_t device, struct wire_pool *pool) {
	line_take();
	int error = known(pool) && pool->of.home == device ? line_ready() : WIRE_INVALID_VALUE;
	if (error == WIRE_OK)
		current[device] = pool;
	line_give();
	return error;
}

int wire_pool_create(const struct wire_pool_properties *properties, struct wire_pool **out) {
	enum { PINNED = 1, ON_DEVICE = 1 };
	if (properties == NULL || out == NULL || properties->kind != PINNED)
		return WIRE_INVALID_VALUE;
	if (properties->handles != 0 || properties->location.kind != ON_DEVICE)
		return WIRE_NOT_SUPPORTED;
	int exists = wire_exists(properties->location.id);
	if (exists != WIRE_OK)
		return exists;
	struct wire_pool *pool = calloc(1, sizeof *pool);
	if (pool == NULL)
		return WIRE_OUT_OF_MEMORY;
	*pool = (struct wire_pool){.reuse = {1, 1, 1}, .most = properties->most, .of = {properties->location.id, 0}};
	line_take();
	int error = line_ready();
	if (error == WIRE_OK) {
		pool->next = pools, pools = pool;
		*out = pool;
	}
	line_give();
	if (error != WIRE_OK)
		free(pool);
	return error;
}

int wire_pool_destroy(struct wire_pool *pool) {
	line_take();
	int error = !is_first(pool) && known(pool) ? WIRE_OK : WIRE_INVALID_VALUE;
	if (error == WIRE_OK) {
		if (current[pool->of.home] == pool)
			current[pool->of.home] = &firsts[pool->of.home];
		pool->ended = 1;
		drop(pool);
	}
	line_give();
	return error;
}

// allocate allocates memory, in a stream or for a graph.
static int allocate(uint64_t size, struct wire_homes of, uint64_t *address) {
	if (!wire_waits())
		line_orders();
	return wire_alloc_of_pool(size, of, address);
}

int wire_pool_alloc(struct wire_pool *pool, uint64_t size, uint64_t *address) {
	struct block *b = malloc(sizeof *b);
	if (b == NULL)
		return WIRE_OUT_OF_MEMORY;
	line_take();
	int error = known(pool) ? line_ready() : WIRE_INVALID_VALUE;
	if (error == WIRE_OK && pool->most != 0 && (size > pool->most || pool->used > pool->most - size))
		error = WIRE_OUT_OF_MEMORY;
	line_give();
	if (error == WIRE_OK)
		error = allocate(size, pool->of, address);
	if (error != WIRE_OK) {
		free(b);
		return error;
	}
	line_take();
	struct block **head = bucket(*address);
	*b = (struct block){*address, size, pool, *head};
	*head = b;
	pool->used += size;
	pool->used_high = pool->used > pool->used_high ? pool->used : pool->used_high;
	pool->reserved_high = pool->used > pool->reserved_high ? pool->used : pool->reserved_high;
	line_give();
	return WIRE_OK;
}

void line_pool_freed(uint64_t address) {
	for (struct block **p = bucket(address); *p != NULL; p = &(*p)->next) {
		struct block *b = *p;
		if (b->address != address)
			continue;
		*p = b->next;
		b->pool->used -= b->size;
		drop(b->pool);
		free(b);
		return;
	}
}

void line_pool_reset(void) {
	uint32_t d = wire_current_device();
	for (size_t i = 0; i < BUCKETS; i++)
		for (struct block **at = &blocks[i], *b; (b = *at) != NULL;) {
			if (b->pool->of.home != d) {
				at = &b->next;
				continue;
			}
			*at = b->next;
			free(b);
		}
	for (struct wire_pool **at = &pools, *p; (p = *at) != NULL;) {
		if (p->of.home != d) {
			at = &p->next;
			continue;
		}
		*at = p->next;
		free(p);
	}
	firsts[d] = (struct wire_pool){.reuse = {1, 1, 1}, .of = {d, 0}};
	current[d] = &firsts[d];
}

int wire_pool_get(struct wire_pool *pool, int attribute, void *value) {
	line_take();
	int error = value != NULL && known(pool) ? WIRE_OK : WIRE_INVALID_VALUE;
	if (error == WIRE_OK)
		switch (attribute) {
		case REUSE_FOLLOW_EVENTS:
		case REUSE_OPPORTUNISTIC:
		case REUSE_INTERNAL_DEPENDENCIES: *(int *)value = pool->reuse[attribute - REUSE_FOLLOW_EVENTS]; break;
		case RELEASE_THRESHOLD: *(uint64_t *)value = pool->threshold; break;
		case RESERVED_NOW:
		case USED_NOW: *(uint64_t *)value = pool->used; break;
		case RESERVED_HIGH: *(uint64_t *)value = pool->reserved_high; break;
		case USED_HIGH: *(uint64_t *)value = pool->used_high; break;
		default: error = WIRE_INVALID_VALUE;
		}
	line_give();
	return error;
}

// lower sets a high-water mark back, which the value 0 asks for.
static int lower(uint64_t *mark, uint64_t value, uint64_t used) {
	if (value != 0)
		return WIRE_INVALID_VALUE;
	*mark = used;
	return WIRE_OK;
}

int wire_pool_set(struct wire_pool *pool, int attribute, const void *value) {
	line_take();
	int error = value != NULL && known(pool) ? WIRE_OK : WIRE_INVALID_VALUE;
	if (error == WIRE_OK)
		switch (attribute) {
		case REUSE_FOLLOW_EVENTS:
		case REUSE_OPPORTUNISTIC:
		case REUSE_INTERNAL_DEPENDENCIES: pool->reuse[attribute - REUSE_FOLLOW_EVENTS] = *(const int *)value; break;
		case RELEASE_THRESHOLD: pool->threshold = *(const uint64_t *)value; break;
		case RESERVED_HIGH: error = lower(&pool->reserved_high, *(const uint64_t *)value, pool->used); break;
		case USED_HIGH: error = lower(&pool->used_high, *(const uint64_t *)value, pool->used); break;
		default: error = WIRE_INVALID_VALUE;
		}
	line_give();
	return error;
}

int wire_pool_check(struct wire_pool *pool) {
	line_take();
	int error = known(pool) ? line_ready() : WIRE_INVALID_VALUE;
	line_give();
	return error;
}

// Places, by CUDA's numbers: before CUDA 12.2 the number of a device stood for one.
enum { PLACE_NONE, PLACE_DEVICE, PLACE_HOST };
enum { HOST_DEVICE = -1 };

struct wire_pool_location wire_place_of(int device) { return (struct wire_pool_location){device == HOST_DEVICE ? PLACE_HOST : PLACE_DEVICE, device}; }

int wire_place(struct wire_pool_location location) { return location.kind == PLACE_DEVICE ? wire_exists(location.id) : wire_ready(); }

// The device that the memory is on has all access, which cannot be taken from it. Others have none at first.
enum { NO_ACCESS = 0, READ_AND_WRITE = 3 };

int wire_pool_access(struct wire_pool *pool, const struct wire_pool_location *location, int *access) {
	int error = wire_pool_check(pool);
	if (error != WIRE_OK || location == NULL || access == NULL)
		return error != WIRE_OK ? error : WIRE_INVALID_VALUE;
	if ((error = wire_exists(location->id)) == WIRE_OK)
		*access = location->id == (int)pool->of.home || pool->of.devices >> location->id & 1 ? READ_AND_WRITE : NO_ACCESS;
	return error;
}

int wire_pool_devices(struct wire_homes *of, const struct wire_pool_access *list, size_t n) {
	for (size_t i = 0; i < n; i++) {
		int id = list[i].location.id, all = list[i].access == READ_AND_WRITE, error = wire_exists(id);
		if (error == WIRE_OK && !all && (list[i].access != NO_ACCESS || id == (int)of->home))
			error = WIRE_INVALID_VALUE;
		if (error != WIRE_OK)
			return error;
		of->devices = all ? of->devices | 1ull << id : of->devices & ~(1ull << id);
	}
	return WIRE_OK;
}

// allow sets which devices have access to memory of a pool, what is in use and what will be.
static int allow(struct wire_pool *pool, uint64_t devices) {
	line_take();
	int error = line_ready();
	for (size_t i = 0; i < BUCKETS; i++)
		for (const struct block *b = blocks[i]; error == WIRE_OK && b != NULL; b = b->next) {
			uint64_t request[] = {PEER_ALLOW, b->address, devices};
			struct wire_part part = {request, sizeof request};
			if (b->pool == pool)
				error = line_exchange(OP_PEER, &part, 1, NULL, 0);
		}
	if (error == WIRE_OK)
		pool->of.devices = devices;
	line_give();
	return error;
}

int wire_pool_allow(struct wire_pool *pool, const struct wire_pool_access *list, size_t n) {
	int error = wire_pool_check(pool);
	struct wire_homes of = error == WIRE_OK ? pool->of : (struct wire_homes){0};
	if (error == WIRE_OK)
		error = wire_pool_devices(&of, list, n);
	return error == WIRE_OK ? allow(pool, of.devices) : error;
}

void wire_pool_event(enum wire_pool_event what, uint64_t address, uint64_t size, const char *name) {
	enum { LONGEST = 1 << 10 };
	uint64_t request[] = {what, address, size};
	size_t length = strlen(name);
	struct wire_part parts[] = {{request, sizeof request}, {name, length < LONGEST ? length : LONGEST}};
	line_take();
	int connected = line_own();
	line_give();
	if (connected)
		wire_call(OP_POOL, parts, 2, NULL, 0, NULL);
}

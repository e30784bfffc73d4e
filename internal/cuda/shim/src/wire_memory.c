// Memory over the connection: allocations, of which those that the application can reach are
// mapped in its process, and copies.
#define _GNU_SOURCE
#include "wire_line.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Allocations that the application can reach are mapped at the address that they have on
// the device.
struct mapping {
	uint64_t address, size;
	uint32_t home; // the device with whose reset it ends
	struct mapping *next;
};
static struct mapping *mappings;

int line_shares(void) { return __atomic_load_n(&mappings, __ATOMIC_RELAXED) != NULL; }

static int map(uint64_t address, uint64_t size, uint32_t home, int fd) {
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), start = address & ~(page - 1);
	uint64_t length = (address - start + (size > 0 ? size : 1) + page - 1) & ~(page - 1);
	void *at = mmap((void *)start, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);
	if (at == MAP_FAILED)
		return -1;
	if (at != (void *)start) { // a kernel that does not know the flag
		munmap(at, length);
		return -1;
	}
	struct mapping *m = malloc(sizeof *m);
	if (m == NULL) {
		munmap(at, length);
		return -1;
	}
	*m = (struct mapping){start, length, home, mappings};
	__atomic_store_n(&mappings, m, __ATOMIC_RELAXED);
	return 0;
}

static void unmap(uint64_t address) {
	uint64_t start = address & ~((uint64_t)sysconf(_SC_PAGESIZE) - 1);
	for (struct mapping **p = &mappings; *p != NULL; p = &(*p)->next) {
		struct mapping *m = *p;
		if (m->address != start)
			continue;
		munmap((void *)m->address, m->size);
		*p = m->next;
		free(m);
		return;
	}
}

static void unmap_all(uint32_t home) {
	for (struct mapping **p = &mappings, *m; (m = *p) != NULL;) {
		if (m->home != home) {
			p = &m->next;
			continue;
		}
		munmap((void *)m->address, m->size);
		*p = m->next;
		free(m);
	}
}

int wire_reset(void) {
	int before = wire_sticky(), fault = wire_order(ORDER_DEVICE, 0, 0);
	wire_unregister_all();
	line_take();
	int error = line_connected();
	if (error == WIRE_OK)
		error = line_exchange(OP_RESET, NULL, 0, NULL, 0);
	if (error == WIRE_OK) {
		if (before != WIRE_OK) // the application has got it
			fault = WIRE_OK;
		line_sticky(WIRE_OK);
		unmap_all(wire_current_device());
		line_pool_reset();
		wire_end_epoch();
	}
	line_give();
	return error != WIRE_OK ? error : fault;
}

int mapped_here(uintptr_t host, size_t size) {
	for (struct mapping *m = mappings; m != NULL; m = m->next)
		if (host - m->address < m->size && size <= m->size - (host - m->address))
			return 1;
	return 0;
}

// accept_mapping maps the memory that came with the last reply.
static int accept_mapping(uint64_t address, uint64_t size, uint32_t home) {
	int fd = line_passed(), failed = fd < 0 || map(address, size, home, fd) < 0;
	if (fd >= 0)
		close(fd);
	return failed;
}

// allocate is wire_alloc for who holds the lock, also of pitched memory. Where something else of the
// application's lies at the address, another one is asked for.
static int allocate(uint64_t size, uint32_t flags, struct wire_homes of, uint64_t pitch, uint64_t width, uint64_t *address) {
	enum { ATTEMPTS = 64 };
	struct {
		uint64_t size;
		uint32_t flags, home;
		uint64_t devices, pitch, width;
	} request = {size, flags, of.home, of.devices, pitch, width};
	struct wire_part part = {&request, sizeof request};
	for (int i = 0; i < ATTEMPTS; i++) {
		int error = line_exchange(OP_ALLOC, &part, 1, address, sizeof *address);
		if (error != WIRE_OK || !(flags & WIRE_HOST_VISIBLE))
			return error;
		if (!accept_mapping(*address, size, wire_current_device()))
			return WIRE_OK;
		struct wire_part refused = {address, sizeof *address};
		if ((error = line_exchange(OP_FREE, &refused, 1, NULL, 0)) != WIRE_OK)
			return error;
	}
	return WIRE_OUT_OF_MEMORY;
}

int wire_managed(uint64_t module, const char *name, uint64_t *address) {
	uint64_t reply[2] = {0};
	struct wire_part parts[] = {{&module, sizeof module}, {name, strlen(name)}};
	line_take();
	int error = line_ready();
	if (error == WIRE_OK)
		error = line_exchange(OP_MANAGED, parts, 2, reply, sizeof reply);
	enum { NONE = WIRE_DEVICES }; // devices share a variable, which no reset of one of them ends
	uint32_t home = line_devices() > 1 ? NONE : 0;
	if (error == WIRE_OK && reply[0] != 0 && accept_mapping(reply[0], reply[1], home))
		error = WIRE_OUT_OF_MEMORY;
	line_give();
	*address = reply[0];
	return error;
}

static int reserve(uint64_t size, uint32_t flags, struct wire_homes of, uint64_t pitch, uint64_t width, uint64_t *address) {
	line_take();
	int error = line_ready();
	if (error == WIRE_OK)
		error = allocate(size, flags, of, pitch, width, address);
	line_give();
	return error;
}

int wire_alloc(uint64_t size, uint32_t flags, uint64_t *address) { return reserve(size, flags, (struct wire_homes){0}, 0, 0, address); }

int wire_alloc_of_pool(uint64_t size, struct wire_homes of, uint64_t *address) { return reserve(size, WIRE_POOL, of, 0, 0, address); }

int wire_alloc_rows(uint64_t pitch, uint64_t width, uint64_t rows, uint64_t *address) {
	return reserve(pitch * rows, WIRE_DEVICE_MEMORY, (struct wire_homes){0}, pitch, width, address);
}

int wire_unwritten(uint64_t address) {
	struct wire_part part = {&address, sizeof address};
	return wire_call(OP_UNWRITTEN, &part, 1, NULL, 0, NULL);
}

int wire_condition(uint64_t address, uint32_t *value) {
	struct wire_part part = {&address, sizeof address};
	int error = wire_call(OP_CONDITION, &part, 1, value, sizeof *value, NULL);
	return error == WIRE_OK ? wire_fault() : error;
}

int wire_free(uint64_t address) {
	struct wire_part part = {&address, sizeof address};
	int error = wire_call(OP_FREE, &part, 1, NULL, 0, NULL);
	if (error != WIRE_OK)
		return error;
	line_take();
	unmap(address);
	line_pool_freed(address);
	line_give();
	return wire_sticky();
}

// finished is the result of a copy, by which the host may hear of a fault.
static int finished(int error) { return error == WIRE_OK && wire_waits() ? wire_fault() : error; }

int wire_unreachable(const void *host) {
	unsigned char there;
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	if (mincore((void *)((uintptr_t)host & ~(page - 1)), 1, &there) == 0 || errno != ENOMEM)
		return 0;
	struct wire_pointer p;
	return wire_pointer((uint64_t)host, &p) == WIRE_OK && p.known;
}

static int write_all(uint64_t to, const void *from, uint64_t size) {
	int error = WIRE_OK;
	for (uint64_t n; error == WIRE_OK && size > 0; to += n, from = (const char *)from + n, size -= n) {
		n = size < WIRE_CHUNK ? size : WIRE_CHUNK;
		struct wire_part parts[] = {{&to, sizeof to}, {from, n}};
		error = wire_call(OP_WRITE, parts, 2, NULL, 0, NULL);
	}
	return error;
}

static int read_all(void *to, uint64_t from, uint64_t size) {
	int error = WIRE_OK;
	for (uint64_t n; error == WIRE_OK && size > 0; to = (char *)to + n, from += n, size -= n) {
		n = size < WIRE_CHUNK ? size : WIRE_CHUNK;
		uint64_t request[] = {from, n};
		struct wire_part part = {request, sizeof request};
		error = wire_call(OP_READ, &part, 1, to, n, NULL);
	}
	return error;
}

// Memory that the host can reach may be protected, and a copy of it is one on the device.
int wire_write(uint64_t to, const void *from, uint64_t size) {
	if (from == NULL && size > 0)
		return WIRE_INVALID_VALUE;
	uint64_t device = wire_visible(from, size);
	if (device != 0)
		return wire_copy(to, device, size);
	if (wire_unreachable(from))
		return WIRE_INVALID_VALUE;
	return finished(PARTS(write_all(to, from, size)));
}

int wire_read(void *to, uint64_t from, uint64_t size) {
	if (to == NULL && size > 0)
		return WIRE_INVALID_VALUE;
	uint64_t device = wire_visible(to, size);
	if (device != 0)
		return wire_copy(device, from, size);
	if (wire_unreachable(to))
		return WIRE_INVALID_VALUE;
	return finished(PARTS(read_all(to, from, size)));
}

int wire_copy(uint64_t to, uint64_t from, uint64_t size) {
	uint64_t request[] = {to, from, size};
	struct wire_part part = {request, sizeof request};
	return finished(wire_call(OP_COPY, &part, 1, NULL, 0, NULL));
}

int wire_fill(uint64_t to, uint64_t pitch, uint32_t element, uint32_t value, uint64_t width, uint64_t height) {
	uint64_t request[] = {to, pitch, element, value, width, height};
	struct wire_part part = {request, sizeof request};
	return wire_call(OP_FILL, &part, 1, NULL, 0, NULL);
}

int wire_virtual(enum wire_virtual what, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t *result) {
	uint64_t request[] = {what, a, b, c, d};
	struct wire_part part = {request, sizeof request};
	return wire_call(OP_VIRTUAL, &part, 1, result, result == NULL ? 0 : sizeof *result, NULL);
}

int wire_share(enum wire_share what, uint64_t a, uint64_t b, uint64_t *result) {
	uint64_t request[] = {what, a, b};
	struct wire_part part = {request, sizeof request};
	line_orders(); // with what other processes do
	return wire_call(OP_SHARE, &part, 1, result, result == NULL ? 0 : sizeof *result, NULL);
}

int wire_endpoint(enum wire_endpoint what, uint32_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t *result) {
	uint64_t request[] = {what, number, a, b, c, d};
	struct wire_part part = {request, sizeof request};
	return wire_call(OP_ENDPOINT, &part, 1, result, result == NULL ? 0 : sizeof *result, NULL);
}

int wire_peer(enum wire_peer what, uint64_t a, uint64_t b) {
	uint64_t request[] = {what, a, b};
	struct wire_part part = {request, sizeof request};
	return wire_call(OP_PEER, &part, 1, NULL, 0, NULL);
}

int wire_multicast(enum wire_multicast what, uint64_t handle, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t *result) {
	uint64_t request[] = {what, handle, a, b, c, d};
	struct wire_part part = {request, sizeof request};
	return wire_call(OP_MULTICAST, &part, 1, result, result == NULL ? 0 : sizeof *result, NULL);
}

int wire_create(uint64_t bytes, uint32_t device, const void *properties, size_t size, uint64_t *handle) {
	uint64_t request[] = {VIRTUAL_CREATE, bytes, device, 0, 0};
	struct wire_part parts[] = {{request, sizeof request}, {properties, size}};
	return wire_call(OP_VIRTUAL, parts, 2, handle, sizeof *handle, NULL);
}

int wire_properties(uint64_t handle, void *properties, size_t size) {
	uint64_t request[] = {VIRTUAL_PROPERTIES, handle, 0, 0, 0};
	struct wire_part part = {request, sizeof request};
	return wire_call(OP_VIRTUAL, &part, 1, properties, size, NULL);
}

int wire_pointer(uint64_t address, struct wire_pointer *p) {
	struct wire_part part = {&address, sizeof address};
	return wire_call(OP_POINTER, &part, 1, p, sizeof *p, NULL);
}

int wire_memory(uint64_t *free_bytes, uint64_t *total) {
	uint64_t reply[2];
	int error = wire_call(OP_MEMORY, NULL, 0, reply, sizeof reply, NULL);
	if (error == WIRE_OK)
		*free_bytes = reply[0], *total = reply[1];
	return error;
}

// Memory of the host that the application registers (cudaHostRegister, cuMemHostRegister). Its
// pages are moved into an allocation that the device sees, and mapped again where they were:
// the host keeps its addresses, and both sides have one memory. The device's addresses are
// others.
#define _GNU_SOURCE
#include "wire_line.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct registered {
	uintptr_t start, length; // whole pages
	uintptr_t host, size;    // as the application said
	uint64_t allocation, device;
	struct registered *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct registered *list;

static struct registered **find(uintptr_t host) {
	struct registered **p = &list;
	while (*p != NULL && (host < (*p)->host || host - (*p)->host >= (*p)->size))
		p = &(*p)->next;
	return p;
}

// share moves the pages of r into its allocation.
static int share(struct registered *r, uintptr_t page) {
	int error = wire_alloc(r->length + page, WIRE_REGISTERED, &r->allocation);
	if (error != WIRE_OK)
		return error;
	uintptr_t pages = (r->allocation + page - 1) & ~(page - 1);
	memcpy((void *)pages, (void *)r->start, r->length);
	// Of a size of 0 bytes, mremap makes a second mapping of the same pages.
	if (mremap((void *)pages, 0, r->length, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)r->start) == MAP_FAILED) {
		wire_free(r->allocation);
		return WIRE_NOT_SUPPORTED;
	}
	r->device = pages + (r->host - r->start);
	wire_alias(pages, r->start, r->length);
	return WIRE_OK;
}

int wire_register(void *p, size_t size) {
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), host = (uintptr_t)p;
	if (p == NULL || size == 0 || wire_unreachable(p))
		return WIRE_INVALID_VALUE;
	struct registered *r = calloc(1, sizeof *r);
	if (r == NULL)
		return WIRE_OUT_OF_MEMORY;
	r->host = host, r->size = size, r->start = host & ~(page - 1);
	r->length = ((host + size + page - 1) & ~(page - 1)) - r->start;
	pthread_mutex_lock(&lock);
	int error = *find(host) != NULL ? WIRE_ALREADY_REGISTERED : share(r, page);
	if (error == WIRE_OK)
		r->next = list, list = r;
	else
		free(r);
	pthread_mutex_unlock(&lock);
	return error;
}

// end makes the pages of registered memory private again, with what they hold.
static int end(struct registered **at) {
	struct registered *r = *at;
	const void *contents = (const void *)(r->device - (r->host - r->start));
	void *again = mmap((void *)r->start, r->length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (again != MAP_FAILED)
		memcpy(again, contents, r->length);
	wire_unalias(r->start);
	wire_free(r->allocation);
	*at = r->next;
	free(r);
	return again == MAP_FAILED ? WIRE_OUT_OF_MEMORY : WIRE_OK;
}

int wire_unregister(void *p) {
	pthread_mutex_lock(&lock);
	struct registered **at = find((uintptr_t)p);
	int error = *at == NULL || (*at)->host != (uintptr_t)p ? WIRE_NOT_REGISTERED : end(at);
	pthread_mutex_unlock(&lock);
	return error;
}

void wire_unregister_all(void) {
	pthread_mutex_lock(&lock);
	while (list != NULL)
		end(&list);
	pthread_mutex_unlock(&lock);
}

// Memory that was allocated here has one address for both; registered memory has two.
int wire_device_pointer(void *host, uint64_t *device) {
	pthread_mutex_lock(&lock);
	struct registered *r = *find((uintptr_t)host);
	*device = r == NULL ? (uint64_t)host : r->device + ((uintptr_t)host - r->host);
	pthread_mutex_unlock(&lock);
	if (r != NULL)
		return WIRE_OK;
	struct wire_pointer w;
	int error = wire_pointer((uint64_t)host, &w);
	return error != WIRE_OK ? error : w.host_visible ? WIRE_OK : WIRE_INVALID_VALUE;
}

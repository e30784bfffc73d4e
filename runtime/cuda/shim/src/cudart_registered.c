// Memory of the host that the application registers (cudaHostRegister). Its pages are moved
// into an allocation that the device sees, and mapped again where they were: the host keeps
// its addresses, and both sides have one memory. The device's addresses are others.
#define _GNU_SOURCE
#include "cudart.h"

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
static cudaError_t share(struct registered *r, uintptr_t page) {
	cudaError_t error = wire_alloc(r->length + page, WIRE_HOST_VISIBLE, &r->allocation);
	if (error != cudaSuccess)
		return error;
	uintptr_t pages = (r->allocation + page - 1) & ~(page - 1);
	memcpy((void *)pages, (void *)r->start, r->length);
	// Of a size of 0 bytes, mremap makes a second mapping of the same pages.
	if (mremap((void *)pages, 0, r->length, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)r->start) == MAP_FAILED) {
		wire_free(r->allocation);
		return cudaErrorNotSupported;
	}
	r->device = pages + (r->host - r->start);
	return cudaSuccess;
}

EXPORT cudaError_t cudaHostRegister(void *p, size_t size, unsigned flags) {
	(void)flags;
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), host = (uintptr_t)p;
	if (p == NULL || size == 0)
		return failed(cudaErrorInvalidValue);
	struct registered *r = calloc(1, sizeof *r);
	if (r == NULL)
		return failed(cudaErrorMemoryAllocation);
	r->host = host, r->size = size, r->start = host & ~(page - 1);
	r->length = ((host + size + page - 1) & ~(page - 1)) - r->start;
	pthread_mutex_lock(&lock);
	cudaError_t error = *find(host) != NULL ? cudaErrorHostMemoryAlreadyRegistered : share(r, page);
	if (error == cudaSuccess)
		r->next = list, list = r;
	else
		free(r);
	pthread_mutex_unlock(&lock);
	return failed(error);
}

// Unregistered pages become private again, with what they hold.
EXPORT cudaError_t cudaHostUnregister(void *p) {
	pthread_mutex_lock(&lock);
	struct registered **at = find((uintptr_t)p), *r = *at;
	cudaError_t error = r == NULL || r->host != (uintptr_t)p ? cudaErrorHostMemoryNotRegistered : cudaSuccess;
	if (error == cudaSuccess) {
		const void *contents = (const void *)(r->device - (r->host - r->start));
		void *again = mmap((void *)r->start, r->length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		if (again == MAP_FAILED)
			error = cudaErrorMemoryAllocation;
		else
			memcpy(again, contents, r->length);
		wire_free(r->allocation);
		*at = r->next;
		free(r);
	}
	pthread_mutex_unlock(&lock);
	return failed(error);
}

// Memory that was allocated here has one address for both; registered memory has two.
EXPORT cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
	(void)flags;
	pthread_mutex_lock(&lock);
	struct registered *r = *find((uintptr_t)host);
	*device = r == NULL ? host : (void *)(r->device + ((uintptr_t)host - r->host));
	pthread_mutex_unlock(&lock);
	if (r != NULL)
		return cudaSuccess;
	struct wire_pointer w;
	cudaError_t error = wire_pointer((uint64_t)host, &w);
	return failed(error != cudaSuccess ? error : w.host_visible ? cudaSuccess : cudaErrorInvalidValue);
}

EXPORT cudaError_t cudaHostGetFlags(unsigned *flags, void *host) {
	void *device;
	*flags = 2; // mapped
	return cudaHostGetDevicePointer(&device, host, 0);
}

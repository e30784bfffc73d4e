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
#include <ucontext.h>
#include <unistd.h>

// pages are whole pages of the host and their allocation.
struct pages {
	uintptr_t start, length;
	uint64_t allocation, device; // of start
	size_t uses;                 // registrations
	int kind;                    // of the alias
	uint32_t home;               // the device with whose reset they end
};

struct registered {
	uintptr_t host, size; // as the application said
	uint32_t home;        // that of the pages
	struct pages *pages;  // null if the device cannot reach the memory; copies can
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

// What happens on another stack: a page that moves may be one of the caller's stack, which must not change meanwhile.
static struct {
	ucontext_t caller, other;
	char stack[1 << 16];
	char *host, *device;
	size_t size;
	int protection, failed;
} move;

// apart moves pages, size bytes from an offset on.
static void apart(void (*what)(void), const struct pages *p, size_t offset, size_t size) {
	move.host = (char *)p->start + offset, move.device = (char *)p->device + offset, move.size = size;
	move.protection = p->kind & ALIAS_CONSTANT ? PROT_READ : PROT_READ | PROT_WRITE;
	getcontext(&move.other);
	move.other.uc_stack.ss_sp = move.stack, move.other.uc_stack.ss_size = sizeof move.stack, move.other.uc_link = &move.caller;
	makecontext(&move.other, what, 0);
	swapcontext(&move.caller, &move.other);
}

static void move_there(void) {
	memcpy(move.device, move.host, move.size);
	// Of a size of 0 bytes, mremap makes a second mapping of the same pages.
	move.failed = mremap(move.device, 0, move.size, MREMAP_MAYMOVE | MREMAP_FIXED, move.host) == MAP_FAILED ||
		mprotect(move.host, move.size, move.protection) != 0;
}

// A copy takes the place of the pages in one step: they may hold what is at work here, on the heap.
static void move_back(void) {
	void *copy = mmap(NULL, move.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	move.failed = copy == MAP_FAILED;
	if (move.failed)
		return;
	memcpy(copy, move.device, move.size);
	move.failed = mprotect(copy, move.size, move.protection) != 0 || mremap(copy, move.size, move.size, MREMAP_MAYMOVE | MREMAP_FIXED, move.host) == MAP_FAILED;
}

// The child of a process gets pages of its own where others than the registered bytes may be in them: in the first and the last
// page of a range, and in small ranges, among them those on stacks.
static void each_shared(void (*what)(void)) {
	enum { SMALL = 1 << 20 };
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	for (struct registered *r = list; r != NULL; r = r->next) {
		const struct pages *p = r->pages;
		int repeated = 0;
		for (struct registered *q = list; q != r; q = q->next)
			repeated |= q->pages == p;
		if (p == NULL || repeated)
			continue;
		apart(what, p, 0, p->length <= SMALL ? p->length : page);
		if (p->length > SMALL)
			apart(what, p, p->length - page, page);
	}
}

static void before_fork(void) {
	pthread_mutex_lock(&lock);
	each_shared(move_back);
}

static void in_parent(void) {
	each_shared(move_there);
	pthread_mutex_unlock(&lock);
}

static void in_child(void) {
	list = NULL; // it has no device
	pthread_mutex_unlock(&lock);
}

static void at_forks(void) {
	static int known;
	if (!known)
		known = pthread_atfork(before_fork, in_parent, in_child) == 0;
}

// share moves pages into an allocation.
static int share(struct pages *p, uintptr_t page) {
	int error = wire_alloc(p->length + page, WIRE_REGISTERED, &p->allocation);
	if (error != WIRE_OK)
		return error;
	p->device = (p->allocation + page - 1) & ~(page - 1);
	apart(move_there, p, 0, p->length);
	if (move.failed) {
		wire_free(p->allocation);
		return WIRE_NOT_SUPPORTED;
	}
	wire_alias(p->device, p->start, p->length, p->kind);
	at_forks();
	return WIRE_OK;
}

// covering is the pages of another registration that contain a range. *outside says whether all others are outside of the range.
static struct pages *covering(uintptr_t start, uintptr_t length, int *outside) {
	*outside = 1;
	for (struct registered *r = list; r != NULL; r = r->next) {
		struct pages *p = r->pages;
		if (p == NULL || start + length <= p->start || p->start + p->length <= start)
			continue;
		*outside = 0;
		if (p->start <= start && start + length <= p->start + p->length)
			return p;
	}
	return NULL;
}

// use gives a registration its pages: those that another one has, or else new ones. Of pages of which another registration has a part,
// the device cannot have two views, and what others share, files and other processes, cannot move.
static int use(struct registered *r) {
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = r->host & ~(page - 1), length = ((r->host + r->size + page - 1) & ~(page - 1)) - start;
	int outside, error = WIRE_OK;
	r->pages = covering(start, length, &outside);
	struct wire_mapping m = wire_mapping(start, start + length);
	if (!m.mapped || !m.readable)
		return WIRE_INVALID_VALUE;
	if (r->pages == NULL && outside && m.private) {
		if ((r->pages = calloc(1, sizeof *r->pages)) == NULL)
			return WIRE_OUT_OF_MEMORY;
		r->pages->start = start, r->pages->length = length, r->pages->home = r->home;
		r->pages->kind = (m.writable ? 0 : ALIAS_CONSTANT) | (m.stack ? ALIAS_STACK : 0);
		if (m.grows && m.lowest)
			(void)*(volatile char *)(start - page); // it grows below what moves
		if ((error = share(r->pages, page)) != WIRE_OK)
			free(r->pages);
	}
	if (error == WIRE_OK && r->pages != NULL)
		r->pages->uses++, r->home = r->pages->home;
	return error;
}

int wire_register(void *p, size_t size) {
	if (p == NULL || size == 0 || (uintptr_t)p + size < size || wire_unreachable(p))
		return WIRE_INVALID_VALUE;
	struct registered *r = calloc(1, sizeof *r);
	if (r == NULL)
		return WIRE_OUT_OF_MEMORY;
	r->host = (uintptr_t)p, r->size = size, r->home = wire_current_device();
	pthread_mutex_lock(&lock);
	line_take();
	int there = mapped_here(r->host, 1);
	line_give();
	int error = there || *find(r->host) != NULL ? WIRE_ALREADY_REGISTERED : use(r);
	if (error == WIRE_OK)
		r->next = list, list = r;
	else
		free(r);
	pthread_mutex_unlock(&lock);
	return error;
}

// end makes the pages of registered memory private again, with what they hold, unless another registration has them.
static int end(struct registered **at) {
	struct registered *r = *at;
	struct pages *p = r->pages;
	*at = r->next;
	free(r);
	if (p == NULL || --p->uses > 0)
		return WIRE_OK;
	apart(move_back, p, 0, p->length);
	wire_unalias(p->start);
	wire_free(p->allocation);
	free(p);
	return move.failed ? WIRE_OUT_OF_MEMORY : WIRE_OK;
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
	for (struct registered **at = &list; *at != NULL;)
		if ((*at)->home == wire_current_device())
			end(at);
		else
			at = &(*at)->next;
	pthread_mutex_unlock(&lock);
}

int wire_registered(uint64_t host, uint64_t *device) {
	if (__atomic_load_n(&list, __ATOMIC_RELAXED) == NULL)
		return 0;
	pthread_mutex_lock(&lock);
	const struct registered *r = *find(host);
	int reached = r != NULL && r->pages != NULL;
	if (reached)
		*device = r->pages->device + (host - r->pages->start);
	pthread_mutex_unlock(&lock);
	return reached;
}

// Memory that was allocated here has one address for both; registered memory has two.
int wire_device_pointer(void *host, uint64_t *device) {
	pthread_mutex_lock(&lock);
	struct registered *r = *find((uintptr_t)host);
	int reached = r == NULL || r->pages != NULL;
	*device = r == NULL ? (uint64_t)host : reached ? r->pages->device + ((uintptr_t)host - r->pages->start) : 0;
	pthread_mutex_unlock(&lock);
	if (r != NULL)
		return reached ? WIRE_OK : WIRE_NOT_SUPPORTED;
	struct wire_pointer w;
	int error = wire_pointer((uint64_t)host, &w);
	return error != WIRE_OK ? error : w.host_visible ? WIRE_OK : WIRE_INVALID_VALUE;
}

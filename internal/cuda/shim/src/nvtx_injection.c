// What NVTX, version 3, loads into programs whose environment names it (NVTX_INJECTION64_PATH): ranges of threads, and the memory
// extension, by which memory pools announce what they allocate. The declarations are written from the headers nvtxTypes.h,
// nvToolsExtMem.h and nvtxExtTypes.h of NVTX, which is open source (Apache 2.0 with LLVM exceptions).
#include "wire.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { MODULE_MEMORY = 1, VIRTUAL_ADDRESS = 1, SUB_ALLOCATOR = 1, ASCII = 1, BY_POINTER = 1, BY_HANDLE = 2 };

struct range {
	size_t size;
	const void *p;
};

struct heap_description {
	uint16_t compatible, struct_size;
	uint32_t reserved, usage, type;
	size_t description_size;
	const struct range *range;
	uint32_t category, message_type;
	const char *message;
};

struct registering {
	uint16_t compatible, struct_size;
	uint32_t type;
	const void *heap;
	size_t count, element;
	const char *list;
	const void **handles;
};

struct resizing {
	uint16_t compatible, struct_size;
	uint32_t type;
	size_t count, element;
	const char *list;
};

struct naming {
	uint16_t compatible, struct_size;
	uint32_t reserved;
	size_t count, element;
	const char *list;
};

struct name {
	uint32_t type, name_type;
	const void *region;
	const char *text;
};

// text is a name of NVTX's: one of bytes, or none.
static const char *text(uint32_t type, const char *p) { return type == ASCII && p != NULL ? p : ""; }

// A heap is its address, which is its handle, and so is a region.
static const void *heap_register(void *domain, const struct heap_description *d) {
	(void)domain;
	if (d == NULL || d->type != VIRTUAL_ADDRESS || d->description_size < sizeof *d->range || d->range == NULL)
		return NULL;
	if (d->usage == SUB_ALLOCATOR)
		wire_pool_event(POOL_HEAP, (uint64_t)d->range->p, d->range->size, text(d->message_type, d->message));
	return d->range->p;
}

static void heap_unregister(void *domain, const void *heap) {
	(void)domain;
	wire_pool_event(POOL_HEAP_END, (uint64_t)heap, 0, "");
}

static void heap_reset(void *domain, const void *heap) {
	(void)domain;
	wire_pool_event(POOL_HEAP_EMPTY, (uint64_t)heap, 0, "");
}

static void begin_all(uint32_t type, const char *list, size_t count, size_t element, const void **handles) {
	for (size_t i = 0; type == VIRTUAL_ADDRESS && list != NULL && i < count; i++) {
		const struct range *r = (const void *)(list + i * element);
		wire_pool_event(POOL_REGION, (uint64_t)r->p, r->size, "");
		if (handles != NULL)
			handles[i] = r->p;
	}
}

static void regions_register(void *domain, const struct registering *b) {
	(void)domain;
	begin_all(b->type, b->list, b->count, b->element, b->handles);
}

static void regions_resize(void *domain, const struct resizing *b) {
	(void)domain;
	begin_all(b->type, b->list, b->count, b->element, NULL);
}

static void regions_unregister(void *domain, const struct resizing *b) {
	(void)domain;
	for (size_t i = 0; (b->type == BY_POINTER || b->type == BY_HANDLE) && b->list != NULL && i < b->count; i++)
		wire_pool_event(POOL_REGION_END, *(const uint64_t *)(b->list + i * b->element), 0, "");
}

static void regions_name(void *domain, const struct naming *b) {
	(void)domain;
	for (size_t i = 0; b->list != NULL && i < b->count; i++) {
		const struct name *n = (const void *)(b->list + i * b->element);
		wire_pool_event(POOL_NAME, (uint64_t)n->region, 0, text(n->name_type, n->text));
	}
}

struct segment {
	size_t id, count;
	intptr_t *functions;
};

struct extension {
	uint16_t version, struct_size, module, compatible;
	size_t segments;
	struct segment *list;
	void *get;
	const void *information;
};

EXPORT int InitializeInjectionNvtxExtension(struct extension *e) {
	const intptr_t ours[] = {(intptr_t)heap_register, (intptr_t)heap_unregister, (intptr_t)heap_reset, (intptr_t)regions_register, (intptr_t)regions_resize, (intptr_t)regions_unregister, (intptr_t)regions_name};
	enum { OURS = sizeof ours / sizeof *ours };
	if (e == NULL || e->module != MODULE_MEMORY || e->segments == 0)
		return 1; // the functions of the payload extension then say that a tool is there
	for (size_t i = 0; i < OURS && i < e->list[0].count; i++)
		e->list[0].functions[i] = ours[i];
	return 1;
}

// Ranges of a thread, each within the one before, and their names in one text.
enum { DEEPEST = 32 };
struct ranges {
	struct {
		const void *domain;
		char name[64];
	} list[DEEPEST];
	int depth; // may be larger
	char text[WIRE_RANGE];
};

static pthread_key_t of_thread;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void end_of_thread(void *ranges) {
	wire_range(NULL);
	free(ranges);
}

static void make_key(void) { pthread_key_create(&of_thread, end_of_thread); }

static struct ranges *own_ranges(void) {
	pthread_once(&once, make_key);
	struct ranges *r = pthread_getspecific(of_thread);
	if (r == NULL && (r = calloc(1, sizeof *r)) != NULL)
		pthread_setspecific(of_thread, r);
	return r;
}

static void show(struct ranges *r) {
	size_t used = 0;
	r->text[0] = 0;
	for (int i = 0; i < r->depth && i < DEEPEST && used < sizeof r->text; i++)
		used += (size_t)snprintf(r->text + used, sizeof r->text - used, "%s%s", i > 0 ? " > " : "", r->list[i].name);
	wire_range(r->text);
}

static int push(const void *domain, const char *name) {
	struct ranges *r = own_ranges();
	if (r == NULL)
		return 0;
	if (r->depth < DEEPEST) {
		r->list[r->depth].domain = domain;
		snprintf(r->list[r->depth].name, sizeof r->list->name, "%s", name != NULL ? name : "");
	}
	r->depth++;
	show(r);
	return r->depth - 1;
}

// pop ends the innermost range of a domain.
static int pop(const void *domain) {
	struct ranges *r = own_ranges();
	int at = r == NULL ? 0 : r->depth;
	if (at > DEEPEST) {
		r->depth--;
		return r->depth;
	}
	while (at > 0 && r->list[at - 1].domain != domain)
		at--;
	if (at == 0)
		return -1;
	memmove(&r->list[at - 1], &r->list[at], (size_t)(r->depth - at) * sizeof *r->list);
	r->depth--;
	show(r);
	return r->depth;
}

struct attributes {
	uint16_t version, size;
	uint32_t category;
	int32_t color_type;
	uint32_t color;
	int32_t payload_type, reserved;
	uint64_t payload;
	int32_t message_type;
	const char *message; // a registered text is its handle
};

static const char *message(const struct attributes *a) {
	enum { REGISTERED = 3 };
	return a != NULL && (a->message_type == ASCII || a->message_type == REGISTERED) ? a->message : "";
}

static int push_name(const char *name) { return push(NULL, name); }
static int push_attributes(const struct attributes *a) { return push(NULL, message(a)); }
static int push_in_domain(const void *domain, const struct attributes *a) { return push(domain, message(a)); }
static int pop_plain(void) { return pop(NULL); }
static int pop_in_domain(const void *domain) { return pop(domain); }

static const char *register_text(const void *domain, const char *text) {
	(void)domain;
	return text == NULL ? NULL : strdup(text);
}

// A domain is told from others by its handle.
static const char *create_domain(const char *name) { return name == NULL ? NULL : strdup(name); }

typedef void function(void);

struct callbacks {
	size_t size;
	int (*table)(int module, function ***list, unsigned *count);
};

static void attach(const struct callbacks *c, int module, int number, function *ours) {
	function ***list = NULL;
	unsigned count = 0;
	if (c->table(module, (function ***)&list, &count) && list != NULL && (unsigned)number < count && list[number] != NULL)
		*(function **)list[number] = ours;
}

EXPORT int InitializeInjectionNvtx2(const void *(*get)(uint32_t)) {
	enum { CALLBACKS = 1, CORE = 1, CORE2 = 5, PUSH_EX = 8, PUSH = 9, POP = 11, DOMAIN_PUSH = 4, DOMAIN_POP = 5, REGISTER_TEXT = 10, CREATE = 12 };
	const struct callbacks *c = get == NULL ? NULL : get(CALLBACKS);
	if (c == NULL || c->size < sizeof *c)
		return 0;
	attach(c, CORE, PUSH_EX, (function *)push_attributes);
	attach(c, CORE, PUSH, (function *)push_name);
	attach(c, CORE, POP, (function *)pop_plain);
	attach(c, CORE2, DOMAIN_PUSH, (function *)push_in_domain);
	attach(c, CORE2, DOMAIN_POP, (function *)pop_in_domain);
	attach(c, CORE2, REGISTER_TEXT, (function *)register_text);
	attach(c, CORE2, CREATE, (function *)create_domain);
	return 1;
}

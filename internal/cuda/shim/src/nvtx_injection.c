// What NVTX, version 3, loads into programs whose environment names it (NVTX_INJECTION64_PATH): the memory extension, by which memory
// pools announce what they allocate. The declarations are written from the headers nvToolsExtMem.h and nvtxExtTypes.h of NVTX, which
// is open source (Apache 2.0 with LLVM exceptions). Its ranges are not looked at.
#include "wire.h"

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
		return 0;
	for (size_t i = 0; i < OURS && i < e->list[0].count; i++)
		e->list[0].functions[i] = ours[i];
	return 1;
}

// NVTX's own functions stay without effect.
EXPORT int InitializeInjectionNvtx2(const void *(*get)(uint32_t)) {
	(void)get;
	return 1;
}

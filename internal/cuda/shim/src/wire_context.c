// The current device of a thread: the stack of its contexts, which both APIs share, and which handles of a device are live.
#include "wire.h"

#include <string.h>

static struct context primaries[WIRE_DEVICES] = {{.active = 1}};
static int uses_primary;

enum { DEPTH = 32 };
static __thread struct context *stack[DEPTH];
static __thread int depth;
static __thread uint32_t device_now;

uint32_t wire_current_device(void) { return device_now; }

void wire_use_device(uint32_t device) { device_now = device; }

int wire_exists(int64_t device) {
	int error;
	const struct wire_device *d = wire_device(&error);
	return d == NULL ? error : device >= 0 && device < d->devices ? WIRE_OK : WIRE_INVALID_DEVICE;
}

int wire_both_exist(int64_t device, int64_t other) {
	int error = wire_exists(device);
	return error == WIRE_OK ? wire_exists(other) : error;
}

struct context *wire_primary(uint32_t device) {
	struct context *c = &primaries[device % WIRE_DEVICES];
	c->device = device % WIRE_DEVICES;
	return c;
}

void wire_use_primary(void) {
	if (!__atomic_load_n(&uses_primary, __ATOMIC_RELAXED))
		__atomic_store_n(&uses_primary, 1, __ATOMIC_RELAXED);
}

struct context *wire_context(void) {
	if (depth > 0)
		return stack[depth - 1];
	return __atomic_load_n(&uses_primary, __ATOMIC_RELAXED) ? wire_primary(0) : NULL;
}

// use_topmost makes the device of the topmost context the current one.
static void use_topmost(void) { device_now = depth > 0 ? stack[depth - 1]->device : 0; }

int wire_context_push(struct context *c) {
	if (c == NULL || depth == DEPTH)
		return c == NULL ? WIRE_INVALID_CONTEXT : WIRE_OUT_OF_MEMORY;
	stack[depth++] = c;
	use_topmost();
	return WIRE_OK;
}

struct context *wire_context_pop(void) {
	struct context *c = depth > 0 ? stack[--depth] : NULL;
	use_topmost();
	return c;
}

int wire_context_set(struct context *c) {
	wire_context_pop();
	return c == NULL ? WIRE_OK : wire_context_push(c);
}

void wire_context_drop(const struct context *c) {
	for (int i = 0; i < depth; i++)
		if (stack[i] == c)
			memmove(&stack[i], &stack[i + 1], (--depth - i) * sizeof *stack), i--;
	use_topmost();
}

static uint32_t resets[WIRE_DEVICES];

static uint32_t epoch_of(uint32_t device) { return __atomic_load_n(&resets[device], __ATOMIC_RELAXED) * WIRE_DEVICES + device; }

uint32_t wire_epoch(void) { return epoch_of(device_now); }

int wire_live(uint32_t epoch) { return epoch_of(WIRE_DEVICE_OF(epoch)) == epoch; }

void wire_end_epoch(void) { __atomic_add_fetch(&resets[device_now], 1, __ATOMIC_RELAXED); }

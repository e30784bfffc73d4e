// Memory of the runtime API: allocations, copies, and what an address is. Managed and pinned
// memory is one memory with one address for the host and the device.
#include "cudart_graph.h"

#include <string.h>

enum { PITCH = 512 };

static cudaError_t allocate(void **p, size_t size, uint32_t flags) {
	if (p == NULL)
		return failed(cudaErrorInvalidValue);
	*p = NULL;
	if (size == 0)
		return failed(wire_ready());
	return failed(wire_alloc(size, flags, (uint64_t *)p));
}

// allocate_rows allocates pitched memory.
static cudaError_t allocate_rows(void **p, size_t pitch, size_t width, size_t rows) {
	*p = NULL;
	return failed(pitch * rows == 0 ? wire_ready() : wire_alloc_rows(pitch, width, rows, (uint64_t *)p));
}

static cudaError_t release(void *p) {
	return failed(p == NULL || held_freed((uint64_t)p) ? wire_ready() : wire_free((uint64_t)p));
}

EXPORT cudaError_t cudaMalloc(void **p, size_t size) { return allocate(p, size, WIRE_DEVICE_MEMORY); }

EXPORT cudaError_t cudaMallocManaged(void **p, size_t size, unsigned flags) {
	(void)flags;
	return allocate(p, size, WIRE_MANAGED);
}

EXPORT cudaError_t cudaMallocHost(void **p, size_t size) { return allocate(p, size, WIRE_HOST_VISIBLE); }

EXPORT cudaError_t cudaHostAlloc(void **p, size_t size, unsigned flags) {
	(void)flags;
	return allocate(p, size, WIRE_HOST_VISIBLE);
}

EXPORT cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height) {
	*pitch = (width + PITCH - 1) / PITCH * PITCH;
	return allocate_rows(p, *pitch, width, height);
}

EXPORT cudaError_t cudaFree(void *p) { return release(p); }
EXPORT cudaError_t cudaFreeHost(void *p) { return wire_unreachable(p) ? failed(cudaErrorInvalidValue) : release(p); }

EXPORT cudaError_t cudaFreeAsync(void *p, cudaStream_t stream) {
	struct graph *g = recording(stream);
	return failed(g != NULL ? captured(stream, record_free(g, (uint64_t)p)) : IN(stream_id(stream), release(p)));
}
PTSZ(cudaError_t, cudaFreeAsync, (void *, cudaStream_t))

// direction is the kind of a copy whose ends say it. Host-visible memory counts as the
// device's: either is right.
static cudaError_t direction(uint64_t to, uint64_t from, int *kind) {
	struct wire_pointer t, f;
	cudaError_t error = wire_pointer(to, &t);
	if (error == cudaSuccess)
		error = wire_pointer(from, &f);
	if (error == cudaSuccess)
		*kind = t.known ? (f.known ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice) : f.known ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost;
	return error;
}

// host_to_host copies memory of the host, of which operations may use what the device reaches.
static cudaError_t host_to_host(void *to, const void *from, size_t size) {
	uint64_t device_to = wire_visible(to, size), device_from = wire_visible(from, size);
	if (device_to != 0)
		return wire_write(device_to, from, size);
	if (device_from != 0)
		return wire_read(to, device_from, size);
	memmove(to, from, size);
	return cudaSuccess;
}

cudaError_t transfer(void *to, const void *from, size_t size, int kind) {
	cudaError_t error = wire_ready();
	if (error == cudaSuccess && kind == cudaMemcpyDefault)
		error = direction((uint64_t)to, (uint64_t)from, &kind);
	if (error != cudaSuccess || size == 0)
		return error;
	if (to == NULL || from == NULL)
		return cudaErrorInvalidValue;
	switch (kind) {
	case cudaMemcpyHostToHost:
		if (wire_unreachable(to) || wire_unreachable(from))
			return cudaErrorInvalidValue;
		return host_to_host(to, from, size);
	case cudaMemcpyHostToDevice:
		return wire_write((uint64_t)to, from, size);
	case cudaMemcpyDeviceToHost:
		return wire_read(to, (uint64_t)from, size);
	case cudaMemcpyDeviceToDevice:
		return wire_copy((uint64_t)to, (uint64_t)from, size);
	}
	return cudaErrorInvalidMemcpyDirection;
}

EXPORT cudaError_t cudaMemcpy(void *to, const void *from, size_t size, int kind) { return failed(transfer(to, from, size, kind)); }
PTDS(cudaError_t, cudaMemcpy, (void *, const void *, size_t, int))

EXPORT cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, int kind, cudaStream_t stream) {
	struct graph *g = recording(stream);
	if (g == NULL)
		return failed(IN(stream_id(stream), transfer(to, from, size, kind)));
	struct copy3d c = copy1d(to, from, size, kind);
	return failed(captured(stream, record_copy(g, &c)));
}
PTSZ(cudaError_t, cudaMemcpyAsync, (void *, const void *, size_t, int, cudaStream_t))

EXPORT cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t size) {
	cudaError_t error = wire_both_exist(to_device, from_device);
	return failed(error != cudaSuccess ? error : ACROSS(transfer(to, from, size, cudaMemcpyDeviceToDevice)));
}

EXPORT cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t size, cudaStream_t stream) {
	cudaError_t error = wire_both_exist(to_device, from_device);
	return error != cudaSuccess ? failed(error) : cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice, stream);
}

static cudaError_t each_row(char *to, size_t to_pitch, const char *from, size_t from_pitch, size_t width, size_t height, int kind) {
	cudaError_t error = cudaSuccess;
	for (size_t y = 0; y < height && error == cudaSuccess; y++)
		error = transfer(to + y * to_pitch, from + y * from_pitch, width, kind);
	return error;
}

// rows copies a rectangle.
static cudaError_t rows(char *to, size_t to_pitch, const char *from, size_t from_pitch, size_t width, size_t height, int kind) {
	if (to_pitch == width && from_pitch == width)
		return transfer(to, from, width * height, kind);
	return PARTS(each_row(to, to_pitch, from, from_pitch, width, height, kind));
}

static cudaError_t copy2d(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int kind) {
	enum { INVALID_PITCH = 12 };
	return width > to_pitch || width > from_pitch ? INVALID_PITCH : rows(to, to_pitch, from, from_pitch, width, height, kind);
}

EXPORT cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int kind) {
	return failed(copy2d(to, to_pitch, from, from_pitch, width, height, kind));
}
PTDS(cudaError_t, cudaMemcpy2D, (void *, size_t, const void *, size_t, size_t, size_t, int))

EXPORT cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, int kind, cudaStream_t stream) {
	struct graph *g = recording(stream);
	if (g == NULL)
		return failed(IN(stream_id(stream), copy2d(to, to_pitch, from, from_pitch, width, height, kind)));
	struct copy3d c = {.to = {to, to_pitch, width, height}, .from = {(void *)from, from_pitch, width, height}, .extent = {width, height, 1}, .kind = kind};
	return failed(captured(stream, record_copy(g, &c)));
}
PTSZ(cudaError_t, cudaMemcpy2DAsync, (void *, size_t, const void *, size_t, size_t, size_t, int, cudaStream_t))

// Three dimensions.
EXPORT cudaError_t cudaMalloc3D(struct pitched *p, struct extent e) {
	p->pitch = (e.width + PITCH - 1) / PITCH * PITCH;
	p->width = e.width, p->height = e.height;
	return allocate_rows(&p->ptr, p->pitch, e.width, e.height * e.depth);
}

static char *at(const struct pitched *p, const struct position *o, size_t z) {
	return (char *)p->ptr + (o->z + z) * p->pitch * p->height + o->y * p->pitch + o->x;
}

static cudaError_t each_slice(const struct copy3d *c) {
	cudaError_t error = cudaSuccess;
	for (size_t z = 0; z < c->extent.depth && error == cudaSuccess; z++)
		error = rows(at(&c->to, &c->to_position, z), c->to.pitch, at(&c->from, &c->from_position, z), c->from.pitch, c->extent.width, c->extent.height, c->kind);
	return error;
}

cudaError_t copy3d(const struct copy3d *c) {
	struct copy3d plain;
	if (c->from_array != NULL || c->to_array != NULL) {
		plain = without_arrays(c);
		c = &plain;
	}
	return PARTS(each_slice(c));
}

struct copy3d copy1d(void *to, const void *from, size_t size, int kind) {
	return (struct copy3d){.to = {to, size, size, 1}, .from = {(void *)from, size, size, 1}, .extent = {size, 1, 1}, .kind = kind};
}

EXPORT cudaError_t cudaMemcpy3D(const struct copy3d *c) { return failed(copy3d(c)); }
PTDS(cudaError_t, cudaMemcpy3D, (const struct copy3d *))

EXPORT cudaError_t cudaMemcpy3DAsync(const struct copy3d *c, cudaStream_t stream) {
	struct graph *g = recording(stream);
	return failed(g != NULL ? captured(stream, record_copy(g, c)) : IN(stream_id(stream), copy3d(c)));
}
PTSZ(cudaError_t, cudaMemcpy3DAsync, (const struct copy3d *, cudaStream_t))

// cudaMemcpy3DPeerParms.
struct peer_copy {
	void *from_array;
	struct position from_position;
	struct pitched from;
	int from_device;
	void *to_array;
	struct position to_position;
	struct pitched to;
	int to_device;
	struct extent extent;
};

static struct copy3d without_devices(const struct peer_copy *p) {
	return (struct copy3d){p->from_array, p->from_position, p->from, p->to_array, p->to_position, p->to, p->extent, cudaMemcpyDeviceToDevice};
}

EXPORT cudaError_t cudaMemcpy3DPeerAsync(const struct peer_copy *p, cudaStream_t stream) {
	cudaError_t error = wire_both_exist(p->to_device, p->from_device);
	struct copy3d c = without_devices(p);
	return error != cudaSuccess ? failed(error) : cudaMemcpy3DAsync(&c, stream);
}
PTSZ(cudaError_t, cudaMemcpy3DPeerAsync, (const struct peer_copy *, cudaStream_t))

EXPORT cudaError_t cudaMemcpy3DPeer(const struct peer_copy *p) {
	cudaError_t error = wire_both_exist(p->to_device, p->from_device);
	struct copy3d c = without_devices(p);
	return failed(error != cudaSuccess ? error : ACROSS(copy3d(&c)));
}
PTDS(cudaError_t, cudaMemcpy3DPeer, (const struct peer_copy *))

static cudaError_t fill(void *to, int value, size_t size) {
	return size == 0 ? wire_ready() : wire_fill((uint64_t)to, size, 1, (unsigned char)value, size, 1);
}

EXPORT cudaError_t cudaMemset(void *to, int value, size_t size) { return failed(fill(to, value, size)); }
PTDS(cudaError_t, cudaMemset, (void *, int, size_t))

EXPORT cudaError_t cudaMemsetAsync(void *to, int value, size_t size, cudaStream_t stream) {
	struct graph *g = recording(stream);
	if (g == NULL)
		return failed(IN(stream_id(stream), fill(to, value, size)));
	return failed(captured(stream, record_fill(g, &(struct memset_node){to, size, (unsigned char)value, 1, size, 1})));
}
PTSZ(cudaError_t, cudaMemsetAsync, (void *, int, size_t, cudaStream_t))

EXPORT cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
	return failed(wire_fill((uint64_t)to, pitch, 1, (unsigned char)value, width, height));
}
PTDS(cudaError_t, cudaMemset2D, (void *, size_t, int, size_t, size_t))

EXPORT cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
	struct graph *g = recording(stream);
	if (g == NULL)
		return failed(IN(stream_id(stream), wire_fill((uint64_t)to, pitch, 1, (unsigned char)value, width, height)));
	return failed(captured(stream, record_fill(g, &(struct memset_node){to, pitch, (unsigned char)value, 1, width, height})));
}
PTSZ(cudaError_t, cudaMemset2DAsync, (void *, size_t, int, size_t, size_t, cudaStream_t))

EXPORT cudaError_t cudaMemset3D(struct pitched p, int value, struct extent e) {
	return failed(wire_fill((uint64_t)p.ptr, p.pitch, 1, (unsigned char)value, e.width, p.height == e.height ? e.height * e.depth : e.height));
}
PTDS(cudaError_t, cudaMemset3D, (struct pitched, int, struct extent))

EXPORT cudaError_t cudaMemset3DAsync(struct pitched p, int value, struct extent e, cudaStream_t stream) {
	return cudaMemset2DAsync(p.ptr, p.pitch, value, e.width, p.height == e.height ? e.height * e.depth : e.height, stream);
}
PTSZ(cudaError_t, cudaMemset3DAsync, (struct pitched, int, struct extent, cudaStream_t))

// Variables of the device.
static cudaError_t with_symbol(const void *symbol, size_t size, size_t offset, uint64_t *address) {
	uint64_t room;
	cudaError_t error = variable_of(symbol, address, &room);
	if (error == cudaSuccess && (offset > room || size > room - offset))
		error = cudaErrorInvalidValue;
	*address += offset;
	return error;
}

EXPORT cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset, int kind) {
	uint64_t to;
	cudaError_t error = with_symbol(symbol, size, offset, &to);
	return failed(error != cudaSuccess ? error : transfer((void *)to, from, size, kind));
}
PTDS(cudaError_t, cudaMemcpyToSymbol, (const void *, const void *, size_t, size_t, int))

EXPORT cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size, size_t offset, int kind, cudaStream_t stream) {
	uint64_t to;
	cudaError_t error = with_symbol(symbol, size, offset, &to);
	return error != cudaSuccess ? failed(error) : cudaMemcpyAsync((void *)to, from, size, kind, stream);
}
PTSZ(cudaError_t, cudaMemcpyToSymbolAsync, (const void *, const void *, size_t, size_t, int, cudaStream_t))

EXPORT cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset, int kind) {
	uint64_t from;
	cudaError_t error = with_symbol(symbol, size, offset, &from);
	return failed(error != cudaSuccess ? error : transfer(to, (void *)from, size, kind));
}
PTDS(cudaError_t, cudaMemcpyFromSymbol, (void *, const void *, size_t, size_t, int))

EXPORT cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset, int kind, cudaStream_t stream) {
	uint64_t from;
	cudaError_t error = with_symbol(symbol, size, offset, &from);
	return error != cudaSuccess ? failed(error) : cudaMemcpyAsync(to, (void *)from, size, kind, stream);
}
PTSZ(cudaError_t, cudaMemcpyFromSymbolAsync, (void *, const void *, size_t, size_t, int, cudaStream_t))

EXPORT cudaError_t cudaGetSymbolAddress(void **p, const void *symbol) {
	uint64_t size;
	return failed(variable_of(symbol, (uint64_t *)p, &size));
}

EXPORT cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol) {
	uint64_t address;
	return failed(variable_of(symbol, &address, size));
}

EXPORT cudaError_t cudaHostRegister(void *p, size_t size, unsigned flags) {
	(void)flags;
	return failed(wire_register(p, size));
}

EXPORT cudaError_t cudaHostUnregister(void *p) { return failed(wire_unregister(p)); }

EXPORT cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags) {
	(void)flags;
	return failed(wire_device_pointer(host, (uint64_t *)device));
}

EXPORT cudaError_t cudaHostGetFlags(unsigned *flags, void *host) {
	uint64_t device;
	*flags = 2; // mapped
	return failed(wire_device_pointer(host, &device));
}

EXPORT cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total) { return failed(wire_memory(free_bytes, total)); }

enum { UNREGISTERED, HOST, DEVICE, MANAGED };
struct pointer_attributes {
#if CUDA_MAJOR < 11
	int memory_type;
#endif
	int type, device;
	void *device_pointer, *host_pointer;
#if CUDA_MAJOR < 11
	int managed;
#elif CUDA_MAJOR >= 13
	long reserved[8];
#endif
};

EXPORT cudaError_t cudaPointerGetAttributes(struct pointer_attributes *a, const void *p) {
	struct wire_pointer w;
	cudaError_t error = wire_pointer((uint64_t)p, &w);
	if (error != cudaSuccess)
		return failed(error);
	memset(a, 0, sizeof *a);
	int known = w.known == WIRE_MEMORY;
	a->device = known ? (int)w.device : 0;
	a->type = !known ? UNREGISTERED : w.host_visible ? MANAGED : DEVICE;
	a->device_pointer = known ? (void *)p : NULL;
	a->host_pointer = known && !w.host_visible ? NULL : (void *)p;
	return cudaSuccess;
}

// The place of managed memory makes no difference here: all devices access it. From CUDA 12.2 on, a location takes the place of
// the number of a device.
EXPORT cudaError_t cudaMemAdvise_v2(const void *p, size_t size, int advice, struct wire_pool_location location) {
	(void)p, (void)size, (void)advice;
	return failed(wire_place(location));
}

EXPORT cudaError_t cudaMemPrefetchAsync_v2(const void *p, size_t size, struct wire_pool_location location, unsigned flags, cudaStream_t stream) {
	(void)p, (void)size, (void)flags, (void)stream;
	return failed(wire_place(location));
}
PTSZ(cudaError_t, cudaMemPrefetchAsync_v2, (const void *, size_t, struct wire_pool_location, unsigned, cudaStream_t))

#if CUDA_MAJOR >= 13
SAME_AS(cudaMemAdvise_v2) cudaError_t cudaMemAdvise(const void *, size_t, int, struct wire_pool_location);
SAME_AS(cudaMemPrefetchAsync_v2) cudaError_t cudaMemPrefetchAsync(const void *, size_t, struct wire_pool_location, unsigned, cudaStream_t);
SAME_AS(cudaMemPrefetchAsync_v2_ptsz) cudaError_t cudaMemPrefetchAsync_ptsz(const void *, size_t, struct wire_pool_location, unsigned, cudaStream_t);
#else
EXPORT cudaError_t cudaMemAdvise(const void *p, size_t size, int advice, int device) {
	return cudaMemAdvise_v2(p, size, advice, wire_place_of(device));
}

EXPORT cudaError_t cudaMemPrefetchAsync(const void *p, size_t size, int device, cudaStream_t stream) {
	return cudaMemPrefetchAsync_v2(p, size, wire_place_of(device), 0, stream);
}
PTSZ(cudaError_t, cudaMemPrefetchAsync, (const void *, size_t, int, cudaStream_t))
#endif

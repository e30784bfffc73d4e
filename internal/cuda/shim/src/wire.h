// The connection of an application's process with "ptxsan exec", which emulates the device.
// Both drop-in libraries are written on these calls and know nothing of sockets. The other
// end is internal/cuda/wire; the numbers here are those of its message.go.
#ifndef PTXSAN_WIRE_H
#define PTXSAN_WIRE_H

#include <stddef.h>
#include <stdint.h>

// The two libraries have these functions in a third one, so that a process has one connection.
#ifdef WIRE_SHARED
#pragma GCC visibility push(default)
#endif

enum wire_op {
	OP_HELLO = 0,
	OP_MODULE = 1,
	OP_FUNCTION = 2,
	OP_VARIABLE = 3,
	OP_ALLOC = 4,
	OP_FREE = 5,
	OP_WRITE = 6,
	OP_READ = 7,
	OP_COPY = 8,
	OP_FILL = 9,
	OP_LAUNCH = 10,
	OP_POINTER = 11,
	OP_MEMORY = 12,
	OP_UNLOAD = 13,
	OP_MISSING = 14,
	OP_TEXTURE = 15,
	OP_ORDER = 16,
	OP_MANAGED = 17,
	OP_HOST = 18,
	OP_RESET = 19,
	OP_REFERENCE = 20,
	OP_TENSOR_MAP = 21,
	OP_MOVE_TENSOR_MAP = 22,
	OP_UNWRITTEN = 23,
	OP_FAILED = 24,
	OP_HANDLED = 25,
	OP_VIRTUAL = 26,
	OP_KERNELS = 27,
	OP_ENDPOINT = 28,
	OP_CONDITION = 29,
	OP_SHARE = 30,
	OP_LIBRARY = 31,
	OP_TEST = 32, // of the Python package
	OP_STREAM_VALUE = 33,
	OP_BENCHMARK = 34, // these two of what runs in interpreters of Python
	OP_NOT_RUN = 35,
	OP_CRASH = 36,
	OP_POOL = 37,
	OP_RANGE = 38,
	OP_COLLECTIVE = 40, // of NCCL (nccl_communicator.c)
	OP_MULTICAST = 41,
	OP_PEER = 42,
};

// Results that the connection itself can have; the numbers are CUDA's, in both APIs.
enum {
	WIRE_OK = 0,
	WIRE_INVALID_VALUE = 1,
	WIRE_OUT_OF_MEMORY = 2,
	WIRE_NOT_INITIALIZED = 3,
	WIRE_NO_DEVICE = 100,
	WIRE_INVALID_DEVICE = 101,
	WIRE_INVALID_CONTEXT = 201,
	WIRE_INVALID_HANDLE = 400,
	WIRE_NOT_READY = 600,
	WIRE_ALREADY_REGISTERED = 712,
	WIRE_NOT_REGISTERED = 713,
	WIRE_NOT_SUPPORTED = 801,
	WIRE_CAPTURE_UNSUPPORTED = 900,
	WIRE_LATER = (1 << 30) + 1, // no error of CUDA's: a function of a stream has to wait for what is before it
};

enum { WIRE_MAX_PARAMS = 1024, WIRE_MAX_PARAM_BYTES = 32764, WIRE_CHUNK = 4 << 20, WIRE_RANGE = 512 };

// One piece of a request or of a reply.
struct wire_part {
	const void *bytes;
	size_t size;
};

// wire_call sends a request, made of parts, and waits for the reply, whose first bytes it
// puts into reply. *got, if not null, becomes the size of the reply. The value is CUDA's
// number of an error.
int wire_call(enum wire_op op, const struct wire_part *parts, int nparts, void *reply, size_t reply_size, size_t *got);

// What is known of the device, as the other end says it.
struct wire_device {
	char name[64];
	uint32_t major, minor; // compute capability
	uint32_t multiprocessors, max_threads_per_multiprocessor;
	uint64_t memory, shared_per_block, shared_optin, shared_per_multiprocessor;
	uint32_t registers, version; // registers of a block; version of CUDA, as 11080
	uint32_t places, errors;     // whether the places of calls that allocate and copy are of interest, and whether failed calls are
	uint32_t devices, reserved;  // number of devices, which are all alike
};

// wire_device connects when there is no connection yet. It is null, with the error in
// *error, when the device cannot be used.
const struct wire_device *wire_device(int *error);

// wire_exists is an error unless there is a device with a number, and wire_both_exist unless there are two.
int wire_exists(int64_t device);
int wire_both_exist(int64_t device, int64_t other);

// context is one of either API, which a thread may have as its current one: it names a device. active is of a primary one.
enum { WIRE_DEVICES = 16 }; // as in internal/cuda
struct context {
	unsigned flags;
	uint32_t device;
	int active;
};
// wire_primary is the primary context of a device. wire_context is the current one of the thread: where the runtime is used
// (wire_use_primary), the primary one at least; else null for none. It is the topmost of a stack, which the others change: set
// replaces the topmost one, null by none, and drop removes a context that is destroyed.
struct context *wire_primary(uint32_t device);
void wire_use_primary(void);
struct context *wire_context(void);
int wire_context_push(struct context *c);
struct context *wire_context_pop(void);
int wire_context_set(struct context *c);
void wire_context_drop(const struct context *c);

// wire_current_device is the device of this thread's requests: that of the current context, or another one up to the next change
// (wire_use_device). ON_DEVICE is the value of a call, whose requests are of a device.
uint32_t wire_current_device(void);
void wire_use_device(uint32_t device);
#define ON_DEVICE(device, call)                     \
	({                                              \
		uint32_t on_outer = wire_current_device();  \
		wire_use_device(device);                    \
		int on_result = (call);                     \
		wire_use_device(on_outer);                  \
		on_result;                                  \
	})

// wire_ready is the error of the connection: 0, WIRE_NO_DEVICE outside of ptxsan exec, or
// WIRE_NOT_INITIALIZED in the child of a process that had used the device.
int wire_ready(void);

// wire_reset releases all that the process has on the current device, and forgets what is mapped here. The
// value is the error of an operation that the host has not waited for, or that of the connection.
int wire_reset(void);

// wire_epoch is a number of the current device, which every reset of the device changes (wire_end_epoch). Handles have the epoch
// in which they were made: it says which device they are of, and after a reset they are not live. WIRE_DEAD is that of no live
// one.
uint32_t wire_epoch(void);
int wire_live(uint32_t epoch);
void wire_end_epoch(void);
#define WIRE_DEAD UINT32_MAX
#define WIRE_DEVICE_OF(epoch) ((epoch) % WIRE_DEVICES)
#define LIVE(handle) ((handle) != NULL && wire_live((handle)->epoch))

// WIRE_NO_STREAM stands for a stream that is not live. Operations in it are errors.
enum { WIRE_NO_STREAM = 0x7ffffff };

// wire_in says in which stream the operations of this thread are, up to wire_done; elsewhere they are of synchronous forms, in
// the default one. Number 0 stands for the default stream of the current device. IN is the value of a call between the two.
void wire_in(uint32_t stream);

// wire_capture says whether a stream with a number captures. Operations in it are requests to it (struct stream), whichever library
// they are made by.
struct stream;
void wire_capture(struct stream *s, uint32_t number, int on);
// wire_capturing is the stream of a number if it captures, else null.
struct stream *wire_capturing(uint32_t number);
void wire_done(void);
#define IN(stream, call)                       \
	({                                         \
		uint32_t in_stream = (stream);         \
		int in_result = WIRE_INVALID_HANDLE;   \
		if (in_stream != WIRE_NO_STREAM) {     \
			wire_in(in_stream);                \
			in_result = (call);                \
			wire_done();                       \
		}                                      \
		in_result;                             \
	})

// wire_per_thread says whether the default stream is that of the thread, for functions whose names end in _ptsz or _ptds
// (per_thread.h); the value is the former state, which wire_is_per_thread reports. wire_thread_stream is that stream.
int wire_per_thread(int on);
int wire_is_per_thread(void);
uint32_t wire_thread_stream(void);

// wire_parts begins copies that are one operation, up to wire_end_parts with the value. wire_across says whether copies are
// between peers, which all streams wait for. PARTS and ACROSS are the values of such calls.
int wire_parts(void);
void wire_end_parts(int outer);
void wire_across(int on);
#define PARTS(call)                   \
	({                                \
		int parts_outer = wire_parts(); \
		int parts_result = (call);    \
		wire_end_parts(parts_outer);  \
		parts_result;                 \
	})
#define ACROSS(call)              \
	({                            \
		wire_across(1);           \
		int across_result = (call); \
		wire_across(0);           \
		across_result;            \
	})

// wire_order tells what orders operations; nothing is sent before there is a stream, memory that one
// allocates, or memory that the host can reach. The token is an event's number; of a new stream 1 if it does not block;
// of a branch of a graph the stream that launches it; of memory of a graph, which its nodes allocate and release, the address.
// ORDER_OVERLAPS says that launches from now on may begin before the end of those before.
// A function of a stream has a number, by which it is told when it runs and ends if it has to wait (WIRE_LATER).
// Of ORDER_STREAM_DONE and ORDER_EVENT_DONE the value is WIRE_NOT_READY, and the host has not waited, while a
// kernel runs on.
enum wire_order {
	ORDER_CREATE,
	ORDER_STREAM,
	ORDER_DEVICE,
	ORDER_RECORD,
	ORDER_WAIT,
	ORDER_EVENT,
	ORDER_FUNCTION,
	ORDER_END,
	ORDER_END_EVENT,
	ORDER_STREAM_DONE,
	ORDER_EVENT_DONE,
	ORDER_FUNCTION_RUNS,
	ORDER_BRANCH,
	ORDER_ALLOCATED,
	ORDER_RELEASED,
	ORDER_RECORD_LET,
	ORDER_RECORD_STARTED,
	ORDER_RECORD_BEGUN,
	ORDER_OVERLAPS,
	ORDER_FUNCTION_ENDS,
};
int wire_order(enum wire_order what, uint32_t stream, uint64_t token);
// wire_orders says that the order of operations matters from now on, as if there were a stream besides the default one.
void wire_orders(void);

// wire_host_function has a stream call a function (wire_callback.c), and wire_node_function one of a node of a graph.
int wire_host_function(uint32_t stream, void (*function)(void *), void *data);
int wire_node_function(uint32_t stream, void (*function)(void *), void *data);

// wire_fault is the error of a kernel that has faulted since the last call, 0 for none. wire_sticky is such an error that the
// application has got, 0 for none: until a reset, all calls return it but those that free something, which do so all the same, and
// those about the device. Where a kernel was stopped for its time, the application goes on.
int wire_fault(void);
int wire_sticky(void);

// wire_number is a number that no stream or event of the process has had.
uint32_t wire_number(void);

// What is allocated: memory of the device; memory that the host can reach as well; that, for
// pages that the application has already; managed memory; or memory of a pool.
enum { WIRE_DEVICE_MEMORY = 0, WIRE_HOST_VISIBLE = 1, WIRE_REGISTERED = 3, WIRE_MANAGED = 5, WIRE_POOL = 8 };

int wire_alloc(uint64_t size, uint32_t flags, uint64_t *address);
// wire_alloc_of_pool allocates memory of a pool of a device, to which a set of devices has access.
struct wire_homes {
	uint32_t home;
	uint64_t devices;
};
int wire_alloc_of_pool(uint64_t size, struct wire_homes of, uint64_t *address);
// wire_alloc_rows allocates memory of the device for rows of width bytes, pitch bytes apart.
int wire_alloc_rows(uint64_t pitch, uint64_t width, uint64_t rows, uint64_t *address);
// wire_unwritten says that the contents of memory are lost: a graph allocates it again.
int wire_unwritten(uint64_t address);
int wire_free(uint64_t address);
// wire_condition is a word of the device's memory at a time when its operations have ended. The host has not waited for them.
int wire_condition(uint64_t address, uint32_t *value);
int wire_write(uint64_t to, const void *from, uint64_t size);
int wire_read(void *to, uint64_t from, uint64_t size);
int wire_copy(uint64_t to, uint64_t from, uint64_t size);
// wire_fill writes height rows of width elements of 1, 2 or 4 bytes, pitch bytes apart.
int wire_fill(uint64_t to, uint64_t pitch, uint32_t element, uint32_t value, uint64_t width, uint64_t height);

// Access to memory of other devices: the arguments.
enum wire_peer {
	PEER_ENABLE,  // a device, whose memory the current one accesses from now on
	PEER_DISABLE, // a device
	PEER_ALLOW,   // an address of memory of a pool, and the set of devices that access it
};
int wire_peer(enum wire_peer what, uint64_t a, uint64_t b);

// Memory pools. cudaMemPoolProps, cudaMemLocation and cudaMemAccessDesc, whose layout both APIs share, as far as they
// are used.
struct wire_pool;
struct wire_pool_location {
	int kind, id;
};
// wire_place is the error of a place of memory, and wire_place_of the place that a number of a device stands for, which may be
// the host's.
int wire_place(struct wire_pool_location location);
struct wire_pool_location wire_place_of(int device);
struct wire_pool_properties {
	int kind, handles;
	struct wire_pool_location location;
	void *security;
	uint64_t most; // bytes in use, 0 for no limit
};
struct wire_pool_access {
	struct wire_pool_location location;
	int access;
};
struct wire_pool *wire_pool_default(uint32_t device);
// wire_pool_current is the pool of a device's allocations that name none, and wire_pool_use changes it.
struct wire_pool *wire_pool_current(uint32_t device);
int wire_pool_use(uint32_t device, struct wire_pool *pool);
int wire_pool_create(const struct wire_pool_properties *properties, struct wire_pool **out);
// wire_pool_destroy ends a pool, whose memory remains until it is freed.
int wire_pool_destroy(struct wire_pool *pool);
int wire_pool_alloc(struct wire_pool *pool, uint64_t size, uint64_t *address);
// wire_pool_check is an error where the handle is not that of a pool.
int wire_pool_check(struct wire_pool *pool);
// wire_pool_get and wire_pool_set have attributes by CUDA's numbers, of type int or uint64_t.
int wire_pool_get(struct wire_pool *pool, int attribute, void *value);
int wire_pool_set(struct wire_pool *pool, int attribute, const void *value);
int wire_pool_access(struct wire_pool *pool, const struct wire_pool_location *location, int *access);
// wire_pool_devices changes the set of devices with access as a list says, and wire_pool_home is the device of a pool.
int wire_pool_devices(struct wire_homes *of, const struct wire_pool_access *list, size_t n);
uint32_t wire_pool_home(const struct wire_pool *pool);
int wire_pool_allow(struct wire_pool *pool, const struct wire_pool_access *list, size_t n);

// Pools that the program announces: a heap, or a region of one, begins (or has another size), ends, is without regions, has a name. It
// is nothing where there is no connection.
enum wire_pool_event { POOL_HEAP, POOL_HEAP_END, POOL_HEAP_EMPTY, POOL_REGION, POOL_REGION_END, POOL_NAME };
void wire_pool_event(enum wire_pool_event what, uint64_t address, uint64_t size, const char *name);

// wire_range says in which named range of the program this thread launches kernels; null or "" for none. The text must stay.
void wire_range(const char *text);

// Virtual memory management: addresses without memory, and memory without addresses. What they take, and what *result becomes if
// it is not null:
enum wire_virtual {
	VIRTUAL_RESERVE,   // size, alignment; address
	VIRTUAL_UNRESERVE, // address, size
	VIRTUAL_RELEASE,   // handle
	VIRTUAL_MAP,       // address, size, handle, first byte of it
	VIRTUAL_UNMAP,     // address, size
	VIRTUAL_ALLOW,     // address, size, flags of access, device
	VIRTUAL_ACCESS,    // address, device; flags of access
	VIRTUAL_RETAIN,    // address; handle
	VIRTUAL_CREATE,
	VIRTUAL_PROPERTIES,
};
int wire_virtual(enum wire_virtual what, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t *result);
// wire_create makes memory of a device, and keeps size bytes of properties for wire_properties.
int wire_create(uint64_t bytes, uint32_t device, const void *properties, size_t size, uint64_t *handle);
int wire_properties(uint64_t handle, void *properties, size_t size);

// Logical endpoints, by number: what follows the number, and what *result becomes if it is not null.
enum wire_endpoint {
	ENDPOINT_RESERVE,      // of any number, count; first number
	ENDPOINT_RELEASE,      // count
	ENDPOINT_CREATE,       // size
	ENDPOINT_DESTROY,
	ENDPOINT_QUERY,        // count; whether all are made
	ENDPOINT_BIND,         // offset, handle, first byte of it, size
	ENDPOINT_BIND_ADDRESS, // offset, address, size
	ENDPOINT_UNBIND,       // offset, size
};
int wire_endpoint(enum wire_endpoint what, uint32_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t *result);

// Multicast objects, by handle: what follows the handle, and what *result becomes if it is not null.
enum wire_multicast {
	MULTICAST_CREATE,       // of any handle, size, number of devices; handle
	MULTICAST_ADD,          // device
	MULTICAST_BIND,         // offset, handle of memory, first byte of it, size
	MULTICAST_BIND_ADDRESS, // offset, address, size
	MULTICAST_UNBIND,       // device, offset, size
};
int wire_multicast(enum wire_multicast what, uint64_t handle, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t *result);

// Memory and events that processes share, by the number of a handle: what it takes, and what *result becomes if it is not null.
enum wire_share {
	SHARE_EXPORT,       // address; number
	SHARE_OPEN,         // number; address
	SHARE_CLOSE,        // address
	SHARE_EXPORT_EVENT, // event; number
	SHARE_OPEN_EVENT,   // number, event
};
int wire_share(enum wire_share what, uint64_t a, uint64_t b, uint64_t *result);

// What an address is: memory of the device, host-visible or not, an address without memory, or unknown.
enum { WIRE_UNKNOWN, WIRE_MEMORY, WIRE_RESERVED };
struct wire_pointer {
	uint64_t base, size;
	uint32_t known, host_visible, device, reserved;
};
int wire_pointer(uint64_t address, struct wire_pointer *p);

// Registered memory of the host (wire_registered.c), and the device's address of any
// host-visible memory.
int wire_register(void *p, size_t size);
int wire_unregister(void *p);
int wire_device_pointer(void *host, uint64_t *device);
// wire_registered finds the address that the device has for a byte of memory that is registered.
int wire_registered(uint64_t host, uint64_t *device);

// wire_alias says that memory of the device has other addresses for the host, which may have been memory that the host cannot write,
// or stacks, whose accesses are not watched: a signal's handler, and system calls, need them. wire_visible is the device's address of
// memory that the host can reach, 0 for other memory.
enum { ALIAS_CONSTANT = 1, ALIAS_STACK = 2 };
void wire_alias(uint64_t device, uintptr_t host, size_t size, int kind);
void wire_unalias(uintptr_t host);
uint64_t wire_visible(const void *host, size_t size);
// wire_unreachable reports whether an address that is given for one of the host's is of memory that only the device
// reaches, as when the direction of a copy is wrong.
int wire_unreachable(const void *host);

int wire_memory(uint64_t *free_bytes, uint64_t *total);

int wire_load(const void *image, uint64_t size, uint64_t *module);
int wire_unload(uint64_t module);
int wire_variable(uint64_t module, const char *name, uint64_t *address, uint64_t *size);
// wire_managed maps a variable where it is on the device. The address is 0 if it is that of another device's module, which is
// mapped.
int wire_managed(uint64_t module, const char *name, uint64_t *address);

// A kernel: where its parameters lie, and what attributes ask for.
struct wire_param {
	uint32_t offset, size;
};
struct wire_function {
	uint64_t id, module;
	uint64_t shared, local; // bytes, statically
	uint32_t max_threads, registers;
	uint32_t version, ptx_version; // architectures, as 80: that of the device, and that of the PTX, which may be an earlier one
	uint32_t nparams;
	struct wire_param params[];
};
// wire_kernels calls a function with the name of each kernel of a module, until it returns an error, which is the value then.
int wire_kernels(uint64_t module, int (*each)(const char *name, void *data), void *data);
// wire_function finds a kernel; the value must be freed. Null with the error in *error.
struct wire_function *wire_function(uint64_t module, const char *name, int *error);

// wire_occupancy is how many blocks of so many threads, which is not 0, fit a multiprocessor at a time, with so many bytes of dynamic shared memory.
int wire_occupancy(const struct wire_device *d, const struct wire_function *f, unsigned threads, size_t shared);

// wire_dynamic_shared is how many bytes of dynamic shared memory a block may have of which so many, at least one, fit a multiprocessor.
size_t wire_dynamic_shared(const struct wire_device *d, const struct wire_function *f, int blocks);

struct wire_launch {
	uint64_t function;
	uint32_t grid[3], block[3], cluster[3];
	uint32_t shared, cooperative;
	uint32_t overlaps; // it may begin before the end of the one before in its stream
};
// wire_launch executes a kernel to its end, or until it waits for the host: then it goes on while the host waits for it, or asks whether it has
// ended. Where it faults, the next call that waits for it has
// the error, as on a GPU: the launch itself has none. params are pointers to the arguments; if null,
// block has the parameters as they lie in memory.
int wire_launch(const struct wire_launch *l, const struct wire_function *f, void *const *params, const void *block, size_t block_size);

// A texture over memory of the device; the modes and kinds are CUDA's numbers.
struct wire_texture {
	uint64_t address, pitch; // bytes from row to row, 0 for rows without gaps
	uint64_t module;         // whose reference is bound, 0 for none
	uint32_t dims, width, height, depth, layers, cube;
	uint32_t kind, bits, channels; // of an element: signed, unsigned or float
	uint32_t buffer, mode[3], linear, fraction, srgb, normalized;
	float border[4];
	uint32_t levels, mip_linear; // levels of detail, one after the other; 0 for one
	float bias, least, most;     // of the level of detail
};
int wire_texture(const struct wire_texture *t, uint64_t *object);
// wire_bind binds a texture or surface reference of t->module.
int wire_bind(const struct wire_texture *t, const char *name);
// wire_reference finds a texture reference of a module, or a surface reference.
int wire_reference(uint64_t module, int surface, const char *name);

// A tensor map as cuTensorMapEncodeTiled and the others describe it, with their numbers: of rank elements of each
// array, of spatial ones of the corners.
enum { WIRE_TENSOR_RANK = 5, WIRE_TENSOR_MAP = 128 };
struct wire_tensor_map {
	uint64_t address, dims[WIRE_TENSOR_RANK], strides[WIRE_TENSOR_RANK - 1]; // strides of all dimensions but the first
	uint32_t type, rank, box[WIRE_TENSOR_RANK], steps[WIRE_TENSOR_RANK];
	int32_t lower[WIRE_TENSOR_RANK - 2], upper[WIRE_TENSOR_RANK - 2];
	uint32_t columns, spatial, channels, pixels; // columns: 0 for boxes, 1 im2col, 2 im2col::w, 3 im2col::w::128
	uint32_t interleave, swizzle, fill, reserved;
};
// wire_tensor_map makes a map of WIRE_TENSOR_MAP bytes; wire_move_tensor_map gives one another address.
int wire_tensor_map(const struct wire_tensor_map *t, void *map);
int wire_move_tensor_map(void *map, uint64_t address);

// wire_missing says, once for each name, that the application has called a function that
// does not exist here. The value is WIRE_NOT_SUPPORTED.
int wire_missing(const char *library, const char *name);

// wire_failed says that a call of the application fails, with the name of the error and its text, and wire_handled that
// the program has read the last error of this thread.
void wire_failed(int error, const char *name, const char *text);
void wire_handled(void);

// wire_link makes one image of several, which modules can be loaded from; it must be freed. Null
// without memory. built is what they were linked to when the program was built, null for nothing.
void *wire_link(const void *built, const void *const *images, const size_t *sizes, size_t count);

// wire_image_size is the size of a module's image: a fat binary, an ELF file, a linked image, or
// PTX text.
size_t wire_image_size(const void *image);

// wire_image_file reads an image from a file, with a zero byte behind it, as text needs. It must be freed; null if the file cannot be
// read.
char *wire_image_file(const char *path);

#ifdef WIRE_SHARED
#pragma GCC visibility pop
#endif

#endif

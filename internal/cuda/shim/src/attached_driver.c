// What ptxsan asks of the driver while a request is under way: memory, modules, and the launch itself.
#include "attached.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// A stream of each context for copies, which must not wait for kernels.
static struct {
	uint64_t context;
	CUstream stream;
} copies[64];

enum { CONTEXTS = sizeof copies / sizeof *copies };

uint64_t attached_context(void) {
	CUcontext c = NULL;
	return REAL(cuCtxGetCurrent)(&c) == CUDA_SUCCESS ? (uintptr_t)c : 0;
}

void attached_gone(uint64_t context) {
	struct wire_part part = {&context, sizeof context};
	attached_call(REQ_GONE, &part, 1, NULL, NULL, 0);
	attached_forget(context);
	for (int i = 0; i < CONTEXTS; i++)
		if (copies[i].context == context)
			copies[i].context = 0;
}

// stream_of is the stream for copies of the thread's context; null, the default one, when there are too many contexts.
static CUstream stream_of(void) {
	enum { NON_BLOCKING = 1 };
	uint64_t context = attached_context();
	int room = -1;
	for (int i = 0; i < CONTEXTS; i++) {
		if (copies[i].context == context)
			return copies[i].stream;
		if (copies[i].context == 0 && room < 0)
			room = i;
	}
	if (room < 0 || REAL(cuStreamCreate)(&copies[room].stream, NON_BLOCKING) != CUDA_SUCCESS)
		return NULL;
	copies[room].context = context;
	return copies[room].stream;
}

// answer makes a reply of numbers.
static CUresult answer(CUresult error, uint64_t a, uint64_t b, int count, void **reply, size_t *size) {
	if (error != CUDA_SUCCESS)
		return error;
	uint64_t *words = malloc(2 * sizeof *words);
	if (words == NULL)
		return CUDA_ERROR_OUT_OF_MEMORY;
	words[0] = a, words[1] = b;
	*reply = words, *size = count * sizeof *words;
	return CUDA_SUCCESS;
}

static CUresult describe(void **reply, size_t *size) {
	enum { MAJOR = 75, MINOR = 76, NAME = 256 };
	struct {
		uint64_t driver, capability;
		char name[NAME];
	} *d = calloc(1, sizeof *d);
	CUdevice device;
	int driver = 0, major = 0, minor = 0;
	if (d == NULL)
		return CUDA_ERROR_OUT_OF_MEMORY;
	CUresult error = REAL(cuCtxGetDevice)(&device);
	if (error == CUDA_SUCCESS)
		error = REAL(cuDeviceGetName)(d->name, NAME - 1, device);
	if (error != CUDA_SUCCESS) {
		free(d);
		return error;
	}
	REAL(cuDriverGetVersion)(&driver);
	REAL(cuDeviceGetAttribute)(&major, MAJOR, device);
	REAL(cuDeviceGetAttribute)(&minor, MINOR, device);
	d->driver = driver, d->capability = 10 * major + minor;
	*reply = d, *size = 2 * sizeof(uint64_t) + strlen(d->name);
	return CUDA_SUCCESS;
}

// compile loads PTX, which ends with a zero byte. What the driver's compiler says of an error is the reply.
static CUresult compile(const unsigned char *ptx, struct attached_subject *s, void **reply, size_t *size) {
	enum { ERROR_LOG = 5, ERROR_LOG_SIZE = 6, LOG = 16 << 10 };
	char *log = calloc(1, LOG);
	int options[] = {ERROR_LOG, ERROR_LOG_SIZE};
	void *values[] = {log, (void *)(uintptr_t)(LOG - 1)};
	CUresult error;
	if (log == NULL || s == NULL)
		return CUDA_ERROR_OUT_OF_MEMORY;
	if (s->library == NULL)
		error = REAL(cuModuleLoadDataEx)(&s->module, ptx, 2, options, values);
	else if ((error = REAL(cuLibraryLoadData)(s->library, ptx, options, values, 2, NULL, NULL, 0)) == CUDA_SUCCESS)
		error = REAL(cuLibraryGetModule)(&s->module, *s->library);
	if (error != CUDA_SUCCESS && log[0] != 0) {
		*reply = log, *size = strlen(log);
		return error;
	}
	free(log);
	return answer(error, (uintptr_t)s->module, 0, 1, reply, size);
}

static CUresult alloc(uint64_t size, int managed, void **reply, size_t *reply_size) {
	enum { GLOBAL = 1 };
	CUdeviceptr p = 0;
	CUresult error = managed ? REAL(cuMemAllocManaged)(&p, size, GLOBAL) : REAL(cuMemAlloc_v2)(&p, size);
	if (error != CUDA_SUCCESS || managed)
		return answer(error, p, 0, 1, reply, reply_size);
	CUstream stream = stream_of();
	if ((error = REAL(cuMemsetD8Async)(p, 0, size, stream)) == CUDA_SUCCESS)
		error = REAL(cuStreamSynchronize)(stream);
	return answer(error, p, 0, 1, reply, reply_size);
}

// alloc_host reserves zeroed memory of the host that kernels access in place, at the same address. It
// remains readable here when a fault has destroyed the context.
static CUresult alloc_host(uint64_t size, void **reply, size_t *reply_size) {
	enum { DEVICE_MAP = 2 };
	void *p = NULL;
	CUresult error = REAL(cuMemHostAlloc)(&p, size, DEVICE_MAP);
	if (error == CUDA_SUCCESS)
		memset(p, 0, size);
	return answer(error, (uintptr_t)p, 0, 1, reply, reply_size);
}

static CUresult read_host(uint64_t from, uint64_t size, void **reply, size_t *reply_size) {
	void *bytes = malloc(size + 1);
	if (bytes == NULL)
		return CUDA_ERROR_OUT_OF_MEMORY;
	memcpy(bytes, (const void *)(uintptr_t)from, size);
	*reply = bytes, *reply_size = size;
	return CUDA_SUCCESS;
}

static CUresult copy_out(uint64_t from, uint64_t size, void **reply, size_t *reply_size) {
	void *bytes = malloc(size + 1);
	if (bytes == NULL)
		return CUDA_ERROR_OUT_OF_MEMORY;
	CUstream stream = stream_of();
	CUresult error = REAL(cuMemcpyDtoHAsync_v2)(bytes, from, size, stream);
	if (error == CUDA_SUCCESS)
		error = REAL(cuStreamSynchronize)(stream);
	if (error != CUDA_SUCCESS) {
		free(bytes);
		return error;
	}
	*reply = bytes, *reply_size = size;
	return CUDA_SUCCESS;
}

static CUresult copy_in(uint64_t to, const void *from, uint64_t size) {
	CUstream stream = stream_of();
	CUresult error = REAL(cuMemcpyHtoDAsync_v2)(to, from, size, stream);
	return error == CUDA_SUCCESS ? REAL(cuStreamSynchronize)(stream) : error;
}

// module_of is the module of a library in the thread's context.
static CUresult module_of(CUlibrary library, void **reply, size_t *size) {
	CUmodule m = NULL;
	CUresult error = library == NULL ? CUDA_ERROR_NOT_FOUND : REAL(cuLibraryGetModule)(&m, library);
	return answer(error, (uintptr_t)m, 0, 1, reply, size);
}

static CUresult shared_of(CUmodule m, const char *kernel, void **reply, size_t *size) {
	enum { STATIC_SHARED = 1 };
	CUfunction f;
	int n = 0;
	CUresult error = REAL(cuModuleGetFunction)(&f, m, kernel);
	if (error == CUDA_SUCCESS)
		error = REAL(cuFuncGetAttribute)(&n, STATIC_SHARED, f);
	return answer(error, n, 0, 1, reply, size);
}

// wait_for waits for the stream of a launch, for so many microseconds at most.
static CUresult wait_for(const struct attached_launch *l, uint64_t most) {
	enum { LONGEST = 1000 };
	for (uint64_t pause = 10, waited = 0;; waited += pause, pause = pause * 2 < LONGEST ? pause * 2 : LONGEST) {
		CUresult error = l->per_thread && HAS(cuStreamQuery_ptsz) ? REAL(cuStreamQuery_ptsz)(l->stream) : REAL(cuStreamQuery)(l->stream);
		if (error != CUDA_ERROR_NOT_READY || waited >= most)
			return error;
		struct timespec t = {0, pause * 1000};
		nanosleep(&t, NULL);
	}
}

static CUresult run(const struct attached_launch *l, unsigned shared) {
	enum { MAX_DYNAMIC_SHARED = 8, USUAL = 48 << 10, AT_ONCE = 50 };
	if (l == NULL)
		return CUDA_ERROR_INVALID_VALUE;
	if (shared > l->shared && shared > USUAL)
		REAL(cuFuncSetAttribute)(l->f, MAX_DYNAMIC_SHARED, shared);
	CUresult error = l->start(l, shared);
	return error == CUDA_SUCCESS ? wait_for(l, AT_ONCE) : error;
}

CUresult attached_execute(enum attached_command c, const unsigned char *args, size_t size, struct attached_subject *s, void **reply, size_t *reply_size) {
	uint64_t a = 0, b = 0, address = 0;
	size_t bytes = 0;
	if (size >= sizeof a)
		memcpy(&a, args, sizeof a);
	if (size >= sizeof a + sizeof b)
		memcpy(&b, args + sizeof a, sizeof b);
	const char *name = (const char *)args + sizeof a;
	CUmodule m = (CUmodule)(uintptr_t)a;
	CUresult error;
	switch (c) {
	case CMD_COMPILE: return compile(args, s, reply, reply_size);
	case CMD_UNLOAD: return REAL(cuModuleUnload)(m);
	case CMD_ALLOC: return alloc(a, 0, reply, reply_size);
	case CMD_ALLOC_MANAGED: return alloc(a, 1, reply, reply_size);
	case CMD_ALLOC_HOST: return alloc_host(a, reply, reply_size);
	case CMD_READ_HOST: return read_host(a, b, reply, reply_size);
	case CMD_FREE: return REAL(cuMemFree_v2)(a);
	case CMD_READ: return copy_out(a, b, reply, reply_size);
	case CMD_WRITE: return copy_in(a, args + sizeof a + sizeof b, b);
	case CMD_SYMBOL:
		error = REAL(cuModuleGetGlobal_v2)(&address, &bytes, m, name);
		return answer(error, address, bytes, 2, reply, reply_size);
	case CMD_SHARED: return shared_of(m, name, reply, reply_size);
	case CMD_RUN: return run(s == NULL ? NULL : s->launch, a);
	case CMD_WAIT: return s == NULL || s->launch == NULL ? CUDA_ERROR_INVALID_VALUE : wait_for(s->launch, a);
	case CMD_MODULE: return module_of(attached_library(a), reply, reply_size);
	case CMD_DESCRIBE: return describe(reply, reply_size);
	case CMD_RESULT: break;
	}
	return CUDA_ERROR_INVALID_VALUE;
}

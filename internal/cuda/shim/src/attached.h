// The shim in front of the CUDA driver (ptxsan exec --device gpu): what its parts share. It has all names
// of the driver API; a call of most goes to the driver at once. Modules that are loaded, and
// launches, go to ptxsan first, at the other end of a socket (internal/cuda/attached).
#ifndef PTXSAN_ATTACHED_H
#define PTXSAN_ATTACHED_H

#include "cuda.h"

typedef struct library *CUlibrary;
typedef struct kernel *CUkernel;

// The driver's function of each name.
#define MISSING(name) extern void *slot_##name;
#include "cuda_names.h"
#undef MISSING

// REAL is the driver's function of a name that has been declared; HAS says whether the driver has it.
#define REAL(name) ((__typeof__(&name))slot_##name)
#define HAS(name) (slot_##name != (void *)attached_absent)
CUresult attached_absent(void);

enum { CUDA_ERROR_NOT_READY = 600 };

// Requests, and their results: it was done, or the driver does what the application asked for.
enum attached_request { REQ_HELLO, REQ_LOAD, REQ_UNLOAD, REQ_LAUNCH, REQ_ALLOC, REQ_FREE, REQ_GONE, REQ_PASSED, REQ_REGISTER, REQ_ADOPT };
enum { DONE = 0, PASSED = 1 };

// Commands that come before the result of a request.
enum attached_command { CMD_RESULT, CMD_COMPILE, CMD_UNLOAD, CMD_ALLOC, CMD_ALLOC_MANAGED, CMD_FREE, CMD_READ, CMD_WRITE, CMD_SYMBOL, CMD_SHARED, CMD_RUN, CMD_WAIT, CMD_DESCRIBE, CMD_MODULE, CMD_ALLOC_HOST, CMD_READ_HOST };

// A launch that the application has asked for: start begins it, with as much dynamic shared memory.
struct attached_launch {
	CUfunction f;
	unsigned grid[3], block[3], cluster[3], shared, cooperative;
	CUstream stream;
	int per_thread; // the default stream is the thread's
	void **params, **extra;
	const void *config; // of cuLaunchKernelEx
	CUresult (*start)(const struct attached_launch *l, unsigned shared);
};

// attached_launch launches a kernel, through ptxsan when it is instrumented.
CUresult attached_launch(const struct attached_launch *l);

// Why a launch is not checked.
enum attached_why { NO_PTX, IN_GRAPH };

// attached_passed tells of a launch that is not checked.
void attached_passed(const char *name, uint64_t why);

// attached_capturing reports whether a stream records what it is given; per_thread: the default stream is the thread's.
int attached_capturing(CUstream s, int per_thread);

// What the commands of a request are about: a launch, or a library that is loaded.
struct attached_subject {
	const struct attached_launch *launch;
	CUlibrary *library; // to load the module as; null for a module by itself
	CUmodule module;    // that was compiled
	void *bytes;        // of a result that is larger than a few numbers, in memory of its own
	size_t size;
};

// Whether this thread is in a call of the shim's: what the driver calls is then the driver's own affair.
extern __thread int attached_inside;

// INSIDE is the value of a call of the driver's.
#define INSIDE(call)                        \
	({                                      \
		attached_inside++;                  \
		__typeof__(call) inside_ = (call);  \
		attached_inside--;                  \
		inside_;                            \
	})

// attached_outside reports whether a call comes from the application and ptxsan is there.
int attached_outside(void);

// attached_call sends a request and executes the commands that come before its result. The value is DONE
// or PASSED; the result's numbers are put into reply, and what follows them goes to the subject.
int attached_call(enum attached_request r, const struct wire_part *parts, int nparts, struct attached_subject *s, uint64_t *reply, int count);

// attached_execute executes a command. The value is the driver's; the reply is in memory of its own, or null.
CUresult attached_execute(enum attached_command c, const unsigned char *args, size_t size, struct attached_subject *s, void **reply, size_t *reply_size);

// attached_context is the context of the thread.
uint64_t attached_context(void);

// attached_gone tells that a context has ended; attached_forget forgets its modules.
void attached_gone(uint64_t context);
void attached_forget(uint64_t context);

// A kernel by its handle: the number of its module (0: it is not instrumented) and its name.
struct attached_kernel {
	void *handle, *of; // of: its module, or its library
	int in_library;
	uint64_t module;
	int looked; // it is known that the module is not instrumented
	unsigned block[3], shared; // of launches that are set up in steps
	struct attached_kernel *next;
	char name[];
};

// attached_find finds the kernel of a handle that is launched; null when there is no memory.
struct attached_kernel *attached_find(void *handle);

// attached_library is the library of an instrumented module, by its number; null for none.
CUlibrary attached_library(uint64_t number);

// attached_contents reads a file, for images, and ends it with zero bytes, as text must be; null when it cannot.
char *attached_contents(const char *path, size_t *size);

// attached_pieces is what a linked image was made of, as one image; null for other images. It must be freed.
void *attached_pieces(const void *image);

// attached_register is a fat binary with the instrumented PTX of another one, for NVIDIA's runtime, which
// loads it in ways of its own; null when it cannot be instrumented.
EXPORT const void *attached_register(const void *image);

// attached_register_all is the same for images that are to be linked, up to null.
EXPORT const void *attached_register_all(const void *const *images);

// attached_wrapper is the shim's function in place of one of the driver's, which an application has found
// under a name; or the driver's.
void *attached_wrapper(const char *name, void *real, int version, uint64_t flags);

// Functions of the driver that the shim calls. Those that it has, too, are declared where they are.
CUresult cuCtxGetCurrent(CUcontext *c);
CUresult cuCtxGetDevice(CUdevice *d);
CUresult cuDriverGetVersion(int *version);
CUresult cuDeviceGetName(char *name, int size, CUdevice d);
CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice d);
CUresult cuDevicePrimaryCtxGetState(CUdevice d, unsigned *flags, int *active);
CUresult cuGetErrorName(CUresult e, const char **name);
CUresult cuGetErrorString(CUresult e, const char **text);
CUresult cuStreamCreate(CUstream *s, unsigned flags);
CUresult cuStreamQuery(CUstream s);
CUresult cuStreamQuery_ptsz(CUstream s);
CUresult cuStreamSynchronize(CUstream s);
CUresult cuStreamIsCapturing(CUstream s, int *status);
CUresult cuStreamIsCapturing_ptsz(CUstream s, int *status);
CUresult cuMemsetD8Async(CUdeviceptr p, unsigned char value, size_t n, CUstream s);
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t n, CUstream s);
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t n, CUstream s);
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t n);
CUresult cuModuleGetGlobal_v2(CUdeviceptr *p, size_t *size, CUmodule m, const char *name);
CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction f);
CUresult cuFuncSetAttribute(CUfunction f, int attribute, int value);
CUresult cuFuncGetModule(CUmodule *m, CUfunction f);
CUresult cuModuleLoadDataEx(CUmodule *m, const void *image, unsigned count, int *options, void **values);
CUresult cuModuleUnload(CUmodule m);
CUresult cuModuleGetFunction(CUfunction *f, CUmodule m, const char *name);
CUresult cuLibraryLoadData(CUlibrary *l, const void *image, int *options, void **values, unsigned count, int *more, void **more_values, unsigned more_count);
CUresult cuLibraryGetModule(CUmodule *m, CUlibrary l);
CUresult cuMemAlloc_v2(CUdeviceptr *p, size_t size);
CUresult cuMemAllocManaged(CUdeviceptr *p, size_t size, unsigned flags);
CUresult cuMemHostAlloc(void **p, size_t size, unsigned flags);
CUresult cuMemFree_v2(CUdeviceptr p);

#endif

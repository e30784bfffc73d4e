// What the parts of the drop-in driver library share: the types of CUDA's driver API as far
// as they are used, by their layout. The declarations are written from NVIDIA's public
// documentation of the API ("CUDA Driver API", reference manual).
#ifndef PTXSAN_CUDA_H
#define PTXSAN_CUDA_H

#include "per_thread.h"

typedef int CUresult;
typedef int CUdevice;
typedef uint64_t CUdeviceptr;
typedef struct context *CUcontext;
typedef struct module *CUmodule;
typedef struct function *CUfunction;
typedef struct stream *CUstream;
typedef struct event *CUevent;

enum {
	CUDA_SUCCESS = 0,
	CUDA_ERROR_INVALID_VALUE = 1,
	CUDA_ERROR_OUT_OF_MEMORY = 2,
	CUDA_ERROR_INVALID_DEVICE = 101,
	CUDA_ERROR_INVALID_IMAGE = 200,
	CUDA_ERROR_INVALID_CONTEXT = 201,
	CUDA_ERROR_FILE_NOT_FOUND = 301,
	CUDA_ERROR_INVALID_HANDLE = 400,
	CUDA_ERROR_NOT_FOUND = 500,
	CUDA_ERROR_NOT_SUPPORTED = 801,
};

// A kernel of a module, which is found once, and the state of the launches that are set up in
// steps (cuda_launch.c).
struct function {
	struct wire_function *kernel;
	uint32_t epoch;
	unsigned block[3], shared;
	unsigned char *params; // of WIRE_MAX_PARAM_BYTES, null before the first one
	size_t params_size;
	struct module *module;
	struct library *library; // of a kernel of one, whose functions are by device
	struct function *next;
	char name[];
};

// failed reports that a call of the application fails, unless the error is CUDA_SUCCESS, and returns the error.
CUresult failed(CUresult error);

// function_on replaces a kernel of a library by its function on a device.
CUresult function_on(CUfunction *f, uint32_t device);

// module_image is an image without the wrapper that it may have.
const void *module_image(const void *image);

// module_handle is the number by which the other end knows a module.
uint64_t module_handle(CUmodule m);

// stream_id is the number by which the other end knows a stream.
uint32_t stream_id(CUstream s);

// launch_events records the events of the latest launch of a stream.
struct launch_order;
CUresult launch_events(const struct launch_order *o, CUstream s);

// copy_any copies between addresses that tell what they are.
CUresult copy_any(CUdeviceptr to, CUdeviceptr from, size_t size);

// module_texref and module_surfref find references of a module by name. bind_texrefs binds those that have been
// changed, and forget_texrefs makes those of a module invalid.
struct texref;
struct surfref;
CUresult module_texref(struct texref **out, uint64_t module, const char *name);
CUresult module_surfref(struct surfref **out, uint64_t module, const char *name);
CUresult bind_texrefs(void);
void forget_texrefs(uint64_t module);

// EXPORT marks a function of the API; SAME_AS is another name of one: an earlier or later
// version with the same parameters. PTSZ defines one with per-thread default streams.
#define EXPORT __attribute__((visibility("default")))
#define SAME_AS(other) EXPORT __attribute__((alias(#other)))
#define VERSION2(name, params) SAME_AS(name) CUresult name##_v2 params;
#define PTSZ(name, params) IN_THREAD(CUresult, name, name##_ptsz, params)

#endif

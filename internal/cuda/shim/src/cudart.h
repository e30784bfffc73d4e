// What the parts of the drop-in runtime library share: the types of CUDA's runtime API as
// far as they are used, by their layout, and the handling of errors. The declarations are
// written from NVIDIA's public documentation of the API ("CUDA Runtime API", reference
// manual); no header of a toolkit is needed or used.
#ifndef PTXSAN_CUDART_H
#define PTXSAN_CUDART_H

#include "per_thread.h"

// The major version whose layout of structures is compiled, from the name of the library.
#ifndef CUDA_MAJOR
#define CUDA_MAJOR 11
#endif

typedef int cudaError_t;
typedef struct stream *cudaStream_t;
typedef struct event *cudaEvent_t;

enum {
	cudaSuccess = 0,
	cudaErrorInvalidValue = 1,
	cudaErrorMemoryAllocation = 2,
	cudaErrorInitializationError = 3,
	cudaErrorInvalidConfiguration = 9,
	cudaErrorInvalidSymbol = 13,
	cudaErrorInvalidMemcpyDirection = 21,
	cudaErrorInvalidDeviceFunction = 98,
	cudaErrorNoDevice = 100,
	cudaErrorInvalidDevice = 101,
	cudaErrorInvalidKernelImage = 200,
	cudaErrorFileNotFound = 301,
	cudaErrorInvalidResourceHandle = 400,
	cudaErrorSymbolNotFound = 500,
	cudaErrorNotReady = 600,
	cudaErrorHostMemoryAlreadyRegistered = 712,
	cudaErrorHostMemoryNotRegistered = 713,
	cudaErrorNotSupported = 801,
	cudaErrorStreamCaptureUnsupported = 900,
};

enum { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };

typedef struct {
	unsigned x, y, z;
} dim3;

// EXPORT marks a function of the API. SAME_AS is another name of one. PTSZ and PTDS define one with per-thread default streams.
#define EXPORT __attribute__((visibility("default")))
#define SAME_AS(other) EXPORT __attribute__((alias(#other)))
#define PTSZ(result, name, params) IN_THREAD(result, name, name##_ptsz, params)
#define PTDS(result, name, params) IN_THREAD(result, name, name##_ptds, params)

// failed keeps an error as the last one of the thread, and returns it.
cudaError_t failed(cudaError_t error);

// The kernel and the variable that a host symbol stands for; null, with the error, when it
// stands for none.
const struct wire_function *kernel_of(const void *symbol, cudaError_t *error);
const char *kernel_name(const void *symbol);

// handle_of is the driver's handle of a kernel, which is a symbol of it from then on. driver_function is a function of the driver
// library, which is loaded.
cudaError_t handle_of(const void *symbol, const void **handle);
void *driver_function(const char *name);
cudaError_t variable_of(const void *symbol, uint64_t *address, uint64_t *size);

// modules_again loads the modules with managed variables that the host knows again, after a reset, so that it finds them.
void modules_again(void);

// module_number is the number by which the other end knows a module that __cudaRegisterFatBinary has returned.
cudaError_t module_number(void **registered, uint64_t *handle);

// texture_of is the module, which has been loaded, and the name in it of a texture or surface reference,
// and whether its integers are read as fractions.
cudaError_t texture_of(const void *symbol, uint64_t *module, const char **name, int *fraction);

// stream_id is the number by which the other end knows a stream.
uint32_t stream_id(cudaStream_t s);
uint32_t device_of_stream(cudaStream_t s);

// launch_events records the events of the latest launch of a stream.
struct launch_order;
cudaError_t launch_events(const struct launch_order *o, cudaStream_t s);

// transfer copies memory as cudaMemcpy does.
cudaError_t transfer(void *to, const void *from, size_t size, int kind);

#endif

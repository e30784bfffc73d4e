// What the drop-in libraries over the runtime share: cuBLAS, cuRAND, cuFFT, cuSPARSE, NCCL. Most of their functions are generated
// (shim/stubs.go) from a table that the other end has as well: they pack their arguments into a request, and unpack the results.
#ifndef PTXSAN_LIBRARY_H
#define PTXSAN_LIBRARY_H

#include "handles.h"
#include "wire.h"

#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define SAME_AS(other) EXPORT __attribute__((alias(#other)))

// A library's handle: where its operations go, whether scalars are on the device, the object's number at the other end, and
// what the library's own functions keep.
struct library_handle {
	struct stream *stream;
	int device_scalars, on_host, modes[4];
	uint64_t object;
};

// An argument: a value, the address on the device of a scalar, or where the host wants a result of so many bytes. The first
// members are those of a request.
struct library_argument {
	uint32_t on_device, reserved;
	uint64_t words[2];
	void *result;
	size_t size;
};

// The generated functions make arguments of these kinds. A scalar is read where the handle does not say that it is on the device.
struct library_argument library_value(uint64_t v);
struct library_argument library_pointer(const void *p);
struct library_argument library_float(double v);
struct library_argument library_scalar(const struct library_handle *h, const void *p, size_t size);
struct library_argument library_result(const struct library_handle *h, void *p, size_t size);

// library_mixed is the size of a scalar of gemmEx, by the type that it computes in and that of its first operand.
size_t library_mixed(int compute, int type);

// library_call has the other end execute a function. The value is CUDA's number of an error.
int library_call(const struct library_handle *h, const char *name, const struct library_argument *list, size_t n);

// library_status is the library's own number for an error of CUDA's, and reports that the call fails.
int library_status(int error);

// library_version is the number in the name of the library's file, as 12 in libcublas.so.12.
int library_version(void);

// library_stream is the number by which the other end knows a stream.
uint32_t library_stream(struct stream *s);

#endif

// Values in memory that streams of the driver API write and wait for (CUDA Driver API, "Stream Memory Operations").
#include "cuda_graph.h"

// Kinds of the other end (internal/cuda/value.go): the conditions follow by CUDA's numbers (CUstreamWaitValue_flags).
enum { WRITE, WRITE_UNFENCED, WAIT };
enum { NO_BARRIER = 1, CONDITIONS = 3, FLUSH = 1 << 30 };

// CUstreamBatchMemOpParams: a kind of operation by CUDA's numbers, and its members.
enum { WAIT_32 = 1, WRITE_32 = 2, FLUSH_REMOTE = 3, WAIT_64 = 4, WRITE_64 = 5, BARRIER = 6 };
struct memory_operation {
	int kind;
	CUdeviceptr address;
	union {
		uint32_t value;
		uint64_t value64;
	};
	unsigned flags;
	CUdeviceptr alias;
	uint64_t reserved;
};
_Static_assert(sizeof(struct memory_operation) == 48, "of CUDA's size");

static CUresult operate(CUstream s, uint32_t kind, uint32_t size, CUdeviceptr address, uint64_t value) {
	struct {
		uint32_t kind, size;
		uint64_t address, value;
	} request = {kind, size, address, value};
	struct wire_part part = {&request, sizeof request};
	if (recording(s) != NULL)
		return stream_of(s)->request(stream_of(s), OP_STREAM_VALUE, &part, 1);
	return IN(stream_id(s), wire_call(OP_STREAM_VALUE, &part, 1, NULL, 0, NULL));
}

static CUresult write_value(CUstream s, uint32_t size, CUdeviceptr address, uint64_t value, unsigned flags) {
	if (flags > NO_BARRIER)
		return CUDA_ERROR_INVALID_VALUE;
	return operate(s, flags == NO_BARRIER ? WRITE_UNFENCED : WRITE, size, address, value);
}

static CUresult wait_value(CUstream s, uint32_t size, CUdeviceptr address, uint64_t value, unsigned flags) {
	if ((flags & ~FLUSH) > CONDITIONS)
		return CUDA_ERROR_INVALID_VALUE;
	return operate(s, WAIT + (flags & CONDITIONS), size, address, value);
}

// VALUE defines a function of both versions, which differ in what the device must be able to do.
#define VALUE(name, call, size, type)                                                                            \
	EXPORT CUresult name(CUstream s, CUdeviceptr address, type value, unsigned flags) {                          \
		return failed(call(s, size, address, value, flags));                                                     \
	}                                                                                                            \
	VERSION2(name, (CUstream, CUdeviceptr, type, unsigned))                                                      \
	PTSZ(name, (CUstream, CUdeviceptr, type, unsigned))                                                          \
	IN_THREAD(CUresult, name, name##_v2_ptsz, (CUstream, CUdeviceptr, type, unsigned))
VALUE(cuStreamWriteValue32, write_value, 4, uint32_t)
VALUE(cuStreamWriteValue64, write_value, 8, uint64_t)
VALUE(cuStreamWaitValue32, wait_value, 4, uint32_t)
VALUE(cuStreamWaitValue64, wait_value, 8, uint64_t)

// one executes an operation of a batch. A barrier, and a flush of writes from outside of the device, add nothing to the order in
// which the operations of a stream are executed.
static CUresult one(CUstream s, const struct memory_operation *o) {
	switch (o->kind) {
	case WAIT_32: return wait_value(s, 4, o->address, o->value, o->flags);
	case WAIT_64: return wait_value(s, 8, o->address, o->value64, o->flags);
	case WRITE_32: return write_value(s, 4, o->address, o->value, o->flags);
	case WRITE_64: return write_value(s, 8, o->address, o->value64, o->flags);
	case FLUSH_REMOTE: case BARRIER: return CUDA_SUCCESS;
	default: return wire_missing(LIBRARY, "cuStreamBatchMemOp of another kind");
	}
}

EXPORT CUresult cuStreamBatchMemOp(CUstream s, unsigned count, const struct memory_operation *list, unsigned flags) {
	enum { MOST = 256 };
	CUresult error = count > MOST || flags != 0 || (list == NULL && count > 0) ? CUDA_ERROR_INVALID_VALUE : wire_ready();
	for (unsigned i = 0; i < count && error == CUDA_SUCCESS; i++)
		error = one(s, &list[i]);
	return failed(error);
}
VERSION2(cuStreamBatchMemOp, (CUstream, unsigned, const struct memory_operation *, unsigned))
PTSZ(cuStreamBatchMemOp, (CUstream, unsigned, const struct memory_operation *, unsigned))
IN_THREAD(CUresult, cuStreamBatchMemOp, cuStreamBatchMemOp_v2_ptsz, (CUstream, unsigned, const struct memory_operation *, unsigned))

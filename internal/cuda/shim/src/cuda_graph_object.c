// Objects of the application that graphs of the driver API keep alive.
#include "cuda.h"
#include "graph_object.h"

static CUresult done(int outcome) {
	return failed(outcome == OBJECT_DONE ? CUDA_SUCCESS : outcome == OBJECT_NO_MEMORY ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_VALUE);
}

EXPORT CUresult cuUserObjectCreate(struct user_object **to, void *data, void (*destroy)(void *), unsigned references, unsigned flags) {
	return done(object_new(to, data, destroy, references, flags));
}

EXPORT CUresult cuUserObjectRetain(struct user_object *o, unsigned count) { return done(object_take(o, count)); }
EXPORT CUresult cuUserObjectRelease(struct user_object *o, unsigned count) { return done(object_drop(o, count)); }

EXPORT CUresult cuGraphRetainUserObject(struct graph *g, struct user_object *o, unsigned count, unsigned flags) {
	return done(object_hold(g, o, count, flags));
}

EXPORT CUresult cuGraphReleaseUserObject(struct graph *g, struct user_object *o, unsigned count) {
	return done(object_leave(g, o, count));
}

// Objects of the application that graphs of the runtime API keep alive.
#include "cudart.h"
#include "graph_object.h"

static cudaError_t done(int outcome) {
	return failed(outcome == OBJECT_DONE ? cudaSuccess : outcome == OBJECT_NO_MEMORY ? cudaErrorMemoryAllocation : cudaErrorInvalidValue);
}

EXPORT cudaError_t cudaUserObjectCreate(struct user_object **to, void *data, void (*destroy)(void *), unsigned references, unsigned flags) {
	return done(object_new(to, data, destroy, references, flags));
}

EXPORT cudaError_t cudaUserObjectRetain(struct user_object *o, unsigned count) { return done(object_take(o, count)); }
EXPORT cudaError_t cudaUserObjectRelease(struct user_object *o, unsigned count) { return done(object_drop(o, count)); }

EXPORT cudaError_t cudaGraphRetainUserObject(struct graph *g, struct user_object *o, unsigned count, unsigned flags) {
	return done(object_hold(g, o, count, flags));
}

EXPORT cudaError_t cudaGraphReleaseUserObject(struct graph *g, struct user_object *o, unsigned count) {
	return done(object_leave(g, o, count));
}

// Package order finds races between operations of an application's streams, which touch the same
// memory without an order between them: kernels, copies and fills, ordered by streams, events and
// synchronisation as CUDA defines it (CUDA C++ Programming Guide, section "Asynchronous Concurrent
// Execution"; Runtime API, "Stream synchronization behavior").
//
// Operations are executed one after the other; each has a vector clock over the streams, and the
// shadow of each word of memory has the operations that touched it last. All threads of the host
// count as one, and so do the hosts of processes that share an order (Tracker.Join).
//
// It must not know kernels, instructions and modules: a place in an operation is an opaque value
// of the caller.
package order

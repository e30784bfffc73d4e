// Package order finds operations of an application's streams that touch the same memory
// without an order between them: kernels, copies and fills, ordered by streams, events and
// synchronisation as CUDA defines it (CUDA C++ Programming Guide, section "Asynchronous
// Concurrent Execution"; Runtime API, "Stream synchronization behavior").
//
// Operations are executed one after the other; each has a vector clock over the streams, and
// each word of memory remembers the operations that touched it last. The host is one line of
// time, whichever of its threads calls.
//
// It must not know kernels, instructions and modules: a place in an operation is a value that
// the caller gives a meaning.
package order

// Package overlap relates the accesses of kernels to other operations: it passes what the emulator's events tell of a
// launch to the order of operations (order.Tracker), for launches that may overlap each other (programmatic dependent
// launch) and for those of an application's streams.
//
// Where launches may overlap, a thread's accesses before and after griddepcontrol.wait have different places in that
// order. A thread also counts as having waited when it has synchronised with others of its cluster of which one has
// waited, or has executed an acquire or a fence of device scope after a thread of the grid has: by any barrier, and
// whoever took part in it. That is more than the program guarantees, so that races may be missed, but none is reported
// that is not one.
//
// It must not know who launches kernels and who reports races.
package overlap

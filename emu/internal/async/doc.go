// Package async is the semantics of asynchronous copies, barrier objects, tensor copies, tensor maps, tensor memory and
// fabric operations: decode functions and bodies.
//
// The package must not know the other chapters; package exec combines the tables.
package async

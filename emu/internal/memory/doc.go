// Package memory turns addresses of lanes into bytes, with the checks of bounds, alignment, contents and lifetime, and
// finds shared memory of other blocks of a cluster.
//
// The package must not know what is done with the bytes.
package memory

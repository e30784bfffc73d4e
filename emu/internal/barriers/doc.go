// Package barriers lets threads wait for each other: barriers of a block, of a cluster, operations among lanes of a
// warp; and it ends threads, which others may wait for.
//
// The package must not know how instructions are decoded, except its own operations.
package barriers

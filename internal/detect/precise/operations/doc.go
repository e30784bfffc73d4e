// Package operations follows operations that order accesses and are none of their thread: asynchronous copies and their
// groups, mbarriers, tensor memory, barriers of clusters, and the lives of the blocks of a cluster. It must know neither
// the record of accesses nor which accesses conflict.
package operations

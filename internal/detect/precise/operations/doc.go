// Package operations follows what orders accesses besides strong accesses, fences and barriers of blocks: asynchronous
// copies and their groups, mbarriers, tensor memory, barriers of clusters, and the lives of the blocks of a cluster. It
// must know neither the record of accesses nor which accesses conflict.
package operations

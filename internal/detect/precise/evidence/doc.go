// Package evidence has what only reports need: races and warnings as they are reported, with their causes, the messages
// between their threads, the fence, scope, lock or arrival that does not suffice, and the repair. The detector tells it
// of synchronisation and of races; it asks the detector what Execution lists: the accesses, and what a lane knows when
// the access in progress is made. Verdicts do not depend on it. It must know neither the record of accesses nor how
// order is found out.
package evidence

import "github.com/ptxsan/ptxsan/internal/detect/precise/order"

// Words of package order.
type (
	unit     = order.Unit
	stamp    = order.Stamp
	thread   = order.Thread
	clock    = order.Clock
	snapshot = order.Snapshot
)

const (
	radixBits = order.RadixBits
	radix     = order.Radix
)

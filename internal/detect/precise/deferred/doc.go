// Package deferred holds accesses that are looked at only if needed: journals of accesses to one window of addresses
// (journal), which drop what later accesses subsume (compact), and what is known of the words in the window: which
// block updates them (owners), and whether they have been stored to (stored). It must not know what races.
package deferred

import "github.com/ptxsan/ptxsan/internal/detect/precise/order"

// Words of package order.
type (
	unit  = order.Unit
	stamp = order.Stamp
	clock = order.Clock
)

const radix = order.Radix

// Sizes of a word and of a line of the shadow, in bytes.
const (
	WordBytes = 4
	LineBytes = 128
)

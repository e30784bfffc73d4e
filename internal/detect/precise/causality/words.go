// Words of other packages that are used everywhere here.

package causality

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
)

type (
	unit     = order.Unit
	stamp    = order.Stamp
	thread   = order.Thread
	snapshot = order.Snapshot
	clock    = order.Clock
	merges   = order.Merges
)

const (
	radixBits = order.RadixBits
	radix     = order.Radix
	noLane    = order.NoLane
)

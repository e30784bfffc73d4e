// Words of other packages that are used everywhere here.

package precise

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/deferred"
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
)

type (
	unit   = order.Unit
	stamp  = order.Stamp
	thread = order.Thread
	clock  = order.Clock
)

const (
	radixBits = order.RadixBits
	radix     = order.Radix
	lineBytes = deferred.LineBytes
	wordBytes = deferred.WordBytes
)

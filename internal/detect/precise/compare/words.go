// Words of other packages that are used everywhere here.

package compare

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/deferred"
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
)

type (
	unit  = order.Unit
	stamp = order.Stamp
)

const (
	radixBits     = order.RadixBits
	radix         = order.Radix
	lineBytes     = deferred.LineBytes
	wordBytes     = deferred.WordBytes
	lineWords     = lineBytes / wordBytes
	mbarrierBytes = 8
)

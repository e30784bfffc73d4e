// Words of other packages that are used everywhere here.

package accesses

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
)

type (
	unit  = order.Unit
	stamp = order.Stamp
)

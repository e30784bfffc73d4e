// Words of other packages that are used everywhere here.

package options

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/order"
)

const (
	radix = order.Radix
)

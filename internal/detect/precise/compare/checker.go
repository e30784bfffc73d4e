// The state of comparisons.

package compare

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/operations"
	"github.com/ptxsan/ptxsan/internal/detect/precise/shadow"
)

// Checker compares accesses.
type Checker struct {
	shadow.Record
	Operations    operations.State
	BySite        [][3]latest // by site and kind of access
	ObservedTimes observedByLanes
}

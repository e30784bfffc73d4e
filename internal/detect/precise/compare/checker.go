// The state of comparisons.

package compare

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/operations"
	"github.com/ptxsan/ptxsan/internal/detect/precise/shadow"
)

// Checker compares accesses.
type Checker struct {
	shadow.Record
	Operations    operations.State
	BySite        [][3]latest // by site and kind of access
	ObservedTimes observedByLanes

	// If launches are related:
	BetweenLaunches func(Pair)
}

// Pair is two accesses of different launches that race.
type Pair struct {
	First      *causality.Launched
	Entry      *accesses.Entry
	Access     *causality.Access // of Second
	Second     *causality.Launched
	FirstLane  int
	SecondLane int
	Address    uint64
}

// The time that a run is given.

package sample

import "time"

// Budget is the time that a run may take. As it passes, the share that is watched falls.
type Budget struct {
	total time.Duration
	begin time.Time
	now   func() time.Time
}

// NewBudget returns a budget that begins to pass. now is time.Now except in tests.
func NewBudget(total time.Duration, now func() time.Time) *Budget {
	return &Budget{total: total, begin: now(), now: now}
}

// shares are the shares in each quarter of the time, and after it. The first launch of a kernel is watched in part at
// any time: a share above 0 has its first and last blocks.
var shares = [...]Share{Whole, Whole / 4, Whole / 20, Whole / 1000, 0}

// share returns the share that is watched now.
func (b *Budget) share() Share {
	quarter := int64(4 * float64(b.now().Sub(b.begin)) / float64(b.total))
	return shares[min(max(quarter, 0), int64(len(shares)-1))]
}

// The time that a run is given.

package sample

import (
	"sync"
	"time"
)

// Budget is the time that a run may take. As launches use it up, the share that is watched falls. What the host takes
// between launches, to start or to compile kernels, leaves less time for launches, but lowers no share by itself.
type Budget struct {
	total time.Duration
	begin time.Time
	now   func() time.Time

	mu       sync.Mutex
	launches int           // that are executed
	since    time.Time     // when the first of them began
	used     time.Duration // by launches that have ended
}

// NewBudget returns a budget that begins to pass. now is time.Now except in tests.
func NewBudget(total time.Duration, now func() time.Time) *Budget {
	return &Budget{total: total, begin: now(), now: now}
}

// launch says that launches begin, or end if n is negative.
func (b *Budget) launch(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	if b.launches > 0 {
		b.used += now.Sub(b.since)
	}
	b.launches += n
	b.since = now
}

// shares are the shares in each quarter of the time that the host leaves to launches, and after it. The first launch of
// a kernel is watched in part at any time: a share above 0 has its first and last blocks.
var shares = [...]Share{Whole, Whole / 4, Whole / 20, Whole / 1000, 0}

// share returns the share that is watched now.
func (b *Budget) share() Share {
	b.mu.Lock()
	defer b.mu.Unlock()
	now, used := b.now(), b.used
	if b.launches > 0 {
		used += now.Sub(b.since)
	}
	left := b.total - now.Sub(b.begin)
	if left <= 0 {
		return shares[len(shares)-1]
	}
	return shares[int(float64(len(shares)-1)*float64(used)/float64(used+left))]
}

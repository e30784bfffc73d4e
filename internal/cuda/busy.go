// The time that launches take.

package cuda

import (
	"sync"
	"time"
)

// Busy measures the time in which some launch of any process is executed.
type Busy struct {
	mu      sync.Mutex
	running int
	since   time.Time // when the first of them began
	total   time.Duration
}

// begin says that a launch begins, until the function that it returns is called.
func (b *Busy) begin() (end func()) {
	if b == nil {
		return func() {}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.running++; b.running == 1 {
		b.since = time.Now()
	}
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.running--; b.running == 0 {
			b.total += time.Since(b.since)
		}
	}
}

// Time returns the time so far.
func (b *Busy) Time() time.Duration {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.running > 0 {
		return b.total + time.Since(b.since)
	}
	return b.total
}

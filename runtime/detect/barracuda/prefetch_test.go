package barracuda

import "testing"

// TestPrefetch: the first race of random traces is found at the operation that completes it, also when each operation
// loads what it looks at beforehand.
func TestPrefetch(t *testing.T) {
	lanes, pages := prefetchLanes, prefetchPages
	prefetchLanes, prefetchPages = 0, 0
	defer func() { prefetchLanes, prefetchPages = lanes, pages }()
	for seed := range uint64(*traces / 4) {
		theorem(t, seed, seed%2 == 0)
	}
	var s script
	for block := range uint64(2) {
		s.on(Write, block, 0, 1, 0x1000)
	}
	d := newTestDetector(t, 1)
	for i := range s.ops {
		d.Op(&s.ops[i])
	}
	if d.workers.shards[0].prefetched == 0 {
		t.Error("the second access to a word loaded nothing")
	}
}

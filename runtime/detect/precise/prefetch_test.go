package precise_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect/precise"
)

// TestPrefetch: accesses that load what they look at beforehand race as the definitions say, and do load something.
func TestPrefetch(t *testing.T) {
	defer precise.PrefetchAlways()()
	loaded, words := 0, 0
	for seed := range uint64(max(*traces/4, 1)) {
		events := newTrace(seed, 4+int(seed%36))
		agree(t, seed, events)
		d := newDetector(t)
		playIn(d, events, together)
		if d.Prefetched() != 0 {
			loaded++
		}
		if d.PrefetchedWords() > 0 {
			words++
		}
	}
	if loaded < *traces/16 || words < *traces/32 {
		t.Errorf("%d of %d traces loaded something, %d the state of words", loaded, *traces/4, words)
	}
}

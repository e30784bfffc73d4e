package precise_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
)

// TestJoinsBeside: accesses of threads whose clocks are joined without making their trees race as the definitions say.
func TestJoinsBeside(t *testing.T) {
	defer precise.JoinBesideAlways()()
	joined := 0
	for seed := range uint64(max(*traces/2, 1)) {
		events := newTrace(seed, 20+int(seed%60))
		agree(t, seed, events)
		d := newDetector(t)
		playIn(d, events, together)
		if d.JoinedBeside() {
			joined++
		}
	}
	if joined < *traces/50 {
		t.Errorf("%d of %d traces have such clocks", joined, *traces/2)
	}
}

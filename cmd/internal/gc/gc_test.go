package gc

import "testing"

// TestCollectorPercent: a small heap grows to 32 MiB, another one doubles.
func TestCollectorPercent(t *testing.T) {
	for _, c := range []struct {
		live uint64 // MiB
		want int
	}{{0, 700}, {1, 700}, {4, 700}, {8, 300}, {16, 100}, {31, 100}, {32, 100}, {1000, 100}} {
		if got := collectorPercent(c.live << 20); got != c.want {
			t.Errorf("%d MiB: %d %%, expected %d", c.live, got, c.want)
		}
	}
}

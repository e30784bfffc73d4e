package gc

import "testing"

// TestCollectorPercent: a small heap grows to 64 MiB, another one doubles.
func TestCollectorPercent(t *testing.T) {
	for _, c := range []struct {
		live uint64 // MiB
		want int
	}{{0, 1500}, {1, 1500}, {4, 1500}, {8, 700}, {16, 300}, {32, 100}, {64, 100}, {1000, 100}} {
		if got := collectorPercent(c.live << 20); got != c.want {
			t.Errorf("%d MiB: %d %%, expected %d", c.live, got, c.want)
		}
	}
}

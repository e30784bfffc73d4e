package precise

import "testing"

// TestSearchBack: the result is the least number that fits, and numbers far below it are not looked at.
func TestSearchBack(t *testing.T) {
	for n := range 70 {
		for want := range n + 1 {
			least := n
			if got := searchBack(n, func(i int) bool { least = min(least, i); return i >= want }); got != want {
				t.Errorf("of %d: %d, want %d", n, got, want)
			}
			if distance := n - want; least < want-2*distance-1 || least < 0 {
				t.Errorf("of %d: looks at %d for %d", n, least, want)
			}
		}
	}
}

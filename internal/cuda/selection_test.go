package cuda_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda"
)

// TestSelection tests which of the launches a, b, a, b, ... are checked.
func TestSelection(t *testing.T) {
	onlyA := func(kernel string) bool { return kernel == "a" }
	for _, c := range []struct {
		of   cuda.Selection
		want string // launches by number
	}{
		{cuda.Selection{}, "1 2 3 4 5 6 7 8"},
		{cuda.Selection{First: 3, Last: 6}, "3 4 5 6"},
		{cuda.Selection{Skip: 2}, "3 4 5 6 7 8"},
		{cuda.Selection{Skip: 2, Count: 3}, "3 4 5"},
		{cuda.Selection{Count: 1}, "1"},
		{cuda.Selection{Watch: onlyA, Skip: 1, Count: 2}, "3 5"},
		{cuda.Selection{Watch: onlyA, First: 2, Skip: 1}, "5 7"},
	} {
		asked := map[string]int{}
		if watch := c.of.Watch; watch != nil {
			c.of.Watch = func(kernel string) bool {
				asked[kernel]++
				return watch(kernel)
			}
		}
		s := cuda.Selector{Selection: c.of}
		var got []string
		for i := range 8 {
			kernel := string("ab"[i%2])
			if s.Begin(kernel); s.Checks(kernel) {
				got = append(got, fmt.Sprint(i+1))
			}
		}
		if asked["a"] > 1 || asked["b"] > 1 {
			t.Errorf("asked for each kernel more than once: %v", asked)
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("first %d, last %d, skip %d, count %d: launches %s are checked, want %s", c.of.First, c.of.Last, c.of.Skip, c.of.Count, text, c.want)
		}
	}
}

package app

import (
	"strings"
	"testing"
	"time"
)

// TestAdvice: a run is long after a minute, if that was not the application's own time.
func TestAdvice(t *testing.T) {
	for _, c := range []struct {
		took, kernels time.Duration
		want          bool
	}{{59 * time.Second, 59 * time.Second, false}, {time.Minute, 40 * time.Second, true}, {time.Hour, 20 * time.Minute, false}} {
		got := adviceFor(c.took, c.kernels)
		if has := strings.Contains(got, "--time-budget") && strings.Contains(got, "--sample"); has != c.want {
			t.Errorf("%s, of which %s in kernels: %q", c.took, c.kernels, got)
		}
	}
}

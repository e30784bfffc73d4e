package precise_test

import (
	"fmt"
	"testing"

	"github.com/ptxsan/ptxsan/internal/detect/precise"
)

// TestClaims: to find out what a verdict depends on does not change it.
func TestClaims(t *testing.T) {
	racy := 0
	for seed := range uint64(600) {
		events := newTrace(seed, 40+int(seed%60))
		o := precise.DefaultOptions()
		o.Claims = true
		d, err := precise.New(o)
		if err != nil {
			t.Fatal(err)
		}
		want, got := playIn(newDetector(t), events, batching(seed%3)), playIn(d, events, batching(seed%3))
		if fmt.Sprintf("%+v", want) != fmt.Sprintf("%+v", got) {
			t.Fatalf("seed %d: races\n%+v\nwithout claims\n%+v", seed, got, want)
		}
		racy += min(len(got), 1)
	}
	if racy < 100 {
		t.Errorf("%d traces with races: too few to tell", racy)
	}
}

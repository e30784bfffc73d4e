package state

import (
	"math/rand/v2"
	"testing"
)

// TestRuns compares sets with arrays of bytes: runs ascend, do not touch, and contain what has been added.
func TestRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var s Runs
		var want [300]bool
		for range 1 + r.IntN(30) {
			addr, n := uint64(r.IntN(250)), uint64(r.IntN(20))
			s.Add(addr, n)
			for i := range n {
				want[addr+i] = true
			}
		}
		var got [300]bool
		for i, run := range s {
			if run.Bytes == 0 || i > 0 && run.Addr <= s[i-1].end() {
				t.Fatalf("run %d of %v is empty, or touches the one before", i, s)
			}
			for k := range run.Bytes {
				got[run.Addr+k] = true
			}
		}
		if got != want {
			t.Fatalf("%v has other bytes than have been added", s)
		}
	}
}

package search_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session/internal/search"
)

// TestDrawn: random searches under weak memory draw executions of launches whose threads execute few instructions. It
// is the threads that count, not the warps: each has accesses of its own in the graph.
func TestDrawn(t *testing.T) {
	for _, test := range []struct {
		memory  emu.Memory
		threads uint64
		want    bool
	}{{emu.PTX, 400, true}, {emu.PTX, 32 * 400, false}, {emu.SC, 400, false}} {
		for _, name := range []string{"random", "pct"} {
			s := search.Search{Name: name}
			drawn := false
			for _, r := range s.Strategy(emu.Config{Memory: test.memory}, 400, test.threads, nil).Next(4) {
				drawn = drawn || r.Policy == emu.Executions
			}
			if drawn != test.want {
				t.Errorf("%s, %d instructions of threads, memory %v: drawn executions %v, want %v", name, test.threads, test.memory, drawn, test.want)
			}
		}
	}
}

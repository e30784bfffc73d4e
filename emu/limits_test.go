package emu

import (
	"testing"

	"github.com/ptxsan/ptxsan/emu/internal/faults"
)

// TestDefaultSteps: launches without a limit on steps have one by their size, and no
// suspicion of livelock when there is one.
func TestDefaultSteps(t *testing.T) {
	for _, c := range []struct {
		cfg          Config
		warps        uint64
		steps, stall uint64
	}{
		{Config{}, 1, 200_500_000, 100_200_000},
		{Config{}, 480, 440_000_000, 196_000_000},
		{Config{}, 1 << 40, DefaultMaxSteps, faults.StallBase + faults.StallPerWarp<<32},
		{Config{MaxSteps: 77}, 480, 77, 0},
		{Config{MaxSteps: 77, Limits: Limits{Stall: 5}}, 480, 77, 5},
	} {
		if steps, stall := faults.MaxSteps(&c.cfg, c.warps), faults.Stall(&c.cfg, c.warps); steps != c.steps || stall != c.stall {
			t.Errorf("%d warps: %d and %d, want %d and %d", c.warps, steps, stall, c.steps, c.stall)
		}
	}
}

// TestResidentBlocks: at least one block is resident, and no more than the grid has.
func TestResidentBlocks(t *testing.T) {
	for _, c := range []struct {
		resident, threads int
		total, block      uint64
		want              int
	}{
		{0, 0, 10, 64, 10},
		{4, 0, 10, 64, 4},
		{0, 200, 10, 64, 3},
		{2, 200, 10, 64, 2},
		{0, 20, 10, 64, 1},
		{0, 1 << 20, 10, 64, 10},
	} {
		cfg := Config{Resident: c.resident, Limits: Limits{Threads: c.threads}}
		if got := faults.ResidentBlocks(&cfg, c.total, c.block); got != c.want {
			t.Errorf("%+v: got %d", c, got)
		}
	}
}

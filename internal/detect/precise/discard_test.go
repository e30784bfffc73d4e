package precise_test

import (
	"fmt"
	"testing"
)

// TestDiscards: discard "behaves like a weak write of an unstable indeterminate value" to 128 bytes (PTX ISA, discard),
// so that it races with accesses of other threads, and two of them race with each other. Hints are no accesses.
func TestDiscards(t *testing.T) {
	const discard, store = "discard.global.L2 [%ra], 128;", "st.global.b32 [%ra+124], %r;"
	for _, c := range []struct {
		name, others, first string
		race                bool
	}{
		{"with another", discard, discard, true},
		{"of a generic address", discard, "discard.L2 [%ra], 128;", true},
		{"with a weak load", "ld.global.b32 %q, [%ra+124];", discard, true},
		{"with a strong load", "ld.relaxed.gpu.global.b32 %q, [%ra+124];", discard, true},
		{"with an atomic operation", "red.relaxed.gpu.global.add.u32 [%ra], 1;", discard, true},
		{"with an access behind it", "ld.global.b32 %q, [%ra+128];", discard, false},
		{"with a discard behind it", "ld.global.b32 %q, [%ra+256];", "discard.global.L2 [%ra], 128; discard.global.L2 [%ra+128], 128;", false},
		{"with an access behind a barrier", "B: bar.sync 0; ld.global.b32 %q, [%ra+124];", discard + " bra B;", false},
		{"by one thread", "", discard + store, false},
		{"priorities", "applypriority.global.L2::evict_normal [%ra], 128;", store, false},
		{"prefetches", "prefetch.global.L2 [%ra+124];", store, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			const launch = "buffers: {b: {type: u32, count: 128}}\nlaunches: [{kernel: k, grid: 1, block: 64, args: [b]}]\n"
			checkScalars(t, fmt.Sprintf(scalarKernel, c.others, c.first), launch, "", c.race)
		})
	}
}

package emu_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// TestRegistersShareSlots: a thousand registers that are used one after the other need
// little room, and a loop keeps those that it carries.
func TestRegistersShareSlots(t *testing.T) {
	var b strings.Builder
	b.WriteString(".reg .b32 %v<1001>; .reg .b32 %sum, %round; mov.u32 %sum, 0; mov.u32 %round, 0; mov.u32 %v0, %r1;\nLOOP:\n")
	for i := range 1000 {
		fmt.Fprintf(&b, "add.u32 %%v%d, %%v%d, 3;\n", i+1, i)
	}
	b.WriteString("add.u32 %sum, %sum, %v1000; sub.u32 %v0, %v1000, 1; add.u32 %round, %round, 1; setp.lt.u32 %p1, %round, 3; @%p1 bra LOOP; st.global.u32 [%out], %sum; ret;")
	want := make([]uint32, 32)
	for i := range want {
		v := uint32(i)
		for range 3 {
			v += 3000
			want[i] += v
			v--
		}
	}
	var cfg emu.Config
	cfg.Limits.ThreadState = 16 << 10 // 128 registers of 32 lanes
	if got := run(t, kernel(b.String()), cfg, 1, 32, 32); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

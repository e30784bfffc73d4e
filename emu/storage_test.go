package emu_test

import (
	"context"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// TestStorage: a launch has the same results whatever launches of the kernel came before: unwritten registers, local
// and shared memory hold 0.
func TestStorage(t *testing.T) {
	text := kernel(`.shared .b32 s[32]; .local .b32 v[4]; .reg .b32 %x;
	mov.u32 %r5, %ntid.x; mov.u32 %r6, %nctaid.x; mad.lo.u32 %r5, %r5, 1000, %r6;
	ld.shared.u32 %r6, [s+4]; add.u32 %r5, %r5, %r6; ld.local.u32 %r6, [v]; add.u32 %r5, %r5, %r6; add.u32 %r5, %r5, %x;
	mov.u32 %r6, %tid.x; mad.lo.u32 %r5, %r6, 100000, %r5;
	st.shared.u32 [s+4], 7; st.local.u32 [v], 9; mov.u32 %x, 11;
	bar.sync 0;
	st.global.u32 [%out], %r5; ret;`)
	shape := func(m *emu.Machine, grid, block uint32) ([]uint32, emu.Stats) {
		out := alloc(t, m, "out", 256)
		r, err := m.Launch(context.Background(), emu.LaunchConfig{Kernel: "k", Grid: dim(grid), Block: dim(block), Params: args(out)})
		if err != nil {
			t.Fatal(err)
		}
		clean(t, r)
		return words(t, m, out, 256), r.Stats
	}
	used := load(t, text, emu.Config{})
	for _, s := range [][2]uint32{{2, 64}, {4, 64}, {1, 64}, {2, 96}, {2, 96}, {8, 32}, {2, 64}} {
		got, stats := shape(used, s[0], s[1])
		want, same := shape(load(t, text, emu.Config{}), s[0], s[1])
		if !slices.Equal(got, want) || stats != same {
			t.Errorf("%d blocks of %d threads: %d, %+v after other launches, %d, %+v otherwise", s[0], s[1], got, stats, want, same)
		}
	}
}

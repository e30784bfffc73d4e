package emu_test

import (
	"encoding/binary"
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

// TestPreface: what a warp computes once in a launch is what it would compute in each block, in the next launch and in
// each cluster too. Registers that are written twice are computed in each block.
func TestPreface(t *testing.T) {
	const text = `.visible .entry k(.param .u64 out, .param .u32 a, .param .u16 b) {
	.reg .b32 %r<20>; .reg .b64 %d<8>; .reg .b16 %h<3>; .reg .pred %p<4>; .shared .align 4 .b8 pad[64]; .shared .align 4 .b8 own[64];
	mov.u32 %r1, %tid.x; ld.param.u32 %r2, [a]; ld.param.u16 %h1, [b]; cvt.u32.u16 %r3, %h1; mad.lo.u32 %r4, %r1, %r2, %r3;
	setp.lt.u32 %p1, %r4, 1000; selp.u32 %r5, %r4, 7, %p1; mov.u32 %r6, own; xor.b32 %r7, %r5, %r6;
	mov.u32 %r11, 0; mov.u32 %r12, 0; mov.u16 %h2, 0; mov.u32 %r16, 0;
	mov.u32 %r11, %tid.x; ld.param.u32 %r12, [a]; ld.param.u16 %h2, [b]; cvt.u32.u16 %r13, %h2; mad.lo.u32 %r14, %r11, %r12, %r13;
	setp.lt.u32 %p2, %r14, 1000; selp.u32 %r15, %r14, 7, %p2; mov.u32 %r16, own; xor.b32 %r17, %r15, %r16;
	setp.eq.u32 %p3, %r7, %r17; selp.u32 %r18, %r14, -1, %p3;
	ld.param.u64 %d1, [out]; mov.u32 %r8, %ctaid.x; mov.u32 %r9, %ntid.x; mad.lo.u32 %r10, %r8, %r9, %r1;
	mul.wide.u32 %d2, %r10, 4; add.s64 %d3, %d1, %d2; st.global.u32 [%d3], %r18; ret;
}`
	for tier, plain := range tiers {
		for _, cluster := range []emu.Dim3{{}, {X: 4, Y: 1, Z: 1}} {
			m := load(t, text, emu.Config{NoVector: plain})
			const blocks, threads = 40, 96
			out := alloc(t, m, "out", blocks*threads)
			for _, v := range []struct{ a, b uint32 }{{3, 5}, {3, 6}, {70, 1}, {3, 5}} {
				params := binary.LittleEndian.AppendUint32(args(out), v.a)
				params = binary.LittleEndian.AppendUint16(params, uint16(v.b))
				r, err := m.Launch(t.Context(), emu.LaunchConfig{Kernel: "k", Grid: dim(blocks), Block: dim(threads), Cluster: cluster, Params: params})
				if err != nil || len(r.Faults) > 0 {
					t.Fatal(err, r.Faults)
				}
				for i, got := range words(t, m, out, blocks*threads) {
					if want := uint32(i%threads)*v.a + v.b; got != want {
						t.Fatalf("%s, clusters %v: thread %d of the launch with %v stores %d, want %d", tier, cluster, i, v, got, want)
					}
				}
			}
		}
	}
}

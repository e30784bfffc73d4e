package emu_test

import (
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

const constantModule = `.const .align 8 .b8 table[256];
.entry read(.param .u64 out) {
	.reg .b64 %d<4>; .reg .b32 %r<4>;
	ld.param.u64 %d1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2;
	mov.u64 %d3, table; add.u64 %d3, %d3, %d2; ld.const.u32 %r2, [%d3]; st.global.u32 [%d1], %r2; ret;
}
.entry write(.param .u64 to, .param .u32 add) {
	.reg .b64 %d<4>; .reg .b32 %r<4>;
	ld.param.u64 %d1, [to]; ld.param.u32 %r3, [add]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2;
	add.u32 %r1, %r1, %r3; st.global.u32 [%d1], %r1; ld.global.u32 %r2, [%d1]; red.global.add.u32 [%d1], %r2; ret;
}
.entry both(.param .u64 out) {
	.reg .b64 %d<4>; .reg .b32 %r<4>;
	ld.param.u64 %d1, [out]; mov.u64 %d2, table; cvta.const.u64 %d3, %d2;
	st.u32 [%d3+64], 5; ld.const.u32 %r1, [table+68]; st.global.u32 [%d1], %r1; ld.const.u32 %r1, [table+60]; ld.const.u64 %d2, [table+64]; ret;
}
`

// launchOf runs a kernel of one block.
func launchOf(t *testing.T, m *emu.Machine, kernel string, threads uint32, params []byte) *emu.Result {
	t.Helper()
	r, err := m.Launch(context.Background(), emu.LaunchConfig{Kernel: kernel, Grid: dim(1), Block: dim(threads), Params: params})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestConstantsWritten: the host, and kernels through the address of the variable, write .const variables for later
// launches, regardless of earlier reads.
func TestConstantsWritten(t *testing.T) {
	for tier, plain := range tiers {
		m := load(t, constantModule, emu.Config{NoVector: plain})
		table, _, ok := m.Symbol("table")
		out := alloc(t, m, "out", 64)
		read := func() []uint32 {
			clean(t, launchOf(t, m, "read", 64, args(out)))
			return words(t, m, out, 64)
		}
		if err := m.Write(table+8, binary.LittleEndian.AppendUint32(nil, 77)); err != nil || !ok {
			t.Fatal(err, ok)
		}
		if got := read(); got[2] != 77 || got[3] != 0 {
			t.Errorf("%s: %v, expected what the host wrote", tier, got)
		}
		for _, add := range []uint32{10, 20} {
			clean(t, launchOf(t, m, "write", 64, binary.LittleEndian.AppendUint32(args(table), add)))
			want := make([]uint32, 64)
			for i := range want {
				want[i] = 2 * (uint32(i) + add)
			}
			if got := read(); !slices.Equal(got, want) {
				t.Errorf("%s: %v, expected %v", tier, got, want)
			}
		}
	}
}

// TestConstantsOfSameLaunch: a load of constants from bytes that the same launch has
// written is a fault; one from the bytes beside them is not.
func TestConstantsOfSameLaunch(t *testing.T) {
	for tier, plain := range tiers {
		m := load(t, constantModule, emu.Config{NoVector: plain})
		r := launchOf(t, m, "both", 1, args(alloc(t, m, "out", 1)))
		const want = "read of 8 bytes"
		if len(r.Faults) != 1 || r.Faults[0].Class != "out-of-bounds" || !strings.Contains(r.Faults[0].Message, want) {
			t.Errorf("%s: %v, expected %s", tier, r.Faults, want)
		}
	}
}

// spaceLog is a listener that records the state spaces of accesses.
type spaceLog struct {
	emu.Follower
	spaces []string
}

// Accesses implements abi.Receiver.
func (l *spaceLog) Accesses(b *abi.Batch) {
	for a := range b.All() {
		l.spaces = append(l.spaces, l.Inst(a.Site).Text()+" "+a.Space.String())
	}
}

// TestConstantsThroughGenericAddresses: for listeners, an access of a .const variable at a generic address is an access
// to global memory, which other threads may write.
func TestConstantsThroughGenericAddresses(t *testing.T) {
	for tier, plain := range tiers {
		l := &spaceLog{}
		m := load(t, constantModule, emu.Config{NoVector: plain, Listener: l})
		launchOf(t, m, "both", 1, args(alloc(t, m, "out", 1)))
		if len(l.spaces) < 2 || l.spaces[0] != "st.u32 [%d3+64], 5 global" || !strings.HasSuffix(l.spaces[1], " const") {
			t.Errorf("%s: %q", tier, l.spaces)
		}
	}
}

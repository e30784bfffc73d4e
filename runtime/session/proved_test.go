package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// oneWord is the beginning of kernels whose blocks have 64 threads: %rd4 and %rd5 are the addresses of the thread's
// word in two buffers, of which the second begins at %rd2, and %rd8 that of its word in shared memory, which begins at
// %rd7.
const oneWord = `.version 7.8
.target sm_80
.address_size 64
.shared .align 4 .b8 tile[256];
.visible .entry k(.param .u64 in, .param .u64 out)
{
	.reg .b32 %%r<9>;
	.reg .b64 %%rd<11>;
	ld.param.u64 %%rd1, [in];
	ld.param.u64 %%rd2, [out];
	mov.u32 %%r1, %%tid.x;
	mov.u32 %%r2, %%ctaid.x;
	shl.b32 %%r3, %%r2, 6;
	add.u32 %%r3, %%r3, %%r1;
	mul.wide.u32 %%rd3, %%r3, 4;
	add.u64 %%rd4, %%rd1, %%rd3;
	add.u64 %%rd5, %%rd2, %%rd3;
	mul.wide.u32 %%rd6, %%r1, 4;
	mov.u64 %%rd7, tile;
	add.u64 %%rd8, %%rd7, %%rd6;
`

// exchange has each thread write its word of shared memory, wait and read another thread's, which it writes to
// out; %s is where the barrier stands.
const exchange = oneWord + `	ld.global.u32 %%r4, [%%rd4];
	st.shared.u32 [%%rd8], %%r4;
	%s
	sub.u64 %%rd8, %%rd7, %%rd6;
	ld.shared.u32 %%r5, [%%rd8+252];
	st.global.u32 [%%rd5], %%r5;
	ret;
}
`

// TestProvedUnasked: precise leaves out what the static detector proves of large launches, in shared memory too, and in
// small ones accesses to shared memory that barriers separate from all by other threads. It looks at all accesses of
// tiny launches, and at those that race.
func TestProvedUnasked(t *testing.T) {
	for _, c := range []struct {
		name, detector, barrier string
		blocks                  uint32
		covered                 string
		races                   int
	}{
		{"large", "precise", "bar.sync 0;", 1024, "precise k: 0 of 4, 4 proved", 0},
		{"tiny", "precise", "bar.sync 0;", 2, "precise k: 2 of 4, 2 proved", 0},
		{"small", "precise", "bar.sync 0;", 1023, "precise k: 0 of 4, 4 proved", 0},
		{"asked for", "precise<prove>", "bar.sync 0;", 2, "precise k: 0 of 4, 4 proved", 0},
		{"not allowed", "precise<elide=false>", "bar.sync 0;", 1024, "precise k: 4 of 4, 0 proved", 0},
		{"another model", "precise<model=scor>", "bar.sync 0;", 1024, "precise k: 2 of 4, 2 proved", 0},
		{"racy", "precise", "", 1024, "precise k: 2 of 4, 2 proved", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t, c.detector, fmt.Sprintf(exchange, c.barrier))
			n := 64 * c.blocks
			in, out := buffer(t, s, "in", make([]uint32, n)), buffer(t, s, "out", make([]uint32, n))
			launch(t, s, session.Launch{Kernel: "k", Grid: emu.Dim3{X: c.blocks}, Block: emu.Dim3{X: 64}, Args: []any{in, out}})
			rep := s.Report()
			if got := strings.Join(covered(rep), "; "); got != c.covered || len(rep.Races) != c.races || rep.Blind() {
				t.Errorf("%s, %d races; want %s, %d", got, len(rep.Races), c.covered, c.races)
			}
		})
	}
}

// tally counts numbers in bins of the block, and adds these to the bins in out; %s adds to a bin of the block.
const tally = oneWord + `	st.shared.u32 [%%rd8], 0;
	bar.sync 0;
	ld.global.u32 %%r4, [%%rd4];
	and.b32 %%r5, %%r4, 63;
	mul.wide.u32 %%rd9, %%r5, 4;
	add.u64 %%rd9, %%rd7, %%rd9;
	%s
	bar.sync 0;
	ld.shared.u32 %%r6, [%%rd8];
	add.u64 %%rd10, %%rd2, %%rd6;
	red.global.add.u32 [%%rd10], %%r6;
	ret;
}
`

// TestProvedTallies: nothing is looked at in a kernel that is free of races and whose atomic operations only count.
// Those that synchronise, and those whose results somebody reads, are looked at, but not the stores and loads that
// barriers separate from them.
func TestProvedTallies(t *testing.T) {
	const blocks = 1024
	for add, want := range map[string]string{
		"red.shared.add.u32 [%rd9], 1;":                                              "precise k: 0 of 5, 5 proved",
		"atom.shared.add.u32 %r7, [%rd9], 1;":                                        "precise k: 0 of 5, 5 proved",
		"atom.shared.add.u32 %r7, [%rd9], 1; add.u32 %r8, %r7, 1;":                   "precise k: 2 of 5, 3 proved",
		"red.release.cta.shared.add.u32 [%rd9], 1;":                                  "precise k: 2 of 5, 3 proved",
		"fence.acq_rel.gpu; red.shared.add.u32 [%rd9], 1;":                           "precise k: 2 of 5, 3 proved",
		"ld.shared.u32 %r7, [%rd9]; add.u32 %r7, %r7, 1; st.shared.u32 [%rd9], %r7;": "precise k: 3 of 6, 3 proved",
	} {
		s := open(t, "precise", fmt.Sprintf(tally, add))
		in, bins := buffer(t, s, "in", make([]uint32, 64*blocks)), buffer(t, s, "bins", make([]uint32, 64))
		launch(t, s, session.Launch{Kernel: "k", Grid: emu.Dim3{X: blocks}, Block: emu.Dim3{X: 64}, Args: []any{in, bins}})
		if got := strings.Join(covered(s.Report()), "; "); got != want {
			t.Errorf("%s %s, want %s", add, got, want)
		}
	}
}

// TestProvedStrays: a proof that two pointers lead to different allocations is given up when one leads into the
// other's: here an index is the distance between the two.
func TestProvedStrays(t *testing.T) {
	const threads = 1 << 16
	text := fmt.Sprintf(exchange, "bar.sync 0;")
	for _, edit := range [][2]string{
		{"out)\n{", "out, .param .u64 skip)\n{"},
		{"mov.u32 %r1, %tid.x;", "mov.u32 %r1, %tid.x; and.b32 %r1, %r1, 63; ld.param.u64 %rd8, [skip]; add.u64 %rd1, %rd1, %rd8;"},
	} {
		text = strings.Replace(text, edit[0], edit[1], 1)
	}
	for _, away := range []bool{false, true} {
		s := open(t, "precise", text)
		in, out := buffer(t, s, "in", make([]uint32, threads)), buffer(t, s, "out", make([]uint32, threads))
		skip := uint64(0)
		if away {
			skip = out.Address() - in.Address()
		}
		launch(t, s, session.Launch{Kernel: "k", Grid: emu.Dim3{X: threads / 64}, Block: emu.Dim3{X: 64}, Args: []any{in, out, skip}})
		if got := strings.Join(covered(s.Report()), "; "); got != "precise k: 0 of 4, 4 proved" || (s.Strayed() != nil) != away {
			t.Errorf("%t: %s, strayed %v", away, got, s.Strayed())
		}
	}
}

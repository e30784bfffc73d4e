package emu

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/emu/internal/grids"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/internal/testgen/addressgen"
)

// blocksOf is a module with a kernel: %i numbers the threads of the grid, %ai and %bi
// are the addresses of their words of a and b.
func blocksOf(t *testing.T, body string, cfg Config) *Machine {
	t.Helper()
	text := `.version 8.3
.target sm_90
.address_size 64
.global .u32 g[8192];
.global .b8 huge[4194304];
.visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n)
{
	.reg .b32 %r<10>; .reg .b32 %i, %n, %t, %c; .reg .b64 %a, %b, %ai, %bi, %rd<10>; .reg .pred %p<3>;
	.shared .u32 s[128];
	ld.param.u64 %a, [a]; ld.param.u64 %b, [b]; ld.param.u32 %n, [n];
	cvta.to.global.u64 %a, %a;
	mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; mov.u32 %r0, %ntid.x;
	mad.lo.u32 %i, %c, %r0, %t;
	mul.wide.u32 %rd0, %i, 4; add.s64 %ai, %a, %rd0; add.s64 %bi, %b, %rd0;
` + body + "\n\tret;\n}\n"
	return mustLoad(t, "k.ptx", text, cfg)
}

// blocksRun is the launch of 64 blocks of 128 threads on two buffers of 8192 words.
func blocksRun(t *testing.T, m *Machine) (LaunchConfig, [2]uint64) {
	t.Helper()
	const n = 64 * 128
	var buf [2]uint64
	for i := range buf {
		addr, err := m.Alloc(string(rune('a'+i)), 4*n)
		if err != nil {
			t.Fatal(err)
		}
		var data []byte
		for k := range uint32(n) {
			data = binary.LittleEndian.AppendUint32(data, k*5&8191)
		}
		if err := m.Write(addr, data); err != nil {
			t.Fatal(err)
		}
		buf[i] = addr
	}
	params := binary.LittleEndian.AppendUint64(nil, buf[0])
	params = binary.LittleEndian.AppendUint64(params, buf[1])
	params = binary.LittleEndian.AppendUint32(params, n)
	return LaunchConfig{Kernel: "k", Grid: Dim3{X: 64, Y: 1, Z: 1}, Block: Dim3{X: 128, Y: 1, Z: 1}, Params: params}, buf
}

const (
	provable = "provable"           // and it is so
	refuted  = "refuted by the run" // something else touches what is written
	unproved = "not to be proved"   // by the code alone
)

// hidden sets %rd1 to the address of b in a way that the analysis cannot follow.
const hidden = "setp.eq.u32 %p1, %n, 1; mov.u64 %rd1, %b; @%p1 mov.u64 %rd1, %a; st.shared.u64 [s], %rd1; ld.shared.u64 %rd1, [s]; "

// exchanged makes %r3 the partner of %i at a distance that is a parameter; exchange exchanges their words of a.
const (
	exchanged = "shr.u32 %r4, %n, 3; xor.b32 %r3, %r4, %i; "
	exchange  = "setp.le.u32 %p1, %r3, %i; @%p1 ret; mul.wide.u32 %rd1, %i, 4; add.s64 %rd1, %a, %rd1; mul.wide.u32 %rd2, %r3, 4; add.s64 %rd2, %a, %rd2; " +
		"ld.global.u32 %r1, [%rd1]; ld.global.u32 %r2, [%rd2]; st.global.u32 [%rd1], %r2; st.global.u32 [%rd2], %r1;"
)

var blockKernels = []struct{ name, body, want string }{
	{"own word", "ld.global.u32 %r1, [%ai]; add.u32 %r1, %r1, 3; st.global.u32 [%ai], %r1;", provable},
	{"generic", "st.u32 [%bi], %i;", provable},
	{"variable", "mov.u64 %rd1, g; add.s64 %rd1, %rd1, %rd0; st.global.u32 [%rd1], %i;", provable},
	{"other buffer anywhere", "ld.global.u32 %r1, [%bi]; mul.wide.u32 %rd1, %r1, 4; add.s64 %rd1, %b, %rd1; ld.global.u32 %r2, [%rd1]; st.global.u32 [%ai], %r2;", provable},
	{"one word per block", "setp.ne.u32 %p1, %t, 0; mul.wide.u32 %rd1, %c, 4; add.s64 %rd1, %a, %rd1; @!%p1 st.global.u32 [%rd1], %c;", provable},
	{"parameters decide", "setp.eq.u32 %p1, %n, 0; mov.u32 %r1, 0; @%p1 bra L; mov.u32 %r1, %i;\nL: mul.wide.u32 %rd1, %r1, 4; add.s64 %rd1, %a, %rd1; st.global.u32 [%rd1], %i;", provable},
	{"shared memory and barriers", "mul.wide.u32 %rd1, %t, 4; mov.u64 %rd2, s; add.s64 %rd2, %rd2, %rd1; st.shared.u32 [%rd2], %t; bar.sync 0; atom.shared.add.u32 %r1, [s], 1; st.global.u32 [%ai], %t;", provable},
	{"backwards", "sub.u32 %r1, 8191, %i; mul.wide.s32 %rd1, %r1, 4; add.s64 %rd1, %a, %rd1; ld.global.u32 %r2, [%rd1+0]; st.global.u32 [%rd1], %i;", provable},

	{"structure of arrays", "mul.wide.u32 %rd1, %i, 2; add.s64 %rd1, %a, %rd1; st.global.u16 [%rd1], %i; st.global.u16 [%rd1+16384], %t;", provable},
	{"members of two sizes", "cvt.u64.u32 %rd1, %i; add.s64 %rd1, %a, %rd1; st.global.u8 [%rd1], %i; shl.b64 %rd2, %rd1, 1; sub.s64 %rd2, %rd2, %a; st.global.u16 [%rd2+8192], %t;", provable},
	{"a member that is only read, by all", "mul.wide.u32 %rd1, %i, 2; add.s64 %rd1, %a, %rd1; ld.global.u32 %r1, [%a+16384]; st.global.u16 [%rd1], %r1;", provable},
	{"members that overlap", "mul.wide.u32 %rd1, %i, 2; add.s64 %rd1, %a, %rd1; st.global.u16 [%rd1], %i; st.global.u16 [%rd1+16382], %t;", unproved},
	{"a member that is only read, and overlaps", "mul.wide.u32 %rd1, %i, 2; add.s64 %rd1, %a, %rd1; ld.global.u32 %r1, [%a+16380]; st.global.u16 [%rd1], %r1;", unproved},

	{"exchange at a distance", exchanged + exchange, provable},
	{"exchange at a distance that is not known", "ld.global.u32 %r4, [%b]; xor.b32 %r3, %i, %r4;" + exchange, unproved},
	{"exchange by both", strings.Replace(exchanged+exchange, "@%p1 ret;", "", 1), unproved},
	{"exchange of words that overlap", exchanged + strings.ReplaceAll(exchange, ", 4;", ", 2;"), unproved},
	{"exchange with a member", "xor.b32 %r3, %i, 16384; setp.le.u32 %p1, %r3, %i; @%p1 ret; cvt.u64.u32 %rd1, %r3; add.s64 %rd1, %a, %rd1; st.global.u8 [%rd1], %t; sub.u32 %r1, 24575, %i; cvt.u64.u32 %rd2, %r1; add.s64 %rd2, %a, %rd2; st.global.u8 [%rd2], %t;", unproved},
	{"exchange with another buffer", "sub.s64 %rd5, %b, %a; shr.u64 %rd5, %rd5, 6; cvt.u32.u64 %r4, %rd5; xor.b32 %r3, %i, %r4; mul.wide.u32 %rd1, %r3, 64; add.s64 %rd1, %a, %rd1; ld.global.u32 %r1, [%bi]; " +
		"setp.le.u32 %p1, %r3, %i; @%p1 ret; sub.s64 %rd6, %rd1, %b; setp.ge.u64 %p1, %rd6, 32768; @%p1 ret; st.global.u32 [%rd1], 7;", refuted},

	{"written buffer anywhere", "ld.global.u32 %r1, [%bi]; mul.wide.u32 %rd1, %r1, 4; add.s64 %rd1, %a, %rd1; ld.global.u32 %r2, [%rd1]; st.global.u32 [%ai], %r2;", refuted},

	{"neighbour", "ld.global.u32 %r1, [%ai+4]; st.global.u32 [%ai], %r1;", unproved},
	{"one word for all", "st.global.u32 [%a], %i;", unproved},
	{"overlapping", "mul.wide.u32 %rd1, %i, 2; add.s64 %rd1, %a, %rd1; st.global.u16 [%rd1], %i; st.global.u16 [%rd1+2], %i;", unproved},
	{"store anywhere", "ld.global.u32 %r1, [%bi]; mul.wide.u32 %rd1, %r1, 4; add.s64 %rd1, %a, %rd1; st.global.u32 [%rd1], %i;", unproved},
	{"both ways", "sub.u32 %r1, 8191, %i; mul.wide.s32 %rd1, %r1, 4; add.s64 %rd1, %a, %rd1; ld.global.u32 %r2, [%rd1]; st.global.u32 [%ai], %r2;", unproved},
	{"wraps around", "mul.lo.u32 %r1, %i, 0x80000; mul.wide.u32 %rd1, %r1, 4; add.s64 %rd1, %a, %rd1; setp.ge.u32 %p1, %i, 1; @!%p1 st.global.u32 [%rd1], %i;", unproved},
	{"volatile", "ld.volatile.global.u32 %r1, [%bi]; st.volatile.global.u32 [%ai], %r1;", provable},
	{"release", "st.release.gpu.global.u32 [%ai], %i; membar.gl; fence.sc.sys;", provable},
	{"counter", "red.global.add.u32 [%a], %i;", provable},
	{"counter with a result", "atom.global.add.u64 %rd1, [%a+8], %rd0; red.release.gpu.add.u64 [%a], -1;", provable},
	{"exclusive or", "mul.wide.u32 %rd1, %t, 4; add.s64 %rd1, %a, %rd1; red.global.xor.b32 [%rd1], %i;", provable},
	{"generic counter in shared memory", "mov.u64 %rd2, s; cvta.shared.u64 %rd2, %rd2; red.add.u32 [%rd2], 1; bar.sync 0; ld.u32 %r1, [%rd2]; st.global.u32 [%bi], %r1; red.add.u32 [%a], 1;", provable},
	{"histogram", "ld.global.u32 %r1, [%bi]; and.b32 %r1, %r1, 63; mul.wide.u32 %rd1, %r1, 4; add.s64 %rd1, %a, %rd1; red.global.add.u32 [%rd1], 1;", provable},
	{"histogram of a variable", "ld.global.u32 %r1, [%bi]; and.b32 %r1, %r1, 63; mul.wide.u32 %rd1, %r1, 4; mov.u64 %rd2, g; add.s64 %rd1, %rd2, %rd1; red.global.add.u32 [%rd1], 1; st.global.u32 [%ai], %r1;", provable},

	{"counter of what is loaded", "ld.global.u32 %r1, [%bi]; and.b32 %r1, %r1, 63; mul.wide.u32 %rd1, %r1, 4; add.s64 %rd1, %b, %rd1; red.global.add.u32 [%rd1], 1;", unproved},
	{"counter of what is stored", "st.global.u32 [%ai], %i; red.global.add.u32 [%a], 1;", unproved},
	{"counter whose result is used", "atom.global.add.u32 %r1, [%a], 1; st.global.u32 [%bi], %r1;", unproved},
	{"counter in two widths", "red.global.add.u32 [%a], 1; red.global.add.u64 [%a+8], 1;", unproved},
	{"counter with two operations", "red.global.add.u32 [%a], 1; red.global.xor.b32 [%a+4], 1;", unproved},
	{"floating-point sum", "red.global.add.f32 [%a], 0f3f800000;", unproved},
	{"maximum", "red.global.max.u32 [%a], %i;", unproved},
	{"lock", "atom.global.cas.b32 %r1, [%a], 0, 0;", unproved},
	{"hidden counter of what is loaded", hidden + "red.global.add.u32 [%rd1], 1; ld.global.u32 %r1, [%bi]; setp.eq.u32 %p1, %r1, 9999; @%p1 red.global.add.u32 [%a], 1;", refuted},
	{"hidden counter of what is stored", hidden + "st.global.u32 [%bi], 1; red.global.add.u32 [%rd1], 1;", refuted},
	{"clock", "mov.u32 %r1, %clock; st.global.u32 [%ai], %r1;", unproved},
	{"from one buffer to the other", "mul.wide.u32 %rd1, %i, 0x100000; add.s64 %rd1, %a, %rd1; setp.ge.u32 %p1, %i, 1; @!%p1 st.global.u32 [%rd1], %i;", unproved},
	{"copy of a size that is in a register", "mul.wide.u32 %rd1, %c, 16; add.s64 %rd1, %a, %rd1; mov.u32 %r1, 32; setp.eq.u32 %p1, %t, 0; @%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd1], [s], %r1; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;", unproved},
	{"exit of a warp", "st.global.u32 [%ai], %i; exit;", provable},
	{"groups that merge before the exit", "mul.lo.u32 %r1, %i, 93762557; and.b32 %r2, %r1, 0xc000000; setp.eq.u32 %p1, %r2, 0; @%p1 bra S; " +
		"and.b32 %r2, %r1, 0x3000000; setp.eq.u32 %p2, %r2, 0; @%p2 bra S; bra J; S: xor.b32 %r3, %r3, 1; J: atom.global.add.u32 %r4, [%a], 1;", provable},
	{"vector sum", "red.global.add.noftz.f16x2 [%a], %r9;", unproved},
	{"counter beyond a copy", "mov.u64 %rd1, huge; red.global.add.u32 [%rd1], 1;", unproved},
	{"beyond a buffer, by no thread", "mul.wide.u32 %rd1, %i, 4; add.s64 %rd1, %rd1, %a; st.global.u32 [%rd1], %i; setp.gt.u32 %p1, %i, 9000; mul.wide.u32 %rd2, %i, 8; add.s64 %rd2, %b, %rd2; @%p1 st.global.u32 [%rd2], %i;", provable},
	{"trap", "st.global.u32 [%ai], %i; setp.gt.u32 %p1, %i, 9999; @%p1 trap;", unproved},
}

// TestIndependentBlocks: the proofs for kernels, and that the results are the same as without parts for any number of
// workers.
func TestIndependentBlocks(t *testing.T) {
	for _, c := range blockKernels {
		t.Run(c.name, func(t *testing.T) {
			m := blocksOf(t, c.body, Config{})
			lc, _ := blocksRun(t, m)
			l, err := grids.Prepare(m.state, &lc)
			if err != nil {
				t.Fatal(err)
			}
			if l.Independent = independent(m.state, l); (l.Independent != nil) != (c.want != unproved) {
				t.Errorf("proved: %v, want %q", l.Independent, c.want)
			}
			if l.Independent != nil {
				if got := runParts((&state.Engine{M: m.state, Ctx: t.Context(), L: l})); got != (c.want == provable) {
					t.Errorf("executed in parts: %v, want %q", got, c.want)
				}
			}
			want := blocksResult(t, c.body, Config{Record: new(Schedule)})
			for _, workers := range []int{1, 2, 5} {
				if got := blocksResult(t, c.body, Config{Workers: workers}); got != want {
					t.Errorf("with %d workers another result than in the usual way", workers)
				}
			}
		})
	}
}

// blocksResult is everything that a run leaves behind, as text.
func blocksResult(t *testing.T, body string, cfg Config) string {
	t.Helper()
	m := blocksOf(t, body, cfg)
	lc, buf := blocksRun(t, m)
	var out strings.Builder
	for range 2 {
		r, err := m.Launch(t.Context(), lc)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&out, r.Stats, len(r.Faults))
		for _, f := range r.Faults {
			fmt.Fprintln(&out, f, f.Block, f.Thread, f.Count)
		}
	}
	for _, addr := range buf {
		p := make([]byte, 4*64*128)
		if err := m.Read(addr, p); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%x\n", p)
	}
	return out.String()
}

// TestIndependentFaults: faults and memory are the same as without parts.
func TestIndependentFaults(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"out of bounds", "st.global.u32 [%ai], 1; setp.ne.u32 %p1, %i, 5000; mul.wide.u32 %rd1, %i, 8; add.s64 %rd1, %b, %rd1; ld.global.u32 %r1, [%rd1];", "out-of-bounds"},
		{"barrier", "st.global.u32 [%ai], 1; setp.ne.u32 %p1, %i, 5000; @!%p1 bar.sync 1, 128;", "barrier-divergence"},
		{"counter out of bounds", "red.global.add.u32 [%a], 1; setp.ne.u32 %p1, %i, 5000; selp.u32 %r1, 7, 0x10000, %p1; mul.wide.u32 %rd1, %r1, 4; add.s64 %rd1, %a, %rd1; red.global.add.u32 [%rd1], 1;", "out-of-bounds"},
		{"exchange, and out of bounds", "xor.b32 %r3, %i, 16384; setp.le.u32 %p1, %r3, %i; @%p1 ret; cvt.u64.u32 %rd1, %r3; add.s64 %rd1, %a, %rd1; ld.global.u8 %r1, [%rd1]; add.u32 %r1, %r1, 1; st.global.u8 [%rd1], %r1; " +
			"setp.ne.u32 %p1, %i, 5000; @%p1 ret; mul.wide.u32 %rd2, %i, 8; add.s64 %rd2, %b, %rd2; ld.global.u32 %r1, [%rd2];", "out-of-bounds"},
		{"endless", "L: st.global.u32 [%ai], 1; add.u32 %r9, %r9, 1; setp.ne.u32 %p1, %r9, 0; @%p1 bra L;", "timeout"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := Config{MaxSteps: 100_000}
			cfg.Record = new(Schedule)
			want := blocksResult(t, c.body, cfg)
			if !strings.Contains(want, c.want) {
				t.Fatalf("no %s in %.300s", c.want, want)
			}
			cfg.Record = nil
			for cfg.Workers = range 4 {
				if got := blocksResult(t, c.body, cfg); got != want {
					t.Errorf("with %d workers:\n%.300s\nwant\n%.300s", cfg.Workers, got, want)
				}
			}
		})
	}
}

// TestIndependentBlocksInTurn: independent blocks run one after another, in the storage of the first.
func TestIndependentBlocksInTurn(t *testing.T) {
	m := blocksOf(t, "st.global.u32 [%ai], %i; st.global.u32 [%bi], %i;", Config{})
	lc, _ := blocksRun(t, m)
	if _, err := m.Launch(t.Context(), lc); err != nil {
		t.Fatal(err)
	}
	fn, err := grids.Kernel(m.state.Workers[0], lc.Kernel)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(m.state.Workers[0].Functions[fn.Index].Stored.Ctas); n != 1 {
		t.Errorf("storage of %d blocks", n)
	}
}

// TestPrivateCopiesEnd: workers do not keep private copies of a launch that failed.
func TestPrivateCopiesEnd(t *testing.T) {
	m := blocksOf(t, "red.global.add.u32 [%a], 1; setp.ne.u32 %p1, %i, 5000; selp.u32 %r1, 7, 0x10000, %p1; mul.wide.u32 %rd1, %r1, 4; add.s64 %rd1, %a, %rd1; red.global.add.u32 [%rd1], 1;", Config{})
	lc, _ := blocksRun(t, m)
	if r, err := m.Launch(t.Context(), lc); err != nil || len(r.Faults) == 0 {
		t.Fatal(r, err)
	}
	if len(m.state.Workers) == 0 || m.state.Workers[0].Sums == nil {
		t.Fatal("no private copies")
	}
	l, err := grids.Prepare(m.state, &lc)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range forParts(m.state, l) {
		if w.Sums != nil {
			t.Errorf("private copies of %d allocations", len(w.Sums))
		}
	}
}

// TestIndependentFreed: stores to memory that was freed fault as in the usual way.
func TestIndependentFreed(t *testing.T) {
	run := func(cfg Config) string {
		m := blocksOf(t, "st.global.u32 [%ai], %i; st.global.u32 [%bi], %i;", cfg)
		lc, buf := blocksRun(t, m)
		if err := m.Free(buf[1]); err != nil {
			t.Fatal(err)
		}
		r, err := m.Launch(t.Context(), lc)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(r.Stats, r.Faults)
	}
	want := run(Config{Record: new(Schedule)})
	if !strings.Contains(want, "use-after-free") {
		t.Fatalf("no use after free: %.300s", want)
	}
	for workers := range 4 {
		if got := run(Config{Workers: workers}); got != want {
			t.Errorf("with %d workers:\n%.300s\nwant\n%.300s", workers, got, want)
		}
	}
}

// TestIndependentPolicies: with other schedules, or with a listener, launches do not run in parts.
func TestIndependentPolicies(t *testing.T) {
	for _, cfg := range []Config{
		{Policy: Random},
		{Policy: PCT},
		{Record: new(Schedule)},
		{Uninitialised: true},
		{LateAsync: true},
		{NoMemcheck: true},
		{Poll: func() bool { return false }},
		{Replay: new(Schedule)},
		{Listener: NopListener{}},
	} {
		m := blocksOf(t, "st.global.u32 [%ai], %i;", cfg)
		lc, _ := blocksRun(t, m)
		l, err := grids.Prepare(m.state, &lc)
		if err != nil {
			t.Fatal(err)
		}
		if independent(m.state, l) != nil {
			t.Errorf("%+v: blocks are taken to be independent", cfg)
		}
	}
}

var workersPrograms = flag.Int("workers.programs", 60, "random programs for TestWorkersOnRandomPrograms")

// TestIndependentClusters: blocks of a cluster are not taken apart.
func TestIndependentClusters(t *testing.T) {
	m := blocksOf(t, "st.global.u32 [%ai], %i;", Config{})
	lc, _ := blocksRun(t, m)
	for size, want := range map[uint32]bool{1: true, 2: false} {
		lc.Cluster = Dim3{X: size, Y: 1, Z: 1}
		l, err := grids.Prepare(m.state, &lc)
		if err != nil {
			t.Fatal(err)
		}
		if got := independent(m.state, l) != nil; got != want {
			t.Errorf("clusters of %d blocks: independent %v, want %v", size, got, want)
		}
	}
}

// TestWorkersOnRandomPrograms: random programs, whose addresses are hard to see through, do the same with
// one worker, with two, and in the usual way.
func TestWorkersOnRandomPrograms(t *testing.T) {
	independent, faulty := 0, 0
	for seed := range uint64(*workersPrograms) {
		made := addressgen.Make(2_000_000 + seed)
		want, proved := addressesResult(t, &made, Config{Record: new(Schedule)})
		if proved {
			independent++
		}
		if strings.Contains(want, "k.ptx:") {
			faulty++
		}
		for _, workers := range []int{1, 2} {
			if got, _ := addressesResult(t, &made, Config{Workers: workers}); got != want {
				t.Fatalf("seed %d, %d workers: another result than in the usual way\n%.1000s\n%.1000s\n%s", 2_000_000+seed, workers, got, want, made.PTX)
			}
		}
	}
	t.Logf("%d programs: blocks of %d are independent, %d fault", *workersPrograms, independent, faulty)
	if independent < *workersPrograms/10 || faulty > *workersPrograms*3/4 {
		t.Errorf("of %d programs, the blocks of %d are independent, and %d fault: too few to tell", *workersPrograms, independent, faulty)
	}
}

// addressesResult is what the launches of a program leave behind, with so many blocks that several
// workers have some, and whether the blocks of the last launch were proved to be independent.
func addressesResult(t *testing.T, p *addressgen.Program, cfg Config) (result string, proved bool) {
	t.Helper()
	cfg.MaxSteps = 200_000
	m := mustLoad(t, "k.ptx", p.PTX, cfg)
	var err error
	var buffers [addressgen.Buffers]uint64
	for i := range buffers {
		if buffers[i], err = m.Alloc(fmt.Sprint("b", i), addressgen.BufferBytes); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	for _, l := range p.Launches {
		lc := LaunchConfig{Kernel: l.Kernel, Grid: Dim3{X: l.Grid * 40, Y: 1, Z: 1}, Block: Dim3{X: l.Block, Y: 1, Z: 1}}
		for _, b := range l.Buffers {
			lc.Params = binary.LittleEndian.AppendUint64(lc.Params, buffers[b])
		}
		lc.Params = binary.LittleEndian.AppendUint64(lc.Params, l.Zero)
		lc.Params = binary.LittleEndian.AppendUint32(lc.Params, l.N)
		prepared, err := grids.Prepare(m.state, &lc)
		if err != nil {
			t.Fatal(err)
		}
		record := m.state.Cfg.Record
		m.state.Cfg.Record = nil
		proved = independent(m.state, prepared) != nil
		m.state.Cfg.Record = record
		r, err := m.Launch(t.Context(), lc)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&out, r.Stats, r.Faults)
	}
	for _, addr := range buffers {
		data := make([]byte, addressgen.BufferBytes)
		if err := m.Read(addr, data); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%x\n", sha256.Sum256(data))
	}
	return out.String(), proved
}

// TestPartsInterrupted: cancelling and deadlines end the workers.
func TestPartsInterrupted(t *testing.T) {
	body := "L: st.global.u32 [%ai], %r9; add.u32 %r9, %r9, 1; bra L;"
	for _, workers := range []int{1, 3} {
		m := blocksOf(t, body, Config{Workers: workers})
		lc, _ := blocksRun(t, m)
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		r, err := m.Launch(ctx, lc)
		cancel()
		if err != nil || len(r.Faults) != 1 || r.Faults[0].Class != "timeout" || !strings.Contains(r.Faults[0].Message, "time allowed") {
			t.Errorf("%d workers, deadline: %v, %v", workers, r, err)
		}
		ctx, cancel = context.WithCancel(t.Context())
		cancel()
		if _, err = m.Launch(ctx, lc); !errors.Is(err, context.Canceled) {
			t.Errorf("%d workers, cancelled: %v", workers, err)
		}
	}
}

// TestWorkersForgetMemory: code of workers does not reach memory that has been freed.
func TestWorkersForgetMemory(t *testing.T) {
	m := blocksOf(t, "ld.global.u32 %r1, [%bi]; st.global.u32 [%ai], %r1;", Config{Workers: 2})
	lc, buf := blocksRun(t, m)
	if r, err := m.Launch(t.Context(), lc); err != nil || len(r.Faults) > 0 {
		t.Fatal(r, err)
	}
	want := make([]byte, 4*64*128)
	if err := m.Read(buf[0], want); err != nil {
		t.Fatal(err)
	}
	if err := m.Free(buf[1]); err != nil {
		t.Fatal(err)
	}
	r, err := m.Launch(t.Context(), lc)
	if err != nil || len(r.Faults) != 1 || r.Faults[0].Class != "use-after-free" {
		t.Fatal(r, err)
	}
	got := make([]byte, len(want))
	if err := m.Read(buf[0], got); err != nil || !bytes.Equal(got, want) {
		t.Errorf("memory has changed: %v", err)
	}
}

// TestRegistersRecycled: the memory for registers of a grid depends on the number of resident blocks.
func TestRegistersRecycled(t *testing.T) {
	const grid, threadState = 4096, 4 << 20 // of half a million threads, which would need 100 MB
	for _, cfg := range []Config{{}, {Workers: 2}, {Record: new(Schedule)}} {
		cfg.Limits.ThreadState = threadState
		m := blocksOf(t, "setp.ge.u32 %p1, %i, %n; @%p1 ret; st.global.u32 [%ai], %i;", cfg)
		lc, _ := blocksRun(t, m)
		lc.Grid.X = grid
		r, err := m.Launch(t.Context(), lc)
		if err != nil || len(r.Faults) > 0 {
			t.Errorf("%+v: %v, %v", cfg, r, err)
		}
	}
}

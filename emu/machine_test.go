package emu_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// tracer writes down everything that happens.
type tracer struct {
	emu.Follower
	lines    []string
	accesses int
}

var eventNames = map[abi.EventKind]string{
	abi.EventBlockBegin: "begin", abi.EventBlockEnd: "end", abi.EventFence: "fence", abi.EventBarrierArrive: "arrive",
	abi.EventBarrierComplete: "complete", abi.EventBarrierPass: "pass", abi.EventWarpSync: "together",
	abi.EventDiverge: "diverge", abi.EventConverge: "converge",
}

func (l *tracer) add(format string, args ...any) {
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

func (l *tracer) Accesses(b *abi.Batch) {
	for a := range b.All() {
		l.accesses++
		var addrs [32]uint64
		for i := range addrs {
			addrs[i] = a.At(i)
		}
		l.add("access %v warp %d mask %08x line %d addr %x", b.Block, b.Warp, a.Mask, l.Inst(a.Site).Line, addrs)
	}
}

func (l *tracer) Event(ev *abi.Event) {
	switch ev.Kind {
	case abi.EventKernelBegin:
		l.add("begin %s %v", l.Kernels[0].Name, ev.Addr[:6])
	case abi.EventKernelEnd:
		l.add("end")
	case abi.EventBlockBegin, abi.EventBlockEnd:
		l.add("%s block %d", eventNames[ev.Kind], ev.Block)
	default:
		l.add("%s %d warp %d mask %08x", eventNames[ev.Kind], ev.Block, ev.Warp, ev.Mask)
	}
}

// TestDeterminism: the same seed gives the same trace, another seed another one.
func TestDeterminism(t *testing.T) {
	trace := func(cfg emu.Config) string {
		l := &tracer{}
		cfg.Listener = l
		run(t, kernel(spinLock), cfg, 3, 40, 2)
		return strings.Join(l.lines, "\n")
	}
	seen := map[string]bool{}
	for seed := range uint64(5) {
		cfg := emu.Config{Policy: emu.Random, Seed: seed}
		a := trace(cfg)
		if a != trace(cfg) {
			t.Fatalf("seed %d: two runs differ", seed)
		}
		seen[a] = true
	}
	if len(seen) != 5 {
		t.Fatalf("5 seeds gave %d interleavings", len(seen))
	}
	if first, second := trace(emu.Config{}), trace(emu.Config{}); first != second {
		t.Fatal("two runs under ITS differ")
	}
}

func TestListener(t *testing.T) {
	body := `
		st.global.u32 [%out], %r1; membar.gl; bar.sync 0;
		@%p1 ld.global.u32 %r5, [%out];
		bar.warp.sync -1;
		ret;`
	l := &tracer{}
	run(t, kernel("setp.eq.u32 %p1, %r1, 3;"+body), emu.Config{Listener: l}, 1, 8, 8)
	var got []string
	for _, s := range l.lines {
		s, _, _ = strings.Cut(s, " addr")
		got = append(got, s)
	}
	want := []string{
		"begin k [1 1 1 8 1 1]",
		"begin block 0",
		"access 0 warp 0 mask 000000ff line 11",
		"fence 0 warp 0 mask 000000ff",
		"arrive 0 warp 0 mask 000000ff",
		"complete 0 warp 0 mask 000000ff",
		"pass 0 warp 0 mask 000000ff",
		"access 0 warp 0 mask 00000008 line 12",
		"together 0 warp 0 mask 000000ff",
		"end block 0",
		"end",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestUnsupported(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"mov.u64 %rd1, nobody; ", "nobody"},
		{"isspacep.shared %p1, %r1;", "not yet emulated: isspacep.shared %p1, %r1: 32-bit generic addresses"},
	} {
		_, err := tryLoad(".global .texref tx;\n"+kernel(c.body+" ret;"), emu.Config{})
		var list ptxgrammar.ErrorList
		if !errors.As(err, &list) || !strings.Contains(list[0].Error(), c.want) || !strings.HasPrefix(list[0].Error(), "test.ptx:") {
			t.Errorf("%s: got %v, want %q", c.body, err, c.want)
		}
	}
	// What no kernel reaches does not matter.
	lib := ".func f() { .reg .b32 %r; .reg .pred %p; isspacep.shared %p, %r; ret; }\n"
	if _, err := tryLoad(lib+kernel("ret;"), emu.Config{}); err != nil {
		t.Error(err)
	}
	if _, err := tryLoad(lib+kernel("call f; ret;"), emu.Config{}); err == nil {
		t.Error("unsupported instruction in a called function was accepted")
	}
}

func TestLaunchErrors(t *testing.T) {
	text := ".extern .shared .align 16 .b8 dyn[];\n.shared .align 4 .b8 sh[1024];\n" +
		kernel("mov.u32 %r5, sh; mov.u32 %r6, dyn; st.shared.u32 [%r5], %r6; ret;") + ".func f() { ret; }\n" +
		".entry limited() .maxntid 64 { ret; }\n.entry exact() .reqntid 8, 2 { ret; }\n"
	ok := emu.LaunchConfig{Kernel: "k", Grid: dim(1), Block: dim(1), Params: args(0)}
	for _, c := range []struct {
		want   string
		change func(lc *emu.LaunchConfig)
	}{
		{"no kernel nope", func(lc *emu.LaunchConfig) { lc.Kernel = "nope" }},
		{"not a kernel", func(lc *emu.LaunchConfig) { lc.Kernel = "f" }},
		{"extent of 0", func(lc *emu.LaunchConfig) { lc.Grid.Y = 0 }},
		{"extent of 0", func(lc *emu.LaunchConfig) { lc.Block.Z = 0 }},
		{"limit is 1024", func(lc *emu.LaunchConfig) { lc.Block = emu.Dim3{X: 1024, Y: 2, Z: 1} }},
		{"larger than", func(lc *emu.LaunchConfig) { lc.Block = emu.Dim3{X: 1, Y: 1, Z: 65} }},
		{"larger than", func(lc *emu.LaunchConfig) { lc.Grid = emu.Dim3{X: 1, Y: 65536, Z: 1} }},
		{"expected 8", func(lc *emu.LaunchConfig) { lc.Params = nil }},
		{"1024 bytes of static", func(lc *emu.LaunchConfig) { lc.Shared = 227 << 10 }},
		{"1024 bytes of static", func(lc *emu.LaunchConfig) { lc.Shared = 1 << 63 }},
		{"at most 64 threads", func(lc *emu.LaunchConfig) { lc.Kernel, lc.Params, lc.Block = "limited", nil, dim(65) }},
		{"requires blocks of (8,2,1)", func(lc *emu.LaunchConfig) { lc.Kernel, lc.Params, lc.Block = "exact", nil, dim(16) }},
	} {
		m := load(t, text, emu.Config{})
		lc := ok
		c.change(&lc)
		if _, err := m.Launch(context.Background(), lc); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	m := load(t, text, emu.Config{})
	if r, err := m.Launch(context.Background(), ok); err != nil || len(r.Faults) > 0 {
		t.Error(r, err)
	}
}

// TestMemoryLimit: neither variables nor buffers may exceed the limit.
func TestMemoryLimit(t *testing.T) {
	if _, err := tryLoad(".global .b8 big[1048576];\n"+kernel("ret;"), emu.Config{MemoryLimit: 1 << 19}); err == nil || !strings.Contains(err.Error(), "memory limit") {
		t.Error(err)
	}
	m := load(t, kernel("ret;"), emu.Config{MemoryLimit: 1 << 19})
	if _, err := m.Alloc("a", 1<<19); err != nil {
		t.Error(err)
	}
	for _, n := range []uint64{1, 1 << 40, 1<<64 - 1} {
		if _, err := m.Alloc("b", n); err == nil {
			t.Errorf("allocated %d bytes too many", n)
		}
	}
}

// TestVariables checks addresses, initial values and relocations.
func TestVariables(t *testing.T) {
	text := `.global .align 4 .u32 table[4] = {10, 20, 30, 40};
.const .align 4 .u32 scale = 3;
.global .align 8 .u64 where = table+8;
.global .align 8 .u64 code = double;
.shared .align 8 .b8 a[12];
.shared .align 16 .b8 b[16];
.extern .shared .align 4 .b8 dyn[];
.func (.param .b32 r) double(.param .b32 n);
.func (.param .b32 r) double(.param .b32 n) { .reg .b32 %a; ld.param.u32 %a, [n]; add.u32 %a, %a, %a; st.param.b32 [r], %a; ret; }
` + kernel(`
	ld.global.u64 %rd1, [where]; ld.global.u32 %r5, [%rd1]; ld.const.u32 %r6, [scale]; mul.lo.u32 %r5, %r5, %r6;
	ld.global.u64 %rd2, [code];
	{ .param .b32 n; .param .b32 q; st.param.b32 [n], %r5; P: .callprototype (.param .b32 _) _ (.param .b32 _); call (q), %rd2, (n), P; ld.param.b32 %r5, [q]; }
	st.global.u32 [%base], %r5;
	mov.u32 %r7, a; st.global.u32 [%base+4], %r7; mov.u32 %r7, b; st.global.u32 [%base+8], %r7; mov.u32 %r7, dyn; st.global.u32 [%base+12], %r7;
	mov.u64 %rd3, b+4; st.global.u32 [%base+16], %rd3;
	ret;`)
	m := load(t, text, emu.Config{})
	out := alloc(t, m, "out", 5)
	clean(t, launch(t, m, 1, 1, out))
	if got, want := fmt.Sprint(words(t, m, out, 5)), "[180 0 16 32 20]"; got != want {
		t.Fatalf("got %s, want %s", got, want)
	}
	addr, size, ok := m.Symbol("table")
	if !ok || size != 16 || words(t, m, addr, 4)[3] != 40 {
		t.Fatal(addr, size, ok)
	}
	if name, off, ok := m.Describe(addr + 5); name != "table" || off != 5 || !ok {
		t.Fatal(name, off, ok)
	}
	if _, _, ok := m.Symbol("a"); ok {
		t.Fatal("a shared variable has a device address")
	}
}

func TestParamLayout(t *testing.T) {
	m := load(t, ".visible .entry k(.param .u8 a, .param .u64 b, .param .align 16 .b8 s[20], .param .u16 c, .param .f32 d) { ret; }", emu.Config{})
	ps, size, err := m.Params("k")
	if err != nil {
		t.Fatal(err)
	}
	var got []uint64
	for _, p := range ps {
		got = append(got, p.Offset)
	}
	if fmt.Sprint(got, size) != "[0 8 16 36 40] 44" {
		t.Fatal(got, size)
	}
}

// TestSpecialRegisters of a grid and block of three dimensions.
func TestSpecialRegisters(t *testing.T) {
	body := `
	mov.u32 %r5, %tid.y; mov.u32 %r6, %tid.z; mov.u32 %r7, %ctaid.y; mov.u32 %r8, %laneid; mov.u32 %r9, %warpid;
	mov.u32 %r10, %ntid.y; mov.u32 %r11, %nctaid.y; mov.u32 %r12, %ctaid.x;
	mad.lo.u32 %r13, %r6, %r10, %r5; mov.u32 %r14, %ntid.x; mad.lo.u32 %r13, %r13, %r14, %r1;
	mov.u32 %r15, %nctaid.x; mad.lo.u32 %r16, %r7, %r15, %r12;
	mad.lo.u32 %r17, %r16, 120, %r13;
	mad.wide.u32 %rd1, %r17, 4, %base;
	shl.b32 %r18, %r9, 5; add.u32 %r18, %r18, %r8; mad.lo.u32 %r18, %r11, 1000, %r18;
	st.global.u32 [%rd1], %r18; ret;`
	m := load(t, kernel(body), emu.Config{})
	const blocks, threads = 6, 120
	out := alloc(t, m, "out", blocks*threads)
	r, err := m.Launch(context.Background(), emu.LaunchConfig{Kernel: "k", Grid: emu.Dim3{X: 2, Y: 3, Z: 1}, Block: emu.Dim3{X: 5, Y: 4, Z: 6}, Params: args(out)})
	if err != nil {
		t.Fatal(err)
	}
	clean(t, r)
	for i, v := range words(t, m, out, blocks*threads) {
		if want := uint32(3000 + i%threads); v != want {
			t.Fatalf("word %d: got %d, want %d", i, v, want)
		}
	}
}

// TestStats counts by hand.
func TestStats(t *testing.T) {
	m := load(t, ".visible .entry k() { .reg .pred %p; .reg .b32 %r; mov.u32 %r, %tid.x; setp.lt.u32 %p, %r, 40; @%p bra L; mov.u32 %r, 1; L: ret; }", emu.Config{})
	r := launch(t, m, 2, 48)
	// warp 0 takes the branch: 4 instructions; of warp 1 half does: 5. The lanes
	// that jump do not execute the mov.
	if want := (emu.Stats{WarpInstructions: 2 * 9, ThreadInstructions: 2 * (32*4 + 16*4 + 8)}); r.Stats != want {
		t.Fatalf("got %+v, want %+v", r.Stats, want)
	}
}

// TestDynamicOfMLIR: MLIR's variable of dynamic shared memory, which LLVM writes as one of a byte, is all of it.
func TestDynamicOfMLIR(t *testing.T) {
	m := load(t, `
.visible .entry k() {
	.shared .align 16 .b8 __dynamic_shmem__0;
	.shared .b8 one;
	st.shared.u32 [__dynamic_shmem__0+60], 1;
	st.shared.u8 [one], 1;
	ret;
}
`, emu.Config{})
	if size, err := m.SharedSize("k", 64); err != nil || size != 16+64 {
		t.Errorf("%d bytes, %v, want those of the other variable, aligned, and 64", size, err)
	}
	if name, off, _ := m.DescribeShared("k", 1<<32+16+60); name != "__dynamic_shmem__0" || off != 60 {
		t.Errorf("found %s+%d", name, off)
	}
}

func TestSharedSize(t *testing.T) {
	m := load(t, `
.shared .b8 other[64];
.extern .shared .align 16 .b8 dynamic[];
.visible .entry k() {
	.shared .b8 a[5];
	.shared .u32 b;
	st.shared.u8 [a], 1;
	st.shared.u32 [b], 1;
	st.shared.u8 [dynamic], 1;
	ret;
}
.visible .entry none() { ret; }
`, emu.Config{})
	for _, c := range []struct {
		kernel        string
		dynamic, want uint64
	}{{"k", 0, 16}, {"k", 100, 116}, {"none", 0, 0}} {
		if got, err := m.SharedSize(c.kernel, c.dynamic); err != nil || got != c.want {
			t.Errorf("%s with %d dynamic bytes: %d, %v, want %d", c.kernel, c.dynamic, got, err, c.want)
		}
	}
	if _, err := m.SharedSize("gone", 0); err == nil {
		t.Error("a kernel that is not there has a size")
	}
	const generic, second = 1 << 32, 1 << 24 // the window of shared memory, and that of the next block of the cluster
	for addr, want := range map[uint64]string{
		4: "a+4", generic + 8: "b+0", generic + second + 11: "b+3", generic + 16: "dynamic+0", generic + 100: "dynamic+84",
		5: "nothing", 2 * generic: "nothing",
	} {
		name, off, ok := m.DescribeShared("k", addr)
		got := fmt.Sprintf("%s+%d", name, off)
		if !ok {
			got = "nothing"
		}
		if got != want {
			t.Errorf("%#x is %s, want %s", addr, got, want)
		}
	}
}

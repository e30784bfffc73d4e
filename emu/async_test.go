package emu_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// eachFlight is eachPolicy with asynchronous operations that complete immediately and late.
func eachFlight(t *testing.T, f func(t *testing.T, cfg emu.Config)) {
	eachPolicy(t, func(t *testing.T, cfg emu.Config) {
		f(t, cfg)
		cfg.LateAsync = true
		f(t, cfg)
	})
}

// bulkRoundTrip copies 256 words to shared memory, waits for the bytes, doubles
// them and copies them to the second 256 words.
var bulkRoundTrip = ".shared .align 8 .b64 bar; .shared .align 16 .b8 tile[1024];\n" + kernel(`
	setp.eq.u32 %p1, %r1, 0; mov.u32 %r5, tile;
	@%p1 mbarrier.init.shared::cta.b64 [bar], 1;
	fence.mbarrier_init.release.cluster;
	bar.sync 0;
	@!%p1 bra WAIT;
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 1024;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%base], 512, [bar];
	add.u32 %r6, %r5, 512; add.u64 %rd1, %base, 512;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r6], [%rd1], 512, [bar];
WAIT:	mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0; @!%p2 bra WAIT;
	mad.lo.u32 %r7, %r1, 4, %r5;
	ld.shared.u32 %r8, [%r7]; add.u32 %r8, %r8, %r8; st.shared.u32 [%r7], %r8;
	fence.proxy.async.shared::cta;
	bar.sync 0;
	@!%p1 bra END;
	cp.async.bulk.global.shared::cta.bulk_group [%base+1024], [%r5], 1024;
	cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; cp.async.bulk.wait_group 0;
END:	ret;`)

// TestBulkCopy: transaction counts and bulk groups.
func TestBulkCopy(t *testing.T) {
	eachFlight(t, func(t *testing.T, cfg emu.Config) {
		m := load(t, bulkRoundTrip, cfg)
		buf := alloc(t, m, "buf", 512)
		fillWords(t, m, buf, 256, func(i int) uint32 { return uint32(i * i) })
		clean(t, launch(t, m, 1, 256, buf))
		for i, v := range words(t, m, buf, 512)[256:] {
			if v != uint32(2*i*i) {
				t.Fatalf("word %d: got %d, want %d", i, v, 2*i*i)
			}
		}
	})
}

// TestBulkMulticast: one block sends a row to three of the four blocks of its
// cluster, and each of them waits at its own barrier.
func TestBulkMulticast(t *testing.T) {
	text := ".shared .align 8 .b64 bar; .shared .align 16 .b8 tile[128];\n" + kernel(`
	setp.eq.u32 %p1, %r1, 0; mov.u32 %r5, tile; mov.u32 %r6, %cluster_ctarank;
	@%p1 mbarrier.init.shared::cta.b64 [bar], 1;
	@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;
	barrier.cluster.arrive; barrier.cluster.wait;
	setp.eq.u32 %p2, %r6, 1; and.pred %p2, %p1, %p2; mov.u16 %h1, 13;
	@%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r5], [%base], 128, [bar], %h1;
	setp.eq.u32 %p3, %r6, 1; @%p3 bra END;
WAIT:	mbarrier.try_wait.parity.shared::cta.b64 %p4, [bar], 0; @!%p4 bra WAIT;
	mad.lo.u32 %r7, %r1, 4, %r5; ld.shared.u32 %r8, [%r7];
	st.global.u32 [%out+128], %r8;
END:	barrier.cluster.arrive; barrier.cluster.wait; ret;`)
	text = strings.Replace(text, ".reg .pred", ".reg .b16 %h<4>; .reg .pred", 1)
	eachFlight(t, func(t *testing.T, cfg emu.Config) {
		m := load(t, text, cfg)
		buf := alloc(t, m, "buf", 32*5)
		fillWords(t, m, buf, 32, func(i int) uint32 { return uint32(i + 100) })
		clean(t, launchCluster(t, m, 4, 32, 4, buf))
		for i, v := range words(t, m, buf, 160)[32:] {
			want := uint32(i%32 + 100)
			if i/32 == 1 {
				want = 0
			}
			if v != want {
				t.Fatalf("block %d, word %d: got %d, want %d", i/32, i%32, v, want)
			}
		}
	})
}

// TestAsyncStore: every thread of three blocks stores to the fourth block and adds
// to a counter there; the fourth waits for the bytes.
func TestAsyncStore(t *testing.T) {
	text := ".shared .align 8 .b64 bar; .shared .align 16 .b8 cells[1536]; .shared .align 4 .u32 total;\n" + kernel(`
	setp.eq.u32 %p1, %r1, 0; mov.u32 %r6, %cluster_ctarank; setp.eq.u32 %p2, %r6, 3;
	and.pred %p3, %p1, %p2;
	@%p3 mbarrier.init.shared::cta.b64 [bar], 1;
	@%p3 mbarrier.arrive.expect_tx.relaxed.cluster.shared::cta.b64 %rd1, [bar], 1920;   // 96 * (16 + 4)
	barrier.cluster.arrive; barrier.cluster.wait;
	@%p2 bra WAIT;
	mapa.shared::cluster.u32 %r7, cells, 3; mapa.shared::cluster.u32 %r8, bar, 3; mapa.shared::cluster.u32 %r9, total, 3;
	mad.lo.u32 %r7, %r4, 16, %r7; add.u32 %r10, %r4, 1;
	st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%r7], {%r4, %r10, %r4, %r10}, [%r8];
	red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r9], %r10, [%r8];
	bra END;
WAIT:	mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p4, [bar], 0; @!%p4 bra WAIT;
	mov.u32 %r11, cells; mov.u32 %r12, 0; mov.u32 %r13, 0;
SUM:	mad.lo.u32 %r14, %r1, 48, %r11; mad.lo.u32 %r14, %r12, 4, %r14;
	ld.shared.u32 %r15, [%r14]; add.u32 %r13, %r13, %r15;
	add.u32 %r12, %r12, 1; setp.lt.u32 %p5, %r12, 12; @%p5 bra SUM;
	mad.wide.u32 %out, %r1, 4, %base; st.global.u32 [%out], %r13;
	ld.shared.u32 %r15, [total]; @%p1 st.global.u32 [%base+128], %r15;
END:	barrier.cluster.arrive; barrier.cluster.wait; ret;`)
	eachFlight(t, func(t *testing.T, cfg emu.Config) {
		m := load(t, text, cfg)
		buf := alloc(t, m, "buf", 33)
		clean(t, launchCluster(t, m, 4, 32, 4, buf))
		got := words(t, m, buf, 33)
		for i, v := range got[:32] { // threads 3i to 3i+2 stored n, n+1, n, n+1
			if want := uint32(4*(9*i+3) + 6); v != want {
				t.Fatalf("thread %d: got %d, want %d", i, v, want)
			}
		}
		if got[32] != 96*97/2 {
			t.Errorf("total %d, want %d", got[32], 96*97/2)
		}
	})
}

// TestBulkReduce: element by element into global memory, and into another block.
func TestBulkReduce(t *testing.T) {
	f := math.Float32bits
	for _, c := range []struct {
		form      string
		old, v    uint32
		want      uint32
		elemBytes int
	}{
		{"add.u32", 7, 0xffffffff, 6, 4},
		{"min.s32", 0xfffffff0, 5, 0xfffffff0, 4},
		{"max.u32", 0xfffffff0, 5, 0xfffffff0, 4},
		{"inc.u32", 9, 9, 0, 4},
		{"dec.u32", 0, 9, 9, 4},
		{"xor.b32", 0xff00ff00, 0x0ff00ff0, 0xf0f0f0f0, 4},
		{"add.f32", f(1.5), f(-0.25), f(1.25), 4},
		{"add.f32", 1, 1, 0, 4},                                  // subnormals are flushed
		{"add.noftz.f16", 0x3c003c01, 0x3c003c00, 0x40004000, 2}, // 1+1 and 1.001+1, to even
		{"max.f16", 0x3c004000, 0x40003c00, 0x40004000, 2},
		{"and.b64", 0xff, 0x0f, 0x0f, 8},
	} {
		text := ".shared .align 16 .b8 tile[64];\n" + kernel(`
	mov.u32 %r5, tile; mad.lo.u32 %r6, %r1, 4, %r5; ld.global.u32 %r7, [%out]; st.shared.u32 [%r6], %r7;
	bar.sync 0; setp.ne.u32 %p1, %r1, 0; @%p1 ret;
	cp.reduce.async.bulk.global.shared::cta.bulk_group.`+c.form+` [%base+64], [%r5], 64;
	cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret;`)
		m := load(t, text, emu.Config{})
		buf := alloc(t, m, "buf", 32)
		fillWords(t, m, buf, 32, func(i int) uint32 {
			if i < 16 {
				return c.v
			}
			return c.old
		})
		clean(t, launch(t, m, 1, 16, buf))
		for i, v := range words(t, m, buf, 32)[16:] {
			if v != c.want {
				t.Errorf("%s of 0x%x and 0x%x, word %d: got 0x%x, want 0x%x", c.form, c.old, c.v, i, v, c.want)
				break
			}
		}
	}
	text := ".shared .align 8 .b64 bar; .shared .align 16 .u64 tile[2];\n" + kernel(`
	mov.u32 %r5, tile; mov.u32 %r6, %cluster_ctarank; cvt.u64.u32 %rd1, %r6; add.u64 %rd2, %rd1, 10;
	st.shared.v2.u64 [%r5], {%rd2, %rd2};
	mbarrier.init.shared.b64 [bar], 1; mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16;
	barrier.cluster.arrive; barrier.cluster.wait;
	setp.eq.u32 %p1, %r6, 0; mapa.shared::cluster.u32 %r7, %r5, 1; mapa.shared::cluster.u32 %r8, bar, 1;
	@%p1 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u64 [%r7], [%r5], 16, [%r8];
	@%p1 bra END;
W:	mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra W;
	ld.shared.u32 %r9, [%r5+8]; st.global.u32 [%base], %r9;
END:	barrier.cluster.arrive; barrier.cluster.wait; ret;`)
	eachFlight(t, func(t *testing.T, cfg emu.Config) {
		m := load(t, text, cfg)
		out := alloc(t, m, "out", 1)
		clean(t, launchCluster(t, m, 2, 1, 2, out))
		if got := words(t, m, out, 1)[0]; got != 21 {
			t.Errorf("got %d, want 21", got)
		}
	})
}

// TestLateAsync: with late operations, threads that do not wait find the old contents; threads that wait, and the host
// after the end of the block, find the new ones.
func TestLateAsync(t *testing.T) {
	const (
		setup = "mov.u32 %r5, tile; mbarrier.init.shared.b64 [bar], 1; st.shared.u32 [%r5], 5; st.shared.u32 [%r5+16], 5; st.shared.u32 [%r5+32], 5;\n"
		group = "cp.async.cg.shared.global [%r5], [%base], 16; cp.async.commit_group;\n" +
			"cp.async.cg.shared.global [%r5+16], [%base], 16; cp.async.commit_group;\n" +
			"cp.async.cg.shared.global [%r5+32], [%base], 16;\n"
		bulk = "mbarrier.arrive.expect_tx.shared::cta.b64 %rd1, [bar], 16;\n" +
			"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%base], 16, [bar];\n"
		store = "cp.async.bulk.global.shared::cta.bulk_group [%base+64], [%r5], 16; cp.async.bulk.commit_group;\n"
		sums  = "ld.shared.u32 %r6, [%r5]; ld.shared.u32 %r7, [%r5+16]; ld.shared.u32 %r8, [%r5+32];\n" +
			"add.u32 %r6, %r6, %r7; add.u32 %r6, %r6, %r8; st.global.u32 [%base+128], %r6;\n"
	)
	for name, c := range map[string]struct {
		body        string
		at          int // word of the buffer
		early, late uint32
	}{
		"no wait":          {group + sums, 32, 3, 15},
		"wait for one":     {group + "cp.async.wait_group 1;" + sums, 32, 3, 11},
		"wait for two":     {group + "cp.async.wait_group 0;" + sums, 32, 3, 7},
		"wait for all":     {group + "cp.async.wait_all;" + sums, 32, 3, 3},
		"copies arrive":    {group + "cp.async.mbarrier.arrive.noinc.shared.b64 [bar]; W: mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra W;" + sums, 32, 3, 3},
		"no bulk wait":     {bulk + sums, 32, 11, 15},
		"bulk wait":        {bulk + "W: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra W;" + sums, 32, 11, 11},
		"spin for data":    {bulk + "W: ld.volatile.shared.u32 %r6, [%r5]; setp.eq.u32 %p1, %r6, 5; @%p1 bra W;" + sums, 32, 11, 11},
		"end of block":     {store, 16, 5, 5},
		"source rewritten": {store + "st.shared.u32 [%r5], 8;", 16, 5, 8},
		"source read":      {store + "cp.async.bulk.wait_group.read 0; st.shared.u32 [%r5], 8;", 16, 5, 5},
		"read not written": {store + "cp.async.bulk.wait_group.read 0; ld.global.u32 %r6, [%base+64]; st.global.u32 [%base+128], %r6;", 32, 5, 0},
		"written":          {store + "cp.async.bulk.wait_group 0; ld.global.u32 %r6, [%base+64]; st.global.u32 [%base+128], %r6;", 32, 5, 5},
	} {
		for late, want := range map[bool]uint32{false: c.early, true: c.late} {
			m := load(t, ".shared .align 16 .b8 tile[48]; .shared .align 8 .b64 bar;\n"+kernel(setup+c.body+"\nret;"), emu.Config{LateAsync: late})
			buf := alloc(t, m, "buf", 33)
			fillWords(t, m, buf, 4, func(int) uint32 { return 1 })
			clean(t, launch(t, m, 1, 1, buf))
			if got := words(t, m, buf, 33)[c.at]; got != want {
				t.Errorf("%s, late %v: got %d, want %d", name, late, got, want)
			}
		}
	}
}

// TestCopySource: the source of a copy may be cut short or ignored.
func TestCopySource(t *testing.T) {
	text := ".shared .align 16 .b8 tile[64];\n" + kernel(`
	mov.u32 %r5, tile; setp.eq.u32 %p1, %r1, 0; setp.ne.u32 %p2, %r1, 0; mov.u32 %r6, 5; mov.u64 %rd1, 0;
	cp.async.ca.shared.global [%r5], [%base], 8, %r6;
	cp.async.cg.shared.global [%r5+16], [%base], 16, %p1;
	cp.async.cg.shared.global [%r5+32], [%base], 16, %p2;
	cp.async.cg.shared.global.L2::cache_hint [%r5+48], [%base], 16, %rd1;
	cp.async.wait_all;
	ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r5]; st.global.v4.u32 [%base+16], {%r10, %r11, %r12, %r13};
	ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r5+16]; st.global.v4.u32 [%base+32], {%r10, %r11, %r12, %r13};
	ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r5+32]; st.global.v4.u32 [%base+48], {%r10, %r11, %r12, %r13};
	ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r5+48]; st.global.v4.u32 [%base+64], {%r10, %r11, %r12, %r13};
	ret;`)
	const v = 0x01020304
	want := []uint32{v, 4, 0, 0, 0, 0, 0, 0, v, v, v, v, v, v, v, v}
	eachFlight(t, func(t *testing.T, cfg emu.Config) {
		m := load(t, text, cfg)
		buf := alloc(t, m, "buf", 20)
		fillWords(t, m, buf, 4, func(int) uint32 { return v })
		clean(t, launch(t, m, 1, 1, buf))
		if got := words(t, m, buf, 20)[4:]; !slices.Equal(got, want) {
			t.Errorf("got %x, want %x", got, want)
		}
	})
}

// TestLateFault: a fault in a late operation names the operation.
func TestLateFault(t *testing.T) {
	text := ".shared .align 16 .b8 tile[48]; .shared .align 8 .b64 bar;\n" + kernel(`
	mov.u32 %r5, tile; mbarrier.init.shared.b64 [bar], 1;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [%base], 16, [bar];
	mbarrier.inval.shared.b64 [bar]; ret;`)
	m := load(t, text, emu.Config{LateAsync: true})
	r := launch(t, m, 1, 1, alloc(t, m, "buf", 4))
	if len(r.Faults) != 1 || r.Faults[0].Class != "uninitialised" || r.Faults[0].Inst == nil || r.Faults[0].Inst.Line != 13 {
		t.Errorf("got %v", r.Faults)
	}
}

// TestAsyncFaults: sizes, addresses and barriers of asynchronous operations.
func TestAsyncFaults(t *testing.T) {
	const (
		init  = "mbarrier.init.shared.b64 [bar], 1; mov.u32 %r5, tile;\n"
		load  = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
		store = "cp.async.bulk.global.shared::cta.bulk_group "
	)
	for _, c := range []struct{ body, class, want string }{
		{init + load + "[%r5], [%base], 24, [bar];", "misaligned", "24 bytes, expected a multiple of 16"},
		{init + load + "[%r5+8], [%base], 16, [bar];", "misaligned", "bulk write at shared address"},
		{init + load + "[%r5], [%base+4], 16, [bar];", "misaligned", "bulk read at global address"},
		{init + load + "[%r5], [%base], 80, [bar];", "out-of-bounds", "16 bytes beyond its end"},
		{init + load + "[%r5+64], [%base], 32, [bar];", "out-of-bounds", "reaches 8 bytes beyond"},
		{init + store + "[%base+64], [%r5], 16;", "out-of-bounds", "write of 16 bytes"},
		{"mov.u32 %r5, tile;" + load + "[%r5], [%base], 16, [bar];", "uninitialised", "no mbarrier here"},
		{init + "mapa.shared::cluster.u32 %r6, tile, 1; st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r6], 1, [bar];", "out-of-bounds", "the mbarrier is in block 0 of the cluster, the destination in block 1"},
		{init + "st.async.mbarrier::complete_tx::bytes.u32 [%base], 1, [%base];", "out-of-bounds", "not in shared memory"},
	} {
		m := load1(t, c.body)
		r := launchCluster(t, m, 2, 1, 2, alloc(t, m, "out", 16))
		if len(r.Faults) == 0 || r.Faults[0].Class != c.class || !strings.Contains(r.Faults[0].Message, c.want) {
			t.Errorf("%s: got %v, want %s: %s", c.body, r.Faults, c.class, c.want)
		}
	}
}

// load1 is a kernel in which only block 0 executes body.
func load1(t *testing.T, body string) *emu.Machine {
	t.Helper()
	return load(t, ".shared .align 16 .b8 tile[80]; .shared .align 8 .b64 bar;\n"+kernel(fmt.Sprintf(`
	setp.ne.u32 %%p1, %%r2, 0; @%%p1 bra END;
	%s
END:	barrier.cluster.arrive; barrier.cluster.wait; ret;`, body)), emu.Config{})
}

// TestAsyncHints: prefetches of tensors are accepted.
func TestAsyncHints(t *testing.T) {
	if _, err := tryLoad(kernel("cp.async.bulk.prefetch.tensor.1d.L2.global [%rd1, {%r6}]; ret;"), emu.Config{}); err != nil {
		t.Error(err)
	}
	if _, err := tryLoad(kernel("cp.async.bulk.prefetch.L2.global [%rd1], 16; ret;"), emu.Config{}); err != nil {
		t.Error(err)
	}
}

package emu_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Forms of single instructions with the results that the manual defines, where no other
// test has them.

// TestWarpForms runs forms that lanes of a warp execute together.
func TestWarpForms(t *testing.T) {
	ballot := uint32(0)
	for lane := range uint32(32) {
		if lane%3 == 0 {
			ballot |= 1 << lane
		}
	}
	every := func(f func(lane uint32) uint32) (want []uint32) {
		for lane := range uint32(32) {
			want = append(want, f(lane))
		}
		return want
	}
	third := "rem.u32 %r5, %r1, 3; setp.eq.u32 %p1, %r5, 0; "
	flag := " selp.u32 %r6, 1, 0, %p2; st.global.u32 [%out], %r6; ret;"
	for _, c := range []struct {
		name, header, body string
		want               []uint32
	}{
		{"elect", ".version 8.0\n.target sm_90\n", "elect.sync %r6|%p2, 0xffffffff; selp.u32 %r7, 100, 0, %p2; add.u32 %r6, %r6, %r7; st.global.u32 [%out], %r6; ret;", nil},
		{"vote.all", ".version 6.2\n.target sm_60\n", third + "vote.all.pred %p2, %p1;" + flag, every(func(uint32) uint32 { return 0 })},
		{"vote.any", ".version 6.2\n.target sm_60\n", third + "vote.any.pred %p2, !%p1;" + flag, every(func(uint32) uint32 { return 1 })},
		{"vote.uni", ".version 6.2\n.target sm_60\n", third + "vote.uni.pred %p2, %p1;" + flag, every(func(uint32) uint32 { return 0 })},
		{"vote.ballot", ".version 6.2\n.target sm_60\n", third + "vote.ballot.b32 %r6, %p1; st.global.u32 [%out], %r6; ret;", every(func(uint32) uint32 { return ballot })},
		{"shfl.up", ".version 6.2\n.target sm_60\n", "shfl.up.b32 %r6|%p2, %r1, 3, 0; selp.u32 %r7, 100, 0, %p2; add.u32 %r6, %r6, %r7; st.global.u32 [%out], %r6; ret;", every(func(lane uint32) uint32 {
			if lane < 3 {
				return lane
			}
			return lane - 3 + 100
		})},
		{"shfl.bfly", ".version 6.2\n.target sm_60\n", "shfl.bfly.b32 %r6, %r1, 5, 31; st.global.u32 [%out], %r6; ret;", every(func(lane uint32) uint32 { return lane ^ 5 })},
		{"barrier.red", ".version 7.8\n.target sm_70\n", third + "barrier.red.popc.u32 %r6, 1, %p1; barrier.cta.red.and.pred %p2, 1, %p1; barrier.red.or.aligned.pred %p3, 2, 32, !%p1; selp.u32 %r7, 100, 0, %p2; add.u32 %r6, %r6, %r7; selp.u32 %r7, 1000, 0, %p3; add.u32 %r6, %r6, %r7; st.global.u32 [%out], %r6; ret;", every(func(uint32) uint32 { return 11 + 1000 })},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := loadText(t, c.header+".address_size 64\n"+kernel(c.body))
			out := alloc(t, m, "out", 32)
			clean(t, launch(t, m, 1, 32, out))
			got := words(t, m, out, 32)
			if c.want != nil && !slices.Equal(got, c.want) {
				t.Errorf("got %d, want %d", got, c.want)
			}
			if c.want == nil { // one lane is elected, and all lanes get its number
				leader := got[0] % 100
				for lane, v := range got {
					if want := leader + uint32(pick(lane == int(leader), 100)); v != want {
						t.Errorf("lane %d has %d of leader %d", lane, v, leader)
					}
				}
			}
		})
	}
}

// TestBarrierArrive: 32 threads arrive at a barrier of 64 threads after writing the values that the others read, and do
// not wait.
func TestBarrierArrive(t *testing.T) {
	for _, form := range []string{"barrier.arrive", "barrier.cta.arrive.aligned"} {
		eachPolicy(t, func(t *testing.T, cfg emu.Config) {
			got := run(t, ".shared .align 4 .b8 sh[128];\n"+kernel(`
	mov.u32 %r5, sh; and.b32 %r6, %r1, 31; mad.lo.u32 %r5, %r6, 4, %r5; setp.ge.u32 %p1, %r1, 32; @%p1 bra READ;
	add.u32 %r7, %r1, 7; st.shared.u32 [%r5], %r7; `+form+` 3, 64; ret;
READ:	barrier.sync 3, 64; ld.shared.u32 %r7, [%r5]; st.global.u32 [%out], %r7; ret;`), cfg, 1, 64, 64)
			for i, v := range got {
				if want := uint32(pick(i >= 32, i-32+7)); v != want {
					t.Fatalf("%s: thread %d has %d, want %d", form, i, v, want)
				}
			}
		})
	}
}

// TestMbarrierForms follows one mbarrier through its phases: each bit of the result says
// whether a phase is complete.
func TestMbarrierForms(t *testing.T) {
	const test = "mbarrier.test_wait.shared.b64 %p1, [bar], %rd1; selp.u32 %r6, 1, 0, %p1; shl.b32 %r5, %r5, 1; or.b32 %r5, %r5, %r6; "
	for _, c := range []struct {
		name, body string
		want       uint32
	}{
		{"arrive with a count", "mbarrier.init.shared.b64 [bar], 3; mbarrier.arrive.shared.b64 %rd1, [bar], 2; " + test + "mbarrier.arrive.release.cta.shared.b64 %rd2, [bar], 1; " + test, 0b01},
		{"expect_tx", "mbarrier.init.shared.b64 [bar], 2; mbarrier.arrive.shared.b64 %rd1, [bar]; mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 48; mbarrier.arrive.shared.b64 %rd2, [bar];" + test +
			"mbarrier.complete_tx.relaxed.cta.shared.b64 [bar], 32; " + test + "mbarrier.complete_tx.shared.b64 [bar], 16; " + test, 0b001},
		{"arrive_drop with a count", "mbarrier.init.shared.b64 [bar], 5; mbarrier.arrive_drop.shared.b64 %rd1, [bar], 2; " + test + "mbarrier.arrive.shared.b64 %rd2, [bar], 3; " + test +
			"mbarrier.arrive.shared.b64 %rd1, [bar], 2; " + test + "mbarrier.arrive.shared.b64 %rd2, [bar]; " + test, 0b0101}, // three are expected in the second phase
		{"arrive_drop.expect_tx", "mbarrier.init.shared.b64 [bar], 2; mbarrier.arrive_drop.expect_tx.shared.b64 %rd1, [bar], 8; mbarrier.arrive.shared.b64 %rd2, [bar]; " + test + "mbarrier.complete_tx.shared.b64 [bar], 8; " + test +
			"mbarrier.arrive.shared.b64 %rd1, [bar]; " + test, 0b011}, // one is expected in the second phase
		{"arrive_drop.expect_tx, cluster", "mbarrier.init.shared.b64 [bar], 2; mov.u32 %r7, bar; mapa.shared::cluster.u32 %r7, %r7, 0; mbarrier.arrive.shared.b64 %rd1, [bar]; mbarrier.arrive_drop.expect_tx.release.cluster.shared::cluster.b64 _, [%r7], 8; " + test +
			"mbarrier.complete_tx.shared.b64 [bar], 8; " + test + "mbarrier.arrive.shared.b64 %rd1, [bar]; " + test, 0b011},
		{"arrive_drop, cluster", "mbarrier.init.shared.b64 [bar], 2; mov.u32 %r7, bar; mapa.shared::cluster.u32 %r7, %r7, 0; mbarrier.arrive.shared.b64 %rd1, [bar]; " + test + "mbarrier.arrive_drop.release.cluster.shared::cluster.b64 _, [%r7]; " + test +
			"mbarrier.arrive.shared.b64 %rd1, [bar]; " + test, 0b011},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := run(t, ".shared .align 8 .b64 bar;\n"+kernel("mov.u32 %r5, 0; "+c.body+"st.global.u32 [%base], %r5; ret;"), emu.Config{}, 1, 1, 1)
			if got[0] != c.want {
				t.Errorf("got %b, want %b", got[0], c.want)
			}
		})
	}
}

// TestAsyncReductions: a thread of one block changes a word of the other block, which waits for the bytes.
func TestAsyncReductions(t *testing.T) {
	for _, c := range []struct {
		op            string
		old, by, want uint32
	}{
		{"inc.u32", 7, 9, 8},
		{"inc.u32", 9, 9, 0},
		{"dec.u32", 0, 5, 5},
		{"dec.u32", 4, 5, 3},
		{"min.u32", 0xfffffff0, 5, 5},
		{"min.s32", 0xfffffff0, 5, 0xfffffff0},
		{"max.s32", 0xfffffff0, 5, 5},
		{"max.u32", 0xfffffff0, 5, 0xfffffff0},
		{"and.b32", 0xff00ff00, 0xffff0000, 0xff000000},
		{"or.b32", 0xff00ff00, 0xffff0000, 0xffffff00},
		{"xor.b32", 0xff00ff00, 0xffff0000, 0x00ffff00},
	} {
		t.Run(fmt.Sprintf("%s %x", c.op, c.old), func(t *testing.T) {
			m := load(t, ".shared .align 8 .b64 bar; .shared .align 4 .u32 cell;\n"+kernel(fmt.Sprintf(`
	mov.u32 %%r6, %%cluster_ctarank; setp.eq.u32 %%p1, %%r6, 0;
	@%%p1 bra OWNER;
	barrier.cluster.arrive; barrier.cluster.wait;
	mapa.shared::cluster.u32 %%r7, cell, 0; mapa.shared::cluster.u32 %%r8, bar, 0; mov.u32 %%r9, %d;
	red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.%s [%%r7], %%r9, [%%r8];
	bra END;
OWNER:	st.shared.u32 [cell], %d; mbarrier.init.shared::cta.b64 [bar], 1; mbarrier.arrive.expect_tx.shared::cta.b64 %%rd1, [bar], 4;
	barrier.cluster.arrive; barrier.cluster.wait;
WAIT:	mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %%p4, [bar], 0; @!%%p4 bra WAIT;
	ld.shared.u32 %%r9, [cell]; st.global.u32 [%%base], %%r9;
END:	barrier.cluster.arrive; barrier.cluster.wait; ret;`, c.by, c.op, c.old)), emu.Config{})
			out := alloc(t, m, "out", 1)
			clean(t, launchCluster(t, m, 2, 1, 2, out))
			if got := words(t, m, out, 1)[0]; got != c.want {
				t.Errorf("got %#x, want %#x", got, c.want)
			}
		})
	}
}

// TestVectorAtomics runs atom and red on vectors, whose elements are independent.
func TestVectorAtomics(t *testing.T) {
	old, by := []float64{1.5, -2, 0.25, 8, -1, 3, 100, -0.5}, []float64{2, 0.5, -4, 8.5, 1, -3, 1, -0.25}
	for _, c := range []struct {
		typ    string
		format *num.Format
		lanes  int // of a register
		vecs   []int
		ops    []string
	}{
		{"f16", num.F16, 1, []int{2, 4, 8}, []string{"add.noftz", "min.noftz", "max.noftz"}},
		{"bf16", num.BF16, 1, []int{2, 4, 8}, []string{"add.noftz", "min.noftz", "max.noftz"}},
		{"f16x2", num.F16, 2, []int{2, 4}, []string{"add.noftz", "min.noftz", "max.noftz"}},
		{"bf16x2", num.BF16, 2, []int{2, 4}, []string{"add.noftz", "min.noftz", "max.noftz"}},
		{"f32", nil, 1, []int{2, 4}, []string{"add"}},
	} {
		for _, vec := range c.vecs {
			for _, op := range c.ops {
				t.Run(fmt.Sprintf("%s.v%d.%s", op, vec, c.typ), func(t *testing.T) {
					n := vec * c.lanes
					encode := func(v []float64) []uint64 {
						var out []uint64
						for _, x := range v[:n] {
							out = append(out, encodeReal(c.format, x))
						}
						return out
					}
					want := make([]float64, n)
					for i := range want {
						want[i] = map[string]float64{"add": old[i] + by[i], "min": min(old[i], by[i]), "max": max(old[i], by[i])}[op[:3]]
					}
					width := 16
					if c.format == nil {
						width = 32
					}
					for _, form := range []string{"atom", "red"} {
						before, after := vectorAtomic(t, form, op, c.typ, vec, width, encode(old), encode(by))
						if !slices.Equal(after, encode(want)) || form == "atom" && !slices.Equal(before, encode(old)) {
							t.Errorf("%s: %x to %x, want %x to %x", form, before, after, encode(old), encode(want))
						}
					}
				})
			}
		}
	}
}

// vectorAtomic is what an instruction returns and leaves in memory, by elements.
func vectorAtomic(t *testing.T, form, op, typ string, vec, width int, old, by []uint64) (before, after []uint64) {
	t.Helper()
	bytes := make([]byte, 64)
	for i := range old {
		putBits(bytes, i*width, width, old[i])
		putBits(bytes, 256+i*width, width, by[i])
	}
	reg, size := "b32", len(old)*width/vec
	if size == 16 {
		reg = "b16"
	}
	body := fmt.Sprintf(".reg .%s %%v<8>, %%w<8>; ", reg)
	for i := range vec {
		body += fmt.Sprintf("ld.global.%s %%v%d, [%%p0+%d]; mov.%s %%w%d, 0; ", reg, i, 32+i*size/8, reg, i)
	}
	dst := ""
	if form == "atom" {
		dst = fragment("%w", vec) + ", "
	}
	body += fmt.Sprintf("setp.ne.u32 %%one, %%r0, 0; @%%one ret; %s.relaxed.gpu.global.%s.v%d.%s %s[%%p0], %s; ", form, op, vec, typ, dst, fragment("%v", vec))
	for i := range vec {
		body += fmt.Sprintf("st.global.%s [%%p0+%d], %%w%d; ", reg, 64+i*size/8, i)
	}
	body += "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%p0]; st.global.v4.u32 [%p0+96], {%r1, %r2, %r3, %r4}; "
	got := matrixKernel(t, ".reg .pred %one; "+body, bytes, 64)
	for i := range old {
		before, after = append(before, getBits(got, i*width, width)), append(after, getBits(got, 256+i*width, width))
	}
	return before, after
}

// encodeReal is a number as f32, or as one of a narrower format.
func encodeReal(f *num.Format, x float64) uint64 {
	if f == nil {
		return uint64(math.Float32bits(float32(x)))
	}
	return f.FromFloat64(x, num.RN)
}

// loadText loads a whole module.
func loadText(t *testing.T, text string) *emu.Machine {
	t.Helper()
	return loadWith(t, text, emu.Config{})
}

// loadWith loads a whole module for a machine.
func loadWith(t *testing.T, text string, cfg emu.Config) *emu.Machine {
	t.Helper()
	ast, err := ptxgrammar.Parse("test.ptx", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rewrite.Load(ast)
	if err != nil {
		t.Fatal(err)
	}
	m, err := emu.New(mod, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

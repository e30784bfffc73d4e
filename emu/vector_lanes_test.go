package emu_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// laneOps stores what votes and matches among the lanes of set say: the lanes, those
// whose value is odd, whether all are, whether any is, and those with the same value; and
// behind that the value of the lane that the value names, or 0 for one that does not take part.
const laneOps = `
	activemask.b32 %r10;
	cvt.u32.u64 %r11, %rd5;
	and.b32 %r11, %r11, 1;
	setp.eq.u32 %p1, %r11, 1;
	vote.sync.ballot.b32 %r12, %p1, %r10;
	vote.sync.all.pred %p2, %p1, %r10;
	vote.sync.any.pred %p3, %p1, %r10;
	match.any.sync.b64 %r13, %rd5, %r10;
	selp.b32 %r14, 1, 0, %p2;
	selp.b32 %r15, 2, 0, %p3;
	or.b32 %r14, %r14, %r15;
	st.global.v4.u32 [%rd6], {%r10, %r12, %r13, %r14};
	bar.warp.sync %r10;
	membar.gl;
	cvt.u32.u64 %r11, %rd5;
	add.u32 %r12, %r11, %r1;
	shfl.sync.idx.b32 %r11, %r12, %r11, 31, %r10;
	mad.wide.u32 %rd7, %r1, 4, %base;
	st.global.u32 [%rd7+1024], %r11;
`

// TestLaneOps compares operations among lanes with what the manual says of them, for
// all and for some of the lanes, in assembly and in Go.
func TestLaneOps(t *testing.T) {
	values := map[string]func(r *rand.Rand, i int) uint64{
		"ascending":  func(_ *rand.Rand, i int) uint64 { return 0x1000_0000_0000 + 4*uint64(i) },
		"descending": func(_ *rand.Rand, i int) uint64 { return 1<<63 + 1000 - uint64(i) },
		"the same":   func(*rand.Rand, int) uint64 { return 7 },
		"two":        func(_ *rand.Rand, i int) uint64 { return 0x1000_0000_0000 + uint64(i%2) },
		"odd":        func(_ *rand.Rand, i int) uint64 { return 2*uint64(i/4) + 1 },
		"few":        func(r *rand.Rand, _ int) uint64 { return r.Uint64N(4) << 31 },
		"many":       func(r *rand.Rand, _ int) uint64 { return r.Uint64N(64) },
	}
	text := ".global .align 16 .b8 in[256];\n" + kernel(`
	mov.u64 %rd1, in;
	mad.wide.u32 %rd2, %r1, 8, %rd1;
	ld.global.u64 %rd5, [%rd2];
	mad.wide.u32 %rd6, %r1, 16, %base;
	ld.global.u32 %r5, [%base+512];
	shr.u32 %r6, %r5, %r1; and.b32 %r6, %r6, 1; setp.eq.u32 %p4, %r6, 1;
	@%p4 bra SET;
	`+laneOps+` bra.uni OUT; SET: `+laneOps+` OUT: ret;`)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		r := rand.New(rand.NewPCG(1, 2))
		var in [32]uint64
		for i := range in {
			in[i] = values[name](r, i)
		}
		for _, set := range []uint32{0, ^uint32(0), 1, 0xffff, 0x8000_0001, 0x5555_5555, r.Uint32(), r.Uint32() & r.Uint32()} {
			want := laneOpsOf(in, set)
			for _, cfg := range []emu.Config{{}, {NoVector: true}, {Listener: &emu.NopListener{}}} {
				m := load(t, text, cfg)
				addr, _, _ := m.Symbol("in")
				if err := m.Write(addr, args(in[:]...)); err != nil {
					t.Fatal(err)
				}
				out := alloc(t, m, "out", 288)
				if err := m.Write(out+512, args(uint64(set))[:4]); err != nil {
					t.Fatal(err)
				}
				clean(t, launch(t, m, 1, 32, out))
				all := words(t, m, out, 288)
				if got := append(all[:128:128], all[256:]...); !slices.Equal(got, want) {
					t.Fatalf("%s, lanes %#x, NoVector %v: got\n%s\nwant\n%s", name, set, cfg.NoVector, quads(got), quads(want))
				}
			}
		}
	}
}

// laneOpsOf is what laneOps stores when the lanes of set and the others execute it apart.
func laneOpsOf(in [32]uint64, set uint32) []uint32 {
	var out, shuffled []uint32
	for i := range in {
		members := set
		if set>>i&1 == 0 {
			members = ^set
		}
		var odd, same uint32
		for j := range in {
			if members>>j&1 != 0 {
				odd |= uint32(in[j]&1) << j
				if in[j] == in[i] {
					same |= 1 << j
				}
			}
		}
		verdicts := uint32(0)
		if odd == members {
			verdicts |= 1
		}
		if odd != 0 {
			verdicts |= 2
		}
		out = append(out, members, odd, same, verdicts)
		from := int(in[i] & 31)
		if members>>from&1 == 0 {
			shuffled = append(shuffled, 0)
			continue
		}
		shuffled = append(shuffled, uint32(in[from])+uint32(from))
	}
	return append(out, shuffled...)
}

// quads prints four words to a line.
func quads(w []uint32) string {
	var b strings.Builder
	for q := range slices.Chunk(w, 4) {
		fmt.Fprintf(&b, "%#x\n", q)
	}
	return b.String()
}

// TestExchangeRow: atom.exch of consecutive words, of the same word, and of words apart,
// by all lanes and by some.
func TestExchangeRow(t *testing.T) {
	for name, index := range map[string]func(i uint32) uint32{
		"row":     func(i uint32) uint32 { return i + 3 },
		"one":     func(uint32) uint32 { return 5 },
		"apart":   func(i uint32) uint32 { return i * 7 % 32 },
		"halfway": func(i uint32) uint32 { return i % 16 },
	} {
		for _, set := range []uint32{^uint32(0), 0xf0f0_0ff0, 4} {
			for _, bits := range []uint32{32, 64} {
				text := kernel(fmt.Sprintf(`
				shl.b32 %%r5, %%r1, 2; cvt.u64.u32 %%rd1, %%r5; add.u64 %%rd1, %%rd1, %%base;
				ld.global.u32 %%r6, [%%rd1];
				mad.wide.u32 %%rd2, %%r6, %d, %%base;
				mov.u32 %%r8, %#x; shr.u32 %%r8, %%r8, %%r1; and.b32 %%r8, %%r8, 1; setp.eq.u32 %%p1, %%r8, 1;
				add.u32 %%r7, %%r1, 100; cvt.u64.u32 %%rd3, %%r7;
				@%%p1 atom.global.exch.b%d %%%s, [%%rd2+128], %%%s;
				cvt.u32.u64 %%r9, %%rd4;
				st.global.u32 [%%rd1], %%r9; ret;`, bits/8, set, bits, map[uint32]string{32: "r9", 64: "rd4"}[bits], map[uint32]string{32: "r7", 64: "rd3"}[bits]))
				if bits == 32 {
					text = strings.Replace(text, "cvt.u32.u64 %r9, %rd4;", "", 1)
				}
				var want []uint32
				for k, cfg := range []emu.Config{{NoVector: true}, {}} {
					m := load(t, text, cfg)
					out := alloc(t, m, "out", 128)
					var first []byte
					for i := range uint32(128) {
						v := 1000 + i
						if i < 32 {
							v = index(i)
						}
						first = append(first, args(uint64(v))[:4]...)
					}
					if err := m.Write(out, first); err != nil {
						t.Fatal(err)
					}
					for range 2 { // the second time, sites are known
						if err := m.Write(out, first); err != nil {
							t.Fatal(err)
						}
						clean(t, launch(t, m, 1, 32, out))
					}
					if got := words(t, m, out, 128); k == 0 {
						want = got
					} else if !slices.Equal(got, want) {
						t.Errorf("%s, lanes %#x, %d bits: got %d, want %d", name, set, bits, got, want)
					}
				}
			}
		}
	}
}

// TestAtomicsOfOneWord: lanes that compare and swap one word, or add to scattered words without using the old values,
// leave the same memory in assembly and in Go, whichever lanes do so and whether or not their operands are equal.
func TestAtomicsOfOneWord(t *testing.T) {
	const text = `.entry k(.param .u64 out) {
	.reg .b64 %d<5>; .reg .b32 %r<12>; .reg .pred %p<2>;
	ld.param.u64 %d1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.u64 %d2, %d2, %d1;
	mov.u32 %r2, 77; mov.u32 %r3, 78;
	FILL
	@%p1 atom.global.cas.b32 %r2, [%d1+1024], %r4, %r5;
	@%p1 atom.global.cas.b32 %r3, [%d1+1024], 5, %r6;
	@%p1 atom.global.add.u32 %r9, [%d3+1028], %r7;
	@%p1 red.global.add.u32 [%d3+1028], 3;
	st.global.u32 [%d2], %r2; st.global.u32 [%d2+128], %r3;
	ret;
}`
	for _, lanes := range []string{"0xffffffff", "0xffff", "0x80000001", "0x12340000", "0x7ffffffe", "4"} {
		for _, operands := range [][3]string{{"0", "5", "9"}, {"0", "0", "0"}, {"1", "5", "5"}, {"%r1", "5", "9"}, {"0", "%r1", "9"}, {"0", "5", "%r1"}, {"5", "5", "6"}} {
			fill := "mov.u32 %r8, " + lanes + "; shr.u32 %r8, %r8, %r1; and.b32 %r8, %r8, 1; setp.ne.u32 %p1, %r8, 0; mul.lo.u32 %r10, %r1, 7; and.b32 %r10, %r10, 15; mul.wide.u32 %d3, %r10, 4; add.u64 %d3, %d3, %d1; and.b32 %r7, %r1, 3;"
			for i, v := range operands {
				fill += fmt.Sprintf(" mov.u32 %%r%d, %s;", 4+i, v)
			}
			kernel := strings.Replace(text, "FILL", fill, 1)
			got, want := run(t, kernel, emu.Config{}, 1, 32, 300), run(t, kernel, emu.Config{NoVector: true}, 1, 32, 300)
			if !slices.Equal(got, want) {
				t.Errorf("lanes %s, operands %v:\n%v\nin Go\n%v", lanes, operands, got, want)
			}
		}
	}
}

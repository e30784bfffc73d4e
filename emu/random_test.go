package emu_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// A random program is a graph of blocks. Every block mixes its number into the thread's value, and continues with one
// of two blocks depending on a bit of the value, calls a function, or ends. The result of a thread does not depend on
// the schedule, and a few lines of Go compute it. The right result under every policy requires correct frames, joins,
// merges and splits for any control flow, reducible or not.
type randomProgram struct {
	funcs [][]randomBlock
}

type randomBlock struct {
	kind          int // what the block ends in
	a, b, shift   int // targets
	callee        int
	guardedReturn bool
}

const (
	endBranch = iota
	endCall
	endReturn
	endIndexed
)

func newRandomProgram(r *rand.Rand) *randomProgram {
	p := &randomProgram{}
	for range 1 + r.IntN(3) {
		n := 2 + r.IntN(8)
		var blocks []randomBlock
		for range n {
			b := randomBlock{a: r.IntN(n), b: r.IntN(n), shift: r.IntN(20), callee: r.IntN(3)}
			switch k := r.IntN(10); {
			case k < 6:
				b.kind = endBranch
			case k < 8:
				b.kind = endCall
			case k < 9:
				b.kind = endIndexed
			default:
				b.kind = endReturn
			}
			b.guardedReturn = r.IntN(8) == 0
			blocks = append(blocks, b)
		}
		p.funcs = append(p.funcs, blocks)
	}
	return p
}

const (
	randomFuel  = 60
	randomDepth = 4
)

// eval computes what a thread computes.
func (p *randomProgram) eval(fn, depth int, v, fuel uint32) (uint32, uint32) {
	blocks := p.funcs[fn]
	for at := 0; ; {
		b := &blocks[at]
		v = v*1664525 + uint32(at*7+fn)
		if fuel == 0 {
			return v, 0
		}
		fuel--
		bit := v >> (b.shift + 8) & 1
		if b.guardedReturn && v>>5&7 == 3 {
			return v, fuel
		}
		switch b.kind {
		case endCall:
			if c := b.callee % len(p.funcs); depth < randomDepth {
				v, fuel = p.eval(c, depth+1, v, fuel)
			}
			at = b.a
		case endReturn:
			return v, fuel
		default:
			at = []int{b.a, b.b}[bit]
		}
	}
}

// ptx is the program's text.
func (p *randomProgram) ptx() string {
	var s strings.Builder
	for f := range p.funcs {
		fmt.Fprintf(&s, ".func (.param .b64 r) f%d(.param .b32 v, .param .b32 fuel, .param .b32 depth);\n", f)
	}
	for f, blocks := range p.funcs {
		fmt.Fprintf(&s, `.func (.param .b64 r) f%d(.param .b32 v, .param .b32 fuel, .param .b32 depth) {
	.reg .b32 %%v, %%fuel, %%depth, %%t, %%d1; .reg .b64 %%w; .reg .pred %%p, %%q;
	ld.param.u32 %%v, [v]; ld.param.u32 %%fuel, [fuel]; ld.param.u32 %%depth, [depth]; add.u32 %%d1, %%depth, 1;
`, f)
		for i, b := range blocks {
			fmt.Fprintf(&s, "B%d:	mad.lo.u32 %%v, %%v, 1664525, %d;\n", i, i*7+f)
			s.WriteString("	setp.eq.u32 %p, %fuel, 0; @%p bra END;\n	sub.u32 %fuel, %fuel, 1;\n")
			fmt.Fprintf(&s, "	shr.u32 %%t, %%v, %d; and.b32 %%t, %%t, 1; setp.ne.u32 %%p, %%t, 0;\n", b.shift+8)
			if b.guardedReturn {
				s.WriteString("	{ .reg .b32 %u; shr.u32 %u, %v, 5; and.b32 %u, %u, 7; setp.eq.u32 %q, %u, 3; mov.b64 %w, {%v, %fuel}; @%q st.param.b64 [r], %w; @%q ret; }\n")
			}
			switch b.kind {
			case endBranch:
				fmt.Fprintf(&s, "	@%%p bra B%d;\n	bra B%d;\n", b.b, b.a)
			case endIndexed:
				fmt.Fprintf(&s, "T%d:	.branchtargets B%d, B%d;\n	brx.idx %%t, T%d;\n", i, b.a, b.b, i)
			case endReturn:
				s.WriteString("	bra END;\n")
			case endCall:
				fmt.Fprintf(&s, `	setp.lt.u32 %%q, %%depth, %d;
	{ .param .b32 a; .param .b32 b; .param .b32 c; .param .b64 o;
	st.param.b32 [a], %%v; st.param.b32 [b], %%fuel; st.param.b32 [c], %%d1;
	@%%q call (o), f%d, (a, b, c);
	@%%q ld.param.b64 %%w, [o]; }
	@%%q mov.b64 {%%v, %%fuel}, %%w;
	bra B%d;
`, randomDepth, b.callee%len(p.funcs), b.a)
			}
		}
		s.WriteString("END:	mov.b64 %w, {%v, %fuel}; st.param.b64 [r], %w; ret;\n}\n")
	}
	fmt.Fprintf(&s, "%s", kernel(fmt.Sprintf(`{ .param .b32 a; .param .b32 b; .param .b32 c; .param .b64 o;
	st.param.b32 [a], %%r4; st.param.b32 [b], %d; st.param.b32 [c], 0;
	call (o), f0, (a, b, c);
	ld.param.b32 %%r5, [o]; }
	redux.sync.add.u32 %%r6, %%r5, -1;
	st.global.u32 [%%out], %%r5; ret;`, randomFuel)))
	return s.String()
}

// TestRandomPrograms compares random programs with their meaning.
func TestRandomPrograms(t *testing.T) {
	n := uint64(60)
	if testing.Short() {
		n = 15
	}
	for seed := range n {
		p := newRandomProgram(rand.New(rand.NewPCG(seed, 0)))
		text := p.ptx()
		for _, cfg := range []emu.Config{{}, {Policy: emu.Lockstep}, {Policy: emu.Random, Seed: seed}, {Policy: emu.PCT, Seed: seed, Length: 200}} {
			for i, v := range run(t, text, cfg, 1, 64, 64) {
				if want, _ := p.eval(0, 0, uint32(i), randomFuel); v != want {
					t.Fatalf("seed %d policy %d thread %d: got %d, want %d\n%s", seed, cfg.Policy, i, v, want, text)
				}
			}
		}
	}
}

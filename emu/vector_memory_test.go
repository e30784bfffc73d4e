package emu_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// Programs of random memory accesses, by one warp: consecutive and equal addresses,
// such of single lanes aside, random ones, of all lanes or some, in two allocations
// and every state space, and with a small chance outside or misaligned.

const (
	patterns     = 6    // of addresses that a program uses
	patternBytes = 1024 // within which they are
	patternTail  = 32   // bytes after, so that vectors fit
)

// patternSizes are the sizes of the elements that patterns are of.
var patternSizes = [patterns]uint64{1, 2, 4, 4, 8, 16}

// pattern is an offset for each lane, of elements of size bytes.
func pattern(r *rand.Rand, size uint64) [32]uint64 {
	var p [32]uint64
	base := size * r.Uint64N(patternBytes/2/size)
	half := size * r.Uint64N(patternBytes/2/size)
	kind := r.IntN(5)
	if size >= 4 && r.IntN(4) == 0 { // about the end of the memory
		kind, base = 0, patternBytes+patternTail-size*uint64([]int{32, 16, 31, 20}[r.IntN(4)])
	}
	for i := range p {
		switch l := uint64(i); kind {
		case 0:
			p[i] = base + l*size
		case 1:
			p[i] = base
		case 2:
			p[i] = base + l%16*size + l/16*half
		case 3:
			p[i] = base + l/16*half
		default:
			p[i] = size * r.Uint64N(patternBytes/size)
		}
	}
	switch r.IntN(60) {
	case 0, 1, 2, 3, 4, 5, 6, 7, 8:
		p[r.IntN(32)] = r.Uint64N(patternBytes/16) * 16
	case 9:
		p[r.IntN(32)] = r.Uint64N(2 * patternBytes)
	case 10:
		p[r.IntN(32)] = uint64(1) << (10 + r.IntN(54))
	}
	return p
}

// memoryOps are instructions with %a for the address and the letters of registers as
// in random programs; ? is a digit.
var memoryOps = strings.Split(`ld.S.b32 %r?, %a
ld.S.b64 %d?, %a
ld.S.u8 %r?, %a
ld.S.s8 %r?, %a
ld.S.u16 %r?, %a
ld.S.s16 %r?, %a
ld.S.s32 %d?, %a
ld.S.u32 %d?, %a
ld.S.s16 %d?, %a
ld.S.u8 %d?, %a
ld.S.b16 %h?, %a
ld.S.s8 %h?, %a
ld.S.v2.b32 {%r0, %r1}, %a
ld.S.v4.b32 {%r0, %r1, %r2, %r3}, %a
ld.S.v2.b64 {%d2, %d1}, %a
ld.S.v2.u8 {%h0, %r1}, %a
ld.S.v4.b8 {%h0, %h1, %h2, %h3}, %a
ld.S.v4.s8 {%r0, %r1, %h2, %h3}, %a
ld.S.v2.u16 {%h3, %h1}, %a
ld.S.v2.s16 {%h3, %h1}, %a
ld.S.v4.u16 {%r3, %h2, %r1, %h0}, %a
st.S.b32 %a, %r?
st.S.b32 %a, %r?
st.S.b64 %a, %d?
st.S.b64 %a, %d?
st.S.b8 %a, %r?
st.S.b16 %a, %h?
st.S.b32 %a, %d?
st.S.b8 %a, %d?
st.S.v2.b32 %a, {%r?, %r?}
st.S.v4.b32 %a, {%r?, %r?, %r?, %r?}
st.S.v2.b64 %a, {%d?, %d?}
st.S.v2.b8 %a, {%r?, %h?}
st.S.v4.u8 %a, {%h?, %h?, %r?, %h?}
st.S.v2.u16 %a, {%h?, %r?}
st.S.v4.b16 %a, {%h?, %h?, %h?, %h?}
atom.S.add.u32 %r?, %a, %r?
atom.S.add.u64 %d?, %a, %d?
atom.S.exch.b32 %r?, %a, %r?
atom.S.cas.b32 %r?, %a, %r?, %r?
atom.S.cas.b64 %d?, %a, %d?, %d?
atom.S.min.s32 %r?, %a, %r?
atom.S.max.u64 %d?, %a, %d?
atom.S.min.u32 %r?, %a, %r?
atom.S.max.s64 %d?, %a, %d?
red.S.and.b32 %a, %r?
red.S.or.b64 %a, %d?
red.S.xor.b32 %a, %r?
red.S.add.u32 %a, %r?`, "\n")

// memoryProgram is a random program.
func memoryProgram(r *rand.Rand) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s.entry k(.param .u64 in, .param .u64 out, .param .u64 x, .param .u64 y) {\n%s", header, randomDecls)
	fmt.Fprintf(&s, `	.reg .b64 %%a<%d>, %%x, %%y, %%sh, %%lo, %%gen, %%c;
	.shared .align 16 .b8 sh[%[2]d]; .local .align 16 .b8 lo[%[2]d];
	ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out]; ld.param.u64 %%x, [x]; ld.param.u64 %%y, [y];
	mov.u64 %%sh, sh; mov.u64 %%lo, lo; cvta.shared.u64 %%gen, %%sh;
	mov.u32 %%t, %%laneid; mul.wide.u32 %%w, %%t, 8; add.u64 %%in, %%in, %%w;
`, patterns, patternBytes+patternTail)
	row := 0
	next := func() int { row++; return (row - 1) * 256 }
	for i := range patterns {
		fmt.Fprintf(&s, "	ld.global.b64 %%a%d, [%%in+%d];\n", i, next())
	}
	for i := range randomRegs {
		fmt.Fprintf(&s, "	ld.global.b64 %%d%d, [%%in+%d];\n	cvt.u32.u64 %%r%[1]d, %%d%[1]d; cvt.u16.u64 %%h%[1]d, %%d%[1]d; shr.u64 %%c, %%d%[1]d, 40; cvt.u32.u64 %%u, %%c; and.b32 %%u, %%u, 1; setp.ne.u32 %%p%[1]d, %%u, 0;\n", i, next())
	}
	s.WriteString("	.reg .b32 %turn; .reg .pred %more; mov.u32 %turn, 0;\nTURN:\n")
	for range 25 {
		s.WriteString(memoryLine(r))
		if r.IntN(8) == 0 {
			fmt.Fprintf(&s, "	@%%p%d fence.acq_rel.gpu;\n", r.IntN(randomRegs))
		}
	}
	if r.IntN(12) == 0 { // other addresses in the next turn, of which some are not aligned
		fmt.Fprintf(&s, "	mov.b64 %%c, %%a%d;\n", patterns-1)
		for i := patterns - 1; i > 0; i-- {
			fmt.Fprintf(&s, "	mov.b64 %%a%d, %%a%d;\n", i, i-1)
		}
		s.WriteString("	mov.b64 %a0, %c;\n")
	}
	fmt.Fprintf(&s, "	add.u32 %%turn, %%turn, 1; setp.lt.u32 %%more, %%turn, %d; @%%more bra TURN;\n", 1+r.IntN(3))
	s.WriteString("	add.u64 %out, %out, %w;\n")
	row = 0
	for i := range randomRegs {
		fmt.Fprintf(&s, "	st.global.b64 [%%out+%d], %%d%d; cvt.u64.u32 %%c, %%r%[2]d; st.global.b64 [%%out+%d], %%c; cvt.u64.u16 %%c, %%h%[2]d; st.global.b64 [%%out+%d], %%c;\n", next(), i, next(), next())
	}
	for i := 0; i < patternBytes; i += 256 {
		fmt.Fprintf(&s, "	add.u64 %%c, %%sh, %%w; ld.shared.b64 %%d0, [%%c+%d]; st.global.b64 [%%out+%d], %%d0;\n", i, next())
		fmt.Fprintf(&s, "	ld.local.b64 %%d0, [lo+%d]; st.global.b64 [%%out+%d], %%d0;\n", i/32*8, next())
	}
	s.WriteString("	ret;\n}\n")
	return s.String()
}

// memoryRows bounds the rows of 256 bytes of input and output.
const memoryRows = 40

func memoryLine(r *rand.Rand) string {
	space, base := "global", []string{"%x", "%y"}[r.IntN(2)]
	switch r.IntN(8) {
	case 0, 1:
		space, base = "shared", "%sh"
	case 2:
		space, base = "local", "%lo"
	case 3:
		space, base = "", []string{"%x", "%gen"}[r.IntN(2)]
	}
	op := memoryOps[r.IntN(len(memoryOps))]
	for space == "local" && !strings.HasPrefix(op, "ld") && !strings.HasPrefix(op, "st") {
		op = memoryOps[r.IntN(len(memoryOps))]
	}
	op = strings.Replace(op, ".S", strings.TrimSuffix("."+space, "."), 1)
	op = strings.Replace(op, "%a", "[%c]", 1)
	for strings.Contains(op, "?") {
		op = strings.Replace(op, "?", fmt.Sprint(r.IntN(randomRegs)), 1)
	}
	guard := []string{"", "", fmt.Sprintf("@%%p%d ", r.IntN(randomRegs)), fmt.Sprintf("@!%%p%d ", r.IntN(randomRegs))}[r.IntN(4)]
	p := r.IntN(patterns)
	for patternSizes[p] < opSize(op) && r.IntN(500) > 0 {
		p = r.IntN(patterns)
	}
	return fmt.Sprintf("	add.u64 %%c, %s, %%a%d; %s%s;\n", base, p, guard, op)
}

// opSize is the number of bytes that an instruction accesses.
func opSize(op string) uint64 {
	name, _, _ := strings.Cut(op, " ")
	n := uint64(1)
	for part := range strings.SplitSeq(name, ".") {
		switch part {
		case "v2":
			n *= 2
		case "v4":
			n *= 4
		case "b16", "u16", "s16":
			n *= 2
		case "b32", "u32", "s32":
			n *= 4
		case "b64", "u64", "s64":
			n *= 8
		}
	}
	return n
}

// memoryOutcome is everything that a run leaves.
type memoryOutcome struct {
	memory []byte
	stats  emu.Stats
	faults string
}

func runMemory(t *testing.T, text string, cfg emu.Config, input []byte) memoryOutcome {
	t.Helper()
	m := load(t, strings.TrimPrefix(text, header), cfg)
	var addr [4]uint64
	sizes := []int{len(input), 256 * memoryRows, patternBytes + patternTail, patternBytes + patternTail}
	for i, size := range sizes {
		var err error
		if addr[i], err = m.Alloc(fmt.Sprint(i), uint64(size)); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Write(addr[0], input); err != nil {
		t.Fatal(err)
	}
	r, err := m.Launch(context.Background(), emu.LaunchConfig{Kernel: "k", Grid: dim(1), Block: dim(32), Params: args(addr[:]...)})
	if err != nil {
		t.Fatal(err)
	}
	o := memoryOutcome{stats: r.Stats}
	for _, f := range r.Faults {
		o.faults += fmt.Sprintf("%v (%d)\n", f, f.Count)
	}
	for i, size := range sizes[1:] {
		b := make([]byte, size)
		if err := m.Read(addr[i+1], b); err != nil {
			t.Fatal(err)
		}
		o.memory = append(o.memory, b...)
	}
	return o
}

// memoryInput is the input of a random program.
func memoryInput(r *rand.Rand) (input []byte) {
	for _, size := range patternSizes {
		for _, off := range pattern(r, size) {
			input = binary.LittleEndian.AppendUint64(input, off)
		}
	}
	for range randomRegs * 32 {
		input = binary.LittleEndian.AppendUint64(input, r.Uint64())
	}
	return input
}

// TestVectorMemory: memory accesses leave the same memory, registers and faults in
// assembly and in Go.
func TestVectorMemory(t *testing.T) {
	n := *vectorPrograms * 3
	if testing.Short() {
		n = 100
	}
	faults := 0
	for seed := range n {
		r := rand.New(rand.NewPCG(seed, 13))
		input := memoryInput(r)
		text := memoryProgram(r)
		cfg := emu.Config{MaxFaults: []int{1, 50}[r.IntN(2)]}
		got := runMemory(t, text, cfg, input)
		cfg.NoVector = true
		want := runMemory(t, text, cfg, input)
		if got.stats != want.stats || got.faults != want.faults || !bytes.Equal(got.memory, want.memory) {
			t.Fatalf("seed %d: differs at byte %d; %+v in assembly, %+v in Go\n%s\n%s\n%s", seed, firstDifference(got.memory, want.memory),
				got.stats, want.stats, got.faults, want.faults, text)
		}
		if want.faults != "" {
			faults++
		}
	}
	if share := float64(faults) / float64(n); share < 0.05 || share > 0.7 {
		t.Errorf("%.0f %% of the programs fault", 100*share)
	}
}

// TestVectorProgress: a loop that stores what is there already, by some of the lanes,
// consecutively or not, or all, makes no progress; one that changes a byte does.
func TestVectorProgress(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"row", "mov.b32 %r5, 0;\nL: @%p1 st.global.u32 [%out], %r5; bra L;", "livelock"},
		{"word", "mov.b32 %r5, 0;\nL: @%p1 st.global.u32 [%base], %r5; bra L;", "livelock"},
		{"atomic", "mov.b32 %r5, 0;\nL: @%p1 red.global.or.b32 [%base], %r5; bra L;", "livelock"},
		{"changes", "mov.b32 %r5, 0;\nL: @%p1 st.global.u32 [%out], %r5; not.b32 %r5, %r5; bra L;", "timeout"},
		{"all lanes change", "mov.b32 %r5, 0;\nL: st.global.u32 [%rd1], %r5; not.b32 %r5, %r5; bra L;", "timeout"},
		{"pairs", "mov.b32 %r5, 0;\nL: st.global.v2.u32 [%rd2], {%r5, %r5}; bra L;", "livelock"},
		{"pairs change", "mov.b32 %r5, 0;\nL: st.global.v2.u32 [%rd2], {%r5, %r5}; not.b32 %r5, %r5; bra L;", "timeout"},
		{"quadruples", "mov.b32 %r5, 0;\nL: st.global.v4.u32 [%rd2], {%r5, %r5, %r5, %r5}; bra L;", "livelock"},
		{"quadruples change", "mov.b32 %r5, 0;\nL: st.global.v4.u32 [%rd2], {%r5, %r5, %r5, %r5}; not.b32 %r5, %r5; bra L;", "timeout"},
		{"all atomic", "L: red.global.or.b32 [%rd1], 1; bra L;", "livelock"},
		{"all atomic change", "L: red.global.xor.b32 [%rd1], 1; bra L;", "timeout"},
		{"all add nothing", "L: red.global.add.u32 [%rd1], 0; bra L;", "livelock"},
		{"all add", "L: red.global.add.u32 [%rd1], 1; bra L;", "timeout"},
		{"all swap nothing", "L: atom.global.cas.b32 %r5, [%base], 0, 0; bra L;", "livelock"},
		{"all swap", "L: atom.global.cas.b32 %r5, [%base], 0, 7; atom.global.cas.b32 %r5, [%base], 7, 0; bra L;", "timeout"},
		{"atomic row", "L: red.global.or.b32 [%out], 1; bra L;", "livelock"},
		{"atomic row changes", "L: red.global.xor.b32 [%out], 1; bra L;", "timeout"},
	} {
		for _, noVector := range []bool{false, true} {
			text := kernel("and.b32 %r6, %r1, 5; setp.eq.u32 %p1, %r6, 5; sub.u32 %r7, 31, %r1;" +
				"mul.wide.u32 %rd1, %r7, 4; add.u64 %rd1, %rd1, %base; mul.wide.u32 %rd2, %r7, 16; add.u64 %rd2, %rd2, %base;" + c.body)
			m := load(t, text, emu.Config{NoVector: noVector, MaxSteps: 100_000})
			r := launch(t, m, 1, 32, alloc(t, m, "out", 128))
			if len(r.Faults) != 1 || r.Faults[0].Class != c.want {
				t.Errorf("%s, in Go %v: %v, expected %s", c.name, noVector, r.Faults, c.want)
			}
		}
	}
}

const uniformModule = `.global .align 16 .b32 table[8] = {10, 11, 12, 13, 14, 15, 16, 17};
.entry k(.param .u64 out, .param .u32 lanes) {
	.reg .b64 %d<4>; .reg .b32 %r<10>; .reg .pred %p;
	ld.param.u64 %d1, [out]; ld.param.u32 %r1, [lanes]; mov.u32 %r2, %tid.x; mul.wide.u32 %d2, %r2, 4; add.u64 %d1, %d1, %d2;
	shr.u32 %r1, %r1, %r2; and.b32 %r1, %r1, 1; setp.ne.u32 %p, %r1, 0;
	mov.u32 %r3, 100; mov.u64 %d3, 1000; mov.u32 %r4, 1; mov.u32 %r5, 1; mov.u32 %r6, 1; mov.u32 %r7, 1;
	@%p ld.global.u32 %r3, [table+4];
	@%p ld.global.u64 %d3, [table+8];
	@%p ld.volatile.global.v4.u32 {%r4, %r5, %r6, %r7}, [table+16];
	cvt.u32.u64 %r8, %d3; shr.u64 %d3, %d3, 32; cvt.u32.u64 %r9, %d3; add.u32 %r8, %r8, %r9;
	add.u32 %r3, %r3, %r8; add.u32 %r3, %r3, %r4; mul.lo.u32 %r5, %r5, %r6; add.u32 %r3, %r3, %r5; add.u32 %r3, %r3, %r7;
	st.global.u32 [%d1], %r3; ret;
}
.entry beyond(.param .u64 out) { .reg .b32 %r; ld.global.u32 %r, [table+32]; ret; }
.entry misaligned(.param .u64 out) { .reg .b64 %d; ld.global.u64 %d, [table+4]; ret; }
`

// TestLoadsFromConstantAddresses: the lanes that execute a load from the address of a variable have its value,
// the others keep theirs, and what is outside or misaligned is a fault.
func TestLoadsFromConstantAddresses(t *testing.T) {
	for tier, plain := range tiers {
		m := load(t, uniformModule, emu.Config{NoVector: plain})
		out := alloc(t, m, "out", 32)
		for _, lanes := range []uint32{0, 1, 0x80, 0x100, 0x7fff0000, ^uint32(0)} {
			clean(t, launchOf(t, m, "k", 32, binary.LittleEndian.AppendUint32(args(out), lanes)))
			for i, got := range words(t, m, out, 32) {
				want := uint32(100 + 1000 + 1 + 1 + 1)
				if lanes>>i&1 != 0 {
					want = 11 + (12 + 13) + 14 + 15*16 + 17
				}
				if got != want {
					t.Errorf("%s, lanes %#x, lane %d: %d, expected %d", tier, lanes, i, got, want)
				}
			}
		}
		for kernel, class := range map[string]string{"beyond": "out-of-bounds", "misaligned": "misaligned"} {
			if r := launchOf(t, m, kernel, 1, args(out)); len(r.Faults) != 1 || r.Faults[0].Class != class {
				t.Errorf("%s, %s: %v, expected %s", tier, kernel, r.Faults, class)
			}
		}
	}
}

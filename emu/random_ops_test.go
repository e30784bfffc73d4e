package emu_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Programs of random instructions with structured control flow. Threads share
// nothing but sums, whose operations commute, and values that they exchange where
// all of them are: whatever the schedule, the memory at the end is the same.

// Shape of the launches and layout of memory. Each thread has a row of the input,
// of the output and of shared memory.
const (
	opsGrid, opsBlock = 2, 64
	opsThreads        = opsGrid * opsBlock
	opsInRow          = 16 * randomRegs
	opsOutRow         = 16 * randomRegs
	opsRow            = 32 // bytes of shared and of scratch memory
	opsSums           = 8  // shared by all, 4 bytes each
)

// opsWriter writes a program.
type opsWriter struct {
	strings.Builder
	r     *rand.Rand
	menu  *randomMenu
	depth int // of control flow
	label int
	mixed bool // perhaps not all threads are here
	funcs int  // that may be called
	pure  bool // only registers are touched: the body of a function
}

// randomOps is the text of a program.
func randomOps(r *rand.Rand, menu *randomMenu) string {
	w := &opsWriter{r: r, menu: menu}
	for range r.IntN(3) {
		w.function()
	}
	fmt.Fprintf(w, ".shared .align 16 .b8 tile[%d];\n.entry k(.param .u64 in, .param .u64 out, .param .u64 sums) {\n%s", opsBlock*opsRow, randomDecls)
	fmt.Fprintf(w, `	ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out]; ld.param.u64 %%sum, [sums];
	mov.u32 %%s, %%tid.x; mov.u32 %%t, %%ctaid.x; mad.lo.u32 %%t, %%t, %d, %%s;
	mul.wide.u32 %%w, %%t, %d; add.u64 %%in, %%in, %%w;
	mul.wide.u32 %%w, %%t, %d; add.u64 %%out, %%out, %%w;
	mov.u32 %%u, tile; mad.lo.u32 %%s, %%s, %d, %%u;
`, opsBlock, opsInRow, opsOutRow+opsRow, opsRow)
	for i := range randomRegs {
		fmt.Fprintf(w, "	ld.global.b64 %%d%[1]d, [%%in+%[2]d]; ld.global.b32 %%r%[1]d, [%%in+%[3]d]; ld.global.b16 %%h%[1]d, [%%in+%[4]d];\n	setp.lt.s16 %%p%[1]d, %%h%[1]d, 0;\n",
			i, 16*i, 16*i+8, 16*i+12)
	}
	w.statements(12 + r.IntN(12))
	for i := range randomRegs {
		fmt.Fprintf(w, "	selp.b16 %%h0, 1, %%h%[1]d, %%p%[1]d; st.global.b64 [%%out+%[2]d], %%d%[1]d; st.global.b32 [%%out+%[3]d], %%r%[1]d; st.global.b16 [%%out+%[4]d], %%h0;\n",
			i, 16*i, 16*i+8, 16*i+12)
	}
	w.WriteString("	ret;\n}\n")
	return w.String()
}

// function writes a function of registers, which may call those before it. Of some functions
// most registers have no value at first: the emulator makes that 0.
func (w *opsWriter) function() {
	fmt.Fprintf(w, ".func (.param .b64 ret) f%d(.param .b64 a, .param .b32 b) {\n%s\t.reg .b64 %%pa; .reg .b32 %%pb;\n", w.funcs, randomDecls)
	if w.r.IntN(3) == 0 {
		w.WriteString("\tld.param.b64 %d1, [a]; ld.param.b32 %r1, [b];\n")
	} else {
		w.WriteString("\tld.param.b64 %pa, [a]; ld.param.b32 %pb, [b];\n")
		for i := range randomRegs {
			fmt.Fprintf(w, "\tadd.u64 %%d%[1]d, %%pa, %[1]d; add.u32 %%r%[1]d, %%pb, %[1]d; cvt.u16.u32 %%h%[1]d, %%r%[1]d; setp.lt.s16 %%p%[1]d, %%h%[1]d, 0;\n", i)
		}
	}
	w.pure, w.mixed = true, true
	w.statements(3 + w.r.IntN(6))
	w.pure, w.mixed = false, false
	fmt.Fprintf(w, "\tst.param.b64 [ret], %%d%d;\n\tret;\n}\n", w.r.IntN(randomRegs))
	w.funcs++
}

// call calls a function, perhaps not with all threads; registers may be written while the
// arguments are stored.
func (w *opsWriter) call() {
	d, a, b := w.r.IntN(randomRegs), w.r.IntN(randomRegs), w.r.IntN(randomRegs)
	guard := [...]string{"", "@%p0 ", "@!%p1 "}[w.r.IntN(3)]
	fmt.Fprintf(w, "\t{ .param .b64 a; .param .b32 b; .param .b64 o; .reg .b64 %%x, %%z; add.u64 %%x, %%d%[1]d, 3; st.param.b64 [a], %%x; add.u64 %%z, %%d%[2]d, 5; xor.b64 %%d%[2]d, %%d%[2]d, %%z;\n", a, d)
	if guard != "" || w.r.IntN(2) == 0 {
		fmt.Fprintf(w, "\tst.param.b64 [o], %%d%d;\n", a)
	}
	for range w.r.IntN(3) {
		w.line(w.menu.inst(w.r))
	}
	fmt.Fprintf(w, "\tst.param.b32 [b], %%r%d; %scall (o), f%d, (a, b); ld.param.b64 %%d%d, [o]; }\n", b, guard, w.r.IntN(w.funcs), d)
}

// line writes an instruction, sometimes with a guard.
func (w *opsWriter) line(text string) {
	guard := ""
	if w.r.IntN(8) == 0 {
		guard = fmt.Sprintf("@%s%%p%d ", []string{"", "!"}[w.r.IntN(2)], w.r.IntN(randomRegs))
	}
	fmt.Fprintf(w, "\t%s%s\n", guard, text)
}

func (w *opsWriter) statements(n int) {
	for range n {
		switch k := w.r.IntN(20); {
		case k < 2 && w.depth < 3:
			w.branch()
		case k < 3 && w.depth < 3:
			w.loop()
		case k < 6 && !w.pure:
			w.memory()
		case k < 7 && !w.mixed:
			w.exchange()
		case k < 8 && w.funcs > 0:
			w.call()
		case k < 9:
			w.vector()
		default:
			w.line(w.menu.inst(w.r))
		}
	}
}

// branch is an if with an else that may be empty. The predicate is of the thread.
func (w *opsWriter) branch() {
	w.label++
	l, mixed := w.label, w.mixed
	w.mixed = true
	w.depth++
	fmt.Fprintf(w, "	@%%p%d bra ELSE%d;\n", w.r.IntN(randomRegs), l)
	w.statements(1 + w.r.IntN(4))
	fmt.Fprintf(w, "	bra END%d;\nELSE%[1]d:\n", l)
	w.statements(w.r.IntN(4))
	fmt.Fprintf(w, "END%d:\n", l)
	w.depth--
	w.mixed = mixed
}

// loop is executed up to four times, as often by every thread or not.
func (w *opsWriter) loop() {
	w.label++
	l, c, mixed := w.label, w.label%32, w.mixed
	w.depth++
	if w.r.IntN(2) == 0 {
		fmt.Fprintf(w, "	mov.u32 %%n%d, %d;\n", c, w.r.IntN(4))
	} else {
		w.mixed = true
		fmt.Fprintf(w, "	and.b32 %%n%d, %%r%d, 3;\n", c, w.r.IntN(randomRegs))
	}
	fmt.Fprintf(w, "LOOP%d:\n", l)
	w.statements(1 + w.r.IntN(4))
	fmt.Fprintf(w, "	setp.ne.u32 %%q%d, %%n%[1]d, 0; sub.u32 %%n%[1]d, %%n%[1]d, 1; @%%q%[1]d bra LOOP%d;\n", c, l)
	w.depth--
	w.mixed = mixed
}

// memory accesses the thread's own memory, or adds to what all share.
func (w *opsWriter) memory() {
	own, space := "[%s+", "shared"
	if w.r.IntN(2) == 0 {
		own, space = fmt.Sprintf("[%%out+%d+", opsOutRow), "global"
	}
	access := []struct {
		class, typ string
		size       int
	}{{"d", "b64", 8}, {"r", "b32", 4}, {"r", "u8", 1}, {"r", "s16", 2}, {"h", "s8", 1}, {"h", "b16", 2}}[w.r.IntN(6)]
	reg := fmt.Sprintf("%%%s%d", access.class, w.r.IntN(randomRegs))
	at := fmt.Sprintf("%s%d]", own, w.r.IntN(opsRow/access.size)*access.size)
	switch w.r.IntN(5) {
	case 0, 1:
		w.line(fmt.Sprintf("st.%s.%s %s, %s;", space, access.typ, at, reg))
	case 2:
		w.line(fmt.Sprintf("ld.%s.%s %s, %s;", space, access.typ, reg, at))
	case 3:
		i := w.r.IntN(randomRegs)
		w.line(fmt.Sprintf("atom.%s.add.u32 %%r%d, %s%d], %%r%d;", space, i, own, 4*w.r.IntN(opsRow/4), w.r.IntN(randomRegs)))
	default:
		// One operation for each sum: they commute with themselves only.
		i := w.r.IntN(opsSums)
		op := []string{"add.u32", "min.u32", "max.s32", "and.b32", "or.b32", "xor.b32", "inc.u32", "min.s32"}[i]
		b := fmt.Sprintf("%%r%d", w.r.IntN(randomRegs))
		if op == "inc.u32" {
			b = "0xffffffff"
		}
		w.line(fmt.Sprintf("red.global.%s [%%sum+%d], %s;", op, 4*i, b))
	}
}

// vector packs or unpacks registers, reads what is special about the thread, or
// accesses several elements of the thread's own memory.
func (w *opsWriter) vector() {
	n := func() int { return w.r.IntN(randomRegs) }
	off := opsOutRow + 16*w.r.IntN(opsRow/16)
	texts := []string{
		fmt.Sprintf("mov.b64 %%d%d, {%%r%d, %%r%d};", n(), n(), n()),
		fmt.Sprintf("mov.b64 {%%r%d, _}, %%d%d;", n(), n()),
		fmt.Sprintf("mov.b32 %%r%d, {%%h%d, %%h%d};", n(), n(), n()),
		fmt.Sprintf("mov.b32 {%%h0, %%h%d}, %%r%d;", 1+w.r.IntN(randomRegs-1), n()),
		fmt.Sprintf("mov.u32 %%r%d, %s;", n(), [...]string{"%laneid", "%tid.x", "%ctaid.x", "%ntid.x", "%lanemask_lt"}[w.r.IntN(5)]),
		fmt.Sprintf("st.global.v4.b32 [%%out+%d], {%%r%d, %%r%d, 7, %%r%d};", off, n(), n(), n()),
		fmt.Sprintf("st.v2.b64 [%%out+%d], {%%d%d, %%d%d};", off, n(), n()),
		fmt.Sprintf("ld.v2.u16 {%%r0, %%r%d}, [%%out+%d];", 1+w.r.IntN(randomRegs-1), off),
		fmt.Sprintf("ld.global.v2.b64 {%%d0, %%d%d}, [%%out+%d];", 1+w.r.IntN(randomRegs-1), off),
	}
	if w.pure {
		texts = texts[:5]
	}
	w.line(texts[w.r.IntN(len(texts))])
}

// exchange is a barrier, or an operation of all threads of a warp.
func (w *opsWriter) exchange() {
	d, a, p, q := w.r.IntN(randomRegs), w.r.IntN(randomRegs), w.r.IntN(randomRegs), w.r.IntN(randomRegs)
	text := [...]string{
		"bar.sync 0;",
		fmt.Sprintf("barrier.red.popc.u32 %%r%d, 1, %d, %%p%d;", d, opsBlock, p),
		"bar.warp.sync -1;",
		fmt.Sprintf("shfl.sync.bfly.b32 %%r%d|%%p%d, %%r%d, %d, 31, -1;", d, p, a, w.r.IntN(32)),
		fmt.Sprintf("shfl.sync.idx.b32 %%r%d, %%r%d, %%r%d, 31, -1;", d, a, p),
		fmt.Sprintf("vote.sync.ballot.b32 %%r%d, %%p%d, -1;", d, p),
		fmt.Sprintf("vote.sync.any.pred %%p%d, %%p%d, -1;", q, p),
		fmt.Sprintf("match.any.sync.b32 %%r%d, %%r%d, -1;", d, a),
		fmt.Sprintf("redux.sync.max.s32 %%r%d, %%r%d, -1;", d, a),
	}
	fmt.Fprintf(w, "\t%s\n", text[w.r.IntN(len(text))])
}

// opsInput is random bits, every other value an edge of some type.
func opsInput(r *rand.Rand) []byte {
	edges := []uint64{
		0, 1, math.MaxUint64, 1 << 63, 1<<63 - 1, 0x80000000, 0x7fffffff, 0x3f800000, 0x7f800000, 0xff800000, 0x7fc00001, 1<<23 - 1,
		math.Float64bits(1), math.Float64bits(math.Inf(1)), math.Float64bits(math.NaN()), 0x8000, 0x7c007c00, 0x3c00bc00, 0x7f80ff80,
	}
	var b []byte
	for range opsThreads * opsInRow / 8 {
		v := r.Uint64()
		if r.IntN(2) == 0 {
			v = edges[r.IntN(len(edges))]
		}
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

// runOps runs a program and returns output and sums.
func runOps(mod *rewrite.Module, cfg emu.Config, input []byte) ([]byte, emu.Stats, error) {
	cfg.MaxSteps = 1 << 20
	m, err := emu.New(mod, cfg)
	if err != nil {
		return nil, emu.Stats{}, err
	}
	var addr [3]uint64
	out := make([]byte, opsThreads*(opsOutRow+opsRow)+4*opsSums)
	for i, size := range []uint64{uint64(len(input)), uint64(len(out)) - 4*opsSums, 4 * opsSums} {
		if addr[i], err = m.Alloc(fmt.Sprint(i), size); err != nil {
			return nil, emu.Stats{}, err
		}
	}
	if err = m.Write(addr[0], input); err != nil {
		return nil, emu.Stats{}, err
	}
	r, err := m.Launch(context.Background(), emu.LaunchConfig{Kernel: "k", Grid: dim(opsGrid), Block: dim(opsBlock), Params: args(addr[:]...)})
	if err != nil {
		return nil, emu.Stats{}, err
	}
	for _, f := range r.Faults {
		return nil, r.Stats, fmt.Errorf("fault: %w", f)
	}
	sums := len(out) - 4*opsSums
	if err = m.Read(addr[1], out[:sums]); err == nil {
		err = m.Read(addr[2], out[sums:])
	}
	return out, r.Stats, err
}

// checkOps runs the program of a seed under every policy.
func checkOps(t *testing.T, seed uint64, menu *randomMenu) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 11))
	text := header + randomOps(r, menu)
	ast, err := ptxgrammar.Parse("random.ptx", []byte(text))
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, text)
	}
	mod, err := rewrite.Check(ast)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, text)
	}
	input := opsInput(r)
	want, _, err := runOps(mod, emu.Config{}, input)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, text)
	}
	cfgs := []emu.Config{{Resident: 1}, {Policy: emu.Random, Seed: seed + 1}}
	for _, p := range policies {
		cfgs = append(cfgs, emu.Config{Policy: p, Seed: seed})
	}
	for _, cfg := range cfgs {
		got, stats, err := runOps(mod, cfg, input)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("seed %d policy %d: %v, differs at byte %d\n%s", seed, cfg.Policy, err, firstDifference(got, want), text)
		}
		cfg.Listener = &stepCounter{}
		again, same, err := runOps(mod, cfg, input)
		if err != nil || same != stats || !bytes.Equal(again, got) {
			t.Fatalf("seed %d policy %d: the second run, with a listener, differs\n%s", seed, cfg.Policy, text)
		}
	}
}

func firstDifference(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// TestRandomOps: the same memory under every policy, whatever the instructions.
func TestRandomOps(t *testing.T) {
	n, opcodes := uint64(300), 75
	if testing.Short() {
		n, opcodes = 50, 50
	}
	menu := newRandomMenu()
	for seed := range n {
		checkOps(t, seed, menu)
	}
	if len(menu.used) < opcodes {
		t.Errorf("the programs used %d opcodes, expected at least %d", len(menu.used), opcodes)
	}
}

func FuzzRandomOps(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(seed)
	}
	menu := newRandomMenu()
	f.Fuzz(func(t *testing.T, seed uint64) { checkOps(t, seed, menu) })
}

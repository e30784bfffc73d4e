package hgrd_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/passes/hgrd"
	"github.com/ptxsan/ptxsan/passes/hgrd/expr"
	"github.com/ptxsan/ptxsan/passes/hgrd/facts"
	"github.com/ptxsan/ptxsan/rewrite/address/addressgen"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// number is a number from the environment.
func number(t *testing.T, name string, def uint64) uint64 {
	t.Helper()
	s := os.Getenv(name)
	if s == "" {
		return def
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestRandomKernels: no random kernel that the detector precise sees racing is proved free of
// races, and none is called racy that does not race. Their only order is that of barriers, so
// that precise sees a race in every execution or in none. N is the number, SEED the first.
func TestRandomKernels(t *testing.T) {
	n, first := number(t, "N", 60), number(t, "SEED", 1)
	counts := make(map[string]int)
	for seed := first; seed < first+n; seed++ {
		k := randomKernel(seed)
		check(t, seed, k, counts)
		if t.Failed() {
			return
		}
	}
	t.Log(counts)
	if n >= 50 && (counts["racy racy"] == 0 || counts["clean clean"] == 0) {
		t.Error("too little is decided to tell")
	}
}

// TestRandomAddresses is TestRandomKernels for kernels whose addresses are hard to see through.
func TestRandomAddresses(t *testing.T) {
	n, first := number(t, "N", 30), number(t, "SEED", 1)
	counts := make(map[string]int)
	for seed := first; seed < first+n; seed++ {
		p := addressgen.Make(seed)
		k := &random{text: p.PTX}
		for _, l := range p.Launches {
			launch := randomLaunch{kernel: l.Kernel, grid: l.Grid, block: l.Block}
			for _, b := range l.Buffers {
				launch.buffers = append(launch.buffers, b)
			}
			launch.numbers = []int64{int64(l.Zero), int64(l.N)}
			k.launches = append(k.launches, launch)
		}
		k.size = addressgen.BufferBytes
		check(t, seed, k, counts)
		if t.Failed() {
			return
		}
	}
	t.Log(counts)
}

// random is a random program: its kernels have pointers, then a 64-bit number if wide, then a
// 32-bit number.
type random struct {
	text     string
	size     int // of each buffer
	launches []randomLaunch
}

type randomLaunch struct {
	kernel      string
	grid, block uint32
	buffers     []int
	numbers     []int64
}

// check compares what is proved of a program with what it does.
func check(t *testing.T, seed uint64, k *random, counts map[string]int) {
	t.Helper()
	program, err := session.Parse("k.ptx", []byte(k.text))
	if err != nil {
		t.Fatal(err)
	}
	got := hgrd.Clean
	for _, l := range k.launches {
		r, err := hgrd.Analyze(context.Background(), program.Module.Func(l.kernel), l.given(k.size), hgrd.Options{Budget: 400_000})
		if err != nil {
			t.Fatal(err)
		}
		got = max(got, r.Verdict)
		for _, p := range r.Pairs {
			if p.Verdict == hgrd.Racy && os.Getenv("SHOW") != "" {
				t.Log(p.First.Inst.Text(), "|", p.Second.Inst.Text(), p.Kinds, p.Witness)
			}
		}
	}
	want, ok := k.run(t)
	if !ok {
		counts["stopped"]++
		return
	}
	counts[want+" "+got.String()]++
	if want == "racy" && got == hgrd.Clean || want == "clean" && got == hgrd.Racy {
		t.Errorf("seed %d: %s, and it is %s\n%s\n%+v", seed, got, want, k.text, k.launches)
	}
}

// given is all that there is to know of a launch, but what the buffers hold.
func (l *randomLaunch) given(size int) *facts.Given {
	g := &facts.Given{Site: "launch", Pointers: make(map[facts.Param]facts.Pointer)}
	define := func(v *expr.Int, k int64) {
		g.Facts = append(g.Facts, facts.Fact{Name: fmt.Sprint(v, " = ", k), Class: facts.Dims, Var: v.String(), Value: expr.Const(k), Formula: expr.Eq(v, expr.Const(k))})
	}
	for i, d := range []byte("xyz") {
		define(facts.Dim("ntid", d), []int64{int64(l.block), 1, 1}[i])
		define(facts.Dim("nctaid", d), []int64{int64(l.grid), 1, 1}[i])
	}
	for i, b := range l.buffers {
		g.Pointers[facts.Param{Index: i}] = facts.Pointer{Buffer: fmt.Sprint("b", b), Offset: expr.Const(0), Size: expr.Const(int64(size)), Bound: fmt.Sprint("in-bounds b", b)}
	}
	for i, k := range l.numbers {
		bits := 32
		if len(l.numbers) == 2 && i == 0 {
			bits = 64
		}
		define(facts.ParamVar(len(l.buffers)+i, 0, bits), k)
	}
	return g
}

// run runs the program under precise; false when it faults.
func (k *random) run(t *testing.T) (string, bool) {
	t.Helper()
	program, err := session.Parse("k.ptx", []byte(k.text))
	if err != nil {
		t.Fatal(err)
	}
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.Open(session.Options{Detectors: detectors})
	if err != nil {
		t.Fatal(err)
	}
	if err = s.Load(program); err != nil {
		t.Fatal(err)
	}
	objects := make(map[int]*session.Object)
	for _, l := range k.launches {
		var args []any
		for _, b := range l.buffers {
			if objects[b] == nil {
				if objects[b], err = session.Buffer(s, fmt.Sprint("b", b), make([]uint32, k.size/4)); err != nil {
					t.Fatal(err)
				}
			}
			args = append(args, objects[b])
		}
		for _, n := range l.numbers {
			args = append(args, n)
		}
		if _, err := s.Launch(context.Background(), session.Launch{Kernel: l.kernel, Grid: emu.Dim3{X: l.grid}, Block: emu.Dim3{X: l.block}, Args: args}); err != nil {
			return "", false
		}
	}
	r := s.Report()
	if len(r.Faults) > 0 {
		return "", false
	}
	if len(r.Races) > 0 {
		return "racy", true
	}
	return "clean", true
}

// maker writes a random kernel.
type maker struct {
	*rand.Rand
	text          strings.Builder
	r, rd, p, lab int
	depth         int
	uniform       bool // all threads of the block are here
	data          bool // an index may be loaded
}

func randomKernel(seed uint64) *random {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 0x68677264)), r: 10, uniform: true}
	m.data = m.IntN(6) == 0
	n := 2 + m.IntN(4)
	for range n {
		m.statement()
	}
	head := fmt.Sprintf(`.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n)
{
	.reg .pred %%p<%d>;
	.reg .b32 %%r<%d>;
	.reg .b64 %%rd<%d>;
	.shared .align 16 .b8 tile[4096];
	ld.param.u64 %%rd1, [p];
	ld.param.u64 %%rd2, [q];
	mov.u64 %%rd3, tile;
	ld.param.u32 %%r1, [n];
	mov.u32 %%r2, %%tid.x;
	mov.u32 %%r3, %%ctaid.x;
	mov.u32 %%r4, %%ntid.x;
	mad.lo.s32 %%r5, %%r3, %%r4, %%r2;
	mov.u32 %%r6, %%laneid;
	mov.u32 %%r7, %%nctaid.x;
`, m.p+1, m.r+1, m.rd+6)
	l := randomLaunch{kernel: "k", grid: 1 + m.Uint32N(3), block: []uint32{1, 4, 32, 33, 64}[m.IntN(5)], buffers: []int{0, 1}, numbers: []int64{m.Int64N(70)}}
	if m.IntN(10) == 0 {
		l.buffers[1] = 0
	}
	return &random{text: head + m.text.String() + "\tret;\n}\n", size: 1 << 16, launches: []randomLaunch{l}}
}

func (m *maker) emit(format string, args ...any) { fmt.Fprintf(&m.text, "\t"+format+";\n", args...) }

func (m *maker) reg() string  { m.r++; return fmt.Sprintf("%%r%d", m.r-1) }
func (m *maker) wide() string { m.rd++; return fmt.Sprintf("%%rd%d", m.rd+4) }
func (m *maker) pred() string { m.p++; return fmt.Sprintf("%%p%d", m.p) }
func (m *maker) label() string {
	m.lab++
	return fmt.Sprintf("L%d", m.lab)
}

func (m *maker) pick(s ...string) string { return s[m.IntN(len(s))] }

// statement writes accesses, barriers, branches and loops.
func (m *maker) statement() {
	switch k := m.IntN(12); {
	case k < 2 && m.uniform:
		m.emit("%s", m.pick("bar.sync 0", "bar.sync 0", "barrier.sync 1", "bar.warp.sync -1"))
	case k < 4 && m.depth < 2:
		m.branch()
	case k < 6 && m.depth < 2:
		m.loop()
	default:
		m.access()
	}
}

func (m *maker) branch() {
	p, end, was := m.condition(), m.label(), m.uniform
	m.emit("@%s bra %s", p, end)
	m.depth, m.uniform = m.depth+1, m.uniform && m.IntN(6) == 0
	m.statement()
	if m.IntN(3) == 0 {
		other := m.label()
		m.emit("bra %s", other)
		m.text.WriteString(end + ":\n")
		m.statement()
		end = other
	}
	m.depth, m.uniform = m.depth-1, was
	m.text.WriteString(end + ":\n")
}

// loop is a loop of few rounds, whose counter indices may use.
func (m *maker) loop() {
	i, p, top := m.reg(), m.pred(), m.label()
	start := m.pick("0", "1", "%r2", "%r1", "%r4")
	m.emit("mov.u32 %s, %s", i, start)
	m.text.WriteString(top + ":\n")
	was := m.uniform
	m.depth, m.uniform = m.depth+1, m.uniform && start != "%r2"
	for range 1 + m.IntN(2) {
		m.statement()
	}
	if m.IntN(2) == 0 {
		m.accessAt(i)
	}
	m.depth, m.uniform = m.depth-1, was
	switch m.IntN(3) {
	case 0:
		m.emit("add.s32 %s, %s, %s", i, i, m.pick("1", "2", "%r4"))
		m.emit("setp.lt.%s %s, %s, %s", m.pick("u32", "s32"), p, i, m.pick("3", "%r4", "70"))
	case 1:
		m.emit("add.s32 %s, %s, 1", i, i)
		m.emit("and.b32 %s, %s, 63", i, i)
		m.emit("setp.ne.s32 %s, %s, %s", p, i, m.pick("4", "0"))
	default:
		m.emit("shr.u32 %s, %s, 1", i, i)
		m.emit("setp.ne.u32 %s, %s, 0", p, i)
	}
	m.emit("@%s bra %s", p, top)
}

func (m *maker) condition() string {
	p := m.pred()
	m.emit("setp.%s.%s %s, %s, %s", m.pick("eq", "ne", "lt", "ge", "gt", "le"), m.pick("u32", "s32"), p, m.index(1), m.pick("0", "1", "5", "31", "32", "%r1", "%r4"))
	return p
}

// index is a random expression of the indices.
func (m *maker) index(depth int) string {
	if depth == 0 || m.IntN(4) == 0 {
		return m.pick("%r2", "%r2", "%r3", "%r5", "%r5", "%r6", "%r1", "%r4", "%r7")
	}
	d, a := m.reg(), m.index(depth-1)
	switch m.IntN(14) {
	case 0, 1, 2:
		m.emit("add.s32 %s, %s, %s", d, a, m.pick("1", "4", "-1", "31", m.index(depth-1)))
	case 3, 4:
		m.emit("mul.lo.s32 %s, %s, %s", d, a, m.pick("2", "3", "5", "%r4", "%r1"))
	case 5:
		m.emit("shl.b32 %s, %s, %d", d, a, m.IntN(6))
	case 6:
		m.emit("shr.%s %s, %s, %d", m.pick("u32", "s32"), d, a, m.IntN(6))
	case 7:
		m.emit("and.b32 %s, %s, %s", d, a, m.pick("31", "-2", "7", "24", "1"))
	case 8:
		m.emit("rem.%s %s, %s, %s", m.pick("u32", "s32"), d, a, m.pick("3", "8", "10", "%r4"))
	case 9:
		m.emit("div.%s %s, %s, %s", m.pick("u32", "s32"), d, a, m.pick("2", "3", "7", "%r4"))
	case 10:
		m.emit("xor.b32 %s, %s, %s", d, a, m.pick("1", "3", "16"))
	case 11:
		m.emit("sub.s32 %s, %s, %s", d, m.pick("%r4", "63", "%r1", "0"), a)
	case 12:
		m.emit("%s.%s %s, %s, %s", m.pick("min", "max"), m.pick("u32", "s32"), d, a, m.pick("3", "%r1", "20"))
	default:
		p := m.pred()
		m.emit("setp.lt.s32 %s, %s, %s", p, a, m.pick("4", "16", "%r1"))
		m.emit("selp.b32 %s, %s, %s, %s", d, a, m.index(depth-1), p)
	}
	return d
}

func (m *maker) access() { m.accessAt(m.index(2)) }

// accessAt accesses a buffer or the tile at an element.
func (m *maker) accessAt(index string) {
	shared := m.IntN(3) == 0
	if m.data && m.IntN(2) == 0 {
		d, at := m.reg(), m.wide()
		m.emit("and.b32 %s, %s, 63", d, index)
		m.emit("mad.wide.u32 %s, %s, 4, %%rd2", at, d)
		m.emit("ld.global.u32 %s, [%s]", d, at)
		index = d
	}
	if m.IntN(4) > 0 {
		d := m.reg()
		m.emit("and.b32 %s, %s, %s", d, index, m.pick("127", "255"))
		index = d
	}
	size := []int{4, 4, 4, 1, 8}[m.IntN(5)]
	at := m.wide()
	base := m.pick("%rd1", "%rd1", "%rd2")
	space := m.pick("global", "global", "")
	if shared {
		base, space = "%rd3", "shared"
	}
	m.emit("mad.wide.%s %s, %s, %d, %s", m.pick("u32", "s32"), at, index, size, base)
	guard := ""
	if m.IntN(3) == 0 {
		guard = "@" + m.pick("", "!") + m.condition() + " "
	}
	m.perform(guard, space, at, size)
}

func (m *maker) perform(guard, space, at string, size int) {
	dot := space
	if dot != "" {
		dot = "." + dot
	}
	t := map[int]string{1: ".u8", 4: ".u32", 8: ".v2.u32"}[size]
	value := "%r2"
	if size == 8 {
		value = "{%r2, %r3}"
	}
	switch k := m.IntN(8); {
	case k < 4:
		m.emit("%sst%s%s [%s], %s", guard, dot, t, at, value)
	case k < 7 || size != 4:
		d := m.reg()
		if size == 8 {
			d = "{" + d + ", " + m.reg() + "}"
		}
		m.emit("%sld%s%s %s, [%s]", guard, dot, t, d, at)
	default:
		m.emit("%sred%s%s.add.u32 [%s], 1", guard, m.pick("", ".cta"), dot, at)
	}
}

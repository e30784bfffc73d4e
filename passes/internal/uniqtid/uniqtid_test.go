package uniqtid_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/passes/internal/memtrace"
	"github.com/ptxsan/ptxsan/passes/internal/uniqtid"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

func TestGolden(t *testing.T) { passtest.Golden(t, uniqtid.Pass) }

// calls is a kernel with direct, nested, recursive and indirect calls. Each function
// runs once per thread, except leaf.
const calls = `.version 7.0
.target sm_70
.address_size 64

.func leaf(.param .b32 n)
{
	.reg .pred %p;
	.reg .b32 %r;
	ld.param.u32 %r, [n];
	setp.eq.u32 %p, %r, 0;
	@%p ret;
	sub.u32 %r, %r, 1;
	{
	.param .b32 a;
	st.param.b32 [a], %r;
	call leaf, (a);
	}
	ret;
}

.func nothing()
{
	ret;
}

.func (.param .b64 result) middle(.param .b32 n)
{
	.reg .b32 %r;
	ld.param.u32 %r, [n];
	{
	.param .b32 a;
	st.param.b32 [a], %r;
	call leaf, (a);
	}
	st.param.b64 [result], 0;
	ret;
}

.visible .entry kernel(.param .u64 out)
{
	.reg .b32 %r;
	.reg .b64 %rd<2>;
	call nothing;
	mov.u64 %rd0, middle;
	{
	.param .b32 a;
	.param .b64 b;
	st.param.b32 [a], 2;
	P: .callprototype (.param .b64 _) _ (.param .b32 _);
	call (b), %rd0, (a), P;
	ld.param.b64 %rd1, [b];
	}
	ret;
}
`

// places are the words that functions store to.
var places = map[string]int{"kernel": 0, "nothing": 1, "middle": 2, "leaf": 3}

// mark counts, in a table with four words per thread, who executes which function:
// it is a pass that uses the numbers.
func mark(t *testing.T, out *passes.Output) *rewrite.Module {
	t.Helper()
	regs := out.Results["uniqtid"].(*uniqtid.Result).Regs
	ed := rewrite.NewEditor(out.Module, "mark")
	ed.AddGlobal(".global .align 4 .b8 table[4608];")
	for _, f := range out.Module.Funcs {
		first := f.Insts[0]
		for !instrument.Own(first) {
			first = f.Insts[first.Index+1]
		}
		a := ed.FreshReg(f, isa.B64)
		ed.InsertBefore(first, fmt.Sprintf("mov.u64 %s, table;\nmad.lo.u64 %s, %s, 16, %s;\nred.global.add.u32 [%s+%d], 1;", a, a, regs[f.Name], a, a, 4*places[f.Name]))
	}
	m, err := ed.Apply()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestNumbers(t *testing.T) {
	grid, block := emu.Dim3{X: 2, Y: 3, Z: 2}, emu.Dim3{X: 3, Y: 2, Z: 4}
	const threads = 12 * 24
	in := passtest.Load(t, "k.ptx", []byte(calls))
	out := passtest.RunVerified(t, in, "uniqtid", uniqtid.Pass)
	marked := mark(t, out)
	k := passtest.Kernel{Name: "kernel", Grid: grid, Block: block, Buffers: [][]byte{make([]byte, 8)}}
	dev := k.NewDevice(t, marked)
	dev.Launch(t)
	addr, size, ok := dev.Symbol("table")
	if !ok || size != threads*16 {
		t.Fatalf("table of %d bytes", size)
	}
	table := make([]byte, size)
	if err := dev.Read(addr, table); err != nil {
		t.Fatal(err)
	}
	for n := range threads {
		for name, place := range places {
			want := uint32(1)
			if name == "leaf" { // itself and two recursive calls
				want = 3
			}
			if got := binary.LittleEndian.Uint32(table[n*16+place*4:]); got != want {
				t.Errorf("thread %d stored %d times in %s, want %d", n, got, name, want)
			}
		}
	}
}

// TestOthersFunctions: a library's functions stay as they are, functions without
// instructions do not.
func TestOthersFunctions(t *testing.T) {
	const src = `.version 7.0
.target sm_70
.address_size 64
.func empty() { }
.visible .entry k(.param .u64 p)
{
	.reg .b64 %rd;
	ld.param.u64 %rd, [p];
	st.global.u32 [%rd], 1;
	call empty;
	ret;
}
`
	out := passtest.RunVerified(t, passtest.Load(t, "k.ptx", []byte(src)), "memtrace,uniqtid", memtrace.Pass, uniqtid.Pass)
	if got := len(out.Module.Func("empty").Params); got != 1 {
		t.Errorf("the user's function has %d parameters, want 1", got)
	}
	if got := len(out.Module.Func(abi.MemTraceAccess).Params); got != 2 {
		t.Errorf("the library's function has %d parameters, want 2", got)
	}
}

// TestErrors: a function that calls cannot be patched for is named.
func TestErrors(t *testing.T) {
	const src = `.version 7.0
.target sm_70
.address_size 64
.func f() { ret; }
.func g();
.alias g, f;
.visible .entry k() { call g; ret; }
`
	p, err := passes.ParsePipeline("uniqtid", []*passes.Pass{uniqtid.Pass})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(passtest.Load(t, "k.ptx", []byte(src))); err == nil || !strings.Contains(err.Error(), "k.ptx:4:") || !strings.Contains(err.Error(), "alias") {
		t.Errorf("error %v", err)
	}
}

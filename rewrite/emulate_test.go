package rewrite_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// observers count instructions and touch every address that they are told.
const observers = `
.version 6.0
.target sm_70
.address_size 64
.visible .global .align 8 .u64 hits;
.visible .func note()
{
	.reg .b64 %rd;
	atom.global.add.u64 %rd, [hits], 1;
	ret;
}
.visible .func touch(.param .b64 address, .param .b32 active)
{
	.reg .b64 %rd;
	.reg .b32 %r<2>;
	.reg .pred %p;
	ld.param.u32 %r0, [active];
	setp.eq.u32 %p, %r0, 0;
	@%p ret;
	ld.param.u64 %rd, [address];
	ld.u8 %r1, [%rd];
	call note;
	ret;
}
`

// storeAll is the end of a random kernel: it stores its registers for the thread.
const storeAll = `
	{
	.reg .b32 %at; .reg .b64 %rd<3>;
	ld.param.u64 %rd0, [p];
	mov.u32 %at, %tid.x;
	mul.wide.u32 %rd1, %at, 32;
	add.s64 %rd0, %rd0, %rd1;
	st.global.u32 [%rd0], %r0;
	st.global.u32 [%rd0+4], %r1;
	st.global.u32 [%rd0+8], %r2;
	st.global.u32 [%rd0+12], %r3;
	st.global.u32 [%rd0+16], %r4;
	}
	ret;
`

// randomModules calls f for random kernels named k and their results.
func randomModules(t *testing.T, count int, f func(t *testing.T, rnd *rand.Rand, m *rewrite.Module, want []byte)) {
	rnd := rand.New(rand.NewPCG(5, 7))
	for range count {
		text := ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n" + rewrite.RandomKernel(rnd, 50, storeAll) + "}\n"
		m := parse(t, "k.ptx", []byte(text))
		want, _, _ := execute(t, m, "k", emu.ITS)
		f(t, rnd, m, want)
		if t.Failed() {
			t.Fatal(text)
		}
	}
}

// What is inserted everywhere, edges and places where lanes meet included, changes
// no result. On the edges out of a block as many lanes pass as through the block.
func TestEdgesKeepResults(t *testing.T) {
	randomModules(t, 60, func(t *testing.T, _ *rand.Rand, m *rewrite.Module, want []byte) {
		got, _, _ := execute(t, everywhere(t, m), "k", emu.Random)
		if !bytes.Equal(got, want) {
			t.Error("results differ")
		}
	})
}

// everywhere inserts instructions without effect wherever something can be inserted.
func everywhere(t *testing.T, m *rewrite.Module) *rewrite.Module {
	t.Helper()
	e := rewrite.NewEditor(m, "everywhere")
	for _, f := range m.Funcs {
		if !f.Defined() {
			continue
		}
		e.InsertAtEntry(f, "membar.cta;")
		e.InsertAtExits(f, "membar.cta;")
		for _, b := range f.ConvergencePoints() {
			e.InsertBefore(f.Insts[b.Start], "membar.cta;")
		}
		for _, in := range f.Insts {
			e.InsertBefore(in, "membar.cta;")
			e.InsertBeforeGuarded(in, "membar.cta;")
			if rewrite.FallsThrough(in) {
				e.InsertAfter(in, "membar.cta;")
			}
		}
		for _, b := range f.CFG().Blocks {
			for _, s := range b.Succs {
				if err := e.InsertOnEdge(b, s, "membar.gl;"); err != nil && !strings.Contains(err.Error(), "nothing executes after") && !strings.Contains(err.Error(), "no instructions") {
					t.Error(err)
				}
			}
		}
	}
	out, err := e.Apply()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// On the edges into a block as many lanes pass as execute its first instruction, and
// on those out of it as many as execute its last.
func TestEdgesCountLanes(t *testing.T) {
	randomModules(t, 60, func(t *testing.T, _ *rand.Rand, m *rewrite.Module, _ []byte) {
		f := m.Func("k")
		blocks := f.CFG().Blocks
		e := rewrite.NewEditor(m, "count")
		counters, err := e.AddVar(rewrite.NewVar{Name: "counters", Exact: true, Space: isa.SpaceGlobal, Type: isa.U32, Count: 3 * len(blocks)})
		if err != nil {
			t.Fatal(err)
		}
		add := func(i int) string { return fmt.Sprintf("red.global.add.u32 [%s+%d], 1;", counters, 4*i) }
		for _, b := range blocks {
			for _, s := range b.Succs {
				if err = e.InsertOnEdge(b, s, add(3*b.Index+1)+"\n"+add(3*s.Index+2)); err != nil {
					t.Fatal(err)
				}
			}
			if b.Start < b.End {
				e.InsertBefore(f.Insts[b.Start], add(3*b.Index))
			}
		}
		out, err := e.Apply()
		if err != nil {
			t.Fatal(err)
		}
		machine, err := emu.New(out, emu.Config{Policy: emu.ITS})
		if err != nil {
			t.Fatal(err)
		}
		launch(t, machine, "k")
		at, _, ok := machine.Symbol("counters")
		if !ok {
			t.Fatal("no counters")
		}
		data := make([]byte, 12*len(blocks))
		if err := machine.Read(at, data); err != nil {
			t.Fatal(err)
		}
		for _, b := range blocks[1 : len(blocks)-1] {
			n := func(k int) uint32 { return binary.LittleEndian.Uint32(data[12*b.Index+4*k:]) }
			if n(0) != n(1) || n(0) != n(2) {
				t.Errorf("block %d: %d lanes come in, %d execute it, %d go out", b.Index, n(2), n(0), n(1))
			}
		}
	})
}

// Moving a region to a function of its own changes no result.
func TestOutlineKeepsResults(t *testing.T) {
	done, tried := 0, 0
	randomModules(t, 60, func(t *testing.T, rnd *rand.Rand, m *rewrite.Module, want []byte) {
		insts := m.Func("k").Insts
		e := rewrite.NewEditor(m, "outline")
		end := 0
		for end < len(insts) {
			first := end + rnd.IntN(4)
			last := first + rnd.IntN(12)
			end = last + 1
			if last >= len(insts) {
				break
			}
			tried++
			if _, err := e.Outline(insts[first], insts[last], "part"); err == nil {
				done++
			}
		}
		out, err := e.Apply()
		if err != nil {
			t.Fatal(err)
		}
		got, _, _ := execute(t, out, "k", emu.ITS)
		if !bytes.Equal(got, want) {
			t.Errorf("results differ:\n%s", out.Source())
		}
	})
	if done*4 < tried {
		t.Errorf("only %d of %d regions could be outlined", done, tried)
	}
}

// Hooks at every instruction change nothing in what a program computes, whatever
// the schedule; the addresses that hooks get can be read.
func TestHooksKeepResults(t *testing.T) {
	for _, name := range []string{"kernels_O0", "kernels_O2"} {
		src, err := os.ReadFile("testdata/corpus/" + name + ".ptx")
		if err != nil {
			t.Fatal(err)
		}
		plain := parse(t, name+".ptx", src)
		hooked := observe(t, plain)
		for _, policy := range []emu.Policy{emu.ITS, emu.Lockstep, emu.Random} {
			for _, kernel := range []string{"_Z4loopPiPfi", "_Z6choosePiiP4quad", "_Z5callsPii"} {
				want, wantOut, steps := execute(t, plain, kernel, policy)
				got, gotOut, hookedSteps := execute(t, hooked, kernel, policy)
				if !bytes.Equal(got, want) || len(gotOut) != len(wantOut) {
					t.Errorf("%s of %s under policy %d: results differ", kernel, name, policy)
				}
				if hookedSteps < 3*steps {
					t.Errorf("%s of %s: %d instructions with hooks, %d without", kernel, name, hookedSteps, steps)
				}
			}
		}
	}
}

func parse(t *testing.T, name string, src []byte) *rewrite.Module {
	t.Helper()
	ast, err := ptxgrammar.Parse(name, src)
	if err != nil {
		t.Fatal(err)
	}
	m, err := rewrite.Load(ast)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// observe calls the observers before and after everything.
func observe(t *testing.T, m *rewrite.Module) *rewrite.Module {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	m, err := rewrite.Link(m, parse(t, "observers.ptx", []byte(observers)), "note", "touch")
	must(err)
	e := rewrite.NewEditor(m, "observe")
	note, touch := &rewrite.Hook{Func: m.Func("note")}, &rewrite.Hook{Func: m.Func("touch")}
	for _, f := range m.Funcs {
		if !f.Defined() || m.Origin(f.Insts[0].Line).Pass != "" {
			continue
		}
		must(e.CallAtEntry(f, note))
		must(e.CallAtExits(f, note))
		must(e.CallAtConvergence(f, note))
		for _, in := range f.Insts {
			must(e.CallBefore(in, note))
			if in.Instr.Effects&(isa.Branches|isa.Terminates) == 0 {
				must(e.CallAfter(in, note))
			}
			if a := in.Access; a.Kind != isa.AccessNone && a.Space != isa.SpaceParam {
				must(e.CallBefore(in, touch, rewrite.Addr(a.Addr), rewrite.Const32(1)))
				must(e.CallBefore(in, touch, rewrite.Addr(a.Addr), rewrite.Guard()))
				must(e.CallAfter(in, touch, rewrite.Addr(a.Addr), rewrite.Const32(1)))
				must(e.CallAfter(in, touch, rewrite.Addr(a.Addr), rewrite.Guard()))
			}
		}
	}
	m, err = e.Apply()
	must(err)
	return m
}

// execute runs a kernel in one block on two buffers and returns what they hold then,
// what was printed, and the number of warp instructions.
func execute(t *testing.T, m *rewrite.Module, kernel string, policy emu.Policy) (memory, printed []byte, steps uint64) {
	t.Helper()
	var out bytes.Buffer
	machine, err := emu.New(m, emu.Config{Policy: policy, Seed: 3, Stdout: &out})
	if err != nil {
		t.Fatal(err)
	}
	memory, steps = launch(t, machine, kernel)
	return memory, out.Bytes(), steps
}

// launch is execute on a machine.
func launch(t *testing.T, machine *emu.Machine, kernel string) (memory []byte, steps uint64) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	params, size, err := machine.Params(kernel)
	must(err)
	block := make([]byte, size)
	var buffers []uint64
	for _, p := range params {
		if p.Size != 8 {
			binary.LittleEndian.PutUint32(block[p.Offset:], 5)
			continue
		}
		addr, allocErr := machine.Alloc(p.Var.Name, 4096)
		must(allocErr)
		data := make([]byte, 4096)
		for i := range len(data) / 4 {
			binary.LittleEndian.PutUint32(data[4*i:], uint32(i*7%23))
		}
		must(machine.Write(addr, data))
		binary.LittleEndian.PutUint64(block[p.Offset:], addr)
		buffers = append(buffers, addr)
	}
	launch := emu.LaunchConfig{Kernel: kernel, Grid: emu.Dim3{X: 1, Y: 1, Z: 1}, Block: emu.Dim3{X: 48, Y: 1, Z: 1}, Shared: 1024, Params: block}
	result, err := machine.Launch(context.Background(), launch)
	must(err)
	for _, f := range result.Faults {
		t.Errorf("%s: %s: %s", kernel, f.Class, f.Message)
	}
	for _, addr := range buffers {
		data := make([]byte, 4096)
		must(machine.Read(addr, data))
		memory = append(memory, data...)
	}
	return memory, result.Stats.WarpInstructions
}

// Hooks inside chains of carries change no sum.
func TestHooksKeepCarry(t *testing.T) {
	const text = `.version 6.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .b32 %r<20>;
	.reg .b64 %rd<3>;
	mov.u32 %r1, %tid.x;
	shl.b32 %r2, %r1, 27;
	add.cc.u32 %r3, %r2, 0xF0000000;
	addc.cc.u32 %r4, %r1, 0xFFFFFFF0;
	addc.u32 %r5, 0, 0;
	sub.cc.u32 %r6, %r1, 9;
	subc.cc.u32 %r7, %r2, 1;
	subc.u32 %r8, %r1, 0;
	mad.lo.cc.u32 %r9, %r2, 3, %r2;
	madc.hi.u32 %r10, %r2, 3, 0;
	ld.param.u64 %rd0, [p];
	mul.wide.u32 %rd1, %r1, 32;
	add.s64 %rd0, %rd0, %rd1;
	st.global.v4.u32 [%rd0], {%r3, %r4, %r5, %r6};
	st.global.v4.u32 [%rd0+16], {%r7, %r8, %r9, %r10};
	ret;
}
`
	m := parse(t, "k.ptx", []byte(text))
	want, _, _ := execute(t, m, "k", emu.ITS)
	got, _, _ := execute(t, observe(t, m), "k", emu.ITS)
	if !bytes.Equal(got, want) {
		t.Error("results differ")
	}
	const tid = 6 // (6<<27) + 0xF0000000 carries out; 6 + 0xFFFFFFF0 + 1 does not
	if sum := binary.LittleEndian.Uint32(want[32*tid+4:]); sum != 0xFFFFFFF7 {
		t.Errorf("the second word of the sum of thread %d is %#x", tid, sum)
	}
}

// Arguments for added parameters arrive, in direct calls, in calls through a
// register, in a copy of the function and under another name.
func TestAddedParameterArrives(t *testing.T) {
	const text = `.version 6.0
.target sm_70
.address_size 64
.func (.param .b32 r) f(.param .b32 a)
{
	.reg .b32 %r<4>;
	ld.param.b32 %r1, [a];
	add.u32 %r2, %r1, 100; // the last operand becomes the parameter
	st.param.b32 [r], %r2;
	ret;
}
.visible .entry k(.param .u64 p)
{
	.reg .b32 %r<5>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd0, [p];
	mov.u32 %r0, 1;
	{
	.param .b32 a; .param .b32 r;
	st.param.b32 [a], %r0;
	call (r), f, (a);
	ld.param.b32 %r1, [r];
	}
	mov.u64 %rd1, f;
	{
	.param .b32 a; .param .b32 r;
	st.param.b32 [a], %r1;
proto: .callprototype (.param .b32 _) _ (.param .b32 _);
	call (r), %rd1, (a), proto;
	ld.param.b32 %r2, [r];
	}
	st.global.v2.u32 [%rd0], {%r1, %r2};
	ret;
}
`
	m := parse(t, "k.ptx", []byte(text))
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	e := rewrite.NewEditor(m, "test")
	f, k := m.Func("f"), m.Func("k")
	extra := 10
	name, err := e.AddParam(f, isa.U32, "extra", func(*rewrite.Inst) string { extra *= 10; return fmt.Sprint(extra) })
	must(err)
	r := e.FreshReg(f, isa.U32)
	e.Replace(f.Insts[1], "ld.param.u32 "+r+", ["+name+"];\nadd.u32 %r2, %r1, "+r+";")
	must(e.Rename(f, "g"))
	m, err = e.Apply()
	must(err)
	memory, _, _ := execute(t, m, "k", emu.ITS)
	if a, b := binary.LittleEndian.Uint32(memory), binary.LittleEndian.Uint32(memory[4:]); a != 101 || b != 1101 {
		t.Errorf("got %d and %d, expected 1+100 and 1+100+1000", a, b)
	}

	e = rewrite.NewEditor(m, "test")
	twin, err := e.CloneFunc(m.Func("g"), "twin")
	must(err)
	e.InsertAtEntry(m.Func("g"), "trap;")
	for _, in := range m.Func("k").Insts {
		if c, ok := in.Call(); ok && c.Func != nil {
			e.Replace(in, strings.Replace(in.Text(), c.Func.Name, twin, 1)+";")
		}
		if in.Instr.Name == "mov" && in.Line > k.Insts[5].Line {
			e.Replace(in, "mov.u64 %rd1, "+twin+";")
		}
	}
	m, err = e.Apply()
	must(err)
	memory, _, _ = execute(t, m, "k", emu.ITS)
	if a, b := binary.LittleEndian.Uint32(memory), binary.LittleEndian.Uint32(memory[4:]); a != 101 || b != 1101 {
		t.Errorf("the copy gives %d and %d, expected 101 and 1101", a, b)
	}
}

// Modules that were linked together run together.
func TestLinkedModulesRun(t *testing.T) {
	const head = ".version 6.0\n.target sm_70\n.address_size 64\n"
	a := parse(t, "a.ptx", []byte(head+`
.extern .func (.param .b32 r) next(.param .b32 a);
.global .u32 state = 5;
.visible .entry k(.param .u64 p)
{
	.reg .b32 %r<3>; .reg .b64 %rd;
	ld.param.u64 %rd, [p];
	ld.global.u32 %r1, [state];
	{
	.param .b32 a; .param .b32 r;
	st.param.b32 [a], %r1;
	call (r), next, (a);
	ld.param.b32 %r2, [r];
	}
	st.global.u32 [%rd], %r2;
	ret;
}
`))
	b := parse(t, "b.ptx", []byte(head+`
.global .u32 state = 37;
.visible .func (.param .b32 r) next(.param .b32 a)
{
	.reg .b32 %r<4>;
	ld.param.b32 %r1, [a];
	ld.global.u32 %r2, [state];
	add.u32 %r3, %r1, %r2;
	st.param.b32 [r], %r3;
	ret;
}
`))
	for _, order := range [][]*rewrite.Module{{a, b}, {b, a}} {
		m, _, err := rewrite.LinkAll(order...)
		if err != nil {
			t.Fatal(err)
		}
		memory, _, _ := execute(t, m, "k", emu.ITS)
		if got := binary.LittleEndian.Uint32(memory); got != 42 {
			t.Errorf("%s first: got %d, expected 5 + 37", order[0].AST.File.Name, got)
		}
	}
}

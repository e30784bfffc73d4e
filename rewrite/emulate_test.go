package rewrite_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
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
		e.InsertAtExits(f, "membar.gl;")
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
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	machine, err := emu.New(m, emu.Config{Policy: policy, Seed: 3, Stdout: &out})
	must(err)
	params, size, err := machine.Params(kernel)
	must(err)
	block := make([]byte, size)
	var buffers []uint64
	for _, p := range params {
		if p.Size != 8 {
			binary.LittleEndian.PutUint32(block[p.Offset:], 5)
			continue
		}
		addr, err := machine.Alloc(p.Var.Name, 4096)
		must(err)
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
	return memory, out.Bytes(), result.Stats.WarpInstructions
}

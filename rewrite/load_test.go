package rewrite

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite/diff"
)

// Every archive of testdata/errors is a module and the messages expected for it.
func TestErrors(t *testing.T) {
	paths, err := filepath.Glob("testdata/errors/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no tests", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			ast, err := ptxgrammar.Parse("k.ptx", ar.Files[0].Data)
			if err != nil {
				t.Fatal(messages(err))
			}
			m, err := Load(ast)
			if err == nil {
				err = Verify(m)
			}
			got := "no error\n"
			if err != nil {
				got = messages(err)
			}
			golden(t, path, ar, got)
		})
	}
}

// golden compares with the archive's last file, or rewrites it.
func golden(t *testing.T, path string, ar *txtar.Archive, got string) {
	t.Helper()
	want := &ar.Files[len(ar.Files)-1]
	if *update {
		want.Data = []byte(got)
		if err := os.WriteFile(path, txtar.Format(ar), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != string(want.Data) {
		t.Errorf("differs from the golden file (-update rewrites it):\n%s", diff.Unified("want", string(want.Data), "got", got, 3))
	}
}

func TestTooManyErrors(t *testing.T) {
	src := header + ".entry k()\n{\n" + strings.Repeat("foo;\n", 1000) + "}\n"
	ast, err := ptxgrammar.Parse("k.ptx", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Load(ast)
	var list ptxgrammar.ErrorList
	if !errors.As(err, &list) || len(list) != maxErrors {
		t.Errorf("got %d errors", len(list))
	}
}

func TestScopes(t *testing.T) {
	m := load(t, "k.ptx", header+`
.global .u32 x;
.visible .entry k(.param .u32 x)
{
	.reg .b32 %r<3>, %r10<2>;
	.reg .f32 %f;
	mov.u32 %r2, 0;
	{
		.reg .b64 %r<3>;
		mov.u64 %r2, 0;
		{ .shared .u32 x; mov.u64 %r1, x; }
	}
	{
		.reg .b32 %r2;
		mov.u32 %r2, 0;
	}
	mov.u32 %r101, %r2;
	ld.param.u32 %r1, [x];
}
.func f()
{
	.reg .b64 %r;
	mov.u64 %r, x;
}
`)
	f := m.Func("k")
	var regs []string
	for i, r := range f.Regs {
		if r.Index != i {
			t.Errorf("%s has index %d, expected %d", r.Name, r.Index, i)
		}
		regs = append(regs, fmt.Sprintf("%s.%s", r.Name, r.Type))
	}
	if got, want := fmt.Sprint(regs), "[%f.f32 %r2.b32 %r2.b64 %r1.b64 %r2.b32 %r101.b32 %r1.b32]"; got != want {
		t.Errorf("registers %s, want %s", got, want)
	}
	if f.Insts[0].Operands[0].Reg != f.Insts[4].Operands[1].Reg {
		t.Error("the outer %r2 changed identity")
	}
	spaces := []string{}
	for _, o := range []Operand{f.Insts[2].Operands[1], f.Insts[5].Operands[1], m.Func("f").Insts[0].Operands[1]} {
		spaces = append(spaces, o.Sym.(*Var).Space.String())
	}
	if got := fmt.Sprint(spaces); got != "[shared param global]" {
		t.Errorf("x is in %s", got)
	}
}

// A register range is a promise of names, not of memory.
func TestHugeRegisterRange(t *testing.T) {
	f := kernel(t, ".reg .b32 %r<2000000000>;\nmov.u32 %r1999999999, %r0;")
	if len(f.Regs) != 2 {
		t.Errorf("%d registers", len(f.Regs))
	}
}

func TestOperands(t *testing.T) {
	f := kernel(t, `.reg .b32 %r<4>; .reg .b64 %rd<2>; .reg .pred %p<3>; .reg .f32 %f<2>;
.shared .align 8 .b8 s[64];
	ld.shared.u32 %r1, [s+(2*4-1)+1];
	ld.global.u32 %r1, [%rd1+-8];
	ld.global.u32 %r1, [%rd1];
	ld.global.u32 %r1, [4096];
	add.u32 %r1, %r2, -1;
	add.u32 %r1, %r2, WARP_SZ*2;
	mov.u32 %r1, WARP_SZ;
	mov.f32 %f1, 0fBF800000;
	mov.f32 %f1, -1.5;
	mov.u32 %r1, %ctaid.y;
	setp.eq.and.u32 %p1|%p2, %r1, 7, !%p0;
	mov.u64 %rd1, s+16;
	ld.global.v2.u32 {%r1, _}, [%rd1];
`)
	want := []string{
		"reg %r1, addr s+8", "reg %r1, addr %rd1-8", "reg %r1, addr %rd1+0", "reg %r1, addr +4096",
		"reg %r1, reg %r2, imm -1", "reg %r1, reg %r2, imm 64", "reg %r1, imm 32",
		"reg %f1, single bf800000", "reg %f1, double bff8000000000000",
		"reg %r1, special %ctaid.y", "pair(reg %p1 reg %p2), reg %r1, imm 7, reg !%p0",
		"reg %rd1, sym s+16", "vector(reg %r1 _), addr %rd1+0",
	}
	for i, in := range f.Insts {
		var ops []string
		for j := range in.Operands {
			ops = append(ops, describe(&in.Operands[j]))
		}
		if got := strings.Join(ops, ", "); got != want[i] {
			t.Errorf("%s: got %q, want %q", in.Text(), got, want[i])
		}
	}
}

func describe(o *Operand) string {
	var elems []string
	for i := range o.Elems {
		elems = append(elems, describe(&o.Elems[i]))
	}
	base := ""
	switch {
	case o.Reg != nil:
		base = o.Reg.Name + o.Member
	case o.Sym != nil:
		base = o.Sym.SymbolName()
	}
	switch o.Kind {
	case OperandReg:
		if o.Not {
			return "reg !" + base
		}
		return "reg " + base
	case OperandSpecial:
		return "special " + o.Special.Name + o.Member
	case OperandImm:
		switch {
		case o.Single:
			return fmt.Sprintf("single %x", o.Imm)
		case o.Float:
			return fmt.Sprintf("double %x", o.Imm)
		}
		return fmt.Sprintf("imm %d", int64(o.Imm))
	case OperandSymbol:
		return fmt.Sprintf("sym %s%+d", base, o.Off)
	case OperandAddr:
		return fmt.Sprintf("addr %s%+d", base, o.Off)
	case OperandVector:
		return "vector(" + strings.Join(elems, " ") + ")"
	case OperandPair:
		return "pair(" + strings.Join(elems, " ") + ")"
	case OperandNone:
		return "_"
	case OperandSum:
		sym := ""
		if o.Sym != nil {
			sym = o.Sym.SymbolName()
		}
		return fmt.Sprintf("sum %s%+d+%s*%d", sym, o.Off, o.Reg.Name, o.Scale)
	}
	return fmt.Sprintf("kind %d", o.Kind)
}

func TestVariableSizes(t *testing.T) {
	m := load(t, "k.ptx", header+`
.global .u32 a;
.global .align 16 .b8 b[20];
.global .v4 .f32 c[3][2];
.extern .shared .align 8 .b8 d[];
.global .u16 e[] = {1, 2, 3};
.global .f64 f;
.const .b8 g[0];
`)
	want := []string{"a 4 4", "b 20 16", "c 96 16", "d 0 8", "e 6 2", "f 8 8", "g 0 1"}
	for i, v := range m.Globals {
		if got := fmt.Sprintf("%s %d %d", v.Name, v.Size, v.Align); got != want[i] {
			t.Errorf("got %s, want %s", got, want[i])
		}
	}
}

func TestRepeatedDeclarations(t *testing.T) {
	m := load(t, "k.ptx", header+`
.extern .global .u32 v[];
.extern .global .u32 v[];
.extern .func (.param .b32 r) f(.param .b64 a);
.func g()
{
	.reg .b64 %rd;
	mov.u64 %rd, late;
	mov.u64 %rd, f;
	ret;
}
.visible .global .u32 v[4];
.visible .func (.param .b32 r) f(.param .b64 b)
{
	ret;
}
.global .u32 late;
.func (.param .b32 r) f(.param .b64 c);
.func h();
.alias h, g;
`)
	if len(m.Globals) != 2 || m.Globals[0].Size != 16 || m.Globals[0].AST.Linkage != ptxgrammar.Visible {
		t.Errorf("v is %+v", m.Globals[0])
	}
	var names []string
	for _, f := range m.Funcs {
		names = append(names, fmt.Sprint(f.Name, f.Defined()))
	}
	if got := fmt.Sprint(names); got != "[gtrue ftrue hfalse]" {
		t.Errorf("functions %s", got)
	}
	if m.Func("f").Params[0].Name != "b" || m.Func("h").Alias != m.Func("g") {
		t.Error("wrong definition or alias")
	}
}

// TestRepeatedCalls: nvcc writes the calls of a location once. In the copies of a loop, a function that is called
// twice, by another one, is inlined by the first call, then by the second.
func TestRepeatedCalls(t *testing.T) {
	const first, second = ".loc 1 3 1, function_name $F, inlined_at 1 20 1\n.loc 2 9 1, function_name $G, inlined_at 1 3 1\n.loc 2 5 1, function_name $H, inlined_at 2 9 1\n",
		".loc 1 4 1, function_name $F, inlined_at 1 20 1\n.loc 2 9 1, function_name $G, inlined_at 1 4 1\n.loc 2 5 1, function_name $H, inlined_at 2 9 1\n"
	const repeated = ".loc 2 5 1, function_name $H, inlined_at 2 9 1\nmembar.gl;\n"
	const other = ".loc 2 6 1, function_name $H, inlined_at 2 9 1\nmembar.gl;\n"
	m := load(t, "k.ptx", header+`
.file 1 "a.cu"
.file 2 "h.h"
.visible .entry k()
{
	.loc 1 20 1
	`+first+"membar.gl;\n"+other+second+"membar.gl;\n"+other+ // as written
		".loc 1 21 1\nmembar.gl;\n"+repeated+repeated+repeated+ // copies
		".loc 1 3 1, function_name $F, inlined_at 1 20 1\nmembar.gl;\n"+other+repeated+ // a part of the chain
		".loc 1 4 1, function_name $F, inlined_at 1 20 1\nmembar.gl;\n"+other+repeated+`
	ret;
}
`)
	want := []int{3, 3, 4, 4, 21, 3, 4, 3, 3, 3, 3, 4, 4, 4}
	for i, line := range want {
		l := m.Func("k").Insts[i].Loc
		for l.File == "h.h" {
			l = l.InlinedAt
		}
		if l.Line != line {
			t.Errorf("instruction %d: called in line %d, expected %d", i, l.Line, line)
		}
	}
}

func TestSourceLocations(t *testing.T) {
	m := load(t, "k.ptx", header+`
.file 1 "a.cu"
.file 2 "h.h"
.visible .entry k()
{
	membar.gl;
	.loc 1 10 3
	membar.gl;
	.loc 2 5 1, function_name info, inlined_at 1 10 3
	membar.gl;
	.loc 2 7 2, function_name info, inlined_at 2 5 1
	membar.gl;
	.loc 2 0 2
	membar.gl;
	.loc 2 7 2 // the inlined location again: it is the last one before line 0
	membar.gl;
	.loc 2 5 1
	membar.gl;
	.loc 2 0 2
	.loc 2 7 2
	membar.gl;
	.loc 1 11 3
	// begin inline asm
	.loc 1 11 3
	membar.gl;
	.loc 1 12 3
	membar.gl; // in the second line of the statement's text
	// end inline asm
	// begin inline asm
	.loc 1 12 3
	membar.gl;
	// end inline asm
	.loc 1 13 3
	ret;
}
.visible .entry j() { ret; }
`)
	chain := func(l *SourceLoc) string {
		if l == nil {
			return "none"
		}
		s := ""
		for ; l != nil; l = l.InlinedAt {
			s += fmt.Sprintf("%s:%d:%d ", l.File, l.Line, l.Col)
		}
		return strings.TrimSpace(s)
	}
	want := []string{
		"none", "a.cu:10:3", "h.h:5:1 a.cu:10:3", "h.h:7:2 h.h:5:1 a.cu:10:3",
		"none", "h.h:7:2 h.h:5:1 a.cu:10:3", "h.h:5:1", "h.h:7:2", "a.cu:11:3", "a.cu:11:3", "a.cu:12:3", "a.cu:13:3",
	}
	for i, in := range m.Func("k").Insts {
		if got := chain(in.Loc); got != want[i] {
			t.Errorf("line %d: %s, want %s", in.Line, got, want[i])
		}
	}
	if l := m.Func("j").Insts[0].Loc; l != nil {
		t.Errorf("a location leaked into the next function: %s", chain(l))
	}
}

func TestInstText(t *testing.T) {
	f := kernel(t, ".reg .b32 %r; .reg .pred %p;\n@!%p\tadd.s32 \t%r, // one\n\t /* two */ %r, 3 ;")
	if got := f.Insts[0].Text(); got != "add.s32 %r, %r, 3" {
		t.Errorf("%q", got)
	}
	if got := f.Insts[0].Position().String(); got != "k.ptx:7:1" {
		t.Error(got)
	}
}

// Text that parses loads or is refused with a message; what loads can be verified,
// analysed and edited without a panic.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(hookLib))
	f.Add([]byte(header + ".entry k(.param .u64 p) { .reg .b64 %r<4>; L: ld.global.u32 %r1, [%r2+4]; @%r1 bra L; }"))
	f.Add([]byte(header + ".global .u32 a[2] = {1, 2}; .global .u64 b = generic(a)+4; .func f(); .alias f, f;"))
	src, err := os.ReadFile("testdata/corpus/hand.ptx")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(src)
	f.Fuzz(func(t *testing.T, src []byte) {
		ast, err := ptxgrammar.Parse("fuzz.ptx", src)
		if err != nil {
			return
		}
		m, err := Load(ast)
		if err != nil {
			var list ptxgrammar.ErrorList
			if m != nil || !errors.As(err, &list) || len(list) == 0 {
				t.Fatal("an error without message, or with a module")
			}
			return
		}
		for _, v := range m.Globals {
			if v.Size < 1<<20 {
				_, _, _ = v.Init(m)
			}
		}
		if Verify(m) != nil {
			return
		}
		e := NewEditor(m, "fuzz")
		for _, fn := range m.Funcs {
			if fn.Defined() {
				fn.CFG().Loops()
				e.InsertAtExits(fn, "membar.gl;")
				for _, in := range fn.Insts {
					e.InsertBefore(in, "membar.gl;")
				}
			}
		}
		out, err := e.Apply()
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		if n := bytes.Count(out.Source(), []byte("membar.gl;")); n < bytes.Count(src, []byte("membar.gl;")) {
			t.Fatal("an insertion is lost")
		}
	})
}

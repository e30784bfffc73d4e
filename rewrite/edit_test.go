package rewrite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

const editHooks = `
.func none() { ret; }
.func word(.param .b32 a) { ret; }
.func long(.param .u64 a) { ret; }
.func both(.param .b64 a, .param .b32 b) { ret; }
.func half(.param .b16 a) { ret; }
.func real(.param .f32 a) { ret; }
.func answer(.param .b32 r) { ret; }
.func dims(.param .b32 a, .param .b32 b, .param .b32 c, .param .b32 d, .param .b32 e, .param .b32 f) { ret; }
.global .u32 state;
`

// script edits the module of the archive with its name. in is the instruction
// whose line has the comment "// N".
var scripts = map[string]func(t *testing.T, e *Editor, in func(mark string) *Inst){
	"text": func(t *testing.T, e *Editor, in func(string) *Inst) {
		e.InsertBefore(in("1"), "// before, twice\nmembar.cta;")
		e.InsertAfter(in("1"), "membar.gl;")
		e.InsertBefore(in("1"), "membar.sys;")
		e.InsertAfter(in("1"), "  membar.gl;\n\n  membar.sys;")
		e.InsertBefore(in("2"), "membar.cta;")
		e.InsertBefore(in("3"), "membar.cta;")
		e.InsertAfter(in("3"), "membar.gl;")
		e.InsertAfter(in("4"), "membar.gl;")
		e.InsertBeforeGuarded(in("4"), "membar.cta;")
		e.InsertAfter(in("5"), "membar.gl;")
		e.InsertAtEntry(in("1").Func, "membar.cta; // entry")
		e.InsertAtExits(in("1").Func, "membar.sys; // exit")
		e.AddGlobal(".global .u32 g1;\n.global .u32 g2;")
	},
	"replace": func(t *testing.T, e *Editor, in func(string) *Inst) {
		e.Replace(in("1"), "membar.cta;\nmembar.gl;")
		e.Delete(in("2"))
		e.InsertBefore(in("2"), "membar.sys;")
		e.InsertAfter(in("2"), "membar.gl;")
		e.Replace(in("3"), "membar.gl;")
		if err := e.CallBefore(in("3"), &Hook{Func: e.Module().Func("none")}); err != nil {
			t.Fatal(err)
		}
		if err := e.CallAfter(in("3"), &Hook{Func: e.Module().Func("none")}); err != nil {
			t.Fatal(err)
		}
		e.Delete(in("4"))
	},
	"names": func(t *testing.T, e *Editor, in func(string) *Inst) {
		f := in("1").Func
		p, r, d := e.FreshReg(f, isa.Pred), e.FreshReg(f, isa.F32), e.FreshReg(f, isa.U64)
		s := e.FreshSymbol("table")
		e.AddGlobal(".global .u32 " + s + "[4];\n.global .u32 " + e.FreshSymbol("table") + ";")
		again := e.FreshLabel(f)
		e.InsertBefore(in("1"), again+":")
		e.InsertBefore(in("1"), "mov.f32 "+r+", 0f00000000;\nmov.u64 "+d+", "+s+";\nsetp.eq.f32 "+p+", "+r+", "+r+";\n@!"+p+" bra "+again+";")
	},
	"guards": func(t *testing.T, e *Editor, in func(string) *Inst) {
		hook := func(name string) *Hook { return &Hook{Func: e.Module().Func(name)} }
		for _, err := range []error{
			e.CallBefore(in("1"), hook("none")),
			e.CallAfter(in("1"), hook("none")),
			e.CallBefore(in("2"), hook("none")),
			e.CallBefore(in("3"), hook("none")),
			e.CallAfter(in("4"), hook("both"), Addr(1), Guard()),
			e.CallBefore(in("5"), hook("word"), Guard()),
			e.CallBefore(in("5"), hook("word"), Const32(5)),
		} {
			if err != nil {
				t.Error(err)
			}
		}
		e.InsertBefore(in("1"), "membar.cta;")
		e.InsertAfter(in("1"), "membar.sys;")
	},
	"args": func(t *testing.T, e *Editor, in func(string) *Inst) {
		hook := func(name string) *Hook { return &Hook{Func: e.Module().Func(name)} }
		reg := in("1").Operands[0].Reg
		for _, err := range []error{
			e.CallBefore(in("1"), hook("both"), Addr(1), Const32(1)),
			e.CallAfter(in("1"), hook("both"), Addr(1), Value(0)),
			e.CallBefore(in("2"), hook("both"), Addr(0), Value(1)),
			e.CallBefore(in("3"), hook("long"), Addr(1)),
			e.CallBefore(in("4"), hook("long"), Addr(0)),
			e.CallAfter(in("4"), hook("long"), Value(1)),
			e.CallBefore(in("5"), hook("both"), Addr(1), Elem(0, 1)),
			e.CallBefore(in("5"), hook("both"), Const64(1<<40), Elem(0, 0)),
			e.CallBefore(in("6"), hook("word"), Value(3)),
			e.CallAfter(in("6"), hook("word"), Value(0)),
			e.CallBefore(in("7"), hook("long"), Value(1)),
			e.CallBefore(in("7"), hook("both"), Const64(4), RegArg(reg)),
			e.CallBefore(in("8"), hook("real"), Value(1)),
			e.CallBefore(in("8"), hook("word"), Value(2)),
			e.CallBefore(in("9"), hook("half"), Value(1)),
			e.CallBefore(in("9"), hook("long"), Value(1)),
			e.CallBefore(in("10"), hook("long"), Addr(1)),
			e.CallAtEntry(in("1").Func, hook("both"), Const64(4), Const32(9)),
		} {
			if err != nil {
				t.Error(err)
			}
		}
	},
	"late": func(t *testing.T, e *Editor, in func(string) *Inst) {
		hook := func(name string) *Hook { return &Hook{Func: e.Module().Func(name)} }
		for _, err := range []error{
			e.CallAfter(in("1"), hook("word"), Value(0)),
			e.CallAfter(in("2"), hook("both"), Addr(1), Value(0)),
			e.CallAfter(in("3"), hook("word"), Value(0)),
			e.CallAfter(in("4"), hook("both"), Addr(1), RegArg(in("4").Operands[0].Reg)),
			e.CallBefore(in("5"), hook("both"), Addr(1), Value(2)),
			e.CallBefore(in("5"), hook("long"), Addr(0)),
			e.CallBefore(in("6"), hook("long"), Addr(1)),
			e.CallBefore(in("7"), hook("word"), Value(2)),
			e.CallBefore(in("7"), hook("long"), Value(1)),
		} {
			if err != nil {
				t.Error(err)
			}
		}
	},
	"edges": func(t *testing.T, e *Editor, in func(string) *Inst) {
		g := in("1").Func.CFG()
		edge := func(mark string, to int, text string) {
			if err := e.InsertOnEdge(g.BlockOf[in(mark).Index], g.Blocks[to], text); err != nil {
				t.Error(err)
			}
		}
		first := g.BlockOf[in("1").Index]
		for i, to := range first.Succs {
			edge("1", to.Index, []string{"membar.cta; // taken", "membar.gl; // not taken"}[i])
		}
		at := func(mark string) int { return g.BlockOf[in(mark).Index].Index }
		edge("2", at("3"), "membar.cta; // falls through")
		edge("4", at("4"), "membar.cta; // around the loop")
		edge("4", at("5"), "membar.gl; // out of the loop")
		edge("5", at("6"), "membar.cta; // to 6")
		edge("5", at("7"), "membar.gl; // to 7, listed twice")
		edge("6", at("7"), "membar.cta; // whether taken or not")
		edge("7", g.Exit.Index, "membar.cta; // leaves")
		edge("7", at("8"), "membar.gl; // stays")
		edge("8", g.Exit.Index, "membar.sys; // falls off the end")
		note := &Hook{Func: e.Module().Func("none")}
		if err := e.CallAtExits(in("1").Func, note); err != nil {
			t.Error(err)
		}
	},
	"converge": func(t *testing.T, e *Editor, in func(string) *Inst) {
		f := in("1").Func
		if err := e.CallAtConvergence(f, &Hook{Func: e.Module().Func("both")}, Const64(1), Const32(2)); err != nil {
			t.Error(err)
		}
	},
	"params": func(t *testing.T, e *Editor, in func(string) *Inst) {
		m := e.Module()
		add := func(f string, typ isa.Type, value string) string {
			name, err := e.AddParam(m.Func(f), typ, "extra", func(*Inst) string { return value })
			if err != nil {
				t.Error(err)
			}
			return name
		}
		name := add("one", isa.U32, "1")
		r := e.FreshReg(m.Func("one"), isa.U32)
		e.InsertAtEntry(m.Func("one"), "ld.param.u32 "+r+", ["+name+"];")
		add("one", isa.U64, "2")
		add("nothing", isa.U32, "3")
		add("old", isa.U32, "4")
		add("left", isa.U32, "5")
		add("right", isa.U32, "6")
		e.InsertBefore(in("1"), "membar.cta;")
	},
	"carry": func(t *testing.T, e *Editor, in func(string) *Inst) {
		hook := func(name string) *Hook { return &Hook{Func: e.Module().Func(name)} }
		for _, err := range []error{
			e.CallBefore(in("1"), hook("none")), // before the chain
			e.CallAfter(in("1"), hook("word"), Value(0)),
			e.CallBefore(in("2"), hook("word"), Value(1)),
			e.CallBefore(in("3"), hook("word"), Const32(3)),
			e.CallAfter(in("3"), hook("none")), // after the chain
			e.CallAfter(in("4"), hook("none")),
		} {
			if err != nil {
				t.Error(err)
			}
		}
		e.InsertAfter(in("1"), "membar.cta;")
	},
	"variables": func(t *testing.T, e *Editor, in func(string) *Inst) {
		for _, v := range []NewVar{
			{Name: "count", Space: isa.SpaceGlobal, Type: isa.U64, Visible: true},
			{Name: "count", Space: isa.SpaceGlobal, Type: isa.U32, Count: 8, Init: []uint64{1, 2}},
			{Name: "table", Exact: true, Space: isa.SpaceConst, Type: isa.F32, Count: 4, Align: 16, Init: []uint64{0x3f800000}},
			{Name: "table", Exact: true, Space: isa.SpaceConst, Type: isa.F32, Count: 4, Align: 16, Init: []uint64{0x3f800000}},
			{Name: "scratch", Exact: true, Space: isa.SpaceShared, Type: isa.B8, Count: 64},
			{Name: "signed", Exact: true, Space: isa.SpaceGlobal, Type: isa.S16, Init: []uint64{1<<64 - 5}},
			{Name: "there", Exact: true, Space: isa.SpaceGlobal, Type: isa.U32},
		} {
			name, err := e.AddVar(v)
			if err != nil {
				t.Error(err)
			}
			e.InsertBefore(in("1"), "prefetch.global.L2 ["+name+"]; // "+v.Name)
		}
	},
	"rename": func(t *testing.T, e *Editor, in func(string) *Inst) {
		m := e.Module()
		for _, r := range [][2]string{{"k", "kernel"}, {"one", "uno"}, {"table", "tabula"}, {"alias", "second"}} {
			s, _ := m.Lookup(r[0])
			if err := e.Rename(s, r[1]); err != nil {
				t.Error(err)
			}
		}
		e.InsertBefore(in("1"), "call one;")
	},
	"ranges": func(t *testing.T, e *Editor, in func(string) *Inst) {
		k := e.Module().Func("k")
		for name, prefix := range map[string]string{"%r2": "%word", "%p1": "%done", "%rd1": "%q"} {
			if err := e.RenameRange(k, regNamed(t, k, name), prefix); err != nil {
				t.Error(err)
			}
		}
		if err := e.CallBefore(in("1"), &Hook{Func: e.Module().Func("long")}, Addr(0)); err != nil {
			t.Error(err)
		}
		e.InsertBefore(in("1"), "mov.u32 %r1, %r1;")
		e.InsertBefore(in("2"), "mov.u32 %r1, 7; // the inner one")
		e.Replace(in("3"), "add.s32 %r1, %r1, 2;")
	},
	"clone": func(t *testing.T, e *Editor, in func(string) *Inst) {
		m := e.Module()
		name, err := e.CloneFunc(m.Func("one"), "one")
		if err != nil {
			t.Error(err)
		}
		e.Replace(in("1"), strings.Replace(in("1").Text(), "one", name, 1)+";")
		e.InsertAtEntry(m.Func("one"), "membar.cta; // in the original only")
		if _, err = e.CloneFunc(m.Func("k"), "k"); err != nil {
			t.Error(err)
		}
		late, err := e.CloneFunc(m.Func("last"), "last")
		if err != nil {
			t.Error(err)
		}
		e.Replace(in("2"), strings.Replace(in("2").Text(), "last", late, 1)+";")
	},
	"outline": func(t *testing.T, e *Editor, in func(string) *Inst) {
		for _, r := range [][2]string{{"1", "2"}, {"3", "4"}, {"5", "5"}, {"6", "7"}} {
			if _, err := e.Outline(in(r[0]), in(r[1]), "part"); err != nil {
				t.Error(err)
			}
		}
		e.InsertBefore(in("1"), "membar.cta; // outside")
		e.InsertAfter(in("4"), "membar.gl; // outside")
	},
	"callseq": func(t *testing.T, e *Editor, in func(string) *Inst) {
		hook := func(name string) *Hook { return &Hook{Func: e.Module().Func(name)} }
		for _, err := range []error{
			e.CallBefore(in("1"), hook("none")),
			e.CallBefore(in("2"), hook("word"), Const32(2)),
			e.CallAfter(in("2"), hook("none")),
			e.CallAfter(in("3"), hook("word"), Value(0)),
			e.CallBefore(in("4"), hook("none")),
			e.CallAfter(in("4"), hook("word"), Value(2)), // overwrites its guard
		} {
			if err != nil {
				t.Error(err)
			}
		}
		e.InsertBefore(in("2"), "membar.cta;")
		e.InsertAfter(in("2"), "membar.sys;")
	},
}

func TestEdits(t *testing.T) {
	for name, script := range scripts {
		t.Run(name, func(t *testing.T) {
			path := "testdata/edit/" + name + ".txtar"
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			m := load(t, "k.ptx", string(ar.Files[0].Data))
			m, err = Link(m, load(t, "hooks.ptx", header+editHooks))
			if err != nil {
				t.Fatal(err)
			}
			e := NewEditor(m, "test")
			script(t, e, func(mark string) *Inst { return marked(t, m, mark) })
			out, err := e.Apply()
			if err != nil {
				t.Fatal(messages(err))
			}
			// without the hooks, which stand before the first function
			text := string(out.Source())
			if i, j := strings.Index(text, ".func none"), strings.Index(text, "state;\n"); i >= 0 && j >= 0 {
				text = text[:i] + text[j+len("state;\n"):]
			}
			golden(t, path, ar, text)
		})
	}
}

// marked finds the instruction with the comment "// mark" at the end of its line.
func marked(t *testing.T, m *Module, mark string) *Inst {
	t.Helper()
	for _, f := range m.Funcs {
		for _, in := range f.Insts {
			if strings.HasSuffix(m.AST.File.LineText(in.Line), "// "+mark) {
				return in
			}
		}
	}
	t.Fatalf("no instruction is marked %s", mark)
	return nil
}

// Parameters of many functions must not cost quadratic time. A function with two names gets none.
func TestManyParams(t *testing.T) {
	const n = 100_000
	var b strings.Builder
	b.WriteString(header)
	for i := range n {
		fmt.Fprintf(&b, ".func f%d() { ret; }\n", i)
	}
	m := load(t, "k.ptx", b.String()+".visible .func g() { ret; }\n.visible .func h();\n.alias h, g;\n")
	e := NewEditor(m, "test")
	for _, f := range m.Funcs {
		name, err := e.AddParam(f, isa.B64, "more", func(*Inst) string { return "0" })
		if twice := f.Name == "g" || f.Name == "h"; (err != nil) != twice || (name == "") != twice {
			t.Fatalf("%s: parameter %q, error %v", f.Name, name, err)
		}
	}
}

func TestHookErrors(t *testing.T) {
	m := load(t, "k.ptx", header+`
.func word(.param .b32 a) { ret; }
.func wide(.param .b64 a) { ret; }
.func array(.param .b8 a[4]) { ret; }
.func (.param .b32 r) result() { ret; }
.func old(.reg .b32 r) { ret; }
.visible .entry k(.param .u64 p)
{
	.reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p; .reg .f64 %fd; .reg .f32 %f;
	ld.param.u64 %rd1, [p];
	ld.global.v2.u32 {%r1, _}, [%rd1];
	ld.global.f64 %fd, [%rd1];
	@%p bra L;
	mov.b64 %rd2, %rd1;
	add.f32 %f, %f, 0f3F800000;
L:
	ret;
}
`)
	k := m.Func("k")
	hook := func(name string) *Hook { return &Hook{Func: m.Func(name)} }
	tests := []struct {
		inst  int
		after bool
		hook  string
		args  []Arg
		want  string
	}{
		{1, false, "word", nil, "it takes 1 arguments, got 0"},
		{1, false, "word", []Arg{Const64(1)}, "argument 0: the parameter is .b32, the argument has 64 bits"},
		{1, false, "wide", []Arg{Const32(1)}, "argument 0: the parameter is .b64, the argument has 32 bits"},
		{1, false, "word", []Arg{Addr(1)}, "argument 0: the parameter is .b32, the argument has 64 bits"},
		{1, false, "wide", []Arg{Guard()}, "argument 0: the parameter is .b64, the argument has 32 bits"},
		{1, false, "wide", []Arg{Addr(0)}, "argument 0: operand 0 is not an address"},
		{1, false, "wide", []Arg{Addr(2)}, "argument 0: operand 2 is not an address"},
		{1, false, "word", []Arg{Elem(0, 1)}, "argument 0: operand 0 is discarded"},
		{1, false, "word", []Arg{Elem(0, 2)}, "argument 0: operand 0 has no element 2"},
		{1, false, "word", []Arg{Value(7)}, "argument 0: the instruction has no operand 7"},
		{0, false, "wide", []Arg{Addr(1)}, "argument 0: a parameter has no generic address"},
		{2, false, "word", []Arg{Value(0)}, "argument 0: a .f64 value does not fit a .b32 parameter"},
		{5, false, "wide", []Arg{Value(1)}, "argument 0: a .f32 value does not fit a parameter of 64 bits"},
		{1, false, "array", []Arg{Const32(1)}, "parameter 0 is not a scalar in .param space"},
		{1, false, "old", []Arg{Const32(1)}, "parameter 0 is not a scalar in .param space"},
		{3, true, "word", []Arg{Const32(1)}, "nothing executes after"},
		{6, true, "word", []Arg{Const32(1)}, "nothing executes after"},
	}
	for _, tt := range tests {
		e := NewEditor(m, "test")
		call := e.CallBefore
		if tt.after {
			call = e.CallAfter
		}
		err := call(k.Insts[tt.inst], hook(tt.hook), tt.args...)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "k.ptx:") {
			t.Errorf("%s with %v at %q: %v, want %q", tt.hook, tt.args, k.Insts[tt.inst].Text(), err, tt.want)
		}
		if _, applied := e.Apply(); applied == nil || applied.Error() != err.Error() {
			t.Errorf("Apply after %v says %v", err, applied)
		}
	}
	e := NewEditor(m, "test")
	if err := e.CallAtEntry(k, hook("wide"), Addr(0)); err == nil {
		t.Error("an address at the entry was accepted")
	}
	if err := e.CallAtEntry(k, hook("word"), RegArg(k.Regs[0])); err == nil || !strings.Contains(err.Error(), "registers hold nothing yet") {
		t.Errorf("a register at the entry: %v", err)
	}
	if err := e.CallAt(k.Insts[0], hook("word"), Guard()); err == nil || !strings.Contains(err.Error(), "argument 0: no instruction to take it from") {
		t.Errorf("the guard of no instruction: %v", err)
	}
	if err := e.CallAtExits(k, hook("word")); err == nil || !strings.Contains(err.Error(), "it takes 1 arguments, got 0") {
		t.Errorf("no argument at the exits: %v", err)
	}
}

func TestEditErrors(t *testing.T) {
	m := load(t, "k.ptx", header+".visible .entry k()\n{\n\tmembar.gl;\n\tret;\n}\n")
	insts := m.Func("k").Insts
	tests := []struct {
		name string
		edit func(e *Editor)
		want string
	}{
		{"after a ret", func(e *Editor) { e.InsertAfter(insts[1], "membar.gl;") }, `k.ptx:7:2: nothing executes after "ret"`},
		{"twice", func(e *Editor) { e.Delete(insts[0]); e.Replace(insts[0], "ret;") }, `k.ptx:6:2: Delete and Replace both change "membar.gl"`},
		{"syntax", func(e *Editor) { e.InsertBefore(insts[0], "membar.gl") }, "test wrote PTX with errors: k.ptx:"},
		{"names", func(e *Editor) { e.InsertBefore(insts[0], "bra nowhere;") }, `test wrote PTX with errors: k.ptx:6:6: undefined label "nowhere"`},
		{"values on one path", func(e *Editor) {
			r, p := e.FreshReg(m.Func("k"), isa.U32), e.FreshReg(m.Func("k"), isa.Pred)
			e.InsertBefore(insts[0], "setp.eq.u32 "+p+", 1, 1;\n@"+p+" mov.u32 "+r+", 1;\n@"+p+" bra L;\nmov.u32 "+r+", 2;\nadd.u32 "+r+", "+r+", 1;\nL:\nadd.u32 "+r+", "+r+", 1;")
		}, `test broke the program: k.ptx:14:2: inserted register "%ptxsan0_r0" may be read before it is written (inserted by test for line 6)`},
		{
			"dead code", func(e *Editor) { e.Replace(insts[1], "bra END;\nmembar.gl;\nEND:\nret;") },
			`test broke the program: k.ptx:8:2: inserted instruction "membar.gl" can never execute (inserted by test for line 7)`,
		},
		{"signature", func(e *Editor) {
			e.AddGlobal(".func f(.param .align 8 .b8 a[8]) { ret; }")
			e.InsertBefore(insts[0], "{\n.param .align 4 .b8 x[8];\ncall f, (x);\n}")
		}, `test broke the program: k.ptx:9:2: call of "f": argument 0 is aligned to 4 bytes, expected 8 (inserted by test for line 6)`},
		{"prototype", func(e *Editor) {
			r := e.FreshReg(m.Func("k"), isa.U64)
			e.InsertBefore(insts[0], "{\nmov.u64 "+r+", 0;\n.param .b32 x;\nproto: .callprototype _ (.param .b64 _);\ncall "+r+", (x), proto;\n}")
		}, `test broke the program: k.ptx:11:2: call of "proto": argument 0 has 4 bytes, expected 8 (inserted by test for line 6)`},
		{"values", func(e *Editor) {
			r := e.FreshReg(m.Func("k"), isa.U32)
			e.InsertBefore(insts[0], "add.u32 "+r+", "+r+", 1;")
		}, `test broke the program: k.ptx:7:2: inserted register "%ptxsan0_r0" may be read before it is written`},
	}
	for _, tt := range tests {
		e := NewEditor(m, "test")
		tt.edit(e)
		if out, err := e.Apply(); err == nil || out != nil || !strings.HasPrefix(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// TestEditUnreachable edits an instruction that is never executed, on a line of its own and on the line of a ret that
// is executed.
func TestEditUnreachable(t *testing.T) {
	for _, body := range []string{"ret;\n\tmembar.gl;", "ret; membar.gl;"} {
		m := load(t, "k.ptx", header+".visible .entry k()\n{\n\t"+body+"\n}\n")
		e := NewEditor(m, "test")
		e.Replace(m.Func("k").Insts[1], "membar.cta;\nmembar.sys;")
		if _, err := e.Apply(); err != nil {
			t.Errorf("%q: %v", body, err)
		}
	}
}

func TestEditOfAnotherModulePanics(t *testing.T) {
	a, b := kernel(t, "ret;"), kernel(t, "ret;")
	defer func() {
		if r := recover(); r == nil || !strings.HasPrefix(r.(string), "BUG: ") {
			t.Errorf("recovered %v", r)
		}
	}()
	NewEditor(a.Module, "test").InsertBefore(b.Insts[0], "ret;")
}

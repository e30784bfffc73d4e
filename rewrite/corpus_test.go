package rewrite

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

const hookLib = header + `
.visible .global .align 8 .u64 hits;
.visible .func note()
{
	ret;
}
.visible .func access(.param .b64 address, .param .b32 site, .param .b32 guard)
{
	.reg .b64 %rd<3>;
	.loc 1 2 3
	ld.param.u64 %rd1, [address];
	st.global.u64 [hits], %rd1;
	call note;
	ret;
}
`

// Without edits the text is the same, byte for byte.
func TestApplyNothing(t *testing.T) {
	corpus(t, func(t *testing.T, m *Module) {
		e := NewEditor(m, "nothing")
		out, err := e.Apply()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out.Source(), m.Source()) {
			t.Error("the text changed")
		}
	})
}

// Hooks around every instruction of every function leave a program that loads and
// verifies, in which the user's lines are all there and know where they come from.
func TestHookEverything(t *testing.T) {
	lib := load(t, "hooks.ptx", hookLib)
	corpus(t, func(t *testing.T, m *Module) {
		linked, err := Link(m, lib, "note", "access")
		if err != nil {
			t.Fatal(err)
		}
		out := hookEverything(t, linked)
		seen := 0
		for i := 1; i <= bytes.Count(out.Source(), []byte("\n")); i++ {
			o := out.Origin(i)
			if (o.Line == 0) == (o.Pass == "") {
				t.Fatalf("line %d has origin %+v", i, o)
			}
			if o.Line == 0 {
				continue
			}
			if o.Line < seen { // one line may hold two instructions
				t.Fatalf("line %d comes from line %d, after %d", i, o.Line, seen)
			}
			seen = o.Line
		}
		if n := bytes.Count(m.Source(), []byte("\n")); seen != n {
			t.Errorf("the last line known is %d of %d", seen, n)
		}
		if again := hookEverything(t, linked); !bytes.Equal(again.Source(), out.Source()) {
			t.Error("the same edits gave another text")
		}
	})
}

// hookEverything calls hooks before and after every instruction of m that is not
// from the library.
func hookEverything(t *testing.T, m *Module) *Module {
	t.Helper()
	e := NewEditor(m, "test")
	note, access := &Hook{Func: m.Func("note")}, &Hook{Func: m.Func("access")}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range m.Funcs {
		if !f.Defined() || m.Origin(m.AST.File.Line(f.AST.Start)).Pass != "" {
			continue
		}
		must(e.CallAtEntry(f, note))
		must(e.CallAtExits(f, note))
		must(e.CallAtConvergence(f, note))
		editEdges(t, e, f)
		for _, in := range f.Insts {
			must(e.CallBefore(in, note))
			after := in.fallsThrough() && !in.Branches() && !in.leaves()
			if after {
				must(e.CallAfter(in, note))
			}
			if a := in.Access; a.Kind != isa.AccessNone && a.Space != isa.SpaceParam {
				must(e.CallBefore(in, access, Addr(a.Addr), Const32(1), Const32(1)))
				must(e.CallBefore(in, access, Addr(a.Addr), Const32(2), Guard()))
				must(e.CallAfter(in, access, Addr(a.Addr), Const32(3), Const32(1)))
			}
		}
	}
	out, err := e.Apply()
	must(err)
	return out
}

// Debug information stays right: what its sections name is still there, in the same
// function and before the same line of the user.
func TestDebugInformationSurvives(t *testing.T) {
	src, err := os.ReadFile("testdata/corpus/kernels_g.ptx")
	if err != nil {
		t.Fatal(err)
	}
	m := load(t, "kernels_g.ptx", string(src))
	linked, err := Link(m, load(t, "hooks.ptx", hookLib), "note", "access")
	if err != nil {
		t.Fatal(err)
	}
	before, after := debugLabelLines(m), debugLabelLines(hookEverything(t, linked))
	if len(before) < 20 || len(before) != len(after) {
		t.Fatalf("%d labels of debug information, %d before", len(after), len(before))
	}
	for name, at := range before {
		if after[name] != at {
			t.Errorf("%s stands at %s, stood at %s", name, after[name], at)
		}
	}
}

// debugLabelLines finds the labels in functions that debug sections name: function
// and line of the user's label.
func debugLabelLines(m *Module) map[string]string {
	named := make(map[string]bool)
	for i := range m.AST.Directives {
		if d := &m.AST.Directives[i]; d.Name == ".section" {
			for _, word := range words(m.AST.Text(d.Range)) {
				named[word] = true
			}
		}
	}
	out := make(map[string]string)
	for _, f := range m.Funcs {
		for _, s := range m.AST.Stmts(f.AST) {
			if s.Kind != ptxgrammar.StmtLabel {
				continue
			}
			if l := &m.AST.Labels[s.Index]; named[l.Name] {
				out[l.Name] = fmt.Sprint(f.Name, m.Origin(m.AST.File.Line(l.Start)).Line)
			}
		}
	}
	return out
}

// editEdges inserts on every edge that control can take.
func editEdges(t *testing.T, e *Editor, f *Func) {
	t.Helper()
	g := f.CFG()
	for _, b := range g.Blocks {
		for _, s := range b.Succs {
			err := e.InsertOnEdge(b, s, "membar.cta;")
			if b.Start == b.End {
				continue
			}
			last := f.Insts[b.End-1]
			_, call := last.Call()
			_, known := last.targets()
			impossible := call && s == g.Exit && last.leaves() || last.Branches() && !known
			if (err != nil) != impossible {
				t.Errorf("%s: the edge from %q to block %d: %v", f.Name, last.Text(), s.Index, err)
			}
		}
	}
}

// Hooks everywhere in the programs of the other packages' tests leave programs that
// load, verify and pass the strict check where the original does.
func TestHookOthers(t *testing.T) {
	lib := load(t, "hooks.ptx", hookLib)
	modules := 0
	for _, pattern := range []string{"../examples/*/*.ptx", "../ptxgrammar/testdata/corpus/*.ptx", "../passes/device/lib/*.ptx"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			ast, err := ptxgrammar.Parse(filepath.Base(path), src)
			if err != nil {
				continue // tests of the grammar alone
			}
			m, err := Load(ast)
			if err != nil || Verify(m) != nil || m.AST.AddressSize != 64 {
				continue
			}
			modules++
			linked, err := Link(m, lib, "note", "access")
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			out := hookEverything(t, linked)
			if len(problems(src)) > 0 {
				continue
			}
			if errs := problems(out.Source()); len(errs) > 0 {
				t.Errorf("%s: %s", path, messages(errs))
			}
		}
	}
	if modules < 25 {
		t.Errorf("only %d modules", modules)
	}
}

// A second pass over the output of the first keeps the user's lines.
func TestOriginSurvivesPasses(t *testing.T) {
	m := load(t, "k.ptx", header+".visible .entry k()\n{\n\tmembar.gl;\n\tret;\n}\n")
	first := NewEditor(m, "first")
	first.InsertBefore(m.Func("k").Insts[0], "membar.cta;")
	m1, err := first.Apply()
	if err != nil {
		t.Fatal(err)
	}
	second := NewEditor(m1, "second")
	second.AddGlobal(".global .u32 x;")
	for _, in := range m1.Func("k").Insts {
		second.InsertBefore(in, "membar.sys;")
	}
	m2, err := second.Apply()
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		text string
		Origin
	}{
		{".version 7.0", Origin{Line: 1}},
		{".target sm_70", Origin{Line: 2}},
		{".address_size 64", Origin{Line: 3}},
		{".global .u32 x;", Origin{Pass: "second"}},
		{".visible .entry k()", Origin{Line: 4}},
		{"{", Origin{Line: 5}},
		{"\tmembar.sys;", Origin{Pass: "second", For: 6}},
		{"\tmembar.cta;", Origin{Pass: "first", For: 6}},
		{"\tmembar.sys;", Origin{Pass: "second", For: 6}},
		{"\tmembar.gl;", Origin{Line: 6}},
		{"\tmembar.sys;", Origin{Pass: "second", For: 7}},
		{"\tret;", Origin{Line: 7}},
		{"}", Origin{Line: 8}},
	}
	for i, w := range want {
		if got := m2.AST.File.LineText(i + 1); got != w.text || m2.Origin(i+1) != w.Origin {
			t.Errorf("line %d is %q from %+v, want %q from %+v", i+1, got, m2.Origin(i+1), w.text, w.Origin)
		}
	}
	if o := m2.Origin(len(want) + 1); o != (Origin{}) {
		t.Errorf("past the end: %+v", o)
	}
}

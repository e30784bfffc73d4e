package rewrite

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// Every archive of testdata/linkall is some modules and the result or the error of
// linking them.
func TestLinkAll(t *testing.T) {
	paths, err := filepath.Glob("testdata/linkall/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no tests", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var modules []*Module
			for _, f := range ar.Files[:len(ar.Files)-1] {
				modules = append(modules, load(t, f.Name, string(f.Data)))
			}
			out, notes, err := LinkAll(modules...)
			if err != nil {
				golden(t, path, ar, err.Error()+"\n")
				return
			}
			text := string(out.Source())
			if len(notes) > 0 {
				text += "// notes:\n// " + strings.ReplaceAll(strings.TrimSpace(messages(notes)), "\n", "\n// ") + "\n"
			}
			golden(t, path, ar, text)
			if errs := problems(out.Source()); len(errs) > 0 {
				t.Error(messages(errs))
			}
			checkForeign(t, out, modules)
		})
	}
}

// checkForeign compares every line that is said to be a user's with that line.
func checkForeign(t *testing.T, out *Module, modules []*Module) {
	t.Helper()
	for i := 1; i <= bytes.Count(out.Source(), []byte("\n")); i++ {
		o := out.Origin(i)
		if o.Line == 0 {
			continue
		}
		from := modules[0]
		for _, m := range modules[1:] {
			if m.AST.File.Name == o.File {
				from = m
			}
		}
		got, want := strings.Fields(out.AST.File.LineText(i)), strings.Fields(from.AST.File.LineText(o.Line))
		if len(got) > 0 && len(want) > 0 && got[0] != want[0] {
			t.Errorf("line %d %q is said to be line %d of %q, %q", i, out.AST.File.LineText(i), o.Line, o.File, from.AST.File.LineText(o.Line))
		}
	}
}

// Source locations of all modules are those that they were.
func TestLinkAllLocations(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/linkall/resolve.txtar")
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := LinkAll(load(t, "a.ptx", string(ar.Files[0].Data)), load(t, "b.ptx", string(ar.Files[1].Data)))
	if err != nil {
		t.Fatal(err)
	}
	loc := out.Func("twice").Insts[1].Loc
	if loc == nil || loc.File != "common.h" || loc.Line != 2 {
		t.Errorf("the second instruction of twice is from %+v", loc)
	}
	e := NewEditor(out, "test")
	e.InsertBefore(out.Func("twice").Insts[0], "membar.gl;")
	edited, err := e.Apply()
	if err != nil {
		t.Fatal(err)
	}
	in := edited.Func("twice").Insts
	if got, want := edited.Origin(in[0].Line), (Origin{Pass: "test", For: 20, File: "b.ptx"}); got != want {
		t.Errorf("the inserted line has origin %+v, expected %+v", got, want)
	}
	if got, want := edited.Origin(in[1].Line), (Origin{Line: 20, File: "b.ptx"}); got != want {
		t.Errorf("the line after it has origin %+v, expected %+v", got, want)
	}
	if loc := out.Func("twice").Insts[0].Loc; loc.File != "b.cu" || loc.Line != 7 {
		t.Errorf("the first instruction of twice is from %+v", loc)
	}
}

// Modules of several compilations link into one that the checker accepts and the
// printer repeats, and every instruction is from where it was.
func TestLinkAllCorpus(t *testing.T) {
	paths, err := filepath.Glob("../examples/*/racy.ptx")
	if err != nil || len(paths) == 0 {
		t.Fatal("no examples", err)
	}
	var modules []*Module
	for _, path := range append([]string{"testdata/corpus/kernels_g.ptx"}, paths...) {
		src, fail := os.ReadFile(path)
		if fail != nil {
			t.Fatal(fail)
		}
		modules = append(modules, load(t, path, string(src)))
	}
	out, _, err := LinkAll(modules...)
	if err != nil {
		t.Fatal(err)
	}
	if errs := problems(out.Source()); len(errs) > 0 {
		t.Error(messages(errs))
	}
	located := 0
	for _, m := range modules {
		for _, k := range m.Kernels() {
			for i, in := range k.Insts {
				if got := out.Func(k.Name).Insts[i].Loc; !sameLoc(got, in.Loc) {
					t.Errorf("%s: %q is from %+v, was from %+v", in.Position(), in.Text(), got, in.Loc)
				} else if got != nil {
					located++
				}
			}
		}
	}
	if located < 500 {
		t.Errorf("only %d instructions have a place in their source", located)
	}
}

func sameLoc(a, b *SourceLoc) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.File == b.File && a.Line == b.Line && a.Col == b.Col && sameLoc(a.InlinedAt, b.InlinedAt)
}

func TestLinkAllOfOne(t *testing.T) {
	m := load(t, "a.ptx", header)
	if out, _, err := LinkAll(m); out != m || err != nil {
		t.Error(out, err)
	}
	if _, _, err := LinkAll(); err == nil {
		t.Error("nothing was linked")
	}
}

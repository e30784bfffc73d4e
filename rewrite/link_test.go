package rewrite

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// Every archive of testdata/link is a module, a library, and the result or the
// error of linking them. The comment lists the roots.
func TestLink(t *testing.T) {
	paths, err := filepath.Glob("testdata/link/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no tests", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, roots, _ := strings.Cut(string(ar.Comment), "roots:")
			m := load(t, "k.ptx", string(ar.Files[0].Data))
			lib := load(t, "lib.ptx", string(ar.Files[1].Data))
			out, err := Link(m, lib, strings.Fields(roots)...)
			sameCalled(t, m, string(ar.Files[1].Data), strings.Fields(roots), out, err)
			if err != nil {
				golden(t, path, ar, err.Error()+"\n")
				return
			}
			golden(t, path, ar, string(out.Source()))
			again, err := Link(out, lib, strings.Fields(roots)...)
			if err != nil || again != out {
				t.Errorf("linking again is no no-op: %v", err)
			}
			checkOrigins(t, out)
			reread := load(t, "k.ptx", string(out.Source()))
			if len(out.linked) > 0 && renamed(out) {
				return // the text alone does not say what was renamed
			}
			again, err = Link(reread, lib, strings.Fields(roots)...)
			if err != nil || again != reread {
				t.Errorf("linking the printed text again is no no-op: %v", err)
			}
		})
	}
}

// sameCalled compares the result of Link with what LinkCalled makes of a library of which only what the roots need was
// loaded: the same text or error, functions of the library without instructions, and all of them after an edit.
func sameCalled(t *testing.T, m *Module, lib string, roots []string, want *Module, wanted error) {
	t.Helper()
	ast, err := ptxgrammar.Parse("lib.ptx", []byte(lib))
	if err != nil {
		t.Fatal(err)
	}
	part, err := LoadReachable(ast, roots)
	if len(roots) == 0 {
		part, err = Load(ast)
	}
	if err != nil {
		t.Fatal(err)
	}
	got, err := LinkCalled(m, part, roots...)
	if err != nil || wanted != nil {
		if fmt.Sprint(err) != fmt.Sprint(wanted) {
			t.Errorf("LinkCalled: %v, expected %v", err, wanted)
		}
		return
	}
	if !bytes.Equal(got.Source(), want.Source()) {
		t.Errorf("LinkCalled makes another text:\n%s", got.Source())
	}
	ed, edited := NewEditor(got, "test"), false
	for _, f := range got.Funcs {
		known := want.Func(f.Name)
		switch linked := got.Origin(got.AST.File.Line(f.AST.NameAt.Start)).Pass == "lib.ptx"; {
		case len(f.Params) != len(known.Params) || len(f.Returns) != len(known.Returns):
			t.Errorf("LinkCalled: other parameters of %s", f.Name)
		case linked && len(f.Insts) > 0, !linked && len(f.Insts) != len(known.Insts):
			t.Errorf("LinkCalled: %d instructions of %s, of %d", len(f.Insts), f.Name, len(known.Insts))
		case len(f.Insts) > 0 && !edited:
			ed.InsertBefore(f.Insts[0], "membar.gl;")
			edited = true
		}
	}
	if got, err = ed.Apply(); err != nil {
		t.Fatal(err)
	}
	for _, f := range got.Funcs {
		if known := want.Func(f.Name); edited && len(f.Insts) < len(known.Insts) {
			t.Errorf("after an edit: %d instructions of %s, of %d", len(f.Insts), f.Name, len(known.Insts))
		}
	}
}

func renamed(m *Module) bool {
	for from, to := range m.linked {
		if from.name != to {
			return true
		}
	}
	return false
}

// checkOrigins compares the lines that claim to be the user's with the user's.
func checkOrigins(t *testing.T, m *Module) {
	t.Helper()
	for _, f := range m.Funcs {
		o := m.Origin(m.AST.File.Line(f.AST.NameAt.Start))
		lib := strings.HasPrefix(f.Name, "lib") || strings.HasPrefix(f.Name, "__ptxsan")
		if f.Defined() && (lib && o != (Origin{Pass: "lib.ptx"}) || !lib && o.Line == 0) {
			t.Errorf("%s has origin %+v", f.Name, o)
		}
	}
}

func TestLinkAddressSize(t *testing.T) {
	m := load(t, "k.ptx", ".version 7.0\n.target sm_70\n.address_size 32\n.entry k() { ret; }\n")
	if _, err := Link(m, load(t, "lib.ptx", hookLib)); err == nil || err.Error() != "k.ptx:3:15: the module has 32-bit addresses, lib.ptx has 64-bit ones; expected .address_size 64" {
		t.Error(err)
	}
}

// More of a library can be linked later.
func TestLinkInSteps(t *testing.T) {
	m, lib := load(t, "k.ptx", header+".entry k() { ret; }\n"), load(t, "lib.ptx", hookLib)
	one, err := Link(m, lib, "note")
	if err != nil {
		t.Fatal(err)
	}
	two, err := Link(one, lib, "access")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range two.Funcs {
		got = append(got, fmt.Sprint(f.Name, f.Defined()))
	}
	if fmt.Sprint(got) != "[notetrue accesstrue ktrue]" {
		t.Error(got)
	}
}

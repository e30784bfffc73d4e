package rewrite

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

// FuzzEdit: what loads and verifies can be analysed, and edited everywhere, and
// verifies then, too.
func FuzzEdit(f *testing.F) {
	src, err := os.ReadFile("testdata/corpus/hand.ptx")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(src)
	paths, err := filepath.Glob("testdata/edit/*.txtar")
	if err != nil || len(paths) == 0 {
		f.Fatal("no seeds", err)
	}
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(ar.Files[0].Data)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		ast, err := ptxgrammar.Parse("fuzz.ptx", src)
		if err != nil || len(src) > 1<<14 {
			return
		}
		m, err := Load(ast)
		if err != nil || Verify(m) != nil {
			return
		}
		e := NewEditor(m, "fuzz")
		for _, fn := range m.Funcs {
			if !fn.Defined() {
				continue
			}
			fn.DefUse()
			e.InsertAtEntry(fn, "membar.cta;")
			e.InsertAtExits(fn, "membar.cta;")
			for _, in := range fn.Insts {
				e.InsertBefore(in, "membar.cta;")
				e.InsertBeforeGuarded(in, "membar.cta;")
				if in.fallsThrough() {
					e.InsertAfter(in, "membar.cta;")
				}
			}
			for _, b := range fn.CFG().Blocks {
				for _, s := range b.Succs {
					_ = e.InsertOnEdge(b, s, "membar.sys;") // not every edge has a place
				}
			}
		}
		if _, err := e.Apply(); err != nil {
			t.Errorf("%s%s", messages(err), src)
		}
	})
}

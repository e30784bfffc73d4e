package rewrite

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// fuzzModules are what random edits are made to: the corpus, the examples, and the
// inputs of the golden tests of the editor, with hooks linked in.
var fuzzModules = sync.OnceValues(func() (list []*Module, err error) {
	var paths []string
	for _, pattern := range []string{"testdata/corpus/*.ptx", "../examples/*/racy.ptx"} {
		found, globErr := filepath.Glob(pattern)
		if globErr != nil {
			return nil, globErr
		}
		paths = append(paths, found...)
	}
	hooks, err := loadText("hooks.ptx", header+editHooks)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		m, err := loadText(path, string(src))
		if err != nil {
			return nil, err
		}
		if m, err = Link(m, hooks); err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
})

// editBytes decides what to edit: a stream of small numbers.
type editBytes struct {
	data []byte
	n    int // edits so far, for names
}

// pick is a number below n; 0 at the end of the data.
func (b *editBytes) pick(n int) int {
	if n <= 0 || len(b.data) == 0 {
		return 0
	}
	v := int(b.data[0])
	b.data = b.data[1:]
	if n > 256 && len(b.data) > 0 {
		v = v<<8 | int(b.data[0])
		b.data = b.data[1:]
	}
	return v % n
}

// drawn is what an edit is made at.
type drawn struct {
	*editBytes
	e *Editor
	f *Func
}

func (d drawn) inst() *Inst { return d.f.Insts[d.pick(len(d.f.Insts))] }

func (d drawn) block() *Block { return d.f.CFG().Blocks[d.pick(len(d.f.CFG().Blocks)-1)] }

func (d drawn) hook() (*Hook, []Arg) {
	name := []string{"none", "word", "long"}[d.pick(3)]
	args := map[string][]Arg{"word": {Const32(5)}, "long": {Const64(7)}}[name]
	return &Hook{Func: d.e.Module().Func(name)}, args
}

func (d drawn) newName() string {
	return []string{fmt.Sprintf("new%d", d.n), "%r1", "same", "%tid", "k"}[d.pick(5)]
}

// randomEdits are the ways to edit. Those that return errors at once leave the rest
// to the editor.
var randomEdits = []func(d drawn) error{
	func(d drawn) error { d.e.InsertBefore(d.inst(), "membar.cta;"); return nil },
	func(d drawn) error { d.e.InsertAfter(d.inst(), "membar.gl;"); return nil },
	func(d drawn) error { d.e.InsertBeforeGuarded(d.inst(), "membar.sys;"); return nil },
	func(d drawn) error { d.e.InsertAtEntry(d.f, "membar.cta;"); return nil },
	func(d drawn) error { d.e.InsertAtExits(d.f, "membar.cta;"); return nil },
	func(d drawn) error { d.e.Delete(d.inst()); return nil },
	func(d drawn) error { d.e.Replace(d.inst(), "membar.cta;\nmembar.gl;"); return nil },
	func(d drawn) error { in := d.inst(); d.e.Replace(in, in.Text()+";"); return nil },
	func(d drawn) error { return d.e.InsertOnEdge(d.block(), d.block(), "membar.cta;") },
	func(d drawn) error {
		b := d.block()
		if len(b.Succs) == 0 {
			return nil
		}
		return d.e.InsertOnEdge(b, b.Succs[d.pick(len(b.Succs))], "membar.gl;")
	},
	func(d drawn) error { in := d.inst(); h, a := d.hook(); return d.e.CallBefore(in, h, a...) },
	func(d drawn) error { in := d.inst(); h, a := d.hook(); return d.e.CallAfter(in, h, a...) },
	func(d drawn) error {
		return d.e.CallBefore(d.inst(), &Hook{Func: d.e.Module().Func("long")}, Addr(d.pick(3)))
	},
	func(d drawn) error {
		return d.e.CallAfter(d.inst(), &Hook{Func: d.e.Module().Func("word")}, Value(d.pick(3)))
	},
	func(d drawn) error { h, a := d.hook(); return d.e.CallAtEntry(d.f, h, a...) },
	func(d drawn) error { h, a := d.hook(); return d.e.CallAtExits(d.f, h, a...) },
	func(d drawn) error { h, a := d.hook(); return d.e.CallAtConvergence(d.f, h, a...) },
	func(d drawn) error {
		_, err := d.e.AddParam(d.f, isa.U64, "extra", func(*Inst) string { return "5" })
		return err
	},
	func(d drawn) error {
		_, err := d.e.AddVar(NewVar{Name: "v", Space: isa.SpaceGlobal, Type: isa.U32, Count: 1 + d.pick(4)})
		return err
	},
	func(d drawn) error { _, err := d.e.CloneFunc(d.f, "copy"); return err },
	func(d drawn) error { return d.e.Rename(d.f, d.newName()) },
	func(d drawn) error {
		if len(d.f.Regs) == 0 {
			return nil
		}
		return d.e.RenameRange(d.f, d.f.Regs[d.pick(len(d.f.Regs))], d.newName()+"_")
	},
	func(d drawn) error {
		first := d.inst()
		_, err := d.e.Outline(first, d.f.Insts[min(first.Index+d.pick(6), len(d.f.Insts)-1)], "part")
		return err
	},
}

// editRandomly makes the edits that the data describes and applies them: what comes
// out is right by the whole checker, or there is an error that blames an edit. The
// editor itself must not write what is no PTX.
func editRandomly(t *testing.T, modules []*Module, data []byte) (applied bool) {
	t.Helper()
	b := &editBytes{data: data}
	m := modules[b.pick(len(modules))]
	var defined []*Func
	for _, f := range m.Funcs {
		if f.Defined() && len(f.Insts) > 0 {
			defined = append(defined, f)
		}
	}
	e := NewEditor(m, "fuzz")
	for ; len(b.data) > 0 && b.n < 12; b.n++ {
		kind := b.pick(len(randomEdits))
		d := drawn{editBytes: b, e: e, f: defined[b.pick(len(defined))]}
		if err := randomEdits[kind](d); err != nil && strings.TrimSpace(err.Error()) == "" {
			t.Error("an error says nothing")
		}
	}
	out, err := e.Apply()
	if err != nil {
		if text := err.Error(); strings.Contains(text, "with errors") || strings.Contains(text, "BUG") {
			t.Errorf("%s: %s", m.AST.File.Name, messages(err))
		}
		return false
	}
	if errs := problems(out.Source()); len(errs) > 0 && len(problems(m.Source())) == 0 {
		t.Errorf("%s: %s", m.AST.File.Name, messages(errs))
	}
	return true
}

// TestRandomEdits makes random edits, a few at a time.
func TestRandomEdits(t *testing.T) {
	modules, err := fuzzModules()
	if err != nil {
		t.Fatal(err)
	}
	applied := 0
	rnd := rand.New(rand.NewPCG(3, 17))
	const scripts = 250
	for range scripts {
		data := make([]byte, 6+rnd.IntN(30))
		for i := range data {
			data[i] = byte(rnd.Uint32())
		}
		if editRandomly(t, modules, data) {
			applied++
		}
		if t.Failed() {
			t.Fatalf("%q", data)
		}
	}
	if applied < scripts/10 {
		t.Errorf("only %d of %d edits went through", applied, scripts)
	}
}

func FuzzEdits(f *testing.F) {
	modules, err := fuzzModules()
	if err != nil {
		f.Fatal(err)
	}
	for seed := range byte(32) {
		f.Add([]byte{seed, seed, 2 * seed, 7, seed + 9, 3, 40 + seed, 1, seed, 0, 5})
	}
	f.Fuzz(func(t *testing.T, data []byte) { editRandomly(t, modules, data) })
}

package ptxgrammar_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

var update = flag.Bool("update", false, "rewrite golden files")

// corpus returns the paths of the committed PTX files: ours written by hand, and
// clang output for testdata/cuda (see testdata/cuda/build.sh).
func corpus(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/corpus/*.ptx")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d corpus files, %v", len(files), err)
	}
	return files
}

func parseFile(t testing.TB, path string) *ptxgrammar.Module {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ptxgrammar.Parse(filepath.Base(path), src)
	if err != nil {
		for _, e := range errorList(t, err) {
			t.Error(e)
		}
		t.FailNow()
	}
	return m
}

// errorList returns the list in an error of Parse.
func errorList(t testing.TB, err error) ptxgrammar.ErrorList {
	t.Helper()
	var list ptxgrammar.ErrorList
	if !errors.As(err, &list) {
		t.Fatalf("%T %v, want an ErrorList", err, err)
	}
	return list
}

func TestPrintIsIdentity(t *testing.T) {
	for _, path := range corpus(t) {
		m := parseFile(t, path)
		if !bytes.Equal(ptxgrammar.Print(m), m.File.Src) {
			t.Errorf("%s: the printed text differs", path)
		}
	}
}

// TestTree compares the trees of the hand-written files with reviewed dumps.
func TestTree(t *testing.T) {
	for _, path := range corpus(t) {
		if strings.HasPrefix(filepath.Base(path), "clang") {
			continue
		}
		golden(t, filepath.Join("testdata", "tree", strings.TrimSuffix(filepath.Base(path), ".ptx")+".txt"), dump(parseFile(t, path)))
	}
}

// golden compares got with a file, or rewrites the file with -update.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			t.Fatalf("%s:%d differs (-update rewrites it)\n got: %s\nwant: %s", path, i+1, at(g, i), at(w, i))
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(end)"
}

func TestRanges(t *testing.T) {
	for _, path := range corpus(t) {
		checkRanges(t, parseFile(t, path))
	}
}

// checkRanges checks that nodes are inside their parents, in order, and that their ranges have the expected text.
func checkRanges(t testing.TB, m *ptxgrammar.Module) {
	t.Helper()
	var last uint32
	for _, it := range m.Items {
		r := m.ItemRange(it)
		if r.Start < last || r.End <= r.Start || int(r.End) > len(m.File.Src) {
			t.Fatalf("item %v at %v after %d", it, r, last)
		}
		last = r.End
		switch it.Kind {
		case ptxgrammar.ItemFunc:
			checkFunc(t, m, &m.Funcs[it.Index])
		case ptxgrammar.ItemDecl:
			checkDecl(t, m, m.Decls[it.Index])
		}
	}
}

func checkFunc(t testing.TB, m *ptxgrammar.Module, f *ptxgrammar.Func) {
	t.Helper()
	if m.Text(f.NameAt) != f.Name {
		t.Fatalf("function %q named %q in the text", f.Name, m.Text(f.NameAt))
	}
	if f.Body < 0 {
		return
	}
	body := m.Blocks[f.Body]
	if body.End != f.End || m.Text(body.Range)[0] != '{' {
		t.Fatalf("body %v of function %v", body.Range, f.Range)
	}
	checkBlock(t, m, body)
}

func checkBlock(t testing.TB, m *ptxgrammar.Module, b ptxgrammar.Block) {
	t.Helper()
	last := b.Start + 1
	for _, s := range b.Stmts {
		r := m.StmtRange(s)
		if r.Start < last || r.End <= r.Start || r.End >= b.End {
			t.Fatalf("statement %v at %v after %d in block %v", s, r, last, b.Range)
		}
		last = r.End
		switch s.Kind {
		case ptxgrammar.StmtBlock:
			checkBlock(t, m, m.Blocks[s.Index])
		case ptxgrammar.StmtDecl:
			checkDecl(t, m, m.Decls[s.Index])
		case ptxgrammar.StmtInst:
			checkInst(t, m, &m.Insts[s.Index])
		}
	}
}

func checkDecl(t testing.TB, m *ptxgrammar.Module, d ptxgrammar.Decl) {
	t.Helper()
	for _, v := range d.Vars {
		if v.Start < d.Start || v.End > d.End || m.Text(v.NameAt) != v.Name {
			t.Fatalf("variable %q at %v in declaration %v", v.Name, v.Range, d.Range)
		}
	}
}

func checkInst(t testing.TB, m *ptxgrammar.Module, in *ptxgrammar.Inst) {
	t.Helper()
	text, op := m.Text(m.InstRange(in)), m.OpcodeRange(in)
	if !strings.HasSuffix(text, ";") || strings.HasPrefix(text, "@") != in.HasGuard {
		t.Fatalf("instruction %q", text)
	}
	if !strings.HasPrefix(m.Text(op), m.Opcode(in)) {
		t.Fatalf("opcode %q of %q", m.Opcode(in), text)
	}
	last := op.End
	for _, o := range m.InstOperands(in) {
		r := m.OperandRange(&o)
		if r.Start < last || r.End <= r.Start {
			t.Fatalf("operand %q at %v of %q", m.OperandText(&o), r, text)
		}
		last = r.End
		checkOperand(t, m, &o)
	}
}

func checkOperand(t testing.TB, m *ptxgrammar.Module, o *ptxgrammar.Operand) {
	t.Helper()
	outer := m.OperandRange(o)
	last := outer.Start
	for _, k := range m.Children(o) {
		r := m.OperandRange(&k)
		if r.Start < last || r.End > outer.End {
			t.Fatalf("operand %q at %v in %q", m.OperandText(&k), r, m.OperandText(o))
		}
		last = r.End
		checkOperand(t, m, &k)
	}
}

package diff_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/all"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/diff"
)

func load(t *testing.T, path string) *rewrite.Module {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := ptxgrammar.Parse(filepath.Base(path), src)
	if err != nil {
		t.Fatal(err)
	}
	m, err := rewrite.Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// compare compares a module with what was made of it, with and without origins.
func compare(a, b *rewrite.Module) (byOrigin, byStructure *diff.Diff) {
	origin := func(line int) diff.Origin {
		o := b.Origin(line)
		return diff.Origin{Line: o.Line, Pass: o.Pass, For: o.For}
	}
	pa, pb := diff.Program{Name: "a", Tree: a.AST}, diff.Program{Name: "b", Tree: b.AST}
	byStructure = diff.Semantic(pa, pb)
	pb.Origin = origin
	return diff.Semantic(pa, pb), byStructure
}

// modules calls f for the PTX files that match.
func modules(t *testing.T, pattern string, f func(t *testing.T, m *rewrite.Module)) {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatal("no files match", pattern, err)
	}
	for _, path := range paths {
		t.Run(path, func(t *testing.T) { f(t, load(t, path)) })
	}
}

// made is the number of instructions that are not the user's.
func made(m *rewrite.Module) int {
	n := 0
	for _, f := range m.Funcs {
		for _, in := range f.Insts {
			if m.Origin(in.Line).Line == 0 {
				n++
			}
		}
	}
	return n
}

// The instructions that a pass inserts are those that the comparison lists, by
// origin and by structure.
func TestInserted(t *testing.T) {
	modules(t, "../testdata/corpus/*.ptx", func(t *testing.T, m *rewrite.Module) {
		e := rewrite.NewEditor(m, "test")
		for _, f := range m.Funcs {
			for i, in := range f.Insts {
				if i%3 == 0 {
					e.InsertBefore(in, "membar.cta;\nbar.warp.sync 0xffffffff;")
				}
			}
		}
		out, err := e.Apply()
		if err != nil {
			t.Fatal(err)
		}
		byOrigin, byStructure := compare(m, out)
		want := diff.Stat{Inserted: made(out)}
		if want.Inserted == 0 {
			t.Fatal("nothing was inserted")
		}
		if got := byOrigin.Total(); got != want {
			t.Errorf("by origin: %+v, want %+v", got, want)
		}
		if got := byStructure.Total(); got != want {
			t.Errorf("by structure: %+v, want %+v", got, want)
		}
	})
}

// The same with the passes that there are. An instruction that a pass replaced is
// a change and not an insertion.
func TestPasses(t *testing.T) {
	for _, p := range all.Passes {
		pipeline, err := passes.ParsePipeline(p.Name, all.Passes)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(p.Name, func(t *testing.T) {
			modules(t, "../../examples/*/racy.ptx", func(t *testing.T, m *rewrite.Module) {
				out, err := pipeline.Run(m)
				if err != nil {
					t.Fatal(err)
				}
				checkOrigins(t, m, out.Module)
			})
		})
	}
}

func checkOrigins(t *testing.T, a, b *rewrite.Module) {
	t.Helper()
	d, _ := compare(a, b)
	replaced := 0
	insts := instLines(b)
	for _, s := range d.Sections {
		for _, r := range s.Rows {
			o := b.Origin(int(r.B.Line))
			switch {
			case r.Kind == diff.Added && o.Line != 0:
				t.Errorf("line %d is line %d of the program, and listed as inserted", r.B.Line, o.Line)
			case r.Kind == diff.Changed && o.Line == 0 && insts[int(r.B.Line)]:
				replaced++
			case (r.Kind == diff.Same || r.Kind == diff.Changed) && o.Line != 0 && o.Line != int(r.A.Line):
				t.Errorf("line %d is line %d of the program, and paired with line %d", r.B.Line, o.Line, r.A.Line)
			}
		}
	}
	if got, want := d.Total().Inserted+replaced, made(b); got != want {
		t.Errorf("%d instructions are listed as inserted, %d were", got, want)
	}
	if bytes.Equal(a.Source(), b.Source()) != d.Same() {
		t.Errorf("Same is %v", d.Same())
	}
}

func instLines(m *rewrite.Module) map[int]bool {
	lines := make(map[int]bool)
	for _, f := range m.Funcs {
		for _, in := range f.Insts {
			lines[in.Line] = true
		}
	}
	return lines
}

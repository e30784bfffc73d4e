// Package passtest helps to test passes. It loads modules, runs pipelines, launches kernels in the
// emulator, and compares golden files and expectations written in the input. Only tests import it.
package passtest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/diff"
)

var update = flag.Bool("update", false, "rewrite golden files")

// Load parses and resolves PTX.
func Load(t testing.TB, name string, src []byte) *rewrite.Module {
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

// Run runs a pipeline of the given passes on a module.
func Run(t testing.TB, m *rewrite.Module, pipeline string, all ...*passes.Pass) *passes.Output {
	t.Helper()
	p, err := passes.ParsePipeline(pipeline, all)
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Run(m)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Archives calls f in a subtest for each txtar archive of testdata.
func Archives(t *testing.T, f func(t *testing.T, path string, files Files)) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives in testdata (%v)", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f(t, path, Files{ar})
		})
	}
}

// Files is an archive.
type Files struct{ ar *txtar.Archive }

// Get returns the content of a file, nil if the archive has none of that name.
func (f Files) Get(name string) []byte {
	for _, file := range f.ar.Files {
		if file.Name == name {
			return file.Data
		}
	}
	return nil
}

// Must is Get for a file that must exist.
func (f Files) Must(t testing.TB, name string) []byte {
	t.Helper()
	data := f.Get(name)
	if data == nil {
		t.Fatalf("the archive has no file %s", name)
	}
	return data
}

// Golden compares text with a file of the archive at path, or writes the file if the test runs with -update.
func (f Files) Golden(t testing.TB, path, name, got string) {
	t.Helper()
	if !strings.HasSuffix(got, "\n") {
		got += "\n"
	}
	if *update {
		i := slices.IndexFunc(f.ar.Files, func(file txtar.File) bool { return file.Name == name })
		if i < 0 {
			f.ar.Files = append(f.ar.Files, txtar.File{Name: name})
			i = len(f.ar.Files) - 1
		}
		f.ar.Files[i].Data = []byte(got)
		if err := os.WriteFile(path, txtar.Format(f.ar), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want := string(f.Must(t, name)); got != want {
		t.Errorf("%s differs from the golden file; run with -update to accept:\n%s", name,
			diff.Unified("want", want, "got", got, 3))
	}
}

var wantComment = regexp.MustCompile(`// want: (.*)$`)

// Wants returns the expectations in a source text: a comment "// want: a; b" expects that findings on its line are
// described as a and as b. The result has "line: a" in order of lines.
func Wants(src []byte) []string {
	var wants []string
	for i, line := range strings.Split(string(src), "\n") {
		if m := wantComment.FindStringSubmatch(line); m != nil {
			for want := range strings.SplitSeq(m[1], ";") {
				wants = append(wants, fmt.Sprintf("%d: %s", i+1, strings.TrimSpace(want)))
			}
		}
	}
	return wants
}

// MatchWants compares findings, as "line: description", with the expectations in src. It ignores order within a line,
// and repetitions, since a compiler may copy a statement.
func MatchWants(t testing.TB, src []byte, found []string) {
	t.Helper()
	want, got := Wants(src), slices.Clone(found)
	slices.Sort(want)
	slices.Sort(got)
	want, got = slices.Compact(want), slices.Compact(got)
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("not found: %s", w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			t.Errorf("not expected: %s", g)
		}
	}
}

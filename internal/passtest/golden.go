// Golden files of instrumented modules.

package passtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Golden runs passes on the file in.ptx of every archive of testdata, with the pipeline in the file pipeline. It
// compares the module, without lines of device libraries, with out.ptx, and statistics, diagnostics and sites with the
// files of those names.
func Golden(t *testing.T, all ...*passes.Pass) {
	Archives(t, func(t *testing.T, path string, files Files) {
		pipeline := strings.TrimSpace(string(files.Must(t, "pipeline")))
		out := RunVerified(t, Load(t, "in.ptx", files.Must(t, "in.ptx")), pipeline, all...)
		files.Golden(t, path, "out.ptx", WithoutLibraries(out.Module))
		var b strings.Builder
		for _, s := range out.Stats {
			fmt.Fprintln(&b, s.Pass, s.Counts)
		}
		for _, d := range out.Diagnostics {
			fmt.Fprintln(&b, d)
		}
		files.Golden(t, path, "stats", b.String())
		b.Reset()
		for _, s := range out.Sites {
			fmt.Fprintf(&b, "%d: %s %s, %s, %d bytes, line %d\n", s.ID, s.Access, s.Instruction, s.Space, s.Size,
				s.PTX.Line)
		}
		files.Golden(t, path, "sites", b.String())
	})
}

// RunVerified is Run with Driver.VerifyEach.
func RunVerified(t testing.TB, m *rewrite.Module, pipeline string, all ...*passes.Pass) *passes.Output {
	t.Helper()
	p, err := passes.ParsePipeline(pipeline, all)
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.RunWith(m, passes.Driver{VerifyEach: true})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// WithoutLibraries returns a module's text without the lines of device libraries, whose provenance is a file rather
// than a pass.
func WithoutLibraries(m *rewrite.Module) string {
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(string(m.Source()), "\n"), "\n") {
		if !strings.HasSuffix(m.Origin(i+1).Pass, ".ptx") {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// Input returns the module in the file in.ptx of an archive.
func Input(t testing.TB, archive string) *rewrite.Module {
	t.Helper()
	ar, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	return Load(t, "in.ptx", Files{ar}.Must(t, "in.ptx"))
}

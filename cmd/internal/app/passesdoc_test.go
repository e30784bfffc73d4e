package app

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/all"
	"github.com/ptxsan/ptxsan/passes/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// TestDocsPasses compares docs/generated/passes.md with the passes and with what they do to
// the examples; -update rewrites it.
func TestDocsPasses(t *testing.T) {
	const path = "../../../docs/generated/passes.md"
	got := []byte(dense(passesMarkdown(t)))
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is out of date; run go test ./cmd/internal/app -run TestDocs -update", path)
	}
}

func passesMarkdown(t *testing.T) string {
	var b strings.Builder
	b.WriteString("# What passes do to programs\n\nGenerated from the program: do not edit. `make generate` rewrites it. " +
		"`ptxsan passes` lists the passes, `ptxsan passes NAME` what one does, with its options.\n")
	mods := exampleModules(t)
	sizesInMarkdown(t, &b, mods)
	prunedInMarkdown(t, &b, append(mods, modulesOf(t, "../../../rewrite/testdata/corpus/kernels_*.ptx")...))
	return b.String()
}

// exampleModule is the program of an example.
type exampleModule struct {
	name string
	mod  *rewrite.Module
}

// exampleModules returns the programs in examples. Litmus tests, which do nothing but access
// memory, would say little of programs.
func exampleModules(t *testing.T) []exampleModule {
	return slices.DeleteFunc(modulesOf(t, "../../../examples/*/*.ptx"), func(m exampleModule) bool { return strings.HasPrefix(m.name, "litmus/") })
}

// modulesOf loads the PTX files that match a pattern.
func modulesOf(t *testing.T, pattern string) []exampleModule {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no modules %s (%v)", pattern, err)
	}
	var list []exampleModule
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		mod := program(t, path, src).Module
		list = append(list, exampleModule{filepath.Base(filepath.Dir(path)) + "/" + filepath.Base(path), mod})
	}
	return list
}

func runText(t *testing.T, mod *rewrite.Module, pipeline string) *passes.Output {
	t.Helper()
	p, err := passes.ParsePipeline(pipeline, all.Passes)
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Run(mod)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// sizesInMarkdown writes how programs grow: the sums over all examples.
func sizesInMarkdown(t *testing.T, b *strings.Builder, mods []exampleModule) {
	before := passes.Size{}
	for _, m := range mods {
		s := passes.SizeOf(m.mod)
		before.Bytes, before.Insts = before.Bytes+s.Bytes, before.Insts+s.Insts
	}
	fmt.Fprintf(b, "\n## Size of instrumented programs\n\n"+
		"Over the %d programs in `examples`, together %d instructions and %d bytes. Device libraries are added once per program, whatever its size: "+
		"the last columns leave them out.\n\n"+
		"| pass | instructions | bytes | ratio of bytes | instructions without libraries | ratio |\n|---|---|---|---|---|---|\n", len(mods), before.Insts, before.Bytes)
	for _, p := range all.Passes {
		after, own := passes.Size{}, 0
		for _, m := range mods {
			out := runText(t, m.mod, p.Name).Module
			s := passes.SizeOf(out)
			after.Bytes, after.Insts = after.Bytes+s.Bytes, after.Insts+s.Insts
			own += ownSize(out)
		}
		fmt.Fprintf(b, "| %s | %d | %d | %.2f | %d | %.2f |\n", p.Name, after.Insts, after.Bytes,
			float64(after.Bytes)/float64(before.Bytes), own, float64(own)/float64(before.Insts))
	}
}

// ownSize returns the number of instructions that are not a library's.
func ownSize(m *rewrite.Module) int {
	n := 0
	for _, f := range m.Funcs {
		for _, in := range f.Insts {
			if !strings.HasSuffix(m.Origin(in.Line).Pass, ".ptx") {
				n++
			}
		}
	}
	return n
}

// prunedInMarkdown writes the share of instructions that call a hook, before and
// after pruning, as BARRACUDA's Figure 9 does for its own.
// pipelinesOfPruning are the columns of the last table.
var pipelinesOfPruning = []string{"boundscheck<prune=false>", "boundscheck", "iguard", "iguard<prune>"}

// pruning has the sums of one row of the last table.
type pruning struct {
	name            string
	insts, accesses int
	sites           [4]int
}

func prunedInMarkdown(t *testing.T, b *strings.Builder, mods []exampleModule) {
	b.WriteString("\n## Instrumented instructions and pruning\n\n" +
		"Static instructions that access global memory, and those that a hook is called for, without and with the option `prune` (as in " +
		"Figure 9 of BARRACUDA, PLDI 2017). A compiler that optimises leaves little to prune.\n\n" +
		"| programs | instructions | accesses | boundscheck | pruned | iguard | pruned |\n|---|---|---|---|---|---|---|\n")
	var rows []*pruning
	for _, m := range mods {
		name := m.name
		if !strings.HasPrefix(name, "corpus/") {
			name = "examples"
		}
		if len(rows) == 0 || rows[len(rows)-1].name != name {
			rows = append(rows, &pruning{name: name})
		}
		rows[len(rows)-1].add(t, m)
	}
	for _, r := range rows {
		fmt.Fprintf(b, "| %s | %d | %s |", r.name, r.insts, share(r.accesses, r.insts))
		for _, n := range r.sites {
			fmt.Fprintf(b, " %s |", share(n, r.insts))
		}
		b.WriteString("\n")
	}
}

// add adds the instructions of a program, and the sites of each pipeline.
func (r *pruning) add(t *testing.T, m exampleModule) {
	for in := range instrument.Insts(m.mod) {
		r.insts++
		if instrument.Accesses(in, isa.SpaceNone, isa.SpaceGlobal) {
			r.accesses++
		}
	}
	for i, pipeline := range pipelinesOfPruning {
		r.sites[i] += len(runText(t, m.mod, pipeline).Sites)
	}
}

func share(n, of int) string {
	return fmt.Sprintf("%d (%.1f%%)", n, 100*float64(n)/float64(max(of, 1)))
}

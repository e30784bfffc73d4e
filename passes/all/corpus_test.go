package all_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/passes/all"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// pipelines are all passes one by one, and together: those that replace or wrap
// the user's instructions come last.
func pipelines() []string {
	list := []string{"uniqtid,coverage,instcount,memtrace,iguard,boundscheck", "memtrace<local,const>,iguard<prune>", "boundscheck<prune=false>", "iguard<hoist>,boundscheck<hoist>"}
	for _, p := range all.Passes {
		list = append(list, p.Name)
	}
	return list
}

// TestCorpus instruments the modules of the examples and of package rewrite's tests
// with every pass: what comes out is correct PTX, and a second run makes the same.
func TestCorpus(t *testing.T) {
	for _, pattern := range []string{"../../examples/*/racy.ptx", "../../rewrite/testdata/corpus/*.ptx"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("no modules %s (%v)", pattern, err)
		}
		for _, path := range paths {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			m := passtest.Load(t, path, src)
			for _, pipeline := range pipelines() {
				t.Run(filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path)+"/"+pipeline, func(t *testing.T) {
					out := passtest.RunVerified(t, m, pipeline, all.Passes...)
					strict(t, out.Module.Source())
				})
			}
		}
	}
}

// strict checks a module with all rules of the manual, as ptxas does.
func strict(t *testing.T, src []byte) {
	t.Helper()
	tree, err := ptxgrammar.Parse("out.ptx", src)
	if err == nil {
		_, err = rewrite.Check(tree)
	}
	if err != nil {
		t.Error(err)
	}
}

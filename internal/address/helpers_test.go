package address

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// header starts most test modules.
const header = ".version 7.0\n.target sm_70\n.address_size 64\n"

// load parses, loads and verifies a module that must be right.
func load(t testing.TB, name, src string) *rewrite.Module {
	t.Helper()
	m, err := loadText(name, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// loadText parses, loads and verifies a module.
func loadText(name string, src []byte) (*rewrite.Module, error) {
	ast, err := ptxgrammar.Parse(name, src)
	if err != nil {
		return nil, err
	}
	m, err := rewrite.Load(ast)
	if err != nil {
		return nil, err
	}
	return m, rewrite.Verify(m)
}

// kernel loads a module with one kernel of the given body.
func kernel(t testing.TB, body string) *rewrite.Func {
	t.Helper()
	return load(t, "k.ptx", header+".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"+body+"\n}\n").Kernels()[0]
}

// corpus calls f for each module of rewrite's corpus.
func corpus(t *testing.T, f func(t *testing.T, m *rewrite.Module)) {
	paths, err := filepath.Glob("../../rewrite/testdata/corpus/*.ptx")
	if err != nil || len(paths) == 0 {
		t.Fatal("no corpus", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f(t, load(t, filepath.Base(path), string(src)))
		})
	}
}

package rewrite

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// header starts most test modules.
const header = ".version 7.0\n.target sm_70\n.address_size 64\n"

// load parses and loads a module that must be right.
func load(t testing.TB, name, src string) *Module {
	t.Helper()
	m, err := loadText(name, src)
	if err != nil {
		t.Fatal(messages(err))
	}
	return m
}

// loadText parses, loads and verifies a module.
func loadText(name, src string) (*Module, error) {
	ast, err := ptxgrammar.Parse(name, []byte(src))
	if err != nil {
		return nil, err
	}
	m, err := Load(ast)
	if err != nil {
		return nil, err
	}
	return m, Verify(m)
}

// kernel loads a module with one kernel of the given body.
func kernel(t testing.TB, body string) *Func {
	t.Helper()
	return load(t, "k.ptx", header+".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"+body+"\n}\n").Kernels()[0]
}

// messages is every error of a list, one per line.
func messages(err error) string {
	var list ptxgrammar.ErrorList
	if !errors.As(err, &list) {
		return err.Error() + "\n"
	}
	var b strings.Builder
	for _, e := range list {
		b.WriteString(e.Error() + "\n")
	}
	return b.String()
}

// corpus calls f for each module of testdata/corpus.
func corpus(t *testing.T, f func(t *testing.T, m *Module)) {
	paths, err := filepath.Glob("testdata/corpus/*.ptx")
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

package query

import (
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

const header = ".version 7.0\n.target sm_70\n.address_size 64\n"

// load makes a module of a text.
func load(t testing.TB, name, src string) *rewrite.Module {
	t.Helper()
	ast, err := ptxgrammar.Parse(name, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	m, err := rewrite.Load(ast)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// kernel makes a kernel of a body.
func kernel(t testing.TB, body string) *rewrite.Func {
	t.Helper()
	return load(t, "k.ptx", header+".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"+body+"\n}\n").Kernels()[0]
}

package rewrite

import (
	"os"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

func benchmarkModule(b *testing.B) *ptxgrammar.Module {
	src, err := os.ReadFile("testdata/corpus/kernels_O0.ptx")
	if err != nil {
		b.Fatal(err)
	}
	ast, err := ptxgrammar.Parse("kernels_O0.ptx", src)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	return ast
}

func BenchmarkLoad(b *testing.B) {
	ast := benchmarkModule(b)
	for b.Loop() {
		if _, err := Load(ast); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCFG(b *testing.B) {
	m, err := Load(benchmarkModule(b))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, f := range m.Funcs {
			if f.Defined() {
				buildCFG(f)
			}
		}
	}
}

// BenchmarkApply inserts a line before every instruction: text, parse, load, verify.
func BenchmarkApply(b *testing.B) {
	m, err := Load(benchmarkModule(b))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		e := NewEditor(m, "bench")
		for _, f := range m.Funcs {
			for _, in := range f.Insts {
				e.InsertBefore(in, "membar.gl;")
			}
		}
		if _, err := e.Apply(); err != nil {
			b.Fatal(err)
		}
	}
}

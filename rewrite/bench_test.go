package rewrite

import (
	"fmt"
	"os"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
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

// largeModule repeats the functions of a compiled file under new names until the
// text has about size bytes. The same size gives the same text.
func largeModule(tb testing.TB, size int) []byte {
	tb.Helper()
	src, err := os.ReadFile("testdata/corpus/kernels_O0.ptx")
	if err != nil {
		tb.Fatal(err)
	}
	m := load(tb, "kernels_O0.ptx", string(src))
	start := uint32(len(src))
	for _, f := range m.Funcs {
		if f.Defined() {
			start = min(start, f.AST.Start)
		}
	}
	out := append([]byte(nil), src[:start]...)
	for n := 0; len(out) < size; n++ {
		last := start
		text := string(src)
		for at, word := range words(text[start:]) {
			if f := m.Func(word); f != nil && f.Defined() {
				end := start + uint32(at+len(word))
				out = fmt.Appendf(append(out, src[last:end]...), "_%d", n)
				last = end
			}
		}
		out = append(out, src[last:]...)
	}
	return out
}

// BenchmarkRewrite edits large modules from text to text. The figures are of the
// original: bytes, and instructions of the user's.
func BenchmarkRewrite(b *testing.B) {
	edits := []struct {
		name string
		edit func(b *testing.B, e *Editor)
	}{
		{"line", func(_ *testing.B, e *Editor) {
			for _, f := range e.Module().Funcs {
				for _, in := range f.Insts {
					e.InsertBefore(in, "membar.gl;")
				}
			}
		}},
		{"hook", func(b *testing.B, e *Editor) {
			hook := &Hook{Func: e.Module().Func("access")}
			for _, f := range e.Module().Funcs {
				for _, in := range f.Insts {
					if a := in.Access; a.Kind == isa.AccessNone || a.Space == isa.SpaceParam || f == hook.Func {
						continue
					}
					if err := e.CallBefore(in, hook, Addr(in.Access.Addr), Const32(1), Guard()); err != nil {
						b.Fatal(err)
					}
				}
			}
		}},
	}
	lib := load(b, "hooks.ptx", hookLib)
	for _, mb := range []int{1, 10, 50} {
		src := largeModule(b, mb<<20)
		for _, tt := range edits {
			b.Run(fmt.Sprintf("%s/%dMB", tt.name, mb), func(b *testing.B) {
				insts := 0
				b.SetBytes(int64(len(src)))
				for b.Loop() {
					m, err := Link(load(b, "large.ptx", string(src)), lib, "access")
					if err != nil {
						b.Fatal(err)
					}
					e := NewEditor(m, "bench")
					tt.edit(b, e)
					if _, err := e.Apply(); err != nil {
						b.Fatal(err)
					}
					insts += len(m.AST.Insts)
				}
				b.ReportMetric(float64(insts)/b.Elapsed().Seconds(), "insts/s")
			})
		}
	}
}

// BenchmarkAnalyses computes everything that is known of a function's data.
func BenchmarkAnalyses(b *testing.B) {
	ast := benchmarkModule(b)
	for b.Loop() {
		m, err := Load(ast)
		if err != nil {
			b.Fatal(err)
		}
		for _, f := range m.Funcs {
			if f.Defined() {
				f.DefUse()
				f.Uniformity()
			}
		}
	}
}

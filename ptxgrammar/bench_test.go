package ptxgrammar_test

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/internal/lex"
)

// identifier matches possible names of module-scope symbols.
var identifier = regexp.MustCompile(`[a-zA-Z_$%][a-zA-Z0-9_$]*`)

// piece is a part of a text that ends with a symbol of its module, or with its end.
type piece struct {
	text   string
	symbol bool
}

// largeModule returns a module of at least size bytes: repeated copies of the corpus's items, which compilers wrote,
// each with separate symbols.
func largeModule(t testing.TB, size int) []byte {
	t.Helper()
	var files [][]piece
	for _, path := range corpus(t) {
		if compiled.MatchString(path) {
			files = append(files, pieces(parseFile(t, path)))
		}
	}
	out := []byte(".version 8.0\n.target sm_90\n.address_size 64\n")
	for n := 0; len(out) < size; n++ {
		for _, p := range files[n%len(files)] {
			out = append(out, p.text...)
			if p.symbol {
				out = strconv.AppendInt(append(out, '_'), int64(n), 10)
			}
		}
	}
	return out
}

var compiled = regexp.MustCompile("/clang_")

// pieces returns the items of a module without its header, cut after every mention of a
// module-scope symbol.
func pieces(m *ptxgrammar.Module) (out []piece) {
	symbols := map[string]bool{}
	for _, f := range m.Funcs {
		symbols[f.Name] = true
	}
	for _, it := range m.Items {
		if it.Kind == ptxgrammar.ItemDecl {
			for _, v := range m.Decls[it.Index].Vars {
				symbols[v.Name] = true
			}
		}
	}
	at := uint32(0)
	for _, it := range m.Items {
		r := m.ItemRange(it)
		if it.Kind == ptxgrammar.ItemFile || it.Kind == ptxgrammar.ItemDirective && m.Directives[it.Index].Name != ".section" {
			at = r.End
			continue
		}
		text := m.Text(ptxgrammar.Range{Start: at, End: r.End}) + "\n"
		last := 0
		for _, where := range identifier.FindAllStringIndex(text, -1) {
			if symbols[text[where[0]:where[1]]] {
				out = append(out, piece{text[last:where[1]], true})
				last = where[1]
			}
		}
		out = append(out, piece{text[last:], false})
		at = r.End
	}
	return out
}

// benchmarkSizes runs f for texts of 1, 10 and 50 MB, on one core and on all.
func benchmarkSizes(b *testing.B, f func(b *testing.B, src []byte, cores int)) {
	all := runtime.GOMAXPROCS(0)
	for _, mb := range []int{1, 10, 50} {
		src := largeModule(b, mb*1_000_000)
		for _, cores := range []int{1, all} {
			b.Run(fmt.Sprintf("%dMB/cores=%d", mb, cores), func(b *testing.B) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
				b.SetBytes(int64(len(src)))
				b.ReportAllocs()
				f(b, src, cores)
			})
			if all == 1 {
				break
			}
		}
	}
}

// BenchmarkParse measures text to tree. heap-B/B is the memory in use after Parse, per
// byte of text and without the text.
func BenchmarkParse(b *testing.B) {
	benchmarkSizes(b, func(b *testing.B, src []byte, _ int) {
		for b.Loop() {
			parseAll(b, src)
		}
		b.ReportMetric(float64(heapOf(func() any { return parseAll(b, src) }))/float64(len(src)), "heap-B/B")
	})
}

// BenchmarkLex measures text to tokens.
func BenchmarkLex(b *testing.B) {
	benchmarkSizes(b, func(b *testing.B, src []byte, cores int) {
		for b.Loop() {
			lex.Scan(src, cores)
		}
	})
}

// BenchmarkParseFile measures the largest file that a compiler wrote.
func BenchmarkParseFile(b *testing.B) {
	src, err := os.ReadFile("testdata/corpus/clang_features_sm70_O0_g.ptx")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		parseAll(b, src)
	}
}

func parseAll(t testing.TB, src []byte) *ptxgrammar.Module {
	m, err := ptxgrammar.Parse("bench.ptx", src)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// heapOf returns the number of bytes that what make returns keeps in use.
func heapOf(create func() any) uint64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	v := create()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(v)
	return after.HeapAlloc - before.HeapAlloc
}

// TestHeap holds the memory in use after Parse, whatever the number of workers.
func TestHeap(t *testing.T) {
	src := largeModule(t, 2_000_000)
	if got := float64(heapOf(func() any { return parseAll(t, src) })) / float64(len(src)); got > 6.5 {
		t.Errorf("%.2f bytes per byte of text, want at most 6.5", got)
	}
}

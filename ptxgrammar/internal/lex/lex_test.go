package lex_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/antlr4-go/antlr/v4"

	"github.com/ptxsan/ptxsan/ptxgrammar/internal/antlrgen"
	"github.com/ptxsan/ptxsan/ptxgrammar/internal/lex"
)

// byteStream is a CharStream of bytes: the table works on bytes, so must its oracle.
type byteStream struct {
	src []byte
	pos int
}

func (s *byteStream) LA(k int) int {
	i := s.pos + k - 1
	if k < 0 {
		i++
	}
	if i < 0 || i >= len(s.src) {
		return antlr.TokenEOF
	}
	return int(s.src[i])
}
func (s *byteStream) Consume()                                  { s.pos++ }
func (s *byteStream) Mark() int                                 { return 0 }
func (s *byteStream) Release(int)                               {}
func (s *byteStream) Index() int                                { return s.pos }
func (s *byteStream) Seek(i int)                                { s.pos = i }
func (s *byteStream) Size() int                                 { return len(s.src) }
func (s *byteStream) GetSourceName() string                     { return "" }
func (s *byteStream) GetText(a, b int) string                   { return string(s.src[a : b+1]) }
func (s *byteStream) GetTextFromTokens(_, _ antlr.Token) string { return "" }
func (s *byteStream) GetTextFromInterval(antlr.Interval) string { return "" }

// oracle returns the tokens that the generated ANTLR lexer finds.
func oracle(t testing.TB, src []byte) []lex.Tok {
	l := antlrgen.NewPTXLexer(&byteStream{src: src})
	l.RemoveErrorListeners()
	var toks []lex.Tok
	for {
		tok := l.NextToken()
		if tok.GetTokenType() == antlr.TokenEOF {
			return append(toks, lex.MakeTok(uint32(len(src)), 0, lex.EOF))
		}
		start, stop := tok.GetStart(), tok.GetStop()
		toks = append(toks, lex.MakeTok(uint32(start), uint32(stop+1-start), uint8(tok.GetTokenType())))
		if len(toks) > len(src) {
			t.Fatal("the ANTLR lexer does not advance")
		}
	}
}

func compare(t testing.TB, src []byte) {
	t.Helper()
	got, want := lex.Scan(src, 1), oracle(t, src)
	if slices.Equal(got, want) {
		return
	}
	for i := range got {
		if i >= len(want) || got[i] != want[i] {
			t.Fatalf("token %d of %q: kind %d at %d..%d, want %+v", i, src, got[i].Kind(), got[i].Off, got[i].End(), want[min(i, len(want)-1)])
		}
	}
	t.Fatalf("%d tokens of %q, want %d", len(got), src, len(want))
}

func corpus(t testing.TB) [][]byte {
	files, err := filepath.Glob("../../testdata/corpus/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus", err)
	}
	var out [][]byte
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, src)
	}
	return out
}

func TestScanAgainstANTLR(t *testing.T) {
	for _, src := range corpus(t) {
		compare(t, src)
	}
	for _, s := range []string{
		"", " ", ".5", ".2d", "1.0", "1.", "1.x", "1e5", "1e", "1e+", "1.e-3", "0x", "0xF", "0x1U", "0b2", "0b1U", "12U", "0f3F80", "0d", "08",
		".a::b", ".a::", ".a:::b", ".", "..", "%", "%%", "%r1", "%r1.x", "$", "_", "a$b_1", "a.b", "1a", "<<", "<", "<<<", "&&&", "|||", "!==", "===",
		`"a\"b"`, `"a`, `"a\`, "\"a\\\nb\"", "\"a\nb\"", "/**/", "/***/", "/*", "/* *", "/*/", "/* a */ b */", "// a\r\nb", "//", "# x\ny", "#", "@@DWARF\nx", "@@", "@ @",
		"\x00", "\x80", "é", "\xff\xfe", "a\x7fb", "\f\v", "`'\\",
	} {
		compare(t, []byte(s))
	}
}

// TestScanOfDamagedText compares on random damage to the corpus.
func TestScanOfDamagedText(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	texts := corpus(t)
	alphabet := []byte(".\"/*'\\\n\r@#{}%eE+-0xf_é:<>&|=!\x00\xff ")
	for range 300 {
		src := texts[rnd.IntN(len(texts))]
		from := rnd.IntN(len(src))
		src = bytes.Clone(src[from:min(len(src), from+200)])
		for range 1 + rnd.IntN(8) {
			src[rnd.IntN(len(src))] = alphabet[rnd.IntN(len(alphabet))]
		}
		compare(t, src)
	}
}

func TestTokensCoverTheText(t *testing.T) {
	for _, src := range corpus(t) {
		last := uint32(0)
		for _, tok := range lex.Scan(src, 1) {
			if tok.Off < last {
				t.Fatalf("token at %d begins before %d", tok.Off, last)
			}
			last = tok.End()
		}
		if last != uint32(len(src)) {
			t.Errorf("the tokens end at %d of %d", last, len(src))
		}
	}
}

func TestLongTokenIsCut(t *testing.T) {
	src := bytes.Repeat([]byte{'a'}, lex.MaxLen+10)
	toks := lex.Scan(src, 1)
	if len(toks) != 2 || toks[0].Len() != lex.MaxLen {
		t.Errorf("%d tokens, the first of %d bytes", len(toks), toks[0].Len())
	}
}

func FuzzLex(f *testing.F) {
	for _, src := range corpus(f) {
		f.Add(src[:min(len(src), 2000)])
	}
	f.Fuzz(func(t *testing.T, src []byte) { compare(t, src) })
}

func BenchmarkScan(b *testing.B) {
	src := bytes.Join(corpus(b), nil)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		lex.Scan(src, 1)
	}
}

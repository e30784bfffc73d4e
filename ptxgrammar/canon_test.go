package ptxgrammar_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/internal/lex"
)

// TestCanonicalGolden compares the layout of small texts with golden files.
func TestCanonicalGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/canon/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatal("no test files", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			got := canonical(t, name, readFile(t, name))
			golden := strings.TrimSuffix(name, ".ptx") + ".golden"
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want := readFile(t, golden); !bytes.Equal(got, want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
			checkCanonical(t, name, readFile(t, name))
		})
	}
}

// TestCanonicalCorpus: the properties hold for every file at hand, written with
// Windows line ends, too.
func TestCanonicalCorpus(t *testing.T) {
	for _, pattern := range []string{"testdata/corpus/*.ptx", "../examples/*/*.ptx", "../passes/device/lib/*.ptx"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, name := range files {
			src := readFile(t, name)
			checkCanonical(t, name, src)
			checkCanonical(t, name, bytes.ReplaceAll(src, []byte("\n"), []byte("\r\n")))
		}
	}
}

// FuzzCanonical: the properties hold for every text that parses.
func FuzzCanonical(f *testing.F) {
	files, err := filepath.Glob("testdata/canon/*.ptx")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if _, err := ptxgrammar.Parse("fuzz.ptx", src); err == nil {
			checkCanonical(t, "fuzz.ptx", src)
		}
	})
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func canonical(t *testing.T, name string, src []byte) []byte {
	t.Helper()
	m, err := ptxgrammar.Parse(name, src)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return ptxgrammar.Canonical(m)
}

// checkCanonical: the layout keeps tokens and comments, and is its own layout.
func checkCanonical(t *testing.T, name string, src []byte) {
	t.Helper()
	out := canonical(t, name, src)
	again := canonical(t, name+" (laid out)", out)
	if !bytes.Equal(out, again) {
		t.Fatalf("%s: a second time gives another text, from\n%s\nto\n%s", name, firstDifference(out, again), firstDifference(again, out))
	}
	if a, b := words(src), words(out); !slices.Equal(a, b) {
		i := 0
		for i < len(a) && i < len(b) && a[i] == b[i] {
			i++
		}
		t.Fatalf("%s: word %d differs: %q and %q", name, i, a[i:min(i+3, len(a))], b[i:min(i+3, len(b))])
	}
}

// firstDifference returns the line of a that b does not have.
func firstDifference(a, b []byte) string {
	x, y := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for i := range x {
		if i >= len(y) || x[i] != y[i] {
			return x[i]
		}
	}
	return ""
}

// words returns the tokens and comments of a text in order.
func words(src []byte) []string {
	var out []string
	unix := strings.NewReplacer("\r\n", "\n", "\r", "\n")
	at := uint32(0)
	for _, tok := range lex.Scan(src, 1) {
		gap := unix.Replace(string(src[at:tok.Off]))
		for gap = strings.TrimLeft(gap, " \t\n\f"); gap != ""; gap = strings.TrimLeft(gap, " \t\n\f") {
			n := len(gap)
			if strings.HasPrefix(gap, "/*") {
				n = strings.Index(gap[2:], "*/") + 4
			} else if end := strings.IndexByte(gap, '\n'); end >= 0 {
				n = end
			}
			out = append(out, strings.TrimRight(gap[:n], " \t\f"))
			gap = gap[n:]
		}
		out = append(out, unix.Replace(string(src[tok.Off:tok.End()])))
		at = tok.End()
	}
	return out
}

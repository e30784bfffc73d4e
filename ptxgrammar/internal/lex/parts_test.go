package lex

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// checkParts scans a text whole and in small parts.
func checkParts(t *testing.T, src []byte) {
	t.Helper()
	want := Scan(src, 1)
	for _, size := range []int{1, 7, 100} {
		ends := cutLines(src, len(src)+1, size)
		if ends[len(ends)-1] != len(src) || !slices.IsSorted(ends) {
			t.Fatalf("parts of %q end at %v", src, ends)
		}
		if got := scanParts(src, ends); !slices.Equal(got, want) {
			t.Fatalf("other tokens of %q cut at %v", src, ends)
		}
	}
}

func TestParts(t *testing.T) {
	for _, s := range []string{
		"", "\n", "\n\n\n", "a\nb", "a\n b \n", "/* a\nb\nc */ d\ne", "/*\n/*\n*/\nx */\n", "/*\n\n\na\nb", "// a\r\nb\r\n", "\"a\nb\"\n\"\n",
		"a\n/*\n\n*/\n/*\n\n", "\n*/\n/*", "# a\n\n@@b\n c",
	} {
		checkParts(t, []byte(s))
	}
	rnd := rand.New(rand.NewPCG(9, 10))
	words := []string{"/*", "*/", "\n", "\n", " ", "\"", "//", "abc", "\\", "\r\n", "1.5", ".x", "#", "@@"}
	for range 3000 {
		var s strings.Builder
		for range rnd.IntN(30) {
			s.WriteString(words[rnd.IntN(len(words))])
		}
		checkParts(t, []byte(s.String()))
	}
	files, err := filepath.Glob("../../testdata/corpus/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus", err)
	}
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		checkParts(t, src)
	}
}

// TestPartsOfLargeText goes the way of large texts.
func TestPartsOfLargeText(t *testing.T) {
	src := []byte(strings.Repeat("/* a */ mov.u32 %r1, 1.5; // b\n", 10000))
	want := Scan(src, 1)
	for _, workers := range []int{2, 3, 8} {
		if n := len(cutLines(src, workers, minChunk)); n != min(workers, len(src)/minChunk+1) {
			t.Errorf("%d parts for %d workers", n, workers)
		}
		if !slices.Equal(Scan(src, workers), want) {
			t.Errorf("%d workers find other tokens", workers)
		}
	}
}

func FuzzParts(f *testing.F) {
	for _, s := range []string{"a\nb /* \n c */ \"d\n", "/*\n*/\n/*\n", "// x\r\n\t1.5\n.x\n", "\\\n\"\\\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) { checkParts(t, src) })
}

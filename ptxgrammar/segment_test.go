package ptxgrammar

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// segmentTexts returns the corpus files and all of them in one.
func segmentTexts(t testing.TB) [][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/corpus/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatal("no corpus", err)
	}
	var texts [][]byte
	for _, path := range files {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, src)
	}
	return append(texts, bytes.Join(texts, nil))
}

// checkSegments parses a text whole and in the smallest segments: trees and messages
// must be the same.
func checkSegments(t testing.TB, src []byte) {
	t.Helper()
	want, errWant := parse("t.ptx", src, 1, len(src))
	for _, workers := range []int{2, 5} {
		got, err := parse("t.ptx", src, workers, 1)
		if !reflect.DeepEqual(err, errWant) {
			t.Fatalf("%d workers: %v, want %v", workers, err, errWant)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%d workers: another tree of %.1000q", workers, src)
		}
	}
}

func TestSegments(t *testing.T) {
	for _, src := range segmentTexts(t) {
		checkSegments(t, src)
	}
	whole := segmentTexts(t)
	src := whole[len(whole)-1]
	file, toks := scan("t.ptx", src, 1)
	if cuts, err := survey(file, toks, 1); err != nil || len(cuts) < 20 {
		t.Errorf("%d cuts, %v", len(cuts), err)
	}
}

// TestSegmentsOfDamagedText checks that messages do not depend on where a text is cut.
func TestSegmentsOfDamagedText(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	texts := segmentTexts(t)
	words := []string{"}", "{", "(", ")", ";", ".func", ".entry f", ".section x {", "\"", "/*", "*/", "99999999999999999999", ".align 3", "} .reg .b32 x;"}
	for range 150 {
		src := texts[rnd.IntN(len(texts))]
		for range 1 + rnd.IntN(2) {
			at := rnd.IntN(len(src))
			src = fmt.Appendf(nil, "%s %s %s", src[:at], words[rnd.IntN(len(words))], src[at:])
		}
		if len(src) < 40_000 {
			checkSegments(t, src)
		}
	}
}

// TestSegmentErrors checks that the limit on messages applies to all segments together.
func TestSegmentErrors(t *testing.T) {
	src := bytes.Repeat([]byte(".func f() { mov.u32 a, 08; mov.u32 a, 09; }\n"), 60)
	_, err := parse("t.ptx", src, 3, 1)
	var list ErrorList
	if !errors.As(err, &list) || len(list) != maxErrors || list[maxErrors-1].Pos.Line != maxErrors/2 {
		t.Errorf("%d errors, %v", len(list), err)
	}
	checkSegments(t, src)
}

func FuzzSegments(f *testing.F) {
	for _, src := range segmentTexts(f) {
		if len(src) < 4000 {
			f.Add(src)
		}
	}
	f.Add([]byte(".func f() .pragma \"x\"; .func g() {} .section .x {} .global .u32 a = {} ; .func h() { ret }"))
	f.Fuzz(func(t *testing.T, src []byte) { checkSegments(t, src) })
}

package ptxgrammar_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

func TestFile(t *testing.T) {
	f := ptxgrammar.NewFile("f", []byte("ab\r\n\ncé d\n"))
	for off, want := range map[uint32]string{0: "f:1:1", 2: "f:1:3", 3: "f:1:4", 4: "f:2:1", 5: "f:3:1", 8: "f:3:4", 9: "f:3:5", 11: "f:4:1"} {
		if got := f.Position(off).String(); got != want {
			t.Errorf("offset %d is at %s, want %s", off, got, want)
		}
	}
	for line, want := range map[int]string{-1: "", 0: "", 1: "ab", 2: "", 3: "cé d", 4: "", 5: ""} {
		if got := f.LineText(line); got != want {
			t.Errorf("line %d is %q, want %q", line, got, want)
		}
	}
	if got := ptxgrammar.NewFile("f", []byte("x\ny")).LineText(2); got != "y" {
		t.Errorf("last line %q", got)
	}
	if got := ptxgrammar.NewFile("f", nil).Position(0).String(); got != "f:1:1" {
		t.Errorf("empty file begins at %s", got)
	}
}

func TestErrorList(t *testing.T) {
	at := func(line, col int, msg string) *ptxgrammar.Error {
		return &ptxgrammar.Error{Pos: ptxgrammar.Position{File: "f", Line: line, Col: col}, Msg: msg}
	}
	l := ptxgrammar.ErrorList{at(2, 1, "c"), at(1, 9, "b"), at(1, 2, "a"), at(2, 1, "d")}
	l.Sort()
	got := ""
	for _, e := range l {
		got += e.Msg
	}
	if got != "abcd" {
		t.Errorf("order %s", got)
	}
	for n, want := range map[int]string{0: "no errors", 1: "f:1:2: a", 3: "f:1:2: a (and 2 more)"} {
		if got := l[:n].Error(); got != want {
			t.Errorf("%d errors print as %q, want %q", n, got, want)
		}
	}
}

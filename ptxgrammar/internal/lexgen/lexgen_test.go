package main

import (
	"bytes"
	"os"
	"testing"
)

func TestTableIsUpToDate(t *testing.T) {
	want, err := Generate()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../lex/table.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("internal/lex/table.go is not what lexgen makes of the generated lexer: run ptxgrammar/generate.sh")
	}
	again, err := Generate()
	if err != nil || !bytes.Equal(again, want) {
		t.Error("two runs of lexgen differ", err)
	}
}

func TestReadATNRefuses(t *testing.T) {
	for name, data := range map[string][]int32{
		"empty":         nil,
		"version":       {3},
		"parser":        {4, 1},
		"non-greedy":    {4, 0, 1, 0, 1, 0},
		"several modes": {4, 0, 1, 0, 0, 0, 0, 2, 0, 0},
		"cut short":     {4, 0, 1, 0, 0, 0, 0, 1, 0, 5},
	} {
		if _, err := readATN(data); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

package query

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// callGraph returns a module whose functions call each other as the pairs say.
func callGraph(t *testing.T, n int, calls [][2]int) *rewrite.Module {
	t.Helper()
	var text strings.Builder
	text.WriteString(".version 8.0\n.target sm_80\n.address_size 64\n")
	for i := range n {
		fmt.Fprintf(&text, ".func f%d;\n", i)
	}
	for i := range n {
		fmt.Fprintf(&text, ".func f%d\n{\n", i)
		for _, c := range calls {
			if c[0] == i {
				fmt.Fprintf(&text, "\tcall f%d;\n", c[1])
			}
		}
		text.WriteString("\tret;\n}\n")
	}
	tree, err := ptxgrammar.Parse("graph.ptx", []byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rewrite.Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	return mod
}

// TestRecursive: functions on cycles of calls are recursive, and those before, between and behind them are not.
func TestRecursive(t *testing.T) {
	calls := [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 1}, {3, 4}, {4, 5}, {5, 5}, {5, 6}, {6, 7}, {0, 7}}
	want := "-rrr-r--"
	mod := callGraph(t, len(want), calls)
	var got []byte
	for i := range want {
		mark := byte('-')
		if Recursive(mod, mod.Func(fmt.Sprintf("f%d", i))) {
			mark = 'r'
		}
		got = append(got, mark)
	}
	if string(got) != want {
		t.Errorf("recursive: %s, want %s", got, want)
	}
}

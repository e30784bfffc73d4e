package factfile_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/factfile"
)

// TestAssign: assignments are the launches of each kernel, of the parameters that it has.
func TestAssign(t *testing.T) {
	kernels := []factfile.Kernel{{Name: "a", Params: []string{"p", "size"}}, {Name: "b", Params: []string{"q"}}}
	f, err := factfile.Assign("n=1024, size = n, block.x=256,grid.x=(n+255)/256,parameter1=max(m, 2)", kernels)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err = f.Write(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"kernel: a\n    variables: {m: s32}\n    grid: [4, unknown, unknown]\n    block: [256, unknown, unknown]\n    args:\n      - \"max(2, m)\"\n      - 1024\n",
		"kernel: b\n    variables: {m: s32}\n    grid: [4, unknown, unknown]\n    block: [256, unknown, unknown]\n    args:\n      - \"max(2, m)\"\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no\n%s\nin\n%s", want, &b)
		}
	}
	if again, err := factfile.Parse("again", b.Bytes()); err != nil || len(again.Launches) != 2 {
		t.Errorf("as a file: %v", err)
	}
}

// TestAssignErrors: what makes no sense is an error that names it.
func TestAssignErrors(t *testing.T) {
	kernels := []factfile.Kernel{{Name: "a", Params: []string{"p"}}}
	for text, want := range map[string]string{
		"x=3":                 `no kernel has a parameter "x"`,
		"parameter 2=3":       `no kernel has a parameter "parameter 2"`,
		"parameter x=3":       "expected NAME=FORMULA",
		"block.x=":            `in "block.x="`,
		"block.x=1,block.x=2": "a second value of block.x",
		"grid.x=block.x":      "block.x has no value yet",
		"block.x=1,,":         "expected NAME=FORMULA",
		"p=(1":                "in",
	} {
		if _, err := factfile.Assign(text, kernels); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

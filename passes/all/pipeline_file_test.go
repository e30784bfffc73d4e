package all_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/all"
)

// TestPipelineFile: the places of mistakes in a file of passes.
func TestPipelineFile(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"", ""},
		{"coverage\n#x\n , coverage\n", `f:3:2: expected the name of a pass, found ","`},
		{"iguard<granularity=8>,\nacqrel,coverage", ""},
		{"iguard<granularity=\n8>", `f:1:20: `},
		{"\t\tiguard<x>", `f:1:10: pass iguard has no option "x"`},
	} {
		_, err := passes.ParsePipelineFile("f", tc.text, all.Passes)
		if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.HasPrefix(err.Error(), tc.want)) {
			t.Errorf("%q: error %v, want %s", tc.text, err, tc.want)
		}
	}
}

// FuzzPipelineFile: a mistake in a file of passes has a place in it.
func FuzzPipelineFile(f *testing.F) {
	for _, s := range []string{"", "coverage\n", "# x\niguard<granularity=8>,\n\tuniqtid # y", "a\n<", ",,\n\n", "memtrace<local\n>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, err := passes.ParsePipelineFile("f", text, all.Passes)
		if err == nil {
			return
		}
		var line, col int
		if n, _ := fmt.Sscanf(err.Error(), "f:%d:%d: ", &line, &col); n != 2 || line < 1 || line > strings.Count(text, "\n")+1 || col < 1 {
			t.Errorf("error %q", err)
		}
	})
}

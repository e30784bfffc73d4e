package observe

import (
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

func TestParseFilterErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":            "expected " + FilterSyntax + `; found ""`,
		"warp":        "expected " + FilterSyntax + `; found "warp"`,
		"kernel=":     "expected " + FilterSyntax + `; found "kernel="`,
		"thread=3":    `unknown key "thread"; expected ` + FilterSyntax,
		"warp=x":      "warp=x: expected a number or a range such as 2-5",
		"warp=5-2":    "warp=5-2: expected a number or a range such as 2-5",
		"line=k.cu:":  "line=k.cu:: expected N or N-M, of the PTX, or FILE:N",
		"block=(1,2":  "block=(1,2: expected (x,y,z)",
		"block=(1,x)": "block=(1,x): expected (x,y,z)",
		"kernel=[":    "kernel=[: not a pattern",
	} {
		if _, err := ParseFilter(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, expected %s", text, err, want)
		}
	}
}

// TestFilter asks of a few instructions whether they are chosen.
func TestFilter(t *testing.T) {
	ast, err := ptxgrammar.Parse("k.ptx", []byte(".version 7.5\n.target sm_70\n.address_size 64\n.file 1 \"src/k.cu\"\n.entry k() {\n.loc 1 30 0\nret;\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rewrite.Load(ast)
	if err != nil {
		t.Fatal(err)
	}
	ret := mod.Funcs[0].Insts[0] // line 7 of the PTX, src/k.cu:30
	grid := emu.Dim3{X: 4, Y: 2, Z: 1}
	for _, c := range []struct {
		filter string
		block  emu.Dim3
		warp   uint32
		want   bool
	}{
		{"kernel=k", emu.Dim3{}, 0, true},
		{"kernel=shown*", emu.Dim3{}, 0, true},
		{"kernel=x", emu.Dim3{}, 0, false},
		{"kernel=x,kernel=k", emu.Dim3{}, 0, true},
		{"block=5", emu.Dim3{X: 1, Y: 1}, 0, true},
		{"block=(1,1,0)", emu.Dim3{X: 1, Y: 1}, 0, true},
		{"block=(1)", emu.Dim3{X: 1, Y: 1}, 0, false},
		{"block=0-4", emu.Dim3{X: 1, Y: 1}, 0, false},
		{"block=(1,1,0),warp=1-2", emu.Dim3{X: 1, Y: 1}, 2, true},
		{"block=(1,1,0),warp=1-2", emu.Dim3{X: 1, Y: 1}, 3, false},
		{"line=7", emu.Dim3{}, 0, true},
		{"line=8-9, line=1", emu.Dim3{}, 0, false},
		{"line=k.cu:30", emu.Dim3{}, 0, true},
		{"line=src/k.cu:29-31", emu.Dim3{}, 0, true},
		{"line=c/k.cu:30", emu.Dim3{}, 0, false},
	} {
		f, err := ParseFilter(c.filter)
		if err != nil {
			t.Fatal(err)
		}
		k := clock{filter: f, names: Names{Kernel: func(string) string { return "shown(int)" }}}
		k.grids = []runningGrid{{kernel: "k", extent: grid, shown: f.matchKernel("k", "shown(int)")}}
		if got := k.shows(grid.Linear(c.block), c.warp, ret); got != c.want {
			t.Errorf("%s: block %v warp %d: %v", c.filter, c.block, c.warp, got)
		}
	}
}

// FuzzParseFilter: whatever the text, there is a filter or an error.
func FuzzParseFilter(f *testing.F) {
	for _, s := range []string{"kernel=k*,block=(1,2,3),warp=0-1,line=k.cu:3-4", "block=)),(", "line=:", "warp=18446744073709551615"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		filter, err := ParseFilter(text)
		if (filter == nil) != (err != nil) {
			t.Fatalf("%q: %v and %v", text, filter, err)
		}
		if err == nil {
			filter.matchKernel("k", "k(int)")
			filter.matchBlock(1, emu.Dim3{X: 2, Y: 1, Z: 1})
			filter.matchWarp(0)
		}
	})
}

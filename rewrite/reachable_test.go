// Tests of what is left out of large modules.

package rewrite

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
)

const reachableModule = `.version 7.0
.target sm_70
.address_size 64
.extern .func outside(.param .b32 x);
.func helper(.param .b32 x) { ret; }
.func unused(.param .b32 x)
{
	ret;
}
.func table_entry() { ret; }
.global .align 8 .u64 table[1] = {table_entry};
.visible .entry first() {
	.param .b32 p;
	call helper, (p);
	ret;
} .visible .entry second() {
	.param .b32 p;
	call helper_of_second, (p);
	call outside, (p);
	ret;
} .func helper_of_second(.param .b32 x) { ret; }
.visible .entry child() { ret; }
.visible .entry launches() {
	.reg .b64 %rd1;
	mov.u64 %rd1, child;
	ret;
}
.func %percent() { ret; }
.func $dollar() { ret; }
.visible .entry unusual() { .reg .b32 %percents; call %percent; call $dollar; ret; }
`

// TestOnlyReachable: what kernels call, name or find in tables stays, on its lines and columns.
func TestOnlyReachable(t *testing.T) {
	tree, err := ptxgrammar.Parse("a.ptx", []byte(reachableModule))
	if err != nil {
		t.Fatal(err)
	}
	for kernel, want := range map[string]string{
		"first":    "helper table_entry first",
		"second":   "outside table_entry second helper_of_second",
		"child":    "table_entry child",
		"launches": "table_entry child launches",
		"unusual":  "table_entry %percent $dollar unusual",
	} {
		text := OnlyReachable(tree, []string{kernel})
		short, err := ptxgrammar.Parse("a.ptx", text)
		if err != nil {
			t.Fatalf("%s: %v in\n%s", kernel, err, text)
		}
		var names []string
		for i := range short.Funcs {
			f := &short.Funcs[i]
			names = append(names, f.Name)
			j := slices.IndexFunc(tree.Funcs, func(g ptxgrammar.Func) bool { return g.Name == f.Name })
			if got, was := short.File.Position(f.NameAt.Start), tree.File.Position(tree.Funcs[j].NameAt.Start); got != was {
				t.Errorf("%s: %s is at %v, was at %v", kernel, f.Name, got, was)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s reaches %s, want %s", kernel, got, want)
		}
	}
	if text := OnlyReachable(tree, []string{"first", "second", "launches", "unused", "unusual"}); text != nil {
		t.Errorf("all is reached, got\n%s", text)
	}
}

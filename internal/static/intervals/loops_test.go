package intervals

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// TestNamesOfLoops: loops with barriers have the same names in every run, on which certificates rest.
func TestNamesOfLoops(t *testing.T) {
	var body strings.Builder
	for i := range 6 {
		fmt.Fprintf(&body, "mov.u32 %%r1, 0;\nL%d:\nbar.sync 0;\nadd.u32 %%r1, %%r1, 1;\nsetp.lt.u32 %%p, %%r1, %d;\n@%%p bra L%d;\n", i, i+3, i)
	}
	text := ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p; .reg .b32 %r1;\n" + body.String() + "ret;\n}\n"
	ast, err := ptxgrammar.Parse("k.ptx", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m, err := rewrite.Load(ast)
	if err != nil {
		t.Fatal(err)
	}
	first := ""
	for range 20 {
		names := ""
		for _, l := range Of(symbolic.New(m.Kernels()[0], nil), isa.BarrierOfCTA).loops {
			names += l.Round.String() + " "
		}
		if first == "" {
			first = names
		}
		if names != first || strings.Count(names, " ") != 6 {
			t.Fatalf("%s, at first %s", names, first)
		}
	}
}

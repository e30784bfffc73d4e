package analysis_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestOverlap: where launches may overlap, a note says that they are not compared: a launch of the file is
// programmatic, or the module has griddepcontrol.
func TestOverlap(t *testing.T) {
	const buffers = "buffers: {x: {type: u32, count: 64}}\nlaunches:\n  - {kernel: k, grid: 1, block: 32, args: [x]}\n  - {kernel: k, grid: 1, block: 32, args: [x]"
	for _, c := range []struct{ inst, file, want string }{
		{"", "", ""},
		{"", buffers + "}\n", ""},
		{"", buffers + ", programmatic: true}\n", "l.yaml:4:"},
		{"griddepcontrol.wait;", "", "k.ptx:6:1: griddepcontrol.wait"},
	} {
		src := ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n" + c.inst + "\nret;\n}\n"
		tree, err := ptxgrammar.Parse("k.ptx", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		m, err := rewrite.Load(tree)
		if err != nil {
			t.Fatal(err)
		}
		var o analysis.Options
		if c.file != "" {
			if o.File, err = launch.Parse("l.yaml", []byte(c.file), launch.Options{}); err != nil {
				t.Fatal(err)
			}
		}
		out, err := analysis.Run(context.Background(), session.NewProgram(m), o)
		if err != nil {
			t.Fatal(err)
		}
		said := slices.ContainsFunc(out.Report.Notes, func(n string) bool {
			return strings.HasPrefix(n, "launches are not compared with each other") && strings.Contains(n, c.want)
		})
		if said != (c.want != "") {
			t.Errorf("%q, %q: notes %q", c.inst, c.file, out.Report.Notes)
		}
	}
}

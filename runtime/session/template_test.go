package session_test

import (
	"fmt"
	"testing"

	launchfile "github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestTemplateExtents: the block has the dimensions of %tid and %ntid that the kernel or a function
// uses, within what the kernel allows, and the grid those of %ctaid.
func TestTemplateExtents(t *testing.T) {
	for _, c := range []struct{ perf, body, want string }{
		{"", "mov.u32 %r1, %tid.x;", "[1 1 1] [64 1 1]"},
		{"", "", "[1 1 1] [64 1 1]"},
		{"", "mov.u32 %r1, %ctaid.x;", "[2 1 1] [64 1 1]"},
		{"", "mov.u32 %r1, %ntid.y; mov.u32 %r1, %ctaid.y;", "[1 2 1] [16 16 1]"},
		{"", "mov.u32 %r1, %tid.z; mov.u32 %r1, %ctaid.z;", "[1 1 2] [8 8 4]"},
		{"", "call f;", "[1 1 1] [16 16 1]"},
		{".maxntid 64, 1, 1", "mov.u32 %r1, %tid.y;", "[1 1 1] [8 8 1]"},
		{".maxntid 4, 4, 1", "mov.u32 %r1, %tid.x;", "[1 1 1] [16 1 1]"},
		{".reqntid 8, 2, 1", "mov.u32 %r1, %tid.z;", "[1 1 1] [8 2 1]"},
	} {
		p := parse(t, ".version 7.0\n.target sm_70\n.address_size 64\n.func f() { .reg .b32 %r<2>; mov.u32 %r1, %tid.y; ret; }\n"+
			".visible .entry k() "+c.perf+" { .reg .b32 %r<2>; "+c.body+" ret; }\n")
		file, err := launchfile.Parse("k.yaml", []byte(session.Template(p.Module.Kernels())), launchfile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(file.Launches[0].Grid, file.Launches[0].Block); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.perf, c.body, got, c.want)
		}
	}
}

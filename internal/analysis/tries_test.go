package analysis

import (
	"context"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestTriedWork: executions take from the work of the kernel, one that ends nowhere as much as it may take, and when
// nothing is left nothing is executed.
func TestTriedWork(t *testing.T) {
	p, err := session.Parse("a.ptx", []byte(`.version 7.0
.target sm_70
.address_size 64
.visible .entry ends() { ret; }
.visible .entry spins()
{
	.reg .b32 %r<2>;
	mov.u32 %r1, 0;
L:
	add.u32 %r1, %r1, 1;
	bra L;
}
`))
	if err != nil {
		t.Fatal(err)
	}
	never := func(*report.Report) bool { return false }
	for _, k := range p.Module.Kernels() {
		out := &Outcome{prog: p}
		one := [3]uint32{1, 1, 1}
		w := &static.Witness{Grid: one, Block: [3]uint32{32, 1, 1}, Cluster: one}
		left := uint64(3_000_000)
		rep, err := out.tried(context.Background(), &builder{witness: w, given: facts.Nothing(), kernel: k, exact: true}, &left, never)
		if err != nil || rep == nil {
			t.Fatalf("%s: %v, %v", k.Name, rep, err)
		}
		switch runs := rep.Exploration.Schedules; k.Name {
		case "ends":
			if runs != 1 || left < 2_900_000 || left == 3_000_000 { // which stands for all
				t.Errorf("%s: %d runs, %d left", k.Name, runs, left)
			}
		default:
			if runs != 1 || left != 0 {
				t.Errorf("%s: %d runs, %d left", k.Name, runs, left)
			}
		}
		left = 0
		if rep, err = out.tried(context.Background(), &builder{witness: w, given: facts.Nothing(), kernel: k, exact: true}, &left, never); err != nil || rep != nil {
			t.Errorf("%s: executed with no work left: %v, %v", k.Name, rep, err)
		}
	}
}

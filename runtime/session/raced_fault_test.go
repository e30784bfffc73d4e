// Faults at addresses that come from reads that race.

package session_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestRacedFault: a kernel that may overlap the one before reads an index that this one writes, and faults at it; if it
// faults at another address, the fault is not of the race.
func TestRacedFault(t *testing.T) {
	const gather = `
.visible .entry gather(.param .u64 p) {
	.reg .b32 %r<3>; .reg .b64 %a<5>;
	ld.param.u64 %a1, [p];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %a2, %r1, 4;
	add.s64 %a3, %a1, %a2;
	ld.global.u32 %r2, [%a3];
	mul.wide.u32 %a2, INDEX, 65536;
	add.s64 %a4, %a1, %a2;
	ld.global.u32 %r1, [%a4+65536];
	ret;
}
`
	for index, raced := range map[string]bool{"%r2": true, "%r1": false} {
		s := open(t, "precise", fillKernel+strings.ReplaceAll(gather, "INDEX", index))
		first := session.Launch{Kernel: "fill", Block: emu.Dim3{X: 32}, Args: []any{buffer(t, s, "data", make([]uint32, 32))}}
		second := first
		second.Kernel, second.Programmatic = "gather", true
		if err := s.Announce(first, second); err != nil {
			t.Fatal(err)
		}
		launch(t, s, first)
		launch(t, s, second)
		rep := s.Report()
		rep.Finish()
		if len(rep.Races) != 1 || len(rep.Faults) != 1 || rep.Verdict != report.Fault {
			t.Fatalf("%s: %s, races %v, faults %v", index, rep.Verdict, rep.Races, rep.Faults)
		}
		want := ""
		if raced {
			want = rep.Races[0].ID
		}
		if f := rep.Faults[0]; f.Race != want || strings.Contains(f.Message, "; the address depends on what the read at ") != raced {
			t.Errorf("%s: race %q, want %q: %s", index, f.Race, want, f.Message)
		}
	}
}

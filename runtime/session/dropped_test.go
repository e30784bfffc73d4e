package session_test

import (
	"context"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// droppedKernel is a kernel whose racy accesses are in places where a proof might not look for them.
func droppedKernel(body string) string {
	return `.version 7.8
.target sm_80
.address_size 64
.const .align 4 .u32 cc[64];
.visible .entry k(.param .u64 out, .param .u64 .ptr .shared .align 16 a, .param .u64 .ptr .shared .align 16 b)
{
	.reg .pred %p<3>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;
	.shared .align 16 .b8 tile[2048];
	ld.param.u64 %rd1, [out];
	ld.param.u64 %rd2, [a];
	ld.param.u64 %rd3, [b];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd4, %r1, 4;
` + body + "\tret;\n}\n"
}

// TestDroppedAccesses: accesses that a proof may overlook race in every launch, whatever it leaves out, and whichever
// detector looks: stores to a constant, shared memory to which one of two parameters leads, and shared memory by a
// generic address.
func TestDroppedAccesses(t *testing.T) {
	const (
		constant = "cvta.const.u64 %rd5, cc;\nst.u32 [%rd5], %r1;\n"
		chosen   = "setp.ne.u64 %p1, %rd2, %rd3;\nselp.b64 %rd5, %rd2, %rd3, %p1;\natom.shared.add.u32 %r2, [%rd5], 1;\nadd.u64 %rd6, %rd2, %rd4;\nst.shared.u32 [%rd6], %r1;\n"
		generic  = "cvta.shared.u64 %rd5, %rd2;\nst.u32 [%rd5], %r1;\n"
	)
	for name, c := range map[string]struct {
		body      string
		detectors []string
	}{
		"a constant":                   {constant, []string{"precise", "precise<prove>", "precise<elide=false>", "iguard", "barracuda", "scord"}},
		"one of two parameters":        {chosen, []string{"precise", "precise<prove>", "precise<elide=false>", "barracuda"}},
		"a generic address to a block": {generic, []string{"precise", "precise<prove>", "precise<elide=false>", "barracuda"}},
	} {
		for _, detector := range c.detectors {
			for _, blocks := range []uint32{2, 1024} {
				s := open(t, detector, droppedKernel(c.body))
				out := buffer(t, s, "out", make([]uint32, 64))
				launch(t, s, session.Launch{Kernel: "k", Grid: emu.Dim3{X: blocks}, Block: emu.Dim3{X: 64}, Shared: 1024, Args: []any{out, 0, 512}})
				if rep := s.Report(); len(rep.Races) != 1 || rep.Races[0].Severity != "error" {
					t.Errorf("%s, %s, %d blocks: %d races", name, detector, blocks, len(rep.Races))
				}
				if proved, _ := s.Proved(context.Background()); proved {
					t.Errorf("%s, %s, %d blocks: proved", name, detector, blocks)
				}
			}
		}
	}
}

// TestMisalignedRace: a proof that takes aligned accesses for granted leaves nothing out: here a store races with one
// that is misaligned, in the run that ends with this fault.
func TestMisalignedRace(t *testing.T) {
	for _, detector := range []string{"precise", "precise<prove>", "precise<elide=false>"} {
		s := open(t, detector, droppedKernel("mov.u64 %rd5, tile;\nadd.u64 %rd5, %rd5, %rd4;\nadd.u64 %rd5, %rd5, %rd4;\nst.shared.v2.b64 [%rd5], {%rd2, %rd3};\n"))
		out := buffer(t, s, "out", make([]uint32, 64))
		if _, err := s.Launch(context.Background(), session.Launch{Kernel: "k", Grid: emu.Dim3{X: 1}, Block: emu.Dim3{X: 64}, Args: []any{out, 0, 0}}); err != nil {
			t.Log(err)
		}
		rep := s.Report()
		if len(rep.Races) != 1 || len(rep.Faults) != 1 || rep.Faults[0].Class != "misaligned" {
			t.Errorf("%s: %d races, %d faults", detector, len(rep.Races), len(rep.Faults))
		}
	}
}

// TestProvedNeeds: the note about a kernel that is proved for other launches lists what these need.
func TestProvedNeeds(t *testing.T) {
	s := open(t, "precise<prove>", droppedKernel("add.u64 %rd5, %rd2, %rd4;\nst.shared.u32 [%rd5], %r1;\n"))
	out := buffer(t, s, "out", make([]uint32, 64))
	launch(t, s, session.Launch{Kernel: "k", Grid: emu.Dim3{X: 1}, Block: emu.Dim3{X: 64}, Shared: 1024, Args: []any{out, 0, 512}})
	const want = "k: proved free of data races for every launch whose pointers lead to different allocations, which needs " +
		"block.y = 1 (assumed, as no fact gives it and the kernel does not read y); block.z = 1 (assumed, as no fact gives it and the kernel does not read z)"
	if notes := strings.Join(s.Report().Notes, "\n"); !strings.Contains(notes, want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
	if proved, every := s.Proved(context.Background()); !proved || every {
		t.Errorf("proved %t, for every launch %t", proved, every)
	}
}

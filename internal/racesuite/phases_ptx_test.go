package racesuite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/launch"
)

// phasesProgram returns a kernel of three warps, whose first lanes execute what a text for each says, and which have
// the mbarriers bar and bar+8 with some counts. In the texts, WAIT and a number stand for a loop that waits.
func phasesProgram(counts [2]int, warps [3]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `.version 8.6
.target sm_90
.address_size 64
.visible .entry k()
{
	.reg .pred p, q;
	.reg .b32 t, w;
	.reg .b64 s;
	.shared .align 8 .b64 bar[2];
	.shared .align 16 .b8 data[64];
	mov.u32 t, %%tid.x;
	setp.ne.u32 p, t, 0;
	@p bra begin;
	mbarrier.init.shared.b64 [bar], %d;
	mbarrier.init.shared.b64 [bar+8], %d;
begin:
	bar.sync 0;
`, counts[0], counts[1])
	for i, text := range warps {
		wait, n := fmt.Sprintf("wait%d", i), 0
		fmt.Fprintf(&b, "\tsetp.ne.u32 p, t, %d;\n\t@p bra next%d;\n", 32*i, i)
		for _, in := range strings.Split(text, ";") {
			if in = strings.TrimSpace(in); strings.HasPrefix(in, "WAIT") {
				fmt.Fprintf(&b, "%s_%d:\n\tmbarrier.try_wait.parity.shared.b64 q, %s;\n\t@!q bra %s_%d;\n",
					wait, n, in[len("WAIT "):], wait, n)
				n++
			} else if in != "" {
				fmt.Fprintf(&b, "\t%s;\n", in)
			}
		}
		fmt.Fprintf(&b, "next%d:\n", i)
	}
	b.WriteString("\tbar.sync 0;\n\tret;\n}\n")
	return b.String()
}

// TestPhasesOfKernels: which operations on barriers make phases differ in other schedules.
func TestPhasesOfKernels(t *testing.T) {
	const (
		bytes              = "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 16;"
		arrive, arriveNext = "mbarrier.arrive.shared.b64 s, [bar];", "mbarrier.arrive.shared.b64 s, [bar+8];"
		fill               = "mbarrier.arrive.expect_tx.shared.b64 s, [bar], 16;" + bytes
		again              = "mbarrier.inval.shared.b64 [bar]; mbarrier.init.shared.b64 [bar], 1;"
	)
	file, err := launch.Parse("k.yaml", []byte("launches:\n- {kernel: k, grid: 2, block: 96}\n"), launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		counts [2]int
		warps  [3]string
		want   string
	}{
		"ring": {[2]int{1, 1}, [3]string{
			"WAIT [bar+8], 1;" + fill + "WAIT [bar+8], 0;" + fill, "WAIT [bar], 0;" + arriveNext + "WAIT [bar], 1;" + arriveNext,
		}, ""},
		"ring without back-pressure": {[2]int{1, 1}, [3]string{fill + fill, "WAIT [bar], 1;"}, "may return at once"},
		"two producers":              {[2]int{1, 1}, [3]string{fill, fill, "WAIT [bar], 0"}, "take its place"},
		"wait for the wrong parity": {[2]int{1, 1}, [3]string{
			arrive + "WAIT [bar+8], 0;" + arrive, "WAIT [bar], 0;" + arriveNext, "WAIT [bar], 1",
		}, "has seen its own"},
		"bytes expected late": {[2]int{1, 1}, [3]string{
			"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 16;" + bytes,
			arrive, "WAIT [bar], 0",
		}, "before {seed} has taken effect"},
		"bytes of another thread": {[2]int{1, 1}, [3]string{
			"mbarrier.arrive.expect_tx.shared.b64 s, [bar], 16; WAIT [bar], 0;" + fill,
			bytes, "",
		}, ""},
		"drop": {[2]int{2, 1}, [3]string{
			"mbarrier.arrive_drop.shared.b64 s, [bar]", arrive + "WAIT [bar], 0;" + arrive + "WAIT [bar], 1;", "",
		}, ""},
		"drop in place of another thread": {[2]int{2, 1}, [3]string{
			"mbarrier.arrive_drop.shared.b64 s, [bar];", arrive + "WAIT [bar], 0;" + arrive, arrive,
		}, "take its place"},
		"arrival that must not be the last": {[2]int{2, 1}, [3]string{
			"mbarrier.arrive.noComplete.shared.b64 s, [bar], 1; mbarrier.arrive.shared.b64 s, [bar+8];",
			"WAIT [bar+8], 0;" + arrive, "",
		}, ""},
		"initialised again": {[2]int{1, 1}, [3]string{
			arrive + "WAIT [bar+8], 0;" + again + arrive, "WAIT [bar], 0;" + arriveNext, "",
		}, ""},
		"copies": {[2]int{1, 1}, [3]string{
			"cp.async.mbarrier.arrive.shared.b64 [bar];" + arrive + "WAIT [bar], 0", "", "WAIT [bar], 0",
		}, ""},
		"copies that may come after the phase": {[2]int{1, 1}, [3]string{
			"cp.async.mbarrier.arrive.shared.b64 [bar]", arrive, "",
		}, "before {seed} has taken effect"},
	} {
		for _, late := range []bool{false, true} {
			r := NewRun(t, Program(t, "k.ptx", []byte(phasesProgram(c.counts, c.warps))), file, "")
			r.Options.Emulator.LateAsync = late
			if all := strings.Join(watchPhases(t, r), "\n"); !strings.Contains(all, c.want) || c.want == "" && all != "" {
				t.Errorf("%s, late %v: %q, expected %q", name, late, all, c.want)
			}
		}
	}
}

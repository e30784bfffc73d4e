package session_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestProvedWhole: precise leaves out the strong accesses of a kernel if they cannot race, if it leaves out all other
// accesses of the kernel, and if it would not warn of them. The findings are the same as with all accesses.
func TestProvedWhole(t *testing.T) {
	const (
		read = "ld.global.u32 %r4, [%rd4];\n"
		test = "ld.volatile.global.u32 %r5, [%rd2];\nsetp.lt.u32 %p1, %r5, 7;\n"
		mark = "@%p1 st.volatile.global.u32 [%rd5], %r4;\n"
		both = "precise k: 0 of 3, 3 proved"
	)
	for _, c := range []struct{ name, detector, body, covered string }{
		{"flags", "precise", read + test + mark, both},
		{"flags of another model", "precise<model=scor>", read + test + mark, "precise k: 2 of 3, 1 proved"},
		{"flags, with a fence", "precise", read + test + "fence.acq_rel.gpu;\n" + mark, both},
		{"flags of one block", "precise", read + "ld.relaxed.cta.global.u32 %r5, [%rd2];\nsetp.lt.u32 %p1, %r5, 7;\n" + mark, "precise k: 2 of 3, 1 proved"},
		{"flags, and a race", "precise", read + test + mark + "st.shared.u32 [%rd7], %r4;\n", "precise k: 3 of 4, 1 proved"},
		{"a value that is used", "precise", read + test + "@%p1 st.volatile.global.u32 [%rd5], %r5;\n", "precise k: 2 of 3, 1 proved"},
		{"nothing but stores", "precise", read + "st.volatile.global.u32 [%rd2], %r1;\n", "precise k: 1 of 2, 1 proved"},
		{"a weak store", "precise", read + test + "@%p1 st.global.u32 [%rd5], %r4;\n", "precise k: 2 of 3, 1 proved"},
		{"a counter alone", "precise", "atom.global.add.u32 %r5, [%rd2], 1;\n", "precise k: 0 of 1, 1 proved"},
		{"a counter", "precise", read + "atom.global.add.u32 %r5, [%rd2], %r4;\n", "precise k: 0 of 2, 2 proved"},
	} {
		t.Run(c.name, func(t *testing.T) {
			const blocks = 8
			play := func(detector string) ([]string, *session.Session) {
				s := open(t, detector, fmt.Sprintf(oneWord+"\t.reg .pred %%p1;\n%s\tret;\n}\n", c.body))
				in, out := buffer(t, s, "in", make([]uint32, 64*blocks)), buffer(t, s, "out", make([]uint32, 64*blocks))
				launch(t, s, session.Launch{Kernel: "k", Grid: emu.Dim3{X: blocks}, Block: emu.Dim3{X: 64}, Args: []any{in, out}})
				var found []string
				for _, r := range s.Report().Races {
					found = append(found, fmt.Sprint(r.Severity, r.First.PTX.Line, r.Second.PTX.Line, r.Space))
				}
				return found, s
			}
			found, s := play(c.detector)
			if got := strings.Join(covered(s.Report()), "; "); got != c.covered {
				t.Errorf("%s, expected %s", got, c.covered)
			}
			all := "precise<elide=false>"
			if strings.Contains(c.detector, "scor") {
				all = "precise<model=scor,elide=false>"
			}
			want, whole := play(all)
			if !reflect.DeepEqual(found, want) {
				t.Errorf("finds %v, expected %v", found, want)
			}
			if got := strings.Join(covered(whole.Report()), "; "); !strings.HasSuffix(got, ", 0 proved") {
				t.Errorf("with elide=false, %s", got)
			}
		})
	}
}

// TestLostWarning: precise does not warn of volatile stores of different values to a location that no thread reads, if
// other locations of the object are flags and the kernel cannot race. It does when all accesses are checked.
func TestLostWarning(t *testing.T) {
	const body = `	.reg .pred %p1;
	ld.volatile.global.u32 %r5, [%rd2];
	setp.lt.u32 %p1, %r5, 7;
	@%p1 st.volatile.global.u32 [%rd2+64], %r1;
	ret;
}
`
	for detector, want := range map[string]int{"precise": 0, "precise<elide=false>": 1} {
		s := open(t, detector, fmt.Sprintf(oneWord+"%s", body))
		in, out := buffer(t, s, "in", make([]uint32, 64)), buffer(t, s, "out", make([]uint32, 64))
		launch(t, s, session.Launch{Kernel: "k", Grid: emu.Dim3{X: 1}, Block: emu.Dim3{X: 64}, Args: []any{in, out}})
		if got := s.Report().Races; len(got) != want || want > 0 && got[0].Severity != "warning" {
			t.Errorf("%s: %d findings, expected %d warnings", detector, len(got), want)
		}
	}
}

package support_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/support"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// TestSupport: every form of an emulated opcode can be written so that it is an instruction, all that can be written is
// emulated apart from what PTX has had since 9.3, and every form that has a result has conformance cases, whatever the
// target. Forms of PTX 1 that are gone are those of later versions with other words.
func TestSupport(t *testing.T) {
	cases := emu.ConformanceCases()
	for _, in := range isa.All() {
		if !emu.Emulates(in.Op) {
			continue
		}
		for i, s := range support.Forms(in) {
			f := in.Forms[i]
			if f.Gone != 0 {
				continue
			}
			if s.Emulated > 0 && emu.HasResult(in, f) && cases[f] == 0 {
				t.Errorf("%s is emulated and has no conformance case", f.Syntax())
			}
			switch {
			case s.Spellings == 0:
				t.Errorf("no instruction of the form %s could be made", f.Syntax())
			case s.Emulated > s.Spellings, (s.Emulated < s.Spellings) != (s.Refusal != ""):
				t.Errorf("%s: %+v", f.Syntax(), s)
			case s.Emulated < s.Spellings && !strings.HasPrefix(s.Refusal, "instructions of PTX 9."):
				t.Errorf("%s is emulated in part, not with %q: %s", f.Syntax(), s.Without, s.Refusal)
			}
		}
	}
}

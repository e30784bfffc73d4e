package support_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/support"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// TestSupport: every form of an emulated opcode can be written so that it is an
// instruction, what sm_90 has is emulated but for what refusedForms lists, and every form
// that is emulated and has a result has conformance cases, whatever the target.
func TestSupport(t *testing.T) {
	var partly []string
	cases := emu.ConformanceCases()
	for _, in := range isa.All() {
		if !emu.Emulates(in.Op) {
			continue
		}
		for i, s := range support.Forms(in) {
			f := in.Forms[i]
			if s.Emulated > 0 && emu.HasResult(in, f) && cases[f] == 0 {
				t.Errorf("%s is emulated and has no conformance case", f.Syntax)
			}
			switch {
			case s.Spellings == 0:
				t.Errorf("no instruction of the form %s could be made", f.Syntax)
			case s.Emulated > s.Spellings, (s.Emulated < s.Spellings) != (s.Refusal != ""):
				t.Errorf("%s: %+v", f.Syntax, s)
			case s.Emulated < s.Spellings && f.MinSM <= 90:
				opcode, _, _ := strings.Cut(f.Syntax, " ")
				partly = append(partly, strings.TrimSpace(opcode+" "+strings.Join(s.Without, " ")))
			}
		}
	}
	for i := range max(len(partly), len(refusedForms)) {
		if i >= len(partly) || i >= len(refusedForms) || partly[i] != refusedForms[i] {
			t.Fatalf("the forms that are refused are not those of refusedForms, from number %d on:\n%s", i, strings.Join(partly, "\n"))
		}
	}
}

// refusedForms are the forms that sm_90 has and that are not emulated, in the table's
// order, and the modifiers that this is about.
var refusedForms = []string{
	"cvta.space.size",
	"cvta.to.space.size",
	"cp.async.bulk.tensor.dim.shared::cta.global{.load_mode}.completion_mechanism{.cta_group}{.level::cache_hint} im2col::w im2col::w::128",
	"cp.async.bulk.tensor.dim.shared::cluster.global{.load_mode}.completion_mechanism{.multicast::cluster}{.cta_group}{.level::cache_hint} im2col::w im2col::w::128",
}

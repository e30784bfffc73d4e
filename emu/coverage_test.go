package emu

import (
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// TestCoverage: every opcode of the instruction table is emulated or listed in refused,
// and no opcode is both.
func TestCoverage(t *testing.T) {
	for name := range refused {
		if _, ok := isa.Lookup(name); !ok || semantics[name] != nil {
			t.Errorf("refused lists %s, which is unknown or emulated", name)
		}
	}
	var missing []string
	for _, in := range isa.All() {
		if semantics[in.Name] == nil && refused[in.Name] == "" {
			missing = append(missing, in.Name)
		}
	}
	if len(missing) > 0 {
		t.Errorf("neither emulated nor listed: %q", missing)
	}
	for name := range semantics {
		if !slices.ContainsFunc(isa.All(), func(in *isa.Instr) bool { return in.Name == name }) {
			t.Errorf("semantics of %s, which is not an opcode", name)
		}
	}
}

// TestSupport: every form of an emulated opcode can be written so that it is an
// instruction, what sm_90 has is emulated but for what refusedForms lists, and every form
// that is emulated and has a result has conformance cases, whatever the target.
func TestSupport(t *testing.T) {
	var partly []string
	cases := ConformanceCases()
	for _, in := range isa.All() {
		if !Emulates(in.Op) {
			continue
		}
		for i, s := range Support(in) {
			f := in.Forms[i]
			if s.Emulated > 0 && HasResult(in, f) && cases[f] == 0 && !*updateConformance {
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
	"cp.async.bulk.global.shared::cta.bulk_group{.level::cache_hint}{.cp_mask} cp_mask",
	"cp.async.bulk.tensor.dim.shared::cta.global{.load_mode}.completion_mechanism{.cta_group}{.level::cache_hint} tile::gather4 im2col::w im2col::w::128 cta_group::1 cta_group::2",
	"cp.async.bulk.tensor.dim.shared::cluster.global{.load_mode}.completion_mechanism{.multicast::cluster}{.cta_group}{.level::cache_hint} tile::gather4 im2col::w im2col::w::128 cta_group::1 cta_group::2",
	"cp.async.bulk.tensor.dim.global.shared::cta{.load_mode}.bulk_group{.level::cache_hint} tile::scatter4",
}

// TestSizes pins the sizes of what the inner loop walks over.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want uintptr
	}{
		{"inst", unsafe.Sizeof(inst{}), 64},
		{"group", unsafe.Sizeof(group{}), 136},
		{"join", unsafe.Sizeof(join{}), 48},
	} {
		if c.got != c.want {
			t.Errorf("%s has %d bytes, expected %d", c.name, c.got, c.want)
		}
	}
}

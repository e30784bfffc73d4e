package emu

import (
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// notEmulated are the opcodes without semantics, by the reason.
var notEmulated = map[string][]string{
	"sm_100":                {"clusterlaunchcontrol"},
	"asynchronous proxy":    {"multimem"},
	"asynchronous matrices": {"tcgen05"},
}

// TestCoverage: every opcode of the instruction table is emulated or listed in
// notEmulated, and no opcode is both.
func TestCoverage(t *testing.T) {
	listed := map[string]bool{}
	for _, names := range notEmulated {
		for _, n := range names {
			if _, ok := isa.Lookup(n); !ok || listed[n] {
				t.Errorf("notEmulated lists %s, which is unknown or listed twice", n)
			}
			listed[n] = true
		}
	}
	var missing []string
	for _, in := range isa.All() {
		switch emulated := semantics[in.Name] != nil; {
		case emulated && listed[in.Name]:
			t.Errorf("%s is emulated: take it off notEmulated", in.Name)
		case !emulated && !listed[in.Name]:
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
// instruction, and what sm_90 has is emulated but for what refusedForms lists.
func TestSupport(t *testing.T) {
	var refused []string
	for _, in := range isa.All() {
		if !Emulates(in.Op) {
			continue
		}
		for i, s := range Support(in) {
			f := in.Forms[i]
			switch {
			case s.Spellings == 0:
				t.Errorf("no instruction of the form %s could be made", f.Syntax)
			case s.Emulated > s.Spellings, (s.Emulated < s.Spellings) != (s.Refusal != ""):
				t.Errorf("%s: %+v", f.Syntax, s)
			case s.Emulated < s.Spellings && f.MinSM <= 90:
				opcode, _, _ := strings.Cut(f.Syntax, " ")
				refused = append(refused, strings.TrimSpace(opcode+" "+strings.Join(s.Without, " ")))
			}
		}
	}
	for i := range max(len(refused), len(refusedForms)) {
		if i >= len(refused) || i >= len(refusedForms) || refused[i] != refusedForms[i] {
			t.Fatalf("the forms that are refused are not those of refusedForms, from number %d on:\n%s", i, strings.Join(refused, "\n"))
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
		{"group", unsafe.Sizeof(group{}), 128},
		{"join", unsafe.Sizeof(join{}), 48},
	} {
		if c.got != c.want {
			t.Errorf("%s has %d bytes, expected %d", c.name, c.got, c.want)
		}
	}
}

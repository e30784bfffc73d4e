package isa_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// TestRequires compares what spellings need with the manual's notes.
func TestRequires(t *testing.T) {
	for _, l := range readLines(t, "testdata/requires.txt") {
		inst, want, ok := strings.Cut(l.text, " => ")
		opcode, count, ok2 := strings.Cut(inst, " ")
		operands := 0
		if _, err := fmt.Sscan(count, &operands); !ok || !ok2 || err != nil {
			t.Fatalf("%s: not opcode, operands => version, targets", l.at)
		}
		d, err := decode(opcode, operands)
		if err != nil {
			t.Errorf("%s: %v", l.at, err)
		} else if got := words(d.Requires()); got != want {
			t.Errorf("%s: %s needs %s, want %s", l.at, opcode, got, want)
		}
	}
}

// words returns the notation of requires.txt.
func words(r isa.Requirement) string {
	s := r.Since.String()
	if len(r.Only) == 0 && r.MinSM > 0 {
		s += fmt.Sprintf(" sm_%d", r.MinSM)
	}
	for _, o := range r.Only {
		s += " " + o.String()
	}
	if r.Gone != 0 {
		s += " gone" + r.Gone.String()
	}
	return s
}

// TestUnmet checks the words, and which targets have what: features of one
// architecture and of a family (PTX ISA 11.1.2).
func TestUnmet(t *testing.T) {
	for _, c := range []struct {
		opcode   string
		operands int
		version  isa.Version
		target   string
		want     string
	}{
		{"cp.async.ca.shared.global", 3, 64, "sm_70", "cp.async.ca.shared.global needs PTX 7.0 and sm_80; the module says .version 6.4, .target sm_70"},
		{"cp.async.ca.shared.global", 3, 70, "sm_80", ""},
		{"cp.async.ca.shared.global", 3, 70, "sm_86", ""},
		{"ld.global.L2::256B.u32", 2, 74, "sm_75", "the .L2::256B of ld needs PTX 7.4 and sm_80; the module says .version 7.4, .target sm_75"},
		{"ld.global.v8.f32", 2, 87, "sm_100", "ld.global.v8.f32 needs PTX 8.8 and sm_100; the module says .version 8.7, .target sm_100"},
		{"atom.add.f64", 3, 65, "sm_35", "the .f64 of atom needs PTX 5.0 and sm_60; the module says .version 6.5, .target sm_35"},
		{"wgmma.fence.sync.aligned", 0, 80, "sm_90", "wgmma.fence.sync.aligned needs PTX 8.0 and sm_90a; the module says .version 8.0, .target sm_90"},
		{"wgmma.fence.sync.aligned", 0, 80, "sm_90a", ""},
		{"wgmma.fence.sync.aligned", 0, 87, "sm_100a", "wgmma.fence.sync.aligned needs PTX 8.0 and sm_90a; the module says .version 8.7, .target sm_100a"},
		{"tcgen05.wait::ld.sync.aligned", 0, 86, "sm_100a", ""},
		{"tcgen05.wait::ld.sync.aligned", 0, 88, "sm_103f", ""},
		{"tcgen05.wait::ld.sync.aligned", 0, 90, "sm_110a", ""},
		{"tcgen05.wait::ld.sync.aligned", 0, 88, "sm_100", "tcgen05.wait::ld.sync.aligned needs PTX 8.6 and sm_100f or sm_101f; the module says .version 8.8, .target sm_100"},
		{"tcgen05.wait::ld.sync.aligned", 0, 88, "sm_120a", "tcgen05.wait::ld.sync.aligned needs PTX 8.6 and sm_100f or sm_101f; the module says .version 8.8, .target sm_120a"},
		{"tcgen05.ld.red.sync.aligned.32x32b.x2.min.u32", 3, 88, "sm_100a", "tcgen05.ld.red.sync.aligned.32x32b.x2.min.u32 needs PTX 8.8 and sm_101f or sm_103f; the module says .version 8.8, .target sm_100a"},
		{"shfl.idx.b32", 4, 63, "sm_70", ""},
		{"shfl.idx.b32", 4, 64, "sm_61", ""},
		{"shfl.idx.b32", 4, 64, "sm_70", "shfl.idx.b32 is gone for sm_70 and later since PTX 6.4; the module says .version 6.4, .target sm_70"},
		{"add.f64", 3, 13, "sm_10", "add.f64 needs PTX 1.0 and sm_13; the module says .version 1.3, .target sm_10"},
		{"add.f64", 3, 13, "sm_10 map_f64_to_f32", ""},
		{"cp.async.ca.shared.global", 3, 64, "", "cp.async.ca.shared.global needs PTX 7.0 and sm_80; the module says .version 6.4"},
		{"cp.async.ca.shared.global", 3, 0, "", ""},
	} {
		d, err := decode(c.opcode, c.operands)
		if err != nil {
			t.Error(err)
			continue
		}
		m := isa.Module{Version: c.version, Target: isa.ModuleTarget(strings.Fields(c.target))}
		if got := d.Unmet(m); got != c.want {
			t.Errorf("%s in %s %s:\n got %q\nwant %q", c.opcode, c.version, c.target, got, c.want)
		}
	}
}

// TestRequirementsAreMet: every form can be used by some module, so that no
// combination of requirements excludes all targets.
func TestRequirementsAreMet(t *testing.T) {
	var modules []isa.Module
	for _, w := range []string{"sm_60", "sm_80", "sm_90a", "sm_100a", "sm_103a", "sm_107a", "sm_110a", "sm_121a"} {
		target, ok := isa.ParseTarget(w)
		if !ok {
			t.Fatal(w)
		}
		modules = append(modules, isa.Module{Version: isa.NewestVersion, Target: target})
	}
	for _, in := range isa.All() {
		for _, f := range in.Forms {
			for _, optional := range []bool{false, true} {
				mods, operands := spell(f, optional)
				d, err := in.Decode(mods, operands)
				if err != nil {
					t.Fatal(err)
				}
				met := false
				for _, m := range modules {
					if d.Gone != 0 {
						m.Version = d.Gone - 1
					}
					met = met || d.Unmet(m) == ""
				}
				if !met {
					t.Errorf("%s.%s needs %s: no target has it", in.Name, strings.Join(mods, "."), d.Requires().Words())
				}
			}
		}
	}
}

func TestTargets(t *testing.T) {
	for _, c := range []struct {
		word  string
		want  isa.Target
		since isa.Version
	}{
		{"sm_10", isa.Target{SM: 10}, 10},
		{"sm_70", isa.Target{SM: 70}, 60},
		{"sm_90a", isa.Target{SM: 90, Suffix: 'a'}, 80},
		{"sm_103f", isa.Target{SM: 103, Suffix: 'f'}, 88},
	} {
		got, ok := isa.ParseTarget(c.word)
		since, ok2 := isa.TargetSince(c.word)
		if !ok || !ok2 || got != c.want || since != c.since || got.String() != c.word {
			t.Errorf("%s: %+v since %s", c.word, got, since)
		}
	}
	for _, word := range []string{"", "sm_", "sm_71", "sm_90b", "sm_80a", "debug", "compute_70", "sm_-1"} {
		if got, ok := isa.ParseTarget(word); ok {
			t.Errorf("%q is no target, got %s", word, got)
		}
	}
	if v, ok := isa.TargetSince("debug"); !ok || v != 30 {
		t.Errorf("debug since %s, %v", v, ok)
	}
	m := isa.ModuleTarget([]string{"sm_13", "map_f64_to_f32", "texmode_unified"})
	if m != (isa.Target{SM: 13, MapF64: true}) {
		t.Errorf("module target %+v", m)
	}
}

func TestDirectives(t *testing.T) {
	for name, want := range map[string]string{
		"version": "1.0", "pragma": "2.0", "address_size": "2.3", "alias": "6.3 sm_30", "branchtargets": "2.1 sm_20", "managed": "4.0 sm_30",
		"noreturn": "6.4 sm_30", "common": "5.0 sm_20", "weak": "3.1", "maxclusterrank": "7.8 sm_90", "blocksareclusters": "9.0 sm_90", "inlined_at": "7.2",
	} {
		d, ok := isa.DirectiveOf(name)
		if got := words(d.Requirement); !ok || d.Name != name || got != want || d.Doc == "" {
			t.Errorf("%s: %+v, want %s", name, d, want)
		}
	}
	if _, ok := isa.DirectiveOf("nonesuch"); ok {
		t.Error("a directive named nonesuch")
	}
	d, _ := isa.DirectiveOf("alias")
	if got, want := d.Unmet(isa.Module{Version: 60, Target: isa.Target{SM: 70}}), "needs PTX 6.3 and sm_30; the module says .version 6.0, .target sm_70"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

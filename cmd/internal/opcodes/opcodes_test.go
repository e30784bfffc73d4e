package opcodes

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

func TestList(t *testing.T) {
	var b strings.Builder
	List(&b)
	if n := strings.Count(b.String(), "\n"); n != len(isa.All()) {
		t.Errorf("%d lines for %d opcodes", n, len(isa.All()))
	}
}

// Every opcode has a description with all its forms, and a row in the document.
func TestDescribe(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: decodes every form of every opcode twice")
	}
	doc := Markdown()
	for _, in := range isa.All() {
		var b strings.Builder
		Describe(&b, in)
		for _, f := range in.Forms {
			if !strings.Contains(b.String(), "    "+f.Syntax()) {
				t.Errorf("%s: no form %s", in.Name, f.Syntax())
			}
		}
		if !strings.Contains(doc, "`"+in.Name+"`") {
			t.Errorf("%s: no row", in.Name)
		}
	}
}

// What instruments an opcode: plain loads are instrumented by detectors, copies in groups by collide, arithmetic by
// none.
func TestInstrumentedBy(t *testing.T) {
	cp, _ := isa.Lookup("cp")
	if got := instrumentedBy(cp); !strings.Contains(got, "collide") {
		t.Errorf("cp: %s", got)
	}
	ld, _ := isa.Lookup("ld")
	if got := instrumentedBy(ld); !strings.Contains(got, "iguard") {
		t.Errorf("ld: %s", got)
	}
	add, _ := isa.Lookup("add")
	if got := instrumentedBy(add); got != "no" {
		t.Errorf("add: %s", got)
	}
}

func TestFoldModifiers(t *testing.T) {
	got := strings.Join(foldModifiers([]string{"rz", "a::b::c", "a::b::d", "a::e", "pzo"}), " ")
	if want := ".rz .a::b::{c,d} .a::e .pzo"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

package isa_test

import (
	"cmp"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// TestCalcComplete: values are followed through whatever computes numbers.
func TestCalcComplete(t *testing.T) {
	for _, in := range isa.All() {
		switch in.Class {
		case isa.ClassInteger, isa.ClassExtended, isa.ClassFloat, isa.ClassCompare, isa.ClassLogic, isa.ClassMove:
			if in.Calc == isa.CalcNone {
				t.Errorf("%s: nothing says what it computes", in.Name)
			}
		}
	}
}

// TestComparison compares the operators with Go's.
func TestComparison(t *testing.T) {
	ops := map[string]func(a, b uint32) bool{
		"eq": func(a, b uint32) bool { return a == b }, "ne": func(a, b uint32) bool { return a != b },
		"lt": func(a, b uint32) bool { return a < b }, "le": func(a, b uint32) bool { return a <= b },
		"gt": func(a, b uint32) bool { return a > b }, "ge": func(a, b uint32) bool { return a >= b },
		"lo": func(a, b uint32) bool { return a < b }, "ls": func(a, b uint32) bool { return a <= b },
		"hi": func(a, b uint32) bool { return a > b }, "hs": func(a, b uint32) bool { return a >= b },
	}
	for op, holds := range ops {
		c, ok := mustDecode(t, "setp."+op+".u32", 3).Comparison()
		if !ok {
			t.Errorf("%s is no comparison", op)
		}
		for a := range uint32(3) {
			if got := c.Of(cmp.Compare(a, 1)); got != holds(a, 1) {
				t.Errorf("%d %s 1 is %t", a, op, got)
			}
		}
	}
	if _, ok := mustDecode(t, "setp.nan.f32", 3).Comparison(); ok {
		t.Error("nan compares integers")
	}
}

// TestEffectsOf: whatever may be written after the modifiers.
func TestEffectsOf(t *testing.T) {
	for spelling, want := range map[string]isa.Effect{"add.cc.u32": isa.WritesCarry, "add.u32": 0, "call.uni": isa.Calls, "addc.cc.u32": isa.ReadsCarry | isa.WritesCarry} {
		words := strings.Split(spelling, ".")
		in, _ := isa.Lookup(words[0])
		if got := in.EffectsOf(words[1:]); got != want {
			t.Errorf("%s: effects %q, want %q", spelling, got, want)
		}
	}
}

package isa_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

func TestNearest(t *testing.T) {
	for _, c := range []struct{ word, candidates, want string }{
		{"globl", "local global shared", "global"},
		{"golbal", "local global shared", "global"},
		{"u33", "u16 u32 u64", "u32"},
		{"ab", "xy zw", ""},
		{"%r12", "%r21 %r112 %f12", "%r112"},
		{"cat", "bat hat car cab", "cab"},
		{"cat", "hat cab bat car", "cab"},
		{"same", "same", ""},
		{"abcdefghijkl", "mnopefghijkl", ""},
		{strings.Repeat("x", 65), strings.Repeat("x", 64), ""},
		{"", "a", "a"},
		{"x", "", ""},
	} {
		if got := isa.Nearest(c.word, slices.Values(strings.Fields(c.candidates))); got != c.want {
			t.Errorf("Nearest(%q, %s) = %q, want %q", c.word, c.candidates, got, c.want)
		}
	}
}

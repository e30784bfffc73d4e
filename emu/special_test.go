package emu

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// TestZeroSpecials: what no driver has set up reads 0.
func TestZeroSpecials(t *testing.T) {
	var body strings.Builder
	names := []string{"%pm0", "%pm7", "%pm3_64", "%envreg0", "%envreg31", "%reserved_smem_offset_0", "%reserved_smem_offset_1"}
	for i, name := range names {
		r, ok := isa.Special(name)
		if !ok {
			t.Fatalf("no special register %s", name)
		}
		reg := "%r1"
		if r.Type.Bits() == 64 {
			reg = "%rd3"
		}
		fmt.Fprintf(&body, "\tmov.b%d %s, %s;\n\tst.global.b%d [%%rd1+%d], %s;\n", r.Type.Bits(), reg, name, r.Type.Bits(), 8*i, reg)
	}
	in := make([]byte, 32*recordSize)
	out, fault := runWarp(t, body.String(), in)
	if fault != nil {
		t.Fatal(fault)
	}
	for i, b := range out {
		if b != 0 {
			t.Fatalf("byte %d of record %d is %d", i%recordSize, i/recordSize, b)
		}
	}
}

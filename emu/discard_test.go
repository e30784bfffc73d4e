package emu_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// TestDiscard: a discard is a write of 128 bytes whose values are indeterminate: what it covers is uninitialised until
// it is overwritten, and it faults where a write does, and outside of global memory.
func TestDiscard(t *testing.T) {
	for _, c := range []struct{ name, body, fault string }{
		{"not read", "discard.global.L2 [%base], 128; ld.global.u32 %r5, [%base+128]; st.global.u32 [%base+132], %r5;", ""},
		{"read", "discard.L2 [%base], 128; ld.global.u32 %r5, [%base+124]; st.global.u32 [%base+132], %r5;", "uninitialised"},
		{"overwritten", "discard.global.L2 [%base], 128; st.global.u32 [%base+124], 1; ld.global.u32 %r5, [%base+124]; st.global.u32 [%base+132], %r5;", ""},
		{"misaligned", "discard.global.L2 [%base+64], 128;", "misaligned"},
		{"out of bounds", "discard.global.L2 [%base+256], 128;", "out-of-bounds"},
		{"shared memory", ".shared .align 128 .b8 s[128]; mov.u64 %rd1, s; cvta.shared.u64 %rd1, %rd1; discard.L2 [%rd1], 128;", "out-of-bounds"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := loadWith(t, header100+kernel(c.body+" ret;"), emu.Config{Uninitialised: true})
			buf := alloc(t, m, "buf", 64)
			fillWords(t, m, buf, 64, func(i int) uint32 { return uint32(i) })
			fault := ""
			if r := launch(t, m, 1, 1, buf); len(r.Faults) > 0 {
				fault = r.Faults[0].Class
			}
			if fault != c.fault {
				t.Errorf("fault %q, want %q", fault, c.fault)
			}
		})
	}
}

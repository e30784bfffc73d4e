package emu_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// localKernel is a kernel of one thread with a local array of two words; 7 goes through
// the first of them to the output after body; tuples of local memory are loaded in Go.
func localKernel(body string) string {
	return `.visible .entry k(.param .u64 out) {
	.reg .b64 %d<8>; .reg .b32 %r<8>; .reg .pred %p;
	.local .align 8 .b8 a[8];
	ld.param.u64 %d1, [out]; mov.u64 %d2, a; st.local.u32 [%d2], 1;
	` + body + `
	st.local.u32 [%d2], 7; ld.local.v2.u32 {%r1, %r3}, [%d2]; st.global.u32 [%d1], %r1; ret;
}`
}

// TestStoresAfterStackMoves: stores to local memory reach it after any operation, in the middle of a run in assembly,
// that moves or enlarges the stacks of the threads.
func TestStoresAfterStackMoves(t *testing.T) {
	const deep = `.func deep() { .local .align 8 .b8 v[4096]; .reg .b64 %d; .reg .b32 %r; mov.u64 %d, v; st.local.u32 [%d], 3; ld.local.u32 %r, [%d]; ret; }
`
	for name, body := range map[string]string{
		"alloca":                     "alloca.u64 %d3, 4096;",
		"alloca by some":             "setp.eq.u64 %p, %d1, 0; @!%p alloca.u64 %d3, 65536;",
		"alloca in a loop":           "mov.u32 %r2, 0; L: alloca.u64 %d3, 1024; st.local.u32 [%d3], 5; st.local.u32 [%d2], %r2; add.u32 %r2, %r2, 1; setp.lt.u32 %p, %r2, 40; @%p bra L;",
		"stackrestore":               "stacksave.u64 %d4; alloca.u64 %d3, 4096; stackrestore.u64 %d4; alloca.u64 %d3, 16384; st.local.u32 [%d3], 5;",
		"a call":                     "call deep;",
		"alloca, then a call":        "alloca.u64 %d3, 4096; call deep; st.local.u32 [%d3], 5; call deep;",
		"a call of an address":       "P: .callprototype _ (); mov.u64 %d5, deep; call %d5, (), P;",
		"a generic store of its own": "alloca.u64 %d3, 8192; cvta.local.u64 %d4, %d3; st.u32 [%d4], 9; alloca.u64 %d5, 32768;",
	} {
		for tier, plain := range tiers {
			if got := run(t, deep+localKernel(body), emu.Config{NoVector: plain}, 1, 1, 1); !slices.Equal(got, []uint32{7}) {
				t.Errorf("%s, %s: %v, expected 7", name, tier, got)
			}
		}
	}
}

// TestAccessAfterStackrestore: memory released by stackrestore is out of bounds, also for an access that hit it earlier
// in the same run in assembly.
func TestAccessAfterStackrestore(t *testing.T) {
	body := `stacksave.u64 %d4; alloca.u64 %d3, 65536; bar.sync 0; mov.u32 %r2, 0;
L:	st.local.u32 [%d3+16384], %r2; stackrestore.u64 %d4; add.u32 %r2, %r2, 1; setp.lt.u32 %p, %r2, 2; @%p bra L;`
	var faults []string
	for tier, plain := range tiers {
		m := load(t, localKernel(body), emu.Config{NoVector: plain})
		r := launch(t, m, 1, 1, alloc(t, m, "out", 1))
		faults = append(faults, fmt.Sprint(r.Faults))
		if len(r.Faults) != 1 || r.Faults[0].Class != "out-of-bounds" || !strings.Contains(r.Faults[0].Error(), "after the local memory of the thread") {
			t.Errorf("%s: %v, expected an access out of bounds", tier, r.Faults)
		}
	}
	if faults[0] != faults[1] {
		t.Errorf("%s\n%s", faults[0], faults[1])
	}
}

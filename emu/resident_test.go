package emu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// TestBlocksThatFit: blocks whose state would exceed the limit together wait for each other to end, as on a device.
// They start nevertheless when no thread of the others can run.
func TestBlocksThatFit(t *testing.T) {
	const blocks, local = 64, 4096
	work := fmt.Sprintf(`.local .align 4 .b8 big[%d]; .reg .u32 %%i;
	mov.u32 %%i, 0;
	L: st.local.u32 [big], %%i; st.global.u32 [%%out], %%i; add.u32 %%i, %%i, 1; setp.lt.u32 %%p1, %%i, 3000; @%%p1 bra L; ret;`, local)
	// Threads of block 0 take four times the memory of others, in a function.
	const lib = `.func large() { .local .align 4 .b8 more[12288]; .reg .b32 %r; .reg .pred %p;
	st.local.u32 [more], 1; mov.u32 %r, %tid.x; setp.lt.u32 %p, %r, 1024; @%p ret; call large; ret; }
`
	uneven := fmt.Sprintf(`.local .align 4 .b8 big[%d]; st.local.u32 [big], %%r1; setp.ne.u32 %%p2, %%r2, 0; @%%p2 bra S; call large; S:
	atom.global.add.u32 %%r5, [%%base], 1;
	W: ld.volatile.global.u32 %%r5, [%%base]; setp.lt.u32 %%p1, %%r5, %d; @%%p1 bra W; ret;`, local, blocks*32)
	waits := fmt.Sprintf(`.local .align 4 .b8 big[%d];
	st.local.u32 [big], %%r1; atom.global.add.u32 %%r5, [%%base], 1;
	W: ld.volatile.global.u32 %%r5, [%%base]; setp.lt.u32 %%p1, %%r5, %d; @%%p1 bra W; ret;`, local, blocks*32)
	for _, c := range []struct {
		name, body string
		fitting    uint64
		want       string // of the fault; empty for none
	}{
		{"work", work, 8, ""},
		{"wait for blocks that fit", waits, 2 * blocks, ""},
		{"one block takes more than others that it waits for", uneven, blocks + 8, ""},
		{"wait for blocks that do not fit", waits, blocks / 2, "resident threads need more than"},
	} {
		for policy, p := range policies {
			for tier, plain := range tiers {
				m := load(t, lib+kernel(c.body), emu.Config{Policy: p, NoVector: plain, Limits: emu.Limits{ThreadState: c.fitting * 34 * local}})
				r := launch(t, m, blocks, 32, alloc(t, m, "out", blocks*32))
				if c.want == "" {
					clean(t, r)
				} else if len(r.Faults) != 1 || !strings.Contains(r.Faults[0].Message, c.want) {
					t.Errorf("%s, %s, %s: got %v, want %q", c.name, policy, tier, r.Faults, c.want)
				}
			}
		}
	}
}

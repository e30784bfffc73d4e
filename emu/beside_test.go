// Launches of two machines of a device, of which one runs while the other waits.

package emu_test

import (
	"encoding/binary"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// besideSource has a kernel that waits for a flag, with or without a limit of time, and one that sets it. All say what
// their workspace is.
const besideSource = `.entry wait(.param .u64 data, .param .u64 limit) {
	.reg .b32 %r<4>; .reg .pred %p<3>; .reg .b64 %d<6>;
	ld.param.u64 %d1, [data];
	ld.param.u64 %d2, [limit];
	mov.u32 %r1, %envreg2;
	st.global.u32 [%d1+4], %r1;
	mov.u64 %d4, %clock64;
POLL:	ld.volatile.global.u32 %r2, [%d1];
	setp.ne.u32 %p1, %r2, 0;
	@%p1 bra DONE;
	setp.eq.u64 %p2, %d2, 0;
	@%p2 bra POLL;
	mov.u64 %d3, %clock64;
	sub.u64 %d5, %d3, %d4;
	setp.lt.u64 %p2, %d5, %d2;
	@%p2 bra POLL;
DONE:	st.global.u32 [%d1+8], %r2;
	ret;
}
.entry set(.param .u64 data) {
	.reg .b32 %r<2>; .reg .b64 %d<2>;
	ld.param.u64 %d1, [data];
	mov.u32 %r1, %envreg2;
	st.global.u32 [%d1+12], %r1;
	st.volatile.global.u32 [%d1], 1;
	ret;
}`

// beside launches the kernel that waits, and the one that sets the flag when either callback is called.
func beside(t *testing.T, policy emu.Policy, limit uint64, callback func(l *emu.LaunchConfig, set func())) (words [4]uint32) {
	t.Helper()
	waits := load(t, besideSource, emu.Config{Policy: policy})
	data := alloc(t, waits, "data", 4)
	set := func() {
		sets, err := waits.Reload(parsed(t, besideSource), emu.Config{Policy: policy})
		if err != nil {
			t.Fatal(err)
		}
		res, err := sets.Launch(t.Context(), emu.LaunchConfig{Kernel: "set", Grid: dim(1), Block: dim(1), Cooperative: true, Params: args(data)})
		if err != nil {
			t.Fatal(err)
		}
		clean(t, res)
	}
	l := emu.LaunchConfig{Kernel: "wait", Grid: dim(1), Block: dim(1), Cooperative: true, Params: args(data, limit)}
	callback(&l, set)
	res, err := waits.Launch(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	clean(t, res)
	b := make([]byte, 4*len(words))
	if err := waits.Read(data, b); err != nil {
		t.Fatal(err)
	}
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return words
}

// TestLaunchBeside: while a launch waits, another machine executes what it waits for; both have a workspace of their own.
func TestLaunchBeside(t *testing.T) {
	for _, policy := range []emu.Policy{emu.ITS, emu.Lockstep, emu.Random, emu.PCT} {
		words := beside(t, policy, 0, func(l *emu.LaunchConfig, set func()) {
			l.Stalled = func(bool) bool {
				set()
				return true
			}
		})
		if words[2] != 1 || words[1] == 0 || words[3] == 0 || words[1] == words[3] {
			t.Errorf("policy %d: flag %d, workspaces 0x%x and 0x%x", policy, words[2], words[1], words[3])
		}
	}
}

// TestPauseAtClock: a launch that waits for memory or a clock lets others go on before the time is over.
func TestPauseAtClock(t *testing.T) {
	const limit = 1 << 20
	for _, want := range []uint32{0, 1} {
		pauses := 0
		words := beside(t, emu.ITS, limit, func(l *emu.LaunchConfig, set func()) {
			l.Pause = func() (changed, alone bool) {
				if pauses++; pauses == 1 && want == 1 {
					set()
				}
				return pauses == 1, false
			}
		})
		if words[2] != want || pauses == 0 {
			t.Errorf("flag %d after %d pauses, want %d", words[2], pauses, want)
		}
	}
}

// TestPauseAfter: pauses come after as many turns as asked for, and are no progress of the launch.
func TestPauseAfter(t *testing.T) {
	for _, policy := range []emu.Policy{emu.Random, emu.PCT} {
		pauses, looks := 0, 0
		words := beside(t, policy, 0, func(l *emu.LaunchConfig, set func()) {
			l.PauseAfter = func() uint64 { return uint64(64 * min(pauses, 1)) }
			l.Pause = func() (changed, alone bool) {
				pauses++
				return true, false
			}
			l.Stalled = func(changed bool) bool {
				if looks++; looks < 5 {
					if changed != (looks == 1) {
						t.Errorf("policy %d: look %d: changed is %v", policy, looks, changed)
					}
					return true
				}
				set()
				return true
			}
		})
		if words[2] != 1 || pauses == 0 || looks < 5 {
			t.Errorf("policy %d: flag %d, %d pauses, %d looks", policy, words[2], pauses, looks)
		}
	}
}

// Waits for a clock.

package emu_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// clockSource has a kernel that polls a word until the clock has moved on by a limit, while another thread waits at a
// barrier, and one that does so again and again for as long as nobody sets the word.
const clockSource = `.entry timed(` + clockBegin + `	mov.u32 %r1, %tid.x;
	setp.ne.u32 %p1, %r1, 0;
	@%p1 bra DONE;
	mov.u64 %d4, %globaltimer;
POLL:	ld.volatile.global.u32 %r2, [%d1];
	setp.ne.u32 %p1, %r2, 0;
	@%p1 bra DONE;
	mov.u64 %d3, %globaltimer;
	sub.u64 %d5, %d3, %d4;
	setp.lt.u64 %p2, %d5, %d2;
	@%p2 bra POLL;
	st.global.u64 [%d1+8], %d5;
DONE:	bar.sync 0;
	ret;
}
.entry always(` + clockBegin + `BEGIN:	mov.u64 %d4, %globaltimer;
POLL:	ld.volatile.global.u32 %r2, [%d1];
	setp.ne.u32 %p1, %r2, 0;
	@%p1 bra DONE;
	mov.u64 %d3, %globaltimer;
	sub.u64 %d5, %d3, %d4;
	setp.lt.u64 %p2, %d5, %d2;
	@%p2 bra POLL;
	bra BEGIN;
DONE:	ret;
}`

// clockBegin is the beginning of both kernels.
const clockBegin = `.param .u64 data, .param .u64 limit) {
	.reg .b32 %r<4>; .reg .pred %p<3>; .reg .b64 %d<6>;
	ld.param.u64 %d1, [data];
	ld.param.u64 %d2, [limit];
`

// timed launches a kernel of clockSource, and returns the class of its fault and the time that it waited.
func timed(t *testing.T, policy emu.Policy, kernel string, limit uint64) (class string, waited uint64) {
	t.Helper()
	d := load(t, clockSource, emu.Config{Policy: policy})
	data := alloc(t, d, "data", 4)
	res, err := d.Launch(t.Context(), emu.LaunchConfig{Kernel: kernel, Grid: dim(1), Block: dim(2), Params: args(data, limit)})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Faults) > 0 {
		return res.Faults[0].Class, 0
	}
	w := words(t, d, data, 4)
	return "", uint64(w[3])<<32 | uint64(w[2])
}

// TestTimePasses: a thread that waits until a clock has moved on does not wait for ever, and hardly longer than asked.
func TestTimePasses(t *testing.T) {
	for _, policy := range []emu.Policy{emu.ITS, emu.Lockstep, emu.Random, emu.PCT} {
		for _, limit := range []uint64{1 << 12, 250_000_000, 30_000_000_000} {
			class, waited := timed(t, policy, "timed", limit)
			if class != "" || waited < limit || waited > 3*limit {
				t.Errorf("policy %d: fault %q after %d of %d ns", policy, class, waited, limit)
			}
		}
		if class, _ := timed(t, policy, "always", 1_000_000); class != "livelock" {
			t.Errorf("policy %d: a thread that waits again and again: fault %q", policy, class)
		}
	}
}

// TestTimeAlone: where others wait for a launch, time passes for its threads as if there were none.
func TestTimeAlone(t *testing.T) {
	const limit = 30_000_000_000
	d := load(t, clockSource, emu.Config{})
	data := alloc(t, d, "data", 4)
	pauses := 0
	res, err := d.Launch(t.Context(), emu.LaunchConfig{
		Kernel: "timed", Grid: dim(1), Block: dim(2), Params: args(data, uint64(limit)),
		Stalled: func(bool) bool { return false },
		Pause: func() (changed, alone bool) {
			pauses++
			return false, pauses > 2
		},
	})
	if err != nil || len(res.Faults) > 0 {
		t.Fatalf("%v, %+v", err, res)
	}
	if w := words(t, d, data, 4); uint64(w[3])<<32|uint64(w[2]) < limit {
		t.Errorf("the thread did not wait: %v", w)
	}
}

// Launches that are resident together.

package session_test

import (
	"fmt"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// relays has kernels of which each waits for a word, sets the next, and has all threads of a block write one word.
const relays = `.version 7.0
.target sm_70
.address_size 64
.visible .entry relay(.param .u64 words, .param .u32 at, .param .u64 out)
{
	.reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p;
	ld.param.u64 %rd1, [words];
	ld.param.u32 %r1, [at];
	ld.param.u64 %rd2, [out];
	mul.wide.u32 %rd3, %r1, 4;
	add.u64 %rd1, %rd1, %rd3;
WAIT:
	ld.volatile.global.u32 %r2, [%rd1];
	setp.eq.u32 %p, %r2, 0;
	@%p bra WAIT;
	mov.u32 %r3, %tid.x;
	st.global.u32 [%rd2], %r3;
	st.volatile.global.u32 [%rd1+4], 1;
	ret;
}
.visible .entry quick(.param .u64 words, .param .u32 at, .param .u64 out)
{
	.reg .b32 %r<2>; .reg .b64 %rd<3>;
	ld.param.u64 %rd2, [out];
	mov.u32 %r1, %tid.x;
	st.global.u32 [%rd2], %r1;
	ret;
}
`

// TestResidentLaunches: launches of one program, or of two, begin while others wait. Each has its own detector: its
// races are found as if it ran alone. What verdicts hold for is not decided.
func TestResidentLaunches(t *testing.T) {
	const deep = 4
	for _, programs := range []int{1, 2} {
		t.Run(fmt.Sprint(programs), func(t *testing.T) {
			s, loaded := openApplication(t, []string{relays, relays}[:programs]...)
			words, out := buffer(t, s, "words", make([]uint32, deep+1)), buffer(t, s, "out", make([]uint32, deep))
			var begin func(at int) *session.Result
			stalls := 0
			begin = func(at int) *session.Result {
				kernel := "relay"
				if at == deep {
					kernel = "quick"
				}
				l := session.Launch{
					Program: loaded[at%programs], Kernel: kernel, Block: emu.Dim3{X: 32}, Args: []any{words, uint32(at), out},
				}
				began := false
				l.Stalled = func(bool) bool {
					stalls++
					if began {
						return false
					}
					began = true
					if res := begin(at + 1); len(res.Races) != 1 || len(res.Faults) > 0 {
						t.Errorf("launch %d: %d races, faults %v", at+1, len(res.Races), res.Faults)
					}
					if at == deep-1 { // all are let go on
						if err := words.Write(0, []byte{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}); err != nil {
							t.Error(err)
						}
					}
					return true
				}
				return launch(t, s, l)
			}
			if res := begin(0); len(res.Races) != 1 || len(res.Faults) > 0 || stalls != deep {
				t.Errorf("%d races, faults %v, %d stalls", len(res.Races), res.Faults, stalls)
			}
			rep := s.Report()
			if rep.Stats.Launches != deep+1 || len(rep.Claims) == 0 {
				t.Errorf("%d launches, claims %v", rep.Stats.Launches, rep.Claims)
			}
			for _, c := range rep.Claims {
				if c.Undecided != "other launches ran beside it" {
					t.Errorf("%s: %+v", c.Kernel, c.Holds)
				}
			}
			for _, c := range rep.Coverage {
				if c.Unexecuted > 0 {
					t.Errorf("%s: %d accesses count as never executed", c.Kernel, c.Unexecuted)
				}
			}
		})
	}
}

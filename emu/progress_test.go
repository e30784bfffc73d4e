// How far launches are.

package emu_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// TestProgress: each block of a launch is counted once, whether blocks run in parts, in turns, or under a listener.
func TestProgress(t *testing.T) {
	const text = `.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 out)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %ctaid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.u64 %rd3, %rd1, %rd2;
	st.global.u32 [%rd3], %r1;
	ret;
}
`
	for _, listener := range []emu.Listener{nil, emu.NopListener{}} {
		for _, workers := range []int{1, 3} {
			for _, policy := range []emu.Policy{emu.ITS, emu.Random} {
				progress := new(emu.Progress)
				run(t, text, emu.Config{Progress: progress, Workers: workers, Policy: policy, Listener: listener}, 700, 64, 700)
				if ended, of := progress.Count(); ended != 700 || of != 0 {
					t.Errorf("policy %v, %d workers, listener %v: %d of %d blocks after a launch of 700", policy, workers, listener, ended, of)
				}
			}
		}
	}
}

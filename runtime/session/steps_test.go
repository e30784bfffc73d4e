package session_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestStepsOfHooks: a program that ends has an end with each detector, even if it does little but store 16 bytes at one
// address by all lanes, of which the hook of iguard checks one after the other.
func TestStepsOfHooks(t *testing.T) {
	const text = `.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 data)
{
	.reg .pred %p;
	.reg .b32 %r<3>;
	.reg .b64 %rd;
	ld.param.u64 %rd, [data];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, 0;
L:
	STORES
	add.u32 %r2, %r2, 1;
	setp.lt.u32 %p, %r2, 60;
	@%p bra L;
	ret;
}
`
	stores := strings.Repeat("st.global.v4.u32 [%rd], {%r1, %r1, %r1, %r1};\n", 10)
	for _, detector := range session.DetectorNames() {
		s := open(t, detector, strings.Replace(text, "STORES", stores, 1))
		res := launch(t, s, session.Launch{Kernel: "k", Block: emu.Dim3{X: 128}, Args: []any{buffer(t, s, "data", make([]uint32, 4))}})
		if len(res.Faults) > 0 || s.Stopped() {
			t.Errorf("%s: the kernel was stopped: %v", detector, res.Faults)
		}
	}
}

package barracuda_test

import (
	"maps"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	host "github.com/ptxsan/ptxsan/internal/detect/barracuda"
	"github.com/ptxsan/ptxsan/internal/passtest"
)

// parts is a kernel with branches at which warp 1 parts and the others do not.
const parts = `.version 7.8
.target sm_80
.address_size 64
.visible .entry kernel(.param .u64 p)
{
	.reg .b64 %rd<4>;
	.reg .b32 %r<4>;
	.reg .pred %p<4>;
	ld.param.u64 %rd0, [p];
	mov.u32 %r0, %tid.x;
	setp.lt.u32 %p1, %r0, 40;
	setp.lt.u32 %p2, %r0, 64;
	@%p2 bra $FIRST; // all lanes of warps 0 and 1, none of warp 2
	st.global.u32 [%rd0], 1;
$FIRST:
	@%p1 bra $SECOND; // lanes 0 to 7 of warp 1
	st.global.u32 [%rd0+4], 1;
$SECOND:
	st.global.u32 [%rd0+8], 1;
	ret;
}
`

// TestConverge: warps that no branch has parted do not say that they meet.
func TestConverge(t *testing.T) {
	met := map[uint32]int{}
	fromRecords(t, passtest.Load(t, "k.ptx", []byte(parts)), emu.ITS, 1, 4, func(op *host.Op, _ int, _ *emu.Machine) {
		if op.Kind == host.Fi {
			met[op.Warp]++
		}
	})
	if want := map[uint32]int{1: blocks}; !maps.Equal(met, want) {
		t.Errorf("meetings by warp: %v, want %v", met, want)
	}
}

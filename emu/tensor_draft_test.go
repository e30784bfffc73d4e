package emu_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
)

// draftFields are all fields of a map of one dimension, each as an instruction on the map
// at %rd1.
var draftFields = map[string]string{
	"global_address": "b64 [%rd1], %rd2", "rank": "b32 [%rd1], 0", "elemtype": "b32 [%rd1], 2", "interleave_layout": "b32 [%rd1], 0",
	"swizzle_mode": "b32 [%rd1], 0", "fill_mode": "b32 [%rd1], 0", "box_dim": "b32 [%rd1], 0, 8", "global_dim": "b32 [%rd1], 0, 32",
	"element_stride": "b32 [%rd1], 0, 1",
}

// draftKernel makes a map out of zeros with all fields but one, and copies through it.
func draftKernel(but string) string {
	var edits strings.Builder
	for name, operands := range draftFields {
		if typ, rest, _ := strings.Cut(operands, " "); name != but {
			edits.WriteString("tensormap.replace.tile." + name + ".global.b1024." + typ + " " + rest + ";\n")
		}
	}
	return `.version 8.5
.target sm_90a
.address_size 64
.global .align 64 .b8 map[128];
.global .align 16 .u32 data[32];
.visible .entry k(.param .u64 out)
{
	.reg .pred %p; .reg .b64 %rd<4>; .reg .b32 %r<4>;
	.shared .align 128 .b8 tile[32];
	.shared .align 8 .b64 bar;
	mov.u64 %rd1, map;
	mov.u64 %rd2, data;
	` + edits.String() + `
	fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128;
	mov.u32 %r1, tile;
	mov.u32 %r2, bar;
	mbarrier.init.shared.b64 [%r2], 1;
	fence.proxy.async.shared::cta;
	mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 32;
	mov.u32 %r3, 0;
	cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r3}], [%r2];
WAIT:
	mbarrier.try_wait.parity.shared.b64 %p, [%r2], 0;
	@!%p bra WAIT;
	ret;
}
`
}

// TestTensorMapOfZeros: a map that the program makes out of zero bytes works when each of its fields has been set, and
// says which one is missing when not. The layout and the fill may be missing, which zeros describe.
func TestTensorMapOfZeros(t *testing.T) {
	m := load(t, draftKernel(""), emu.Config{})
	clean(t, launch(t, m, 1, 1, 0))
	for name := range draftFields {
		m := load(t, draftKernel(name), emu.Config{})
		r := launch(t, m, 1, 1, 0)
		if name == "interleave_layout" || name == "fill_mode" { // Triton does not set them
			clean(t, r)
			continue
		}
		if len(r.Faults) != 1 || r.Faults[0].Class != "uninitialised" || !strings.Contains(r.Faults[0].Message, "the tensor map here lacks "+name) {
			t.Errorf("without %s: %v", name, r.Faults)
		}
	}
}

// Advice for launches with blocks of one warp.

package fix_test

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// reversed exchanges values of all threads of a block through shared memory, without a barrier.
const reversed = `.version 7.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p) LIMIT
{
	.shared .b32 s[1024];
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, s;
	mad.lo.u32 %r3, %r1, 4, %r2;
	st.shared.u32 [%r3], %r1;
	mov.u32 %r4, %ntid.x;
	sub.u32 %r4, %r4, %r1;
	mad.lo.u32 %r4, %r4, 4, %r2;
	ld.shared.u32 %r5, [%r4+-4];
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	st.global.u32 [%rd3], %r5;
	ret;
}
`

// TestAdviseWider: a barrier of a warp is advised for a block of one warp only where the kernel has no larger blocks.
func TestAdviseWider(t *testing.T) {
	for limit, want := range map[string]string{"": "bar.sync", ".maxntid 32, 1, 1": "bar.warp.sync", ".maxntid 64, 1, 1": "bar.sync"} {
		p, err := session.Parse("k.ptx", []byte(strings.Replace(reversed, "LIMIT", limit, 1)))
		if err != nil {
			t.Fatal(err)
		}
		file, err := launch.Parse("k.yaml", []byte("buffers: {o: {type: u32, count: 1024}}\nlaunches: [{kernel: k, grid: 1, block: 32, args: [o]}]\n"), launch.Options{})
		if err != nil {
			t.Fatal(err)
		}
		plan, err := session.NewPlan(p, file, 0)
		if err != nil {
			t.Fatal(err)
		}
		rep := advised(t, plan)
		if len(rep.Races) != 1 || rep.Races[0].Advice.Repair != detect.RepairBarrier || len(rep.Races[0].Advice.Changes) != 1 || !strings.HasPrefix(rep.Races[0].Advice.Changes[0].New, want) {
			t.Errorf("%q: want %s, got %+v", limit, want, rep.Races[0].Advice)
		}
	}
}

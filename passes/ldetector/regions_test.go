package ldetector

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/passtest"
)

// TestRegions: which lines regions have, where they end, and why they are skipped.
func TestRegions(t *testing.T) {
	const kernel = `.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u32 n)
{
	.reg .pred %p<3>;
	.reg .b32 %r<5>;
	.shared .align 4 .b8 tile[64];
	ld.param.u32 %r1, [n];
$OUTER:
	st.shared.u32 [tile], %r1;
	bar.sync 0;
	setp.eq.u32 %p1, %r1, 1;
	@%p1 bra $OTHER;
$INNER:
	ld.shared.u32 %r2, [tile];
	setp.eq.u32 %p2, %r2, 3;
	@%p2 bra $INNER;
	barrier.sync 1;
	bra $JOIN;
$OTHER:
	@%p2 ret;
	bar.sync 2, 64;
$JOIN:
	sub.u32 %r1, %r1, 1;
	setp.ne.u32 %p2, %r1, 0;
	@%p2 bra $OUTER;
	@%p1 bar.sync 0;
	mov.u32 %r3, %clock;
	ret;
}
`
	const want = `1 from 9 to 11, ends [12], exits false
2 from 11 to 30, ends [12 19 28], exits true, skipped: bar.sync: a barrier of some threads of the block
3 from 11 to 30, ends [12 28], exits true, skipped: mov.u32: its result differs from one execution to the next
4 from 29 to 30, ends [], exits true, skipped: mov.u32: its result differs from one execution to the next
`
	f := passtest.Load(t, "k.ptx", []byte(kernel)).Func("k")
	n := uint32(0)
	var b strings.Builder
	for _, r := range regionsOf(f, func() uint32 { n++; return n }) {
		r.judge()
		var ends []int
		for _, in := range r.ends {
			ends = append(ends, in.Line)
		}
		fmt.Fprintf(&b, "%d from %d to %d, ends %v, exits %v", r.number, r.insts[0].Line, r.insts[len(r.insts)-1].Line, ends, r.exits)
		if r.skip != nil {
			fmt.Fprintf(&b, ", skipped: %s", r.skip)
		}
		fmt.Fprintln(&b)
	}
	if b.String() != want {
		t.Errorf("got\n%s\nexpected\n%s", b.String(), want)
	}
}

// Tests of strong liveness in cycles.

package query

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/rewrite"
)

// TestStronglyLive: the registers that decide what a thread does in the loops around the block of label L.
func TestStronglyLive(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"in no loop", "L: add.u32 %r1, %r1, 1; st.global.u32 [%d1], %r1;", "none"},
		{"a counter", "L: add.u32 %r1, %r1, 1; ld.global.u32 %r2, [%d1]; setp.eq.u32 %p1, %r2, 0; @%p1 bra L; st.global.u32 [%d2], %r1;", "%d1 %p1 %r2"},
		{"through others", "L: add.u32 %r1, %r1, 1; mov.u32 %r2, %r1; setp.lt.u32 %p1, %r2, %r3; @%p1 bra L;", "%p1 %r1 %r2 %r3"},
		{"of the loop around", "M: mov.u32 %r1, 0; L: add.u32 %r1, %r1, 1; @%p1 bra L; st.global.u32 [%d1], %r1; @%p2 bra M;", "%d1 %p1 %p2 %r1"},
		{"of the loop within", "L: add.u32 %r1, %r1, 1; M: add.u32 %r2, %r2, %r1; setp.lt.u32 %p1, %r2, 9; @%p1 bra M; @%p2 bra L;", "%p1 %p2 %r1 %r2"},
		{"of another loop", "L: add.u32 %r1, %r1, 1; @%p1 bra L; M: add.u32 %r1, %r1, 1; setp.lt.u32 %p2, %r1, 9; @%p2 bra M;", "%p1"},
		{"entered at two places", "@%p1 bra M; L: add.u32 %r1, %r1, 1; M: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 9; @%p2 bra L;", "%p2 %r2"},
		{"under a guard", "L: @%p1 mov.u32 %r1, %r2; st.global.u32 [%d1], %r1; bra L;", "%d1 %p1 %r1 %r2"},
		{"guards nothing", "L: @%p1 add.u32 %r1, %r1, 1; @%p2 bra L;", "%p2"},
		{"another lane's", "L: add.u32 %r1, %r1, 1; shfl.sync.idx.b32 %r2, %r1, 0, 31, -1; @%p1 bra L;", "%p1 %r1"},
		{"voted on", "L: not.pred %p1, %p1; vote.sync.any.pred %p2, %p1, -1; @%p3 bra L;", "%p1 %p3"},
		{"with a carry", "L: add.cc.u32 %r1, %r1, 1; addc.u32 %r2, %r2, 0; @%p1 bra L;", "%p1 %r1 %r2"},
		{"slept for", "L: add.u32 %r1, %r1, 1; nanosleep.u32 %r1; @%p1 bra L;", "%p1 %r1"},
		{"an argument", "L: add.u32 %r1, %r1, 1; { .param .b32 a; st.param.b32 [a], %r1; call g, (a); } @%p1 bra L;", "%p1 %r1"},
		{"may fault", "L: add.u64 %d1, %d1, 8; ld.global.u32 %r1, [%d1]; @%p1 bra L;", "%d1 %p1"},
		{"may fault as an address", "L: add.u64 %d1, %d1, 8; mapa.u64 %d2, %d1, %r1; @%p1 bra L;", "%d1 %p1 %r1"},
		{"an unknown way", "L: add.u32 %r1, %r1, 1; brx.idx %r2, T; T: .branchtargets L, END;", "%r2"},
	} {
		m := load(t, "k.ptx", ".version 8.3\n.target sm_90\n.address_size 64\n.func g(.param .b32 a) { ret; }\n.visible .entry k() {\n"+
			".reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n"+c.body+"\nEND: ret;\n}\n")
		f := m.Func("k")
		l := f.Labels[slices.IndexFunc(f.Labels, func(l *rewrite.Label) bool { return l.Name == "L" })]
		got := "none"
		if set := StronglyLive(f, f.CFG().BlockOf[l.Inst]); set != nil {
			var names []string
			for _, r := range f.Regs {
				if set.Has(r) {
					names = append(names, r.Name)
				}
			}
			slices.Sort(names)
			got = strings.Join(names, " ")
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

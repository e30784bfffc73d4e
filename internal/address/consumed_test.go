package address

import "testing"

// TestConsumed: of which loads the value is used on every path before the thread arrives anywhere.
func TestConsumed(t *testing.T) {
	const remote, arrive = "ld.shared::cluster.u32 %r2, [%r1]; ", "barrier.cluster.arrive.relaxed; "
	for _, c := range []struct {
		name, body string
		want       bool
	}{
		{"used at once", remote + "add.u32 %r3, %r2, 1; " + arrive, true},
		{"stored", remote + "st.global.u32 [%rd1], %r2; " + arrive, true},
		{"tested", remote + "setp.eq.u32 %p1, %r2, 0; " + arrive, true},
		{"not used", remote + arrive, false},
		{"used later", remote + arrive + "add.u32 %r3, %r2, 1;", false},
		{"used by some", remote + "@%p1 add.u32 %r3, %r2, 1; " + arrive, false},
		{"loaded and used by some", "@%p1 " + remote + "@%p1 add.u32 %r3, %r2, 1; " + arrive, true},
		{"loaded by some, used by others", "@%p1 " + remote + "@!%p1 add.u32 %r3, %r2, 1; " + arrive, false},
		{"the guard changes", "@%p1 " + remote + "setp.eq.u32 %p1, %r4, 0; @%p1 add.u32 %r3, %r2, 1; " + arrive, false},
		{"on one path", remote + "@%p1 bra D; add.u32 %r3, %r2, 1; D: " + arrive, false},
		{"on both paths", remote + "@%p1 bra D; add.u32 %r3, %r2, 1; bra E; D: sub.u32 %r3, %r2, 1; E: " + arrive, true},
		{"overwritten", remote + "mov.u32 %r2, 0; add.u32 %r3, %r2, 1; " + arrive, false},
		{"one element", "ld.shared::cluster.v2.u32 {%r2, %r4}, [%r1]; add.u32 %r3, %r4, 1; " + arrive, true},
		{"a barrier of the block", remote + "bar.sync 0; add.u32 %r3, %r2, 1; " + arrive, false},
		{"an arrival at an mbarrier", remote + "mbarrier.arrive.shared::cta.b64 %rd3, [%r5]; add.u32 %r3, %r2, 1;", false},
		{"no arrival", remote, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := load(t, "k.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p<9>; .reg .b32 %r<10>; .reg .b64 %rd<9>;\n"+c.body+"\nret;\n}\n").Kernels()[0]
			for _, in := range f.Insts {
				if in.Has("shared::cluster") && in.Instr.Name == "ld" {
					if got := Consumed(f)[in]; got != c.want {
						t.Errorf("got %t", got)
					}
				}
			}
		})
	}
}

package static

import (
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/facts"
)

// TestTickets: what atomic additions of positive constants to a counter return is different in every thread, if nothing
// else changes the counter and the scope includes the threads.
func TestTickets(t *testing.T) {
	const (
		take  = "atom.global.add.u32 %r6, [%rd2], 1;"
		slot  = "mul.wide.u32 %rd3, %r6, 4; add.s64 %rd3, %rd1, %rd3;"
		store = "st.global.u32 [%rd3], %r2;"
		bin   = "mul.wide.u32 %rd5, %r1, 4; add.s64 %rd5, %rd2, %rd5;"
	)
	tests := []struct {
		name, body string
		want       bool // proved
	}{
		{"a slot for each thread", take + slot + store, true},
		{"read and written", take + slot + "ld.global.u32 %r7, [%rd3]; add.u32 %r7, %r7, 1; st.global.u32 [%rd3], %r7;", true},
		{"two instructions", "setp.lt.u32 %p1, %r2, 7; @%p1 red.global.add.u32 [%rd2], 5;" + take + slot + store, true},
		{"four slots for each thread", "atom.global.add.u32 %r6, [%rd2], 4;" + slot + store + "st.global.u32 [%rd3+12], %r2;", true},
		{"five of four slots", "atom.global.add.u32 %r6, [%rd2], 4;" + slot + store + "st.global.u32 [%rd3+16], %r2;", false},
		{"the neighbour's slot", take + slot + "ld.global.u32 %r7, [%rd3+4];" + store, false},
		{"half a slot for each thread", take + "shr.u32 %r6, %r6, 1;" + slot + store, false},
		{"nothing is added", "atom.global.add.u32 %r6, [%rd2], 0;" + slot + store, false},
		{"what is added is not a constant", "atom.global.add.u32 %r6, [%rd2], %r2;" + slot + store, false},
		{"a negative number is added, too", take + "red.global.add.s32 [%rd2], -1;" + slot + store, false},
		{"the counter is set again", take + slot + store + "setp.eq.u32 %p1, %r1, 9; @%p1 atom.global.exch.b32 %r8, [%rd2], 0;", false},
		{"the counter may be an element", take + slot + store + "mul.wide.u32 %rd5, %r1, 4; add.s64 %rd5, %rd2, %rd5; atom.global.exch.b32 %r8, [%rd5], 0;", false},
		{"scope of the block only", "atom.cta.global.add.u32 %r6, [%rd2], 1;" + slot + store, false},
		{"a counter for each block", "mov.u64 %rd6, tile; atom.shared.add.u32 %r6, [%rd6], 1;" + slot + store, false},
		{"a counter for each block, its own slots", "mov.u64 %rd6, tile; atom.shared.add.u32 %r6, [%rd6], 1; add.u32 %r6, %r6, 8; shl.b32 %r6, %r6, 2; cvt.u64.u32 %rd5, %r6; add.s64 %rd5, %rd6, %rd5; st.shared.u32 [%rd5+0], %r2;", false}, // may be the counter
		{"a counter of each thread", "mul.wide.u32 %rd5, %r5, 4; add.s64 %rd5, %rd2, %rd5; atom.global.add.u32 %r6, [%rd5], 1;" + slot + store, false},
		{"a counter of all, at an element", bin + "atom.global.add.u32 %r6, [%rd5], 1;" + slot + store, true},
		{
			"read with a sign and without", "atom.global.add.s32 %r6, [%rd2], 1; atom.global.add.u32 %r8, [%rd2], 1; setp.lt.s32 %p1, %r6, 0; setp.ge.u32 %p2, %r8, 2147483648; and.b32 %r6, %r6, 63;" +
				slot + "@%p1 st.global.u32 [%rd3], %r2; and.b32 %r6, %r8, 63;" + slot + "@%p2 ld.global.u32 %r7, [%rd3];", false,
		},
		{"floating-point numbers", "mov.u32 %r8, 1; atom.global.add.f32 %f1, [%rd2], 0f3F800000; cvt.rzi.u32.f32 %r6, %f1;" + slot + store, false},
	}
	for _, test := range tests {
		text := strings.Replace(kernelText(test.body), ".reg .pred", ".reg .f32 %f<4>;\n\t.reg .pred", 1)
		r := analyzeText(t, text, &facts.Given{Disjoint: true}, Options{NoWrap: true})
		if got := r.Verdict == Clean; got != test.want {
			t.Errorf("%s: %s, proved is to be %t", test.name, r.Verdict, test.want)
			for _, p := range r.Pairs {
				t.Logf("%s | %s: %s %v %s", p.First.Inst.Text(), p.Second.Inst.Text(), p.Verdict, p.Kinds, p.Reason)
			}
		}
		needs := slices.ContainsFunc(r.Needed, func(n string) bool { return strings.HasPrefix(n, "tickets: ") })
		if r.Verdict == Clean && !needs {
			t.Errorf("%s: needs %v", test.name, r.Needed)
		}
	}
}

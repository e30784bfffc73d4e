package query

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// TestDemand: the conditions under which threads use what the last load of a kernel reads.
func TestDemand(t *testing.T) {
	const head = `.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %d<9>; .shared .b32 flag;
		mov.u32 %r1, %tid.x; setp.ne.s32 %p1, %r1, 0; setp.eq.s32 %p2, %r1, 1;
	`
	for name, c := range map[string]struct{ body, demand string }{
		"or":           {"ld.shared.u32 %r2, [flag]; setp.eq.s32 %p3, %r2, 0; or.pred %p4, %p1, %p3; @%p4 bra END;", "!%p1"},
		"and":          {"ld.shared.u32 %r2, [flag]; setp.eq.s32 %p3, %r2, 0; and.pred %p4, %p3, %p1; @%p4 bra END;", "%p1"},
		"select":       {"ld.shared.u32 %r2, [flag]; selp.b32 %r3, %r2, 0, %p1; st.global.u32 [0], %r3;", "%p1"},
		"select other": {"ld.shared.u32 %r2, [flag]; selp.b32 %r3, 0, %r2, %p1; st.global.u32 [0], %r3;", "!%p1"},
		"compare":      {"ld.shared.u32 %r2, [flag]; setp.eq.and.s32 %p4, %r2, 0, !%p1; @%p4 bra END;", "!%p1"},
		"compare or":   {"ld.shared.u32 %r2, [flag]; setp.eq.or.s32 %p4, %r2, 0, !%p1; @%p4 bra END;", "%p1"},
		"computed": {`ld.shared.u8 %h1, [flag]; cvt.u32.u16 %r3, %h1; add.u32 %r4, %r3, %r1; setp.eq.s32 %p3, %r4, 0;
			not.pred %p5, %p3; or.pred %p4, %p5, %p1; @%p4 bra END;`, "!%p1"},
		"outer condition": {"ld.shared.u32 %r2, [flag]; setp.eq.xor.s32 %p3, %r2, 0, %p1; or.pred %p4, %p2, %p3; @%p4 bra END;", "!%p2"},
		"in a loop":       {"L: ld.shared.u32 %r2, [flag]; setp.eq.s32 %p3, %r2, 0; and.pred %p4, %p1, %p3; @%p4 bra L;", "%p1"},

		"shuffled in old":  {"ld.shared.u32 %r2, [flag]; shfl.idx.b32 %r4, %r2, 0, 31; selp.b32 %r3, %r4, 0, %p1; st.global.u32 [0], %r3;", ""},
		"voted in old":     {"ld.shared.u32 %r2, [flag]; setp.eq.s32 %p3, %r2, 0; vote.any.pred %p5, %p3; or.pred %p4, %p1, %p5; @%p4 bra END;", ""},
		"shuffled":         {"ld.shared.u32 %r2, [flag]; shfl.sync.idx.b32 %r4, %r2, 0, 31, -1; selp.b32 %r3, %r4, 0, %p1; st.global.u32 [0], %r3;", ""},
		"voted":            {"ld.shared.u32 %r2, [flag]; setp.eq.s32 %p3, %r2, 0; vote.sync.any.pred %p5, %p3, -1; or.pred %p4, %p1, %p5; @%p4 bra END;", ""},
		"summed":           {"ld.shared.u32 %r2, [flag]; redux.sync.add.u32 %r4, %r2, -1; selp.b32 %r3, %r4, 0, %p1; st.global.u32 [0], %r3;", ""},
		"matched":          {"ld.shared.u32 %r2, [flag]; match.any.sync.b32 %r4, %r2, -1; selp.b32 %r3, %r4, 0, %p1; st.global.u32 [0], %r3;", ""},
		"used":             {"ld.shared.u32 %r2, [flag]; st.global.u32 [0], %r2;", ""},
		"used twice":       {"ld.shared.u32 %r2, [flag]; setp.eq.s32 %p3, %r2, 0; or.pred %p4, %p1, %p3; st.global.u32 [0], %r2;", ""},
		"used on one way":  {"ld.shared.u32 %r2, [flag]; @%p1 bra END; st.global.u32 [0], %r2;", ""},
		"exclusive or":     {"ld.shared.u32 %r2, [flag]; setp.eq.s32 %p3, %r2, 0; xor.pred %p4, %p1, %p3; @%p4 bra END;", ""},
		"the condition":    {"ld.shared.u32 %r2, [flag]; setp.eq.s32 %p3, %r2, 0; selp.b32 %r3, 1, 2, %p3; st.global.u32 [0], %r3;", ""},
		"later condition":  {"ld.shared.u32 %r2, [flag]; setp.eq.s32 %p3, %r2, 0; setp.lt.s32 %p5, %r1, 9; or.pred %p4, %p5, %p3; @%p4 bra END;", ""},
		"behind a branch":  {"ld.shared.u32 %r2, [flag]; setp.eq.s32 %p3, %r2, 0; @%p2 bra L; add.u32 %r1, %r1, 1; L: or.pred %p4, %p1, %p3; @%p4 bra END;", ""},
		"changed in loop":  {"L: ld.shared.u32 %r2, [flag]; setp.eq.s32 %p3, %r2, 0; and.pred %p4, %p5, %p3; setp.lt.s32 %p5, %r1, 9; @%p4 bra L;", ""},
		"two conditions":   {"@%p2 setp.lt.s32 %p1, %r1, 9; ld.shared.u32 %r2, [flag]; selp.b32 %r3, %r2, 0, %p1; st.global.u32 [0], %r3;", ""},
		"guarded":          {"@%p2 ld.shared.u32 %r2, [flag]; selp.b32 %r3, %r2, 0, %p1; st.global.u32 [0], %r3;", ""},
		"written twice":    {"mov.u32 %r2, 0; ld.shared.u32 %r2, [flag]; selp.b32 %r3, %r2, 0, %p1; st.global.u32 [0], %r3;", ""},
		"guarded select":   {"ld.shared.u32 %r2, [flag]; @%p2 selp.b32 %r3, %r2, 0, %p1; st.global.u32 [0], %r3;", ""},
		"bits":             {"ld.shared.u32 %r2, [flag]; and.b32 %r3, %r2, %r1; st.global.u32 [0], %r3;", ""},
		"volatile":         {"ld.volatile.shared.u32 %r2, [flag]; selp.b32 %r3, %r2, 0, %p1; st.global.u32 [0], %r3;", ""},
		"vector":           {"ld.shared.v2.u32 {%r2, %r5}, [flag]; selp.b32 %r3, %r2, %r5, %p1; st.global.u32 [0], %r3;", ""},
		"parameter space":  {"ld.const.u32 %r2, [0]; selp.b32 %r3, %r2, 0, %p1; st.global.u32 [0], %r3;", ""},
		"stored otherwise": {"ld.shared.u32 %r2, [flag]; selp.b32 %r3, %r2, %r2, %p1; st.global.u32 [0], %r3;", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := kernel(t, head+c.body+"\nEND: ret;")
			var got []string
			for _, in := range f.Insts {
				if d, ok := DemandOf(in); ok {
					if in.Access.Kind != isa.AccessLoad {
						t.Errorf("%s has a demand", in.Text())
					}
					got = append(got, strings.Repeat("!", map[bool]int{true: 1}[d.Not])+d.Reg.Name)
				}
			}
			if all := strings.Join(got, " "); all != c.demand {
				t.Errorf("the load is for threads with %q, expected %q", all, c.demand)
			}
		})
	}
}

func TestDOT(t *testing.T) {
	f := kernel(t, ".reg .pred %p;\nL:\n@!%p bra L;\nret;")
	want := `digraph "k" {
	node [shape=box fontname=monospace];
	b0 [label="block 0\l8: @!%p bra L\l"];
	b1 [label="block 1\l9: ret\l"];
	b2 [label="exit"];
	b0 -> b0 [style=bold];
	b0 -> b1;
	b1 -> b2 [style=dashed];
}
`
	if got := DOT(f.CFG()); got != want {
		t.Errorf("got\n%s", got)
	}
}

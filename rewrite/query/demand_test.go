package query

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// demandText returns the conditions of a demand, and how many instructions are executed ahead.
func demandText(d Demand) string {
	var any []string
	for _, c := range d.Any {
		any = append(any, strings.Repeat("!", map[bool]int{true: 1}[c.Not])+c.Reg.Name)
	}
	text := strings.Join(any, "|")
	if len(d.Ahead) > 0 {
		text += fmt.Sprintf("+%d", len(d.Ahead))
	}
	return text
}

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

		"two conditions":  {"@%p2 setp.lt.s32 %p1, %r1, 9; ld.shared.u32 %r2, [flag]; selp.b32 %r3, %r2, 0, %p1; st.global.u32 [0], %r3;", "%p1"},
		"guarded":         {"@%p2 ld.shared.u32 %r2, [flag]; selp.b32 %r3, %r2, 0, %p1; st.global.u32 [0], %r3;", "%p1"},
		"written twice":   {"mov.u32 %r2, 0; ld.shared.u32 %r2, [flag]; selp.b32 %r3, %r2, 0, %p1; st.global.u32 [0], %r3;", "%p1"},
		"guarded select":  {"ld.shared.u32 %r2, [flag]; @%p2 selp.b32 %r3, %r2, 0, %p1; st.global.u32 [0], %r3;", "%p2"},
		"guarded store":   {"ld.shared.u32 %r2, [flag]; add.u32 %r3, %r2, %r2; @!%p1 st.global.u32 [0], %r3;", "!%p1"},
		"approximated":    {"ld.shared.u32 %r2, [flag]; ex2.approx.f32 %r3, %r2; prmt.b32 %r4, %r3, %r3, 0; @%p1 st.global.u32 [0], %r4;", "%p1"},
		"guarded stores":  {"ld.shared.v2.u32 {%r2, %r5}, [flag]; @%p1 st.global.u32 [0], %r2; @%p1 st.global.u32 [4], %r5; @%p2 st.global.u32 [8], %r5;", "%p1|%p2"},
		"later condition": {"ld.shared.u32 %r2, [flag]; setp.eq.s32 %p3, %r2, 0; setp.lt.s32 %p5, %r1, 9; or.pred %p4, %p5, %p3; @%p4 bra END;", "!%p5+1"},
		"later guard":     {"ld.shared.u32 %r2, [flag]; and.b32 %r3, %r1, 64; setp.eq.b32 %p5, %r3, 0; @%p5 st.global.u32 [0], %r2;", "%p5+2"},
		"later guard, its register used before": {
			"ld.shared.u32 %r2, [flag]; add.u32 %r3, %r1, 1; add.u32 %r1, %r3, 1; setp.eq.b32 %p5, %r1, 7; @%p5 st.global.u32 [0], %r2;",
			"%p5+3",
		},
		"a parameter":   {"ld.param.u32 %r4, [p]; ld.shared.u32 %r2, [flag]; setp.lt.u32 %p5, %r1, %r4; @%p5 st.global.u32 [0], %r2;", "%p5+1"},
		"and of memory": {"ld.global.u32 %r4, [0]; ld.shared.u32 %r2, [flag]; setp.lt.u32 %p5, %r1, %r4; and.pred %p6, %p5, %p1; @%p6 st.global.u32 [0], %r2;", "%p1"},
		"later and of memory": {`ld.global.u32 %r4, [0]; ld.shared.u32 %r2, [flag]; setp.lt.u32 %p5, %r1, %r4; setp.lt.u32 %p7, %r1, 9;
			and.pred %p6, %p5, %p7; @%p6 st.global.u32 [0], %r2;`, "%p7+1"},
		"none of two of memory": {`ld.global.u32 %r4, [0]; ld.shared.u32 %r2, [flag]; setp.lt.u32 %p5, %r1, %r4; or.pred %p6, %p5, %p1;
			@!%p6 st.global.u32 [0], %r2;`, "!%p1"},
		"of a counted loop": {"mov.u32 %r5, 0; L: ld.shared.u32 %r2, [flag]; setp.lt.u32 %p5, %r5, %r1; @%p5 st.global.u32 [0], %r2; add.u32 %r5, %r5, 1; setp.lt.u32 %p6, %r5, 9; @%p6 bra L;", "%p5+1"},

		"memory":                    {"ld.global.u32 %r4, [0]; ld.shared.u32 %r2, [flag]; setp.lt.u32 %p5, %r1, %r4; @%p5 st.global.u32 [0], %r2;", ""},
		"memory before":             {"ld.global.u32 %r4, [0]; setp.lt.u32 %p5, %r1, %r4; ld.shared.u32 %r2, [flag]; @%p5 st.global.u32 [0], %r2;", ""},
		"parameter alone":           {"ld.param.u32 %r4, [p]; setp.lt.u32 %p5, %r4, 4; ld.shared.u32 %r2, [flag]; @%p5 st.global.u32 [0], %r2;", ""},
		"the block alone":           {"mov.u32 %r4, %ctaid.x; setp.lt.u32 %p5, %r4, 4; ld.shared.u32 %r2, [flag]; @%p5 st.global.u32 [0], %r2;", ""},
		"one of memory":             {"ld.global.u32 %r4, [0]; ld.shared.u32 %r2, [flag]; setp.lt.u32 %p5, %r1, %r4; or.pred %p6, %p5, %p1; @%p6 st.global.u32 [0], %r2;", ""},
		"its own value":             {"ld.shared.u32 %r2, [flag]; setp.lt.u32 %p5, %r1, %r2; @%p5 st.global.u32 [0], %r2;", ""},
		"a clock":                   {"ld.shared.u32 %r2, [flag]; mov.u32 %r4, %clock; setp.lt.u32 %p5, %r1, %r4; @%p5 st.global.u32 [0], %r2;", ""},
		"of a loop by memory":       {"mov.u32 %r5, 0; L: ld.shared.u32 %r2, [flag]; setp.lt.u32 %p5, %r5, %r1; @%p5 st.global.u32 [0], %r2; add.u32 %r5, %r5, 1; ld.global.u32 %r6, [0]; setp.lt.u32 %p6, %r5, %r6; @%p6 bra L;", ""},
		"stored too":                {"ld.shared.u32 %r2, [flag]; @%p1 st.global.u32 [0], %r2; st.global.u32 [4], %r2;", ""},
		"guarded both ways":         {"ld.shared.u32 %r2, [flag]; @%p1 st.global.u32 [0], %r2; @!%p1 st.global.u32 [4], %r2;", ""},
		"another register":          {"ld.shared.u32 %r2, [flag]; setp.lt.s32 %p5, %r1, 9; @%p5 st.global.u32 [0], %r2; setp.lt.s32 %p5, %r1, 4; @%p5 st.global.u32 [4], %r2;", ""},
		"guard of an earlier round": {"L: ld.shared.u32 %r2, [flag]; @%p5 st.global.u32 [0], %r2; setp.lt.s32 %p5, %r1, 9; @%p5 bra L;", ""},
		"unused":                    {"ld.shared.u32 %r2, [flag];", ""},
		"next round":                {"L: @%p1 st.global.u32 [0], %r2; ld.shared.u32 %r2, [flag]; @%p2 bra L;", ""},

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
		"behind a branch":  {"ld.shared.u32 %r2, [flag]; setp.eq.s32 %p3, %r2, 0; @%p2 bra L; add.u32 %r1, %r1, 1; L: or.pred %p4, %p1, %p3; @%p4 bra END;", ""},
		"changed in loop":  {"L: ld.shared.u32 %r2, [flag]; setp.eq.s32 %p3, %r2, 0; and.pred %p4, %p5, %p3; setp.lt.s32 %p5, %r1, 9; @%p4 bra L;", ""},
		"bits":             {"ld.shared.u32 %r2, [flag]; and.b32 %r3, %r2, %r1; st.global.u32 [0], %r3;", ""},
		"volatile":         {"ld.volatile.shared.u32 %r2, [flag]; selp.b32 %r3, %r2, 0, %p1; st.global.u32 [0], %r3;", ""},
		"either element":   {"ld.shared.v2.u32 {%r2, %r5}, [flag]; selp.b32 %r3, %r2, %r5, %p1; st.global.u32 [0], %r3;", ""},
		"parameter space":  {"ld.const.u32 %r2, [0]; selp.b32 %r3, %r2, 0, %p1; st.global.u32 [0], %r3;", ""},
		"stored otherwise": {"ld.shared.u32 %r2, [flag]; selp.b32 %r3, %r2, %r2, %p1; st.global.u32 [0], %r3;", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := kernel(t, head+c.body+"\nEND: ret;")
			got := ""
			for _, in := range f.Insts {
				d, ok := DemandOf(in)
				if in.Access.Kind == isa.AccessLoad && in.Access.Space != isa.SpaceParam {
					got = demandText(d)
				} else if ok {
					t.Errorf("%s has a demand", in.Text())
				}
				if ok && len(d.Any) == 0 {
					t.Errorf("%s has a demand without conditions", in.Text())
				}
			}
			if got != c.demand {
				t.Errorf("the load is for threads with %q, expected %q", got, c.demand)
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

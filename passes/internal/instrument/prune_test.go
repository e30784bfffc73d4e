package instrument_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/internal/instrument"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// blocks is a function whose comments say which line covers an access. The policy
// of the test: any access covers any, and a fence forgets all.
const blocks = `.version 7.8
.target sm_80
.address_size 64
.global .b32 g[4], h;
.func f(.param .u64 p)
{
	.reg .pred %p<3>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd0, [p];
	ld.global.u32 %r0, [%rd0];
	ld.global.u32 %r1, [%rd0]; // want: 11
	ld.global.u32 %r1, [%rd0+4];
	st.global.u32 [%rd0+4], 1; // want: 13
	ld.u32 %r1, [%rd0]; // a generic address is another space
	ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd0+16];
	ld.global.u32 %r5, [%rd0+28]; // want: 16
	ld.global.u64 %rd1, [%rd0+28]; // half of it is outside
	ld.global.u8 %r5, [%rd0+31]; // want: 16
	ld.global.u64 %rd2, [%rd0+8];
	add.s64 %rd0, %rd0, 4;
	ld.global.u32 %r5, [%rd0]; // another address
	ld.global.u64 %rd0, [%rd0+32];
	ld.global.u64 %rd1, [%rd0+32]; // the base was loaded
	st.global.u32 [g], 1;
	st.global.u32 [h], 1;
	st.global.u32 [g], 1; // want: 25
	ld.global.u32 %r0, [g+4];
	fence.acq_rel.gpu;
	ld.global.u32 %r0, [g];
	@%p0 ld.global.u32 %r0, [%rd0];
	@%p0 ld.global.u32 %r0, [%rd0]; // want: 31
	@!%p0 ld.global.u32 %r0, [%rd0];
	@%p1 ld.global.u32 %r0, [%rd0];
	ld.global.u32 %r0, [%rd0];
	@%p2 ld.global.u32 %r0, [%rd0]; // want: 35
	@%p0 ld.global.u32 %r0, [%rd0+8];
	setp.eq.u32 %p0, %r0, 0;
	@%p0 ld.global.u32 %r0, [%rd0+8]; // the guard was written
	@%p0 bra $L;
	ld.global.u32 %r0, [%rd0]; // another block
$L:
	ld.global.u32 %r0, [%rd0];
	atom.global.add.u32 %r0, [%rd0], 1; // want: 43
	ret;
}
`

func TestRedundant(t *testing.T) {
	f := passtest.Load(t, "k.ptx", []byte(blocks)).Func("f")
	var got []string
	for second, first := range instrument.Redundant(f, instrument.Policy{
		Candidate: func(in *rewrite.Inst) bool { return instrument.Accesses(in, isa.SpaceNone, isa.SpaceGlobal) },
		Covers:    func(_, _ *rewrite.Inst) bool { return true },
		Forgets:   func(in *rewrite.Inst) bool { return in.Instr.Class == isa.ClassFence },
	}) {
		got = append(got, fmt.Sprintf("%d: %d", second.Line, first.Line))
	}
	var source strings.Builder
	for line := range strings.Lines(blocks) {
		before, comment, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " // ")
		if ok && strings.HasPrefix(comment, "want: ") {
			before += " // " + comment
		}
		source.WriteString(before + "\n")
	}
	passtest.MatchWants(t, []byte(source.String()), got)
}

// paths is a function whose comments say which accesses are covered on all paths. The
// policy of the test: loads and stores cover loads, and a fence forgets all.
const paths = `.version 7.8
.target sm_80
.address_size 64
.entry f(.param .u64 p, .param .u32 n)
{
	.reg .pred %p<3>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<3>;
	ld.param.u64 %rd0, [p];
	ld.param.u32 %r0, [n];
	mov.u32 %r1, %tid.x;
	setp.eq.u32 %p0, %r0, 0;
	setp.eq.u32 %p1, %r1, 0;
	ld.global.u32 %r2, [%rd0];
	@%p0 bra $ELSE;
	ld.global.u32 %r2, [%rd0]; // want: covered
	st.global.u32 [%rd0+4], 1;
	ld.global.u32 %r2, [%rd0+8];
	bra $JOIN;
$ELSE:
	ld.global.u64 %rd1, [%rd0+4];
	ld.global.u32 %r2, [%rd0+12];
$JOIN:
	ld.global.u32 %r2, [%rd0]; // want: covered
	ld.global.u32 %r2, [%rd0+8]; // want: covered
	ld.global.u32 %r2, [%rd0+12];
	st.global.u32 [%rd0], 1;
$LOOP:
	ld.global.u32 %r2, [%rd0]; // want: covered
	ld.global.u32 %r3, [%rd0+20];
	add.u32 %r0, %r0, 1;
	setp.lt.u32 %p2, %r0, 10;
	@%p2 bra $LOOP;
	ld.global.u32 %r3, [%rd0+20]; // want: covered
	@%p0 bra $AROUND;
	fence.acq_rel.gpu;
$AROUND:
	ld.global.u32 %r3, [%rd0+20];
	@%p1 bra $LOW;
	ld.global.u32 %r3, [%rd0+20]; // want: covered
$LOW:
	ld.global.u32 %r3, [%rd0+20]; // lanes may meet here
	ret;
}
`

func TestAvailable(t *testing.T) {
	f := passtest.Load(t, "k.ptx", []byte(paths)).Func("f")
	var got []string
	for second := range instrument.Available(f, instrument.Policy{
		Candidate: func(in *rewrite.Inst) bool { return instrument.Accesses(in, isa.SpaceGlobal) },
		Covers:    func(_, second *rewrite.Inst) bool { return !second.Access.Writes() },
		Forgets:   func(in *rewrite.Inst) bool { return in.Instr.Class == isa.ClassFence },
	}) {
		got = append(got, fmt.Sprintf("%d: covered", second.Line))
	}
	source := strings.NewReplacer(" // lanes may meet here", "").Replace(paths)
	passtest.MatchWants(t, []byte(source), got)
}

// TestRedundantInLargeBlock: an access is compared with the last few hundred accesses of its block, so that a block of
// any size takes linear time; sets of available accesses, which do not, are not made of a function with many accesses.
func TestRedundantInLargeBlock(t *testing.T) {
	const near, far, size = 100, 300, 5000
	var text strings.Builder
	text.WriteString(".version 7.8\n.target sm_80\n.address_size 64\n.global .b32 g[100000];\n.func f()\n{\n")
	for i := range size {
		fmt.Fprintf(&text, "st.global.u32 [g+%d], 1;\n", 4*i)
	}
	for _, back := range []int{near, far} {
		fmt.Fprintf(&text, "st.global.u32 [g+%d], 1;\n", 4*(size-back))
	}
	text.WriteString("ret;\n}\n")
	f := passtest.Load(t, "k.ptx", []byte(text.String())).Func("f")
	compared := 0
	policy := instrument.Policy{
		Candidate: func(*rewrite.Inst) bool { return true },
		Covers:    func(_, _ *rewrite.Inst) bool { compared++; return true },
	}
	for name, found := range map[string]map[*rewrite.Inst]*rewrite.Inst{"Redundant": instrument.Redundant(f, policy), "Available": instrument.Available(f, policy)} {
		if first := found[f.Insts[size]]; len(found) != 1 || first != f.Insts[size-near] {
			t.Errorf("%s finds %d accesses, the last of them covered by %v", name, len(found), first)
		}
	}
	if compared != 2 {
		t.Errorf("%d comparisons, want 2", compared)
	}
}

// TestRegions: cut after calls and at the edges of blocks; inserted code is in none.
func TestRegions(t *testing.T) {
	const src = `.version 7.0
.target sm_70
.address_size 64
.func (.param .b32 a) g() { ret; }
.func f()
{
	.reg .pred %p;
	.reg .b32 %r;
	mov.u32 %r, 1;
	mov.u32 %r, 2;
	{
	.param .b32 b;
	call (b), g;
	ld.param.u32 %r, [b];
	}
	mov.u32 %r, 3;
	@%p bra $L;
	mov.u32 %r, 4;
$L:
	mov.u32 %r, 5;
	ret;
}
`
	insert := &passes.Pass{Name: "insert", Doc: "insert", Run: func(ctx *passes.Context) (any, error) {
		ed := ctx.Edit()
		ed.InsertBefore(ctx.Module.Func("f").Insts[1], "mov.u32 %r, 9;\n@%p bra $N;\nmov.u32 %r, 8;\n$N:")
		return nil, instrument.Apply(ctx, ed)
	}}
	m := passtest.Load(t, "k.ptx", []byte(src))
	for _, tc := range []struct{ pipeline, want string }{
		{"", "[9 10 13 14] [16 17] [18] [20 21]"},
		{"insert", "[9] [10 13 14] [16 17] [18] [20 21]"},
	} {
		out := passtest.Run(t, m, tc.pipeline, insert)
		var got []string
		for _, r := range instrument.Regions(out.Module.Func("f")) {
			var lines []int
			for _, in := range r.Insts {
				lines = append(lines, out.Module.Origin(in.Line).Line)
			}
			got = append(got, fmt.Sprint(lines))
		}
		if s := strings.Join(got, " "); s != tc.want {
			t.Errorf("%q: regions %s, want %s", tc.pipeline, s, tc.want)
		}
	}
	n := len(slices.Collect(instrument.Insts(passtest.Run(t, m, "insert", insert).Module)))
	if n != 10 {
		t.Errorf("%d instructions of the user's, want 10", n)
	}
}

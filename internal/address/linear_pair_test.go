package address

import (
	"fmt"
	"strings"
	"testing"
)

// Each thread exchanges the words of p at %i and at its partner %o, as far as the guard lets it.
const (
	partner32 = "xor.b32 %o, %i, %d;"
	above     = partner32 + "\nsetp.lt.u32 %p1, %o, %i;\n@%p1 bra OUT;"
	words     = "mul.wide.u32 %rd1, %i, 4;\nadd.s64 %rd2, %p, %rd1;\nmul.wide.u32 %rd3, %o, 4;\nadd.s64 %rd4, %p, %rd3;"
	swap      = words + "\nld.global.u32 %r1, [%rd2];\nld.global.u32 %r2, [%rd4];\nst.global.u32 [%rd2], %r2;\nst.global.u32 [%rd4], %r1;"
	wideIndex = "cvt.u64.u32 %rd5, %i;\n"
	wideWords = "setp.le.u64 %p1, %rd6, %rd5;\n@%p1 bra OUT;\nmad.lo.s64 %rd2, %rd5, 4, %p;\nmad.lo.s64 %rd4, %rd6, 4, %p;\nld.global.u32 %r1, [%rd2];\nst.global.u32 [%rd4], %r1;"
)

// pairKernels are bodies of a kernel where %i is the thread's index in the grid and %d the parameter d, with whether
// the words are proved to be the thread's own when d is unknown, and when it is 4.
var pairKernels = []struct {
	name, body     string
	unknown, known bool
}{
	{"at least", above + swap, true, true},
	{"more", partner32 + "setp.gt.u32 %p1, %o, %i;\n@!%p1 bra OUT;\n" + swap, true, true},
	{"at most", partner32 + "setp.gt.u32 %p1, %o, %i;\n@%p1 bra OUT;\n" + swap, true, true},
	{"the other way round", "xor.b32 %o, %d, %i;\nsetp.lt.u32 %p1, %i, %o;\n@!%p1 bra OUT;\n" + swap, true, true},
	{"as numbers with sign", partner32 + "setp.le.s32 %p1, %o, %i;\n@%p1 bra OUT;\n" + strings.ReplaceAll(swap, "wide.u32", "wide.s32"), true, true},
	{"of two signs in the address", partner32 + "setp.le.s32 %p1, %o, %i;\n@%p1 bra OUT;\n" + swap, true, true},
	{"negated", partner32 + "setp.gt.u32 %p1, %o, %i;\nnot.pred %p2, %p1;\n@%p2 bra OUT;\n" + swap, true, true},
	{"and below a bound", partner32 + "setp.ge.u32 %p1, %i, %n;\nsetp.le.u32 %p2, %o, %i;\nor.pred %p3, %p1, %p2;\n@%p3 bra OUT;\n" + swap, true, true},
	{"and below a bound, in one instruction", partner32 + "setp.ge.u32 %p1, %i, %n;\nsetp.le.or.u32 %p2, %o, %i, %p1;\n@%p2 bra OUT;\n" + swap, true, true},
	{"and below a bound, negated in one instruction", partner32 + "setp.ge.u32 %p1, %i, %n;\nsetp.gt.and.u32 %p2, %o, %i, !%p1;\n@!%p2 bra OUT;\n" + swap, true, true},
	{"and below a bound, as a minimum", partner32 + "min.u32 %r3, %n, %o;\nsetp.le.u32 %p1, %r3, %i;\n@%p1 bra OUT;\n" + swap, true, true},
	{"at most, as a maximum", partner32 + "max.u32 %r3, %n, %o;\nsetp.gt.u32 %p1, %r3, %i;\n@%p1 bra OUT;\n" + swap, true, true},
	{"by branches", partner32 + "setp.lt.u32 %p1, %i, %n;\nmov.pred %p3, 0;\n@!%p1 bra A;\nsetp.gt.u32 %p2, %o, %i;\nmov.pred %p3, %p2;\nA:\n@!%p3 bra OUT;\n" + swap, true, true},
	{"on two ways", partner32 + "setp.lt.u32 %p1, %i, %n;\n@%p1 bra A;\nsetp.gt.u32 %p2, %o, %i;\n@%p2 bra B;\nbra OUT;\nA:\nsetp.le.u32 %p2, %o, %i;\n@%p2 bra OUT;\nB:\n" + swap, true, true},
	{"by predicates", partner32 + words + "setp.gt.u32 %p1, %o, %i;\n@%p1 ld.global.u32 %r1, [%rd2];\n@%p1 st.global.u32 [%rd4], %r1;", true, true},
	{"return", partner32 + "setp.le.u32 %p1, %o, %i;\n@%p1 ret;\n" + swap, true, true},
	{"bits that are clear", partner32 + "and.b32 %r3, %i, %d;\nsetp.ne.s32 %p1, %r3, 0;\n@%p1 bra OUT;\n" + swap, true, true},
	{"a number that is computed", "shl.b32 %r4, 1, %d;\nshr.u32 %r4, %r4, 1;\nxor.b32 %o, %i, %r4;\nsetp.lt.u32 %p1, %o, %i;\n@%p1 bra OUT;\n" + swap, true, true},
	{"a number that is loaded again", above + "ld.param.u32 %r4, [d];\nxor.b32 %o, %i, %r4;\n" + swap, true, true},
	{"records", above + "mad.wide.u32 %rd2, %i, 8, %p;\nmad.wide.u32 %rd4, %o, 8, %p;\nld.global.u32 %r1, [%rd2+4];\nst.global.u32 [%rd4+4], %r1;\nst.global.v2.u32 [%rd4], {%r1, %r1};", true, true},
	{"extended before it is scaled", above + "cvt.u64.u32 %rd1, %i;\ncvt.u64.u32 %rd3, %o;\nshl.b64 %rd1, %rd1, 2;\nshl.b64 %rd3, %rd3, 2;\nadd.s64 %rd2, %p, %rd1;\nadd.s64 %rd4, %p, %rd3;\nld.global.u32 %r1, [%rd2];\nst.global.u32 [%rd4], %r1;", true, true},
	{"64 bits", wideIndex + "cvt.u64.u32 %rd7, %d;\nxor.b64 %rd6, %rd5, %rd7;\n" + wideWords, true, true},

	{"64 bits, the number too", wideIndex + "ld.param.u64 %rd7, [e];\nxor.b64 %rd6, %rd5, %rd7;\n" + wideWords, false, true},
	{"64 bits, with sign", wideIndex + "cvt.s64.s32 %rd7, %d;\nxor.b64 %rd6, %rd5, %rd7;\n" + wideWords, false, true},
	{"only the partner, in a loop", "L:\nadd.u32 %r4, %d, 0;\nxor.b32 %o, %i, %r4;\nsetp.le.u32 %p1, %o, %i;\n@%p1 bra L;\n" + words + "st.global.u32 [%rd4], 1;", true, true},

	{"no guard", partner32 + swap, false, false},
	{"differs", partner32 + "setp.eq.u32 %p1, %o, %i;\n@%p1 bra OUT;\n" + swap, false, false},
	{"another guard", partner32 + "setp.ge.u32 %p1, %i, %n;\n@%p1 bra OUT;\n" + swap, false, false},
	{"one of two conditions", partner32 + "setp.ge.u32 %p1, %i, %n;\nsetp.le.u32 %p2, %o, %i;\nand.pred %p3, %p1, %p2;\n@%p3 bra OUT;\n" + swap, false, false},
	{"at most a minimum", partner32 + "min.u32 %r3, %n, %o;\nsetp.gt.u32 %p1, %r3, %i;\n@%p1 bra OUT;\n" + swap, false, false},
	{"a minimum with a sign", partner32 + "min.s32 %r3, %n, %o;\nsetp.le.u32 %p1, %r3, %i;\n@%p1 bra OUT;\n" + swap, false, false},
	{"on one of two ways", partner32 + "setp.lt.u32 %p1, %i, %n;\n@%p1 bra A;\nsetp.le.u32 %p2, %o, %i;\n@%p2 bra OUT;\nA:\n" + swap, false, false},
	{"behind the access", partner32 + words + "ld.global.u32 %r1, [%rd2];\nsetp.le.u32 %p1, %o, %i;\n@%p1 bra OUT;\nst.global.u32 [%rd4], %r1;", false, false},
	{"the other edge for one access", partner32 + words + "setp.le.u32 %p1, %o, %i;\n@%p1 ld.global.u32 %r1, [%rd2];\n@!%p1 st.global.u32 [%rd4], %r1;", false, false},
	{"with and without sign", partner32 + words + "setp.gt.u32 %p1, %o, %i;\nsetp.gt.s32 %p2, %o, %i;\n@%p1 ld.global.u32 %r1, [%rd2];\n@%p2 st.global.u32 [%rd4], %r1;", false, false},
	{"clear bits of another number", partner32 + "and.b32 %r3, %i, %n;\nsetp.ne.s32 %p1, %r3, 0;\n@%p1 bra OUT;\n" + swap, false, false},
	{"bits that are not clear", partner32 + "and.b32 %r3, %i, %d;\nsetp.eq.s32 %p1, %r3, 1;\n@!%p1 bra OUT;\n" + swap, false, false},
	{"a number from memory", "ld.global.u32 %r4, [%q];\nxor.b32 %o, %i, %r4;\nsetp.lt.u32 %p1, %o, %i;\n@%p1 bra OUT;\n" + swap, false, false},
	{"a number of the thread", "xor.b32 %o, %i, %t;\nsetp.lt.u32 %p1, %o, %i;\n@%p1 bra OUT;\n" + swap, false, false},
	{"a number of a guard", "setp.eq.u32 %p1, %t, 0;\nmov.u32 %r4, %d;\n@%p1 mov.u32 %r4, %n;\nxor.b32 %o, %i, %r4;\nsetp.lt.u32 %p1, %o, %i;\n@%p1 bra OUT;\n" + swap, false, false},
	{"a number for each round", "mov.u32 %r4, %d;\nL:\nxor.b32 %o, %i, %r4;\nsetp.lt.u32 %p1, %o, %i;\n@%p1 bra OUT;\n" + swap + "shr.u32 %r4, %r4, 1;\nsetp.ne.u32 %p2, %r4, 0;\n@%p2 bra L;", false, false},
	{"an index for each round", "L:\n" + above + swap + "add.u32 %i, %i, 1;\nsetp.lt.u32 %p2, %i, %n;\n@%p2 bra L;", false, false},
	{"another number's partner", above + "xor.b32 %o, %i, %n;\n" + swap, false, false},
	{"two partners", above + swap + "xor.b32 %r4, %o, %n;\nmad.wide.u32 %rd4, %r4, 4, %p;\nst.global.u32 [%rd4], 1;", false, false},
	{"the index in the block", "xor.b32 %o, %t, %d;\nsetp.lt.u32 %p1, %o, %t;\n@%p1 bra OUT;\nmov.u32 %i, %t;\n" + swap, false, false},
	{"an index that threads share", "and.b32 %i, %i, -2;\n" + above + swap, false, false},
	{"scaled before it is extended", above + "shl.b32 %r3, %i, 2;\nshl.b32 %r4, %o, 2;\ncvt.u64.u32 %rd1, %r3;\ncvt.u64.u32 %rd3, %r4;\nadd.s64 %rd2, %p, %rd1;\nadd.s64 %rd4, %p, %rd3;\nld.global.u32 %r1, [%rd2];\nst.global.u32 [%rd4], %r1;", false, false},
	{"wider than the words", above + words + "st.global.v2.u32 [%rd4], {%r1, %r1};", false, false},
	{"the next word", above + words + "st.global.u32 [%rd4+4], 1;\nst.global.u32 [%rd2], 1;", false, false},
	{"two factors", above + words + "mad.wide.u32 %rd2, %i, 8, %p;\nst.global.u32 [%rd4], 1;\nst.global.u32 [%rd2], 1;", false, false},
	{"a row for each block", "xor.b32 %o, %t, %d;\nsetp.lt.u32 %p1, %o, %t;\n@%p1 bra OUT;\nmad.wide.u32 %rd2, %c, 1024, %p;\nmad.wide.u32 %rd4, %o, 4, %rd2;\nst.global.u32 [%rd4], 1;", false, false},
	{"a member of all", above + swap + "ld.global.u32 %r1, [%p+1048576];", false, false},
	{"an access of any word", above + swap + "mad.wide.u32 %rd4, %r1, 4, %p;\nld.global.u32 %r1, [%rd4];", false, false},
	{"an index that wraps around", "mul.lo.u32 %i, %i, 0x2000000;\n" + above + swap, false, false},
	{"a negative factor", above + "mul.wide.u32 %rd1, %i, 4;\nmul.wide.u32 %rd3, %o, 4;\nsub.s64 %rd2, %p, %rd1;\nsub.s64 %rd4, %p, %rd3;\nst.global.u32 [%rd4], 1;\nst.global.u32 [%rd2], 1;", false, false},
}

func TestPairs(t *testing.T) {
	for _, tc := range pairKernels {
		f := load(t, "k.ptx", header+`
.visible .entry k(.param .u64 p, .param .u64 q, .param .u32 d, .param .u32 n, .param .u64 e)
{
	.reg .pred %p<4>; .reg .b32 %r<9>, %i, %o, %d, %n, %t, %c; .reg .b64 %rd<9>, %p, %q;
	ld.param.u64 %p, [p];
	ld.param.u64 %q, [q];
	ld.param.u32 %d, [d];
	ld.param.u32 %n, [n];
	mov.u32 %t, %tid.x;
	mov.u32 %c, %ctaid.x;
	mad.lo.u32 %i, %c, %ntid.x, %t;
`+tc.body+"\nOUT:\nret;\n}\n").Kernels()[0]
		for known, want := range map[bool]bool{false: tc.unknown, true: tc.known} {
			launch := KernelLaunch{Kernel: "k", Grid: [3]uint32{4, 1, 1}, Block: [3]uint32{64, 1, 1}, Args: map[string]Argument{
				"p": {Bytes: make([]byte, 8), Objects: map[int64]uint64{0: 1}},
				"q": {Bytes: make([]byte, 8), Objects: map[int64]uint64{0: 2}},
			}}
			if known {
				launch.Args["d"] = Argument{Bytes: []byte{4, 0, 0, 0}}
				launch.Args["e"] = Argument{Bytes: []byte{4, 0, 0, 0, 0, 0, 0, 0}}
			}
			exempt := Exempt(f, NewProgram([]KernelLaunch{launch}).Given("k"))
			for _, in := range f.Insts {
				if in.Access.Space.String() == "global" && exempt[in] != ExemptRead && (exempt[in] == ExemptOwn) != want {
					t.Errorf("%s, distance known %t: %q is exempt for reason %d, own expected: %t", tc.name, known, in.Text(), exempt[in], want)
				}
			}
		}
	}
}

// TestManyPairs: pairs are few, so that the facts about them fit into a word. What is beyond their limit is not
// followed.
func TestManyPairs(t *testing.T) {
	var body strings.Builder
	for i := range 2 * mostPairs {
		fmt.Fprintf(&body, "xor.b32 %%o, %%i, %d;\n", i)
	}
	f := kernel(t, ".reg .b32 %i, %o; mov.u32 %i, %tid.x;\n"+body.String()+"ret;")
	l := LinearOf(f, LaunchValues{Grid: [3]uint32{2, 1, 1}, Block: [3]uint32{32, 1, 1}})
	if n := len(l.pairs.list); n != mostPairs {
		t.Errorf("%d pairs, want %d", n, mostPairs)
	}
}

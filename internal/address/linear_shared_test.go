package address

import (
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/rewrite"
)

// TestSharedApart compares two accesses by 64 threads of a block: the first instruction of a body with the last.
func TestSharedApart(t *testing.T) {
	const own = "mad.wide.u32 %rd1, %i, 4, %a;\n"
	for _, c := range []struct {
		name, body string
		want       bool
	}{
		{"one store of the own word", own + "st.shared.u32 [%rd1], 1;", true},
		{"addresses of 32 bits", "mov.u32 %r1, a;\nshl.b32 %r2, %i, 2;\nadd.s32 %r1, %r1, %r2;\nst.shared.u32 [%r1+16], 1;", true},
		{"own pairs of words", "mad.wide.u32 %rd1, %i, 8, %a;\nst.shared.u32 [%rd1], 1;\nld.shared.u32 %r1, [%rd1+4];", true},
		{"a word of the next pair", "mad.wide.u32 %rd1, %i, 8, %a;\nst.shared.u32 [%rd1], 1;\nld.shared.u32 %r1, [%rd1+8];", false},
		{"pairs, a word apart", own + "st.shared.v2.u32 [%rd1], {1, 1};", false},
		{"two halves of a variable", own + "st.shared.u32 [%rd1], 1;\nld.shared.u32 %r1, [%rd1+256];", true},
		{"two parts that overlap", own + "st.shared.u32 [%rd1], 1;\nld.shared.u32 %r1, [%rd1+252];", false},
		{"backwards", "sub.s32 %r1, 63, %i;\nmad.wide.s32 %rd1, %r1, 4, %a;\nst.shared.u32 [%rd1], 1;", true},
		{"the same word", "st.shared.u32 [a], 1;", false},
		{"words of a row that block and thread choose", "add.u32 %r1, %i, %j;\nmad.wide.u32 %rd1, %r1, 4, %a;\nst.shared.u32 [%rd1], 1;", false},
		{"words that memory chooses", "ld.global.u32 %r1, [%p];\nmad.wide.u32 %rd1, %r1, 4, %a;\nst.shared.u32 [%rd1], 1;", false},
		{"bytes", "cvt.u64.u32 %rd1, %i;\nadd.s64 %rd1, %rd1, %a;\nst.shared.u8 [%rd1], 1;", true},
		{"two variables", own + "st.shared.u32 [%rd1], 1;\nst.shared.u32 [b], 1;", true},
		{"past the end of a variable", own + "st.shared.u32 [%rd1+260], 1;\nst.shared.u32 [b], 1;", false},
		{"before the beginning of a variable", "mad.wide.u32 %rd1, %i, 4, %b;\nst.shared.u32 [%rd1+-4], 1;\nld.shared.u32 %r1, [a];", false},
		{"a variable and memory without a size", own + "st.shared.u32 [%rd1], 1;\nst.shared.u32 [dynamic+4096], 1;", true},
		{"before memory without a size", "st.shared.u32 [a], 1;\nmad.wide.s32 %rd2, %i, -4, %d;\nst.shared.u32 [%rd2], 1;", false},
		{"two names of memory without a size", "mad.wide.u32 %rd1, %i, 4, %d;\nst.shared.u32 [%rd1], 1;\nld.shared.u32 %r1, [other+8];", false},
		{"parts of memory without a size", "mad.wide.u32 %rd1, %i, 4, %d;\nst.shared.u32 [%rd1], 1;\nld.shared.u32 %r1, [other+256];", true},
		{"the distance of two variables", "sub.s64 %rd1, %b, %a;\nmad.wide.u32 %rd2, %i, 4, %a;\nadd.s64 %rd2, %rd2, %rd1;\nst.shared.u32 [%rd2], 1;", false},
		{"an address that may be null", own + "setp.ne.u64 %p1, %a, 0;\n@%p1 bra L;\nmov.u64 %rd1, %a;\nL:\nst.shared.u32 [%rd1], 1;", false},
		{"one thread", "setp.ne.u32 %p1, %i, 3;\n@%p1 bra OUT;\nst.shared.u32 [a], 1;", true},
		{"one thread at an unknown address", "setp.eq.u32 %p1, %i, 3;\nld.global.u32 %r1, [%p];\nmad.wide.u32 %rd1, %r1, 4, %a;\n@%p1 st.shared.u32 [%rd1], 1;", true},
		{"one thread less than 1", "setp.ge.s32 %p1, %i, 1;\n@!%p1 st.shared.u32 [a], 1;", true},
		{"two threads less than 2", "setp.ge.s32 %p1, %i, 2;\n@!%p1 st.shared.u32 [a], 1;", false},
		{"one thread in signed numbers", "sub.s32 %r1, 62, %i;\nsetp.lt.s32 %p1, %r1, 0;\n@%p1 st.shared.u32 [a], 1;", true},
		{"another in unsigned ones", "sub.s32 %r1, 62, %i;\nsetp.lt.u32 %p1, %r1, 1;\n@%p1 st.shared.u32 [a], 1;", true},
		{"one of two conditions", "setp.eq.u32 %p1, %i, 3;\nsetp.lt.u32 %p2, %i, 9;\nand.pred %p1, %p2, %p1;\n@%p1 st.shared.u32 [a], 1;", true},
		{"neither of two conditions", "setp.ne.u32 %p1, %i, 3;\nsetp.ge.or.u32 %p1, %i, 9, %p1;\n@!%p1 st.shared.u32 [a], 1;", true},
		{"either of two conditions", "setp.eq.u32 %p1, %i, 3;\nsetp.eq.or.u32 %p1, %i, 4, %p1;\n@%p1 st.shared.u32 [a], 1;", false},
		{"both of two conditions", "setp.lt.u32 %p1, %i, 4;\nsetp.gt.and.u32 %p1, %i, 2, %p1;\n@%p1 st.shared.u32 [a], 1;", true},
		{"two threads", "setp.eq.u32 %p1, %i, 3;\nsetp.eq.u32 %p2, %i, 4;\n@%p1 st.shared.u32 [a], 1;\n@%p2 st.shared.u32 [a], 1;", false},
		{"a thread for each block", "setp.eq.u32 %p1, %i, 0;\nsetp.eq.u32 %p2, %i, %j;\n@%p1 st.shared.u32 [a], 1;\n@%p2 st.shared.u32 [a], 1;", false},
		{"behind a join", "setp.ne.u32 %p1, %i, 3;\n@%p1 bra L;\nmov.u32 %r1, 1;\nL:\nst.shared.u32 [a], 1;", false},
		{"a condition that one thread writes", "setp.eq.u32 %p1, %i, 3;\n@%p1 setp.eq.u32 %p1, %i, 2;\n@!%p1 st.shared.u32 [a], 1;", false},
		{"a generic address", "cvta.shared.u64 %rd2, %a;\nmad.wide.u32 %rd1, %i, 4, %rd2;\nst.u32 [%rd1], 1;", false},
	} {
		m := load(t, c.name, header+`.extern .shared .align 4 .b8 dynamic[];
.extern .shared .align 4 .b8 other[];
.visible .entry k(.param .u64 q)
{
.reg .pred %p<3>; .reg .b32 %r<4>, %i, %j; .reg .b64 %rd<4>, %a, %b, %d, %p;
.shared .align 16 .b8 a[512];
.shared .align 16 .b8 b[512];
ld.param.u64 %p, [q];
mov.u32 %i, %tid.x;
mov.u32 %j, %ctaid.x;
mov.u64 %a, a;
mov.u64 %b, b;
mov.u64 %d, dynamic;
`+c.body+"\nOUT:\nret;\n}\n")
		f := m.Func("k")
		launch := KernelLaunch{Kernel: "k", Block: [3]uint32{64, 1, 1}, Grid: [3]uint32{4, 1, 1}}
		apart := SharedApart(f, NewProgram([]KernelLaunch{launch}).Given("k"))
		var list []*rewrite.Inst
		for _, in := range f.Insts {
			if len(in.Accesses) == 1 && !strings.Contains(in.Text(), "param") && !strings.Contains(in.Text(), "global") {
				list = append(list, in)
			}
		}
		if got := apart(list[0], list[len(list)-1]); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// TestSharedApartLaunches: what is said of accesses holds in all launches, and nothing is said where they are unknown
// or many.
func TestSharedApartLaunches(t *testing.T) {
	m := load(t, "k.ptx", header+`.visible .entry k(.param .u32 n)
{
.reg .b32 %i, %n; .reg .b64 %rd<3>;
.shared .align 4 .b8 a[512];
ld.param.u32 %n, [n];
mov.u32 %i, %tid.x;
mov.u64 %rd1, a;
mul.lo.u32 %i, %i, %n;
mad.wide.u32 %rd2, %i, 4, %rd1;
st.shared.u32 [%rd2], 1;
ret;
}
`)
	f := m.Func("k")
	store := f.Insts[len(f.Insts)-2]
	launch := func(threads uint32, n byte) KernelLaunch {
		return KernelLaunch{Kernel: "k", Block: [3]uint32{threads, 1, 1}, Grid: [3]uint32{1, 1, 1}, Args: map[string]Argument{"n": {Bytes: []byte{n, 0, 0, 0}}}}
	}
	unknown := launch(64, 1)
	unknown.Args = nil
	for _, c := range []struct {
		name     string
		launches []KernelLaunch
		want     bool
	}{
		{"one", []KernelLaunch{launch(64, 1)}, true},
		{"two", []KernelLaunch{launch(64, 1), launch(32, 4)}, true},
		{"one of two with one word", []KernelLaunch{launch(64, 1), launch(64, 0)}, false},
		{"one of two with one thread", []KernelLaunch{launch(64, 1), launch(1, 0)}, true},
		{"an unknown argument", []KernelLaunch{launch(64, 1), unknown}, false},
		{"five", []KernelLaunch{launch(64, 1), launch(64, 2), launch(64, 3), launch(64, 4), launch(64, 5)}, false},
		{"none", nil, false},
	} {
		apart := SharedApart(f, NewProgram(c.launches).Given("k"))
		if got := apart != nil && apart(store, store); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

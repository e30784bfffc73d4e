package address

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/rewrite"
)

// Each kernel's comments say what the address on the line is, for 10 by 2 blocks of
// 32 by 4 threads, p at 4096, n = 100, m = -3.
func TestLinear(t *testing.T) {
	m := load(t, "k.ptx", header+`
.global .align 4 .b8 table[64];
.visible .entry k(.param .u64 p, .param .u32 n, .param .s32 m, .param .align 8 .b8 s[16])
{
	.local .align 4 .b8 depot[16];
	.reg .b32 %r<29>; .reg .b64 %rd<29>; .reg .pred %p<4>;
	ld.param.u64 %rd1, [p];
	ld.param.u32 %r1, [n];
	ld.param.s32 %r2, [m];
	cvta.to.global.u64 %rd2, %rd1;
	mov.u32 %r3, %tid.x;
	mov.u32 %r4, %ctaid.x;
	mov.u32 %r5, %ntid.x;
	mad.lo.s32 %r6, %r4, %r5, %r3;
	st.global.u32 [%rd2+-8], 0; // 4088
	st.global.u32 [table+4], 0; // 65540
	mul.wide.s32 %rd3, %r6, 4;
	add.s64 %rd4, %rd2, %rd3;
	st.global.u32 [%rd4], 0; // 4096 + 4 tid.x + 128 ctaid.x
	mov.u32 %r7, %tid.y;
	mov.u32 %r8, %ctaid.y;
	mov.u32 %r9, %ntid.y;
	mad.lo.u32 %r10, %r8, %r9, %r7;
	mad.lo.u32 %r11, %r10, %r1, %r6;
	mul.wide.u32 %rd5, %r11, 4;
	add.s64 %rd6, %rd2, %rd5;
	st.global.u32 [%rd6], 0; // 4096 + 4 tid.x + 400 tid.y + 128 ctaid.x + 1600 ctaid.y
	mad.wide.s32 %rd7, %r2, 8, %rd2;
	st.global.u32 [%rd7], 0; // 4072
	mad.wide.u32 %rd7, %r2, 8, %rd2;
	st.global.u32 [%rd7], 0; // 34359742440
	sub.s32 %r12, %r3, %r1;
	mul.wide.s32 %rd8, %r12, 4;
	add.s64 %rd9, %rd2, %rd8;
	st.global.u32 [%rd9], 0; // 3696 + 4 tid.x
	cvt.u64.u32 %rd10, %r12;
	add.s64 %rd10, %rd10, %rd2;
	st.global.u32 [%rd10], 0; // ?
	cvt.s64.s32 %rd11, %r12;
	shl.b64 %rd11, %rd11, 3;
	sub.s64 %rd12, %rd2, %rd11;
	st.global.u32 [%rd12], 0; // 4896 + -8 tid.x
	shl.b32 %r13, %r3, 28;
	mul.wide.u32 %rd13, %r13, 1;
	st.global.u32 [%rd13], 0; // ?
	mul.lo.s32 %r14, %r3, %r4;
	mul.wide.u32 %rd14, %r14, 1;
	st.global.u32 [%rd14], 0; // ?
	setp.lt.s32 %p1, %r2, 0;
	mov.u64 %rd15, %rd2;
	@%p1 bra L;
	mov.u64 %rd15, 0;
L:	st.global.u32 [%rd15], 0; // 4096
	setp.gt.u32 %p2, %r2, 0;
	mov.u64 %rd16, %rd2;
	@!%p2 bra M;
	mov.u64 %rd16, 64;
M:	st.global.u32 [%rd16], 0; // 64
	setp.lt.u32 %p3, %r3, 7;
	mov.u64 %rd17, %rd2;
	@%p3 bra N;
	mov.u64 %rd17, 64;
N:	st.global.u32 [%rd17], 0; // ?
	mov.u64 %rd18, %rd2;
	@%p3 mov.u64 %rd18, 64;
	st.global.u32 [%rd18], 0; // ?
	mov.u64 %rd19, %rd2;
O:	st.global.u32 [%rd19], 0; // ?
	add.s64 %rd19, %rd19, 4;
	@%p3 bra O;
	ld.global.u64 %rd20, [%rd2]; // 4096
	st.global.u32 [%rd20], 0; // ?
	ld.param.u64 %rd21, [s+8];
	st.global.u32 [%rd21], 0; // 7
	mov.u64 %rd22, depot;
	st.local.u32 [%rd22], 0; // ?
	ret;
}`)
	f := m.Func("k")
	l := LinearOf(f, LaunchValues{
		Block: [3]uint32{32, 4, 1}, Grid: [3]uint32{10, 2, 1},
		Param: func(v *rewrite.Var, off int64, size int) (ParamValue, bool) {
			switch v.Name {
			case "p":
				return ParamValue{Number: 4096}, true
			case "n":
				return ParamValue{Number: 100}, true
			case "m":
				return ParamValue{Number: 0xfffffffd}, true
			}
			return ParamValue{Number: uint64(off - 1)}, true
		},
		Address: func(v *rewrite.Var) (uint64, bool) { return 65536, v.Name == "table" },
	})
	lines := strings.Split(string(m.Source()), "\n")
	for _, in := range f.Insts {
		_, want, ok := strings.Cut(lines[in.Line-1], "// ")
		if !ok {
			continue
		}
		got := "?"
		if a := l.address(in, in.Access.Addr); a.kind == linearForm {
			got = a.form.text()
		}
		if got != want {
			t.Errorf("line %d: %s: %s, want %s", in.Line, in.Text(), got, want)
		}
	}
}

func (l Linear) text() string {
	out := fmt.Sprint(l.Const)
	for i, f := range append(l.Tid[:], l.Cta[:]...) {
		if f != 0 {
			out += fmt.Sprintf(" + %d %s", f, []string{"tid.x", "tid.y", "tid.z", "ctaid.x", "ctaid.y", "ctaid.z"}[i])
		}
	}
	return out
}

// TestLinearWork: after many loops no branch is decided any more, so that the analysis ends soon. It then knows less,
// but nothing wrong: the second store is to 64 or 128, by a parameter of the launch.
func TestLinearWork(t *testing.T) {
	for loops, want := range map[int]struct {
		open   bool
		stores string
	}{3: {false, "4096 64"}, 2000: {true, "4096 ?"}} {
		var body strings.Builder
		body.WriteString(".reg .pred %p<3>; .reg .b32 %r<4>; .reg .b64 %rd<4>;\nld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\n")
		for i := range loops {
			fmt.Fprintf(&body, "mov.u32 %%r2, 0;\nL%d: add.u32 %%r2, %%r2, 1;\nsetp.lt.u32 %%p1, %%r2, 3;\n@%%p1 bra L%[1]d;\n", i)
		}
		body.WriteString("st.global.u32 [%rd1], 1;\nmov.u64 %rd2, 64;\nsetp.eq.u32 %p2, %r1, 100;\n@%p2 bra M;\nmov.u64 %rd2, 128;\nM: st.global.u32 [%rd2], 1;\nret;")
		f := kernel(t, body.String())
		l := LinearOf(f, LaunchValues{
			Block: [3]uint32{32, 1, 1}, Grid: [3]uint32{1, 1, 1},
			Param: func(v *rewrite.Var, _ int64, _ int) (ParamValue, bool) {
				return ParamValue{Number: map[string]uint64{"p": 4096, "n": 100}[v.Name]}, true
			},
			Address: func(*rewrite.Var) (uint64, bool) { return 0, false },
		})
		var stores []string
		for _, in := range f.Insts {
			if !strings.HasPrefix(in.Text(), "st.") {
				continue
			}
			text := "?"
			if a := l.address(in, in.Access.Addr); a.kind == linearForm {
				text = a.form.text()
			}
			stores = append(stores, text)
		}
		if got := strings.Join(stores, " "); l.open != want.open || got != want.stores {
			t.Errorf("%d loops: stores to %s, open: %t; want %s, %t", loops, got, l.open, want.stores, want.open)
		}
	}
}

package support_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/support"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// differencesOf returns the differences of a kernel with these instructions, from line 1 on: a
// line "what|line numbers" for each entry, "!" before what is not supported.
func differencesOf(t *testing.T, body string) []string {
	t.Helper()
	const before = ".version 8.7\n.target sm_100a\n.address_size 64\n" + `.func other();
.visible .entry k(.param .u64 p) {
	.reg .pred %p<4>;
	.reg .b16 %h<8>;
	.reg .b32 %r<40>;
	.reg .f32 %f<20>;
	.reg .b64 %rd<8>;
	.reg .f64 %fd<8>;
	.shared .align 16 .b8 s[1024];
`
	ast, err := ptxgrammar.Parse("k.ptx", []byte(before+body+"\n\tret;\n}\n.func unused() {\n\tnanosleep.u32 1;\n\tret;\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := rewrite.Load(ast)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range support.Differences(mod) {
		s := e.What
		if e.Unsupported {
			s = "!"
		}
		if e.Why == "" {
			t.Errorf("%s: no reason", e.What)
		}
		var lines []string
		for _, p := range e.At {
			lines = append(lines, fmt.Sprint(p.Line-strings.Count(before, "\n")))
		}
		out = append(out, s+"|"+strings.Join(lines, " "))
	}
	return out
}

func TestDifferences(t *testing.T) {
	const mma = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1}, {%r2}, {%f4,%f5,%f6,%f7};"
	for _, c := range []struct {
		body string
		want []string
	}{
		{"add.f32 %f0, %f1, %f2;\nsqrt.rn.f32 %f0, %f1;\nmov.u32 %r0, %tid.x;\nbar.sync 0;", nil},
		{"sin.approx.f32 %f0, %f1;\ndiv.full.f32 %f0, %f1, %f2;\nsin.approx.f32 %f2, %f1;", []string{"sin.approx.f32|1 3", "div.full.f32|2"}},
		{mma + "\n" + mma, []string{"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32|1 2"}},
		{"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r0,%r1}, {%r2}, {%r3}, {%r4,%r5};", nil},
		{"wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%r0,%r1,%r2,%r3}, {%r4,%r5,%r6,%r7}, %rd0, %p0;\nwgmma.wait_group.sync.aligned 0;", []string{"wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8|1"}},
		{"cp.async.ca.shared.global [s], [%rd0], 4;\ncp.async.commit_group;\ncp.async.wait_group 0;", []string{"cp.async.ca.shared.global|1"}},
		{"mov.u64 %rd0, %clock64;\nmov.u32 %r0, %clock;\nmov.u32 %r1, %smid;\nmov.u32 %r2, %envreg3;", []string{"%clock64|1", "%clock|2", "%smid|3", "%envreg3|4"}},
		{"tex.1d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [%rd0, {%f4}];\ntex.1d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [%rd0, {%r4}];", []string{"tex.1d.v4.f32.f32|1"}},
		{"nanosleep.u32 100;", []string{"nanosleep.u32|1"}},
		{"fma.rn.oob.f16 %h0, %h1, %h2, %h3;", []string{"fma.rn.oob.f16|1"}},
		{"cvta.shared.u32 %r0, %r1;\ncvta.shared.u64 %rd0, %rd1;", []string{"cvta.shared.u32|1"}},
		{"ex2.approx.f32 %f0, %f1;\nisspacep.shared %p0, %r1;", []string{"!|2", "ex2.approx.f32|1", "nanosleep.u32|6"}},
	} {
		if got := differencesOf(t, c.body); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.body, got, c.want)
		}
	}
}

package static

import (
	"context"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// analyzeText analyses the only kernel of a module.
func analyzeText(t *testing.T, text string, given *facts.Given, opt Options) *Result {
	t.Helper()
	r, err := Analyze(context.Background(), loadText(t, text).Kernels()[0], given, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func loadText(t *testing.T, text string) *rewrite.Module {
	t.Helper()
	ast, err := ptxgrammar.Parse("test.ptx", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	m, err := rewrite.Load(ast)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// kernelText is a module with one kernel k(u64 p, u64 q, u32 n) and a body.
func kernelText(body string) string {
	return `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p, .param .u64 q, .param .u32 n)
{
	.reg .pred %p<20>;
	.reg .b32 %r<60>;
	.reg .b64 %rd<40>;
	.shared .align 4 .b8 tile[4096];
	ld.param.u64 %rd1, [p];
	ld.param.u64 %rd2, [q];
	ld.param.u32 %r1, [n];
	mov.u32 %r2, %tid.x;
	mov.u32 %r3, %ctaid.x;
	mov.u32 %r4, %ntid.x;
	mad.lo.s32 %r5, %r3, %r4, %r2;
` + strings.ReplaceAll(body, ";", ";\n") + `
	ret;
}
`
}

// index puts the address of element %r5 of p into %rd3.
const index = "mul.wide.s32 %rd3, %r5, 4; add.s64 %rd3, %rd1, %rd3;"

func TestVerdicts(t *testing.T) {
	tests := []struct {
		name, body string
		want       Verdict
	}{
		{"own element", index + "st.global.u32 [%rd3], %r2;", Clean},
		{"own element read and written", index + "ld.global.u32 %r6, [%rd3]; st.global.u32 [%rd3], %r6;", Clean},
		{"neighbour", index + "ld.global.u32 %r6, [%rd3+4]; st.global.u32 [%rd3], %r6;", Racy},
		{"other parameter", index + "ld.global.u32 %r6, [%rd2]; st.global.u32 [%rd3], %r6;", Clean},
		{"one element", "st.global.u32 [%rd1], %r2;", Racy},
		{"atomic", "red.global.add.u32 [%rd1], %r2;", Clean},
		{"atomic of a block", "red.cta.global.add.u32 [%rd1], %r2;", Racy},
		{"atomic and load", "red.global.add.u32 [%rd1], %r2; ld.global.u32 %r6, [%rd1];", Racy},
	}
	for _, test := range tests {
		given := &facts.Given{Disjoint: true}
		r := analyzeText(t, kernelText(test.body), given, Options{NoWrap: true})
		if r.Verdict != test.want {
			t.Errorf("%s: %s, want %s", test.name, r.Verdict, test.want)
			for _, p := range r.Pairs {
				t.Logf("%s | %s: %s %v %s", p.First.Inst.Text(), p.Second.Inst.Text(), p.Verdict, p.Kinds, p.Reason)
			}
		}
	}
}

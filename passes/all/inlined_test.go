package all_test

import (
	"testing"

	"github.com/ptxsan/ptxsan/internal/passtest"
	"github.com/ptxsan/ptxsan/passes/all"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// inlined has locations that are inlined at others: at the one in front of it, which
// no instruction has, and at one of another function.
const inlined = `.version 7.5
.target sm_70
.address_size 64
.func f(.reg .b64 %a)
{
	.loc 1 3 1
	.loc 1 5 2, function_name $I, inlined_at 1 3 1
	st.u32 [%a], 1;
	ret;
}
.visible .entry k(.param .u64 p)
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<3>;
	.loc 1 9 1
	ld.param.u64 %rd1, [p];
	.loc 1 10 1
	.loc 1 5 2, function_name $I, inlined_at 1 10 1
	atom.global.add.u32 %r1, [%rd1], 1;
	.loc 1 6 2, function_name $I, inlined_at 1 3 1
	st.global.u32 [%rd1], 1;
	.loc 1 7 2, function_name $I, inlined_at 1 5 2
	membar.cta;
	call f, (%rd1);
	ret;
}
.file 1 "a.cu"
.section .debug_str { $I: .b8 102, 0 }
`

// TestInlined: what passes make still says in front of each inlined_at where that is,
// as ptxas demands.
func TestInlined(t *testing.T) {
	m := passtest.Load(t, "k.ptx", []byte(inlined))
	for _, pipeline := range pipelines() {
		t.Run(pipeline, func(t *testing.T) {
			out := passtest.RunVerified(t, m, pipeline, all.Passes...)
			tree, err := ptxgrammar.Parse("out.ptx", out.Module.Source())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := rewrite.Check(tree); err != nil {
				t.Errorf("%v\n%s", err, out.Module.Source())
			}
		})
	}
}

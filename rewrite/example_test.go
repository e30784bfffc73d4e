package rewrite_test

import (
	"fmt"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Example counts how often each edge of a branch is taken.
func Example() {
	const text = `.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u32 n)
{
	.reg .b32 %r1;
	.reg .pred %p1;
	ld.param.u32 %r1, [n];
	setp.eq.u32 %p1, %r1, 0;
	@%p1 bra DONE;
	membar.gl;
DONE:
	ret;
}
`
	tree, err := ptxgrammar.Parse("k.ptx", []byte(text))
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := rewrite.Load(tree)
	if err != nil {
		fmt.Println(err)
		return
	}
	e := rewrite.NewEditor(m, "edges")
	counts, err := e.AddVar(rewrite.NewVar{Name: "edge_counts", Exact: true, Visible: true, Space: isa.SpaceGlobal, Type: isa.U32, Count: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	branch := m.Func("k").CFG().Blocks[0]
	for i, to := range branch.Succs {
		if err = e.InsertOnEdge(branch, to, fmt.Sprintf("red.global.add.u32 [%s+%d], 1;", counts, 4*i)); err != nil {
			fmt.Println(err)
			return
		}
	}
	out, err := e.Apply()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", out.Source())
	// Output:
	// .version 7.0
	// .target sm_70
	// .address_size 64
	// .visible .global .u32 edge_counts[2];
	// .visible .entry k(.param .u32 n)
	// {
	// 	.reg .b32 %r1;
	// 	.reg .pred %p1;
	// 	ld.param.u32 %r1, [n];
	// 	setp.eq.u32 %p1, %r1, 0;
	// 	@!%p1 bra $ptxsan0_skip0;
	// 	red.global.add.u32 [edge_counts+0], 1;
	// 	bra DONE;
	// $ptxsan0_skip0:
	// 	red.global.add.u32 [edge_counts+4], 1;
	// 	membar.gl;
	// DONE:
	// 	ret;
	// }
}

// ExampleFunc_Roots tells which buffer each access of a kernel touches, and whether
// all lanes of a warp touch the same place.
func ExampleFunc_Roots() {
	const text = `.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out)
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<5>;
	ld.param.u64 %rd1, [in];
	ld.param.u64 %rd2, [out];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd3, %r1, 4;
	add.s64 %rd4, %rd1, %rd3;
	ld.global.u32 %r2, [%rd4];
	st.global.u32 [%rd2+8], %r2;
	ret;
}
`
	tree, err := ptxgrammar.Parse("k.ptx", []byte(text))
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := rewrite.Load(tree)
	if err != nil {
		fmt.Println(err)
		return
	}
	k := m.Func("k")
	for _, ref := range k.MemRefs() {
		fmt.Printf("%s: %s, uniform %t\n", ref.Inst.Text(), ref.Root, k.Uniformity().Operand(ref.Inst, ref.Operand))
	}
	// Output:
	// ld.global.u32 %r2, [%rd4]: in+?, uniform false
	// st.global.u32 [%rd2+8], %r2: out+8, uniform true
}

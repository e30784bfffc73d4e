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

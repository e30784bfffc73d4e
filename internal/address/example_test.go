package address_test

import (
	"fmt"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// ExampleMemRefsOf tells which buffer each access of a kernel touches, and whether
// all lanes of a warp touch the same place.
func ExampleMemRefsOf() {
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
	for _, ref := range address.MemRefsOf(k) {
		fmt.Printf("%s: %s\n", ref.Inst.Text(), ref.Root)
	}
	// Output:
	// ld.global.u32 %r2, [%rd4]: in+?
	// st.global.u32 [%rd2+8], %r2: out+8
}

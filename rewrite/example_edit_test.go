package rewrite_test

import (
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

// edited parses a kernel k of a body, edits it and prints it.
func edited(body string, edit func(e *rewrite.Editor, k *rewrite.Func) error) {
	text := ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n" + body + "}\n"
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
	e := rewrite.NewEditor(m, "example")
	if err = edit(e, m.Func("k")); err != nil {
		fmt.Println(err)
		return
	}
	out, err := e.Apply()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", out.Source())
}

const increment = `	.reg .b32 %r<3>;
	.reg .b64 %rd1;
	ld.param.u64 %rd1, [p];
	ld.global.u32 %r1, [%rd1];
	add.u32 %r2, %r1, 1;
	st.global.u32 [%rd1], %r2;
	ret;
`

// Instructions become a function of their own, which is called in their place.
func ExampleEditor_Outline() {
	edited(increment, func(e *rewrite.Editor, k *rewrite.Func) error {
		_, err := e.Outline(k.Insts[1], k.Insts[3], "increment")
		return err
	})
	// Output:
	// .version 7.0
	// .target sm_70
	// .address_size 64
	// .func __ptxsan0_increment(.param .b64 ptxsan0_in0)
	// {
	// 	.reg .b64 %rd1;
	// 	.reg .b32 %r1;
	// 	.reg .b32 %r2;
	// 	ld.param.b64 %rd1, [ptxsan0_in0];
	// 	ld.global.u32 %r1, [%rd1];
	// 	add.u32 %r2, %r1, 1;
	// 	st.global.u32 [%rd1], %r2;
	// 	ret;
	// }
	// .visible .entry k(.param .u64 p)
	// {
	// 	.reg .b32 %r<3>;
	// 	.reg .b64 %rd1;
	// 	ld.param.u64 %rd1, [p];
	// 	{
	// 	.param .b64 ptxsan0_in0;
	// 	st.param.b64 [ptxsan0_in0], %rd1;
	// 	call __ptxsan0_increment, (ptxsan0_in0);
	// 	}
	// 	ret;
	// }
}

// A kernel gets a variant, which can then be edited without changing the kernel.
func ExampleEditor_CloneFunc() {
	edited("\tret;\n", func(e *rewrite.Editor, k *rewrite.Func) error {
		_, err := e.CloneFunc(k, "variant")
		return err
	})
	// Output:
	// .version 7.0
	// .target sm_70
	// .address_size 64
	// .visible .entry __ptxsan0_variant(.param .u64 p)
	// {
	// 	ret;
	// }
	// .visible .entry k(.param .u64 p)
	// {
	// 	ret;
	// }
}

// All registers of a range get another prefix.
func ExampleEditor_RenameRange() {
	edited(increment, func(e *rewrite.Editor, k *rewrite.Func) error {
		first := slices.IndexFunc(k.Regs, func(r *rewrite.Reg) bool { return r.Name == "%r1" })
		return e.RenameRange(k, k.Regs[first], "%word")
	})
	// Output:
	// .version 7.0
	// .target sm_70
	// .address_size 64
	// .visible .entry k(.param .u64 p)
	// {
	// 	.reg .b32 %word<3>;
	// 	.reg .b64 %rd1;
	// 	ld.param.u64 %rd1, [p];
	// 	ld.global.u32 %word1, [%rd1];
	// 	add.u32 %word2, %word1, 1;
	// 	st.global.u32 [%rd1], %word2;
	// 	ret;
	// }
}

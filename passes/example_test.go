package passes_test

import (
	"fmt"

	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// barriers is a kernel with a barrier.
const barriers = ".version 7.0\n.target sm_70\n.address_size 64\n.entry k() {\n\tbar.sync 0;\n\tret;\n}\n"

// A pass delays threads before each barrier, which shows races that need a delay.
func ExamplePass() {
	padding := &passes.Pass{Name: "padding", Doc: "delay threads before barriers", Run: func(ctx *passes.Context) (any, error) {
		e := ctx.Edit()
		for _, f := range ctx.Module.Kernels() {
			for _, in := range f.Insts {
				if in.Instr.Class == isa.ClassBarrier {
					e.InsertBefore(in, "nanosleep.u32 100;")
					ctx.Count("barriers", 1)
				}
			}
		}
		m, err := e.Apply()
		if err == nil {
			ctx.SetModule(m)
		}
		return nil, err
	}}
	pipeline, _ := passes.ParsePipeline("padding", []*passes.Pass{padding})
	tree, _ := ptxgrammar.Parse("k.ptx", []byte(barriers))
	module, _ := rewrite.Load(tree)
	out, err := pipeline.Run(module)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s%v\n", out.Module.Source(), out.Stats)
	// Output:
	// .version 7.0
	// .target sm_70
	// .address_size 64
	// .entry k() {
	// 	nanosleep.u32 100;
	// 	bar.sync 0;
	// 	ret;
	// }
	// [{padding [{barriers 1}]}]
}

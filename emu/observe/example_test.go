package observe_test

import (
	"context"
	"fmt"
	"os"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

const transposed = `.version 7.5
.target sm_70
.address_size 64
.visible .entry column()
{
	.reg .b32 %r<4>;
	.shared .align 4 .b8 tile[4096];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, tile;
	mad.lo.u32 %r2, %r1, 128, %r2;
	st.shared.u32 [%r2], %r1;
	ret;
}
`

// A column of a 32 by 32 tile lies in one bank: 32 wavefronts in place of one.
func Example() {
	ast, err := ptxgrammar.Parse("column.ptx", []byte(transposed))
	if err != nil {
		panic(err)
	}
	mod, err := rewrite.Load(ast)
	if err != nil {
		panic(err)
	}
	stats := observe.NewStats(observe.Names{})
	trace := observe.NewTrace(os.Stdout, observe.Names{}, nil)
	m, err := emu.New(mod, emu.Config{Listener: observe.Tee(stats, trace)})
	if err != nil {
		panic(err)
	}
	one := emu.Dim3{X: 1, Y: 1, Z: 1}
	if _, err = m.Launch(context.Background(), emu.LaunchConfig{Kernel: "column", Grid: one, Block: emu.Dim3{X: 32, Y: 1, Z: 1}}); err != nil {
		panic(err)
	}
	if err = trace.Close(); err != nil {
		panic(err)
	}
	fmt.Printf("%d bank conflicts\n", stats.Report().Total.Shared.Conflicts)
	// Output:
	// kernel column grid (1,1,1) block (32,1,1)
	//        1 (0,0,0) w0 ffffffff column.ptx:8  mov.u32 %r1, %tid.x
	//        2 (0,0,0) w0 ffffffff column.ptx:9  mov.u32 %r2, tile
	//        3 (0,0,0) w0 ffffffff column.ptx:10  mad.lo.u32 %r2, %r1, 128, %r2
	//        4 (0,0,0) w0 ffffffff column.ptx:11  st.shared.u32 [%r2], %r1
	//          write 4 shared  0-31 0x100000000+128
	//        5 (0,0,0) w0 ffffffff column.ptx:12  ret
	//        5 (0,0,0) ends
	// 31 bank conflicts
}

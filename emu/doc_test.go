package emu_test

import (
	"context"
	"fmt"
	"log"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

const squares = `
.version 8.3
.target sm_90
.address_size 64
.visible .entry squares(.param .u64 out) {
	.reg .b32 %r<3>; .reg .b64 %d<3>;
	mov.u32 %r1, %tid.x;
	mul.lo.u32 %r2, %r1, %r1;
	ld.param.u64 %d1, [out];
	cvta.to.global.u64 %d1, %d1;
	cvt.u64.u32 %d2, %r1;
	add.u64 %d2, %d1, %d2;
	st.global.u8 [%d2], %r2;
	ret;
}
`

// Run a kernel in a test, without a GPU.
func Example() {
	ast, err := ptxgrammar.Parse("squares.ptx", []byte(squares))
	check(err)
	mod, err := rewrite.Load(ast)
	check(err)
	m, err := emu.New(mod, emu.Config{Policy: emu.Random, Seed: 1})
	check(err)
	buf, err := m.Alloc("out", 8)
	check(err)
	res, err := m.Launch(context.Background(), emu.LaunchConfig{Kernel: "squares", Grid: dim(1), Block: dim(8), Params: args(buf)})
	check(err)
	out := make([]byte, 8)
	check(m.Read(buf, out))
	fmt.Printf("%d faults, %d\n", len(res.Faults), out)
	// Output: 0 faults, [0 1 4 9 16 25 36 49]
}

// A kernel that writes out of bounds, and what is said about it.
func ExampleMachine_Launch_fault() {
	ast, err := ptxgrammar.Parse("squares.ptx", []byte(squares))
	check(err)
	mod, err := rewrite.Load(ast)
	check(err)
	m, err := emu.New(mod, emu.Config{MaxFaults: 10})
	check(err)
	buf, err := m.Alloc("out", 8)
	check(err)
	res, err := m.Launch(context.Background(), emu.LaunchConfig{Kernel: "squares", Grid: dim(1), Block: dim(32), Params: args(buf)})
	check(err)
	for _, f := range res.Faults {
		fmt.Printf("%d threads: %v\n", f.Count, f)
	}
	// Output:
	// 24 threads: squares.ptx:13:2: out-of-bounds: write of 1 bytes at address 0x1000000008, which is 0 bytes after the allocation out of size 8, block (0,0,0) thread (8,0,0) of squares
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

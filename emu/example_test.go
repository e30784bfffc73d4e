package emu_test

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// stores counts the bytes that a kernel writes.
type stores struct {
	emu.NopListener
	bytes int
}

func (s *stores) Accesses(b *abi.Batch) {
	for a := range b.All() {
		if a.Access == abi.AccessStore {
			s.bytes += int(a.Bytes) * bits.OnesCount32(a.Mask)
		}
	}
}

// A listener is notified of what a run does.
func ExampleListener() {
	ast, err := ptxgrammar.Parse("squares.ptx", []byte(squares))
	check(err)
	mod, err := rewrite.Load(ast)
	check(err)
	s := new(stores)
	m, err := emu.New(mod, emu.Config{Listener: s})
	check(err)
	buf, err := m.Alloc("out", 8)
	check(err)
	_, err = m.Launch(context.Background(), emu.LaunchConfig{Kernel: "squares", Grid: dim(1), Block: dim(8), Params: args(buf)})
	check(err)
	fmt.Println(s.bytes, "bytes")
	// Output: 8 bytes
}

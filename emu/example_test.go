package emu_test

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// stores counts the bytes that a kernel writes.
type stores struct {
	emu.NopListener
	bytes int
}

func (s *stores) Access(ev *emu.AccessEvent) {
	if ev.Kind == isa.AccessStore {
		s.bytes += ev.Size * bits.OnesCount32(ev.Mask)
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

// last is a kernel in which the blocks write the same word: the last one stays.
const last = `
.version 8.3
.target sm_90
.address_size 64
.visible .entry last(.param .u64 out) {
	.reg .b32 %r1; .reg .b64 %d1;
	mov.u32 %r1, %ctaid.x;
	ld.param.u64 %d1, [out];
	st.global.u8 [%d1], %r1;
	ret;
}
`

// untilSeen tries one seed after the other until n runs were of use.
type untilSeen struct {
	seed uint64
	seen map[byte]bool
	n    int
}

func (u *untilSeen) Next(int) []*emu.Run {
	if len(u.seen) == u.n {
		return nil
	}
	u.seed++
	return []*emu.Run{{Policy: emu.Random, Seed: u.seed}}
}

func (u *untilSeen) Learn([]*emu.Run) {}

// A strategy chooses the schedules of an exploration; this one ends it when each of two
// results was seen.
func ExampleStrategy() {
	ast, err := ptxgrammar.Parse("last.ptx", []byte(last))
	check(err)
	mod, err := rewrite.Load(ast)
	check(err)
	strategy := &untilSeen{seen: make(map[byte]bool), n: 2}
	_, err = emu.Explore(context.Background(), strategy, emu.Bounds{}, func(_ int, r *emu.Run) error {
		var cfg emu.Config
		r.Configure(&cfg)
		m, failed := emu.New(mod, cfg)
		check(failed)
		out, failed := m.Alloc("out", 1)
		check(failed)
		_, failed = m.Launch(context.Background(), emu.LaunchConfig{Kernel: "last", Grid: dim(2), Block: dim(1), Params: args(out)})
		check(failed)
		result := []byte{0}
		check(m.Read(out, result))
		strategy.seen[result[0]] = true
		return nil
	}, func(*emu.Run) bool { return true })
	check(err)
	fmt.Println(strategy.seen)
	// Output: map[0:true 1:true]
}

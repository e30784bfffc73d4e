package explore_test

import (
	"context"
	"fmt"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/emu/explore"
	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/rewrite"
)

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

func (u *untilSeen) Next(int) []*explore.Run {
	if len(u.seen) == u.n {
		return nil
	}
	u.seed++
	return []*explore.Run{{Policy: emu.Random, Seed: u.seed}}
}

func (u *untilSeen) Learn([]*explore.Run) {}

// A strategy chooses the schedules of an exploration; this one ends it when each of two
// results was seen.
func ExampleStrategy() {
	ast, err := ptxgrammar.Parse("last.ptx", []byte(last))
	check(err)
	mod, err := rewrite.Load(ast)
	check(err)
	strategy := &untilSeen{seen: make(map[byte]bool), n: 2}
	_, err = explore.Explore(context.Background(), strategy, explore.Bounds{}, func(_ int, r *explore.Run) error {
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
	}, func(*explore.Run) bool { return true })
	check(err)
	fmt.Println(strategy.seen)
	// Output: map[0:true 1:true]
}

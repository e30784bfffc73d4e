// Which accesses listeners receive of tensor copies.

package emu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// TestTensorRuns: a copy makes one batch of accesses to the tile, and one of accesses to the tensor: one for each run
// of adjacent bytes, with the size of the pieces in which they are copied.
func TestTensorRuns(t *testing.T) {
	words, swizzled := []uint32{64, 64}, emu.Swizzle128
	for _, c := range []struct {
		name, kernel string
		m            emu.TensorMap
		size         int
		want         string
	}{
		{
			"swizzled", tileLoad("32, 8", 2048),
			emu.TensorMap{Dims: words, Box: []uint32{32, 16}, Swizzle: swizzled},
			2048,
			"write shared 1x2048/16, read global 16x128/16",
		},
		{
			"swizzled, over the edge", tileLoad("40, 56", 2048),
			emu.TensorMap{Dims: words, Box: []uint32{32, 16}, Swizzle: swizzled},
			2048,
			"write shared 1x2048/16, read global 8x96/16",
		},
		{
			"whole rows", tileLoad("0, 8", 1024),
			emu.TensorMap{Dims: words, Box: []uint32{64, 4}},
			1024,
			"write shared 1x1024/256, read global 1x1024/256",
		},
		{
			"store over the edge", tileStore("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"),
			emu.TensorMap{Dims: []uint32{16, 12}, Box: []uint32{8, 4}},
			128, "read shared 2x24/0, write global 2x24/0",
		},
	} {
		l := &runLog{}
		m := load(t, c.kernel, emu.Config{Listener: l})
		c.m.Type = isa.U32
		b := tensorBox{m: c.m, size: c.size}
		buf, _ := b.put(t, m, 64*64)
		clean(t, launch(t, m, 1, 32, buf))
		if got := strings.Join(l.batches, ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// runLog describes batches of asynchronous accesses of one size.
type runLog struct {
	emu.NopListener
	batches []string
}

func (l *runLog) Accesses(b *abi.Batch) {
	if a := b.List[0]; b.Async != abi.Synchronous && a.Proxy != abi.ProxyTensorMap {
		l.batches = append(l.batches, fmt.Sprintf("%v %v %dx%d/%d", a.Access, a.Space, len(b.List), a.Bytes, a.Piece))
	}
}

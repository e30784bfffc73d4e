// Launch files to start from: extents of grid and block that suit a kernel.

package session

import (
	"cmp"
	"strings"

	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

// skeleton is what a template has of a kernel.
func skeleton(k *rewrite.Func, g guess) launch.Skeleton {
	grid, block := extents(k)
	if RequiredBlock(k)[0] == 0 {
		block = within(block, uint64(block[0])*uint64(block[1])*uint64(block[2])>>g.halvings)
	}
	return launch.Skeleton{
		Kernel: k.Name, Params: KernelParams(k), Grid: grid, Block: block, Shared: UsesDynamicShared(k), Textures: textureFlows(k),
		Elements: g.elements, Number: g.number, Last: g.last,
	}
}

// Blocks that a template has, by the number of dimensions that a kernel tells threads apart in:
// two warps at least.
var blockShapes = [3][3]uint32{{64, 1, 1}, {16, 16, 1}, {8, 8, 4}}

// extents are a grid and a block that suit a kernel: those that it requires; else a block of as
// many dimensions as the kernel reads of %tid and %ntid, within .maxntid, and two blocks in each
// dimension that it reads of %ctaid.
func extents(k *rewrite.Func) (grid, block [3]uint32) {
	threads, blocks := 0, 0 // dimensions
	grid = [3]uint32{1, 1, 1}
	for _, f := range reached(k) {
		for _, in := range f.Insts {
			for i := range in.Operands {
				o := &in.Operands[i]
				if o.Kind != rewrite.OperandSpecial {
					continue
				}
				dim := max(strings.Index(".x.y.z", o.Member)/len(".x"), 0)
				switch {
				case o.Special.Name == "%tid" || o.Special.Name == "%ntid":
					threads = max(threads, dim)
				case o.Special.PerBlock && o.Special.Dim:
					blocks = max(blocks, dim)
					grid[dim] = 2
				case o.Special.PerBlock:
					grid[0] = 2
				}
			}
		}
	}
	if block = RequiredBlock(k); block[0] == 0 {
		block = within(blockShapes[threads], allowedThreads(k))
	}
	return grid, block
}

// within halves the longest extent of a block until the block has at most that many threads.
func within(block [3]uint32, threads uint64) [3]uint32 {
	for uint64(block[0])*uint64(block[1])*uint64(block[2]) > max(threads, 1) {
		longest := 0
		for i := range block {
			if block[i] >= block[longest] {
				longest = i
			}
		}
		block[longest] /= 2
	}
	return block
}

// allowedThreads is how many threads a block may have: the product of .maxntid (PTX ISA,
// "Performance-Tuning Directives: .maxntid"), or what every target allows.
func allowedThreads(k *rewrite.Func) uint64 {
	const most = 1024
	threads := uint64(0)
	for _, p := range k.AST.Perf {
		if p.Name != ".maxntid" {
			continue
		}
		threads = 1
		for _, v := range p.Args[:min(len(p.Args), 3)] {
			threads *= min(max(v, 1), most)
		}
	}
	return cmp.Or(threads, most)
}

// Templates of launch files: grids and blocks that suit a kernel.

package session

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

// needs is what a kernel's instructions show about its launch.
type needs struct {
	kernel      *rewrite.Func
	params      []launch.Param
	textures    map[string]launch.TextureShape
	grid, block [3]uint32
	compared    [3]uint32 // values that the kernel compares its block extents with, 0 for none
	fields      bool      // a struct has integer fields
	shared      bool      // its size is given by the launch
	cooperative bool
}

func needsOf(k *rewrite.Func) *needs {
	n := &needs{kernel: k, params: KernelParams(k), textures: textureFlows(k), shared: UsesDynamicShared(k)}
	n.grid, n.block = extents(k)
	for _, p := range n.params {
		n.fields = n.fields || slices.ContainsFunc(p.Fields, func(f launch.Field) bool { return !f.Pointer && !f.Type.Float() })
	}
	for _, f := range reached(k) {
		n.compares(f)
	}
	return n
}

// compares records the values that a function compares its block extents with for equality, as assertions do, and whether it
// reads the address of the workspace of a cooperative launch.
func (n *needs) compares(f *rewrite.Func) {
	holds := make(map[*rewrite.Reg]int) // registers that hold a block extent
	for _, in := range f.Insts {
		for i := range in.Operands {
			o := &in.Operands[i]
			switch {
			case o.Kind != rewrite.OperandSpecial:
			case o.Special.Name == "%ntid" && in.Operands[0].Reg != nil:
				holds[in.Operands[0].Reg] = dimension(o)
			case strings.HasPrefix(o.Special.Name, "%envreg"):
				n.cooperative = true
			}
		}
		if in.Instr.Calc != isa.CalcCompare || !in.Has("eq") && !in.Has("ne") || len(in.Operands) != 3 || in.Operands[2].Kind != rewrite.OperandImm {
			continue
		}
		if dim, ok := holds[in.Operands[1].Reg]; ok && 0 < in.Operands[2].Imm && in.Operands[2].Imm <= uint64(emu.MostThreads(n.kernel)) && n.compared[dim] == 0 {
			n.compared[dim] = uint32(in.Operands[2].Imm)
		}
	}
}

// skeleton returns the template of a kernel.
func (n *needs) skeleton(g guess) launch.Skeleton {
	block := n.block
	if emu.RequiredBlock(n.kernel) == (emu.Dim3{}) {
		block = within(block, threads(block)>>g.halvings)
		if g.compared {
			block = n.comparedBlock()
		}
	}
	s := launch.Skeleton{
		Kernel: n.kernel.Name, Params: n.params, Grid: n.grid, Block: block, Textures: n.textures, Cooperative: n.cooperative,
		Elements: g.elements, Number: g.number, Last: g.last, Field: g.number,
	}
	if g.zero {
		s.Field = 0
	}
	if n.shared {
		s.Shared = leastShared
	}
	if k := SharedParams(n.params); k > 0 {
		s.Static = int(StaticShared(n.kernel))
		s.Shared = s.Static + k*leastShared
	}
	return s
}

// comparedBlock returns the usual block, with the extents that the kernel compares with.
func (n *needs) comparedBlock() [3]uint32 {
	block := n.block
	for i, v := range n.compared {
		if v > 0 {
			block[i] = v
		}
	}
	for i, v := range n.compared {
		for v == 0 && block[i] > 1 && threads(block) > uint64(emu.MostThreads(n.kernel)) {
			block[i] /= 2
		}
	}
	return block
}

// threads returns the product of three extents.
func threads(block [3]uint32) uint64 { return uint64(block[0]) * uint64(block[1]) * uint64(block[2]) }

// dimension returns the dimension of a special register that an operand reads.
func dimension(o *rewrite.Operand) int { return max(strings.Index(".x.y.z", o.Member)/len(".x"), 0) }

// Blocks of a template, by the number of dimensions in which a kernel distinguishes threads: at least two warps.
var blockShapes = [3][3]uint32{{64, 1, 1}, {16, 16, 1}, {8, 8, 4}}

// extents returns a grid and a block that suit a kernel: the required ones; else a block with as many dimensions as the kernel
// reads of %tid and %ntid, within .maxntid, and two blocks in each dimension that it reads of %ctaid.
func extents(k *rewrite.Func) (grid, block [3]uint32) {
	dims, blocks := 0, 0
	grid = [3]uint32{1, 1, 1}
	for _, f := range reached(k) {
		for _, in := range f.Insts {
			for i := range in.Operands {
				o := &in.Operands[i]
				if o.Kind != rewrite.OperandSpecial {
					continue
				}
				dim := dimension(o)
				switch {
				case o.Special.Name == "%tid" || o.Special.Name == "%ntid":
					dims = max(dims, dim)
				case o.Special.PerBlock && o.Special.Dim:
					blocks = max(blocks, dim)
					grid[dim] = 2
				case o.Special.PerBlock:
					grid[0] = 2
				}
			}
		}
	}
	if block = array3(emu.RequiredBlock(k)); block[0] == 0 {
		block = within(blockShapes[dims], uint64(emu.MostThreads(k)))
	}
	return grid, block
}

// within halves the longest extent of a block until the block has at most most threads.
func within(block [3]uint32, most uint64) [3]uint32 {
	for threads(block) > max(most, 1) {
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

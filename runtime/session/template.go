// Templates of launch files: grids and blocks that suit a kernel.

package session

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session/kernelcode"
)

// needs is what a kernel's instructions show about its launch.
type needs struct {
	kernel      *rewrite.Func
	params      []launch.Param
	textures    map[string]launch.TextureShape
	grid        [3]uint32
	dims        int       // in which it distinguishes threads, from 0
	compared    [3]uint32 // values that the kernel compares its block extents with, 0 for none
	fields      bool      // a struct has integer fields
	shared      bool      // its size is given by the launch
	cooperative bool
	counts      []uint32 // numbers of threads that barriers of the kernel name
}

func needsOf(k *rewrite.Func) *needs {
	n := &needs{kernel: k, params: kernelcode.KernelParams(k), textures: textureFlows(k), shared: kernelcode.UsesDynamicShared(k)}
	n.grid, n.dims = extents(k)
	for _, p := range n.params {
		n.fields = n.fields || slices.ContainsFunc(p.Fields, func(f launch.Field) bool { return !f.Pointer && !f.Type.Float() })
	}
	for _, f := range kernelcode.Reached(k) {
		n.compares(f)
	}
	return n
}

// size returns the number of instructions of the kernel and of the functions that it calls.
func (n *needs) size() (size int) {
	for _, f := range kernelcode.Reached(n.kernel) {
		size += len(f.Insts)
	}
	return size
}

// numbered reports whether the kernel has integers among its parameters.
func (n *needs) numbered() bool {
	return n.fields || slices.ContainsFunc(n.params, func(p launch.Param) bool {
		_, texture := n.textures[p.Name]
		return !texture && !p.Pointer && !p.Shared && !p.Array && !p.Type.Float()
	})
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
		n.counted(in)
		if in.Instr.Calc != isa.CalcCompare || !in.Has("eq") && !in.Has("ne") || len(in.Operands) != 3 || in.Operands[2].Kind != rewrite.OperandImm {
			continue
		}
		if dim, ok := holds[in.Operands[1].Reg]; ok && 0 < in.Operands[2].Imm && in.Operands[2].Imm <= uint64(emu.MostThreads(n.kernel)) && n.compared[dim] == 0 {
			n.compared[dim] = uint32(in.Operands[2].Imm)
		}
	}
}

// counted records the number of threads of a barrier that names one (PTX ISA, "bar.sync a, b").
func (n *needs) counted(in *rewrite.Inst) {
	if in.Instr.Class != isa.ClassBarrier || len(in.Operands) < 2 || in.Operands[1].Kind != rewrite.OperandImm {
		return
	}
	if count := in.Operands[1].Imm; 32 < count && count <= uint64(emu.MostThreads(n.kernel)) {
		n.counts = append(n.counts, uint32(count))
	}
}

// skeleton returns the template of a kernel.
func (n *needs) skeleton(g guess) launch.Skeleton {
	s := launch.Skeleton{
		Kernel: n.kernel.Name, Params: n.params, Grid: n.grid, Block: g.block, Textures: n.textures, Cooperative: n.cooperative,
		Elements: g.elements, Contents: g.contents, Number: g.number, Last: g.last, Field: g.field,
	}
	if n.shared {
		s.Shared = leastShared
	}
	if k := kernelcode.SharedParams(n.params); k > 0 {
		s.Static = int(kernelcode.StaticShared(n.kernel))
		s.Shared = s.Static + k*leastShared
	}
	return s
}

// Blocks of a template in the order of trials, by the number of dimensions in which a kernel distinguishes threads.
var blockShapes = [3][][3]uint32{
	{{256, 1, 1}, {128, 1, 1}, {512, 1, 1}, {1024, 1, 1}, {64, 1, 1}, {32, 1, 1}, {16, 1, 1}, {8, 1, 1}},
	{{16, 16, 1}, {32, 8, 1}, {32, 32, 1}, {8, 8, 1}, {64, 4, 1}, {32, 4, 1}, {4, 4, 1}},
	{{8, 8, 4}, {16, 4, 4}, {8, 8, 8}, {4, 4, 4}, {32, 4, 2}},
}

// blocks returns the blocks to try: the required one, or the extents that the kernel compares its block with, the usual ones, within
// the kernel's limit of threads, and the numbers of threads that its barriers name.
func (n *needs) blocks() (list [][3]uint32) {
	if b := array3(emu.RequiredBlock(n.kernel)); b[0] != 0 {
		return [][3]uint32{b}
	}
	shapes := blockShapes[n.dims]
	if n.compared != [3]uint32{} {
		list = append(list, n.comparedBlock(shapes[0]))
	}
	for _, b := range shapes {
		if b = within(b, uint64(emu.MostThreads(n.kernel))); !slices.Contains(list, b) {
			list = append(list, b)
		}
	}
	for _, count := range n.counts {
		if n.dims == 0 {
			list = append(list, [3]uint32{count, 1, 1})
		}
	}
	return list
}

// comparedBlock returns a block with the extents that the kernel compares with.
func (n *needs) comparedBlock(block [3]uint32) [3]uint32 {
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

// extents returns a grid that suits a kernel and the number of dimensions, from 0, in which it distinguishes threads. The grid has
// two blocks, or two of the required clusters, in each dimension that the kernel reads of %ctaid, and in the first if the kernel
// has a lock in global memory.
func extents(k *rewrite.Func) (grid [3]uint32, dims int) {
	grid = [3]uint32{1, 1, 1}
	for _, f := range kernelcode.Reached(k) {
		for _, in := range f.Insts {
			if locks(in) {
				grid[0] = 2
			}
			for i := range in.Operands {
				o := &in.Operands[i]
				switch {
				case o.Kind != rewrite.OperandSpecial:
				case o.Special.Name == "%tid" || o.Special.Name == "%ntid":
					dims = max(dims, dimension(o))
				case o.Special.PerBlock && o.Special.Dim:
					grid[dimension(o)] = 2
				case o.Special.PerBlock:
					grid[0] = 2
				}
			}
		}
	}
	if c := array3(emu.RequiredCluster(k)); c[0] != 0 && !emu.InClusters(k) {
		for i := range grid {
			grid[i] *= c[i]
		}
	}
	return grid, dims
}

// locks reports whether an instruction is an operation by which threads of several blocks exclude each other.
func locks(in *rewrite.Inst) bool {
	a := in.Access
	return a.Kind == isa.AccessAtomic && (a.AtomOp == "cas" || a.AtomOp == "exch") && a.Space != isa.SpaceShared
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

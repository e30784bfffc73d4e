// Templates of launch files: grids and blocks that suit a kernel.

package session

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session/internal/kernelcode"
)

// needs is what a kernel's instructions show about its launch.
type needs struct {
	kernel      *rewrite.Func
	params      []launch.Param
	textures    map[string]launch.TextureShape
	tensors     map[string]int // ranks of tensor maps
	grid        [3]uint32
	dims        int       // in which it distinguishes threads, from 0
	compared    [3]uint32 // values that the kernel compares its block extents with, 0 for none
	fields      bool      // a struct has integer fields
	shared      bool      // its size is given by the launch
	cooperative bool
	counts      []uint32  // numbers of threads that barriers of the kernel name
	cluster     uint32    // blocks of a cluster that the launch has to give, 0 for none
	single      bool      // it is for one thread of each block
	numbered    bool      // it uses integers among its parameters
	block       [3]uint32 // of its launches; 0 if that is not known
	unshaped    bool      // it does not show for which block it is
}

func needsOf(k *rewrite.Func) *needs {
	n := &needs{
		kernel: k, params: kernelcode.KernelParams(k), textures: TextureShapes(k),
		tensors: kernelcode.TensorRanks(k), shared: kernelcode.UsesDynamicShared(k),
	}
	kernelcode.Decide(k, n.params)
	n.extents()
	for _, p := range n.params {
		n.fields = n.fields || slices.ContainsFunc(p.Fields,
			func(f launch.Field) bool { return !f.Pointer && !f.Type.Float() })
	}
	n.numbered = n.fields || slices.ContainsFunc(n.params, n.number)
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

// number reports whether a parameter is an integer that the kernel reads.
func (n *needs) number(p launch.Param) bool {
	if _, texture := n.textures[p.Name]; texture || p.Pointer || p.Shared || p.Array || p.Type.Float() {
		return false
	}
	return slices.ContainsFunc(n.kernel.Insts, func(in *rewrite.Inst) bool {
		return slices.ContainsFunc(in.Operands, func(o rewrite.Operand) bool {
			v, ok := o.Sym.(*rewrite.Var)
			return ok && v.Name == p.Name && v.Space == isa.SpaceParam
		})
	})
}

// compares records the values that a function compares its block extents with for equality, as assertions do, and
// whether it reads the address of the workspace of a cooperative launch.
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
		if in.Instr.Calc != isa.CalcCompare || !in.Has("eq") && !in.Has("ne") || len(in.Operands) != 3 ||
			in.Operands[2].Kind != rewrite.OperandImm {
			continue
		}
		if dim, ok := holds[in.Operands[1].Reg]; ok && 0 < in.Operands[2].Imm &&
			in.Operands[2].Imm <= uint64(emu.MostThreads(n.kernel)) && n.compared[dim] == 0 {
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
		Kernel: n.kernel.Name, Params: n.params, Grid: n.grid, Block: g.block, Cluster: n.cluster, Textures: n.textures,
		Cooperative: n.cooperative,
		Tensors:     tensorShapes(n.tensors, g.box),
		Elements:    g.elements, Contents: g.contents, Number: g.number, Last: g.last, Field: g.field,
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

// smallFirst are the blocks in the order of trials for kernels that do not show for which block they are: a larger one
// than they are for makes threads access what is not theirs.
var smallFirst = [][3]uint32{{32, 1, 1}, {64, 1, 1}, {128, 1, 1}, {256, 1, 1}, {512, 1, 1}, {1024, 1, 1}}

// blocks returns the blocks to try: the required or known one, or the extents that the kernel compares its block with,
// the usual ones, within the kernel's limit of threads, and the numbers of threads that its barriers name.
func (n *needs) blocks() (list [][3]uint32) {
	switch b := array3(emu.RequiredBlock(n.kernel)); {
	case b[0] != 0:
		return [][3]uint32{b}
	case n.block[0] != 0:
		return [][3]uint32{n.block}
	case n.single:
		list = [][3]uint32{{1, 1, 1}}
	}
	shapes := blockShapes[n.dims]
	if n.dims == 0 && n.unshaped {
		shapes = smallFirst
	}
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

// extents sets what the special registers and the instructions of the kernel show. The grid has two blocks, or two
// clusters, in each dimension that the kernel reads of %ctaid, and in the first if blocks exclude each other by locks
// in global memory. The kernel is for one thread of each block if it tells blocks apart, but not threads, and no
// operation is of several threads.
func (n *needs) extents() {
	u := usesOf(n.kernel)
	n.grid, n.dims, n.single = u.grid, u.dims, u.blocks && !u.threads
	n.unshaped = u.blocks && u.threads && !anyBlock(n.kernel)
	if u.locks && !u.blockLocks {
		n.grid[0] = 2
	}
	c := array3(emu.RequiredCluster(n.kernel))
	switch {
	case emu.InClusters(n.kernel):
	case c[0] != 0:
		for i := range n.grid {
			n.grid[i] *= c[i]
		}
	case u.clusters:
		n.cluster = clusterSize
		n.grid[0] = 2 * clusterSize
	}
}

// clusterSize is the number of blocks of a cluster in a template.
const clusterSize = 2

// uses is what a kernel and the functions that it calls do with blocks and threads.
type uses struct {
	grid            [3]uint32 // two in each dimension that is read
	dims            int       // dimensions in which threads differ, from 0
	blocks, threads bool      // blocks are told apart; threads are, or have common operations
	clusters        bool      // blocks of a cluster have common operations
	locks           bool      // atomic operations on global memory, as of locks
	blockLocks      bool      // some of them are of block scope: all threads are in one block
	read            map[*rewrite.Reg]bool
	shapes          shapes
}

func usesOf(k *rewrite.Func) *uses {
	u := &uses{grid: [3]uint32{1, 1, 1}, read: make(map[*rewrite.Reg]bool), shapes: shapesOf(kernelcode.Reached(k))}
	for _, f := range kernelcode.Reached(k) {
		for _, in := range f.Insts {
			in.Uses(func(r *rewrite.Reg) { u.read[r] = true })
		}
		for _, in := range f.Insts {
			u.instruction(in)
			for i := range in.Operands {
				if o := &in.Operands[i]; o.Kind == rewrite.OperandSpecial {
					u.special(o)
				}
			}
		}
	}
	return u
}

func (u *uses) special(o *rewrite.Operand) {
	switch {
	case !u.shapes.needs(o):
	case o.Special.Name == "%tid" || o.Special.Name == "%ntid":
		u.dims, u.threads = max(u.dims, dimension(o)), true
	case o.Special.PerLane:
		u.threads = true
	case o.Special.PerBlock && o.Special.Dim:
		u.grid[dimension(o)], u.blocks = 2, true
	case o.Special.PerBlock:
		u.grid[0], u.blocks = 2, true
	}
	u.clusters = u.clusters || strings.HasPrefix(o.Special.Name, "%cluster_")
}

func (u *uses) instruction(in *rewrite.Inst) {
	b, isBarrier := in.Barrier()
	u.threads = u.threads || isBarrier || in.Has("sync") || in.Instr.Class == isa.ClassMatrix
	u.clusters = u.clusters || isBarrier && b.Of == isa.BarrierOfCluster || in.Multicast() || in.Has("cta_group::2") ||
		in.Instr.Calc == isa.CalcPeerAddress
	a := in.Access
	if a.Space == isa.SpaceShared || a.Kind == isa.AccessNone {
		return
	}
	u.clusters = u.clusters || in.MemoryScope() == isa.ScopeCluster
	if a.Kind == isa.AccessAtomic && (a.AtomOp == "cas" || a.AtomOp == "exch") {
		u.locks = u.locks || a.AtomOp == "cas" || u.decides(in)
		u.blockLocks = u.blockLocks || in.MemoryScope() == isa.ScopeCTA
	}
}

// decides reports whether the result of an instruction is used. A thread that takes a lock uses it, one that sets a
// flag does not.
func (u *uses) decides(in *rewrite.Inst) (used bool) {
	in.Defs(func(r *rewrite.Reg) { used = used || u.read[r] })
	return used
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

// Matrix instructions of a warpgroup: wgmma.

package mma

import (
	"github.com/ptxsan/ptxsan/emu/internal/barriers"
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/matrix"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// SemWarpgroup is the semantics of PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions".
// Each of the four warps computes its 16 rows separately and immediately, which is one of the allowed orders.
var SemWarpgroup = map[string]state.DecodeFunc{"wgmma": decodeWgmma}

// decodeWgmma decodes wgmma.mma_async, and fence, commit_group and wait_group, which emit the events of groups.
// wait_group also waits for the other warps of the warpgroup.
func decodeWgmma(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	switch {
	case in.Has("mma_async"):
		return groupProduct(d, in)
	case in.Has("commit_group"):
		return WholeWarp(d, &state.SyncOp{Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
			events.EmitAsyncGroupsOf(x, in, m, abi.EventAsyncCommit, abi.AsyncMatrices, nil, false)
			x.Warp.Waits.Products++
			barriers.RetryProducts(x, x.CTA)
		}}, state.Inst{}), nil
	case in.Has("wait_group"):
		var pending state.Vec32
		for i := range pending {
			pending[i] = uint32(in.Operands[0].Imm)
		}
		ready := func(x *state.Engine, _ *state.Frame, _ int) bool { return productsDone(x, pending[0]) }
		return WholeWarp(d, &state.SyncOp{
			Ready: ready, Awaits: "wait for other warps of their warpgroup",
			Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
				events.EmitAsyncGroupsOf(x, in, m, abi.EventAsyncWait, abi.AsyncMatrices, &pending, false)
				w := &x.Warp.Waits
				w.Waited = max(w.Waited, w.Products-min(w.Products, uint64(pending[0])))
			},
		}, state.Inst{}), nil
	}
	return WholeWarp(d, &state.SyncOp{Body: func(x *state.Engine, _ *state.Inst,
		_ state.Lanes,
	) {
		x.Warp.Waits.Fences++
	}}, state.Inst{}), nil
}

// productsDone reports whether all groups of the running warp except the latest pending ones are complete. A group
// belongs to the warpgroup: it is complete when all its warps have committed it.
func productsDone(x *state.Engine, pending uint32) bool {
	first := x.Warp.Index / GroupWarps * GroupWarps
	for _, w := range x.CTA.Warps[first:min(first+GroupWarps, len(x.CTA.Warps))] {
		if w.Live != 0 && w.Waits.Products+uint64(pending) < x.Warp.Waits.Products {
			x.CTA.AwaitsProducts = true
			return false
		}
	}
	return true
}

// groupMMA is a decoded wgmma.mma_async.
type groupMMA struct {
	product *matrix.Product
	n, k    int
	negate  bool // exactly one of A and B is negated
	scaleD  state.Operand
	d       heldMatrix
	a       heldMatrix
	aShared *sharedMatrix // nil if A is in registers
	aDesc   state.Operand // descriptor of A in shared memory
	b       *sharedMatrix
	bDesc   state.Operand
	sparse  *matrix.Sparsity // of A, nil if A is dense
	meta    state.Operand    // metadata of a sparse A
}

// groupProduct decodes wgmma.mma_async{.sp}.sync.aligned.shape.dtype.atype.btype d, a, b, {sp-meta, sp-sel,} scale-d{,
// imm-scale-a, imm-scale-b{, imm-trans-a}{, imm-trans-b}}, where a is registers or a descriptor.
func groupProduct(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	_, n, k := shapeOf(in)
	td, ta, tb := in.Type(0), in.Type(1), in.Type(2)
	g := &groupMMA{product: productOf(in, td, ta, tb, td), n: n, k: k}
	var err error
	if g.d, err = held(d, in, 0, fragmentD(n, td), td, false, true); err != nil {
		return state.Inst{}, err
	}
	if g.bDesc, err = decode.Descriptor(d, in, 2); err != nil {
		return state.Inst{}, err
	}
	rest := 3 // index of the first operand after B
	if in.Has("sp") {
		if err = groupSparsity(d, in, g); err != nil {
			return state.Inst{}, err
		}
		rest += 2
	}
	if g.scaleD, err = decode.Value(d, in, &in.Operands[rest], isa.Pred); err != nil {
		return state.Inst{}, err
	}
	inShared := in.Decoded.Operands[1].Whole() == isa.B64 && len(decode.Elems(d, in, 1)) == 1 // A in registers has four elements
	transA, transB, err := groupScales(d, in, g, in.Operands[rest+1:])
	if err != nil {
		return state.Inst{}, err
	}
	g.b = newSharedMatrix(tb, n, k, transB, false, "the descriptor of B")
	op := &state.SyncOp{
		Writes: decode.SlotsOf(g.d.regs...),
		Reads:  decode.SlotsOf(append(g.d.regs, g.bDesc, g.scaleD)...), Body: g.exec,
	}
	if g.sparse != nil {
		op.Reads = append(op.Reads, decode.SlotsOf(g.meta)...)
	}
	a, err := groupA(d, in, g, inShared, transA)
	op.Reads = append(op.Reads, decode.SlotsOf(a...)...)
	return WholeWarp(d, op, state.Inst{Flags: state.FlagFaults}), err
}

// groupSparsity resolves the metadata and the sparsity selector of a sparse A, which are those of mma.sp for the rows
// of a warp (PTX ISA, "Sparse matrix storage" of wgmma).
func groupSparsity(d *state.Decoder, in *rewrite.Inst, g *groupMMA) error {
	meta, err := decode.WordOf(d, in, &in.Operands[3], isa.B32)
	if err != nil {
		return err
	}
	s := matrix.SparsityOf(g.product.A, g.k)
	g.sparse, g.meta = &s, state.Operand{Slot: meta, Typ: isa.B32}
	return sparsitySelector(d, in, &in.Operands[4], g.sparse)
}

// storedK returns the number of stored columns of A.
func (g *groupMMA) storedK() int {
	if g.sparse != nil {
		return g.k / 2
	}
	return g.k
}

// groupA decodes A and returns the registers that hold it.
func groupA(d *state.Decoder, in *rewrite.Inst, g *groupMMA, inShared, trans bool) (regs []state.Operand, err error) {
	t := g.product.A
	if inShared {
		g.aShared = newSharedMatrix(t, groupRows, g.storedK(), trans, g.negate, "the descriptor of A")
		g.aDesc, err = decode.Descriptor(d, in, 1)
		return []state.Operand{g.aDesc}, err
	}
	g.a, err = held(d, in, 1, matrix.FragmentA(groupRows, g.storedK(), t), t, g.negate, false)
	return g.a.regs, err
}

// groupScales reads the trailing constants: the factors of A and B, and whether they are transposed. A in registers is
// not.
func groupScales(d *state.Decoder, in *rewrite.Inst, g *groupMMA,
	consts []rewrite.Operand,
) (transA, transB bool, err error) {
	vals := make([]int32, len(consts))
	for i := range consts {
		op, scale := &consts[i], i < 2
		vals[i] = int32(op.Imm)
		switch ok := op.Kind == rewrite.OperandImm; {
		case scale && (!ok || vals[i] != 1 && vals[i] != -1):
			return false, false, decode.Errorf(d, in, "%s: factor %s, expected 1 or -1", in.Text(), decode.Text(d, op))
		case !scale && (!ok || vals[i] != 0 && vals[i] != 1):
			return false, false, decode.Errorf(d, in, "%s: transposition %s, expected 0 or 1", in.Text(),
				decode.Text(d, op))
		}
	}
	if len(vals) >= 2 {
		g.negate = vals[0] != vals[1]
	}
	trans := vals[min(2, len(vals)):]
	if len(trans) == 2 {
		transA = trans[0] == 1
	}
	return transA, len(trans) > 0 && trans[len(trans)-1] == 1, nil
}

// exec computes the rows of a warp.
func (g *groupMMA) exec(x *state.Engine, in *state.Inst, part state.Lanes) {
	warp := x.Warp.Index
	if have := len(x.CTA.Warps) - warp/GroupWarps*GroupWarps; have < GroupWarps {
		faults.Raise(x, in, part.First(), "barrier-divergence", 0,
			"a warpgroup has %d warps, but only %d are left in the block from warp %d on", GroupWarps, have,
			warp/GroupWarps*GroupWarps)
		return
	}
	scaleD := *x.Frame.P(g.scaleD.Slot) & part
	if scaleD != 0 && scaleD != part {
		faults.Raise(x, in, scaleD.First(), "unsupported", 0,
			"scale-d is true in lanes 0x%x only of 0x%x: the result is undefined", uint32(scaleD), uint32(part))
		return
	}
	events.BeginAsync(x)
	a, ok := g.loadA(x, in, part)
	if !ok {
		return
	}
	b, ok := g.b.columns(x, in, g.bDesc, part)
	if !ok {
		return
	}
	sums := vector.Numbers{V: matrix.Room(&x.Matrices.D, groupRows*g.n), Stride: g.n}
	if scaleD != 0 {
		g.d.read(x.Frame, sums)
	} else {
		clear(sums.V)
	}
	if g.sparse == nil {
		vector.AddProducts(sums, a, b, groupRows, g.n, g.k)
	} else {
		cols, ok := allColumns(g.sparse, x, in, x.Frame.R32(g.meta.Slot), groupRows)
		if !ok {
			return
		}
		for row := range cols {
			for i, k := range cols[row] {
				vector.AddProducts(sums.From(row, 0), a.From(row, i), b.From(k, 0), 1, g.n, 1)
			}
		}
	}
	g.d.write(x.Frame, sums, g.product.Saturate, part)
}

// loadA returns the warp's rows of A.
func (g *groupMMA) loadA(x *state.Engine, in *state.Inst, part state.Lanes) (vector.Numbers, bool) {
	if g.aShared != nil {
		return g.aShared.rowsFrom(x, in, g.aDesc, x.Warp.Index%GroupWarps*groupRows, part)
	}
	a := vector.Numbers{V: matrix.Room(&x.Matrices.A, groupRows*g.storedK()), Stride: g.storedK()}
	g.a.read(x.Frame, a)
	return a, true
}

// Uniform returns the value of a register that must be the same in all lanes in part; what names it in the fault.
func Uniform(x *state.Engine, in *state.Inst, r state.Operand, part state.Lanes, what string) (uint64, bool) {
	first := part.First()
	v := x.Frame.Word(r.Slot, r.Wide(), first)
	for ; part != 0; part &= part - 1 {
		lane := part.First()
		if u := x.Frame.Word(r.Slot, r.Wide(), lane); u != v {
			faults.Raise(x, in, lane, "unsupported", 0,
				"%s is 0x%x in lane %d and 0x%x in lane %d: the result is undefined",
				what, v, first, u, lane)
			return 0, false
		}
	}
	return v, true
}

// Matrices of wgmma in shared memory, described by 64-bit descriptors, and the fragments of wgmma that mma does not
// have.

const (
	// GroupWarps is the number of warps of a warpgroup; the index of the first one in the block is a multiple of it.
	GroupWarps = 4
	// groupRows is the number of rows of the accumulator and of A that one warp holds.
	groupRows = 16
)

// fragmentD returns the 16 by n part of the accumulator of wgmma that a warp holds: fragments of mma, side by side.
func fragmentD(n int, t isa.Type) matrix.Fragment {
	c := matrix.FragmentC(groupRows, t)
	return matrix.Fragment{
		Rows: groupRows, Cols: n, Regs: c.Regs * n / c.Cols, Per: c.Per,
		At: func(lane, r, j int) (int, int) {
			row, col := c.At(lane, r%c.Regs, j)
			return row, col + r/c.Regs*c.Cols
		},
	}
}

// sharedMatrix is an operand of wgmma in shared memory: the rows of A that one warp multiplies, or the transpose of B.
// In both, a row has k elements.
type sharedMatrix struct {
	matrix.Panel
	values *matrix.Values
	what   string // name of the descriptor, for faults
	ac     state.Access
}

func newSharedMatrix(t isa.Type, rows, k int, trans, negate bool, what string) *sharedMatrix {
	ac := state.Access{Space: isa.SpaceShared, Size: matrix.SliceBytes, Kind: isa.AccessLoad, Async: abi.AsyncMatrices}
	return &sharedMatrix{
		matrix.Panel{Rows: rows, K: k, Per: 8 * matrix.SliceBytes / t.Bits(), Across: trans},
		matrix.ValuesOf(t, negate), what, ac,
	}
}

// rowsFrom reads the rows of A from first on; false after a fault.
func (s *sharedMatrix) rowsFrom(x *state.Engine, in *state.Inst, desc state.Operand, first int,
	part state.Lanes,
) (vector.Numbers, bool) {
	if !s.load(x, in, desc, first, part) {
		return vector.Numbers{}, false
	}
	return s.ByRows(&x.Matrices, &x.Matrices.A, s.values), true
}

// columns reads B; false after a fault.
func (s *sharedMatrix) columns(x *state.Engine, in *state.Inst, desc state.Operand,
	part state.Lanes,
) (vector.Numbers, bool) {
	if !s.load(x, in, desc, 0, part) {
		return vector.Numbers{}, false
	}
	return s.ByColumns(&x.Matrices, &x.Matrices.B, s.values), true
}

// load reads the slices that hold the rows from first on, for the lanes in part, which stand for all; false after a
// fault.
func (s *sharedMatrix) load(x *state.Engine, in *state.Inst, desc state.Operand, first int, part state.Lanes) bool {
	v, ok := Uniform(x, in, desc, part, s.what)
	if !ok {
		return false
	}
	of := state.SharedSlices{
		Slices: matrix.SlicesAt(matrix.GroupDescriptor(v), s.Panel, first), Base: x.CTA.SharedBase(),
	}
	s.emit(x, in, &of)
	w, lane := memory.Window(&s.ac, x), part.First()
	lines, line := s.SliceCount()
	to := matrix.Room(&x.Matrices.Slices, lines*line)
	for n := range lines {
		for i := range line {
			p := (*[2]uint64)(memory.Locate(&s.ac, x, in, &w, of.Base+of.At(n, i), lane))
			if p == nil {
				return false
			}
			to[n*line+i] = *p
		}
	}
	return true
}

// emit emits slices as accesses of the lanes of the warp, one slice per lane: the warp reads them together, and waits
// together.
func (s *sharedMatrix) emit(x *state.Engine, in *state.Inst, of *state.SharedSlices) {
	if events.Ignored(&x.Emitter, &s.ac) {
		return
	}
	lane := 0
	for _, r := range RunsOfSlices(x, of) {
		for at := uint64(0); at < r.Bytes; at += matrix.SliceBytes {
			if x.Addrs[lane] = r.Addr + at; lane == state.WarpSize-1 {
				events.EmitAccess(x, in, &s.ac, state.AllLanes, &x.Addrs)
			}
			lane = (lane + 1) % state.WarpSize
		}
	}
	if lane > 0 {
		events.EmitAccess(x, in, &s.ac, 1<<lane-1, &x.Addrs)
	}
}

// maxListed is the maximum number of matrices in the cache of RunsOfSlices.
const maxListed = 1024

// RunsOfSlices returns the bytes of a matrix, at generic addresses: loops read the same ones again and again, and so do
// the warps of a warpgroup.
func RunsOfSlices(x *state.Engine, of *state.SharedSlices) state.Runs {
	if known, ok := x.SliceRuns[*of]; ok {
		return known
	}
	if len(x.SliceRuns) >= maxListed || x.SliceRuns == nil {
		x.SliceRuns = make(map[state.SharedSlices]state.Runs)
	}
	var runs state.Runs
	lines, line := of.SliceCount()
	for n := range lines {
		for i := range line {
			runs.Add(gmem.SharedWindow+(of.Base+of.At(n, i))&(1<<gmem.SlotBits-1), matrix.SliceBytes)
		}
	}
	x.SliceRuns[*of] = runs
	return runs
}

// Matrix instructions of a warpgroup: wgmma.

package emu

import (
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/matrix"
	"github.com/ptxsan/ptxsan/emu/internal/vector"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// semWarpgroup is the semantics of PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions".
// Each of the four warps computes its 16 rows separately and immediately, which is one of the allowed orders.
var semWarpgroup = map[string]decodeFunc{"wgmma": decodeWgmma}

// decodeWgmma decodes wgmma.mma_async, and fence, commit_group and wait_group, which emit the events of groups.
// wait_group also waits for the other warps of the warpgroup.
func decodeWgmma(d *decoder, in *rewrite.Inst) (inst, error) {
	switch {
	case in.Has("mma_async"):
		return d.groupProduct(in)
	case in.Has("commit_group"):
		return d.wholeWarp(&syncOp{body: func(x *engine, in *inst, m lanes) {
			x.emitAsyncGroupsOf(in, m, abi.EventAsyncCommit, abi.AsyncMatrices, nil, false)
			x.warp.waits.products++
			x.retryProducts(x.cta)
		}}, inst{}), nil
	case in.Has("wait_group"):
		var pending vec32
		for i := range pending {
			pending[i] = uint32(in.Operands[0].Imm)
		}
		ready := func(x *engine, _ *frame, _ int) bool { return x.productsDone(pending[0]) }
		return d.wholeWarp(&syncOp{
			ready: ready, awaits: "wait for other warps of their warpgroup",
			body: func(x *engine, in *inst, m lanes) {
				x.emitAsyncGroupsOf(in, m, abi.EventAsyncWait, abi.AsyncMatrices, &pending, false)
				w := &x.warp.waits
				w.waited = max(w.waited, w.products-min(w.products, uint64(pending[0])))
			},
		}, inst{}), nil
	}
	return d.wholeWarp(&syncOp{body: func(x *engine, _ *inst, _ lanes) { x.warp.waits.fences++ }}, inst{}), nil
}

// productsDone reports whether all groups of the running warp except the latest pending ones are complete. A group
// belongs to the warpgroup: it is complete when all its warps have committed it.
func (x *engine) productsDone(pending uint32) bool {
	first := x.warp.index / groupWarps * groupWarps
	for _, w := range x.cta.warps[first:min(first+groupWarps, len(x.cta.warps))] {
		if w.live != 0 && w.waits.products+uint64(pending) < x.warp.waits.products {
			x.cta.awaitsProducts = true
			return false
		}
	}
	return true
}

// retryProducts makes warps of a block try again that wait for products of other warps.
func (x *engine) retryProducts(c *cta) {
	if c.awaitsProducts {
		c.awaitsProducts = false
		x.retrySyncs(c)
	}
}

// groupMMA is a decoded wgmma.mma_async.
type groupMMA struct {
	product *matrix.Product
	n, k    int
	negate  bool // exactly one of A and B is negated
	scaleD  operand
	d       heldMatrix
	a       heldMatrix
	aShared *sharedMatrix // nil if A is in registers
	aDesc   operand       // descriptor of A in shared memory
	b       *sharedMatrix
	bDesc   operand
	sparse  *matrix.Sparsity // of A, nil if A is dense
	meta    operand          // metadata of a sparse A
}

// groupProduct decodes wgmma.mma_async{.sp}.sync.aligned.shape.dtype.atype.btype d, a, b, {sp-meta, sp-sel,} scale-d{,
// imm-scale-a, imm-scale-b{, imm-trans-a}{, imm-trans-b}}, where a is registers or a descriptor.
func (d *decoder) groupProduct(in *rewrite.Inst) (inst, error) {
	_, n, k := shapeOf(in)
	td, ta, tb := in.Type(0), in.Type(1), in.Type(2)
	g := &groupMMA{product: productOf(in, td, ta, tb, td), n: n, k: k}
	var err error
	if g.d, err = d.held(in, 0, fragmentD(n, td), td, false, true); err != nil {
		return inst{}, err
	}
	if g.bDesc, err = d.descriptor(in, 2); err != nil {
		return inst{}, err
	}
	rest := 3 // index of the first operand after B
	if in.Has("sp") {
		if err = d.groupSparsity(in, g); err != nil {
			return inst{}, err
		}
		rest += 2
	}
	if g.scaleD, err = d.value(in, &in.Operands[rest], isa.Pred); err != nil {
		return inst{}, err
	}
	inShared := in.Decoded.Operands[1].Whole() == isa.B64 && len(d.elems(in, 1)) == 1 // A in registers has four elements
	transA, transB, err := d.groupScales(in, g, in.Operands[rest+1:])
	if err != nil {
		return inst{}, err
	}
	g.b = newSharedMatrix(tb, n, k, transB, false, "the descriptor of B")
	op := &syncOp{writes: slotsOf(g.d.regs...), reads: slotsOf(append(g.d.regs, g.bDesc, g.scaleD)...), body: g.exec}
	if g.sparse != nil {
		op.reads = append(op.reads, slotsOf(g.meta)...)
	}
	a, err := d.groupA(in, g, inShared, transA)
	op.reads = append(op.reads, slotsOf(a...)...)
	return d.wholeWarp(op, inst{flags: flagFaults}), err
}

// groupSparsity resolves the metadata and the sparsity selector of a sparse A, which are those of mma.sp for the rows
// of a warp (PTX ISA, "Sparse matrix storage" of wgmma).
func (d *decoder) groupSparsity(in *rewrite.Inst, g *groupMMA) error {
	meta, err := d.word(in, &in.Operands[3], isa.B32)
	if err != nil {
		return err
	}
	s := matrix.SparsityOf(g.product.A, g.k)
	g.sparse, g.meta = &s, operand{meta, isa.B32}
	return d.sparsitySelector(in, &in.Operands[4], g.sparse)
}

// storedK returns the number of stored columns of A.
func (g *groupMMA) storedK() int {
	if g.sparse != nil {
		return g.k / 2
	}
	return g.k
}

// groupA decodes A and returns the registers that hold it.
func (d *decoder) groupA(in *rewrite.Inst, g *groupMMA, inShared, trans bool) (regs []operand, err error) {
	t := g.product.A
	if inShared {
		g.aShared = newSharedMatrix(t, groupRows, g.storedK(), trans, g.negate, "the descriptor of A")
		g.aDesc, err = d.descriptor(in, 1)
		return []operand{g.aDesc}, err
	}
	g.a, err = d.held(in, 1, matrix.FragmentA(groupRows, g.storedK(), t), t, g.negate, false)
	return g.a.regs, err
}

// descriptor resolves operand i, a matrix descriptor.
func (d *decoder) descriptor(in *rewrite.Inst, i int) (operand, error) {
	r, err := d.value(in, &in.Operands[i], isa.B64)
	if err == nil && !r.wide() {
		err = d.errorf(in, "%s: operand %s, expected a matrix descriptor of 64 bits", in.Text(),
			d.text(&in.Operands[i]))
	}
	return r, err
}

// groupScales reads the trailing constants: the factors of A and B, and whether they are transposed. A in registers is
// not.
func (d *decoder) groupScales(in *rewrite.Inst, g *groupMMA,
	consts []rewrite.Operand,
) (transA, transB bool, err error) {
	vals := make([]int32, len(consts))
	for i := range consts {
		op, scale := &consts[i], i < 2
		vals[i] = int32(op.Imm)
		switch ok := op.Kind == rewrite.OperandImm; {
		case scale && (!ok || vals[i] != 1 && vals[i] != -1):
			return false, false, d.errorf(in, "%s: factor %s, expected 1 or -1", in.Text(), d.text(op))
		case !scale && (!ok || vals[i] != 0 && vals[i] != 1):
			return false, false, d.errorf(in, "%s: transposition %s, expected 0 or 1", in.Text(), d.text(op))
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
func (g *groupMMA) exec(x *engine, in *inst, part lanes) {
	warp := x.warp.index
	if have := len(x.cta.warps) - warp/groupWarps*groupWarps; have < groupWarps {
		x.raise(in, part.first(), "barrier-divergence", 0,
			"a warpgroup has %d warps, but only %d are left in the block from warp %d on", groupWarps, have,
			warp/groupWarps*groupWarps)
		return
	}
	scaleD := *x.frame.p(g.scaleD.slot) & part
	if scaleD != 0 && scaleD != part {
		x.raise(in, scaleD.first(), "unsupported", 0,
			"scale-d is true in lanes 0x%x only of 0x%x: the result is undefined", uint32(scaleD), uint32(part))
		return
	}
	x.beginAsync()
	a, ok := g.loadA(x, in, part)
	if !ok {
		return
	}
	b, ok := g.b.columns(x, in, g.bDesc, part)
	if !ok {
		return
	}
	sums := vector.Numbers{V: matrix.Room(&x.matrices.D, groupRows*g.n), Stride: g.n}
	if scaleD != 0 {
		g.d.read(x.frame, sums)
	} else {
		clear(sums.V)
	}
	if g.sparse == nil {
		vector.AddProducts(sums, a, b, groupRows, g.n, g.k)
	} else {
		cols, ok := allColumns(g.sparse, x, in, x.frame.r32(g.meta.slot), groupRows)
		if !ok {
			return
		}
		for row := range cols {
			for i, k := range cols[row] {
				vector.AddProducts(sums.From(row, 0), a.From(row, i), b.From(k, 0), 1, g.n, 1)
			}
		}
	}
	g.d.write(x.frame, sums, g.product.Saturate, part)
}

// loadA returns the warp's rows of A.
func (g *groupMMA) loadA(x *engine, in *inst, part lanes) (vector.Numbers, bool) {
	if g.aShared != nil {
		return g.aShared.rowsFrom(x, in, g.aDesc, x.warp.index%groupWarps*groupRows, part)
	}
	a := vector.Numbers{V: matrix.Room(&x.matrices.A, groupRows*g.storedK()), Stride: g.storedK()}
	g.a.read(x.frame, a)
	return a, true
}

// uniform returns the value of a register that must be the same in all lanes in part; what names it in the fault.
func (x *engine) uniform(in *inst, r operand, part lanes, what string) (uint64, bool) {
	first := part.first()
	v := x.frame.word(r.slot, r.wide(), first)
	for ; part != 0; part &= part - 1 {
		lane := part.first()
		if u := x.frame.word(r.slot, r.wide(), lane); u != v {
			x.raise(in, lane, "unsupported", 0, "%s is 0x%x in lane %d and 0x%x in lane %d: the result is undefined",
				what, v, first, u, lane)
			return 0, false
		}
	}
	return v, true
}

// Matrices of wgmma in shared memory, described by 64-bit descriptors, and the fragments of wgmma that mma does not
// have.

const (
	// groupWarps is the number of warps of a warpgroup; the index of the first one in the block is a multiple of it.
	groupWarps = 4
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
	ac     access
}

func newSharedMatrix(t isa.Type, rows, k int, trans, negate bool, what string) *sharedMatrix {
	ac := access{space: isa.SpaceShared, size: matrix.SliceBytes, kind: isa.AccessLoad, async: abi.AsyncMatrices}
	return &sharedMatrix{
		matrix.Panel{Rows: rows, K: k, Per: 8 * matrix.SliceBytes / t.Bits(), Across: trans},
		matrix.ValuesOf(t, negate), what, ac,
	}
}

// rowsFrom reads the rows of A from first on; false after a fault.
func (s *sharedMatrix) rowsFrom(x *engine, in *inst, desc operand, first int, part lanes) (vector.Numbers, bool) {
	if !s.load(x, in, desc, first, part) {
		return vector.Numbers{}, false
	}
	return s.ByRows(&x.matrices, &x.matrices.A, s.values), true
}

// columns reads B; false after a fault.
func (s *sharedMatrix) columns(x *engine, in *inst, desc operand, part lanes) (vector.Numbers, bool) {
	if !s.load(x, in, desc, 0, part) {
		return vector.Numbers{}, false
	}
	return s.ByColumns(&x.matrices, &x.matrices.B, s.values), true
}

// load reads the slices that hold the rows from first on, for the lanes in part, which stand for all; false after a
// fault.
func (s *sharedMatrix) load(x *engine, in *inst, desc operand, first int, part lanes) bool {
	v, ok := x.uniform(in, desc, part, s.what)
	if !ok {
		return false
	}
	d := matrix.GroupDescriptor(v)
	d.Start += x.cta.sharedBase()
	s.emit(x, in, &d, first)
	w, lane := s.ac.window(x), part.first()
	lines, line := s.SliceCount()
	to := matrix.Room(&x.matrices.Slices, lines*line)
	row, column := first, 0 // position of the first slice
	if s.Across {
		row, column = 0, first/s.Per
	}
	for n := range lines {
		for i := range line {
			p := (*[2]uint64)(s.ac.locate(x, in, &w, d.Slice(row+n, column+i, s.Across), lane))
			if p == nil {
				return false
			}
			to[n*line+i] = *p
		}
	}
	return true
}

// emit emits the slices that hold the rows from first on as accesses of the lanes of the warp, one slice per lane: the
// warp reads them together, and waits together.
func (s *sharedMatrix) emit(x *engine, in *inst, d *matrix.Descriptor, first int) {
	if x.ignored(&s.ac) {
		return
	}
	addrs := make([]uint64, 0, s.Rows*s.K)
	for row := range s.Rows {
		for k := range s.K {
			addr, _ := d.Place(first+row, k, s.Per, s.Across)
			addrs = append(addrs, addr)
		}
	}
	slices.Sort(addrs)
	ac := s.ac
	for some := range slices.Chunk(slices.Compact(addrs), warpSize) {
		for i, addr := range some {
			x.addrs[i] = ac.generic(addr)
		}
		x.emitAccess(in, &ac, lanes(1<<len(some)-1), &x.addrs)
	}
}

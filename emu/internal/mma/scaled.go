// mma.sync with the kinds of sm_120: elements of 4 and 6 bits, and block scale factors.

package mma

import (
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/matrix"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// narrowMMA is a decoded mma.sync with a kind.
type narrowMMA struct {
	p       *matrix.Product
	bytes   bool // every element occupies a byte
	k       int
	frags   [4]matrix.Fragment // of d, a, b and c
	regs    [4][]state.Operand
	sparse  *matrix.Sparsity // nil if a is dense
	meta    state.Slot
	scaling *matrix.Scaling // nil without scale factors
	scaleA  scaleOperand
	scaleB  scaleOperand
}

// scaleOperand is the scale factors of A or B: their register and selectors.
type scaleOperand struct {
	data          state.Slot
	first, thread state.Slot
	threads       int // number of threads to select from
}

// decodeNarrowMMA: mma{.sp::ordered_metadata}.sync.aligned.shape.row.col.kind{.block_scale{.scale_vec_size}}.types
// d, a, b, c{, e, f}{, scale_a, {byte, thread}, scale_b, {byte, thread}}.
func decodeNarrowMMA(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	n, err := narrowOperands(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	op := &state.SyncOp{Writes: decode.SlotsOf(n.regs[0]...)}
	for _, r := range n.regs[1:] {
		op.Reads = append(op.Reads, decode.SlotsOf(r...)...)
	}
	if n.sparse != nil {
		op.Reads = append(op.Reads, decode.SlotsOf(state.Operand{Slot: n.meta, Typ: isa.B32})...)
	}
	if n.scaling != nil {
		for _, s := range []scaleOperand{n.scaleA, n.scaleB} {
			op.Reads = append(op.Reads, decode.SlotsOf(state.Operand{Slot: s.data, Typ: isa.B32},
				state.Operand{Slot: s.first, Typ: isa.U16},
				state.Operand{Slot: s.thread, Typ: isa.U16})...)
		}
	}
	op.Body = n.exec
	return WholeWarp(d, op, state.Inst{Flags: state.FlagFaults}), nil
}

// narrowOperands resolves the operands and the arithmetic of the instruction.
func narrowOperands(d *state.Decoder, in *rewrite.Inst) (*narrowMMA, error) {
	m, _, k := shapeOf(in)
	p := productOf(in, in.Type(0), in.Type(1), in.Type(2), in.Type(3))
	p.Wide = true
	n := &narrowMMA{p: p, k: k, bytes: in.Has("kind::f8f6f4") || in.Has("kind::mxf8f6f4")}
	types := [4]isa.Type{p.D, p.A, p.B, p.C}
	if n.bytes {
		types[1], types[2] = matrix.InByte, matrix.InByte
	}
	stored, next := k, 4
	if in.Mod("spvariant") != "" || in.Has("sp::ordered_metadata") {
		s := matrix.SparsityOf(types[1], k)
		n.sparse, stored, next = &s, k/2, 6
	}
	n.frags = [4]matrix.Fragment{
		matrix.FragmentC(m, p.D), matrix.FragmentA(m, stored, types[1]),
		matrix.FragmentB(k, types[2]), matrix.FragmentC(m, p.C),
	}
	for i := range n.frags {
		var err error
		if n.regs[i], err = Registers(d, in, i, n.frags[i].Regs, width(types[i]), i == 0); err != nil {
			return nil, err
		}
	}
	if n.sparse != nil {
		var err error
		if n.meta, err = decode.WordOf(d, in, &in.Operands[4], isa.B32); err != nil {
			return nil, err
		}
		if err := sparsitySelector(d, in, &in.Operands[5], n.sparse); err != nil {
			return nil, err
		}
	}
	if !in.Has("block_scale") {
		return n, nil
	}
	n.scaling = &matrix.Scaling{Type: in.Type(4), Vec: blocksPerRow(in), K: k}
	n.scaleA.threads, n.scaleB.threads = 2, 4
	return n, scaleOperands(d, in, next, &n.scaleA, &n.scaleB)
}

// blocksPerRow returns the number of scale factors per row of A (PTX ISA, mma, ".scale_vec_size").
func blocksPerRow(in *rewrite.Inst) int {
	switch {
	case in.Has("scale_vec::4X"):
		return 4
	case in.Has("kind::mxf8f6f4"):
		return 1
	}
	return 2
}

// scaleOperands resolves pairs of operands from index i on: a register and {byte, thread}.
func scaleOperands(d *state.Decoder, in *rewrite.Inst, i int, list ...*scaleOperand) error {
	for k, s := range list {
		data, err := decode.WordOf(d, in, &in.Operands[i+2*k], isa.B32)
		if err != nil {
			return err
		}
		parts := decode.Elems(d, in, i+2*k+1)
		if len(parts) != 2 {
			return decode.Errorf(d, in, "%s: operand %s, expected {byte, thread}", in.Text(),
				decode.Text(d, &in.Operands[i+2*k+1]))
		}
		ids, err := decode.Values(d, in, parts, isa.U16)
		if err != nil {
			return err
		}
		s.data, s.first, s.thread = data, ids[0], ids[1]
	}
	return nil
}

func (n *narrowMMA) exec(x *state.Engine, in *state.Inst, part state.Lanes) {
	f := x.Frame
	var cols [][]int
	if n.sparse != nil {
		var ok bool
		if cols, ok = allColumns(n.sparse, x, in, f.R32(n.meta), n.frags[0].Rows); !ok {
			return
		}
	}
	// column returns the column of an element of a in the multiplied matrix.
	column := func(row, i int) int {
		if cols != nil {
			return cols[row][i]
		}
		return i
	}
	one := func(int, int) float64 { return 1 }
	factorA, factorB := one, one
	if n.scaling != nil {
		firstA, threadA, okA := n.selectors(x, in, &n.scaleA, part)
		firstB, threadB, okB := n.selectors(x, in, &n.scaleB, part)
		if !okA || !okB {
			return
		}
		dataA, dataB := f.R32(n.scaleA.data), f.R32(n.scaleB.data)
		factorA = func(row, i int) float64 {
			return n.scaling.Factor(dataA[matrix.RowLane(row, threadA)], firstA, column(row, i))
		}
		factorB = func(k, col int) float64 {
			return n.scaling.Factor(dataB[matrix.ColumnLane(col, threadB)], firstB, k)
		}
	}
	a, b := n.multiplicand(f, 1, n.p.A, factorA), n.multiplicand(f, 2, n.p.B, factorB)
	c := gather(&n.frags[3], f, n.regs[3], n.p.C)
	var out matrix.Matrix
	if cols != nil {
		out = n.p.MultiplySparse(a, b, c, cols)
	} else {
		out = n.p.Multiply(a, b, c, n.frags[0].Rows, c.Cols, n.k, 1)
	}
	scatter(&n.frags[0], f, n.regs[0], n.p.D, out, part)
}

// multiplicand returns a or b as f64.
func (n *narrowMMA) multiplicand(f *state.Frame, i int, t isa.Type, factor func(row, col int) float64) matrix.Matrix {
	held := t
	if n.bytes {
		held = matrix.InByte
	}
	m := gather(&n.frags[i], f, n.regs[i], held)
	if n.bytes {
		for k, v := range m.V {
			m.V[k] = matrix.FromByte(t, v)
		}
	}
	m.Widen(t, factor)
	return m
}

// selectors returns the byte and the thread that hold scale factors. A fault is raised if they are invalid or differ
// between lanes.
func (n *narrowMMA) selectors(x *state.Engine, in *state.Inst, s *scaleOperand,
	part state.Lanes,
) (first, thread int, ok bool) {
	a, b := x.Frame.R32(s.first), x.Frame.R32(s.thread)
	for m := part; m != 0; m &= m - 1 {
		i, lead := m.First(), part.First()
		if a[i] != a[lead] || b[i] != b[lead] || !n.scaling.Selects(a[i], b[i], s.threads) {
			faults.Raise(x, in, i, "unsupported", 0,
				"selector {%d, %d} of scale factors, which is invalid or not that of the other threads: the result is undefined", a[i], b[i])
			return 0, 0, false
		}
	}
	return int(a[part.First()]), int(b[part.First()]), true
}

// Matrix instructions of a warp: wmma, mma, ldmatrix, stmatrix, movmatrix.

package emu

import (
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/matrix"
	"github.com/ptxsan/ptxsan/emu/internal/scalar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semMatrix is the semantics of matrix instructions (PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions").
// All lanes of the warp take part.
var semMatrix = map[string]decodeFunc{
	"mma":       decodeMMA,
	"wmma":      decodeWMMA,
	"ldmatrix":  decodeLdmatrix,
	"stmatrix":  decodeStmatrix,
	"movmatrix": decodeMovmatrix,
}

// wholeWarp completes an operation of all lanes of the warp.
func (d *decoder) wholeWarp(op *syncOp, i inst) inst {
	op.members = d.constant(32, uint64(allLanes))
	i.body = func(x *engine, in *inst, m lanes) { op.exec(x, in, m) }
	i.flags |= flagVisible | flagControl
	return i
}

// shapeOf returns the shape among the modifiers: m16n8k16 is 16, 8, 16; m8n8 has no k.
func shapeOf(in *rewrite.Inst) (m, n, k int) {
	for _, mod := range in.Mods {
		rest, ok := strings.CutPrefix(mod, "m")
		if !ok || rest == "" || rest[0] < '0' || rest[0] > '9' {
			continue
		}
		rows, rest, _ := strings.Cut(rest, "n")
		cols, depth, _ := strings.Cut(rest, "k")
		m, _ = strconv.Atoi(rows)
		n, _ = strconv.Atoi(cols)
		k, _ = strconv.Atoi(depth)
		return m, n, k
	}
	return 0, 0, 0
}

// registers resolves the registers of operand i, each of the given width.
func (d *decoder) registers(in *rewrite.Inst, i, n, width int, dst bool) ([]operand, error) {
	elems := d.elems(in, i)
	if len(elems) != n {
		return nil, d.errorf(in, "%s: operand %s has %s, expected %d", in.Text(), d.text(&in.Operands[i]),
			diag.Plural(len(elems), "register"), n)
	}
	regs := make([]operand, n)
	for k := range elems {
		resolve := (*decoder).value
		if dst {
			resolve = (*decoder).target
		}
		t := isa.B32
		if width == 64 {
			t = isa.B64
		}
		r, err := resolve(d, in, &elems[k], t)
		if err != nil {
			return nil, err
		}
		if slotBits(r.typ) != width || r.typ == isa.Pred {
			return nil, d.errorf(in, "%s: register %s is .%s, expected %d bits", in.Text(), d.text(&elems[k]), r.typ,
				width)
		}
		regs[k] = r
	}
	return regs, nil
}

// width returns the width of the registers that hold elements of a type.
func width(t isa.Type) int { return max(32, t.Bits()) }

// productOf returns the arithmetic that the modifiers specify; the types are those of d, a, b and c.
func productOf(in *rewrite.Inst, d, a, b, c isa.Type) *matrix.Product {
	return &matrix.Product{
		A: a, B: b, C: c, D: d, Saturate: in.Has("satfinite"), Round: mode(in).Round,
		And: in.Has("and"),
	}
}

// decodeMMA: mma.sync.aligned.shape.alayout.blayout.dtype.atype.btype.ctype d, a, b, c.
func decodeMMA(d *decoder, in *rewrite.Inst) (inst, error) {
	sparse := in.Mod("spvariant") != "" && len(in.Operands) == 6
	switch {
	case in.Mod("kind") != "":
		return decodeNarrowMMA(d, in)
	case len(in.Types) != 4, len(in.Operands) != 4 && !sparse, scalar.Format(in.Type(1)) == nil && in.Type(1).Float():
		return inst{}, d.unsupported(in, "%s", in.Text())
	case sparse:
		return decodeSparseMMA(d, in)
	}
	m, n, k := shapeOf(in)
	p := productOf(in, in.Type(0), in.Type(1), in.Type(2), in.Type(3))
	fd, fa, fb, fc := matrix.FragmentC(m, p.D), matrix.FragmentA(m, k, p.A), matrix.FragmentB(k, p.B),
		matrix.FragmentC(m, p.C)
	blocks := 1
	if k == 4 && p.A == isa.F16 {
		blocks = 4
		rowA, rowB := layouts(in)
		fd, fa, fb, fc = matrix.QuadPairC(p.D), matrix.QuadPairA(rowA), matrix.QuadPairB(rowB), matrix.QuadPairC(p.C)
	}
	return d.multiplication(in, p, [4]matrix.Fragment{fd, fa, fb, fc}, [4]int{m, n, k, blocks})
}

// layouts reports whether a and b are row-major.
func layouts(in *rewrite.Inst) (rowA, rowB bool) {
	var found []bool
	for _, m := range in.Mods {
		if m == "row" || m == "col" {
			found = append(found, m == "row")
		}
	}
	return len(found) > 0 && found[0], len(found) > 1 && found[1]
}

// multiplication decodes d = a*b+c on the fragments of d, a, b and c; shape is m, n, k and the number of products.
func (d *decoder) multiplication(in *rewrite.Inst, p *matrix.Product, frags [4]matrix.Fragment,
	shape [4]int,
) (inst, error) {
	types := [4]isa.Type{p.D, p.A, p.B, p.C}
	var regs [4][]operand
	for i := range frags {
		var err error
		if regs[i], err = d.registers(in, i, frags[i].Regs, width(types[i]), i == 0); err != nil {
			return inst{}, err
		}
		frags[i] = frags[i].Placed()
	}
	op := &syncOp{writes: slotsOf(regs[0]...)}
	for _, r := range regs[1:] {
		op.reads = append(op.reads, slotsOf(r...)...)
	}
	op.body = func(x *engine, _ *inst, part lanes) {
		f := x.frame
		a, b, c := gather(&frags[1], f, regs[1], p.A), gather(&frags[2], f, regs[2], p.B),
			gather(&frags[3], f, regs[3], p.C)
		scatter(&frags[0], f, regs[0], p.D, p.Multiply(a, b, c, shape[0], shape[1], shape[2], shape[3]), part)
	}
	return d.wholeWarp(op, inst{}), nil
}

// decodeWMMA: wmma.load, wmma.store and wmma.mma.
func decodeWMMA(d *decoder, in *rewrite.Inst) (inst, error) {
	m, n, k := shapeOf(in)
	switch {
	case in.Has("load"):
		rows, cols := m, n
		switch {
		case in.Has("a"):
			cols = k
		case in.Has("b"):
			rows = k
		}
		return d.wmmaMemory(in, rows, cols, 0, 1)
	case in.Has("store"):
		return d.wmmaMemory(in, m, n, 1, 0)
	}
	td, ta, tb, tc := in.Type(0), isa.F16, isa.F16, in.Type(1)
	if len(in.Types) == 4 {
		ta, tb, tc = in.Type(1), in.Type(2), in.Type(3)
	}
	p := productOf(in, td, ta, tb, tc)
	frag := func(i, rows, cols int, t isa.Type) matrix.Fragment {
		return matrix.OpaqueFragment(rows, cols, len(d.elems(in, i)), matrix.PerRegister(t))
	}
	return d.multiplication(in, p, [4]matrix.Fragment{
		frag(0, m, n, td), frag(1, m, k, ta), frag(2, k, n, tb),
		frag(3, m, n, tc),
	}, [4]int{m, n, k, 1})
}

// wmmaMemory decodes wmma.load and wmma.store: operand regs is the fragment, operand mem the address of the matrix.
func (d *decoder) wmmaMemory(in *rewrite.Inst, rows, cols, regs, mem int) (inst, error) {
	t := in.Type(0)
	kind := isa.AccessLoad
	if mem == 0 {
		kind = isa.AccessStore
	}
	rs, err := d.registers(in, regs, len(d.elems(in, regs)), width(t), kind == isa.AccessLoad)
	if err != nil {
		return inst{}, err
	}
	rowMajor, _ := layouts(in)
	stride := d.constant(32, uint64(cols))
	if !rowMajor {
		stride = d.constant(32, uint64(rows))
	}
	if len(in.Operands) > 2 {
		var o operand
		if o, err = d.value(in, &in.Operands[2], isa.U32); err != nil {
			return inst{}, err
		}
		stride = o.slot
	}
	unit := t
	if t.Bits() < 8 {
		unit = isa.B8
	}
	ac, out, err := d.decodeAccess(in, mem, kind, uint64(unit.Size()))
	if err != nil {
		return inst{}, err
	}
	frag := matrix.OpaqueFragment(rows, cols, len(rs), matrix.PerRegister(t))
	op := &syncOp{reads: slotsOf(operand{out.a, isa.B64}, operand{stride, isa.B32})}
	if kind == isa.AccessLoad {
		op.writes = slotsOf(rs...)
	} else {
		op.reads = append(op.reads, slotsOf(rs...)...)
	}
	tile := &tile{ac: ac, t: t, unit: unit, stride: stride, rowMajor: rowMajor, frag: frag, regs: rs}
	tile.seen = tile.watched()
	op.body = tile.load
	if kind == isa.AccessStore {
		op.body = tile.store
	}
	return d.wholeWarp(op, out), nil
}

// decodeLdmatrix: ldmatrix.sync.aligned.shape.num{.trans}{.ss}.type r, [p].
func decodeLdmatrix(d *decoder, in *rewrite.Inst) (inst, error) {
	return d.rowsOfMatrices(in, 0, 1, isa.AccessLoad)
}

// decodeStmatrix: stmatrix.sync.aligned.shape.num{.trans}{.ss}.type [p], r.
func decodeStmatrix(d *decoder, in *rewrite.Inst) (inst, error) {
	return d.rowsOfMatrices(in, 1, 0, isa.AccessStore)
}

// rowsOfMatrices decodes ldmatrix and stmatrix: operand regs is the fragments, operand mem the address of a row in each
// lane.
func (d *decoder) rowsOfMatrices(in *rewrite.Inst, regs, mem int, kind isa.AccessKind) (inst, error) {
	m, n, _ := shapeOf(in)
	layout, ok := rowLayoutOf(m, n, in.Has("trans"), kind == isa.AccessStore)
	if !ok {
		return inst{}, d.unsupported(in, "%s", in.Text())
	}
	switch {
	case in.Has("b4x16_p64"):
		layout.packed = 4
	case in.Has("b6x16_p32"):
		layout.packed = 6
	}
	rs, err := d.registers(in, regs, len(d.elems(in, regs)), 32, kind == isa.AccessLoad)
	if err != nil {
		return inst{}, err
	}
	ac, out, err := d.decodeAccess(in, mem, kind, 16)
	if err != nil {
		return inst{}, err
	}
	if ac.space == isa.SpaceNone {
		ac.space = isa.SpaceShared // without .shared the address is generic, and must be in shared memory
		base := d.temp(64)
		d.emit(inst{body: execToShared, d: base, a: out.a})
		out.a = base
	}
	op := &syncOp{reads: slotsOf(operand{out.a, isa.B64})}
	if kind == isa.AccessLoad {
		op.writes = slotsOf(rs...)
	} else {
		op.reads = append(op.reads, slotsOf(rs...)...)
	}
	ac.noted = kind == isa.AccessStore
	rows := &matrixRows{ac: ac, regs: rs, layout: layout, store: kind == isa.AccessStore}
	op.body = rows.exec
	return d.wholeWarp(op, out), nil
}

// execToShared converts generic addresses to shared ones.
func execToShared(x *engine, in *inst, m lanes) {
	d, a := x.frame.r64(in.d), x.frame.r64(in.a)
	for ; m != 0; m &= m - 1 {
		d[m.first()] = a[m.first()] - gmem.SpaceBase(isa.SpaceShared)
	}
}

// decodeMovmatrix: movmatrix.sync.aligned.m8n8.trans.b16 d, a.
func decodeMovmatrix(d *decoder, in *rewrite.Inst) (inst, error) {
	dst, err := d.registers(in, 0, 1, 32, true)
	if err != nil {
		return inst{}, err
	}
	src, err := d.registers(in, 1, 1, 32, false)
	if err != nil {
		return inst{}, err
	}
	op := &syncOp{reads: slotsOf(src...), writes: slotsOf(dst...)}
	frag := matrix.FragmentA(8, 8, isa.B16)
	op.body = func(x *engine, _ *inst, part lanes) {
		m := gather(&frag, x.frame, src, isa.B16)
		scatter(&frag, x.frame, dst, isa.B16, m.Transposed(), part)
	}
	return d.wholeWarp(op, inst{}), nil
}

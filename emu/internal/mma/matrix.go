// The table of decode functions by opcode, decoding with register operands and one body, and which forms are emulated.

package mma

import (
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/barriers"
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/matrix"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/scalar"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Mode returns the rounding, flushing and saturation of the modifiers.
func Mode(in *rewrite.Inst) num.Mode {
	m := num.Mode{Ftz: in.Has("ftz"), Sat: in.Has("sat")}
	for _, s := range in.Mods {
		if r, ok := roundings[s]; ok {
			m.Round = r
		}
	}
	return m
}

var roundings = map[string]num.Rounding{
	"rn": num.RN, "rz": num.RZ, "rm": num.RM, "rp": num.RP, "rna": num.RNA,
	"rni": num.RN, "rzi": num.RZ, "rmi": num.RM, "rpi": num.RP,
}

// SemMatrix is the semantics of matrix instructions (PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions").
// All lanes of the warp take part.
var SemMatrix = map[string]state.DecodeFunc{
	"mma":       decodeMMA,
	"wmma":      decodeWMMA,
	"ldmatrix":  decodeLdmatrix,
	"stmatrix":  decodeStmatrix,
	"movmatrix": decodeMovmatrix,
}

// WholeWarp completes an operation of all lanes of the warp.
func WholeWarp(d *state.Decoder, op *state.SyncOp, i state.Inst) state.Inst {
	op.Members = decode.Constant(d, 32, uint64(state.AllLanes))
	i.Body = func(x *state.Engine, in *state.Inst, m state.Lanes) { barriers.ExecSync(op, x, in, m) }
	i.Flags |= state.FlagVisible | state.FlagControl
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

// Registers resolves the registers of operand i, each of the given width.
func Registers(d *state.Decoder, in *rewrite.Inst, i, n, width int, dst bool) ([]state.Operand, error) {
	elems := decode.Elems(d, in, i)
	if len(elems) != n {
		return nil, decode.Errorf(d, in, "%s: operand %s has %s, expected %d", in.Text(),
			decode.Text(d, &in.Operands[i]),
			diag.Plural(len(elems), "register"), n)
	}
	regs := make([]state.Operand, n)
	for k := range elems {
		resolve := decode.Value
		if dst {
			resolve = decode.Target
		}
		t := isa.B32
		if width == 64 {
			t = isa.B64
		}
		r, err := resolve(d, in, &elems[k], t)
		if err != nil {
			return nil, err
		}
		if events.SlotBits(r.Typ) != width || r.Typ == isa.Pred {
			return nil, decode.Errorf(d, in, "%s: register %s is .%s, expected %d bits", in.Text(),
				decode.Text(d, &elems[k]), r.Typ,
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
		A: a, B: b, C: c, D: d, Saturate: in.Has("satfinite"), Round: Mode(in).Round,
		And: in.Has("and"),
	}
}

// decodeMMA: mma.sync.aligned.shape.alayout.blayout.dtype.atype.btype.ctype d, a, b, c.
func decodeMMA(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	sparse := in.Mod("spvariant") != "" && len(in.Operands) == 6
	switch {
	case in.Mod("kind") != "":
		return decodeNarrowMMA(d, in)
	case len(in.Types) != 4, len(in.Operands) != 4 && !sparse, scalar.Format(in.Type(1)) == nil && in.Type(1).Float():
		return state.Inst{}, decode.Unsupported(d, in, "%s", in.Text())
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
	return multiplication(d, in, p, [4]matrix.Fragment{fd, fa, fb, fc}, [4]int{m, n, k, blocks})
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
func multiplication(d *state.Decoder, in *rewrite.Inst, p *matrix.Product, frags [4]matrix.Fragment,
	shape [4]int,
) (state.Inst, error) {
	types := [4]isa.Type{p.D, p.A, p.B, p.C}
	var regs [4][]state.Operand
	for i := range frags {
		var err error
		if regs[i], err = Registers(d, in, i, frags[i].Regs, width(types[i]), i == 0); err != nil {
			return state.Inst{}, err
		}
		frags[i] = frags[i].Placed()
	}
	op := &state.SyncOp{Writes: decode.SlotsOf(regs[0]...)}
	for _, r := range regs[1:] {
		op.Reads = append(op.Reads, decode.SlotsOf(r...)...)
	}
	op.Body = func(x *state.Engine, _ *state.Inst, part state.Lanes) {
		f := x.Frame
		a, b, c := gather(&frags[1], f, regs[1], p.A), gather(&frags[2], f, regs[2], p.B),
			gather(&frags[3], f, regs[3], p.C)
		scatter(&frags[0], f, regs[0], p.D, p.Multiply(a, b, c, shape[0], shape[1], shape[2], shape[3]), part)
	}
	return WholeWarp(d, op, state.Inst{}), nil
}

// decodeWMMA: wmma.load, wmma.store and wmma.mma.
func decodeWMMA(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
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
		return wmmaMemory(d, in, rows, cols, 0, 1)
	case in.Has("store"):
		return wmmaMemory(d, in, m, n, 1, 0)
	}
	td, ta, tb, tc := in.Type(0), isa.F16, isa.F16, in.Type(1)
	if len(in.Types) == 4 {
		ta, tb, tc = in.Type(1), in.Type(2), in.Type(3)
	}
	p := productOf(in, td, ta, tb, tc)
	frag := func(i, rows, cols int, t isa.Type) matrix.Fragment {
		return matrix.OpaqueFragment(rows, cols, len(decode.Elems(d, in, i)), matrix.PerRegister(t))
	}
	return multiplication(d, in, p, [4]matrix.Fragment{
		frag(0, m, n, td), frag(1, m, k, ta), frag(2, k, n, tb),
		frag(3, m, n, tc),
	}, [4]int{m, n, k, 1})
}

// wmmaMemory decodes wmma.load and wmma.store: operand regs is the fragment, operand mem the address of the matrix.
func wmmaMemory(d *state.Decoder, in *rewrite.Inst, rows, cols, regs, mem int) (state.Inst, error) {
	t := in.Type(0)
	kind := isa.AccessLoad
	if mem == 0 {
		kind = isa.AccessStore
	}
	rs, err := Registers(d, in, regs, len(decode.Elems(d, in, regs)), width(t), kind == isa.AccessLoad)
	if err != nil {
		return state.Inst{}, err
	}
	rowMajor, _ := layouts(in)
	stride := decode.Constant(d, 32, uint64(cols))
	if !rowMajor {
		stride = decode.Constant(d, 32, uint64(rows))
	}
	if len(in.Operands) > 2 {
		var o state.Operand
		if o, err = decode.Value(d, in, &in.Operands[2], isa.U32); err != nil {
			return state.Inst{}, err
		}
		stride = o.Slot
	}
	unit := t
	if t.Bits() < 8 {
		unit = isa.B8
	}
	ac, out, err := memory.DecodeAccess(d, in, mem, kind, uint64(unit.Size()))
	if err != nil {
		return state.Inst{}, err
	}
	frag := matrix.OpaqueFragment(rows, cols, len(rs), matrix.PerRegister(t))
	op := &state.SyncOp{Reads: decode.SlotsOf(state.Operand{Slot: out.A, Typ: isa.B64},
		state.Operand{Slot: stride, Typ: isa.B32})}
	if kind == isa.AccessLoad {
		op.Writes = decode.SlotsOf(rs...)
	} else {
		op.Reads = append(op.Reads, decode.SlotsOf(rs...)...)
	}
	tile := &tile{ac: ac, t: t, unit: unit, stride: stride, rowMajor: rowMajor, frag: frag, regs: rs}
	tile.seen = tile.watched()
	op.Body = tile.load
	if kind == isa.AccessStore {
		op.Body = tile.store
	}
	return WholeWarp(d, op, out), nil
}

// decodeLdmatrix: ldmatrix.sync.aligned.shape.num{.trans}{.ss}.type r, [p].
func decodeLdmatrix(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	return rowsOfMatrices(d, in, 0, 1, isa.AccessLoad)
}

// decodeStmatrix: stmatrix.sync.aligned.shape.num{.trans}{.ss}.type [p], r.
func decodeStmatrix(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	return rowsOfMatrices(d, in, 1, 0, isa.AccessStore)
}

// rowsOfMatrices decodes ldmatrix and stmatrix: operand regs is the fragments, operand mem the address of a row in each
// lane.
func rowsOfMatrices(d *state.Decoder, in *rewrite.Inst, regs, mem int, kind isa.AccessKind) (state.Inst, error) {
	m, n, _ := shapeOf(in)
	layout, ok := rowLayoutOf(m, n, in.Has("trans"), kind == isa.AccessStore)
	if !ok {
		return state.Inst{}, decode.Unsupported(d, in, "%s", in.Text())
	}
	switch {
	case in.Has("b4x16_p64"):
		layout.packed = 4
	case in.Has("b6x16_p32"):
		layout.packed = 6
	}
	rs, err := Registers(d, in, regs, len(decode.Elems(d, in, regs)), 32, kind == isa.AccessLoad)
	if err != nil {
		return state.Inst{}, err
	}
	ac, out, err := memory.DecodeAccess(d, in, mem, kind, 16)
	if err != nil {
		return state.Inst{}, err
	}
	if ac.Space == isa.SpaceNone {
		ac.Space = isa.SpaceShared // without .shared the address is generic, and must be in shared memory
		base := decode.Temp(d, 64)
		decode.Emit(d, state.Inst{Body: execToShared, D: base, A: out.A})
		out.A = base
	}
	op := &state.SyncOp{Reads: decode.SlotsOf(state.Operand{Slot: out.A, Typ: isa.B64})}
	if kind == isa.AccessLoad {
		op.Writes = decode.SlotsOf(rs...)
	} else {
		op.Reads = append(op.Reads, decode.SlotsOf(rs...)...)
	}
	ac.Noted = kind == isa.AccessStore
	rows := &matrixRows{ac: ac, regs: rs, layout: layout, store: kind == isa.AccessStore}
	op.Body = rows.exec
	return WholeWarp(d, op, out), nil
}

// execToShared converts generic addresses to shared ones.
func execToShared(x *state.Engine, in *state.Inst, m state.Lanes) {
	d, a := x.Frame.R64(in.D), x.Frame.R64(in.A)
	for ; m != 0; m &= m - 1 {
		d[m.First()] = a[m.First()] - gmem.SpaceBase(isa.SpaceShared)
	}
}

// decodeMovmatrix: movmatrix.sync.aligned.m8n8.trans.b16 d, a.
func decodeMovmatrix(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	dst, err := Registers(d, in, 0, 1, 32, true)
	if err != nil {
		return state.Inst{}, err
	}
	src, err := Registers(d, in, 1, 1, 32, false)
	if err != nil {
		return state.Inst{}, err
	}
	op := &state.SyncOp{Reads: decode.SlotsOf(src...), Writes: decode.SlotsOf(dst...)}
	frag := matrix.FragmentA(8, 8, isa.B16)
	op.Body = func(x *state.Engine, _ *state.Inst, part state.Lanes) {
		m := gather(&frag, x.Frame, src, isa.B16)
		scatter(&frag, x.Frame, dst, isa.B16, m.Transposed(), part)
	}
	return WholeWarp(d, op, state.Inst{}), nil
}

// Products of matrices in tensor memory: tcgen05.mma.

package emu

import (
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/tmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// tensorMMA is a decoded tcgen05.mma. Every lane starts a separate product. Collector buffers do not change results.
type tensorMMA struct {
	form           tmem.Form
	d              tensorAt
	a              *tensorAt // nil if A is in shared memory
	aDesc          operand   // descriptor of A in shared memory
	bDesc, idesc   operand
	meta           *tensorAt // metadata of a sparse A, or nil
	scaleA, scaleB *tensorAt
	down           bool   // .ashift
	disable        []slot // masks of lanes of D that are not written, 32 lanes in each
	enable         slot   // predicate: D is added
	scaleD         int    // D is scaled by 2 to the power of -scaleD
	zeros          slot   // mask of the columns of B that are zero, 0 for none

	shared, reads, writes *access
}

// scalesIn returns the number of scale factors per row of A that a modifier specifies.
func scalesIn(in *rewrite.Inst, kind string) int {
	switch modOf(in, "scale_vec::1X", "scale_vec::2X", "scale_vec::4X", "block16", "block32") {
	case "scale_vec::1X":
		return 1
	case "scale_vec::4X", "block16":
		return 4
	case "scale_vec::2X":
		return 2
	}
	if kind == "mxf8f6f4" {
		return 1
	}
	return 2
}

// tensorMultiply decodes tcgen05.mma{.ws}{.sp}.
func (d *decoder) tensorMultiply(in *rewrite.Inst) (inst, error) {
	v := &tensorMMA{down: in.Has("ashift"), form: tmem.Form{Sparse: in.Has("sp"), Pair: inPair(in), Ws: in.Has("ws")}}
	for _, m := range in.Mods {
		if kind, ok := strings.CutPrefix(m, "kind::"); ok {
			v.form.Kind = kind
		}
	}
	if in.Has("block_scale") {
		v.form.Scales, v.form.Vector = scalesIn(in, v.form.Kind),
			modOf(in, "scale_vec::1X", "scale_vec::2X", "scale_vec::4X") != ""
		target := isa.ModuleTarget(d.m.src.AST.Target)
		v.form.Long = target.SM == 103 && target.Suffix == 'a'
	}
	v.shared = sharedSlices(d, in)
	v.reads, v.writes = tensorAccess(isa.AccessLoad, abi.AsyncTensor), tensorAccess(isa.AccessStore, abi.AsyncTensor)
	v.reads.silent, v.writes.silent = v.shared.silent, v.shared.silent
	rest, err := d.tensorMatrices(in, v)
	if err != nil {
		return inst{}, err
	}
	return inst{body: v.exec, flags: flagVisible | flagFaults}, d.tensorOptions(in, v, rest)
}

// tensorMatrices resolves the operands up to the instruction descriptor, and returns the index of the next one.
func (d *decoder) tensorMatrices(in *rewrite.Inst, v *tensorMMA) (next int, err error) {
	if v.d, err = d.tensorAt(in, 0); err != nil {
		return 0, err
	}
	if k := in.Operands[1].Kind; k == rewrite.OperandAddr || k == rewrite.OperandSum {
		if v.a, err = d.tensorPointer(in, 1); err != nil {
			return 0, err
		}
	} else if v.aDesc, err = d.descriptor(in, 1); err != nil {
		return 0, err
	}
	if v.bDesc, err = d.descriptor(in, 2); err != nil {
		return 0, err
	}
	next = 3
	if err = d.checkShift(in, v); err != nil {
		return 0, err
	}
	if v.form.Sparse {
		if v.meta, err = d.tensorPointer(in, next); err != nil {
			return 0, err
		}
		next++
	}
	s, err := d.word(in, &in.Operands[next], isa.B32)
	v.idesc = operand{s, isa.B32}
	return next + 1, err
}

// checkShift reports .ashift where the manual does not allow it: without A in tensor memory, or with a collector that
// keeps A.
func (d *decoder) checkShift(in *rewrite.Inst, v *tensorMMA) error {
	switch {
	case !v.down:
		return nil
	case v.a == nil:
		return d.errorf(in, "%s: A in shared memory, expected in tensor memory with .ashift", in.Text())
	case in.Has("collector::a::use") || in.Has("collector::a::fill"):
		return d.errorf(in, "%s: .ashift with .collector::a::use or .collector::a::fill, which do not go together",
			in.Text())
	}
	return nil
}

func (d *decoder) tensorPointer(in *rewrite.Inst, i int) (*tensorAt, error) {
	a, err := d.tensorAt(in, i)
	return &a, err
}

// tensorOptions resolves the operands after the instruction descriptor.
func (d *decoder) tensorOptions(in *rewrite.Inst, v *tensorMMA, next int) (err error) {
	if v.form.Scales > 0 {
		if v.scaleA, err = d.tensorPointer(in, next); err != nil {
			return err
		}
		if v.scaleB, err = d.tensorPointer(in, next+1); err != nil {
			return err
		}
		next += 2
	}
	if in.Operands[next].Kind == rewrite.OperandVector {
		elems := d.elems(in, next)
		want := 4
		if v.form.Pair {
			want = 8
		}
		if len(elems) != want {
			return d.errorf(in, "%s: %s of disabled lanes, expected %d", in.Text(), diag.Plural(len(elems), "mask"),
				want)
		}
		if v.disable, err = d.words(in, elems, isa.B32); err != nil {
			return err
		}
		next++
	}
	enable, err := d.value(in, &in.Operands[next], isa.Pred)
	if err != nil {
		return err
	}
	v.enable = enable.slot
	if err = d.fitsType(in, &in.Operands[next], isa.Pred, enable); err != nil || len(in.Operands) <= next+1 {
		return err
	}
	last := &in.Operands[next+1]
	if v.form.Ws {
		zeros, err := d.word(in, last, isa.B64)
		v.zeros = zeros
		return err
	}
	if last.Kind != rewrite.OperandImm || last.Imm > 15 {
		return d.errorf(in, "%s: scale %s of D, expected a constant from 0 to 15", in.Text(), d.text(last))
	}
	v.scaleD = int(last.Imm)
	return nil
}

func (v *tensorMMA) exec(x *engine, in *inst, m lanes) {
	for ; m != 0 && x.fault == nil; m &= m - 1 {
		i := m.first()
		w, bad := v.start(x.frame, i)
		if bad == nil {
			blocks := x.tensorGroup(in, i, v.form.Pair)
			for _, c := range blocks {
				if t := x.tensorMemory(c); t != nil {
					w.Blocks = append(w.Blocks, tmem.Block{Shared: c.shared, Memory: t})
				}
			}
			if x.fault != nil {
				return
			}
			if bad = w.Check(); bad == nil {
				x.beginAsync()
				x.pipe = abi.Pipe{
					Kind: abi.PipeMultiply, Pair: v.form.Pair,
					Shape: uint64(w.D) | uint64(w.N)<<32 | uint64(w.M)<<41,
				}
				v.emit(x, in, w, blocks, i)
				x.startFlight(in, flight{kind: flightTensor, work: w.Run}, i)
				continue
			}
		}
		x.raise(in, i, bad.Class, 0, "%s", bad.Msg)
	}
}

// start reads the operands of a lane.
func (v *tensorMMA) start(f *frame, i int) (*tmem.Product, *diag.Violation) {
	p, bad := v.form.Decode(f.r32(v.idesc.slot)[i])
	if bad != nil {
		return nil, bad
	}
	w := &tmem.Product{
		Multiply: p, Path: p.Path(), D: v.d.of(f, i), FromTensor: v.a != nil, Down: v.down,
		Enable: f.p(v.enable).has(i), ScaleD: v.scaleD,
	}
	for to, from := range map[*tmem.Addr]*tensorAt{
		&w.A: v.a, &w.Meta: v.meta, &w.FactorsA: v.scaleA,
		&w.FactorsB: v.scaleB,
	} {
		if from != nil {
			*to = from.of(f, i)
		}
	}
	for k, s := range v.disable {
		w.Disabled[k] = f.r32(s)[i]
	}
	zeros := uint64(0)
	if v.zeros != 0 {
		zeros = f.r64(v.zeros)[i]
	}
	w.Zero, w.Shift = p.ZeroColumns(zeros)
	descA := uint64(0)
	if v.a == nil {
		descA = f.r64(v.aDesc.slot)[i]
	}
	return w, w.Describe(descA, f.r64(v.bDesc.slot)[i])
}

// emit emits the accesses of the product: first all reads, then the writes.
func (v *tensorMMA) emit(x *engine, in *inst, w *tmem.Product, blocks []*cta, thread int) {
	if x.ignored(v.writes) {
		return
	}
	w.Slices(func(block int, addr uint64) {
		x.addrs[thread] = v.shared.generic(blocks[block].sharedBase() + addr)
		x.emitAccess(in, v.shared, 1<<thread, &x.addrs)
	})
	w.Cells(func(block, lane, column, columns int, writes bool) {
		ac := v.reads
		if writes {
			ac = v.writes
		}
		x.emitTensor(in, ac, blocks[block], lane, column, columns, thread)
	})
}

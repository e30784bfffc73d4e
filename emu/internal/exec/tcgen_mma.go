// Products of matrices in tensor memory: tcgen05.mma.

package exec

import (
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/async"
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/matrix"
	"github.com/ptxsan/ptxsan/emu/internal/mma"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/tmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// tensorMMA is a decoded tcgen05.mma. Every lane starts a separate product. Collector buffers do not change results.
type tensorMMA struct {
	form           tmem.Form
	d              async.TensorAt
	a              *async.TensorAt // nil if A is in shared memory
	aDesc          state.Operand   // descriptor of A in shared memory
	bDesc, idesc   state.Operand
	meta           *async.TensorAt // metadata of a sparse A, or nil
	scaleA, scaleB *async.TensorAt
	down           bool         // .ashift
	disable        []state.Slot // masks of lanes of D that are not written, 32 lanes in each
	enable         state.Slot   // predicate: D is added
	scaleD         int          // D is scaled by 2 to the power of -scaleD
	zeros          state.Slot   // mask of the columns of B that are zero, 0 for none

	shared, reads, writes *state.Access
}

// scalesIn returns the number of scale factors per row of A that a modifier specifies.
func scalesIn(in *rewrite.Inst, kind string) int {
	switch decode.ModOf(in, "scale_vec::1X", "scale_vec::2X", "scale_vec::4X", "block16", "block32") {
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
func tensorMultiply(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	v := &tensorMMA{down: in.Has("ashift"), form: tmem.Form{
		Sparse: in.Has("sp"), Pair: async.InPair(in),
		Ws: in.Has("ws"),
	}}
	for _, m := range in.Mods {
		if kind, ok := strings.CutPrefix(m, "kind::"); ok {
			v.form.Kind = kind
		}
	}
	if in.Has("block_scale") {
		v.form.Scales, v.form.Vector = scalesIn(in, v.form.Kind),
			decode.ModOf(in, "scale_vec::1X", "scale_vec::2X", "scale_vec::4X") != ""
		target := isa.ModuleTarget(d.M.Src.AST.Target)
		v.form.Long = target.SM == 103 && target.Suffix == 'a'
	}
	v.shared = async.SharedSlices(d, in)
	v.reads, v.writes = async.TensorAccess(isa.AccessLoad, abi.AsyncTensor),
		async.TensorAccess(isa.AccessStore, abi.AsyncTensor)
	v.reads.Silent, v.writes.Silent = v.shared.Silent, v.shared.Silent
	rest, err := tensorMatrices(d, in, v)
	if err != nil {
		return state.Inst{}, err
	}
	return state.Inst{Body: v.exec, Flags: state.FlagVisible | state.FlagFaults}, tensorOptions(d, in, v, rest)
}

// tensorMatrices resolves the operands up to the instruction descriptor, and returns the index of the next one.
func tensorMatrices(d *state.Decoder, in *rewrite.Inst, v *tensorMMA) (next int, err error) {
	if v.d, err = async.DecodeTensorAt(d, in, 0); err != nil {
		return 0, err
	}
	if k := in.Operands[1].Kind; k == rewrite.OperandAddr || k == rewrite.OperandSum {
		if v.a, err = tensorPointer(d, in, 1); err != nil {
			return 0, err
		}
	} else if v.aDesc, err = decode.Descriptor(d, in, 1); err != nil {
		return 0, err
	}
	if v.bDesc, err = decode.Descriptor(d, in, 2); err != nil {
		return 0, err
	}
	next = 3
	if err = checkShift(d, in, v); err != nil {
		return 0, err
	}
	if v.form.Sparse {
		if v.meta, err = tensorPointer(d, in, next); err != nil {
			return 0, err
		}
		next++
	}
	s, err := decode.WordOf(d, in, &in.Operands[next], isa.B32)
	v.idesc = state.Operand{Slot: s, Typ: isa.B32}
	return next + 1, err
}

// checkShift reports .ashift where the manual does not allow it: without A in tensor memory, or with a collector that
// keeps A.
func checkShift(d *state.Decoder, in *rewrite.Inst, v *tensorMMA) error {
	switch {
	case !v.down:
		return nil
	case v.a == nil:
		return decode.Errorf(d, in, "%s: A in shared memory, expected in tensor memory with .ashift", in.Text())
	case in.Has("collector::a::use") || in.Has("collector::a::fill"):
		return decode.Errorf(d, in,
			"%s: .ashift with .collector::a::use or .collector::a::fill, which do not go together",
			in.Text())
	}
	return nil
}

func tensorPointer(d *state.Decoder, in *rewrite.Inst, i int) (*async.TensorAt, error) {
	a, err := async.DecodeTensorAt(d, in, i)
	return &a, err
}

// tensorOptions resolves the operands after the instruction descriptor.
func tensorOptions(d *state.Decoder, in *rewrite.Inst, v *tensorMMA, next int) (err error) {
	if v.form.Scales > 0 {
		if v.scaleA, err = tensorPointer(d, in, next); err != nil {
			return err
		}
		if v.scaleB, err = tensorPointer(d, in, next+1); err != nil {
			return err
		}
		next += 2
	}
	if in.Operands[next].Kind == rewrite.OperandVector {
		elems := decode.Elems(d, in, next)
		want := 4
		if v.form.Pair {
			want = 8
		}
		if len(elems) != want {
			return decode.Errorf(d, in, "%s: %s of disabled lanes, expected %d", in.Text(),
				diag.Plural(len(elems), "mask"),
				want)
		}
		if v.disable, err = decode.Words(d, in, elems, isa.B32); err != nil {
			return err
		}
		next++
	}
	enable, err := decode.Value(d, in, &in.Operands[next], isa.Pred)
	if err != nil {
		return err
	}
	v.enable = enable.Slot
	if err = decode.FitsType(d, in, &in.Operands[next], isa.Pred, enable); err != nil || len(in.Operands) <= next+1 {
		return err
	}
	last := &in.Operands[next+1]
	if v.form.Ws {
		zeros, err := decode.WordOf(d, in, last, isa.B64)
		v.zeros = zeros
		return err
	}
	if last.Kind != rewrite.OperandImm || last.Imm > 15 {
		return decode.Errorf(d, in, "%s: scale %s of D, expected a constant from 0 to 15", in.Text(),
			decode.Text(d, last))
	}
	v.scaleD = int(last.Imm)
	return nil
}

func (v *tensorMMA) exec(x *state.Engine, in *state.Inst, m state.Lanes) {
	for ; m != 0 && x.Fault == nil; m &= m - 1 {
		i := m.First()
		w, bad := v.start(x.Frame, i)
		if bad == nil {
			blocks := async.TensorGroup(x, in, i, v.form.Pair)
			for _, c := range blocks {
				if t := async.TensorMemory(x, c); t != nil {
					w.Blocks = append(w.Blocks, tmem.Block{Shared: c.Shared, Memory: t})
				}
			}
			if x.Fault != nil {
				return
			}
			if bad = w.Check(); bad == nil {
				events.BeginAsync(x)
				x.Pipe = abi.Pipe{
					Kind: abi.PipeMultiply, Pair: v.form.Pair,
					Shape: uint64(w.D) | uint64(w.N)<<32 | uint64(w.M)<<41,
				}
				v.emit(x, in, w, blocks, i)
				async.StartFlight(x, in, state.Flight{Kind: state.FlightTensor, Work: w.Run}, i)
				continue
			}
		}
		faults.Raise(x, in, i, bad.Class, 0, "%s", bad.Msg)
	}
}

// start reads the operands of a lane.
func (v *tensorMMA) start(f *state.Frame, i int) (*tmem.Product, *diag.Violation) {
	p, bad := v.form.Decode(f.R32(v.idesc.Slot)[i])
	if bad != nil {
		return nil, bad
	}
	w := &tmem.Product{
		Multiply: p, Path: p.Path(), D: v.d.Of(f, i), FromTensor: v.a != nil, Down: v.down,
		Enable: f.P(v.enable).Has(i), ScaleD: v.scaleD,
	}
	for to, from := range map[*tmem.Addr]*async.TensorAt{
		&w.A: v.a, &w.Meta: v.meta, &w.FactorsA: v.scaleA,
		&w.FactorsB: v.scaleB,
	} {
		if from != nil {
			*to = from.Of(f, i)
		}
	}
	for k, s := range v.disable {
		w.Disabled[k] = f.R32(s)[i]
	}
	zeros := uint64(0)
	if v.zeros != 0 {
		zeros = f.R64(v.zeros)[i]
	}
	w.Zero, w.Shift = p.ZeroColumns(zeros)
	descA := uint64(0)
	if v.a == nil {
		descA = f.R64(v.aDesc.Slot)[i]
	}
	return w, w.Describe(descA, f.R64(v.bDesc.Slot)[i])
}

// emit emits the accesses of the product: first all reads, then the writes.
func (v *tensorMMA) emit(x *state.Engine, in *state.Inst, w *tmem.Product, blocks []*state.CTA, thread int) {
	if events.Ignored(&x.Emitter, v.writes) {
		return
	}
	w.Slices(func(block int, s matrix.Slices) {
		runs := mma.RunsOfSlices(x, &state.SharedSlices{Slices: s, Base: blocks[block].SharedBase()})
		events.EmitRuns(x, in, v.shared, runs, thread)
	})
	reads, writes := x.NoRuns()
	w.Cells(func(block, lane, column, columns int, isWritten bool) {
		to := reads
		if isWritten {
			to = writes
		}
		async.AddCells(to, blocks[block], lane, column, columns)
	})
	events.EmitRuns(x, in, v.reads, *reads, thread)
	events.EmitRuns(x, in, v.writes, *writes, thread)
}

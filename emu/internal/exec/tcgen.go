// Tensor memory: tcgen05 except its products, which are in sem_tcgen_mma.go.

package exec

import (
	"github.com/ptxsan/ptxsan/emu/internal/async"
	"github.com/ptxsan/ptxsan/emu/internal/barriers"
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/flights"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/mma"
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/tmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// semTensorMemory is the semantics of PTX ISA, "TensorCore 5th Generation Family Instructions".
var semTensorMemory = map[string]state.DecodeFunc{"tcgen05": decodeTcgen}

func decodeTcgen(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	out, err := tcgen(d, in)
	if group := in.Mod("cta_group"); err == nil && group != "" {
		out.Body = inOneGroup(in, group, out.Body)
	}
	return out, err
}

// inOneGroup returns a body that raises a fault if the block has executed an instruction with another .cta_group ("All
// tcgen05 instructions within a kernel must specify the same value for the .cta_group qualifier", PTX ISA).
func inOneGroup(in *rewrite.Inst, group string, body state.BodyFunc) state.BodyFunc {
	return func(x *state.Engine, i *state.Inst, m state.Lanes) {
		first := &x.CTA.Tensor.First
		switch {
		case *first == nil:
			*first = in
		case *first != in && (*first).Mod("cta_group") != group:
			faults.Raise(x, i, m.First(), "tensor-memory", 0,
				".%s after .%s in line %d: all instructions of tcgen05 of a kernel must have one .cta_group", group,
				(*first).Mod("cta_group"), (*first).Position().Line)
			return
		}
		body(x, i, m)
	}
}

// tcgen decodes the tcgen05 instructions.
func tcgen(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	switch {
	case in.Has("alloc"):
		return tensorAlloc(d, in)
	case in.Has("dealloc"):
		return tensorDealloc(d, in)
	case in.Has("relinquish_alloc_permit"):
		return mma.WholeWarp(d, &state.SyncOp{Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
			if t := async.TensorMemory(x, x.CTA); t != nil {
				t.Relinquish()
			}
		}}, state.Inst{Flags: state.FlagFaults}), nil
	case in.Has("ld") || in.Has("st"):
		return tensorMove(d, in)
	case in.Has("wait::ld"):
		return tensorWait(d, abi.AsyncTensorLoads), nil
	case in.Has("wait::st"):
		return tensorWait(d, abi.AsyncTensorStores), nil
	case in.Has("commit"):
		return async.TensorCommit(d, in)
	case in.Has("cp"):
		return async.TcgenCopy(d, in)
	case in.Has("shift"):
		return async.TensorShift(d, in)
	case in.Has("mma"):
		return tensorMultiply(d, in)
	}
	return decodeFence(d, in)
}

// tensorAlloc: tcgen05.alloc [dst], nCols. The first lane writes the address to shared memory.
func tensorAlloc(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	ac, out, err := memory.DecodeAccess(d, in, 0, isa.AccessStore, 4)
	if err != nil {
		return state.Inst{}, err
	}
	if ac.Space != isa.SpaceNone && ac.Space != isa.SpaceShared {
		return state.Inst{}, decode.Errorf(d, in, "%s: the address goes to .shared memory, not to .%s", in.Text(),
			ac.Space)
	}
	ac.Cluster = false
	n, err := async.Count(d, in, 1)
	if err != nil {
		return state.Inst{}, err
	}
	pair := async.InPair(in)
	columns := state.Operand{Slot: n, Typ: isa.U32}
	op := &state.SyncOp{
		Reads: decode.SlotsOf(columns, state.Operand{Slot: out.A, Typ: isa.U64}),
		Ready: func(x *state.Engine, f *state.Frame, lane int) bool {
			return async.CanAllocate(x, f.R32(n)[lane], pair)
		},
		Awaits: "wait for tensor memory",
		Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
			v, ok := mma.Uniform(x, in, columns, m, "the number of columns")
			if !ok || pair && async.TensorGroup(x, in, m.First(), true) == nil {
				return
			}
			a, ok := async.Allocate(x, in, m.First(), uint32(v))
			if !ok {
				return
			}
			events.EmitMemory(x, abi.EventTensorAlloc, in, m.First(), async.TensorAddr(x.CTA, 0, a.Column()), v*4)
			lane := m & -m
			events.Emit(ac, x, in, in.A, lane)
			w, i := memory.Window(ac, x), m.First()
			addr := x.Frame.R64(in.A)[i] + ac.Off
			if !memory.CheckShared(x, in, addr, ac.Space == isa.SpaceNone, i) {
				return
			}
			if p := memory.Locate(ac, x, in, &w, addr, i); p != nil {
				*(*uint32)(p) = uint32(a)
				x.Wrote()
			}
			events.EmitTogether(x, in, m)
		},
	}
	return mma.WholeWarp(d, op, state.Inst{A: out.A, Flags: state.FlagFaults}), nil
}

// tensorDealloc: tcgen05.dealloc taddr, nCols. For listeners it is a write to all of the deallocated memory. With
// .cta_group::2 each block frees its own memory, when its warp executes the instruction.
func tensorDealloc(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	a, err := decode.WordOf(d, in, &in.Operands[0], isa.U32)
	if err != nil {
		return state.Inst{}, err
	}
	n, err := async.Count(d, in, 1)
	if err != nil {
		return state.Inst{}, err
	}
	addr, columns, ac := state.Operand{Slot: a, Typ: isa.U32}, state.Operand{Slot: n, Typ: isa.U32},
		async.TensorAccess(isa.AccessStore, abi.Synchronous)
	ac.Silent = !d.M.Interest.NeedsSite(in)
	return mma.WholeWarp(d, &state.SyncOp{
		Reads: decode.SlotsOf(addr, columns),
		Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
			at, ok := mma.Uniform(x, in, addr, m, "the address")
			if !ok {
				return
			}
			v, ok := mma.Uniform(x, in, columns, m, "the number of columns")
			t := async.TensorMemory(x, x.CTA)
			if !ok || t == nil {
				return
			}
			if bad := t.Free(tmem.Addr(at), uint32(v)); bad != nil {
				faults.Raise(x, in, m.First(), bad.Class, 0, "%s", bad.Msg)
				return
			}
			runs, _ := x.NoRuns()
			for lane := 0; lane < tmem.Lanes && !events.Ignored(&x.Emitter, ac); lane++ {
				async.AddCells(runs, x.CTA, lane, tmem.Addr(at).Column(), int(v))
			}
			events.EmitRuns(x, in, ac, *runs, m.First())
			barriers.RetrySyncs(x, x.CTA)
			if peer := flights.PeerOf(x.CTA); peer != nil {
				barriers.RetrySyncs(x, peer)
			}
		},
	}, state.Inst{Flags: state.FlagFaults}), nil
}

// tensorMove decodes tcgen05.ld and tcgen05.st. A load writes its registers immediately. The manual leaves the time
// open until tcgen05.wait::ld: package program reports accesses before that.
func tensorMove(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	loads := in.Has("ld")
	regsAt, addrAt, rest := 1, 0, 1
	if loads {
		regsAt, addrAt, rest = 0, 1, 2
	}
	var red *tcgenReduction
	if in.Has("red") {
		red = &tcgenReduction{}
		if err := decodeTcgenReduction(d, in, red); err != nil {
			return state.Inst{}, err
		}
		addrAt, rest = 2, 3
	}
	move := &tmem.Move{Shape: in.Mod("shape"), Packed: in.Has("pack::16b") || in.Has("unpack::16b")}
	if move.Shape == "16x32bx2" {
		op := &in.Operands[rest]
		if !loads {
			op, regsAt = &in.Operands[1], 2
		}
		if op.Kind != rewrite.OperandImm || op.Imm > tmem.Columns {
			return state.Inst{}, decode.Errorf(d, in, "%s: distance %s, expected a constant of at most %d columns",
				in.Text(),
				decode.Text(d, op), tmem.Columns)
		}
		move.Split = int(op.Imm)
	}
	at, err := async.DecodeTensorAt(d, in, addrAt)
	if err != nil {
		return state.Inst{}, err
	}
	move.Regs = len(decode.Elems(d, in, regsAt))
	regs, err := mma.Registers(d, in, regsAt, move.Regs, 32, loads)
	if err != nil {
		return state.Inst{}, err
	}
	v := &tensorTransfer{
		move: move, at: at, regs: regs, red: red,
		ac: async.TensorAccess(isa.AccessStore, abi.AsyncTensorStores),
	}
	op := &state.SyncOp{
		Reads: decode.SlotsOf(append(regs, state.Operand{Slot: at.Base, Typ: isa.U64})...),
		Body:  v.store,
	}
	if loads {
		v.ac = async.TensorAccess(isa.AccessLoad, abi.AsyncTensorLoads)
		op = &state.SyncOp{
			Reads:  decode.SlotsOf(state.Operand{Slot: at.Base, Typ: isa.U64}),
			Writes: decode.SlotsOf(regs...), Body: v.load,
		}
		if red != nil {
			op.Writes = append(op.Writes, decode.SlotsOf(red.dst)...)
		}
	}
	v.ac.Silent = !d.M.Interest.NeedsSite(in)
	return mma.WholeWarp(d, op, state.Inst{Flags: state.FlagFaults}), nil
}

// tensorTransfer is a decoded tcgen05.ld or .st.
type tensorTransfer struct {
	move *tmem.Move
	at   async.TensorAt
	regs []state.Operand
	red  *tcgenReduction
	ac   *state.Access
}

// begin checks the access and emits it.
func (v *tensorTransfer) begin(x *state.Engine, in *state.Inst, m state.Lanes) (tmem.Addr, *tmem.Memory, bool) {
	addr, ok := mma.Uniform(x, in, state.Operand{Slot: v.at.Base, Typ: isa.U64}, m, "the address in tensor memory")
	t := async.TensorMemory(x, x.CTA)
	if !ok || t == nil {
		return 0, nil, false
	}
	index := x.Warp.Index % mma.GroupWarps
	a := v.move.Own(tmem.Addr(addr+v.at.Off), index)
	if bad := v.move.Check(t, a, index); bad != nil {
		faults.Raise(x, in, m.First(), bad.Class, 0, "%s", bad.Msg)
		return 0, nil, false
	}
	events.BeginAsync(x)
	for r := 0; r < len(v.regs); {
		n := v.move.Adjacent(r)
		v.emit(x, in, m, a, r, n)
		r += n
	}
	return a, t, true
}

// emit emits the lanes' accesses for n registers that have adjacent cells.
func (v *tensorTransfer) emit(x *state.Engine, in *state.Inst, m state.Lanes, a tmem.Addr, r, n int) {
	if events.Ignored(&x.Emitter, v.ac) {
		return
	}
	ac := *v.ac
	if ac.Piece = 4; v.move.Packed {
		ac.Piece = 8
	}
	ac.Size = ac.Piece * uint64(n)
	for lane := range state.WarpSize {
		row, column := v.move.Place(lane, r)
		x.Addrs[lane] = async.TensorAddr(x.CTA, a.Lane()+row, a.Column()+column)
	}
	events.EmitAccess(x, in, &ac, m, &x.Addrs)
}

func (v *tensorTransfer) load(x *state.Engine, in *state.Inst, m state.Lanes) {
	a, t, ok := v.begin(x, in, m)
	if !ok {
		return
	}
	x.Warp.Waits.Loads++
	for left := m; left != 0; left &= left - 1 {
		lane := left.First()
		for r, reg := range v.regs {
			x.Frame.R32(reg.Slot)[lane] = v.move.Load(t, a, lane, r)
		}
		if v.red != nil {
			x.Frame.R32(v.red.dst.Slot)[lane] = v.red.of(len(v.regs),
				func(r int) uint32 { return v.move.Load(t, a, lane, r) })
		}
	}
}

func (v *tensorTransfer) store(x *state.Engine, in *state.Inst, m state.Lanes) {
	a, t, ok := v.begin(x, in, m)
	if !ok {
		return
	}
	vals := make([]uint32, state.WarpSize*len(v.regs))
	for r, reg := range v.regs {
		copy(vals[r*state.WarpSize:], x.Frame.R32(reg.Slot)[:])
	}
	index := x.Warp.Index % mma.GroupWarps
	async.StartFlight(x, in, state.Flight{
		Kind: state.FlightTensorStore, Copied: uint64(4 * len(vals)),
		Work: func() *diag.Violation {
			if bad := v.move.Check(t, a, index); bad != nil {
				return bad
			}
			for i, val := range vals {
				if lane := i % state.WarpSize; m.Has(lane) {
					v.move.Store(t, a, lane, i/state.WarpSize, val)
				}
			}
			return nil
		},
	}, m.First())
}

// tcgenReduction is the reduction by tcgen05.ld.red over the registers that a lane loads.
type tcgenReduction struct {
	dst     state.Operand
	combine func(old, v [2]uint64) [2]uint64
	abs     uint32 // mask of the bits that .abs clears
}

func decodeTcgenReduction(d *state.Decoder, in *rewrite.Inst, red *tcgenReduction) error {
	t := in.Type(len(in.Types) - 1)
	dst, err := decode.Target(d, in, &in.Operands[1], t)
	if err != nil {
		return err
	}
	if err := decode.FitsType(d, in, &in.Operands[1], t, dst); err != nil {
		return err
	}
	red.dst = dst
	if in.Has("abs") {
		red.abs = 1 << 31
	}
	if red.combine = async.Reduction(decode.ModOf(in, "min", "max"), t); t == isa.F32 {
		pick := num.MinMax{Max: in.Has("max"), NaN: in.Has("NaN")}
		red.combine = func(a, b [2]uint64) [2]uint64 { return [2]uint64{pick.Select(num.F32, a[0], b[0])} }
	}
	return nil
}

func (red *tcgenReduction) of(n int, reg func(r int) uint32) uint32 {
	out := [2]uint64{uint64(reg(0) &^ red.abs)}
	for r := 1; r < n; r++ {
		out = red.combine(out, [2]uint64{uint64(reg(r) &^ red.abs)})
	}
	return uint32(out[0])
}

// tensorWait: tcgen05.wait::ld and ::st wait for the warp's loads or stores.
func tensorWait(d *state.Decoder, of abi.AsyncKind) state.Inst {
	return mma.WholeWarp(d, &state.SyncOp{Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
		if of == abi.AsyncTensorLoads {
			x.Warp.Waits.Loaded = x.Warp.Waits.Loads
		} else {
			flights.CompleteSome(x, x.Warp, func(f *state.Flight) bool { return f.Kind == state.FlightTensorStore })
		}
		events.EmitAsyncGroupsOf(x, in, m, abi.EventAsyncCommit, of, nil, false)
		events.EmitAsyncGroupsOf(x, in, m, abi.EventAsyncWait, of, &state.Vec32{}, false)
	}}, state.Inst{Flags: state.FlagFaults})
}

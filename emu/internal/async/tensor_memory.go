// Tensor memory: tcgen05 except its products, which are in sem_tcgen_mma.go.

package async

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/barriers"
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/flights"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/matrix"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/tmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// InPair reports whether an instruction has .cta_group::2.
func InPair(in *rewrite.Inst) bool { return in.Mod("cta_group") == "cta_group::2" }

// TensorAt is a decoded address in tensor memory.
type TensorAt struct {
	Base state.Slot
	Off  uint64
}

// DecodeTensorAt decodes operand i, an address in tensor memory.
func DecodeTensorAt(d *state.Decoder, in *rewrite.Inst, i int) (TensorAt, error) {
	a, err := decode.Addr(d, in, i)
	return TensorAt{a.Base, uint64(a.Off)}, err
}

// Of returns the address that lane i has.
func (a TensorAt) Of(f *state.Frame, lane int) tmem.Addr {
	return tmem.Addr(f.R64(a.Base)[lane] + a.Off)
}

// TensorMemory returns a block's tensor memory, and creates it on first use.
func TensorMemory(x *state.Engine, c *state.CTA) *tmem.Memory {
	if c.Tensor.Memory == nil && faults.Claim(x, tmem.Bytes, "tensor memory") {
		c.Tensor.Memory = &tmem.Memory{}
	}
	return c.Tensor.Memory
}

// TensorGroup returns the blocks that take part in a tcgen05 operation: the running one, or with .cta_group::2 the
// pair, the block of even rank first. It returns nil after a fault.
func TensorGroup(x *state.Engine, in *state.Inst, lane int, pair bool) []*state.CTA {
	if !pair {
		return []*state.CTA{x.CTA}
	}
	peer := flights.PeerOf(x.CTA)
	if peer == nil {
		faults.Raise(x, in, lane, "tensor-memory", 0,
			".cta_group::2 in block %d of a cluster of %d: there is no peer, or it has ended", x.CTA.Rank,
			len(x.CTA.Cluster.Blocks))
		return nil
	}
	if x.CTA.Rank&1 == 0 {
		return []*state.CTA{x.CTA, peer}
	}
	return []*state.CTA{peer, x.CTA}
}

// CanAllocate reports whether the running block's warp can allocate now. With .cta_group::2 a warp of the peer must be
// ready to allocate, too.
func CanAllocate(x *state.Engine, columns uint32, pair bool) bool {
	own := TensorMemory(x, x.CTA)
	if own == nil || own.CheckAlloc(columns) != nil {
		return true // to fault
	}
	_, room := own.Room(columns)
	if !pair {
		return room
	}
	peer, t := flights.PeerOf(x.CTA), &x.CTA.Tensor
	switch {
	case t.Granted || peer == nil:
		return true
	case peer.Tensor.Requested != columns:
		t.Requested = columns
		return false
	}
	other, roomThere := TensorMemory(x, peer), false
	if other != nil {
		_, roomThere = other.Room(columns)
	}
	if t.Requested = columns; !room || !roomThere {
		return false
	}
	peer.Tensor.Granted = true
	barriers.RetrySyncs(x, peer)
	return true
}

// Allocate allocates columns in the running block.
func Allocate(x *state.Engine, in *state.Inst, lane int, columns uint32) (tmem.Addr, bool) {
	m := TensorMemory(x, x.CTA)
	if m == nil {
		return 0, false
	}
	if bad := m.CheckAlloc(columns); bad != nil {
		faults.Raise(x, in, lane, bad.Class, 0, "%s", bad.Msg)
		return 0, false
	}
	a, ok := m.Alloc(columns)
	if !ok {
		panic("BUG: emu: tensor memory is full")
	}
	t := &x.CTA.Tensor
	t.Requested, t.Granted, t.At, t.Warp = 0, false, faults.Blame(x, x.Frame, in.Src), x.Warp
	return a, true
}

// TensorAddr returns the address of a cell for listeners: unique in the cluster.
func TensorAddr(c *state.CTA, lane, column int) uint64 {
	return memory.ToRank(uint64(lane*tmem.Columns+column)*4, c.Rank)
}

// TensorAccess returns an access to tensor memory.
func TensorAccess(kind isa.AccessKind, async abi.AsyncKind) *state.Access {
	return &state.Access{Space: isa.SpaceTensor, Kind: kind, Async: async}
}

// AddCells adds a run for columns of a lane: an access to tensor memory is to one lane.
func AddCells(to *state.Runs, c *state.CTA, lane, column, columns int) {
	*to = append(*to, state.Run{Addr: TensorAddr(c, lane, column), Bytes: uint64(columns) * 4})
}

// TensorCommit decodes tcgen05.commit [mbar]{, ctaMask}, which arrives at an mbarrier when the earlier operations are complete.
func TensorCommit(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	done, err := signalAt(d, in, 0)
	if err != nil {
		return state.Inst{}, err
	}
	mask, err := memory.DecodeCTAMask(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	return state.Inst{
		Flags: state.FlagVisible | state.FlagFaults,
		Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
			for ; m != 0 && x.Fault == nil; m &= m - 1 {
				i := m.First()
				addr, ok := done.addr(x, in, i)
				if !ok {
					return
				}
				events.BeginAsync(x)
				events.EmitTensorCommit(x, in, i)
				if mask.Slot == 0 {
					commitTo(x, in, done, addr, i)
					continue
				}
				for ranks := mask.Of(x, i); ranks != 0 && x.Fault == nil; ranks &= ranks - 1 {
					commitTo(x, in, done, memory.ToRank(addr, uint32(ranks.First())), i)
				}
			}
		},
	}, nil
}

// commitTo starts the arrival at one mbarrier.
func commitTo(x *state.Engine, in *state.Inst, done *signal, addr uint64, i int) {
	if p := done.object(x, in, addr, i); p != nil {
		StartFlight(x, in, state.Flight{Kind: state.FlightCommit, Signal: p, SignalAddr: gmem.SharedWindow + addr}, i)
	}
}

// TcgenCopy decodes tcgen05.cp [taddr], s-desc.
func TcgenCopy(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	multicast := decode.ModOf(in, "warpx2::02_13", "warpx2::01_23", "warpx4")
	v := &tcgenCopy{pattern: tmem.CopyOf(in.Mod("shape"), multicast), pair: InPair(in)}
	if v.pattern == nil {
		return state.Inst{}, decode.Unsupported(d, in, "%s", in.Text())
	}
	switch {
	case in.Has("b6x16_p32"):
		v.bits = 6
	case in.Has("b4x16_p64"):
		v.bits = 4
	}
	var err error
	if v.at, err = DecodeTensorAt(d, in, 0); err != nil {
		return state.Inst{}, err
	}
	if v.desc, err = decode.Descriptor(d, in, 1); err != nil {
		return state.Inst{}, err
	}
	v.from, v.to = SharedSlices(d, in), TensorAccess(isa.AccessStore, abi.AsyncTensor)
	v.to.Silent = v.from.Silent
	return state.Inst{Body: v.exec, Flags: state.FlagVisible | state.FlagFaults}, nil
}

// SharedSlices returns the access of a tcgen05 operation to slices in shared memory.
func SharedSlices(d *state.Decoder, in *rewrite.Inst) *state.Access {
	return &state.Access{
		Space: isa.SpaceShared, Piece: matrix.SliceBytes, Kind: isa.AccessLoad, Async: abi.AsyncTensor,
		Silent: !d.M.Interest.NeedsSite(in),
	}
}

// tcgenCopy is a decoded tcgen05.cp. Each block of a pair copies from its own shared memory.
type tcgenCopy struct {
	pattern  *tmem.Copy
	pair     bool
	bits     int // bits of elements that are decompressed, 0 for none
	at       TensorAt
	desc     state.Operand
	from, to *state.Access
}

func (v *tcgenCopy) exec(x *state.Engine, in *state.Inst, m state.Lanes) {
	for ; m != 0 && x.Fault == nil; m &= m - 1 {
		i := m.First()
		a, desc := v.at.Of(x.Frame, i), x.Frame.R64(v.desc.Slot)[i]
		s, problem := matrix.TensorDescriptor(desc)
		if problem != "" {
			faults.Raise(x, in, i, "unsupported", 0, "matrix descriptor 0x%x: %s", desc, problem)
			return
		}
		events.BeginAsync(x)
		if x.Pipe = (abi.Pipe{Kind: abi.PipeCopy, Pair: v.pair}); v.pattern.Rows == 4 {
			x.Pipe.Kind = abi.PipeCopyRows
		}
		for _, c := range TensorGroup(x, in, i, v.pair) {
			t := TensorMemory(x, c)
			if t == nil {
				return
			}
			v.emit(x, in, c, &s, a, i)
			StartFlight(x, in, state.Flight{
				Kind: state.FlightTensor,
				Work: func() *diag.Violation { return v.copy(c, t, s, a) },
			}, i)
		}
	}
}

// emit emits the accesses of a block.
func (v *tcgenCopy) emit(x *state.Engine, in *state.Inst, c *state.CTA, s *matrix.Descriptor, a tmem.Addr, i int) {
	if events.Ignored(&x.Emitter, v.to) {
		return
	}
	from, to := x.NoRuns()
	for row := range v.pattern.Rows {
		for k := range v.pattern.Slices {
			from.Add(events.Generic(v.from, c.SharedBase()+s.Slice(row, k, false)), matrix.SliceBytes)
		}
		for _, lane := range v.pattern.Targets(row) {
			AddCells(to, c, a.Lane()+lane, a.Column(), v.pattern.Columns())
		}
	}
	events.EmitRuns(x, in, v.from, *from, i)
	events.EmitRuns(x, in, v.to, *to, i)
}

// copy copies in one block.
func (v *tcgenCopy) copy(c *state.CTA, t *tmem.Memory, s matrix.Descriptor, a tmem.Addr) *diag.Violation {
	if bad := t.Check(a.Lane(), v.pattern.Span(), a.Column(), v.pattern.Columns()); bad != nil {
		return bad
	}
	for row := range v.pattern.Rows {
		for k := range v.pattern.Slices {
			p, bad := tmem.Slice(c.Shared, s.Slice(row, k, false))
			if bad != nil {
				return bad
			}
			cells := *(*[4]uint32)(unsafe.Pointer(p))
			if v.bits != 0 {
				cells = tmem.Expand(cells, v.bits)
			}
			for _, lane := range v.pattern.Targets(row) {
				copy(t.Row(a.Lane()+lane, a.Column()+4*k, 4), cells[:])
			}
		}
	}
	return nil
}

// shiftColumns is the number of columns that tcgen05.shift moves.
const shiftColumns = 8

// TensorShift decodes tcgen05.shift.down [taddr], which copies to each lane of a quarter, except the last, the contents of the next
// lane.
func TensorShift(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	at, err := DecodeTensorAt(d, in, 0)
	pair := InPair(in)
	from, to := TensorAccess(isa.AccessLoad, abi.AsyncTensor), TensorAccess(isa.AccessStore, abi.AsyncTensor)
	from.Silent = !d.M.Interest.NeedsSite(in)
	to.Silent = from.Silent
	return state.Inst{
		Flags: state.FlagVisible | state.FlagFaults,
		Body: func(x *state.Engine, in *state.Inst, m state.Lanes) {
			for ; m != 0 && x.Fault == nil; m &= m - 1 {
				i := m.First()
				a := at.Of(x.Frame, i)
				if a.Lane()%tmem.Quarter != 0 {
					faults.Raise(x, in, i, "misaligned", 0, "lane %d of tensor memory, expected a multiple of %d", a.Lane(),
						tmem.Quarter)
					return
				}
				events.BeginAsync(x)
				x.Pipe = abi.Pipe{Kind: abi.PipeShift, Pair: pair}
				for _, c := range TensorGroup(x, in, i, pair) {
					t := TensorMemory(x, c)
					if t == nil {
						return
					}
					read, written := x.NoRuns()
					for row := 0; row < tmem.Quarter-1 && !events.Ignored(&x.Emitter, to); row++ {
						AddCells(read, c, a.Lane()+row+1, a.Column(), shiftColumns)
						AddCells(written, c, a.Lane()+row, a.Column(), shiftColumns)
					}
					events.EmitRuns(x, in, from, *read, i)
					events.EmitRuns(x, in, to, *written, i)
					StartFlight(x, in, state.Flight{Kind: state.FlightTensor, Work: func() *diag.Violation {
						if bad := t.Check(a.Lane(), tmem.Quarter, a.Column(), shiftColumns); bad != nil {
							return bad
						}
						for row := range tmem.Quarter - 1 {
							copy(t.Row(a.Lane()+row, a.Column(), shiftColumns),
								t.Row(a.Lane()+row+1, a.Column(), shiftColumns))
						}
						return nil
					}}, i)
				}
			}
		},
	}, err
}

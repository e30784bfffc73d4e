// Tensor copies: cp.async.bulk.tensor and its reductions and prefetches.

package async

import (
	"bytes"

	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/mbar"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/tensor"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// cp.async.bulk.tensor and cp.reduce.async.bulk.tensor: boxes of a tensor, and im2col columns of images, to shared
// memory and back (PTX ISA, "Data Movement and Conversion Instructions: Tensor copy").

// tensorTileAlign is the alignment of tiles in shared memory, in bytes.
const tensorTileAlign = 128

// The modes tile::gather4 and tile::scatter4 copy tensorRows rows, each a separate box, of tensors with rowsRank
// dimensions (PTX ISA, ".tile::scatter4 and .tile::gather4 modes").
const (
	tensorRows = 4
	rowsRank   = 2
)

// tensorCopy is a decoded instruction. Every lane starts a separate copy.
type tensorCopy struct {
	object   *tensorObject
	coords   []state.Slot
	rank     int           // of the tensor
	rows     bool          // gather4, scatter4: the coords are the column of the first element, then four row coordinates
	pair     bool          // cta_group::2: the mbarrier is in one of two blocks
	im2col   uint8         // im2col mode, as in the tensor map
	halo     state.Slot    // pixels after those of a column, 0 for none
	offsets  []state.Slot  // 16-bit offsets in the spatial dimensions
	tile     *state.Access // shared memory
	tileAt   state.Slot
	tensor   state.Access // the elements in device memory
	signal   *signal
	looks    mbar.Pattern
	override tensorOverride
	ctaMask  memory.CTAMask // ranks of the destinations; none: taken from the address
	reduce   string         // operation
}

// decodeTensorCopy decodes cp{.reduce}.async.bulk.tensor.
func decodeTensorCopy(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	c := &tensorCopy{tensor: state.Access{Space: isa.SpaceGlobal, Kind: isa.AccessLoad}}
	c.pair = in.Has("cta_group::2")
	switch mode := in.Mod("load_mode"); mode {
	case "", "tile":
	case "tile::gather4", "tile::scatter4":
		c.rows = true
	default:
		c.im2col = columnModes[mode]
	}
	object, tile, kind := 1, 0, isa.AccessStore
	if in.Has("bulk_group") {
		object, tile, kind = 0, 1, isa.AccessLoad
		c.tensor.Kind = isa.AccessStore
	}
	if in.Has("reduce") {
		c.tensor.Kind, c.reduce = isa.AccessReduce, decode.ModOf(in, reductions...)
	}
	var err error
	if c.object, err = decodeTensorObject(d, in, object); err != nil {
		return state.Inst{}, err
	}
	if c.coords, err = tensorCoords(d, in, &in.Operands[object]); err != nil {
		return state.Inst{}, err
	}
	if c.override, err = decodeTensorOverride(d, in, &in.Operands[object]); err != nil {
		return state.Inst{}, err
	}
	if c.rank = len(c.coords); c.rows {
		c.rank = rowsRank
	}
	if c.im2col > 0 && len(c.coords) < tensor.MinColumnRank {
		return state.Inst{}, decode.Errorf(d, in, "%s: images in %s, expected %d to %d", in.Text(),
			diag.Plural(len(c.coords), "dimension"), tensor.MinColumnRank, tensor.MaxRank)
	}
	ac, out, err := memory.DecodeAccess(d, in, tile, kind, tensorTileAlign)
	if err != nil {
		return state.Inst{}, err
	}
	c.tile, c.tileAt = ac, out.A
	c.tile.Space, c.tile.Cluster = isa.SpaceShared, in.Has("shared::cluster")
	c.tile.Carried, c.tensor.Carried = c.reduce == "", true
	if kind == isa.AccessStore {
		if err := tensorSignal(d, in, c); err != nil {
			return state.Inst{}, err
		}
	}
	return state.Inst{Body: c.exec, Flags: state.FlagVisible | state.FlagFaults | state.FlagResumable}, nil
}

// tensorSignal resolves the mbarrier of a load, the offsets of a column, and the blocks that receive the tile.
func tensorSignal(d *state.Decoder, in *rewrite.Inst, c *tensorCopy) error {
	var err error
	if c.signal, err = signalAt(d, in, 2); err != nil {
		return err
	}
	c.signal.ac.Space, c.looks = isa.SpaceShared, mbar.PatternOf(in.Mod("report"))
	if c.im2col > 0 {
		if err = tensorOffsets(d, in, 3, c); err != nil {
			return err
		}
	}
	c.ctaMask, err = memory.DecodeCTAMask(d, in)
	return err
}

// columnModes are the numbers of the im2col modes.
var columnModes = map[string]uint8{
	"im2col": 1, "im2col_no_offs": 1, "im2col::w": 1 + uint8(tensor.WideW),
	"im2col_no_offs::w": 1 + uint8(tensor.WideW), "im2col::w::128": 1 + uint8(tensor.Wide128),
}

// tensorOffsets resolves operand i, the offsets {w, h, d} of a column, or {halo, w} in the wide modes.
func tensorOffsets(d *state.Decoder, in *rewrite.Inst, i int, c *tensorCopy) error {
	want := len(c.coords) - 2
	if c.im2col > 1 {
		want = 2
	}
	if i >= len(in.Operands) || in.Decoded.Operands[i].Spec.Name != "im2colInfo" {
		return decode.Errorf(d, in, "%s: no offsets, expected %d", in.Text(), want)
	}
	parts := decode.Elems(d, in, i)
	if len(parts) != want {
		return decode.Errorf(d, in, "%s: operand %s: %s, expected %d", in.Text(), decode.Text(d, &in.Operands[i]),
			diag.Plural(len(parts), "offset"), want)
	}
	var err error
	if c.offsets, err = decode.Values(d, in, parts, isa.U16); err == nil && c.im2col > 1 {
		c.halo, c.offsets = c.offsets[0], c.offsets[1:]
	}
	return err
}

// haloOf returns the halo of lane i's column.
func (c *tensorCopy) haloOf(x *state.Engine, i int) int {
	if c.halo == 0 {
		return 0
	}
	return int(uint16(x.Frame.R32(c.halo)[i]))
}

// tensorCoords resolves the coordinates {c0, c1, ...} after the address of a map.
func tensorCoords(d *state.Decoder, in *rewrite.Inst, op *rewrite.Operand) ([]state.Slot, error) {
	rank := int(in.Mod("dim")[0] - '0')
	if len(op.Elems) == 0 {
		return nil, decode.Errorf(d, in, "%s: operand %s has no coordinates", in.Text(), decode.Text(d, op))
	}
	parts := decode.ElemsOf(d, &op.Elems[len(op.Elems)-1])
	if in.Has("tile::gather4") || in.Has("tile::scatter4") {
		if rank != rowsRank {
			return nil, decode.Errorf(d, in, "%s: rows of a tensor of %s, expected %d", in.Text(),
				diag.Plural(rank, "dimension"), rowsRank)
		}
		rank = 1 + tensorRows
	}
	if len(parts) != rank {
		return nil, decode.Errorf(d, in, "%s: operand %s: %s, expected %d", in.Text(), decode.Text(d, op),
			diag.Plural(len(parts), "coordinate"), rank)
	}
	return decode.Words(d, in, parts, isa.S32)
}

func (c *tensorCopy) exec(x *state.Engine, in *state.Inst, m state.Lanes) {
	a := x.Frame.R64(c.tileAt)
	for ; m != 0 && x.Fault == nil; m &= m - 1 {
		i := m.First()
		t := c.tensorMap(x, in, i)
		if t == nil {
			return
		}
		to := a[i] + c.tile.Off
		if c.ctaMask.Slot == 0 {
			c.deliver(x, in, t, to, i)
			continue
		}
		for ranks := c.ctaMask.Of(x, i); ranks != 0 && x.Fault == nil; ranks &= ranks - 1 {
			c.deliver(x, in, t, memory.ToRank(to, uint32(ranks.First())), i)
		}
	}
}

// deliver starts the copy between the tensor and the tile at a shared address. It is called for each block of a
// multicast copy: each copy is a separate operation, which completes on a separate mbarrier.
func (c *tensorCopy) deliver(x *state.Engine, in *state.Inst, t *tensor.Image, tile uint64, i int) {
	n := t.TileBytes()
	if c.rows {
		n *= tensorRows
	}
	if c.im2col > 0 {
		n = t.ColumnBytes(c.haloOf(x, i))
	}
	events.BeginAsync(x)
	x.NoRuns()
	c.object.emitRead(x, in, c.completion(), i)
	tile &= 1<<gmem.SlotBits - 1
	if tile%tensorTileAlign != 0 {
		faults.Raise(x, in, i, "misaligned", gmem.SharedWindow+tile,
			"tile at shared address 0x%x, expected a multiple of %d",
			tile, tensorTileAlign)
		return
	}
	if _, bad := memory.SharedOf(x, tile, n, !c.tile.Cluster); bad != nil {
		faults.Raise(x, in, i, bad.Class, gmem.SharedWindow+tile, "tile of %d bytes at shared address 0x%x, which %s",
			n, tile,
			bad.Msg)
		return
	}
	f := state.Flight{Kind: state.FlightBulk, Bytes: t.Counted(n), Looks: c.looks}
	if c.signal != nil && !signals(&f, x, in, c.signal, c.signalled(x, tile, i), c.ctaMask.Slot != 0, i) {
		return
	}
	var ok bool
	f.Parts, ok = c.transfers(x, in, t, tile, i)
	c.emit(x, in, t, i)
	if ok {
		StartFlight(x, in, f, i)
	}
	if !x.M.Cfg.LateAsync { // the transfers have been executed
		x.Pieces = f.Parts[:0]
	}
}

// signalled returns an address in the shared memory of the CTA that has the mbarrier which lane i's copy signals when
// it has written the tile. Without .cta_group::2, that is the destination CTA: the address is that of the tile. A
// multicast copy with .cta_group::2 signals one CTA of the pair of the destination CTA: the one of even rank when the
// address operand mbar is in a CTA of even rank, else the one of odd rank (PTX ISA, cp.async.bulk.tensor,
// ".cta_group").
func (c *tensorCopy) signalled(x *state.Engine, tile uint64, i int) uint64 {
	if !c.pair || c.ctaMask.Slot == 0 {
		return tile
	}
	mbar := (x.Frame.R64(c.signal.base)[i] + c.signal.ac.Off) & (1<<gmem.SlotBits - 1)
	return memory.ToRank(tile, state.RankOf(tile)&^1|state.RankOf(mbar)&1)
}

// transfers returns the transfers of lane i's copy; false after a fault.
func (c *tensorCopy) transfers(x *state.Engine, in *state.Inst, t *tensor.Image, tile uint64,
	i int,
) ([]state.Transfer, bool) {
	var at [tensor.MaxRank]int32
	for k, s := range c.coords {
		at[k] = int32(x.Frame.R32(s)[i])
	}
	if err := t.CheckCopy(at[0], c.signal == nil, c.reduce != ""); err != nil {
		faults.Raise(x, in, i, "unsupported", c.object.addr(x, i), "%v", err)
		return nil, false
	}
	part := state.Transfer{Elem: t.ElemType()}
	if c.reduce != "" {
		if part.Elem == isa.TF32 {
			part.Elem = isa.F32
		}
		if part.Combine = tensorReduction(c.reduce, part.Elem); part.Combine == nil {
			faults.Raise(x, in, i, "unsupported", c.object.addr(x, i), "reduction .%s of elements of type .%s",
				c.reduce,
				part.Elem)
			return nil, false
		}
	}
	parts := x.Pieces
	x.Pieces = nil
	piece := func(p tensor.Piece) bool {
		if !p.Inside && c.signal == nil {
			return true // a store writes nothing outside of the tensor
		}
		b, elems := c.reach(x, in, t, p, i)
		if x.Fault != nil {
			return false
		}
		if c.signal != nil {
			part.Combine = nil
			if p.Inside {
				part.Combine = t.Rounding()
			}
		}
		part.Swap, part.Source = p.Swap, 0
		if p.Inside {
			part.Source = p.Tensor
		}
		if part.To, part.From = b, elems; c.signal == nil {
			part.To, part.From, part.Sixes = elems, b, t.Packing() == tensor.Packed6Apart
		}
		parts = append(parts, part)
		return true
	}
	switch {
	case c.rows:
		for k := range tensorRows {
			t.Pieces([tensor.MaxRank]int32{at[0], at[1+k]}, tile+uint64(k)*t.TileBytes(), piece)
		}
		return parts, x.Fault == nil
	case c.im2col == 0:
		pieces := t.Pieces
		if !x.M.Cfg.Uninitialised && c.reduce == "" && t.Rounding() == nil { // the order and size of the transfers is not observable
			pieces = t.Rows
		}
		pieces(at, tile, piece)
		return parts, x.Fault == nil
	}
	var offsets [tensor.MaxRank - 2]uint16
	for k, s := range c.offsets {
		offsets[k] = uint16(x.Frame.R32(s)[i])
	}
	t.Column(at, offsets, c.haloOf(x, i), tile, piece)
	return parts, x.Fault == nil
}

// The sets of bytes that a copy accesses.
const (
	sideTile = iota
	sideTensor
)

// reach returns a piece in shared memory and in the tensor, and adds it to what the copy accesses. Outside of the
// tensor, the latter is the fill value, or nil for zeros.
func (c *tensorCopy) reach(x *state.Engine, in *state.Inst, t *tensor.Image, p tensor.Piece,
	i int,
) (tile, tensor []byte) {
	listens := x.Listener != nil
	if listens {
		x.Runs[sideTile].Add(events.Generic(c.tile, p.Tile), p.Bytes)
	}
	n := p.Bytes
	if c.signal != nil {
		n = p.Packed // the padding after it is undefined
	}
	if tile = reach(c.tile, x, in, p.Tile, n, i); tile == nil {
		return nil, nil
	}
	switch {
	case p.Inside:
		if listens {
			x.Runs[sideTensor].Add(p.Tensor, p.Packed)
		}
		tensor = reach(&c.tensor, x, in, p.Tensor, p.Packed, i)
		switch {
		case tensor == nil || p.Packed != p.Bytes:
		case c.signal != nil:
			memory.Carry(x, in, c.tile, p.Tile, &c.tensor, p.Tensor, p.Bytes, i)
		default:
			memory.Carry(x, in, &c.tensor, p.Tensor, c.tile, p.Tile, p.Bytes, i)
		}
	case t.Fill == 1:
		tensor = bytes.Repeat([]byte{0xff}, int(p.Bytes))
	}
	return tile, tensor
}

// completion returns how the completion of the copy is awaited.
func (c *tensorCopy) completion() abi.AsyncKind {
	if c.signal != nil {
		return abi.AsyncSignals
	}
	return abi.AsyncBulk
}

// emit emits the accesses of lane i's copy.
func (c *tensorCopy) emit(x *state.Engine, in *state.Inst, t *tensor.Image, i int) {
	tile, whole := *c.tile, c.tensor
	tile.Async, whole.Async = c.completion(), c.completion()
	tile.Piece, whole.Piece = t.PieceBytes()
	if c.reduce != "" { // each element by an operation of its own (PTX ISA, cp.reduce.async.bulk.tensor)
		whole.Scalar = uint64(t.ElemType().Size())
	}
	events.EmitRuns(x, in, &tile, x.Runs[sideTile], i)
	events.EmitRuns(x, in, &whole, x.Runs[sideTensor], i)
}

// tensorReduction returns an operation on one element, nil if there is none.
func tensorReduction(op string, t isa.Type) func(old, v [2]uint64) [2]uint64 {
	switch op {
	case "inc", "dec":
		if t != isa.U32 {
			return nil
		}
	case "add":
	default:
		if t == isa.F64 {
			return nil
		}
	}
	return Reduction(op, t)
}

// Asynchronous operations on logical endpoints: fabric.

package async

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/flights"
	"github.com/ptxsan/ptxsan/emu/internal/mbar"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// SemFabric is the semantics of fabric (PTX ISA 9.3, "Fabric Instructions"). An operation is in flight until a thread
// waits for it after it has been submitted, at the latest until no group can run.
var SemFabric = map[string]state.DecodeFunc{"fabric": decodeFabric}

// memoryOfEndpoint returns the memory at an offset, nil if none is bound there.
func memoryOfEndpoint(e *state.Endpoint, offset uint64) *state.EndpointMemory {
	i := slices.IndexFunc(e.Memory, func(m state.EndpointMemory) bool { return offset-m.Offset < m.Size })
	if i < 0 {
		return nil
	}
	return &e.Memory[i]
}

// at returns the address of n bytes at an offset, 0 if they have not one address, and whether memory is bound to all of
// them.
func at(e *state.Endpoint, offset, n uint64) (addr uint64, bound bool) {
	end := offset + max(n, 1)
	for at := offset; at < end; {
		m := memoryOfEndpoint(e, at)
		switch {
		case m == nil:
			return 0, false
		case at == offset && m.Addr != 0:
			addr = m.Addr + at - m.Offset
		case m.Addr == 0 || addr == 0 || m.Addr-m.Offset != addr-offset:
			return 0, true
		}
		at = m.Offset + m.Size
	}
	return addr, true
}

const (
	notFabric state.FabricWay = iota
	fabricGet
	fabricPut // or reduces
)

func decodeFabric(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	out := state.Inst{Flags: state.FlagVisible | state.FlagFaults}
	switch {
	case in.Has("submit"):
		fetching := in.Has("op_restrict::fetching")
		out.Body = func(x *state.Engine, _ *state.Inst, m state.Lanes) { submitFabric(x, m, fetching) }
		return out, nil
	case in.Has("wait"):
		out.Body = func(x *state.Engine, in *state.Inst, m state.Lanes) { waitFabricReads(x, in, m) }
		return out, nil
	}
	d.M.Fabric = true
	return decodeFabricCopy(d, in)
}

// submitFabric submits the operations of lanes, or those that fetch.
func submitFabric(x *state.Engine, m state.Lanes, fetching bool) {
	for _, f := range x.Warp.Flights {
		if f.Kind == state.FlightFabric && m.Has(f.Lane) && (!fetching || f.Fabric == fabricGet) {
			f.Kind = state.FlightSignal
		}
	}
}

// waitFabricReads reads the sources of the submitted operations of lanes in shared memory.
func waitFabricReads(x *state.Engine, in *state.Inst, m state.Lanes) {
	for _, f := range x.Warp.Flights {
		if f.Fabric != fabricPut || f.Kind == state.FlightFabric || !m.Has(f.Lane) || f.Copied != 0 {
			continue
		}
		flights.Read(f)
		faults.Claim(x, f.Copied, "sources of asynchronous operations")
		if x.Listener != nil {
			events.RunningEvent(x, abi.EventAsyncWait, in, 1<<f.Lane)
			events.EmitAsync(x, abi.AsyncSignals, f.Op, true)
		}
	}
}

// fabricCopy is a decoded try_get, try_put or try_red.
type fabricCopy struct {
	bulkCopy
	get               bool
	endpoint          state.Slot
	offset, counter   state.Slot // in the endpoint; counter is 0 for none
	remote, ownMemory *state.Access
	own               state.Slot // address in shared memory
}

// decodeFabricCopy decodes fabric.try_get, try_put and try_red.
func decodeFabricCopy(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	c := &fabricCopy{get: in.Has("try_get")}
	kind, handle := isa.AccessStore, in.Endpoint()
	switch {
	case c.get:
		kind = isa.AccessLoad
	case in.Has("try_red"):
		kind, c.elem = isa.AccessReduce, in.Type(0)
		if c.combine = Reduction(decode.ModOf(in, reductions...), c.elem); c.combine == nil {
			return state.Inst{}, decode.Unsupported(d, in, "%s", in.Text())
		}
	}
	c.remote = &state.Access{
		Space: isa.SpaceGlobal, Kind: kind, Size: bulkUnit, Async: abi.AsyncSignals,
		Aside: d.M.Aside(in), Silent: d.Silent || !d.M.Interest.NeedsSite(in),
	}
	if err := endpointHandle(d, in, &in.Operands[handle], c); err != nil {
		return state.Inst{}, err
	}
	kind = isa.AccessLoad
	if c.get {
		kind = isa.AccessStore
	}
	own, out, err := memory.DecodeAccess(d, in, 1-handle, kind, bulkUnit)
	if err != nil {
		return state.Inst{}, err
	}
	own.Space, own.Cluster, own.Async = isa.SpaceShared, false, abi.AsyncSignals
	c.ownMemory, c.own = own, out.A
	if c.size, err = Count(d, in, 2); err != nil {
		return state.Inst{}, err
	}
	if c.signal, err = signalAt(d, in, 3); err != nil {
		return state.Inst{}, err
	}
	c.signal.ac.Space = isa.SpaceShared
	if in.Has("cp_mask") {
		if c.byteMask, err = decode.WordOf(d, in, &in.Operands[4], isa.B16); err != nil {
			return state.Inst{}, err
		}
		c.elem = isa.B128
	}
	c.to, c.from = c.remote, c.ownMemory
	if c.get {
		c.to, c.from = c.from, c.to
	}
	return state.Inst{Body: c.exec, Flags: state.FlagVisible | state.FlagFaults | state.FlagResumable}, nil
}

// endpointHandle resolves [endpoint, offset] or [endpoint, offset, offset of the counter].
func endpointHandle(d *state.Decoder, in *rewrite.Inst, op *rewrite.Operand, c *fabricCopy) error {
	id := *op
	id.Kind, id.Elems = rewrite.OperandReg, nil
	if op.Reg == nil {
		return decode.Errorf(d, in, "%s: operand %s: expected a register with the number of the endpoint", in.Text(),
			decode.Text(d, op))
	}
	ids, err := decode.Values(d, in, []rewrite.Operand{id}, isa.U32)
	if err != nil {
		return err
	}
	offsets, err := decode.Values(d, in, op.Elems, isa.U64)
	if err != nil {
		return err
	}
	c.endpoint, c.offset = ids[0], offsets[0]
	if len(offsets) > 1 {
		c.counter = offsets[1]
	}
	return nil
}

func (c *fabricCopy) exec(x *state.Engine, in *state.Inst, m state.Lanes) {
	for ; m != 0 && x.Fault == nil; m &= m - 1 {
		c.start(x, in, m.First())
	}
}

// start starts lane i's operation.
func (c *fabricCopy) start(x *state.Engine, in *state.Inst, i int) {
	n := uint64(x.Frame.R32(c.size)[i])
	if n%bulkUnit != 0 {
		faults.Raise(x, in, i, "misaligned", 0, "copy of %d bytes, expected a multiple of %d", n, bulkUnit)
		return
	}
	remote, ok := c.within(x, in, x.Frame.R64(c.offset)[i], n, bulkUnit, i)
	if !ok {
		return
	}
	own := x.Frame.R64(c.own)[i] + c.ownMemory.Off
	to, from := remote, own
	if c.get {
		to, from = own, remote
	}
	events.BeginAsync(x)
	emitSpan(c.from, x, in, from, n, i)
	f := state.Flight{Transfer: state.Transfer{Combine: c.combine, Elem: c.elem}, Fabric: fabricGet, Bytes: n}
	if c.byteMask == 0 {
		emitSpan(c.to, x, in, to, n, i)
	} else {
		mask := uint16(x.Frame.R32(c.byteMask)[i])
		f.Combine = maskedBytes(mask)
		c.emitMasked(x, in, to, n, mask, i)
	}
	if f.From = span(c.from, x, in, from, n, i); f.From == nil {
		return
	}
	if f.To = span(c.to, x, in, to, n, i); f.To == nil || c.counter != 0 && !c.count(x, in, &f, n, i) {
		return
	}
	if !c.get {
		f.Fabric, f.Bytes = fabricPut, n/bulkUnit // PTX ISA, ".mbarrier::complete_tx::16B"
	}
	if !signals(&f, x, in, c.signal, own, false, i) {
		return
	}
	if b, ok := mbar.Unpack(*f.Signal); ok && !b.V1 {
		faults.Raise(x, in, i, "mbarrier", f.SignalAddr,
			"an operation on a logical endpoint completes on an mbarrier of layout::v0, expected layout::v1")
		return
	}
	f.Kind = state.FlightFabric
	StartFlight(x, in, f, i)
}

// within returns the address of n bytes at an offset of lane i's endpoint.
func (c *fabricCopy) within(x *state.Engine, in *state.Inst, offset, n, align uint64, i int) (addr uint64, ok bool) {
	id := x.Frame.R32(c.endpoint)[i]
	e, ok := x.M.Dev.Endpoints[id]
	switch {
	case !ok:
		faults.Raise(x, in, i, "unsupported", 0,
			"there is no logical endpoint %d on this device: endpoints of other devices are not emulated", id)
	case offset%align != 0:
		faults.Raise(x, in, i, "misaligned", 0, "offset 0x%x in logical endpoint %d, expected a multiple of %d", offset,
			id,
			align)
	case n > e.Size || offset > e.Size-n:
		faults.Raise(x, in, i, "out-of-bounds", 0, "%s of %d bytes at offset 0x%x of logical endpoint %d, which has %s",
			c.remote.Kind.Word(), n, offset, id, diag.Plural(int(e.Size), "byte"))
	default:
		return c.bound(x, in, e, offset, n, i)
	}
	return 0, false
}

// bound returns the address of n bytes that are within an endpoint.
func (c *fabricCopy) bound(x *state.Engine, in *state.Inst, e *state.Endpoint, offset, n uint64,
	i int,
) (addr uint64, ok bool) {
	addr, all := at(e, offset, n)
	what := fmt.Sprintf("%s of %d bytes at offset 0x%x of logical endpoint %d", c.remote.Kind.Word(), n, offset,
		x.Frame.R32(c.endpoint)[i])
	switch {
	case !all:
		faults.Raise(x, in, i, "out-of-bounds", 0,
			"%s, where no memory is bound (cuLogicalEndpointBindMem, cuLogicalEndpointBindAddr)", what)
	case addr == 0:
		faults.Raise(x, in, i, "unsupported", 0,
			"%s: the memory bound there is not mapped for access in one piece (cuMemMap, cuMemSetAccess)", what)
	}
	return addr, addr != 0
}

// counterAlign is the alignment of the counter of .counted::bytes, which has eight bytes.
const counterAlign, counterBytes = 256, 8

// count makes an operation of n bytes add n to its counter when it is complete (PTX ISA 9.3, "Counted completion
// mechanism").
func (c *fabricCopy) count(x *state.Engine, in *state.Inst, f *state.Flight, n uint64, i int) bool {
	offset := x.Frame.R64(c.counter)[i]
	at, ok := c.within(x, in, offset, counterBytes, counterAlign, i)
	if !ok {
		return false
	}
	if data := x.Frame.R64(c.offset)[i]; offset < data+n && data < offset+counterBytes {
		faults.Raise(x, in, i, "out-of-bounds", at, "the counter at offset 0x%x overlaps the data", offset)
		return false
	}
	counter := *c.remote
	counter.Kind, counter.Size = isa.AccessReduce, counterBytes
	emitSpan(&counter, x, in, at, counterBytes, i)
	p := span(&counter, x, in, at, counterBytes, i)
	f.Parts = []state.Transfer{{
		To: p, From: binary.LittleEndian.AppendUint64(nil, n), Combine: Reduction("add", isa.U64),
		Elem: isa.U64,
	}}
	return p != nil
}

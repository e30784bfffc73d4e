// Asynchronous operations on logical endpoints: fabric.

package emu

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/mbar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// semFabric is the semantics of fabric (PTX ISA 9.3, "Fabric Instructions"). An operation is in flight until a thread
// waits for it after it has been submitted, at the latest until no group can run.
var semFabric = map[string]decodeFunc{"fabric": decodeFabric}

// Endpoint is a unicast logical endpoint of a device, which supports counted completion. Memory is what is bound to it;
// where several parts have an offset, the first counts.
type Endpoint struct {
	Size   uint64
	Memory []EndpointMemory
}

// EndpointMemory is device memory that is bound at an offset of an endpoint. Addr is 0 for memory without an address.
type EndpointMemory struct{ Offset, Addr, Size uint64 }

// SetEndpoint makes or changes the logical endpoint of a number, as cuLogicalEndpointCreate and
// cuLogicalEndpointBindMem of the CUDA driver do; nil destroys it.
func (d *Device) SetEndpoint(id uint32, e *Endpoint) {
	if e == nil {
		delete(d.endpoints, id)
		return
	}
	if d.endpoints == nil {
		d.endpoints = make(map[uint32]*Endpoint)
	}
	d.endpoints[id] = e
}

// memory returns the memory at an offset, nil if none is bound there.
func (e *Endpoint) memory(offset uint64) *EndpointMemory {
	i := slices.IndexFunc(e.Memory, func(m EndpointMemory) bool { return offset-m.Offset < m.Size })
	if i < 0 {
		return nil
	}
	return &e.Memory[i]
}

// at returns the address of n bytes at an offset, 0 if they have not one address, and whether memory is bound to all of
// them.
func (e *Endpoint) at(offset, n uint64) (addr uint64, bound bool) {
	end := offset + max(n, 1)
	for at := offset; at < end; {
		m := e.memory(at)
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

// fabricWay says whether an operation reads or writes an endpoint.
type fabricWay uint8

const (
	notFabric fabricWay = iota
	fabricGet
	fabricPut // or reduces
)

func decodeFabric(d *decoder, in *rewrite.Inst) (inst, error) {
	out := inst{flags: flagVisible | flagFaults}
	switch {
	case in.Has("submit"):
		fetching := in.Has("op_restrict::fetching")
		out.body = func(x *engine, _ *inst, m lanes) { x.submitFabric(m, fetching) }
		return out, nil
	case in.Has("wait"):
		out.body = func(x *engine, in *inst, m lanes) { x.waitFabricReads(in, m) }
		return out, nil
	}
	d.m.fabric = true
	return d.fabricCopy(in)
}

// submitFabric submits the operations of lanes, or those that fetch.
func (x *engine) submitFabric(m lanes, fetching bool) {
	for _, f := range x.warp.flights {
		if f.kind == flightFabric && m.has(f.lane) && (!fetching || f.fabric == fabricGet) {
			f.kind = flightSignal
		}
	}
}

// waitFabricReads reads the sources of the submitted operations of lanes in shared memory.
func (x *engine) waitFabricReads(in *inst, m lanes) {
	for _, f := range x.warp.flights {
		if f.fabric != fabricPut || f.kind == flightFabric || !m.has(f.lane) || f.copied != 0 {
			continue
		}
		f.read()
		x.claim(f.copied, "sources of asynchronous operations")
		if x.listener != nil {
			x.runningEvent(abi.EventAsyncWait, in, 1<<f.lane)
			x.emitAsync(abi.AsyncSignals, f.op, true)
		}
	}
}

// refuseUnsubmitted raises a fault for an operation that its thread has not submitted when its block ends.
func (x *engine) refuseUnsubmitted(c *cta) {
	for _, w := range c.warps {
		for _, f := range w.flights {
			if f.kind == flightFabric {
				x.fail(w, f.lane, f.at, "mbarrier", 0,
					"the block ends before the thread has submitted this operation with fabric.submit")
				return
			}
		}
	}
}

// fabricCopy is a decoded try_get, try_put or try_red.
type fabricCopy struct {
	bulkCopy
	get               bool
	endpoint          slot
	offset, counter   slot // in the endpoint; counter is 0 for none
	remote, ownMemory *access
	own               slot // address in shared memory
}

// fabricCopy decodes fabric.try_get, try_put and try_red.
func (d *decoder) fabricCopy(in *rewrite.Inst) (inst, error) {
	c := &fabricCopy{get: in.Has("try_get")}
	kind, handle := isa.AccessStore, in.Endpoint()
	switch {
	case c.get:
		kind = isa.AccessLoad
	case in.Has("try_red"):
		kind, c.elem = isa.AccessReduce, in.Type(0)
		if c.combine = reduction(modOf(in, reductions...), c.elem); c.combine == nil {
			return inst{}, d.unsupported(in, "%s", in.Text())
		}
	}
	c.remote = &access{
		space: isa.SpaceGlobal, kind: kind, size: bulkUnit, async: abi.AsyncSignals,
		aside: d.m.aside(in), silent: d.silent || !d.m.interest.NeedsSite(in),
	}
	if err := d.endpointHandle(in, &in.Operands[handle], c); err != nil {
		return inst{}, err
	}
	kind = isa.AccessLoad
	if c.get {
		kind = isa.AccessStore
	}
	own, out, err := d.decodeAccess(in, 1-handle, kind, bulkUnit)
	if err != nil {
		return inst{}, err
	}
	own.space, own.cluster, own.async = isa.SpaceShared, false, abi.AsyncSignals
	c.ownMemory, c.own = own, out.a
	if c.size, err = d.count(in, 2); err != nil {
		return inst{}, err
	}
	if c.signal, err = d.signalAt(in, 3); err != nil {
		return inst{}, err
	}
	c.signal.ac.space = isa.SpaceShared
	if in.Has("cp_mask") {
		if c.byteMask, err = d.word(in, &in.Operands[4], isa.B16); err != nil {
			return inst{}, err
		}
		c.elem = isa.B128
	}
	c.to, c.from = c.remote, c.ownMemory
	if c.get {
		c.to, c.from = c.from, c.to
	}
	return inst{body: c.exec, flags: flagVisible | flagFaults | flagResumable}, nil
}

// endpointHandle resolves [endpoint, offset] or [endpoint, offset, offset of the counter].
func (d *decoder) endpointHandle(in *rewrite.Inst, op *rewrite.Operand, c *fabricCopy) error {
	id := *op
	id.Kind, id.Elems = rewrite.OperandReg, nil
	if op.Reg == nil {
		return d.errorf(in, "%s: operand %s: expected a register with the number of the endpoint", in.Text(),
			d.text(op))
	}
	ids, err := d.values(in, []rewrite.Operand{id}, isa.U32)
	if err != nil {
		return err
	}
	offsets, err := d.values(in, op.Elems, isa.U64)
	if err != nil {
		return err
	}
	c.endpoint, c.offset = ids[0], offsets[0]
	if len(offsets) > 1 {
		c.counter = offsets[1]
	}
	return nil
}

func (c *fabricCopy) exec(x *engine, in *inst, m lanes) {
	for ; m != 0 && x.fault == nil; m &= m - 1 {
		c.start(x, in, m.first())
	}
}

// start starts lane i's operation.
func (c *fabricCopy) start(x *engine, in *inst, i int) {
	n := uint64(x.frame.r32(c.size)[i])
	if n%bulkUnit != 0 {
		x.raise(in, i, "misaligned", 0, "copy of %d bytes, expected a multiple of %d", n, bulkUnit)
		return
	}
	remote, ok := c.within(x, in, x.frame.r64(c.offset)[i], n, bulkUnit, i)
	if !ok {
		return
	}
	own := x.frame.r64(c.own)[i] + c.ownMemory.off
	to, from := remote, own
	if c.get {
		to, from = own, remote
	}
	x.beginAsync()
	c.from.emitSpan(x, in, from, n, i)
	f := flight{transfer: transfer{combine: c.combine, elem: c.elem}, fabric: fabricGet, bytes: n}
	if c.byteMask == 0 {
		c.to.emitSpan(x, in, to, n, i)
	} else {
		mask := uint16(x.frame.r32(c.byteMask)[i])
		f.combine = maskedBytes(mask)
		c.emitMasked(x, in, to, n, mask, i)
	}
	if f.from = c.from.span(x, in, from, n, i); f.from == nil {
		return
	}
	if f.to = c.to.span(x, in, to, n, i); f.to == nil || c.counter != 0 && !c.count(x, in, &f, n, i) {
		return
	}
	if !c.get {
		f.fabric, f.bytes = fabricPut, n/bulkUnit // PTX ISA, ".mbarrier::complete_tx::16B"
	}
	if !f.signals(x, in, c.signal, own, false, i) {
		return
	}
	if b, ok := mbar.Unpack(*f.signal); ok && !b.V1 {
		x.raise(in, i, "mbarrier", f.signalAddr,
			"an operation on a logical endpoint completes on an mbarrier of layout::v0, expected layout::v1")
		return
	}
	f.kind = flightFabric
	x.startFlight(in, f, i)
}

// within returns the address of n bytes at an offset of lane i's endpoint.
func (c *fabricCopy) within(x *engine, in *inst, offset, n, align uint64, i int) (addr uint64, ok bool) {
	id := x.frame.r32(c.endpoint)[i]
	e, ok := x.m.dev.endpoints[id]
	switch {
	case !ok:
		x.raise(in, i, "unsupported", 0,
			"there is no logical endpoint %d on this device: endpoints of other devices are not emulated", id)
	case offset%align != 0:
		x.raise(in, i, "misaligned", 0, "offset 0x%x in logical endpoint %d, expected a multiple of %d", offset, id,
			align)
	case n > e.Size || offset > e.Size-n:
		x.raise(in, i, "out-of-bounds", 0, "%s of %d bytes at offset 0x%x of logical endpoint %d, which has %s",
			c.remote.kind.Word(), n, offset, id, diag.Plural(int(e.Size), "byte"))
	default:
		return c.bound(x, in, e, offset, n, i)
	}
	return 0, false
}

// bound returns the address of n bytes that are within an endpoint.
func (c *fabricCopy) bound(x *engine, in *inst, e *Endpoint, offset, n uint64, i int) (addr uint64, ok bool) {
	addr, all := e.at(offset, n)
	what := fmt.Sprintf("%s of %d bytes at offset 0x%x of logical endpoint %d", c.remote.kind.Word(), n, offset,
		x.frame.r32(c.endpoint)[i])
	switch {
	case !all:
		x.raise(in, i, "out-of-bounds", 0,
			"%s, where no memory is bound (cuLogicalEndpointBindMem, cuLogicalEndpointBindAddr)", what)
	case addr == 0:
		x.raise(in, i, "unsupported", 0,
			"%s: the memory bound there is not mapped for access in one piece (cuMemMap, cuMemSetAccess)", what)
	}
	return addr, addr != 0
}

// counterAlign is the alignment of the counter of .counted::bytes, which has eight bytes.
const counterAlign, counterBytes = 256, 8

// count makes an operation of n bytes add n to its counter when it is complete (PTX ISA 9.3, "Counted completion
// mechanism").
func (c *fabricCopy) count(x *engine, in *inst, f *flight, n uint64, i int) bool {
	offset := x.frame.r64(c.counter)[i]
	at, ok := c.within(x, in, offset, counterBytes, counterAlign, i)
	if !ok {
		return false
	}
	if data := x.frame.r64(c.offset)[i]; offset < data+n && data < offset+counterBytes {
		x.raise(in, i, "out-of-bounds", at, "the counter at offset 0x%x overlaps the data", offset)
		return false
	}
	counter := *c.remote
	counter.kind, counter.size = isa.AccessReduce, counterBytes
	counter.emitSpan(x, in, at, counterBytes, i)
	p := counter.span(x, in, at, counterBytes, i)
	f.parts = []transfer{{
		to: p, from: binary.LittleEndian.AppendUint64(nil, n), combine: reduction("add", isa.U64),
		elem: isa.U64,
	}}
	return p != nil
}

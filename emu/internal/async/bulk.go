// Bulk copies and reductions: cp.async.bulk, cp.reduce.async.bulk, st.bulk.

package async

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/faults"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/mbar"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/num"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// Bulk copies and reductions: cp.async.bulk and cp.reduce.async.bulk between
// global and shared memory (PTX ISA, "cp.async.bulk", "cp.reduce.async.bulk").

// bulkUnit is the unit in bytes of the sizes and addresses of bulk copies.
const bulkUnit = 16

// bulkCopy is a decoded instruction. Every lane starts a separate copy.
type bulkCopy struct {
	to, from *state.Access
	dst, src state.Slot    // addresses
	size     state.Slot    // bytes
	ignored  [2]state.Slot // bytes at the beginning and at the end of the source that may be outside of the memory (.ignore_oob); 0 for none
	signal   *signal
	looks    mbar.Pattern
	replicas bool                             // the destination is all replicas behind a multicast address
	ctaMask  memory.CTAMask                   // ranks of the destinations; none: taken from the address
	byteMask state.Slot                       // mask of copied bytes in each unit; 0: all bytes are copied
	combine  func(old, v [2]uint64) [2]uint64 // as in transfer
	elem     isa.Type
}

// BulkCopy decodes cp.async.bulk and cp.reduce.async.bulk, and those of multimem.
func BulkCopy(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	c := &bulkCopy{replicas: in.Instr.Name == "multimem"}
	if in.Has("reduce") {
		c.elem = in.Type(0)
		if c.combine = Reduction(decode.ModOf(in, reductions...), c.elem); c.combine == nil {
			return state.Inst{}, decode.Unsupported(d, in, "%s", in.Text())
		}
	}
	if err := bulkSides(d, in, c); err != nil {
		return state.Inst{}, err
	}
	var err error
	if c.size, err = Count(d, in, 2); err != nil {
		return state.Inst{}, err
	}
	rest := 3
	if in.Has("ignore_oob") {
		for k := range c.ignored {
			if c.ignored[k], err = Count(d, in, rest+k); err != nil {
				return state.Inst{}, err
			}
		}
		rest += len(c.ignored)
	}
	if in.Has("mbarrier::complete_tx::bytes") {
		if c.signal, err = signalAt(d, in, rest); err != nil {
			return state.Inst{}, err
		}
		c.signal.ac.Space, c.looks = isa.SpaceShared, mbar.PatternOf(in.Mod("report"))
	}
	c.to.Async, c.from.Async = abi.AsyncBulk, abi.AsyncBulk
	if c.signal != nil {
		c.to.Async, c.from.Async = abi.AsyncSignals, abi.AsyncSignals
	}
	if c.ctaMask, err = memory.DecodeCTAMask(d, in); err != nil {
		return state.Inst{}, err
	}
	if in.Has("cp_mask") {
		mask, err := decode.WordOf(d, in, &in.Operands[len(in.Operands)-1], isa.B16)
		if err != nil {
			return state.Inst{}, err
		}
		c.byteMask, c.elem = mask, isa.B128
	}
	c.from.Carried = c.combine == nil && c.byteMask == 0
	return state.Inst{Body: c.exec, Flags: state.FlagVisible | state.FlagFaults | state.FlagResumable}, nil
}

// bulkSides resolves the state spaces of the destination and of the source of a bulk copy. The instruction has them as
// modifiers, the destination first.
func bulkSides(d *state.Decoder, in *rewrite.Inst, c *bulkCopy) error {
	var spaces []string
	for _, m := range in.Mods {
		if m == "global" || m == "shared::cta" || m == "shared::cluster" {
			spaces = append(spaces, m)
		}
	}
	if len(spaces) != 2 {
		return decode.Unsupported(d, in, "%s", in.Text())
	}
	side := func(i int, kind isa.AccessKind) (*state.Access, state.Slot, error) {
		ac, out, err := memory.DecodeAccess(d, in, i, kind, bulkUnit)
		if err != nil {
			return nil, 0, err
		}
		ac.Space, ac.Cluster = isa.SpaceShared, spaces[i] == "shared::cluster"
		if spaces[i] == "global" {
			ac.Space = isa.SpaceGlobal
		}
		return ac, out.A, nil
	}
	var err error
	kind := isa.AccessStore
	if c.combine != nil {
		kind = isa.AccessReduce
	}
	if c.to, c.dst, err = side(0, kind); err != nil {
		return err
	}
	c.from, c.src, err = side(1, isa.AccessLoad)
	return err
}

func (c *bulkCopy) exec(x *state.Engine, in *state.Inst, m state.Lanes) {
	dst, src, size := x.Frame.R64(c.dst), x.Frame.R64(c.src), x.Frame.R32(c.size)
	for ; m != 0 && x.Fault == nil; m &= m - 1 {
		i := m.First()
		n := uint64(size[i])
		if n%bulkUnit != 0 {
			faults.Raise(x, in, i, "misaligned", 0, "bulk copy of %d bytes, expected a multiple of %d", n, bulkUnit)
			return
		}
		from := c.source(x, in, src[i]+c.from.Off, n, i)
		if from.bytes == nil {
			return
		}
		address := dst[i] + c.to.Off
		for _, to := range c.destinations(x, in, address, n, i) {
			if x.Fault != nil {
				return
			}
			if c.replicas {
				x.M.Dev.Mem.AsOwner(address, to, func() { c.deliver(x, in, to, from, i) })
				continue
			}
			c.deliver(x, in, to, from, i)
		}
	}
}

// destinations returns the addresses to which lane i copies n bytes, given the one that it names; none after a fault.
func (c *bulkCopy) destinations(x *state.Engine, in *state.Inst, to, n uint64, i int) (list []uint64) {
	switch {
	case c.replicas:
		replicas, why := x.M.Dev.Mem.Behind(to, n)
		if why != "" {
			faults.Raise(x, in, i, "out-of-bounds", to, "%d bytes at address 0x%x, which %s", n, to, why)
		}
		return replicas
	case c.ctaMask.Slot == 0:
		return append(list, to)
	}
	for ranks := c.ctaMask.Of(x, i); ranks != 0; ranks &= ranks - 1 {
		list = append(list, memory.ToRank(to, uint32(ranks.First())))
	}
	return list
}

// bulkSource is the source of a lane's copy of n bytes: all of them, or with .ignore_oob those between the ignored
// bytes.
type bulkSource struct {
	bytes   []byte
	n, left uint64 // left: number of ignored bytes before them
}

// source returns the source of lane i's copy of n bytes from an address; without bytes after a fault.
func (c *bulkCopy) source(x *state.Engine, in *state.Inst, addr, n uint64, i int) bulkSource {
	from := bulkSource{n: n}
	if c.ignored[0] == 0 {
		from.bytes = span(c.from, x, in, addr, n, i)
		return from
	}
	left, right := uint64(x.Frame.R32(c.ignored[0])[i]), uint64(x.Frame.R32(c.ignored[1])[i])
	if max(left, right) >= bulkUnit || left+right > n {
		faults.Raise(x, in, i, "out-of-bounds", events.Generic(c.from, addr),
			"%d and %d ignored bytes of a copy of %d, expected at most %d and no more than the copy has", left, right,
			n, bulkUnit-1)
		return from
	}
	if from.left = left; aligned(c.from, x, in, addr, i) {
		from.bytes = reach(c.from, x, in, addr+left, n-left-right, i)
	}
	return from
}

// deliver starts the copy to one destination. It is called for each destination of a multicast copy, and the copy to a
// CTA signals the mbarrier of that CTA. With .ignore_oob the manual leaves open what the first and last bytes of the
// destination contain. Here they keep their values, and the listener is notified of a write of all bytes.
func (c *bulkCopy) deliver(x *state.Engine, in *state.Inst, to uint64, from bulkSource, i int) {
	n, read := from.n, uint64(len(from.bytes))
	events.BeginAsync(x)
	emitSpan(c.from, x, in, x.Frame.R64(c.src)[i]+c.from.Off+from.left, read, i)
	combine := c.combine
	if c.byteMask == 0 {
		emitSpan(c.to, x, in, to, n, i)
	} else {
		mask := uint16(x.Frame.R32(c.byteMask)[i])
		combine = maskedBytes(mask)
		c.emitMasked(x, in, to, n, mask, i)
	}
	if !aligned(c.to, x, in, to, i) || within(c.to, x, in, to, n, i) == nil {
		return
	}
	p := reach(c.to, x, in, to+from.left, read, i)
	if p == nil {
		return
	}
	memory.Carry(x, in, c.to, to+from.left, c.from, x.Frame.R64(c.src)[i]+c.from.Off+from.left, read, i)
	f := state.Flight{
		Transfer: state.Transfer{To: p, From: from.bytes, Combine: combine, Elem: c.elem}, Kind: state.FlightBulk,
		Bytes: n,
		Looks: c.looks,
	}
	f.Source = x.Frame.R64(c.src)[i] + c.from.Off + from.left
	if c.signal == nil || signals(&f, x, in, c.signal, to, c.ctaMask.Slot != 0, i) {
		StartFlight(x, in, f, i)
	}
}

// signals makes lane i's copy to a shared address complete on an mbarrier: for multicast, on that of the destination
// block. It returns false after a fault.
func signals(f *state.Flight, x *state.Engine, in *state.Inst, signal *signal, to uint64, multicast bool, i int) bool {
	addr, ok := signal.addr(x, in, i)
	if !ok {
		return false
	}
	if multicast {
		addr = memory.ToRank(addr, state.RankOf(to))
	}
	f.Kind, f.SignalAddr = state.FlightSignal, gmem.SharedWindow+addr
	f.Signal = signal.object(x, in, addr, i)
	return f.Signal != nil
}

// maskedBytes returns the function that merges a source unit v of 16 bytes into a destination unit old: byte k comes
// from v if bit k of the mask is 1, and from old otherwise (PTX ISA, cp.async.bulk, .cp_mask).
func maskedBytes(mask uint16) func(old, v [2]uint64) [2]uint64 {
	var keep [2]uint64
	for k := range bulkUnit {
		if mask>>k&1 == 0 {
			keep[k/8] |= 0xff << (k % 8 * 8)
		}
	}
	return func(old, v [2]uint64) [2]uint64 {
		return [2]uint64{old[0]&keep[0] | v[0]&^keep[0], old[1]&keep[1] | v[1]&^keep[1]}
	}
}

// emitMasked emits the write of lane i's copy of n bytes, one access for each run of bytes in the mask.
func (c *bulkCopy) emitMasked(x *state.Engine, in *state.Inst, to, n uint64, mask uint16, i int) {
	if mask == 1<<bulkUnit-1 {
		emitSpan(c.to, x, in, to, n, i)
		return
	}
	if events.Ignored(&x.Emitter, c.to) {
		return
	}
	runs, _ := x.NoRuns()
	for unit := uint64(0); unit < n; unit += bulkUnit {
		for rest := uint64(mask); rest != 0; {
			first := uint64(bits.TrailingZeros64(rest))
			run := uint64(bits.TrailingZeros64(^(rest >> first)))
			runs.Add(events.Generic(c.to, to+unit+first), run)
			rest &^= (1<<run - 1) << first
		}
	}
	events.EmitRuns(x, in, c.to, *runs, i)
}

// emitSpan emits lane i's access to n bytes.
func emitSpan(ac *state.Access, x *state.Engine, in *state.Inst, addr, n uint64, i int) {
	if !events.Ignored(&x.Emitter, ac) {
		runs, _ := x.NoRuns()
		runs.Add(events.Generic(ac, addr), n)
		events.EmitRuns(x, in, ac, *runs, i)
	}
}

// span returns n bytes of memory at an address of the access's space, nil after raising a fault.
func span(ac *state.Access, x *state.Engine, in *state.Inst, addr, n uint64, i int) []byte {
	if !aligned(ac, x, in, addr, i) {
		return nil
	}
	return reach(ac, x, in, addr, n, i)
}

// aligned raises a fault for an address that is not a multiple of bulkUnit.
func aligned(ac *state.Access, x *state.Engine, in *state.Inst, addr uint64, i int) bool {
	if addr%bulkUnit != 0 {
		faults.Raise(x, in, i, "misaligned", events.Generic(ac, addr),
			"misaligned bulk %s at %s address 0x%x, expected a multiple of %d", ac.Kind.Word(), ac.Space, addr,
			bulkUnit)
		return false
	}
	return true
}

// reach is span without the alignment check.
func reach(ac *state.Access, x *state.Engine, in *state.Inst, addr, n uint64, i int) []byte {
	if ac.Space == isa.SpaceShared {
		addr &= 1<<gmem.SlotBits - 1
	}
	b := within(ac, x, in, addr, n, i)
	if b != nil && x.M.Cfg.Uninitialised && n > 0 {
		memory.TrackSpan(ac, x, in, addr, n, i)
	}
	return b
}

// within is reach for bytes that are not accessed.
func within(ac *state.Access, x *state.Engine, in *state.Inst, addr, n uint64, i int) []byte {
	var b []byte
	var bad *diag.Violation
	if ac.Space == isa.SpaceShared {
		addr &= 1<<gmem.SlotBits - 1
		b, bad = memory.SharedOf(x, addr, n, !ac.Cluster)
	} else {
		var a *gmem.Allocation
		if a, bad = x.M.Dev.Mem.Check(addr, n); bad == nil {
			b = a.Data[addr-a.Base:][:n]
			if ac.Booked != nil {
				memory.Verify(ac.Booked, x, a)
			}
			if a.Readonly && ac.Kind != isa.AccessLoad {
				x.M.Dev.Mem.WriteConstant(a, x.L, addr-a.Base, n)
			}
		}
	}
	if bad != nil {
		faults.Raise(x, in, i, bad.Class, events.Generic(ac, addr), "%s of %d bytes at %s address 0x%x, which %s",
			ac.Kind.Word(), n,
			ac.Space, addr, bad.Msg)
		return nil
	}
	return b
}

// reductions are the modifiers for the operations of asynchronous reductions.
var reductions = []string{"add", "min", "max", "inc", "dec", "and", "or", "xor"}

// Reduction returns an operation on one element, nil if there is none.
func Reduction(op string, t isa.Type) func(old, v [2]uint64) [2]uint64 {
	switch t {
	case isa.U32, isa.B32:
		return wordReduction[uint32](op)
	case isa.S32:
		return wordReduction[int32](op)
	case isa.U64, isa.B64:
		return wordReduction[uint64](op)
	case isa.S64:
		return wordReduction[int64](op)
	case isa.F64:
		return func(old, v [2]uint64) [2]uint64 { return [2]uint64{num.AddF64(old[0], v[0], num.RN)} }
	}
	fn := VectorAtomicOp(op, t)
	if fn == nil {
		return nil
	}
	return func(old, v [2]uint64) [2]uint64 { return fn(old, v, v) }
}

// wordReduction returns an operation on one integer.
func wordReduction[T Stored](op string) func(old, v [2]uint64) [2]uint64 {
	fn := WordAtomicOp[T](op)
	if fn == nil {
		return nil
	}
	return func(old, v [2]uint64) [2]uint64 { return [2]uint64{uint64(fn(T(old[0]), T(v[0]), 0))} }
}

// maxBulk is the greatest size of st.bulk, in bytes (PTX ISA, st.bulk).
const maxBulk = 16777216

// BulkStore decodes st.bulk{.weak}{.shared::cta} [a], size, 0, which clears shared memory; the emulator does so eight
// bytes at a time.
func BulkStore(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	if zero := &in.Operands[2]; zero.Kind != rewrite.OperandImm || zero.Imm != 0 {
		return state.Inst{}, decode.Errorf(d, in, "%s: initial value %s, expected 0", in.Text(), decode.Text(d, zero))
	}
	size, err := decode.Value(d, in, &in.Operands[1], isa.U64)
	if err != nil {
		return state.Inst{}, err
	}
	const step = 8
	ac, out, err := memory.DecodeAccess(d, in, 0, isa.AccessStore, step)
	if err != nil {
		return state.Inst{}, err
	}
	out.Body = func(x *state.Engine, in *state.Inst, m state.Lanes) {
		w := memory.Window(ac, x)
		a := x.Frame.R64(in.A)
		for ; m != 0; m &= m - 1 {
			i := m.First()
			n := x.Frame.Word(size.Slot, size.Wide(), i)
			if n%step != 0 || n > maxBulk {
				faults.Raise(x, in, i, "out-of-bounds", events.Generic(ac, a[i]+ac.Off),
					"st.bulk of %d bytes, expected a multiple of %d up to %d", n, step, maxBulk)
				return
			}
			emitSpan(ac, x, in, a[i]+ac.Off, n, i)
			for at := uint64(0); at < n; at += step {
				p := (*uint64)(memory.Locate(ac, x, in, &w, a[i]+ac.Off+at, i))
				if p == nil {
					return
				}
				if *p != 0 {
					*p = 0
					x.Wrote()
				}
			}
		}
	}
	return out, nil
}

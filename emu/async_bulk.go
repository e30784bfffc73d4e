// Bulk copies and reductions: cp.async.bulk, cp.reduce.async.bulk, st.bulk.

package emu

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/emu/internal/diag"
	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/emu/internal/mbar"
	"github.com/ptxsan/ptxsan/emu/internal/num"
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
	to, from *access
	dst, src slot    // addresses
	size     slot    // bytes
	ignored  [2]slot // bytes at the beginning and at the end of the source that may be outside of the memory (.ignore_oob); 0 for none
	signal   *signal
	looks    mbar.Pattern
	ctaMask  ctaMask                          // ranks of the destinations; none: taken from the address
	byteMask slot                             // mask of copied bytes in each unit; 0: all bytes are copied
	combine  func(old, v [2]uint64) [2]uint64 // as in transfer
	elem     isa.Type
}

// bulkCopy decodes cp.async.bulk and cp.reduce.async.bulk.
func (d *decoder) bulkCopy(in *rewrite.Inst) (inst, error) {
	c := &bulkCopy{}
	if in.Has("reduce") {
		c.elem = in.Type(0)
		if c.combine = reduction(modOf(in, reductions...), c.elem); c.combine == nil {
			return inst{}, d.unsupported(in, "%s", in.Text())
		}
	}
	if err := d.bulkSides(in, c); err != nil {
		return inst{}, err
	}
	var err error
	if c.size, err = d.count(in, 2); err != nil {
		return inst{}, err
	}
	rest := 3
	if in.Has("ignore_oob") {
		for k := range c.ignored {
			if c.ignored[k], err = d.count(in, rest+k); err != nil {
				return inst{}, err
			}
		}
		rest += len(c.ignored)
	}
	if in.Has("mbarrier::complete_tx::bytes") {
		if c.signal, err = d.signalAt(in, rest); err != nil {
			return inst{}, err
		}
		c.signal.ac.space, c.looks = isa.SpaceShared, mbar.PatternOf(in.Mod("report"))
	}
	c.to.async, c.from.async = abi.AsyncBulk, abi.AsyncBulk
	if c.signal != nil {
		c.to.async, c.from.async = abi.AsyncSignals, abi.AsyncSignals
	}
	if c.ctaMask, err = d.ctaMask(in); err != nil {
		return inst{}, err
	}
	if in.Has("cp_mask") {
		mask, err := d.word(in, &in.Operands[len(in.Operands)-1], isa.B16)
		if err != nil {
			return inst{}, err
		}
		c.byteMask, c.elem = mask, isa.B128
	}
	c.from.carried = c.combine == nil && c.byteMask == 0
	return inst{body: c.exec, flags: flagVisible | flagFaults | flagResumable}, nil
}

// bulkSides resolves the state spaces of the destination and of the source of a bulk copy. The instruction has them as
// modifiers, the destination first.
func (d *decoder) bulkSides(in *rewrite.Inst, c *bulkCopy) error {
	var spaces []string
	for _, m := range in.Mods {
		if m == "global" || m == "shared::cta" || m == "shared::cluster" {
			spaces = append(spaces, m)
		}
	}
	if len(spaces) != 2 {
		return d.unsupported(in, "%s", in.Text())
	}
	side := func(i int, kind isa.AccessKind) (*access, slot, error) {
		ac, out, err := d.decodeAccess(in, i, kind, bulkUnit)
		if err != nil {
			return nil, 0, err
		}
		ac.space, ac.cluster = isa.SpaceShared, spaces[i] == "shared::cluster"
		if spaces[i] == "global" {
			ac.space = isa.SpaceGlobal
		}
		return ac, out.a, nil
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

func (c *bulkCopy) exec(x *engine, in *inst, m lanes) {
	dst, src, size := x.frame.r64(c.dst), x.frame.r64(c.src), x.frame.r32(c.size)
	for ; m != 0 && x.fault == nil; m &= m - 1 {
		i := m.first()
		n := uint64(size[i])
		if n%bulkUnit != 0 {
			x.raise(in, i, "misaligned", 0, "bulk copy of %d bytes, expected a multiple of %d", n, bulkUnit)
			return
		}
		from := c.source(x, in, src[i]+c.from.off, n, i)
		if from.bytes == nil {
			return
		}
		to := dst[i] + c.to.off
		if c.ctaMask.slot == 0 {
			c.deliver(x, in, to, from, i)
			continue
		}
		for ranks := c.ctaMask.of(x, i); ranks != 0 && x.fault == nil; ranks &= ranks - 1 {
			c.deliver(x, in, toRank(to, uint32(ranks.first())), from, i)
		}
	}
}

// bulkSource is the source of a lane's copy of n bytes: all of them, or with .ignore_oob those between the ignored
// bytes.
type bulkSource struct {
	bytes   []byte
	n, left uint64 // left: number of ignored bytes before them
}

// source returns the source of lane i's copy of n bytes from an address; without bytes after a fault.
func (c *bulkCopy) source(x *engine, in *inst, addr, n uint64, i int) bulkSource {
	from := bulkSource{n: n}
	if c.ignored[0] == 0 {
		from.bytes = c.from.span(x, in, addr, n, i)
		return from
	}
	left, right := uint64(x.frame.r32(c.ignored[0])[i]), uint64(x.frame.r32(c.ignored[1])[i])
	if max(left, right) >= bulkUnit || left+right > n {
		x.raise(in, i, "out-of-bounds", c.from.generic(addr),
			"%d and %d ignored bytes of a copy of %d, expected at most %d and no more than the copy has", left, right,
			n, bulkUnit-1)
		return from
	}
	if from.left = left; c.from.aligned(x, in, addr, i) {
		from.bytes = c.from.reach(x, in, addr+left, n-left-right, i)
	}
	return from
}

// deliver starts the copy to one destination. It is called for each destination of a multicast copy, and the copy to a
// CTA signals the mbarrier of that CTA. With .ignore_oob the manual leaves open what the first and last bytes of the
// destination contain. Here they keep their values, and the listener is notified of a write of all bytes.
func (c *bulkCopy) deliver(x *engine, in *inst, to uint64, from bulkSource, i int) {
	n, read := from.n, uint64(len(from.bytes))
	x.beginAsync()
	c.from.emitSpan(x, in, x.frame.r64(c.src)[i]+c.from.off+from.left, read, i)
	combine := c.combine
	if c.byteMask == 0 {
		c.to.emitSpan(x, in, to, n, i)
	} else {
		mask := uint16(x.frame.r32(c.byteMask)[i])
		combine = maskedBytes(mask)
		c.emitMasked(x, in, to, n, mask, i)
	}
	if !c.to.aligned(x, in, to, i) || c.to.within(x, in, to, n, i) == nil {
		return
	}
	p := c.to.reach(x, in, to+from.left, read, i)
	if p == nil {
		return
	}
	x.carry(in, c.to, to+from.left, c.from, x.frame.r64(c.src)[i]+c.from.off+from.left, read, i)
	f := flight{
		transfer: transfer{to: p, from: from.bytes, combine: combine, elem: c.elem}, kind: flightBulk, bytes: n,
		looks: c.looks,
	}
	f.source = x.frame.r64(c.src)[i] + c.from.off + from.left
	if c.signal == nil || f.signals(x, in, c.signal, to, c.ctaMask.slot != 0, i) {
		x.startFlight(in, f, i)
	}
}

// signals makes lane i's copy to a shared address complete on an mbarrier: for multicast, on that of the destination
// block. It returns false after a fault.
func (f *flight) signals(x *engine, in *inst, signal *signal, to uint64, multicast bool, i int) bool {
	addr, ok := signal.addr(x, in, i)
	if !ok {
		return false
	}
	if multicast {
		addr = toRank(addr, rankOf(to))
	}
	f.kind, f.signalAddr = flightSignal, gmem.SharedWindow+addr
	f.signal = signal.object(x, in, addr, i)
	return f.signal != nil
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
func (c *bulkCopy) emitMasked(x *engine, in *inst, to, n uint64, mask uint16, i int) {
	if mask == 1<<bulkUnit-1 {
		c.to.emitSpan(x, in, to, n, i)
		return
	}
	for unit := uint64(0); unit < n; unit += bulkUnit {
		for rest := uint64(mask); rest != 0; {
			first := uint64(bits.TrailingZeros64(rest))
			run := uint64(bits.TrailingZeros64(^(rest >> first)))
			c.to.emitSpan(x, in, to+unit+first, run, i)
			rest &^= (1<<run - 1) << first
		}
	}
}

// emitSpan emits lane i's access to n bytes.
func (ac *access) emitSpan(x *engine, in *inst, addr, n uint64, i int) {
	if x.ignored(ac) || n == 0 {
		return
	}
	whole := *ac
	whole.size = n
	x.addrs[i] = whole.generic(addr)
	x.emitAccess(in, &whole, 1<<i, &x.addrs)
}

// span returns n bytes of memory at an address of the access's space, nil after raising a fault.
func (ac *access) span(x *engine, in *inst, addr, n uint64, i int) []byte {
	if !ac.aligned(x, in, addr, i) {
		return nil
	}
	return ac.reach(x, in, addr, n, i)
}

// aligned raises a fault for an address that is not a multiple of bulkUnit.
func (ac *access) aligned(x *engine, in *inst, addr uint64, i int) bool {
	if addr%bulkUnit != 0 {
		x.raise(in, i, "misaligned", ac.generic(addr),
			"misaligned bulk %s at %s address 0x%x, expected a multiple of %d", ac.kind.Word(), ac.space, addr,
			bulkUnit)
		return false
	}
	return true
}

// reach is span without the alignment check.
func (ac *access) reach(x *engine, in *inst, addr, n uint64, i int) []byte {
	if ac.space == isa.SpaceShared {
		addr &= 1<<gmem.SlotBits - 1
	}
	b := ac.within(x, in, addr, n, i)
	if b != nil && x.m.cfg.Uninitialised && n > 0 {
		ac.trackSpan(x, in, addr, n, i)
	}
	return b
}

// within is reach for bytes that are not accessed.
func (ac *access) within(x *engine, in *inst, addr, n uint64, i int) []byte {
	var b []byte
	var bad *diag.Violation
	if ac.space == isa.SpaceShared {
		addr &= 1<<gmem.SlotBits - 1
		b, bad = x.sharedOf(addr, n, !ac.cluster)
	} else {
		var a *gmem.Allocation
		if a, bad = x.m.dev.mem.Check(addr, n); bad == nil {
			b = a.Data[addr-a.Base:][:n]
			if ac.booked != nil {
				ac.booked.verify(x, a)
			}
			if a.Readonly && ac.kind != isa.AccessLoad {
				x.m.dev.mem.WriteConstant(a, x.l, addr-a.Base, n)
			}
		}
	}
	if bad != nil {
		x.raise(in, i, bad.Class, ac.generic(addr), "%s of %d bytes at %s address 0x%x, which %s", ac.kind.Word(), n,
			ac.space, addr, bad.Msg)
		return nil
	}
	return b
}

// reductions are the modifiers for the operations of asynchronous reductions.
var reductions = []string{"add", "min", "max", "inc", "dec", "and", "or", "xor"}

// reduction returns an operation on one element, nil if there is none.
func reduction(op string, t isa.Type) func(old, v [2]uint64) [2]uint64 {
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
	fn := vectorAtomicOp(op, t)
	if fn == nil {
		return nil
	}
	return func(old, v [2]uint64) [2]uint64 { return fn(old, v, v) }
}

// wordReduction returns an operation on one integer.
func wordReduction[T stored](op string) func(old, v [2]uint64) [2]uint64 {
	fn := wordAtomicOp[T](op)
	if fn == nil {
		return nil
	}
	return func(old, v [2]uint64) [2]uint64 { return [2]uint64{uint64(fn(T(old[0]), T(v[0]), 0))} }
}

// maxBulk is the greatest size of st.bulk, in bytes (PTX ISA, st.bulk).
const maxBulk = 16777216

// bulkStore decodes st.bulk{.weak}{.shared::cta} [a], size, 0, which clears shared memory; the emulator does so eight
// bytes at a time.
func (d *decoder) bulkStore(in *rewrite.Inst) (inst, error) {
	if zero := &in.Operands[2]; zero.Kind != rewrite.OperandImm || zero.Imm != 0 {
		return inst{}, d.errorf(in, "%s: initial value %s, expected 0", in.Text(), d.text(zero))
	}
	size, err := d.value(in, &in.Operands[1], isa.U64)
	if err != nil {
		return inst{}, err
	}
	const step = 8
	ac, out, err := d.decodeAccess(in, 0, isa.AccessStore, step)
	if err != nil {
		return inst{}, err
	}
	out.body = func(x *engine, in *inst, m lanes) {
		w := ac.window(x)
		a := x.frame.r64(in.a)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			n := x.frame.word(size.slot, size.wide(), i)
			if n%step != 0 || n > maxBulk {
				x.raise(in, i, "out-of-bounds", ac.generic(a[i]+ac.off),
					"st.bulk of %d bytes, expected a multiple of %d up to %d", n, step, maxBulk)
				return
			}
			ac.emitSpan(x, in, a[i]+ac.off, n, i)
			for at := uint64(0); at < n; at += step {
				p := (*uint64)(ac.locate(x, in, &w, a[i]+ac.off+at, i))
				if p == nil {
					return
				}
				if *p != 0 {
					*p = 0
					x.wrote()
				}
			}
		}
	}
	return out, nil
}

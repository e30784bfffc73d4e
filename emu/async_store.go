package emu

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/gmem"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// st.async and red.async of sm_90: one store or reduction into the shared memory of
// a block of the cluster, which then signals an mbarrier of the same block (PTX ISA,
// "st.async", "red.async"). The forms of sm_100 on global memory are not emulated.

// asyncReduce decodes red.async.
func (d *decoder) asyncReduce(in *rewrite.Inst) (inst, error) {
	if len(in.Operands) < 3 {
		return inst{}, d.unsupported(in, "%s", in.Text())
	}
	fn := reduction(in.Access.AtomOp, in.Decoded.Operands[1].Type)
	if fn == nil {
		return inst{}, d.unsupported(in, "%s", in.Text())
	}
	return d.asyncStore(in, fn)
}

// asyncStore decodes st.async and red.async [a], b, [mbar]: fn is as in
// transfer.
func (d *decoder) asyncStore(in *rewrite.Inst, fn func(old, v [2]uint64) [2]uint64) (inst, error) {
	regs, err := d.memRegs(in, 1, false)
	if err != nil {
		return inst{}, err
	}
	t := in.Decoded.Operands[1].Type
	n := uint64(len(regs) * t.Size())
	ac, out, err := d.decodeAccess(in, 0, in.Access.Kind, n)
	if err != nil {
		return inst{}, err
	}
	ac.cluster, ac.async = true, AsyncSignals
	done, err := d.signalAt(in, 2)
	if err != nil {
		return inst{}, err
	}
	out.exec = func(x *exec, in *inst, m lanes) {
		if x.listener != nil {
			x.beginAsync()
			ac.tell(x, in, in.a, m)
		}
		w := ac.window(x)
		for ; m != 0; m &= m - 1 {
			i := m.first()
			addr := x.frame.r64(in.a)[i] + ac.off
			if !x.checkShared(in, addr, ac.space == isa.SpaceNone, i) {
				return
			}
			mbar, ok := done.addr(x, in, i)
			if !ok {
				return
			}
			if rankOf(mbar) != rankOf(addr) {
				x.raise(in, i, "out-of-bounds", gmem.SharedWindow+mbar, "the mbarrier is in block %d of the cluster, the destination in block %d", rankOf(mbar), rankOf(addr))
				return
			}
			p := ac.locate(x, in, &w, addr, i)
			if p == nil {
				return
			}
			f := flight{kind: flightSignal, bytes: n, signal: done.object(x, in, mbar, i), signalAddr: gmem.SharedWindow + mbar}
			if f.signal == nil {
				return
			}
			f.transfer = transfer{unsafe.Slice((*byte)(p), n), x.stored(regs, t, i), fn, t}
			if !x.fly(in, f, i) {
				return
			}
		}
	}
	return out, nil
}

// stored is the bytes of lane i's registers as values of type t.
func (x *exec) stored(regs []operand, t isa.Type, i int) []byte {
	b := make([]byte, len(regs)*t.Size())
	for k, r := range regs {
		poke(unsafe.Pointer(&b[k*t.Size()]), t, x.frame.lane(r.slot, slotBits(r.typ), i))
	}
	return b
}

// Control of caches: prefetch, applypriority, createpolicy and discard.

package emu

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// decodeHint decodes instructions that only affect caches.
func decodeHint(d *decoder, in *rewrite.Inst) (inst, error) {
	return inst{body: func(*engine, *inst, lanes) {}}, nil
}

// decodePolicy decodes createpolicy: policies are opaque, and all have the same value.
func decodePolicy(d *decoder, in *rewrite.Inst) (inst, error) {
	dst, err := d.dst(in)
	if err != nil {
		return inst{}, err
	}
	if err := d.fitsType(in, &in.Operands[0], isa.B64, dst); err != nil {
		return inst{}, err
	}
	return inst{d: dst.slot, a: d.constant(64, 0), body: execMove[uint64]}, nil
}

// decodeDiscard decodes discard, which "behaves like a weak write of an unstable indeterminate value" (PTX ISA,
// discard): reads find what was there before, and to them the bytes are uninitialised.
func decodeDiscard(d *decoder, in *rewrite.Inst) (inst, error) {
	ac, out, err := d.decodeAccess(in, 0, in.Access.Kind, uint64(in.Access.Size))
	if err != nil {
		return inst{}, err
	}
	ac.space, ac.cluster = isa.SpaceGlobal, false // even if the instruction is generic
	out.body = func(x *engine, in *inst, m lanes) {
		if x.listener != nil {
			ac.emit(x, in, in.a, m)
		}
		ac.eachLane(x, in, m, func(_ unsafe.Pointer, addr uint64, i int) {
			if x.m.cfg.Uninitialised {
				_, at := ac.shadow(x, addr, i)
				x.m.dev.mem.Tracked(x.m.dev.mem.Find(addr)).Unset(at, ac.size)
				x.m.dev.mem.Forget()
			}
		})
	}
	return out, nil
}

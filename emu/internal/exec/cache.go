// Control of caches: prefetch, applypriority, createpolicy and discard.

package exec

import (
	"unsafe"

	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/events"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/weak"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// decodePolicy decodes createpolicy: policies are opaque, and all have the same value.
func decodePolicy(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	dst, err := decode.Dst(d, in)
	if err != nil {
		return state.Inst{}, err
	}
	if err := decode.FitsType(d, in, &in.Operands[0], isa.B64, dst); err != nil {
		return state.Inst{}, err
	}
	return state.Inst{D: dst.Slot, A: decode.Constant(d, 64, 0), Body: execMove[uint64]}, nil
}

// decodeDiscard decodes discard, which "behaves like a weak write of an unstable indeterminate value" (PTX ISA,
// discard): reads find what was there before, and to them the bytes are uninitialised.
func decodeDiscard(d *state.Decoder, in *rewrite.Inst) (state.Inst, error) {
	ac, out, err := memory.DecodeAccess(d, in, 0, in.Access.Kind, uint64(in.Access.Size))
	if err != nil {
		return state.Inst{}, err
	}
	ac.Space, ac.Cluster = isa.SpaceGlobal, false // even if the instruction is generic
	out.Body = func(x *state.Engine, in *state.Inst, m state.Lanes) {
		if x.Listener != nil {
			events.Emit(ac, x, in, in.A, m)
		}
		weak.EachLane(ac, x, in, m, func(_ unsafe.Pointer, addr uint64, i int) {
			if x.M.Cfg.Uninitialised {
				_, at := memory.Shadow(ac, x, addr, i)
				x.M.Dev.Mem.Tracked(x.M.Dev.Mem.Find(addr)).Unset(at, ac.Size)
				x.M.Dev.Mem.Forget()
			}
		})
	}
	return out, nil
}

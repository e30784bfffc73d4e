// The table of decode functions by opcode, and instructions that only concern caches.

package emu

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semanticsTables are the semantics of PTX, opcode by opcode, one table per
// chapter of the manual. To emulate another opcode, add an entry to the table of
// its chapter.
var semanticsTables = []map[string]decodeFunc{
	semControl,
	semSync,
	semInt,
	semCompare,
	semLogic,
	semFloat,
	semMove,
	semConvert,
	semMemory,
	semCache,
	semAtomic,
	semAsync,
	semTensorMap,
	semBarrierObject,
	semCluster,
	semMatrix,
	semWarpgroup,
	semVideo,
	semStack,
	semTexture,
	semSurface,
}

// semantics is all of them.
var semantics = func() map[string]decodeFunc {
	all := map[string]decodeFunc{}
	for _, t := range semanticsTables {
		for name, f := range t {
			if all[name] != nil {
				panic("BUG: emu: " + name + " has two semantics")
			}
			all[name] = f
		}
	}
	return all
}()

// semCache is the semantics of cache control, which changes nothing here.
var semCache = map[string]decodeFunc{
	"prefetch":      decodeHint,
	"prefetchu":     decodeHint,
	"applypriority": decodeHint,
	"discard":       decodeHint,
	"createpolicy":  decodePolicy,
}

// decodeHint decodes what only concerns caches.
func decodeHint(d *decoder, in *rewrite.Inst) (inst, error) {
	return inst{body: func(*engine, *inst, lanes) {}}, nil
}

// decodePolicy decodes createpolicy: policies are opaque and all alike.
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

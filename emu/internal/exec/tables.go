// The semantics of PTX by opcode, one table a chapter of the manual.

package exec

import (
	"github.com/ptxsan/ptxsan/emu/internal/async"
	"github.com/ptxsan/ptxsan/emu/internal/decode"
	"github.com/ptxsan/ptxsan/emu/internal/memory"
	"github.com/ptxsan/ptxsan/emu/internal/mma"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/rewrite"
)

// semanticsTables are the semantics of PTX by opcode, one table per chapter of the manual. To emulate another opcode,
// add an entry to the table of its chapter.
var semanticsTables = []map[string]state.DecodeFunc{
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
	async.SemAsync,
	async.SemFabric,
	async.SemTensorMap,
	async.SemBarrierObject,
	memory.SemCluster,
	async.SemLaunchControl,
	mma.SemMatrix,
	mma.SemWarpgroup,
	semTensorMemory,
	semVideo,
	semStack,
	semTexture,
	semSurface,
}

// Semantics combines all tables.
var Semantics = func() map[string]state.DecodeFunc {
	all := map[string]state.DecodeFunc{}
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

// semCache is the semantics of cache control.
var semCache = map[string]state.DecodeFunc{
	"prefetch":      async.DecodeHint,
	"prefetchu":     async.DecodeHint,
	"applypriority": async.DecodeHint,
	"discard":       decodeDiscard,
	"createpolicy":  decodePolicy,
}

// Refusal is the error for an instruction that the emulator does not accept.
type Refusal struct {
	Message string
	Missing bool // the instruction is legal, but not emulated
}

// UnknownRegister says which special register among operands is not emulated, "" for none.
func UnknownRegister(ops []rewrite.Operand) string {
	for i := range ops {
		op := &ops[i]
		if _, known := decode.SpecialValueOf(op.Special.Name); op.Kind == rewrite.OperandSpecial && !known &&
			!IsClock(op.Special.Name) {
			return "special register " + op.Special.Name + " of PTX " + op.Special.Since.String() + " is not emulated"
		}
		if why := UnknownRegister(op.Elems); why != "" {
			return why
		}
	}
	return ""
}

// IsClock reports whether a special register counts time.
func IsClock(register string) bool {
	_, is := decode.ClockRegs[register]
	return is
}

// Numbers of the instructions of a module that cause events.

package sites

import (
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// numbering is the instructions of a module that may cause events, in source order. They are numbered from 1.
type numbering struct {
	insts   []*rewrite.Inst
	numbers map[*rewrite.Func][]uint32
}

type (
	numbersKey struct{}
	tableKey   struct{}
)

func numbersOf(m *rewrite.Module) *numbering {
	return m.Memo(numbersKey{}, func() any {
		n := &numbering{numbers: make(map[*rewrite.Func][]uint32, len(m.Funcs))}
		for _, f := range m.Funcs {
			list := make([]uint32, len(f.Insts))
			for i, in := range f.Insts {
				if causesEvents(in) {
					n.insts = append(n.insts, in)
					list[i] = uint32(len(n.insts))
				}
			}
			n.numbers[f] = list
		}
		return n
	}).(*numbering)
}

func causesEvents(in *rewrite.Inst) bool {
	const events = isa.ReadsMemory | isa.WritesMemory | isa.Orders | isa.Synchronises | isa.Branches | isa.Calls
	return in.Effects()&events != 0 || in.Instr.Class == isa.ClassBarrier || in.Instr.Class == isa.ClassAsync
}

// Number returns the number by which the events of an instruction refer to it (abi.Event.Site), 0 for one that causes
// none.
func Number(in *rewrite.Inst) uint32 { return Numbers(in.Func)[in.Index] }

// Numbers returns the numbers of the instructions of a function.
func Numbers(f *rewrite.Func) []uint32 { return numbersOf(f.Module).numbers[f] }

// Numbered returns the instructions of a module that have numbers; the first has the number 1.
func Numbered(m *rewrite.Module) []*rewrite.Inst { return numbersOf(m).insts }

// Table returns the entries of the numbered instructions of a module.
func Table(m *rewrite.Module) []abi.Site {
	return m.Memo(tableKey{}, func() any {
		insts := Numbered(m)
		list := make([]abi.Site, len(insts))
		for i, in := range insts {
			list[i] = Of(in)
			list[i].ID = uint32(i + 1)
		}
		return list
	}).([]abi.Site)
}

// AtomicOp returns the kind of an atomic operation that detectors tell apart.
func AtomicOp(in *rewrite.Inst) abi.AtomicOp {
	switch in.Access.AtomOp {
	case "cas":
		return abi.AtomicCAS
	case "exch":
		return abi.AtomicExch
	}
	return abi.AtomicOther
}

// At returns the instruction of a module with a number, nil for 0.
func At(m *rewrite.Module, number uint32) *rewrite.Inst {
	if number == 0 {
		return nil
	}
	return Numbered(m)[number-1]
}

// The accesses of a function to memory, and the kinds of those that do not name the bytes of each lane.

package kernelcode

import (
	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// AccessesOf returns the accesses of a function: those with addresses, and those whose addresses follow from a
// descriptor, a texture or the shape of a matrix.
func AccessesOf(f *rewrite.Func) []address.MemRef {
	list := address.MemRefsOf(f)
	for _, in := range f.Insts {
		if in.Access.Kind == isa.AccessNone && in.Copy.Kind == isa.AccessNone && CollectiveKind(in) != "" &&
			in.Effects()&(isa.ReadsMemory|isa.WritesMemory) != 0 {
			list = append(list, address.MemRef{Inst: in})
		}
	}
	return list
}

// CollectiveKind returns the kind of an access that does not name the bytes of each lane, "" for other accesses.
func CollectiveKind(in *rewrite.Inst) report.Unwatched {
	switch {
	case in.Instr.Class == isa.ClassTexture:
		return report.UnwatchedTexture
	case in.Instr.Class == isa.ClassMatrix:
		return report.UnwatchedMatrix
	case in.Copy.Kind != isa.AccessNone, in.Proxy() == isa.ProxyAsync:
		return report.UnwatchedAsync
	}
	return ""
}

// Which pointers of a kernel lead to memory whose contents decide what the kernel does.

package kernelcode

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/internal/steer"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
)

// Decide sets what the contents of memory decide that parameters of a kernel, or fields of them, point to.
func Decide(k *rewrite.Func, params []launch.Param) {
	decides := decisions(k)
	for i := range params {
		p := &params[i]
		v := k.Params[i]
		p.Decides = decides[Piece{v, 0}]
		for j := range p.Fields {
			f := &p.Fields[j]
			f.Decides = decides[Piece{v, f.Offset}]
		}
	}
}

// decisions returns what the contents of memory decide, by the pointer in the parameters of a kernel. Of functions that
// the kernel calls it knows only what they load by a pointer of the kernel's own.
func decisions(k *rewrite.Func) map[Piece][]string {
	list := make(map[Piece][]string)
	for _, s := range steer.Of(k).Sinks() {
		for _, from := range s.Sources {
			in := from.Inst
			if from.Order != "" || in.Func != k || in.Access.Kind == isa.AccessNone {
				continue
			}
			root := address.RootsOf(k).Address(in, in.Access.Addr)
			if at := (Piece{root.Var, root.At}); root.Kind == address.RootParam &&
				!slices.Contains(list[at], string(s.Steers)) {
				list[at] = append(list[at], string(s.Steers))
			}
		}
	}
	return list
}

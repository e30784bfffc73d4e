// Strings that threads print: vprintf reads them at addresses that are among its arguments, in memory of the thread.

package steer

import (
	"maps"
	"regexp"
	"slices"

	"github.com/ptxsan/ptxsan/rewrite"
)

// stringConversion is a conversion of a format string that prints a string.
var stringConversion = regexp.MustCompile(`%[-+ #0-9.*]*[hljztL]*s`)

// maxFormat limits the size of a variable that may be a format string.
const maxFormat = 1 << 16

type printsKey struct{}

// printsStrings reports whether a variable of a module is a format string with a conversion that prints a string.
func printsStrings(m *rewrite.Module) bool {
	return m.Memo(printsKey{}, func() any {
		return slices.ContainsFunc(m.Globals, func(v *rewrite.Var) bool {
			if v.Size > maxFormat {
				return false
			}
			text, _, err := v.Init(m)
			return err != nil || stringConversion.Match(text)
		})
	}).(bool)
}

// printed adds what may be the address of a string among the arguments of vprintf: what instructions write to memory of
// a thread as an integer of the size of an address.
func (s *slicer) printed() {
	nodes := append(slices.Collect(maps.Keys(s.w.local)), s.w.hidden)
	for _, node := range nodes {
		for _, x := range s.w.into[node-s.w.first] {
			if x.o != nil && x.in.Access.ElemSize == 8 && !x.in.Type(0).Float() {
				s.operand(x.in, x.o, false)
			}
		}
	}
}

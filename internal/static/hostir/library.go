// Functions of the C++ library that choose one of their arguments: std::min and std::max.

package hostir

import (
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// extremes gives the mangled names of std::min and std::max up to the letter of the type, and the instructions that
// compute the same.
var extremes = map[string]string{"_ZSt3minI": "min", "_ZSt3maxI": "max"}

// integers gives the bits of the types of integers by their letters in mangled names, and whether they are signed.
var integers = map[string]struct {
	bits   int64
	signed bool
}{
	"a": {8, true}, "h": {8, false}, "s": {16, true}, "t": {16, false}, "i": {32, true}, "j": {32, false},
	"l": {64, true}, "m": {64, false}, "x": {64, true}, "y": {64, false},
}

// extremeOf executes a call of std::min or std::max for two integers, and returns the address of the result.
func (x *executor) extremeOf(f *llvm.Function, args []memory.Value) (v memory.Value, ok bool) {
	for prefix, word := range extremes {
		rest, found := strings.CutPrefix(unprefixed(f.Name), prefix)
		letter, list, _ := strings.Cut(rest, "E")
		t, integer := integers[letter]
		if !found || !strings.HasSuffix(list, "RKT_S2_S2_") || !integer || len(args) != 2 || args[0].To == nil ||
			args[1].To == nil {
			continue
		}
		typ := &llvm.Type{Kind: llvm.IntType, Bits: t.bits}
		a, b := x.loaded(args[0], typ), x.loaded(args[1], typ)
		sign := "u"
		if t.signed {
			sign = "s"
		}
		if v = extreme(sign+word, []memory.Value{a, b}); !v.Known() {
			return memory.Value{}, false
		}
		o := x.object(memory.Local, word, typ)
		o.Owner, o.Keep = x.frame, !t.signed
		x.st.Put(o, 0, typ.Size(), v)
		return memory.Value{To: o, Offset: expr.Const(0)}, true
	}
	return memory.Value{}, false
}

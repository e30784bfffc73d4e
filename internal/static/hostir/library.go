// What is chosen of several values: elements of tables at a variable index, and std::min and std::max.

package hostir

import (
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostir/llvm"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// maxTable is the greatest number of elements of a table that is read at a variable index.
const maxTable = 32

// tabled returns the value of a load of one of the elements of an object of known contents. An index out of it is
// undefined.
func (x *executor) tabled(p memory.Value, t *llvm.Type) (v memory.Value, ok bool) {
	size := t.Size()
	if t.Kind != llvm.IntType || t.Bits < 8 || size == 0 || p.Offset == nil || p.To.Type == nil {
		return memory.Value{}, false
	}
	n := p.To.Type.Size() / size
	index := expr.Div(p.Offset, expr.Const(size))
	if n < 1 || n > maxTable || p.To.Type.Size()%size != 0 || !expr.Mul(index, expr.Const(size)).Equal(p.Offset) {
		return memory.Value{}, false
	}
	for i := n - 1; i >= 0; i-- {
		w, known := x.st.Get(p.To, i*size, size)
		if !known || !w.Known() || w.Cond != nil || w.Bits != t.Bits {
			return memory.Value{}, false
		}
		if i == n-1 {
			v = w
			continue
		}
		v = x.either(x.newFork(expr.Eq(index, expr.Const(i))), w, v, nil, 0, 0)
	}
	x.assume(expr.All(expr.Ge(index, expr.Const(0)), expr.Lt(index, expr.Const(n))), facts.Overflow)
	return v, true
}

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
		if !found || !strings.HasSuffix(list, "RKT_S2_S2_") || !integer || len(args) != 2 || args[0].To == nil || args[1].To == nil {
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

// The join of states where paths of the program meet.

package hostir

import (
	"maps"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// merge joins two states: values that differ depend on the branch at which the paths diverge, or are unknown.
func (x *executor) merge(a, b *memory.State) *memory.State {
	x.steps += (len(a.Mem) + len(b.Mem)) / 8
	common, c, first := memory.Fork(a.Path, b.Path)
	if c != nil && !first {
		a, b = b, a
	}
	out := memory.NewState()
	out.Path = common
	maps.Copy(out.Escaped, a.Escaped)
	maps.Copy(out.Escaped, b.Escaped)
	maps.Copy(out.Pending, a.Pending)
	for o, w := range b.Pending {
		if old, ok := out.Pending[o]; ok && (!old.Ends || !old.Stream.Equal(w.Stream)) {
			w = memory.Write{}
		}
		out.Pending[o] = w
	}
	for _, o := range memory.Ordered(a.Mem) {
		x.mergeObject(out, c, o, a.Mem[o], b.Mem[o])
	}
	for _, from := range []*memory.State{a, b} {
		for _, o := range memory.Ordered(from.Mem) {
			out.LostSince(o, from)
		}
	}
	for o, n := range a.Init {
		if m, ok := b.Init[o]; ok && m.Equal(n) {
			out.Init[o] = n
		}
	}
	for q, v := range a.Pure {
		if w, ok := b.Pure[q]; ok && v.Equal(w) {
			out.Pure[q] = v
		}
	}
	return out
}

// mergeObject joins the contents of an object.
func (x *executor) mergeObject(out *memory.State, c *expr.Bool, o *memory.Object, list, other []memory.Cell) {
	if _, unknown := out.Pending[o]; len(other) == 0 || unknown {
		return
	}
	if &list[0] == &other[0] && len(list) == len(other) {
		out.Mem[o] = list
		return
	}
	var cells []memory.Cell
	for _, p := range list {
		for _, q := range other {
			if p.At == q.At && p.Size == q.Size {
				if v := x.either(c, p.Value, q.Value, o, p.At, p.Size); v.Something() {
					cells = append(cells, memory.Cell{At: p.At, Size: p.Size, Value: v})
				}
			}
		}
	}
	if cells != nil {
		out.Mem[o] = cells
	}
}

// either returns the join of two values: the first one if a condition holds.
func (x *executor) either(c *expr.Bool, v, w memory.Value, o *memory.Object, at, size int64) memory.Value {
	switch {
	case v.Equal(w):
		return v
	case v.Cond != nil && w.Cond != nil && c != nil:
		return memory.Value{Cond: expr.Any(expr.All(c, v.Cond), expr.All(expr.Not(c), w.Cond)), Bits: v.Bits}
	case v.Known() && w.Known() && c != nil:
		if v.Signed == w.Signed {
			return memory.Value{Num: expr.Ite(c, v.Int(), w.Int()), Signed: v.Signed, Bits: v.Bits}
		}
		return memory.Value{Num: expr.Ite(c, v.AsSigned(), w.AsSigned()), Signed: true, Bits: v.Bits}
	case v.Known() && w.Known() && o != nil:
		return x.leaf(x.hint(o, at), 8*size, !o.Keep)
	}
	return memory.Value{}
}

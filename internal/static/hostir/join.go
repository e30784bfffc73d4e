// The join of states where paths of the program meet.

package hostir

import (
	"maps"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/hostir/memory"
)

// fork is a branch at which two paths diverge.
type fork struct {
	x   *executor
	c   *expr.Bool // the condition under which the first path is taken; nil: unknown
	way *expr.Bool // the first path is taken, in terms of a variable that stands for an unknown condition
}

// newFork returns a fork with a condition, which may be unknown.
func (x *executor) newFork(c *expr.Bool) *fork {
	if c != nil && !c.Uniform() {
		c = nil
	}
	return &fork{x: x, c: c}
}

// when returns the condition under which the first path is taken.
func (f *fork) when() *expr.Bool {
	if f.c != nil {
		return f.c
	}
	if f.way == nil {
		f.way = expr.Eq(f.x.decide("way", 2), expr.Const(0))
	}
	return f.way
}

// merge joins two states in which paths end after their last common condition: values that differ depend on the branch
// at which they diverge, or are unknown.
func (x *executor) merge(f *fork, common *memory.Node, a, b *memory.State) *memory.State {
	x.steps += (len(a.Mem) + len(b.Mem)) / 8
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
		x.mergeObject(out, f, o, a.Mem[o], b.Mem[o])
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
func (x *executor) mergeObject(out *memory.State, f *fork, o *memory.Object, list, other []memory.Cell) {
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
				if v := x.either(f, p.Value, q.Value, o, p.At, p.Size); v.Something() {
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
func (x *executor) either(f *fork, v, w memory.Value, o *memory.Object, at, size int64) memory.Value {
	switch c := f.c; {
	case v.Equal(w):
		return v
	case isPointer(v) && (isPointer(w) || w.Zero()), v.Zero() && isPointer(w):
		return memory.Choose([]memory.Case{{When: f.when(), Value: v}, {When: expr.Not(f.when()), Value: w}})
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

// isPointer reports whether a value is a pointer to one of known objects, or a null pointer.
func isPointer(v memory.Value) bool { return v.To != nil || v.Null || v.Cases != nil }

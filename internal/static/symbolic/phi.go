// Values at joins of paths: selections by condition, and loop-carried values.

package symbolic

import (
	"math/big"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// phi returns the value of a phi.
func (f *Frame) phi(v *rewrite.SSAValue, i int32) Value {
	if l := f.headed(v.Block); l != nil {
		return f.carried(v, i, l)
	}
	return f.merged(v, i, func(int) bool { return true })
}

// headed returns the loop with the given header, nil for none.
func (f *Frame) headed(b *rewrite.Block) *rewrite.Loop {
	if l := f.inner[b.Index]; l != nil && l.Header == b {
		return l
	}
	return nil
}

// incoming is one edge into a block with its value.
type incoming struct {
	from *rewrite.Block
	val  Value
}

// merged returns the value of a phi over the incoming edges selected by asked.
func (f *Frame) merged(v *rewrite.SSAValue, i int32, asked func(pred int) bool) Value {
	var ways []incoming
	for k, in := range v.In {
		if in == rewrite.NoValue || k >= len(v.Block.Preds) || !f.CFG.Reached(v.Block.Preds[k]) {
			if k >= len(v.Block.Preds) && in != rewrite.NoValue {
				return f.opaque(v, Origin{What: "a loop at the start of the function", value: i, Data: true})
			}
			continue
		}
		if asked(k) {
			ways = append(ways, incoming{v.Block.Preds[k], f.value(in)})
		}
	}
	if len(ways) == 0 {
		return f.opaque(v, Origin{What: "a value that no path brings", value: i, Data: true})
	}
	if same(ways) {
		return ways[0].val
	}
	if out, ok := f.gated(ways, v.Block, f.meet(ways)); ok {
		return out
	}
	return f.alternatives(v, i, ways)
}

// same reports whether all edges have the same value.
func same(ways []incoming) bool {
	for _, w := range ways[1:] {
		a, b := ways[0].val, w.val
		if a.Bool != nil || b.Bool != nil {
			if a.Bool == nil || b.Bool == nil || !a.Bool.Equal(b.Bool) || a.Bool == expr.Maybe() {
				return false
			}
			continue
		}
		if a.Int.IsUnknown() || !a.Int.Equal(b.Int) {
			return false
		}
	}
	return true
}

// meet returns the nearest block that dominates all the predecessors.
func (f *Frame) meet(ways []incoming) *rewrite.Block {
	d := ways[0].from
	for _, w := range ways[1:] {
		for d != nil && !f.CFG.Dominates(d, w.from) {
			d = d.IDom
		}
	}
	return d
}

// gated selects between the values by the branch of block part, if every edge is reached from one side of the branch
// only.
func (f *Frame) gated(ways []incoming, at, part *rewrite.Block) (Value, bool) {
	if same(ways) {
		return ways[0].val, true
	}
	f.Kernel.work++
	if part == nil || len(part.Succs) != 2 || f.inner[part.Index] != f.inner[at.Index] && f.headed(at) == nil {
		return Value{}, false
	}
	cond, ok := f.edge(part, part.Succs[0])
	if !ok {
		return Value{}, false
	}
	var sides [2][]incoming
	for _, w := range ways {
		side := f.sideOf(w.from, at, part)
		if side < 0 {
			return Value{}, false
		}
		sides[side] = append(sides[side], w)
	}
	if len(sides[0]) == 0 || len(sides[1]) == 0 {
		return Value{}, false
	}
	a, ok1 := f.gated(sides[0], at, f.meet(sides[0]))
	b, ok2 := f.gated(sides[1], at, f.meet(sides[1]))
	if !ok1 || !ok2 {
		return Value{}, false
	}
	return f.choose(cond, a, b), true
}

// sideOf returns the successor of a branch that every path to the edge from-at passes, -1 when it may be either.
func (f *Frame) sideOf(from, at, part *rewrite.Block) int {
	found := -1
	for i, s := range part.Succs {
		if from == part && s == at || s != at && f.sole(part, s) && f.CFG.Dominates(s, from) {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// sole reports whether from is the only predecessor of a block, not counting back edges.
func (f *Frame) sole(from, to *rewrite.Block) bool {
	n := 0
	for _, p := range to.Preds {
		if f.CFG.Reached(p) && !f.CFG.Dominates(to, p) {
			if p != from {
				return false
			}
			n++
		}
	}
	return n == 1
}

// alternatives returns a variable that equals one of the values, each under the condition of its path.
func (f *Frame) alternatives(v *rewrite.SSAValue, i int32, ways []incoming) Value {
	part := f.meet(ways)
	var alts []*expr.Bool
	out := f.opaque(v, Origin{What: "a value that depends on the path taken", value: i})
	if out.Int != nil && out.Int.IsUnknown() {
		return out
	}
	var values []*expr.Int
	if out.Int != nil {
		for _, w := range ways {
			values = append(values, read(w.val.Int, v.Reg.Type))
		}
		out.Int = f.Kernel.among(out.Int, values)
	}
	for k, w := range ways {
		c := expr.All(f.between(w.from, part), f.edgeOr(w.from, v.Block))
		if out.Bool != nil {
			alts = append(alts, expr.All(c, expr.Iff(out.Bool, truth(w.val))))
			continue
		}
		alts = append(alts, expr.All(c, expr.Eq(out.Int, values[k])))
	}
	f.Kernel.note(out, expr.Any(alts...))
	return out
}

// among returns a variable that equals one of several values, in the least range that has the ranges of all of them: an
// index that was made of 32 bits on every path is no address.
func (k *Kernel) among(x *expr.Int, values []*expr.Int) *expr.Int {
	v := *x.Variable()
	var least, most *big.Int
	for _, value := range values {
		lo, hi := value.Range()
		if lo == nil || hi == nil {
			return x
		}
		if least == nil || lo.Cmp(least) < 0 {
			least = lo
		}
		if most == nil || hi.Cmp(most) > 0 {
			most = hi
		}
	}
	v.Lo, v.Hi = least, most
	k.origins[v.Name].Among = values
	return expr.NewVar(v)
}

// read returns a value in the range of a register's type: see typeRange.
func read(x *expr.Int, t isa.Type) *expr.Int {
	if lo, _ := typeRange(t); lo == 0 {
		return unsigned(x, t.Bits())
	}
	return signed(x, t.Bits())
}

// note records constraints on a variable.
func (k *Kernel) note(v Value, sides *expr.Bool) {
	name := ""
	if v.Bool != nil {
		if x, _ := v.Bool.Variable(); x != nil {
			name = x.Name
		}
	} else if x := v.Int.Variable(); x != nil {
		name = x.Name
	}
	if o := k.origins[name]; o != nil {
		o.Sides = sides
	}
}

// Constant tables: the range of what loads from initialised variables of constant memory return.

package static

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/solve"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// maxTable limits the bytes of a table that is looked through.
const maxTable = 1 << 16

// tables returns the ranges of the values that accesses depend on and that come from constant memory, one fact for each variable: that it
// holds what the module says, and not what the host has copied there. Access i is one of thread i+1.
func (m *model) tables(items ...*item) (out []solve.Fact) {
	for i, it := range items {
		for _, r := range m.readings(it) {
			in := m.entries(&r)
			if in == nil {
				continue
			}
			f := solve.Fact{Name: fmt.Sprintf("constants: %s holds what the module says", r.by.obj.v.Name), Formula: in.Instance(i + 1)}
			if n := slices.IndexFunc(out, func(g solve.Fact) bool { return g.Name == f.Name }); n >= 0 {
				out[n].Formula = expr.All(out[n].Formula, f.Formula)
				continue
			}
			out = append(out, f)
		}
	}
	return out
}

// entries returns the condition that a value is between the least and the greatest element of a table from which it is loaded, at the
// offsets whose distance from the least has as many zeros as low bits as its formula shows; nil if it comes from no table, or if that is
// not known.
func (m *model) entries(r *reading) *expr.Bool {
	it, v := r.by, r.by.obj.v
	if v == nil || it.obj.space != isa.SpaceConst || it.acc.Kind != isa.AccessLoad || v.Size > maxTable || slices.Contains(m.given.Changed, v.Name) || m.writesConstants() {
		return nil
	}
	data, relocations, err := v.Init(m.kernel.Func.Module)
	lo, hi := it.offset.Range()
	size := int64(it.acc.ElemSize)
	if err != nil || data == nil || len(relocations) > 0 || lo == nil || hi == nil || lo.Sign() < 0 || !hi.IsInt64() || hi.Int64()+size > int64(len(data)) || size > 8 {
		return nil
	}
	var least, most *big.Int
	step := int64(1) << min(expr.Twos(expr.Sub(it.offset, expr.Big(lo))), 16)
	for at := lo.Int64(); at <= hi.Int64(); at += step {
		x := new(big.Int)
		for i := range size {
			x.Or(x, new(big.Int).Lsh(big.NewInt(int64(data[at+i])), uint(8*i)))
		}
		if r.value.Variable().Lo.Sign() < 0 && x.Bit(int(8*size-1)) == 1 {
			x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*size)))
		}
		if least == nil || x.Cmp(least) < 0 {
			least = x
		}
		if most == nil || x.Cmp(most) > 0 {
			most = x
		}
	}
	return expr.All(expr.Ge(r.value, expr.Big(least)), expr.Le(r.value, expr.Big(most)))
}

// tables returns the ranges of the values from constant memory on which the accesses of the pair depend.
func (q *conflict) tables() []solve.Fact {
	out := q.m.tables(q.x, q.y)
	for i := range out {
		out[i].Formula = q.oneBlock(out[i].Formula)
	}
	return out
}

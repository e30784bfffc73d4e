// Leaves of expressions: indices of threads and blocks, extents, parameters.

package symbolic

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Index returns the variable of a thread's or block's index: kind is "tid" or "ctaid", dim 'x',
// 'y' or 'z'. The ranges are those of PTX ISA 10.
func Index(kind string, dim byte) *expr.Int {
	_, hi := facts.Dim("n"+kind, dim).Range()
	return expr.Var(kind+"."+string(dim), 0, hi.Int64()-1)
}

// Extent returns the variable of the number of threads in a block ("ntid") or of blocks in the
// grid ("nctaid").
func Extent(kind string, dim byte) *expr.Int { return facts.Dim(kind, dim) }

// Flat returns the linear index of a thread in its block: x varies fastest (PTX ISA 10, %laneid).
func Flat() *expr.Int {
	z := expr.Mul(Index("tid", 'z'), Extent("ntid", 'y'))
	return expr.Add(Index("tid", 'x'), expr.Mul(expr.Add(Index("tid", 'y'), z), Extent("ntid", 'x')))
}

// special returns the value of a special register.
func (f *Frame) special(in *rewrite.Inst, o *rewrite.Operand) Value {
	name := o.Special.Name
	if o.Special.Dim {
		if len(o.Member) != 2 || o.Member[1] < 'x' || o.Member[1] > 'z' {
			return Value{Int: expr.Unknown()}
		}
		switch name {
		case "%tid", "%ctaid":
			return Value{Int: Index(name[1:], o.Member[1])}
		case "%ntid", "%nctaid", "%cluster_nctaid":
			return Value{Int: Extent(name[1:], o.Member[1])}
		}
	}
	if name == "%laneid" {
		return Value{Int: expr.Wrap(Flat(), 5, false)}
	}
	origin := Origin{Inst: in, What: name, Data: !o.Special.PerBlock, value: -1}
	lo, hi := typeRange(o.Special.Type)
	if !o.Special.Volatile && !o.Special.PerLane && !o.Special.PerBlock && !o.Special.Opaque {
		return Value{Int: expr.Uniform("r."+name[1:]+o.Member, lo, hi)} // the same value in the whole launch
	}
	if o.Special.Type == isa.Pred {
		return Value{Bool: f.freshBool(origin)}
	}
	return Value{Int: f.fresh(origin, o.Special.Type)}
}

// symbol returns the address of a variable, in its state space or generic, as a variable.
func (f *Frame) symbol(v *rewrite.Var) *expr.Int {
	if f.Func.Formal(v) && v.Space == isa.SpaceParam {
		return expr.Uniform(paramBase+f.local(v.Name), 0, math.MaxInt64)
	}
	switch v.Space {
	case isa.SpaceShared:
		return f.Kernel.align(expr.Uniform(SharedBase+scoped(dynamic(f.Func.Module, v)), 0, math.MaxInt32), v) // an offset in a window of that size
	case isa.SpaceLocal:
		return f.Kernel.align(expr.Var(LocalBase+f.local(v.Name), 0, math.MaxInt64), v)
	}
	return f.Kernel.align(expr.Uniform(GlobalBase+scoped(v), 0, math.MaxInt64), v)
}

// dynamic returns, for an array whose length the launch gives, the first such one of the module: all are at one
// address, behind the other variables. It returns other variables.
func dynamic(m *rewrite.Module, v *rewrite.Var) *rewrite.Var {
	if v.Size > 0 || v.Func != nil {
		return v
	}
	for _, w := range m.Globals {
		if w.Space == isa.SpaceShared && w.Size == 0 {
			return w
		}
	}
	return v
}

// convertAddress evaluates cvta. Generic addresses in other windows than global memory are known only if they are made
// of a variable there, or of a parameter that points there: others could not be told from those in global memory.
func (e *evaluation) convertAddress() (Value, bool) {
	v, ok := e.copy()
	if s := e.in.Space; ok && !e.in.Has("to") && (s == isa.SpaceShared || s == isa.SpaceLocal || s == isa.SpaceConst) &&
		!e.f.Kernel.within(v.Int, s) {
		return Value{}, false
	}
	return v, ok
}

// within reports whether an address is made of a variable in a state space, or of a parameter that points there.
func (k *Kernel) within(addr *expr.Int, space isa.Space) bool {
	base := map[isa.Space]string{
		isa.SpaceShared: SharedBase, isa.SpaceLocal: LocalBase,
		isa.SpaceConst: GlobalBase,
	}[space]
	return addr != nil && slices.ContainsFunc(addr.Vars(), func(v expr.Variable) bool {
		return strings.HasPrefix(v.Name, base) || slices.ContainsFunc(k.Func.Params, func(p *rewrite.Var) bool {
			return p.AST.Ptr != nil && p.AST.Ptr.Space == space &&
				v.Name == "p"+strconv.Itoa(slices.Index(k.Func.Params, p))
		})
	})
}

// Prefixes of the variables that stand for addresses of variables.
const (
	GlobalBase = "g."
	SharedBase = "s."
	LocalBase  = "l."
	paramBase  = "a."
)

// scoped returns a name for a variable that is the same in all frames of a function.
func scoped(v *rewrite.Var) string {
	if v.Func == nil {
		return v.Name
	}
	return v.Func.Name + "." + v.Name
}

// local returns a name that is unique to this frame.
func (f *Frame) local(name string) string { return "f" + strconv.Itoa(f.ID) + "." + name }

// Launches to execute. If the analysis cannot decide whether a pair races, since that depends on locks, flags or
// asynchronous copies, an execution may show it.

package static

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// maxTries limits the launches that are proposed for execution.
const maxTries = 4

// byExecution reports whether an execution of a launch that the facts allow shows races that are certain: buffers with
// unknown contents do not matter, and host code was followed to the launches.
func (a *analysis) byExecution() bool {
	if a.executable == nil {
		ok := len(a.kernel.Unknown)+len(a.kernel.Assumed) == 0 && !a.Given.Unfollowed && a.allFollowed() &&
			a.startsKnown()
		a.executable = &ok
	}
	return *a.executable
}

// allFollowed reports whether the values of all arguments that matter were followed.
func (m *model) allFollowed() bool {
	vars := make(map[string]bool)
	for _, v := range m.variables() {
		vars[v.Name] = true
	}
	for _, d := range query.Dims {
		vars[facts.Dim("ntid", d).String()], vars[facts.Dim("nctaid", d).String()] = true, true
	}
	return m.lost(vars) == ""
}

// startsKnown reports whether the initial contents of all memory that affects control flow and addresses are known.
// Variables that the kernel writes have their initial values. Memory that a kernel accesses by strong operations alone,
// such as locks and flags, starts with zeros if it is unknown.
func (m *model) startsKnown() bool {
	deciding := m.deciding()
	for _, it := range m.items {
		if it.acc.Kind == isa.AccessStore || !deciding[it.acc.Inst] {
			continue
		}
		delete(deciding, it.acc.Inst)
		free := it.obj.param != nil && m.pointer(&it.obj) == nil && m.alwaysStrong(it)
		if free || it.obj.space == isa.SpaceShared || it.obj.v != nil && m.writesTo(it) {
			continue
		}
		k, _, ok := m.startsWith(it)
		if !ok || !k.IsInt64() {
			return false
		}
		if _, ok := bytesOf(k.Int64(), it.acc.ElemSize); !ok {
			return false
		}
	}
	return len(deciding) == 0
}

// writesTo reports whether the kernel writes to the variable of an access.
func (m *model) writesTo(it *item) bool {
	return slices.ContainsFunc(m.items, func(w *item) bool { return w.obj.v == it.obj.v && w.acc.Writes() })
}

// alwaysStrong reports whether all accesses to the object of an access are strong.
func (m *model) alwaysStrong(it *item) bool {
	return !slices.ContainsFunc(m.items, func(w *item) bool {
		return w.obj.base == it.obj.base &&
			!w.acc.Inst.Strong()
	})
}

// try adds the launch of a model to the proposed ones, unless it is known already or has values that the facts exclude.
func (a *analysis) try(q *pairQuery, m *expr.Model) {
	if m != nil && len(a.result.Tries) < maxTries {
		a.mayTry(q, m)
	}
}

func (a *analysis) mayTry(q *pairQuery, m *expr.Model) {
	t := newTrial(q, m, 0)
	if !t.place() || !t.allowed() {
		return
	}
	for i := range t.witness.Threads {
		trace := t.replay(i)
		for n := range trace.Events {
			if e := &trace.Events[n]; e.Access.Kind != isa.AccessNone && e.Known {
				t.fits(e)
			}
		}
	}
	t.cells()
	w := t.witness
	if !slices.ContainsFunc(a.result.Tries, func(v *Witness) bool { return v.launch() == w.launch() }) {
		a.result.Tries = append(a.result.Tries, w)
	}
}

// launch returns text that identifies a launch.
func (w *Witness) launch() string {
	return fmt.Sprint(w.Grid, w.Block, w.Cluster, w.Params, w.Memory)
}

// allowed reports whether the facts hold in the launch, and records the values of the parameters that occur in them.
// Variables that the model leaves open get their least value.
func (t *trial) allowed() bool {
	for _, f := range t.q.a.Given.Facts {
		for _, v := range f.Formula.Vars() {
			value, ok := t.number(expr.NewVar(v))
			if v.Bool || !ok {
				return false
			}
			t.model.Ints[v.Name] = big.NewInt(value)
			var p facts.Param
			if _, err := fmt.Sscanf(v.Name, "p%d@%d", &p.Index, &p.Offset); err == nil {
				t.witness.Params[p] = big.NewInt(value)
			} else if _, err := fmt.Sscanf(v.Name, "p%d", &p.Index); err == nil {
				t.witness.Params[p] = big.NewInt(value)
			}
		}
		if holds, err := f.Formula.Eval(t.model); err != nil || !holds {
			return false
		}
	}
	return true
}

// typical holds values for numbers that host code passes to a kernel: extents of data for less than one block, and for
// several blocks.
var typical = []int64{256, 4096}

// tryTypical adds launches with typical values for the numbers that host code passes, as far as the facts allow it.
func (a *analysis) tryTypical(q *pairQuery) {
	numbers := a.scalars()
	if len(numbers) == 0 {
		return
	}
	for _, n := range typical {
		goal := append(append([]*expr.Bool{different(InterBlock)}, a.Ranges(1)...), a.Ranges(2)...)
		for _, v := range numbers {
			x := expr.NewVar(v)
			for _, more := range []*expr.Bool{
				expr.Eq(x, expr.Const(n)), expr.Ge(x, expr.Const(n)),
				expr.Ge(x, expr.Const(1)),
			} {
				if with := append(slices.Clip(goal), more); a.Solve(with, nil, query.Cheap).Sat {
					goal = with
					break
				}
			}
		}
		if r := a.Solve(goal, nil, query.Cheap); r.Sat && r.Model != nil {
			a.mayTry(q, r.Model)
		}
	}
}

// tryAny adds launches with typical values or, if there is none to execute yet, one with several blocks and warps.
func (a *analysis) tryAny() {
	some := a.result.Unseen && a.byExecution() || slices.ContainsFunc(a.result.Pairs,
		func(p *Pair) bool { return p.Try })
	if !some {
		return
	}
	q := &pairQuery{conflict: conflict{m: a.contents, kind: InterBlock}, a: a}
	a.tryTypical(q)
	if len(a.result.Tries) > 0 {
		return
	}
	wide := expr.Ge(facts.Dim("ntid", 'x'), expr.Const(64))
	for _, more := range [][]*expr.Bool{
		{different(InterBlock), wide},
		{different(InterBlock)},
		{different(anyThread), wide},
		{different(anyThread)},
	} {
		goal := append(append(slices.Clone(more), a.Ranges(1)...), a.Ranges(2)...)
		if r := a.Solve(goal, nil, query.Cheap); r.Sat {
			a.try(q, r.Model)
		}
		if len(a.result.Tries) > 0 {
			return
		}
	}
}

// Launches to execute. If the analysis cannot decide whether a pair races, since that depends on locks, flags or
// asynchronous copies, an execution may show it.

package static

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/rules"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// maxTries limits the launches that are proposed for execution.
const maxTries = 4

// byExecution reports whether an execution of a launch that the facts allow shows races that are certain: buffers with
// unknown contents do not matter, and host code was followed to the launches.
func (a *analysis) byExecution() bool {
	if a.executable == nil {
		ok := len(a.Kernel.Unknown)+len(a.Kernel.Assumed) == 0 && !a.Given.Unfollowed && !a.Given.LosesPointers() &&
			allFollowed(a.Model) &&
			startsKnown(a.Model)
		a.executable = &ok
	}
	return *a.executable
}

// allFollowed reports whether the values of all arguments that matter were followed.
func allFollowed(m *kernel.Model) bool {
	vars := make(map[string]bool)
	for _, v := range m.Variables() {
		vars[v.Name] = true
	}
	for _, d := range query.Dims {
		vars[facts.Dim("ntid", d).String()], vars[facts.Dim("nctaid", d).String()] = true, true
	}
	return m.Lost(vars) == ""
}

// startsKnown reports whether the initial contents of all memory that affects control flow and addresses are known.
// Variables that the kernel writes have their initial values. Memory that a kernel accesses by strong operations alone,
// such as locks and flags, starts with zeros if it is unknown.
func startsKnown(m *kernel.Model) bool {
	deciding := deciding(m)
	for _, it := range m.Items {
		if it.Access.Kind == isa.AccessStore || !deciding[it.Access.Inst] {
			continue
		}
		delete(deciding, it.Access.Inst)
		free := it.Object.Param != nil && m.Pointer(&it.Object) == nil && alwaysStrong(m, it)
		if free || it.Object.Space == isa.SpaceShared || it.Object.Var != nil && writesTo(m, it) {
			continue
		}
		k, _, ok := rules.StartsWith(m, it)
		if !ok || !k.IsInt64() {
			return false
		}
		if _, ok := rules.BytesOf(k.Int64(), it.Access.ElemSize); !ok {
			return false
		}
	}
	return len(deciding) == 0
}

// writesTo reports whether the kernel writes to the variable of an access.
func writesTo(m *kernel.Model, it *kernel.Item) bool {
	return slices.ContainsFunc(m.Items, func(w *kernel.Item) bool {
		return w.Object.Var == it.Object.Var && w.Access.Writes()
	})
}

// alwaysStrong reports whether all accesses to the object of an access are strong.
func alwaysStrong(m *kernel.Model, it *kernel.Item) bool {
	return !slices.ContainsFunc(m.Items, func(w *kernel.Item) bool {
		return w.Object.Base == it.Object.Base &&
			!w.Access.Inst.Strong()
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
	numbers := a.Scalars()
	if len(numbers) == 0 {
		return
	}
	for _, n := range typical {
		goal := append(append([]*expr.Bool{kernel.Different(kernel.InterBlock)}, a.Ranges(1)...), a.Ranges(2)...)
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
	q := &pairQuery{Conflict: rules.Conflict{Contents: a.Contents, Kind: kernel.InterBlock}, a: a}
	a.tryTypical(q)
	if len(a.result.Tries) > 0 {
		return
	}
	wide := expr.Ge(facts.Dim("ntid", 'x'), expr.Const(64))
	for _, more := range [][]*expr.Bool{
		{kernel.Different(kernel.InterBlock), wide},
		{kernel.Different(kernel.InterBlock)},
		{kernel.Different(kernel.AnyThread), wide},
		{kernel.Different(kernel.AnyThread)},
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

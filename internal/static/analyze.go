// The analysis of a kernel: its traits, its accesses, and the summary of the result.

package static

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/rules"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// analysis decides the pairs of a kernel, under one set of facts.
type analysis struct {
	rules.Contents
	opt        Options
	result     *Result
	merged     map[pairKey]*Pair
	executable *bool // the result of byExecution
	smallFirst bool  // a small launch has shown a race that the solver's values did not show
}

// Analyze analyses a kernel under the facts of given; see Result. It returns an error of the context, of a solver that
// does not start, or if f is not a kernel.
func Analyze(ctx context.Context, f *rewrite.Func, given *facts.Given, opt Options) (*Result, error) {
	if !f.Entry || !f.Defined() {
		return nil, fmt.Errorf("%s is no kernel", f.Name)
	}
	if given == nil {
		given = facts.Nothing()
	}
	if opt.Partial && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &Result{Kernel: f.Name, Site: given.Site, Verdict: Possible, Late: true}, nil
	}
	b := kernel.NewBuilder(query.New(ctx, given, opt.forQueries()), f,
		kernel.Assumptions{NoWrap: opt.NoWrap, Believe: opt.Believe})
	a := &analysis{
		Contents: rules.NewContents(b.Model), opt: opt, result: &Result{Kernel: f.Name, Site: given.Site},
		merged: make(map[pairKey]*Pair),
	}
	a.run(b)
	a.result.Queries, a.result.Work = a.Queries, a.Work
	a.result.Applied = slices.Sorted(maps.Keys(a.Applied))
	return a.result, a.Err
}

// run builds the model and decides its pairs. Where no launch satisfies the facts, or the time ends before all accesses
// are known, no pair is decided.
func (a *analysis) run(b *kernel.Builder) {
	a.result.Verdict = Possible
	b.Prepare()
	b.Inspect()
	core, impossible := a.Contradictory()
	switch {
	case impossible:
		b.Gaps.Note("no launch satisfies the facts: %s", strings.Join(core, "; "))
	case a.opt.Proofs != nil && !a.Satisfiable(a.Ranges(1), nil):
		b.Gaps.Note("no launch is known that satisfies the facts")
		impossible = true
	}
	if a.result.Vacuous = impossible; !impossible {
		b.Collect()
	}
	a.result.lacks(b.Gaps)
	a.Over()
	if a.result.Late = a.Late; impossible || a.Late || a.Err != nil { // some accesses may be missing
		return
	}
	a.result.Verdict = Clean
	a.result.Missed = b.Missed()
	a.result.Unseen = a.Traits.Tex != nil || a.Traits.Hidden != nil || a.FetchesWritten()
	a.faults()
	a.pairs()
	a.lives()
	if !a.Over() {
		a.tryAny()
	}
	a.outside()
	a.Over()
	a.result.Late = a.Late
	a.finish()
}

// start returns a pair before it is decided.
func (a *analysis) start(x, y *kernel.Item) *Pair {
	p := &Pair{First: accessOf(a.Model, x), Second: accessOf(a.Model, y), Space: x.Object.Space}
	if p.Space == isa.SpaceNone {
		p.Space = y.Object.Space
	}
	return p
}

func accessOf(m *kernel.Model, it *kernel.Item) Access {
	return Access{
		Inst: it.Access.Inst, Calls: it.Access.Frame.Path(), Kind: it.Access.Kind, Operand: it.Access.Access.Addr,
		Size:   it.Access.Size,
		Object: it.Object.Name(m.Kernel.Func), Param: it.Object.Param,
	}
}

// pairKey identifies a pair by its instructions, or by one and an event.
type pairKey struct {
	first, second *rewrite.Inst
	event         detect.Event
}

// merge adds a pair to the result, or merges it with the pair of the same instructions.
func (a *analysis) merge(merged map[pairKey]*Pair, p *Pair) {
	key := pairKey{p.First.Inst, p.Second.Inst, p.Second.Event}
	q := merged[key]
	if q == nil {
		q = merged[pairKey{key.second, key.first, key.event}]
	}
	if q == nil {
		merged[key] = p
		a.result.Pairs = append(a.result.Pairs, p)
		return
	}
	needed := append(q.Needed, p.Needed...)
	if p.Verdict > q.Verdict || p.Verdict == q.Verdict &&
		(q.Fault != 0 && p.Fault == 0 || p.Kind < q.Kind && (q.Fault == 0) == (p.Fault == 0)) {
		*q = *p
	}
	slices.Sort(needed)
	q.Needed = slices.Compact(needed)
}

// finish computes the summary of the result.
func (a *analysis) finish() {
	r := a.result
	for _, p := range r.Pairs {
		r.Verdict = max(r.Verdict, p.Verdict)
		if p.Verdict == Clean {
			r.Needed = append(r.Needed, p.Needed...)
		}
	}
	if a.Given.Disjoint && a.FetchesAndWrites() {
		r.Needed = append(r.Needed, kernel.Disjoint)
	}
	for _, u := range a.Kernel.Assumed {
		r.Needed = append(r.Needed, fmt.Sprintf("calls: the call at %s %s", kernel.Where(u.Call), u.Why))
	}
	left := leftCopy(a.Model)
	if left != nil {
		a.result.note("the block may end before the bulk copy at %s has read its source", kernel.Where(left))
	}
	if left == nil && !a.Late {
		if left, r.Needed = a.leftLoad(r.Needed); left != nil {
			a.result.note("the block may end before the bulk copy at %s is made", kernel.Where(left))
		}
		r.Late = a.Late
	}
	r.Apart = len(a.Kernel.Unknown) > 0 || left != nil || r.Unseen || r.Late
	if r.Apart || len(r.Faults) > 0 {
		r.Verdict = max(r.Verdict, Possible)
	}
	r.Needed = append(append(append(r.Needed, a.AgreedBy...), a.TeamsBy...), a.LocalBy...)
	slices.Sort(r.Needed)
	r.Needed = slices.Compact(r.Needed)
	slices.Sort(r.Notes)
	a.Work += a.Kernel.Work()
}

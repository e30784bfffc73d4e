// The analysis of a kernel: its traits, its accesses, and the summary of the result.

package static

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// analysis decides the pairs of a kernel, under one set of facts.
type analysis struct {
	contents
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
	b := newBuilder(ctx, f, given, opt)
	a := &analysis{contents: newContents(b.model), result: b.result, merged: make(map[pairKey]*Pair)}
	a.run(b)
	a.result.Queries, a.result.Work = a.queries, a.work
	a.result.Applied = slices.Sorted(maps.Keys(a.applied))
	return a.result, a.err
}

// run builds the model and decides its pairs. Where no launch satisfies the facts, or the time ends before all accesses
// are known, no pair is decided.
func (a *analysis) run(b *builder) {
	a.result.Verdict = Possible
	b.prepare()
	b.inspect()
	core, impossible := a.contradictory()
	switch {
	case impossible:
		b.result.note("no launch satisfies the facts: %s", strings.Join(core, "; "))
	case a.opt.Proofs != nil && !a.satisfiable(a.ranges(1), nil):
		b.result.note("no launch is known that satisfies the facts")
		impossible = true
	}
	if a.result.Vacuous = impossible; !impossible {
		b.collect()
	}
	a.over()
	if a.result.Late = a.late; impossible || a.late || a.err != nil { // some accesses may be missing
		return
	}
	a.result.Verdict = Clean
	a.result.Missed = b.missed()
	a.result.Unseen = a.traits.tex != nil || a.traits.hidden != nil || a.fetchesWritten()
	a.faults()
	a.pairs()
	a.lives()
	if !a.over() {
		a.tryAny()
	}
	a.outside()
	a.over()
	a.result.Late = a.late
	a.finish()
}

// newBuilder returns the builder of a kernel's model.
func newBuilder(ctx context.Context, f *rewrite.Func, given *facts.Given, opt Options) *builder {
	s := &session{
		launchFacts: &launchFacts{given: given, threads: maxThreads}, ctx: ctx, opt: opt, left: opt.Budget,
		rough:   opt.Rough,
		answers: make(map[uint64][]*cachedQuery), fillings: make(map[*expr.Bool]*substituted),
		inOneBlock: make(map[*expr.Bool]*expr.Bool),
		applied:    make(map[string]bool), ranged: make(map[string]expr.Variable),
		rangedFilled: make(map[string]expr.Variable),
	}
	s.opt.Solve.NoCore = opt.Rough
	if s.left <= 0 {
		s.left = DefaultBudget
	}
	s.patience, s.spare = max(1, s.left/DefaultBudget), s.left
	if opt.Proofs == nil { // a recorded refutation is one of a whole query
		s.refuted = newRefutations()
	}
	b := &builder{&model{session: s, kernel: symbolic.New(f, s.over)}, &Result{Kernel: f.Name, Site: given.Site}}
	return b
}

// note adds a note once.
func (r *Result) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(r.Notes, text) {
		r.Notes = append(r.Notes, text)
	}
}

// contradictory reports whether no launch satisfies the facts, and returns the names of those that exclude all.
func (s *session) contradictory() ([]string, bool) {
	for _, d := range s.order {
		if f := s.defining[d]; f.Formula == expr.False { // an extent beyond its limits
			return []string{f.Name}, true
		}
	}
	r := s.solve(s.ranges(1), nil, cheap|noModel)
	return r.core, r.unsat
}

// inspect determines the traits.
func (b *builder) inspect() {
	for _, u := range b.kernel.Unknown {
		b.result.note("%s at %s is not followed", u.Why, where(u.Call))
	}
	for _, f := range b.kernel.Frames {
		if f.Func.CFG().Degenerate && len(f.Func.Insts) > 0 {
			b.traits.hidden = f.Func.Insts[0] // after a branch through a register, anything may be executed
		}
		for _, in := range f.Func.Insts {
			if !f.Reached(in) {
				continue
			}
			b.inspectInst(in)
		}
	}
	b.kernel.Never = b.excluded
	b.findTeams()
	b.barriers()
}

func (b *builder) inspectInst(in *rewrite.Inst) {
	t := &b.traits
	if in.Instr.Calc == isa.CalcPeerAddress {
		t.peers = in
	}
	if b, ok := in.Barrier(); ok && b.Of == isa.BarrierOfCluster {
		t.peers = in
	}
	if in.Instr.Class == isa.ClassFence || in.Sem.Acquires() || in.Sem.Releases() || in.Unknown() {
		t.fences = true
	}
	if hides(in) {
		t.hidden = in
	}
	for _, x := range in.Accesses {
		if x.Space == isa.SpaceTex {
			t.fetch = in
			if x.Writes() {
				t.tex = in
			}
		}
		if p := in.Proxy(); (p != isa.ProxyGeneric && p != isa.ProxyReadOnly || in.Instr.Class == isa.ClassAsync ||
			len(in.Accesses) > 1 && in.Signals()) && x.Space != isa.SpaceTex {
			t.async = in
		}
	}
}

// hides reports whether an instruction accesses memory at an address that is not one of its operands.
func hides(in *rewrite.Inst) bool {
	return in.Unknown() || in.Effects()&(isa.ReadsMemory|isa.WritesMemory) != 0 && len(in.Accesses) == 0
}

// collect makes the items.
func (b *builder) collect() {
	seen := make(map[*rewrite.Inst]bool)
	for i, x := range b.kernel.Accesses() {
		if b.over() {
			break
		}
		if _, before := seen[x.Inst]; x.Space == isa.SpaceTex {
			seen[x.Inst] = false
			continue
		} else if !before {
			seen[x.Inst] = true
		}
		list := b.choices(x)
		for _, c := range list {
			if it := b.newItem(c, i); it != nil {
				it.whole, it.chosen = x, len(list) > 1
				b.items = append(b.items, it)
			}
		}
	}
	b.readers = make(map[loadKey][]*item)
	for _, it := range b.items {
		key := loadKey{it.acc.Frame, it.acc.Inst}
		b.readers[key] = append(b.readers[key], it)
	}
	b.every = slices.Clone(b.items)
	if !b.writesConstants() {
		b.items = slices.DeleteFunc(b.items, func(it *item) bool {
			return it.obj.space == isa.SpaceConst &&
				!it.acc.Writes()
		})
	}
	b.result.Accesses, b.result.Seen = len(b.items), seen
	b.findRemote()
	b.agree()
	b.left -= b.kernel.Work()
	if b.traits.hidden != nil {
		b.result.note("what the instruction at %s accesses is not known", where(b.traits.hidden))
	}
	if b.traits.tex != nil {
		b.result.note("writes to surfaces, as at %s, are not looked at", where(b.traits.tex))
	}
	if b.fetchesWritten() {
		b.result.note("the texture read at %s may be of memory that the kernel writes", where(b.traits.fetch))
	}
}

// fetchesWritten reports whether a texture may be over memory that the kernel writes, unless pointers do not alias.
func (m *model) fetchesWritten() bool { return !m.given.Disjoint && m.fetchesAndWrites() }

func (m *model) fetchesAndWrites() bool {
	return m.traits.fetch != nil && slices.ContainsFunc(m.items, func(it *item) bool {
		return it.acc.Writes() && it.obj.space != isa.SpaceShared
	})
}

// neverRace reports whether two accesses never race, whatever their addresses: they are morally strong (PTX ISA,
// "Morally Strong Operations"), or in different state spaces.
func (m *model) neverRace(x, y *item) bool {
	if x.obj.space != isa.SpaceNone && y.obj.space != isa.SpaceNone && x.obj.space != y.obj.space {
		return true
	}
	if signalled(x, y) {
		return true
	}
	for k := range kinds {
		if !m.morallyStrong(x, y, k) && (k != InterBlock || !m.perBlockMemory(x, y)) {
			return false
		}
	}
	return true
}

// perBlockMemory reports whether two accesses are to memory that each block has separately.
func (m *model) perBlockMemory(x, y *item) bool {
	return (x.obj.space == isa.SpaceShared || y.obj.space == isa.SpaceShared) && !x.remote && !y.remote
}

// morallyStrong reports whether two accesses to a common address are morally strong, for the threads of a kind of race.
// Threads of two blocks that access the shared memory of one are in one cluster.
func (m *model) morallyStrong(x, y *item, kind Kind) bool {
	between := isa.ScopeGPU
	if x.obj.space == isa.SpaceShared || y.obj.space == isa.SpaceShared {
		between = isa.ScopeCluster
	}
	strong := func(it *item) bool {
		in := it.acc.Inst
		s := in.StrongScope()
		if !in.Strong() || it.acc.Async || in.Proxy() != isa.ProxyGeneric {
			return false
		}
		if kind == InterBlock {
			return s >= between
		}
		return s >= isa.ScopeCTA
	}
	return x.acc.Scalar == y.acc.Scalar && x.acc.Scalar > 0 && strong(x) && strong(y)
}

// start returns a pair before it is decided.
func (a *analysis) start(x, y *item) *Pair {
	p := &Pair{First: a.describe(x), Second: a.describe(y), Space: x.obj.space}
	if p.Space == isa.SpaceNone {
		p.Space = y.obj.space
	}
	return p
}

func (m *model) describe(it *item) Access {
	return Access{
		Inst: it.acc.Inst, Calls: it.acc.Frame.Path(), Kind: it.acc.Kind, Operand: it.acc.Access.Addr,
		Size:   it.acc.Size,
		Object: it.obj.name(m.kernel.Func), Param: it.obj.param,
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
	if a.given.Disjoint && a.fetchesAndWrites() {
		r.Needed = append(r.Needed, disjoint)
	}
	for _, u := range a.kernel.Assumed {
		r.Needed = append(r.Needed, fmt.Sprintf("calls: the call at %s %s", where(u.Call), u.Why))
	}
	left := a.leftCopy()
	if left != nil {
		a.result.note("the block may end before the bulk copy at %s has read its source", where(left))
	}
	r.Apart = len(a.kernel.Unknown) > 0 || left != nil || r.Unseen || r.Late
	if r.Apart || len(r.Faults) > 0 {
		r.Verdict = max(r.Verdict, Possible)
	}
	r.Needed = append(append(append(r.Needed, a.agreedBy...), a.teamsBy...), a.localBy...)
	slices.Sort(r.Needed)
	r.Needed = slices.Compact(r.Needed)
	slices.Sort(r.Notes)
	a.work += a.kernel.Work()
}

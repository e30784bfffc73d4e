// The analysis of a kernel: its traits, its accesses, and the summary of the result.

package static

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/static/expr"
	"github.com/ptxsan/ptxsan/runtime/static/facts"
	"github.com/ptxsan/ptxsan/runtime/static/solve"
	"github.com/ptxsan/ptxsan/runtime/static/symbolic"
)

// analysis is the analysis of one kernel under one set of facts.
type analysis struct {
	ctx    context.Context
	kernel *symbolic.Kernel
	given  *facts.Given
	opt    Options
	result *Result
	left   int64 // remaining budget
	spare  int64 // remaining budget for finding the facts that proofs need
	// patience multiplies the limits of queries: with a larger budget than the default, and when pairs are decided again.
	patience int64
	late     bool // the time is over: see Options.Partial
	err      error

	answers              map[uint64][]*answered
	refuted              *refutations // nil: none are kept
	fillings             map[*expr.Bool]*substituted
	together             map[*expr.Bool]*expr.Bool // see oneBlock
	ranged, rangedFilled map[string]expr.Variable  // the variables of queries, see noteRanges
	free                 []string                  // facts that the pair needs anyway
	inLaunch             [4][]*expr.Bool           // see ranges
	facts                []solve.Fact
	defs                 map[string]*expr.Int   // definitions by facts, by variable
	defining             map[string]solve.Fact  // the facts with the definitions
	restsOn              map[string][]string    // other defined variables from whose definitions one follows, see settle
	order                []string               // the variables, in order
	numbers              map[facts.Param]string // facts by which parameters are numbers
	filling              expr.Substitution
	threads              int64 // upper bound for a block

	items     []*item
	every     []*item             // items, and the loads of constants
	at        map[loadKey][]*item // see itemsAt
	readers   map[loadKey][]*item // accesses by instruction, those of constants included
	unwritten map[loadKey]bool    // see fixed
	loads     map[loadKey]string  // variables for the results of loads
	vars      []expr.Variable     // see variables
	sized     []*expr.Int         // see sizes
	blocks    *symbolic.Barriers
	warps     *symbolic.Barriers
	teams     []team
	parts     symbolic.Named
	rowBy     []string // facts by which blocks extend in dimension x only, nil if they may not
	teamsBy   []string // facts by which named barriers order teams, see findTeams
	traits    traits

	executable *bool // see byExecution
	locks      lockResults
	counters   []*counter
	phases     []*phase
	stopping   []*rewrite.Inst // see stops
	localBy    []string        // facts by which accesses are to the own block's shared memory: see findRemote
	merged     map[pairKey]*Pair
	agreedBy   []string // facts by which all threads of a block pass the same barriers, or take no way around them: see agree, excluded
	relying    bool     // see rely
	rough      bool     // proofs need not be narrowed
	small      bool     // see search
	relied     []string // see rely
}

// traits are the properties of a kernel that matter to all pairs.
type traits struct {
	peers  *rewrite.Inst // accesses the shared memory of other blocks
	async  *rewrite.Inst // asynchronous operation
	tex    *rewrite.Inst // writes to a surface
	fetch  *rewrite.Inst // reads a texture or surface
	hidden *rewrite.Inst // accesses memory not given by an operand
	fences bool          // orders memory other than by barriers
}

// Analyze analyses a kernel under the facts of given; see Result. It returns an error of the context, of a solver that does not
// start, or if f is not a kernel.
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
	a := &analysis{
		ctx: ctx, given: given, opt: opt, left: opt.Budget, threads: maxThreads,
		result: &Result{Kernel: f.Name, Site: given.Site}, answers: make(map[uint64][]*answered),
	}
	a.kernel = symbolic.New(f, a.over)
	a.locks = lockResults{make(map[lockKey]bool), make(map[lockKey]bool), make(map[lockKey][]*item)}
	if a.left <= 0 {
		a.left = DefaultBudget
	}
	a.patience = max(1, a.left/DefaultBudget)
	a.spare, a.rough, a.opt.Solve.NoCore = a.left, opt.Rough, opt.Rough
	a.fillings, a.together = make(map[*expr.Bool]*substituted), make(map[*expr.Bool]*expr.Bool)
	a.merged = make(map[pairKey]*Pair)
	a.ranged, a.rangedFilled = make(map[string]expr.Variable), make(map[string]expr.Variable)
	if opt.Proofs == nil { // a recorded refutation is one of a whole query
		a.refuted = newRefutations()
	}
	a.prepare()
	a.inspect()
	core, impossible := a.contradictory()
	switch {
	case impossible:
		a.note("no launch satisfies the facts: %s", strings.Join(core, "; "))
	case opt.Proofs != nil && !a.satisfiable(a.ranges(1), nil):
		a.note("no launch is known that satisfies the facts")
		impossible = true
	}
	if a.result.Vacuous = impossible; impossible {
		a.over()
		a.result.Verdict, a.result.Late = Possible, a.late
		return a.result, a.err
	}
	if a.collect(); a.over() { // some accesses may be missing
		a.result.Verdict, a.result.Late = Possible, a.late
		return a.result, a.err
	}
	a.result.Missed = a.missed()
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
	return a.result, a.err
}

// note adds a note once.
func (a *analysis) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(a.result.Notes, text) {
		a.result.Notes = append(a.result.Notes, text)
	}
}

// contradictory reports whether no launch satisfies the facts, and returns the names of those that exclude all.
func (a *analysis) contradictory() ([]string, bool) {
	for _, d := range a.order {
		if f := a.defining[d]; f.Formula == expr.False { // an extent beyond its limits
			return []string{f.Name}, true
		}
	}
	r := a.solve(a.ranges(1), nil, cheap|noModel)
	return r.core, r.unsat
}

// inspect determines the traits.
func (a *analysis) inspect() {
	for _, u := range a.kernel.Unknown {
		a.note("%s at %s is not followed", u.Why, where(u.Call))
	}
	for _, f := range a.kernel.Frames {
		if f.Func.CFG().Degenerate && len(f.Func.Insts) > 0 {
			a.traits.hidden = f.Func.Insts[0] // after a branch through a register, anything may be executed
		}
		for _, in := range f.Func.Insts {
			if !f.Reached(in) {
				continue
			}
			a.inspectInst(in)
		}
	}
	a.kernel.Never = a.excluded
	a.findTeams()
	a.barriers()
}

func (a *analysis) inspectInst(in *rewrite.Inst) {
	t := &a.traits
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
		if p := in.Proxy(); (p != isa.ProxyGeneric && p != isa.ProxyReadOnly || in.Instr.Class == isa.ClassAsync || len(in.Accesses) > 1 && in.Signals()) && x.Space != isa.SpaceTex {
			t.async = in
		}
	}
}

// hides reports whether an instruction accesses memory at an address that is not one of its operands.
func hides(in *rewrite.Inst) bool {
	return in.Unknown() || in.Effects()&(isa.ReadsMemory|isa.WritesMemory) != 0 && len(in.Accesses) == 0
}

// collect makes the items.
func (a *analysis) collect() {
	seen := make(map[*rewrite.Inst]bool)
	for i, x := range a.kernel.Accesses() {
		if a.over() {
			break
		}
		if _, before := seen[x.Inst]; x.Space == isa.SpaceTex {
			seen[x.Inst] = false
			continue
		} else if !before {
			seen[x.Inst] = true
		}
		list := a.choices(x)
		for _, c := range list {
			if it := a.newItem(c, i); it != nil {
				it.whole, it.chosen = x, len(list) > 1
				a.items = append(a.items, it)
			}
		}
	}
	a.readers = make(map[loadKey][]*item)
	for _, it := range a.items {
		key := loadKey{it.acc.Frame, it.acc.Inst}
		a.readers[key] = append(a.readers[key], it)
	}
	a.every = slices.Clone(a.items)
	if !a.writesConstants() {
		a.items = slices.DeleteFunc(a.items, func(it *item) bool { return it.obj.space == isa.SpaceConst && !it.acc.Writes() })
	}
	a.result.Accesses, a.result.Seen = len(a.items), seen
	a.findRemote()
	a.agree()
	a.left -= a.kernel.Work()
	if a.traits.hidden != nil {
		a.note("what the instruction at %s accesses is not known", where(a.traits.hidden))
	}
	if a.traits.tex != nil {
		a.note("writes to surfaces, as at %s, are not looked at", where(a.traits.tex))
	}
	if a.fetchesWritten() {
		a.note("the texture read at %s may be of memory that the kernel writes", where(a.traits.fetch))
	}
}

// fetchesWritten reports whether a texture may be over memory that the kernel writes, unless pointers do not alias.
func (a *analysis) fetchesWritten() bool { return !a.given.Disjoint && a.fetchesAndWrites() }

func (a *analysis) fetchesAndWrites() bool {
	return a.traits.fetch != nil && slices.ContainsFunc(a.items, func(it *item) bool {
		return it.acc.Writes() && it.obj.space != isa.SpaceShared
	})
}

// neverRace reports whether two accesses never race, whatever their addresses: they are morally strong (PTX ISA, "Morally Strong
// Operations"), or in different state spaces.
func (a *analysis) neverRace(x, y *item) bool {
	if x.obj.space != isa.SpaceNone && y.obj.space != isa.SpaceNone && x.obj.space != y.obj.space {
		return true
	}
	if signalled(x, y) {
		return true
	}
	for k := range kinds {
		if !a.morallyStrong(x, y, k) && (k != InterBlock || !a.perBlockMemory(x, y)) {
			return false
		}
	}
	return true
}

// perBlockMemory reports whether two accesses are to memory that each block has separately.
func (a *analysis) perBlockMemory(x, y *item) bool {
	return (x.obj.space == isa.SpaceShared || y.obj.space == isa.SpaceShared) && !x.remote && !y.remote
}

// morallyStrong reports whether two accesses to a common address are morally strong, for the threads of a kind of race. Threads of two blocks
// that access the shared memory of one are in one cluster.
func (a *analysis) morallyStrong(x, y *item, kind Kind) bool {
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

func (a *analysis) describe(it *item) Access {
	return Access{
		Inst: it.acc.Inst, Calls: it.acc.Frame.Path(), Kind: it.acc.Kind, Operand: it.acc.Access.Addr, Size: it.acc.Size,
		Object: it.obj.name(a.kernel.Func), Param: it.obj.param,
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
	if p.Verdict > q.Verdict || p.Verdict == q.Verdict && (q.Fault != 0 && p.Fault == 0 || p.Kind < q.Kind && (q.Fault == 0) == (p.Fault == 0)) {
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
		a.note("the block may end before the bulk copy at %s has read its source", where(left))
	}
	r.Apart = len(a.kernel.Unknown) > 0 || left != nil || r.Unseen || r.Late
	if r.Apart || len(r.Faults) > 0 {
		r.Verdict = max(r.Verdict, Possible)
	}
	r.Needed = append(append(append(r.Needed, a.agreedBy...), a.teamsBy...), a.localBy...)
	slices.Sort(r.Needed)
	r.Needed = slices.Compact(r.Needed)
	slices.Sort(r.Notes)
	r.Work += a.kernel.Work()
}

// Needs: which facts a proof rests on.

package static

import (
	"math/big"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/static/expr"
	"github.com/ptxsan/ptxsan/runtime/static/solve"
)

// aligned is the fact that no access is misaligned: a launch with one ends in a fault (PTX ISA, "Addresses as Operands").
const aligned = "aligned: each address is a multiple of the size of its access"

// needs returns the names of the facts on which the formulas of an access rest.
func (it *item) needs() []string {
	out := slices.Clone(it.used)
	for _, w := range it.wraps {
		out = append(out, w.needed...)
	}
	return out
}

// substituted is a formula with the definitions of facts put in, and the defined variables that matter to it.
type substituted struct {
	f    *expr.Bool
	used []string
}

// maxSubstituted limits the formulas of which the substituted ones are kept.
const maxSubstituted = 1 << 16

// fill substitutes the definitions of facts in a formula, and limits the range of an index in a dimension of known extent, which is 0
// for an extent of 1.
func (a *analysis) fill(f *expr.Bool) *substituted {
	if s := a.fillings[f]; s != nil {
		return s
	}
	s := &substituted{}
	use := func(name string) {
		if !slices.Contains(s.used, name) {
			s.used = append(s.used, name)
		}
	}
	s.f = f.Subst(expr.Substitution{Int: func(v expr.Variable) *expr.Int {
		if value, ok := a.defs[v.Name]; ok {
			use(v.Name)
			return value
		}
		extent := extentOf(v.Name)
		n := a.extent(extent)
		if n < 1 || v.Hi == nil || v.Hi.Cmp(big.NewInt(n)) < 0 {
			return nil
		}
		use(extent)
		if v.Hi = big.NewInt(n - 1); n == 1 {
			return expr.Const(0)
		}
		return expr.NewVar(v)
	}})
	a.noteRanges(a.ranged, f)
	a.noteRanges(a.rangedFilled, s.f)
	if len(a.fillings) >= maxSubstituted {
		clear(a.fillings)
	}
	a.fillings[f] = s
	return s
}

// noteRanges notes the ranges of a formula's variables. Once a variable has two among formulas as they are, or among those with
// definitions put in, refutations hold no longer in other queries, as a proof may use the range that a variable has elsewhere in its
// query.
func (a *analysis) noteRanges(ranged map[string]expr.Variable, f *expr.Bool) {
	if a.refuted == nil {
		return
	}
	for _, v := range f.Vars() {
		if have, known := ranged[v.Name]; !known {
			ranged[v.Name] = v
		} else if !sameBound(v.Lo, have.Lo) || !sameBound(v.Hi, have.Hi) {
			a.refuted = nil
			return
		}
	}
}

func sameBound(a, b *big.Int) bool { return a == b || a != nil && b != nil && a.Cmp(b) == 0 }

// extent returns the constant as which an extent is defined; 0 for other variables.
func (a *analysis) extent(name string) int64 {
	value, ok := a.defs[name]
	if !ok {
		return 0
	}
	n, _ := value.Int64()
	return n
}

// extentOf returns the name of the extent that limits an index, such as nctaid.x for ctaid.x#2; "" for other variables.
func extentOf(name string) string {
	name, _, _ = strings.Cut(name, "#")
	if kind, d, ok := strings.Cut(name, "."); ok && len(d) == 1 && (kind == "tid" || kind == "ctaid") {
		return "n" + name
	}
	return ""
}

// filled is a query with the definitions of facts substituted.
type filled struct {
	goal  []*expr.Bool
	facts []solve.Fact
	used  [][]string // the definitions that the formulas of the goal rest on
}

func (a *analysis) filled(goal []*expr.Bool, more []solve.Fact) filled {
	var q filled
	for _, f := range goal {
		if a.over() {
			break
		}
		s := a.fill(f)
		q.goal, q.used = append(q.goal, s.f), append(q.used, s.used)
	}
	for _, f := range slices.Concat(a.facts, more) {
		q.facts = append(q.facts, solve.Fact{Name: f.Name, Formula: a.fill(f.Formula).f})
	}
	return q
}

// contradictory returns the indices of formulas of the goal that contradict each other as they are: one of them, if one never holds.
func (q *filled) contradictory() (out []int) {
	for i, f := range q.goal {
		if f == expr.False {
			return []int{i}
		}
		out = append(out, i)
	}
	return out
}

// proofWork is the least budget for the repetition of a proof.
const proofWork = 400_000

// narrow completes the answer to an unsatisfiable query by the facts that its proof needs. The proof has the facts of the answer and
// the definitions in the formulas that it uses. It is repeated with these definitions as facts that the solver may drop; if that fails, it
// needs all of them.
func (a *analysis) narrow(goal []*expr.Bool, more []solve.Fact, r answer, q filled) answer {
	core := r.core
	used := make(map[string]bool)
	note := func(names []string) {
		for _, name := range names {
			used[name] = true
		}
	}
	for i, names := range q.used {
		if a.opt.Proofs != nil || slices.Contains(r.used, i) { // the recorded proof is another one
			note(names)
		}
	}
	var kept []solve.Fact
	for _, f := range slices.Concat(a.facts, more) {
		if slices.Contains(core, f.Name) {
			kept = append(kept, f)
			note(a.fill(f.Formula).used)
		}
	}
	for _, d := range a.order {
		if used[d] {
			for _, on := range a.restsOn[d] {
				used[on] = true
			}
		}
	}
	all, free := slices.Clone(core), true
	for _, d := range a.order {
		if used[d] {
			all = append(all, a.defining[d].Name)
			kept = append(kept, a.defining[d])
			free = free && slices.Contains(a.free, a.defining[d].Name)
		}
	}
	slices.Sort(all)
	r.core = slices.Compact(all)
	if free || len(r.core) == len(core) || a.rough || a.spare <= 0 || a.err != nil || a.late {
		return r
	}
	again := solve.Query{Goal: goal, Facts: kept, Free: a.free}
	return a.narrowed(again, r)
}

// narrowed repeats a proof; the answer is r if that fails.
func (a *analysis) narrowed(q solve.Query, r answer) answer {
	if a.opt.Proofs.checks() {
		if again := a.opt.Proofs.look(q, narrowing); again.unsat {
			return again
		}
		return r
	}
	again, err := solve.Solve(a.ctx, q, solve.Options{Budget: proofWork, NoModel: true, NoCore: true})
	a.spare -= again.Work + 1000
	if err != nil {
		a.failed(err)
	}
	if err != nil || again.Verdict != solve.Unsat {
		return r
	}
	if out := (answer{unsat: true, core: again.Core, used: again.Used}); a.opt.Proofs == nil {
		return out
	} else if out = a.opt.Proofs.record(a.ctx, q, narrowing, out, again.Work); out.unsat {
		return out
	}
	return r
}

// rely calls a function that looks for synchronisation between two accesses. If it finds any, the result is all facts that such
// functions have used so far, since they keep what they find out, and the facts of the formulas of all accesses.
func (a *analysis) rely(rule func() bool) ([]string, bool) {
	a.relying = true
	ok := rule()
	if a.relying = false; !ok {
		return nil, false
	}
	needed := slices.Clone(a.relied)
	for _, it := range a.items {
		needed = append(needed, it.needs()...)
	}
	slices.Sort(needed)
	return slices.Compact(needed), true
}

// relies records facts that a proof uses while a function of rely looks for synchronisation.
func (a *analysis) relies(names ...string) {
	for _, n := range names {
		if a.relying && !slices.Contains(a.relied, n) {
			a.relied = append(a.relied, n)
		}
	}
}

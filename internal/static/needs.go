// Needs: which facts a proof rests on.

package static

import (
	"math/big"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/solve"
)

// aligned is the fact that no access is misaligned: a launch with one ends in a fault (PTX ISA, "Addresses as
// Operands").
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

// fill substitutes the definitions of facts in a formula, and limits the range of an index in a dimension of known
// extent, which is 0 for an extent of 1.
func (s *session) fill(f *expr.Bool) *substituted {
	if out := s.fillings[f]; out != nil {
		return out
	}
	out := &substituted{}
	use := func(name string) {
		if !slices.Contains(out.used, name) {
			out.used = append(out.used, name)
		}
	}
	out.f = f.Subst(expr.Substitution{Int: func(v expr.Variable) *expr.Int {
		if value, ok := s.defs[v.Name]; ok {
			use(v.Name)
			return value
		}
		extent := extentOf(v.Name)
		n := s.extent(extent)
		if n < 1 || v.Hi == nil || v.Hi.Cmp(big.NewInt(n)) < 0 {
			return nil
		}
		use(extent)
		if v.Hi = big.NewInt(n - 1); n == 1 {
			return expr.Const(0)
		}
		return expr.NewVar(v)
	}})
	s.noteRanges(s.ranged, f)
	s.noteRanges(s.rangedFilled, out.f)
	if len(s.fillings) >= maxSubstituted {
		clear(s.fillings)
	}
	s.fillings[f] = out
	return out
}

// noteRanges notes the ranges of a formula's variables. Once a variable has two among formulas as they are, or among
// those with definitions put in, refutations hold no longer in other queries, as a proof may use the range that a
// variable has elsewhere in its query.
func (s *session) noteRanges(ranged map[string]expr.Variable, f *expr.Bool) {
	if s.refuted == nil {
		return
	}
	for _, v := range f.Vars() {
		if have, known := ranged[v.Name]; !known {
			ranged[v.Name] = v
		} else if !sameBound(v.Lo, have.Lo) || !sameBound(v.Hi, have.Hi) {
			s.refuted = nil
			return
		}
	}
}

func sameBound(a, b *big.Int) bool { return a == b || a != nil && b != nil && a.Cmp(b) == 0 }

// extent returns the constant as which an extent is defined; 0 for other variables.
func (l *launchFacts) extent(name string) int64 {
	value, ok := l.defs[name]
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

func (s *session) filled(goal []*expr.Bool, more []solve.Fact) filled {
	var q filled
	for _, f := range goal {
		if s.over() {
			break
		}
		filling := s.fill(f)
		q.goal, q.used = append(q.goal, filling.f), append(q.used, filling.used)
	}
	for _, f := range slices.Concat(s.facts, more) {
		q.facts = append(q.facts, solve.Fact{Name: f.Name, Formula: s.fill(f.Formula).f})
	}
	return q
}

// contradictory returns the indices of formulas of the goal that contradict each other as they are: one of them, if one
// never holds.
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

// narrow completes the answer to an unsatisfiable query by the facts that its proof needs. The proof has the facts of
// the answer and the definitions in the formulas that it uses. It is repeated with these definitions as facts that the
// solver may drop; if that fails, it needs all of them.
func (s *session) narrow(free []string, goal []*expr.Bool, more []solve.Fact, r answer, q filled) answer {
	core := r.core
	used := make(map[string]bool)
	note := func(names []string) {
		for _, name := range names {
			used[name] = true
		}
	}
	for i, names := range q.used {
		if s.opt.Proofs != nil || slices.Contains(r.used, i) { // the recorded proof is another one
			note(names)
		}
	}
	var kept []solve.Fact
	for _, f := range slices.Concat(s.facts, more) {
		if slices.Contains(core, f.Name) {
			kept = append(kept, f)
			note(s.fill(f.Formula).used)
		}
	}
	for _, d := range s.order {
		if used[d] {
			for _, on := range s.restsOn[d] {
				used[on] = true
			}
		}
	}
	all, given := slices.Clone(core), true
	for _, d := range s.order {
		if used[d] {
			all = append(all, s.defining[d].Name)
			kept = append(kept, s.defining[d])
			given = given && slices.Contains(free, s.defining[d].Name)
		}
	}
	slices.Sort(all)
	r.core = slices.Compact(all)
	if given || len(r.core) == len(core) || s.rough || s.spare <= 0 || s.err != nil || s.late {
		return r
	}
	again := solve.Query{Goal: goal, Facts: kept, Free: free}
	return s.narrowed(again, r)
}

// narrowed repeats a proof; the answer is r if that fails.
func (s *session) narrowed(q solve.Query, r answer) answer {
	if s.opt.Proofs.checks() {
		if again := s.opt.Proofs.look(q, narrowing); again.unsat {
			return again
		}
		return r
	}
	again, err := solve.Solve(s.ctx, q, solve.Options{Budget: proofWork, NoModel: true, NoCore: true})
	s.spare -= again.Work + 1000
	if err != nil {
		s.failed(err)
	}
	if err != nil || again.Verdict != solve.Unsat {
		return r
	}
	if out := (answer{unsat: true, core: again.Core, used: again.Used}); s.opt.Proofs == nil {
		return out
	} else if out = s.opt.Proofs.record(s.ctx, q, narrowing, out, again.Work); out.unsat {
		return out
	}
	return r
}

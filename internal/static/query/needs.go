// Needs: which facts a proof rests on.

package query

import (
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/solve"
)

// Substituted is a formula with the definitions of facts put in, and the defined variables that matter to it.
type Substituted struct {
	Formula *expr.Bool
	Used    []string
}

// maxSubstituted limits the formulas of which the substituted ones are kept.
const maxSubstituted = 1 << 16

// Fill substitutes the definitions of facts in a formula, and limits the range of an index in a dimension of known
// extent, which is 0 for an extent of 1.
func (s *Session) Fill(f *expr.Bool) *Substituted {
	if out := s.fillings[f]; out != nil {
		return out
	}
	out := &Substituted{}
	use := func(name string) {
		if !slices.Contains(out.Used, name) {
			out.Used = append(out.Used, name)
		}
	}
	out.Formula = f.Subst(expr.Substitution{Int: func(v expr.Variable) *expr.Int {
		if value, ok := s.Definitions[v.Name]; ok {
			use(v.Name)
			return value
		}
		extent := ExtentOf(v.Name)
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
	s.noteRanges(s.rangedFilled, out.Formula)
	if len(s.fillings) >= maxSubstituted {
		clear(s.fillings)
	}
	s.fillings[f] = out
	return out
}

// noteRanges notes the ranges of a formula's variables. Once a variable has two among formulas as they are, or among
// those with definitions put in, refutations hold no longer in other queries, as a proof may use the range that a
// variable has elsewhere in its query.
func (s *Session) noteRanges(ranged map[string]expr.Variable, f *expr.Bool) {
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

// filled is a query with the definitions of facts substituted.
type filled struct {
	goal  []*expr.Bool
	facts []solve.Fact
	used  [][]string // the definitions that the formulas of the goal rest on
}

func (s *Session) filled(goal []*expr.Bool, more []solve.Fact) filled {
	var q filled
	for _, f := range goal {
		if s.Over() {
			break
		}
		filling := s.Fill(f)
		q.goal, q.used = append(q.goal, filling.Formula), append(q.used, filling.Used)
	}
	for _, f := range slices.Concat(s.Facts, more) {
		q.facts = append(q.facts, solve.Fact{Name: f.Name, Formula: s.Fill(f.Formula).Formula})
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
func (s *Session) narrow(free []string, goal []*expr.Bool, more []solve.Fact, r Answer, q filled) Answer {
	core := r.Core
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
	for _, f := range slices.Concat(s.Facts, more) {
		if slices.Contains(core, f.Name) {
			kept = append(kept, f)
			note(s.Fill(f.Formula).Used)
		}
	}
	for _, d := range s.Defined {
		if used[d] {
			for _, on := range s.restsOn[d] {
				used[on] = true
			}
		}
	}
	all, given := slices.Clone(core), true
	for _, d := range s.Defined {
		if used[d] {
			all = append(all, s.defining[d].Name)
			kept = append(kept, s.defining[d])
			given = given && slices.Contains(free, s.defining[d].Name)
		}
	}
	slices.Sort(all)
	r.Core = slices.Compact(all)
	if given || len(r.Core) == len(core) || s.Rough || s.spare <= 0 || s.Err != nil || s.Late {
		return r
	}
	again := solve.Query{Goal: goal, Facts: kept, Free: free}
	return s.narrowed(again, r)
}

// narrowed repeats a proof; the answer is r if that fails.
func (s *Session) narrowed(q solve.Query, r Answer) Answer {
	if s.opt.Proofs.checks() {
		if again := s.opt.Proofs.look(q, narrowing); again.Unsat {
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
	if out := (Answer{Unsat: true, Core: again.Core, used: again.Used}); s.opt.Proofs == nil {
		return out
	} else if out = s.opt.Proofs.record(s.ctx, q, narrowing, out, again.Work); out.Unsat {
		return out
	}
	return r
}

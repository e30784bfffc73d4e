// Recorded assignments: what shows that a launch exists for which facts hold, so that a proof is about something.

package query

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/solve"
)

// Assignment is a solution of a query. It does not hold the query, as [Refutation] does not.
type Assignment struct {
	Query string              `json:"query"` // a hash of the formulas
	Ints  map[string]*big.Int `json:"values"`
	Bools map[string]bool     `json:"truths,omitempty"`
}

// maxAssigned limits the bits of a value.
const maxAssigned = 4096

// Assignments returns the recorded assignments, in the order in which they were found.
func (p *Proofs) Assignments() []*Assignment { return p.assigned }

// Satisfiable reports whether the record has values for which formulas and all facts of the launch hold. While an
// analysis is recorded, such values are searched for and kept; otherwise they are checked by evaluation.
func (s *Session) Satisfiable(goal []*expr.Bool, more []solve.Fact) bool {
	p := s.opt.Proofs
	all := slices.Clone(goal)
	for _, f := range slices.Concat(s.Facts, more) {
		all = append(all, f.Formula)
	}
	for _, d := range s.Defined {
		all = append(all, s.defining[d].Formula)
	}
	key := keyOf(solve.Query{Goal: all}, 0)
	if x := p.solved[key]; x != nil || p.reading {
		return x != nil && satisfies(&expr.Model{Ints: x.Ints, Bools: x.Bools}, all) == nil
	}
	r := s.Solve(goal, more, 0)
	if !r.Sat || r.Model == nil {
		return false
	}
	m := s.completed(r.Model, all)
	if satisfies(m, all) != nil {
		return false
	}
	p.solved[key] = &Assignment{Query: key, Ints: m.Ints, Bools: m.Bools}
	p.assigned = append(p.assigned, p.solved[key])
	return true
}

// completed returns a model with values for the variables of formulas alone: those of definitions follow from it,
// others that it leaves open get the least value of their range that is not negative.
func (s *Session) completed(m *expr.Model, all []*expr.Bool) *expr.Model {
	out := expr.NewModel()
	for _, v := range expr.Vars(nil, all) {
		value, known := m.Ints[v.Name]
		switch {
		case v.Bool:
			out.Bools[v.Name] = m.Bools[v.Name]
			continue
		case s.Definitions[v.Name] != nil:
			continue
		case !known && v.Lo != nil && v.Lo.Sign() > 0:
			value = v.Lo
		case !known:
			value = new(big.Int)
		}
		out.Ints[v.Name] = value
	}
	for range s.Defined { // a definition may refer to one that comes later
		for _, d := range s.Defined {
			if value, err := s.Definitions[d].Eval(out); err == nil {
				out.Ints[d] = value
			}
		}
	}
	return out
}

// satisfies returns why formulas do not hold for the values of a model, or a value is not in the range of its variable.
// A formula with an unknown part excludes no values.
func satisfies(m *expr.Model, all []*expr.Bool) error {
	for _, v := range expr.Vars(nil, all) {
		value := m.Ints[v.Name]
		switch {
		case v.Bool:
		case value == nil:
			return fmt.Errorf("there is no value of %s", v.Name)
		case value.BitLen() > maxAssigned || v.Lo != nil && value.Cmp(v.Lo) < 0 || v.Hi != nil && value.Cmp(v.Hi) > 0:
			return fmt.Errorf("the value of %s is outside of its range", v.Name)
		}
	}
	for _, f := range all {
		holds, err := f.Eval(m)
		if errors.Is(err, expr.ErrUnknown) {
			continue
		}
		if err != nil {
			return err
		}
		if !holds {
			return fmt.Errorf("this does not hold: %s", Short(f))
		}
	}
	return nil
}

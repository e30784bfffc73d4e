// States of loops: a formula for each round of what a loop carries, for values such as a distance that doubles while
// another is halved, which no one formula of the round describes.

package symbolic

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/rewrite"
)

// A State is what a loop carries in a round, in values that do not change in the loop.
type State struct {
	Round  int64
	Later  bool                 // it is that of all later rounds, too
	Values map[string]*expr.Int // by the names of the carried variables
	When   *expr.Bool           // what holds if there is such a round
}

const (
	maxStates    = 66 // a doubling 64-bit register has 65
	maxStateSize = 24 // nodes of a formula of a state
)

// recurring is a loop-carried variable: its first value, and the value that the next round has.
type recurring struct{ init, next *expr.Int }

// Steps are how values of a loop with a single back edge come from those of the round before.
type Steps struct {
	loop *Loop
	vars map[string]recurring
	stay *expr.Bool // the condition of another round
	from int        // the back edge, among the predecessors of the header
}

// Steps returns the steps of what the loop carries, as far as there are formulas.
func (l *Loop) Steps() *Steps {
	if l.stepping == nil {
		l.stepping = l.recurring()
	}
	return l.stepping
}

func (l *Loop) recurring() *Steps {
	s := &Steps{loop: l, vars: make(map[string]recurring), from: -1}
	f, header := l.Frame, l.Loop.Header
	for k, p := range header.Preds {
		if f.latch(header, k) && f.CFG.Reached(p) {
			if s.from >= 0 {
				return &Steps{}
			}
			s.from = k
		}
	}
	latch := header.Preds[s.from]
	s.stay = expr.All(f.between(latch, header), f.edgeOr(latch, header))
	for i := range f.ssa.Values {
		if v := &f.ssa.Values[i]; v.Kind == rewrite.SSAPhi && v.Block == header && integer(v.Reg.Type) {
			s.recur(f.value(int32(i)).Int, int32(i))
		}
	}
	s.reduce()
	return s
}

// Has reports whether there are steps of a variable.
func (s *Steps) Has(name string) bool { return s.vars[name].next != nil }

// Inputs returns the variables of the formulas that do not change in the loop.
func (s *Steps) Inputs() []expr.Variable {
	var all []*expr.Int
	for _, r := range s.vars {
		all = append(all, r.init, r.next)
	}
	return slices.DeleteFunc(expr.Vars(all, []*expr.Bool{s.stay}),
		func(v expr.Variable) bool { return !s.loop.steady(v.Name) })
}

// States returns the states of all rounds that a loop can have, given the values of some variables: each round has one
// of them. It returns nil if the rounds are not bounded, or the formulas become large.
func (s *Steps) States(given expr.Substitution) []State {
	at := &Steps{loop: s.loop, vars: make(map[string]recurring), stay: s.stay.Subst(given)}
	for name, r := range s.vars {
		at.vars[name] = recurring{r.init.Subst(given), r.next.Subst(given)}
	}
	for len(at.vars) > 0 {
		states, large := at.all()
		if large == "" {
			return states
		}
		delete(at.vars, large)
		at.reduce()
	}
	return nil
}

// recur adds a phi of the header, if it is a variable of its own.
func (s *Steps) recur(x *expr.Int, i int32) {
	f := s.loop.Frame
	phi := &f.ssa.Values[i]
	if x == nil || x.Op() != expr.OpVar || phi.In[s.from] == rewrite.NoValue {
		return
	}
	if o := f.Kernel.Origin(x.Variable().Name); o == nil || o.Frame != f || o.loop != s.loop.Loop || o.value != i {
		return
	}
	init := f.merged(phi, i, func(p int) bool { return !f.latch(phi.Block, p) }).Int
	next := f.value(phi.In[s.from]).Int
	if init != nil && next != nil && !init.IsUnknown() && !next.IsUnknown() {
		s.vars[x.Variable().Name] = recurring{read(init, phi.Reg.Type), read(next, phi.Reg.Type)}
	}
}

// reduce removes the variables whose next value depends on more than those that remain, the round, and what the loop
// leaves unchanged.
func (s *Steps) reduce() {
	for changed := true; changed; {
		changed = false
		for name, r := range s.vars {
			if !s.fixed(r.init.Vars(), false) || !s.fixed(r.next.Vars(), true) {
				delete(s.vars, name)
				changed = true
			}
		}
	}
}

// fixed reports whether variables do not change in the loop; inside, they may also be the round and variables that have
// states.
func (s *Steps) fixed(vars []expr.Variable, inside bool) bool {
	for _, v := range vars {
		_, carried := s.vars[v.Name]
		if own := carried || v.Name == s.loop.Round.Variable().Name; own && inside {
			continue
		} else if own || !s.loop.steady(v.Name) {
			return false
		}
	}
	return true
}

// all computes the states of all rounds, nil if they are more than maxStates. large is the first variable by name, if
// any, whose formula becomes larger than maxStateSize.
func (s *Steps) all() (out []State, large string) {
	now := State{Values: make(map[string]*expr.Int), When: expr.True}
	for name, r := range s.vars {
		now.Values[name] = r.init
	}
	for len(out) < maxStates {
		out = append(out, now)
		in := expr.Substitution{Int: func(v expr.Variable) *expr.Int {
			if v.Name == s.loop.Round.Variable().Name {
				return expr.Const(now.Round)
			}
			return now.Values[v.Name]
		}}
		stay := s.stay.Subst(in)
		if stay == expr.False {
			return out, ""
		}
		next := State{Round: now.Round + 1, Values: make(map[string]*expr.Int), When: s.known(stay)}
		same := true
		for name, r := range s.vars {
			x := r.next.Subst(in)
			if x.Size() > maxStateSize || x.IsUnknown() {
				if large == "" || name < large {
					large = name
				}
				continue
			}
			next.Values[name] = x
			same = same && x.Equal(now.Values[name])
		}
		switch {
		case large != "":
			return nil, large
		case same && s.still():
			out[len(out)-1].Later = true
			return out, ""
		}
		now = next
	}
	return nil, ""
}

// still reports whether no next value depends on the number of the round.
func (s *Steps) still() bool {
	for _, r := range s.vars {
		if s.loop.changes(r.next) {
			return false
		}
	}
	return true
}

// known returns the parts of a condition in a round that hold in all rounds alike.
func (s *Steps) known(c *expr.Bool) *expr.Bool {
	parts := slices.DeleteFunc(slices.Clone(conjuncts(c)), func(c *expr.Bool) bool { return !s.fixed(c.Vars(), false) })
	return expr.All(parts...)
}

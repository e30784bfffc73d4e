// The session of an analysis, which asks the solver within a budget.

package query

import (
	"context"
	"errors"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/solve"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
)

// Options say how hard a session tries, and what it may use.
type Options struct {
	Solve  solve.Options // for each query; its budget is limited by the remaining total
	Budget int64         // work units for all queries
	// Rough says that proofs may list more facts than they need, which is faster.
	Rough bool
	// Proofs records refutations, or takes them from a record instead of searching; nil for neither.
	Proofs *Proofs
	// Without has the names of rules that are not applied.
	Without []string
	// Partial says that the end of the context's time is no error: what is asked after it is not answered.
	Partial bool
}

// Session answers queries: by the solver, within a budget, or by answers and refutations that it has kept.
type Session struct {
	*Launches
	ctx   context.Context
	opt   Options
	Left  int64 // remaining budget
	spare int64 // remaining budget for finding the facts that proofs need
	// Patience multiplies the limits of queries: with a larger budget than the default, and when pairs are decided
	// again.
	Patience     int64
	Late         bool // the time is over: see Options.Partial
	Err          error
	Rough        bool // proofs need not be narrowed
	Queries      int  // asked of the solver
	Work         int64
	Applied      map[string]bool // the rules that said something
	answers      map[uint64][]*cachedQuery
	refuted      *refutations // nil: none are kept
	fillings     map[*expr.Bool]*Substituted
	inOneBlock   map[*expr.Bool]*expr.Bool // formulas with both threads in one block
	inLaunch     [4][]*expr.Bool           // the results of Ranges
	ranged       map[string]expr.Variable  // the variables of queries, with their ranges
	rangedFilled map[string]expr.Variable  // those with the definitions put in
}

// DefaultBudget is the budget of a session without one.
const DefaultBudget = 60_000_000

// New returns a session about the launches of a kernel, of which nothing is prepared.
func New(ctx context.Context, given *facts.Given, opt Options) *Session {
	s := &Session{
		Launches: &Launches{Given: given, Threads: MaxThreads}, ctx: ctx, opt: opt, Left: opt.Budget,
		Rough:   opt.Rough,
		answers: make(map[uint64][]*cachedQuery), fillings: make(map[*expr.Bool]*Substituted),
		inOneBlock: make(map[*expr.Bool]*expr.Bool),
		Applied:    make(map[string]bool), ranged: make(map[string]expr.Variable),
		rangedFilled: make(map[string]expr.Variable),
	}
	s.opt.Solve.NoCore = opt.Rough
	if s.Left <= 0 {
		s.Left = DefaultBudget
	}
	s.Patience, s.spare = max(1, s.Left/DefaultBudget), s.Left
	if opt.Proofs == nil { // a recorded refutation is one of a whole query
		s.refuted = newRefutations()
	}
	return s
}

// Over reports whether the context has ended. If its time is over and the pairs so far are wanted, there is no error:
// the remaining pairs are undecided.
func (s *Session) Over() bool {
	err := s.ctx.Err()
	switch {
	case err == nil:
		return false
	case s.opt.Partial && errors.Is(err, context.DeadlineExceeded):
		s.Late, s.Err = true, nil
	default:
		s.Err = err
	}
	return true
}

// OutOfTime is the reason for a pair that was not decided before the time of the context was over.
const OutOfTime = "time limit"

// Takes reports whether a rule is not switched off.
func (s *Session) Takes(name string) bool { return !slices.Contains(s.opt.Without, name) }

// Applies records that a rule said something.
func (s *Session) Applies(name string) { s.Applied[name] = true }

// Contradictory reports whether no launch satisfies the facts, and returns the names of those that exclude all.
func (s *Session) Contradictory() ([]string, bool) {
	for _, d := range s.Defined {
		if f := s.defining[d]; f.Formula == expr.False { // an extent beyond its limits
			return []string{f.Name}, true
		}
	}
	r := s.Solve(s.Ranges(1), nil, Cheap|NoModel)
	return r.Core, r.Unsat
}

// Comes asks for a launch in which a thread comes to where conditions hold.
func (s *Session) Comes(conds []*expr.Bool) Answer {
	return s.Solve(append(conds, s.Ranges(1)...), nil, Cheap)
}

// Incompatible reports whether conditions can be met, but not together with others.
func (s *Session) Incompatible(goal []*expr.Bool, others ...*expr.Bool) bool {
	return s.Solve(append(goal[:len(goal):len(goal)], others...), nil, Cheap|NoModel).Unsat &&
		s.Solve(goal, nil, Cheap).Sat
}

// Ranges is the condition that the indices of a thread are within the launch.
func (s *Session) Ranges(thread int) []*expr.Bool {
	if s.inLaunch[thread] != nil {
		return slices.Clip(s.inLaunch[thread])
	}
	var out []*expr.Bool
	for _, d := range Dims {
		for _, kind := range []string{"tid", "ctaid"} {
			out = append(out, expr.Lt(symbolic.Index(kind, d), facts.Dim("n"+kind, d)).Instance(thread))
		}
	}
	s.inLaunch[thread] = append(out, s.perBlock())
	return slices.Clip(s.inLaunch[thread])
}

// Dims are the dimensions of indices and extents.
var Dims = []byte("xyz")

// OneBlock puts the second thread into the block of the first.
var OneBlock = expr.Substitution{Int: func(v expr.Variable) *expr.Int {
	if len(v.Name) == 9 && v.Name[:6] == "ctaid." && v.Name[7:] == "#2" {
		v.Name = v.Name[:7] + "#1"
		return expr.NewVar(v)
	}
	return nil
}}

// OneBlock puts both threads into one block.
func (s *Session) OneBlock(f *expr.Bool) *expr.Bool {
	if g := s.inOneBlock[f]; g != nil {
		return g
	}
	if len(s.inOneBlock) >= maxSubstituted {
		clear(s.inOneBlock)
	}
	g := f.Subst(OneBlock)
	s.inOneBlock[f] = g
	return g
}

// RefuteInBlock asks whether conditions are contradictory for two threads of one block.
func (s *Session) RefuteInBlock(conds []*expr.Bool) Answer {
	goal := slices.Concat(conds, s.Ranges(1), s.Ranges(2))
	for i := range goal {
		goal[i] = goal[i].Subst(OneBlock)
	}
	return s.Solve(goal, nil, Cheap|NoModel)
}

// Short returns the beginning of a formula, for messages.
func Short(x interface{ String() string }) string {
	s := x.String()
	if len(s) > 80 {
		return s[:77] + "..."
	}
	return s
}

// The search for the cheapest set of edits that leaves no race.

package fix

import (
	"cmp"
	"container/heap"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// depth is the maximum number of edits in a repair.
const depth = 6

// state is a set of edits that is a candidate for a repair.
type state struct {
	edits  []*repair.Edit
	cost   int
	idle   int          // number of edits that did not change the set of races
	useful int          // cost of edits that did
	named  int          // cost of edits that the detector proposes
	races  string       // signature of its races, or before its run, of its parent's
	left   int          // number of these races
	run    *session.Run // the run that showed them; nil if it cannot be repeated before others
	order  int          // number in order of creation
}

// rank returns the priority of the state in the queue, smallest first. It is the cost of the edits plus a penalty for
// the remaining races. Edits without effect on the races cost more, edits with an effect a quarter; edits that the
// detector proposes are free.
func (x *state) rank() int {
	return (x.cost-x.named-x.useful*3/4)*(1+x.idle) + idleCost*x.idle + leftCost*x.left
}

const (
	idleCost = 20 // additional cost, outside of loops, of an edit without effect on the races
	leftCost = 8  // penalty for each remaining race
)

// queue is a heap of the states that have not been run, by rank.
type queue []*state

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(q[i].rank(), q[j].rank()), cmp.Compare(q[i].order, q[j].order)) < 0
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(*state)) }
func (q *queue) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}

// search is the state of a search.
type search struct {
	*fixer
	queue queue
	seen  map[string]bool
	made  int
	best  string // why the best rejected set was rejected
	// narrow is the first set that leaves no race in the launches, but one with blocks of another size; limit is the
	// number of attempts after which it is taken.
	narrow *attempt
	from   *state // of narrow
	limit  int
}

// moreAttempts is how many sets are run after one that is right only for the given size of blocks.
const moreAttempts = 40

// search fills in the result. It runs sets in the order of their rank. It extends a set that leaves races by each
// candidate for one of these races: every repair that contains the set contains one of those candidates, too.
func (f *fixer) search(ctx context.Context, res *Result, rep *report.Report, run *session.Run) error {
	s := &search{fixer: f, seen: make(map[string]bool), limit: f.Attempts}
	races := f.pairs(f.original, rep)
	root := &state{races: s.signature(f.original, races), left: len(races), run: run}
	if t, err := s.try(ctx, nil, run); err == nil && len(t.races) > 0 { // the baseline for sets of edits, which are run up to the first race
		root.races = s.signature(t.module, t.races)
	}
	s.extend(root, f.original, races)
	s.separate(root, races)
	for s.queue.Len() > 0 && res.Attempts < s.limit {
		x := heap.Pop(&s.queue).(*state)
		t, err := s.try(ctx, x.edits, x.run)
		if ctx.Err() != nil {
			return session.Ended(ctx)
		}
		if errors.Is(err, trial.ErrSpent) {
			return s.end(ctx, res, run, err)
		}
		res.Attempts++
		switch {
		case err != nil:
			s.best = err.Error()
		case len(t.races) > 0:
			s.keep(x, t, res.Attempts)
			s.learn(x, t)
			s.extend(x, t.module, t.races)
		default:
			s.take(ctx, res, x, t, run)
			return nil
		}
	}
	return s.end(ctx, res, run, nil)
}

// end ends a search that has found no set without a race: the one that leaves a race only with other blocks is the
// repair. why is the reason if the search was not finished.
func (s *search) end(ctx context.Context, res *Result, run *session.Run, why error) error {
	switch {
	case s.narrow != nil:
		s.take(ctx, res, s.from, s.narrow, run)
	case why == nil:
		res.Why = s.why(res)
	}
	return why
}

// take makes a set the repair.
func (s *search) take(ctx context.Context, res *Result, x *state, t *attempt, run *session.Run) {
	res.Edits, res.Cost, res.Module, res.Verified = x.edits, x.cost, t.module, *t.verified
	if t.threads == 0 {
		s.reduce(ctx, res, run)
	}
}

// keep keeps the first set that leaves a race only with blocks of another size.
func (s *search) keep(x *state, t *attempt, attempts int) {
	if t.threads == 0 || s.narrow != nil {
		return // also of races with other numbers: a set that leaves those is not kept
	}
	r := t.races[0]
	t.verified.Remaining = fmt.Sprintf("blocks of %d threads: %s and %s", t.threads, trial.Brief(&r.First), trial.Brief(&r.Second))
	s.narrow, s.from, s.limit = t, &state{edits: x.edits, cost: x.cost}, min(s.limit, attempts+moreAttempts)
}

// learn records the races that a state leaves after its run.
func (s *search) learn(x *state, t *attempt) {
	now := s.signature(t.module, t.races)
	e := x.edits[len(x.edits)-1]
	switch {
	case now != x.races && !e.Named:
		x.useful += e.Cost
	case now == x.races:
		x.idle++
		if e.Named {
			x.named -= e.Cost
		}
	}
	x.races, x.left = now, len(t.races)
	if t.run != nil {
		x.run = t.run
	}
}

// extend queues the state with each candidate for one of its remaining races.
func (s *search) extend(x *state, m *rewrite.Module, races []*report.Race) {
	if len(x.edits) >= depth {
		return
	}
	races = slices.Clone(races)
	slices.SortStableFunc(races, func(a, b *report.Race) int { return cmp.Compare(urgency(a), urgency(b)) })
	for _, r := range races {
		race := s.raceOf(m, r)
		if race == nil {
			continue
		}
		for _, e := range repair.Candidates(race, s.origins) {
			if launch := e.Op == repair.Grid || e.Op == repair.Split; s.aim == nil || !launch { // advice is an edit of the kernel alone
				s.push(x, e)
			}
		}
		return
	}
}

// separate queues the barriers that the control flow shows between the accesses of all races: one for each of several
// lines may be needed. They rank as edits with an effect do.
func (s *search) separate(root *state, races []*report.Race) {
	var pairs []*repair.Race
	for _, x := range races {
		if r := s.raceOf(s.original, x); r != nil {
			pairs = append(pairs, r)
		}
	}
	if len(pairs) == 0 || len(pairs) < len(races) {
		return
	}
	x := *root
	for _, e := range repair.Separate(pairs, s.origins) {
		x.edits, x.cost, x.useful = append(x.edits, e), x.cost+e.Cost, x.useful+e.Cost
	}
	if len(x.edits) > 0 {
		s.queued(&x)
	}
}

// urgency orders races: those between accesses by which threads communicate come first, since other races may be
// consequences.
func urgency(x *report.Race) int {
	switch x.Cause {
	case detect.NotStrong, detect.InsufficientAtomicScope:
		return 0
	}
	return 1
}

// push queues a state with one more edit, unless it was queued before.
func (s *search) push(x *state, e *repair.Edit) {
	y := &state{
		edits: append(slices.Clone(x.edits), e), cost: x.cost + e.Cost, useful: x.useful, named: x.named,
		idle: x.idle, races: x.races, left: x.left, run: x.run,
	}
	if e.Named {
		y.named += e.Cost
	}
	s.queued(y)
}

// queued queues a state, unless one with the same edits was queued before.
func (s *search) queued(x *state) {
	keys := make([]string, len(x.edits))
	for i, e := range x.edits {
		keys[i] = e.Key()
	}
	slices.Sort(keys)
	if len(slices.Compact(slices.Clone(keys))) < len(keys) {
		return
	}
	key := strings.Join(keys, "|")
	if s.seen[key] {
		return
	}
	s.seen[key] = true
	s.made++
	x.order = s.made
	heap.Push(&s.queue, x)
}

// signature identifies a set of races of an edited module by places in the original and the missing order.
func (s *search) signature(m *rewrite.Module, races []*report.Race) string {
	var words []string
	for _, x := range races {
		place := x.ID
		if r := s.raceOf(m, x); r != nil {
			place = fmt.Sprint(r.First.Line, " ", r.Second.Line)
		}
		words = append(words, place+x.Missing)
	}
	slices.Sort(words)
	return strings.Join(words, "|")
}

// reduce removes edits of a verified set, one at a time, as long as the remaining set is verified and the context
// lasts.
func (s *search) reduce(ctx context.Context, res *Result, run *session.Run) {
	for i := 0; i < len(res.Edits) && len(res.Edits) > 1; i++ {
		rest := slices.Delete(slices.Clone(res.Edits), i, i+1)
		t, err := s.try(ctx, rest, run)
		if ctx.Err() != nil || errors.Is(err, trial.ErrSpent) {
			return
		}
		if res.Attempts++; err == nil && len(t.races) == 0 {
			res.Cost -= res.Edits[i].Cost
			res.Edits, res.Module, res.Verified = rest, t.module, *t.verified
			i = -1
		}
	}
}

// why explains that there is no repair.
func (s *search) why(res *Result) string {
	x := res.Races[0]
	wanted := x.Hint
	if x.Unverified() {
		wanted = "missing: " + x.Missing
	}
	if s.best != "" {
		s.best = "; a set that leaves none is refused: " + s.best
	}
	switch {
	case s.made == 0:
		return fmt.Sprintf("no local repair: %s", wanted)
	case s.queue.Len() > 0:
		return fmt.Sprintf("no repair among the %d cheapest sets of edits%s: %s", res.Attempts, s.best, wanted)
	}
	return fmt.Sprintf("no local repair: none of the %d sets of edits that may order the accesses leaves no race%s: %s",
		res.Attempts, s.best, wanted)
}

// Positions of the operations on a ring: how often a thread has arrived before, how many threads arrive for a phase,
// and how many bytes it expects.

package rules

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/kernel"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// positioned finds the positions of arrivals, and with them the order of the mbarriers; then those of signals and of
// instructions that expect bytes. It returns false if they are not known.
func (r *ring) positioned() bool {
	n := int64(len(r.words))
	r.words = make([]int64, n)
	known := make([]bool, n)
	for _, a := range r.arrivals {
		if !r.counts(a) {
			return false
		}
		for k := a.least; k < a.least+int64(len(a.turn))*n; k++ {
			q := a.position(k) % n
			if known[q] && r.words[q] != a.word(k) {
				return false
			}
			r.words[q], known[q] = a.word(k), true
			if a.slope == 0 || k+1 == a.rounds {
				break
			}
		}
	}
	if slices.Contains(known, false) || len(slices.Compact(slices.Sorted(slices.Values(r.words)))) < len(r.words) {
		return false
	}
	for _, s := range slices.Concat(r.signals, r.expects) {
		if !r.joins(s) {
			return false
		}
	}
	r.waits = slices.DeleteFunc(r.waits, func(w *step) bool { return !r.chooses(w) })
	return true
}

// position returns the position for which an operation is made in an iteration.
func (s *step) position(k int64) int64 { return s.slope*k + s.first }

// counts finds the positions of an arrival: a thread that arrives has made as many arrivals before. These are others
// that are executed once, before the loop, and all those of the loop in earlier iterations.
func (r *ring) counts(a *step) bool {
	a.slope, a.first = 0, 0
	if a.loop != nil {
		if a.slope = 1; a.least == maxTurn || !a.earlier(executing(a.Access.Inst), a.Item, a.least) {
			return false
		}
	}
	for _, b := range r.arrivals {
		in, other := a.Access.Inst, b.Access.Inst
		if b == a || !r.Leads(other, in) && !r.Leads(in, other) || r.apart(a, b) {
			continue
		}
		switch {
		case b.loop == nil && r.Leads(other, in):
			if a.first++; !(body{synchronisation: r.synchronisation}).before(executing(other), a.Item, 0) {
				return false
			}
		case b.loop == nil: // later
		case b.loop != a.loop:
			if !r.Leads(other, in) {
				continue
			}
			if b.rounds == 0 || !r.completes(b, a) {
				return false
			}
			a.first += b.rounds
		default:
			if a.slope++; !a.earlier(executing(other), a.Item, a.least) || a.least > 0 {
				return false
			}
			first, second := a.leads(other, in), a.leads(in, other)
			if first == second || first && !a.before(executing(other), a.Item, 0) {
				return false
			}
			if first {
				a.first++
			}
		}
	}
	a.first -= a.least * a.slope
	return true
}

// leastRound returns the first iteration in which an operation is made, as far as its condition tells.
func (a *step) leastRound() (least int64) {
	for least < maxTurn && a.prove(a.making(a.Item), expr.Le(a.round(1), expr.Const(least))) {
		least++
	}
	return least
}

// mostRounds returns how often an operation is made at most if its condition limits the iterations of its loop to a
// few, or else 0.
func (s *step) mostRounds() int64 {
	fewer := func(n int64) bool { return s.prove(s.making(s.Item), expr.Ge(s.round(1), expr.Const(n))) }
	if !fewer(maxTurn) {
		return 0
	}
	n := int64(maxTurn)
	for n > 1 && fewer(n-1) {
		n--
	}
	return n
}

// completes reports whether each thread that makes an arrival has made another one in all of its few iterations before.
func (r *ring) completes(b, a *step) bool {
	if b.least > 0 || !(body{synchronisation: r.synchronisation}).before(executing(b.Access.Inst), a.Item, 0) {
		return false
	}
	then := b.round(3)
	given := append(a.making(a.Item), expr.Lt(then, expr.Const(b.rounds-1)))
	return !b.follow(b.start(), b.start().Start, nil, none, b.edges(given, 1, then)).leaves &&
		!b.follow(b.start(), b.start().Start, nil, executing(b.Access.Inst), anyEdge).again
}

// apart reports whether no thread makes both of two arrivals.
func (r *ring) apart(a, b *step) bool {
	return r.prove(append(a.Formulas(1), b.Formulas(2)...), kernel.Different(kernel.OwnThread))
}

// meets reports whether two arrivals may be for one position.
func (a *step) meets(b *step) bool {
	if a.slope > b.slope {
		a, b = b, a
	}
	switch {
	case b.slope == 0:
		return a.first == b.first
	case a.slope == 0:
		return b.iteration(a.first) >= 0
	}
	return (a.slope != b.slope || (a.first-b.first)%a.slope == 0) && !a.ends(b) && !b.ends(a)
}

// ends reports whether an operation is not made any more when another is made first.
func (a *step) ends(b *step) bool {
	return a.rounds > 0 && a.position(a.rounds-1) < b.position(b.least)
}

// bounded reports whether no more arrivals are made for a position than the mbarrier was initialised for. Then each
// thread that ever arrives for a phase has arrived when the phase completes.
func (r *ring) bounded() bool {
	for _, a := range r.arrivals {
		if !r.fit(r.withPosition(a), r.count) {
			return false
		}
	}
	return true
}

// withPosition returns the arrivals that may be for a position of one of them.
func (r *ring) withPosition(a *step) (out []*step) {
	for _, b := range r.arrivals {
		if b == a || a.meets(b) {
			out = append(out, b)
		}
	}
	return out
}

// fit reports whether some arrivals are made by at most a number of threads, each by one of them: by one thread each,
// or by threads, or warps with one arriving thread each, that are less than that number apart.
func (r *ring) fit(list []*step, count *expr.Int) bool {
	if r.warps {
		return r.within(list, expr.Div(symbolic.Flat(), expr.Const(isa.WarpSize)), count)
	}
	var many []*step
	var singles [][]*step // of which each has arrivals for different positions
	for _, a := range list {
		free := func(list []*step) bool { return !slices.ContainsFunc(list, a.meets) }
		if !r.single(a.Item) {
			many = append(many, a)
		} else if n := slices.IndexFunc(singles, free); n >= 0 {
			singles[n] = append(singles[n], a)
		} else {
			singles = append(singles, []*step{a})
		}
	}
	count = expr.Sub(count, expr.Const(int64(len(singles))))
	if len(many) == 0 {
		return r.prove(nil, expr.Lt(count, expr.Const(0)))
	}
	flat := symbolic.Flat()
	warp := expr.Div(flat, expr.Const(isa.WarpSize))
	return r.within(many, flat, count) || r.within(many, warp, count)
}

// within reports whether the numbers of the threads that make some arrivals are less than a count apart, and different
// for any two arrivals.
func (r *ring) within(list []*step, number, count *expr.Int) bool {
	apart := expr.Ge(expr.Sub(number.Instance(1), number.Instance(2)), count)
	same := expr.Eq(number.Instance(1), number.Instance(2))
	for _, a := range list {
		for _, b := range list {
			both := append(a.Formulas(1), b.Formulas(2)...)
			if !r.prove(both, apart) {
				return false
			}
			if a == b {
				both = append(both, kernel.Different(kernel.AnyThread))
			}
			if (a == b && !r.warps || a != b && a.meets(b)) && !r.prove(both, same) {
				return false
			}
		}
	}
	return true
}

// joins finds the position of the signal of a copy, or of an instruction that expects bytes: that of the nearest
// arrival that is executed with it, for the same mbarriers.
func (r *ring) joins(s *step) bool {
	var at *step
	distance := func(a *step) int {
		d := a.Access.Inst.Index - s.Access.Inst.Index
		return max(d, -d)
	}
	for _, a := range r.arrivals {
		if a.loop == s.loop && sameTurn(a, s) && (at == nil || distance(a) < distance(at)) {
			at = a
		}
	}
	if at == nil {
		return false
	}
	s.slope, s.first = at.slope, at.first
	return s.Access.Inst.Mbarrier() != isa.MbarrierExpect || s.after(executing(at.Access.Inst), s.Item)
}

// sameTurn reports whether two operations are on the same mbarriers in each iteration.
func sameTurn(a, b *step) bool {
	to := int64(len(a.turn) * len(b.turn))
	for _, s := range []*step{a, b} {
		if s.rounds > 0 {
			to = min(to, s.rounds)
		}
	}
	for k := range to {
		if k >= a.least && k >= b.least && a.word(k) != b.word(k) {
			return false
		}
	}
	return true
}

// balanced reports whether exactly the bytes are expected for each position that copies make for it.
func (r *ring) balanced() bool {
	type at struct {
		loop         *symbolic.Loop
		slope, first int64
	}
	sum := make(map[at]int64)
	for _, s := range slices.Concat(r.arrivals, r.expects) {
		sum[at{s.loop, s.slope, s.first}] += s.bytes
	}
	for _, s := range r.signals {
		sum[at{s.loop, s.slope, s.first}] -= s.bytes
	}
	for _, n := range sum {
		if n != 0 {
			return false
		}
	}
	return true
}

// chooses finds the positions that a wait may be for, by its mbarriers and parities, the last first; false for none.
func (r *ring) chooses(w *step) bool {
	if r.warps {
		w.choices = [][2]int64{{w.state.slope, w.state.first}}
		return true
	}
	if w.state != nil {
		for _, a := range r.arrivals {
			if a.Item == w.state.Item && a.loop == w.loop && sameTurn(a, w) {
				w.choices = [][2]int64{{a.slope, a.first}}
			}
		}
		return len(w.choices) > 0
	}
	n := int64(len(r.words))
	phase := func(k int64) int64 { // the position modulo 2n
		return int64(slices.Index(r.words, w.word(k))) + n*w.parities[k%int64(len(w.parities))]
	}
	slopes := []int64{0}
	last := int64(0)
	for _, a := range r.arrivals {
		if last = max(last, a.first); w.loop != nil && !slices.Contains(slopes, a.slope) {
			slopes = append([]int64{a.slope}, slopes...)
		}
	}
	for _, slope := range slopes {
		fits := true
		to := w.least + int64(len(w.turn)*len(w.parities))*2*n
		if w.rounds > 0 {
			to = min(to, w.rounds)
		}
		start := ((phase(w.least)-slope*w.least)%(2*n) + 2*n) % (2 * n)
		for k := w.least; k < to; k++ {
			fits = fits && (slope*k+start-phase(k))%(2*n) == 0
		}
		for first := start + last/(2*n)*2*n + 2*n; fits && first >= -2*n; first -= 2 * n {
			w.choices = append(w.choices, [2]int64{slope, first})
		}
	}
	return len(w.choices) > 0
}

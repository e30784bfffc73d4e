// Propagation: unit clauses, and interval propagation of linear constraints and products.

package solve

// maxVisits limits how often one constraint is propagated before the linear relaxation is checked, as intervals may
// shrink by one at a time.
const maxVisits = 6

// watched is an entry for a clause in the watch list of one of its literals.
type watched struct {
	clause int32
	c      int64 // the bound in the literal
}

// propagator propagates bounds through the constraints of a problem.
type propagator struct {
	trail
	p         *problem
	clauses   []clause
	causes    []cause     // what the clauses are, as causes of events
	watchLo   [][]watched // clauses that watch an upper bound, visited when the lower bound rises
	watchHi   [][]watched
	uses      [][]int32 // the constraints that contain a variable: linear ones, then products
	queue     []int32
	queued    []bool
	visits    []uint8
	head      int
	unitsDone int // unit clauses up to this index have been entered
}

// newPropagator enters the variables and constraints of a problem.
func newPropagator(p *problem) *propagator {
	s := &propagator{p: p}
	s.sync()
	return s
}

// sync enters variables and constraints that were added to the problem.
func (s *propagator) sync() {
	for i := len(s.lo); i < len(s.p.vars); i++ {
		s.addVar(s.p.vars[i].lo, s.p.vars[i].hi)
		s.watchLo, s.watchHi, s.uses = append(s.watchLo, nil), append(s.watchHi, nil), append(s.uses, nil)
	}
	s.uses = s.uses[:0]
	for range s.p.vars {
		s.uses = append(s.uses, nil)
	}
	n := len(s.p.linears) + len(s.p.products)
	for i := range n {
		for _, v := range s.constraintVars(int32(i)) {
			s.uses[v] = append(s.uses[v], int32(i))
		}
	}
	s.queued, s.visits, s.queue = make([]bool, n), make([]uint8, n), s.queue[:0]
	for i := range n {
		s.enqueue(int32(i))
	}
}

// constraintVars returns the variables of a constraint.
func (s *propagator) constraintVars(i int32) []int32 {
	if n := int32(len(s.p.linears)); i >= n {
		m := s.p.products[i-n]
		return []int32{m.m, m.a, m.b}
	}
	return s.p.linears[i].vs
}

// enqueue schedules a constraint for propagation.
func (s *propagator) enqueue(i int32) {
	if !s.queued[i] && s.visits[i] < maxVisits {
		s.queued[i] = true
		s.queue = append(s.queue, i)
	}
}

// watch watches the first two literals of a clause.
func (s *propagator) watch(i int32) {
	for _, l := range s.clauses[i].lits[:2] {
		s.watchLiteral(i, l)
	}
}

// watchLiteral adds a clause to the watch list of a literal.
func (s *propagator) watchLiteral(i int32, l lit) {
	if l.up {
		s.watchLo[l.v] = append(s.watchLo[l.v], watched{i, l.c})
	} else {
		s.watchHi[l.v] = append(s.watchHi[l.v], watched{i, l.c})
	}
}

// addClause adds a clause at level 0, or a learned clause with at most one literal that is not false. It returns false
// on a conflict.
func (s *propagator) addClause(c clause, by cause) bool {
	s.clauses, s.causes = append(s.clauses, c), append(s.causes, by)
	i := int32(len(s.clauses) - 1)
	// order the two literals that became false last first
	lits := c.lits
	for k := 0; k < 2 && k < len(lits); k++ {
		best := k
		for j := k; j < len(lits); j++ {
			if s.failsAt(lits[j]) > s.failsAt(lits[best]) {
				best = j
			}
		}
		lits[k], lits[best] = lits[best], lits[k]
	}
	switch {
	case len(lits) == 0:
		s.conflict = &conflict{tag: c.tag, by: s.causes[i]}
		return false
	case len(lits) >= 2:
		s.watch(i)
		if !s.fails(lits[1]) {
			return true
		}
	}
	return s.imply(i, lits[0])
}

// failsAt returns the event index at which a literal became false; a literal that is not false has the greatest.
func (s *propagator) failsAt(l lit) int32 {
	if !s.fails(l) {
		return int32(len(s.events)) + 1
	}
	return s.why(l.not())
}

// imply sets literal l of clause i, whose other literals are false.
func (s *propagator) imply(i int32, l lit) bool {
	from := len(s.arena)
	for _, o := range s.clauses[i].lits {
		if o != l {
			s.explain(o.not())
		}
	}
	return s.set(l, from, s.clauses[i].tag, s.causes[i])
}

// propagate runs propagation to a fixed point; it returns false on a conflict.
func (s *propagator) propagate() bool {
	for {
		for s.head < len(s.events) {
			e := s.events[s.head]
			s.head++
			for _, i := range s.uses[e.v] {
				s.enqueue(i)
			}
			if !s.visit(e.v, e.up) {
				return false
			}
		}
		if len(s.queue) == 0 {
			return true
		}
		i := s.queue[0]
		s.queue = s.queue[1:]
		s.queued[i] = false
		s.visits[i]++
		if n := int32(len(s.p.linears)); i < n && !s.linear(i) || i >= n && !s.product(i-n) {
			return false
		}
	}
}

// restart clears the queue after an undo.
func (s *propagator) restart() {
	s.head = min(s.head, len(s.events))
	for _, i := range s.queue {
		s.queued[i] = false
	}
	s.queue = s.queue[:0]
	clear(s.visits)
}

// visit visits the clauses that watch the changed bound of a variable.
func (s *propagator) visit(v int32, up bool) bool {
	list := &s.watchLo[v]
	if up {
		list = &s.watchHi[v]
	}
	ws := *list
	kept := ws[:0]
	for k := 0; k < len(ws); k++ {
		w := ws[k]
		s.work++
		if !up && s.lo[v] <= w.c || up && s.hi[v] >= w.c { // the watched literal is not false
			kept = append(kept, w)
			continue
		}
		keep, ok := s.rewatch(w, v, up)
		if keep {
			kept = append(kept, w)
		}
		if !ok {
			kept = append(kept, ws[k+1:]...)
			*list = kept
			return false
		}
	}
	*list = kept
	return true
}

// rewatch replaces the false watched literal of a clause by another one. If there is none, it keeps the watch and sets
// the other watched literal.
func (s *propagator) rewatch(w watched, v int32, up bool) (keep, ok bool) {
	lits := s.clauses[w.clause].lits
	if l := lits[0]; l.v == v && l.up == !up && l.c == w.c {
		lits[0], lits[1] = lits[1], lits[0]
	}
	if s.holds(lits[0]) {
		return true, true
	}
	for j := 2; j < len(lits); j++ {
		s.work++
		if !s.fails(lits[j]) {
			lits[1], lits[j] = lits[j], lits[1]
			s.watchLiteral(w.clause, lits[1])
			return false, true
		}
	}
	return true, s.imply(w.clause, lits[0])
}

// linear propagates the linear constraint with an index, Σ c·v = 0.
func (s *propagator) linear(at int32) bool {
	l := &s.p.linears[at]
	var lo, hi wide
	noLo, noHi := 0, 0
	for i, v := range l.vs {
		x := s.scaledBounds(l.cs[i], v)
		s.work++
		if !x.below {
			noLo++
		} else {
			lo = lo.add(x.lo)
		}
		if !x.above {
			noHi++
		} else {
			hi = hi.add(x.hi)
		}
	}
	if noLo > 1 && noHi > 1 {
		return true
	}
	for i, v := range l.vs {
		x := s.scaledBounds(l.cs[i], v)
		c := l.cs[i]
		s.work++
		if noLo == 0 || noLo == 1 && !x.below { // c·v ≤ -(lo - x.lo)
			rest := lo
			if x.below {
				rest = rest.sub(x.lo)
			}
			if !s.linearBound(at, i, c > 0, rest.neg()) {
				return false
			}
		}
		if noHi == 0 || noHi == 1 && !x.above { // c·v ≥ -(hi - x.hi)
			rest := hi
			if x.above {
				rest = rest.sub(x.hi)
			}
			if !s.linearBound(at, i, c < 0, rest.neg()) {
				return false
			}
		}
	}
	return true
}

// scaled has the bounds of a product with a constant, as far as there are any.
type scaled struct {
	lo, hi       wide
	below, above bool // there is a lower bound, and an upper one
}

// scaledBounds returns the bounds of c·v.
func (s *propagator) scaledBounds(c int64, v int32) (x scaled) {
	l, h := s.lo[v], s.hi[v]
	if c < 0 {
		l, h = h, l
	}
	if x.below = l != inf && l != -inf; x.below {
		x.lo = product128(c, l)
	}
	if x.above = h != inf && h != -inf; x.above {
		x.hi = product128(c, h)
	}
	return x
}

// linearBound sets the bound of variable i of a constraint that follows from c·v ≤ w or c·v ≥ w, by up and the sign of
// c.
func (s *propagator) linearBound(at int32, i int, up bool, w wide) bool {
	l := &s.p.linears[at]
	v, c := l.vs[i], l.cs[i]
	if c < 0 {
		w, c = w.neg(), -c
	}
	x := lit{v, up, 0}
	if up {
		x.c = w.floorDiv(c)
	} else {
		x.c = w.ceilDiv(c)
	}
	if x.c >= inf || x.c <= -inf || s.holds(x) {
		return true
	}
	from := len(s.arena)
	upper := up == (l.cs[i] > 0) // the lower bounds of the others imply c·v ≤ w
	for j, o := range l.vs {
		if j != i {
			s.explain(s.current(o, upper == (l.cs[j] < 0)))
		}
	}
	return s.set(x, from, 0, cause{byLinear, at})
}

// product propagates the product with an index, m = a·b: the bounds of m, and those of a factor when the other one does
// not change its sign.
func (s *propagator) product(at int32) bool {
	m := s.p.products[at]
	s.work += 4
	lo, hi := productBounds(s.lo[m.a], s.hi[m.a], s.lo[m.b], s.hi[m.b])
	if m.a == m.b {
		lo = max(lo, 0)
	}
	for _, l := range []lit{{m.m, false, lo}, {m.m, true, hi}} {
		if l.c <= -inf || l.c >= inf || s.holds(l) {
			continue
		}
		from := len(s.arena)
		s.explainBoth(m.a)
		s.explainBoth(m.b)
		if !s.set(l, from, 0, cause{byProduct, at}) {
			return false
		}
	}
	return s.factor(at, m.a, m.b) && s.factor(at, m.b, m.a)
}

// explainBoth adds both bounds of a variable to the explanation.
func (s *propagator) explainBoth(v int32) {
	for _, up := range []bool{false, true} {
		if l := s.current(v, up); l.c != inf && l.c != -inf {
			s.explain(l)
		}
	}
}

// factor propagates the bounds of the product with an index, m = a·b, to a, for b ≥ 1 or b ≤ -1.
func (s *propagator) factor(at, a, b int32) bool {
	m := s.p.products[at].m
	blo, bhi := s.lo[b], s.hi[b]
	if blo <= 0 && bhi >= 0 {
		return true
	}
	negative := bhi < 0
	if negative {
		blo, bhi = -bhi, -blo
	}
	// |b| in [blo, bhi]; a·|b| = ±m in [mlo, mhi]
	mlo, mhi := s.lo[m], s.hi[m]
	if negative {
		mlo, mhi = -mhi, -mlo
	}
	if mhi != inf && mhi != -inf {
		d := blo
		if mhi < 0 {
			d = bhi
		}
		if d != inf && !s.factorBound(lit{a, true, product128(mhi, 1).floorDiv(d)}, at, b) {
			return false
		}
	}
	if mlo != inf && mlo != -inf {
		d := blo
		if mlo > 0 {
			d = bhi
		}
		if d != inf && !s.factorBound(lit{a, false, product128(mlo, 1).ceilDiv(d)}, at, b) {
			return false
		}
	}
	return true
}

// factorBound sets a bound that follows from the bounds of a product and of a factor.
func (s *propagator) factorBound(l lit, at, b int32) bool {
	if s.holds(l) {
		return true
	}
	from := len(s.arena)
	s.explainBoth(s.p.products[at].m)
	s.explainBoth(b)
	return s.set(l, from, 0, cause{byProduct, at})
}

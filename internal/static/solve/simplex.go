// The linear relaxation: a simplex tableau over exact rationals, within the bounds of a trail.

package solve

// tableau has a row for each basic variable, as a linear combination of the nonbasic ones. The values always satisfy
// the rows; after a check that succeeds they also satisfy the bounds.
type tableau struct {
	rats
	t       *trail
	val     []rat
	row     [][]rat // by variable: nil unless it is basic
	basics  []int32 // sorted
	dirty   []bool  // by variable: nonbasic, and its bounds may exclude its value
	pending []int32 // the dirty variables
	seen    int     // number of events of the trail that were processed
	entered int     // number of linear constraints that have a row
}

// newTableau returns a tableau over a trail.
func newTableau(t *trail) *tableau { return &tableau{t: t} }

// sync adds variables and constraints that were added to a problem.
func (s *tableau) sync(p *problem) {
	for v := len(s.val); v < len(p.vars); v++ {
		s.val, s.row, s.dirty = append(s.val, ratInt(0)), append(s.row, nil), append(s.dirty, false)
		s.touch(int32(v))
	}
	for ; s.entered < len(p.linears); s.entered++ {
		s.enter(&p.linears[s.entered])
	}
}

// enter makes the first variable of a constraint basic.
func (s *tableau) enter(l *linear) {
	r := make([]rat, len(s.val))
	for i := range r {
		r[i].d = 1
	}
	for i, v := range l.vs[1:] {
		c := ratInt(l.cs[i+1])
		if s.row[v] == nil {
			r[v] = s.add(r[v], c)
			continue
		}
		for w, k := range s.row[v] {
			if !k.isZero() {
				r[w] = s.add(r[w], s.mul(c, k))
			}
		}
	}
	v := l.vs[0]
	s.row[v] = r
	s.t.work += int64(len(r))
	s.val[v] = s.evaluate(r)
	s.insertBasic(v)
}

// evaluate returns the value of a row.
func (s *tableau) evaluate(r []rat) rat {
	sum := ratInt(0)
	for w, k := range r {
		if !k.isZero() {
			sum = s.add(sum, s.mul(k, s.val[w]))
		}
	}
	return sum
}

// insertBasic adds v to the sorted list of basic variables.
func (s *tableau) insertBasic(v int32) {
	i := len(s.basics)
	s.basics = append(s.basics, v)
	for i > 0 && s.basics[i-1] > v {
		s.basics[i] = s.basics[i-1]
		i--
	}
	s.basics[i] = v
}

// touch marks a nonbasic variable whose bounds may exclude its value.
func (s *tableau) touch(v int32) {
	if !s.dirty[v] {
		s.dirty[v] = true
		s.pending = append(s.pending, v)
	}
}

// coef returns the coefficient of variable v in the row of basic variable b.
func (s *tableau) coef(b, v int32) rat {
	if r := s.row[b]; int(v) < len(r) {
		return r[v]
	}
	return rat{0, 1}
}

// update sets a nonbasic variable to a value, and adjusts the basic ones.
func (s *tableau) update(v int32, x rat) {
	d := s.sub(x, s.val[v])
	if d.isZero() {
		return
	}
	for _, b := range s.basics {
		if k := s.coef(b, v); !k.isZero() {
			s.val[b] = s.add(s.val[b], s.mul(k, d))
			s.t.work += 4
		}
	}
	s.val[v] = x
	s.t.work += int64(len(s.basics))
}

// settle moves nonbasic variables into their bounds.
func (s *tableau) settle() {
	for ; s.seen < len(s.t.events); s.seen++ {
		s.touch(s.t.events[s.seen].v)
	}
	for _, v := range s.pending {
		s.dirty[v] = false
		if s.row[v] != nil {
			continue
		}
		if lo := s.t.lo[v]; lo != -inf && s.cmpInt(s.val[v], lo) < 0 {
			s.update(v, ratInt(lo))
		} else if hi := s.t.hi[v]; hi != inf && s.cmpInt(s.val[v], hi) > 0 {
			s.update(v, ratInt(hi))
		}
	}
	s.pending = s.pending[:0]
}

// check searches for values within the bounds. If there are none, it sets the trail's conflict and returns false. It
// stops early when the work exceeds the budget.
func (s *tableau) check(budget int64) bool {
	s.settle()
	for s.t.work < budget {
		s.compact()
		b, up, found := s.violated()
		if !found {
			return true
		}
		n, found := s.entering(b, up)
		if !found {
			s.explain(b, up)
			return false
		}
		target := s.t.lo[b]
		if up {
			target = s.t.hi[b]
		}
		d := s.mul(s.sub(ratInt(target), s.val[b]), s.inv(s.row[b][n]))
		s.update(n, s.add(s.val[n], d))
		s.pivot(b, n)
	}
	return true
}

// maxBig is the number of big numbers in the table at which unused ones are dropped.
const maxBig = 50_000

// compact drops unreferenced big numbers.
func (s *tableau) compact() {
	if len(s.big) < maxBig {
		return
	}
	old := s.big
	s.big = nil
	keep := func(r *rat) {
		if r.d == 0 {
			s.big = append(s.big, old[r.n])
			r.n = int64(len(s.big) - 1)
		}
	}
	for i := range s.val {
		keep(&s.val[i])
	}
	for _, r := range s.row {
		for i := range r {
			keep(&r[i])
		}
	}
	s.t.work += int64(len(s.val)*len(s.basics) + 10*len(s.big))
}

// violated returns the first basic variable outside its bounds, and whether it is above.
func (s *tableau) violated() (b int32, up, found bool) {
	for _, v := range s.basics {
		if hi := s.t.hi[v]; hi != inf && s.cmpInt(s.val[v], hi) > 0 {
			return v, true, true
		}
		if lo := s.t.lo[v]; lo != -inf && s.cmpInt(s.val[v], lo) < 0 {
			return v, false, true
		}
	}
	s.t.work += int64(len(s.basics))
	return 0, false, false
}

// entering returns the first nonbasic variable whose change moves basic variable b toward its bound.
func (s *tableau) entering(b int32, up bool) (int32, bool) {
	r := s.row[b]
	s.t.work += int64(len(r))
	for v := range r {
		if r[v].isZero() {
			continue
		}
		if rise := (s.sign(r[v]) > 0) != up; s.movable(int32(v), rise) {
			return int32(v), true
		}
	}
	return 0, false
}

// movable reports whether the bounds allow a variable to rise, or to fall.
func (s *tableau) movable(v int32, rise bool) bool {
	if rise {
		return s.t.hi[v] == inf || s.cmpInt(s.val[v], s.t.hi[v]) < 0
	}
	return s.t.lo[v] == -inf || s.cmpInt(s.val[v], s.t.lo[v]) > 0
}

// explain sets the conflict from a row that cannot satisfy its bound.
func (s *tableau) explain(b int32, up bool) {
	t := s.t
	from := len(t.arena)
	t.explain(t.current(b, up)) // the violated bound
	for v, k := range s.row[b] {
		if !k.isZero() {
			t.explain(t.current(int32(v), (s.sign(k) > 0) != up))
		}
	}
	t.conflict = &conflict{events: append([]int32{}, t.arena[from:]...)}
	if t.record != nil {
		t.conflict.by = t.record.row(s, b)
	}
	t.arena = t.arena[:from]
}

// pivot exchanges a basic variable with a nonbasic one.
func (s *tableau) pivot(b, n int32) {
	r := s.row[b]
	inv := s.inv(r[n])
	if len(r) < len(s.val) {
		grown := make([]rat, len(s.val))
		copy(grown, r)
		for i := len(r); i < len(grown); i++ {
			grown[i].d = 1
		}
		r = grown
	}
	var cols []int32
	for v := range r {
		if r[v].isZero() || int32(v) == n {
			continue
		}
		r[v] = s.neg(s.mul(r[v], inv))
		cols = append(cols, int32(v))
	}
	r[n], r[b] = rat{0, 1}, inv
	cols = append(cols, b)
	s.row[b], s.row[n] = nil, r
	for i, v := range s.basics {
		if v == b {
			s.basics = append(s.basics[:i], s.basics[i+1:]...)
			break
		}
	}
	for _, u := range s.basics {
		k := s.coef(u, n)
		if k.isZero() {
			continue
		}
		s.combine(u, n, k, cols)
	}
	s.insertBasic(n)
	s.touch(b)
	s.t.work += int64(len(s.basics) + len(r))
}

// combine replaces variable n in the row of u, where its coefficient is k, by n's own row.
func (s *tableau) combine(u, n int32, k rat, cols []int32) {
	r, by := s.row[u], s.row[n]
	if len(r) < len(by) {
		grown := make([]rat, len(by))
		copy(grown, r)
		for i := len(r); i < len(grown); i++ {
			grown[i].d = 1
		}
		r = grown
		s.row[u] = r
	}
	r[n] = rat{0, 1}
	for _, c := range cols {
		r[c] = s.add(r[c], s.mul(k, by[c]))
	}
	s.t.work += int64(4 * len(cols))
}

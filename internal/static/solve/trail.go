// State of the search: bounds of variables, the trail of events that set them, and conflicts.

package solve

import "slices"

// event is the setting of a bound, by a decision or implied by other events.
type event struct {
	v        int32
	up       bool
	val, old int64
	prev     int32 // the previous event for the same bound, or -1
	level    int32
	from, n  int32  // its reasons in the arena; none for a decision
	tag      uint64 // facts of the implying clause; at level 0, all facts that the bound depends on
	by       cause
}

// conflict is a set of contradictory events, with the facts of the clause that they violate.
type conflict struct {
	events []int32
	tag    uint64
	by     cause
}

// trail holds the current bounds and the events that set them.
type trail struct {
	lo, hi   []int64
	loEv     []int32 // the event that set the current bound, or -1
	hiEv     []int32
	events   []event
	arena    []int32 // reasons
	level    int32
	levels   []int32 // number of events at the start of each level
	conflict *conflict
	work     int64
	record   *record // of the proof; nil if none is wanted
}

// addVar adds a variable with its bounds.
func (t *trail) addVar(lo, hi int64) {
	t.lo, t.hi = append(t.lo, lo), append(t.hi, hi)
	t.loEv, t.hiEv = append(t.loEv, -1), append(t.hiEv, -1)
}

// holds reports whether the bounds make a literal true.
func (t *trail) holds(l lit) bool {
	if l.up {
		return t.hi[l.v] <= l.c
	}
	return t.lo[l.v] >= l.c
}

// fails reports whether the bounds make a literal false.
func (t *trail) fails(l lit) bool {
	if l.up {
		return t.lo[l.v] > l.c
	}
	return t.hi[l.v] < l.c
}

// why returns the earliest event that makes a literal true, or -1 if it was true initially.
func (t *trail) why(l lit) int32 {
	e := t.loEv[l.v]
	if l.up {
		e = t.hiEv[l.v]
	}
	for e >= 0 {
		ev := &t.events[e]
		if l.up && ev.old > l.c || !l.up && ev.old < l.c {
			return e
		}
		e = ev.prev
	}
	return -1
}

// explain appends the event that makes a literal true, if any, to the arena.
func (t *trail) explain(l lit) {
	if e := t.why(l); e >= 0 {
		t.arena = append(t.arena, e)
	}
}

// current returns the current bound of a variable as a literal.
func (t *trail) current(v int32, up bool) lit {
	if up {
		return lit{v, true, t.hi[v]}
	}
	return lit{v, false, t.lo[v]}
}

// set makes a literal true by a constraint. Its reasons are the entries of the arena starting at index from. It returns
// false, and sets the conflict, if the opposite bound contradicts it.
func (t *trail) set(l lit, from int, tag uint64, by cause) bool {
	if t.holds(l) {
		t.arena = t.arena[:from]
		return true
	}
	if t.fails(l) {
		t.explain(l.not())
		t.conflict = &conflict{append([]int32{}, t.arena[from:]...), tag, by}
		t.arena = t.arena[:from]
		return false
	}
	e := event{
		v: l.v, up: l.up, val: l.c, level: t.level, from: int32(from), n: int32(len(t.arena) - from), tag: tag,
		by: by,
	}
	if t.level == 0 {
		t.record.always(by)
		for _, r := range t.arena[from:] {
			e.tag |= t.events[r].tag
		}
	}
	n := int32(len(t.events))
	if l.up {
		e.old, e.prev = t.hi[l.v], t.hiEv[l.v]
		t.hi[l.v], t.hiEv[l.v] = l.c, n
	} else {
		e.old, e.prev = t.lo[l.v], t.loEv[l.v]
		t.lo[l.v], t.loEv[l.v] = l.c, n
	}
	t.events = append(t.events, e)
	t.work++
	return true
}

// decide opens a level with a literal that is neither true nor false.
func (t *trail) decide(l lit) {
	t.levels = append(t.levels, int32(len(t.events)))
	t.level++
	t.set(l, len(t.arena), 0, cause{})
}

// undo backtracks to a level.
func (t *trail) undo(level int32) {
	if level >= t.level {
		return
	}
	n := t.levels[level]
	for i := len(t.events) - 1; i >= int(n); i-- {
		e := &t.events[i]
		if e.up {
			t.hi[e.v], t.hiEv[e.v] = e.old, e.prev
		} else {
			t.lo[e.v], t.loEv[e.v] = e.old, e.prev
		}
	}
	t.arena = t.arena[:t.events[n].from]
	t.events = t.events[:n]
	t.levels = t.levels[:level]
	t.level = level
}

// literal returns the literal that an event made true.
func (e *event) literal() lit { return lit{e.v, e.up, e.val} }

// learned is the result of conflict analysis: a clause whose first literal becomes true at a lower level.
type learned struct {
	lits  []lit
	level int32
	tag   uint64
	chain []cause // the constraints that contradict the negation of the clause, in order; only for a record
}

// analyze resolves the conflict to the first unique implication point. For a conflict that does not depend on any
// decision it returns false, with the facts that it depends on.
func (t *trail) analyze() (learned, bool) {
	c := t.conflict
	t.conflict = nil
	l := learned{tag: c.tag}
	top := int32(0)
	for _, e := range c.events {
		top = max(top, t.events[e].level)
	}
	seen := make(map[int32]bool)
	var below []int32
	open := 0
	add := func(e int32) {
		ev := &t.events[e]
		switch {
		case seen[e]:
			return
		case ev.level == 0:
			l.tag |= ev.tag
		case ev.level == top:
			open++
		default:
			below = append(below, e)
		}
		seen[e] = true
		t.work++
	}
	for _, e := range c.events {
		add(e)
	}
	if top == 0 {
		t.record.always(c.by)
		return l, false
	}
	if t.record != nil {
		l.chain = append(l.chain, c.by)
	}
	uip := int32(-1)
	for e := int32(len(t.events)) - 1; ; e-- {
		if !seen[e] || t.events[e].level != top {
			continue
		}
		if open--; open == 0 {
			uip = e
			break
		}
		ev := &t.events[e]
		l.tag |= ev.tag
		if t.record != nil {
			l.chain = append(l.chain, ev.by)
		}
		for _, r := range t.arena[ev.from : ev.from+ev.n] {
			add(r)
		}
	}
	slices.Reverse(l.chain)
	l.lits = []lit{t.events[uip].literal().not()}
	for _, e := range below {
		l.add(t.events[e].literal().not())
		l.level = max(l.level, t.events[e].level)
	}
	return l, true
}

// add adds a literal to a clause; of two bounds on the same side of a variable the weaker one is kept.
func (l *learned) add(x lit) {
	for i, y := range l.lits[1:] {
		if y.v == x.v && y.up == x.up {
			if x.up && x.c > y.c || !x.up && x.c < y.c {
				l.lits[i+1] = x
			}
			return
		}
	}
	l.lits = append(l.lits, x)
}

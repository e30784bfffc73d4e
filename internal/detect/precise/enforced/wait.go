// Reads that end waits.

package enforced

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/vclock"
)

// Exit is where a thread goes on after a read that polls.
type Exit struct {
	Known bool
	To    int  // a place in the program, Again for the read itself
	Used  bool // what was read is used for more than the decision
}

// Again is the Exit.To of a thread that reads again, with no other effect.
const Again = -1

// Condition says how a wait goes on that repeats a read until its value is as wanted.
type Condition struct {
	// End returns where a thread goes on that has read a value, with the values of the registers that decide it, too.
	// These do not change while it waits.
	End func(value uint64, inputs []uint64) Exit
	// Own has, by input, the site of the atomic operation on the location whose result the input is, 0 for other
	// inputs.
	Own []uint32
	// Only has the sites of Own whose results nothing else uses.
	Only []uint32

	last struct { // the latest evaluation
		inputs []uint64
		value  uint64
		exit   Exit
		known  bool
	}
}

// after returns where a thread goes on that has read a value.
func (c *Condition) after(value uint64, inputs []uint64) Exit {
	if x := &c.last; !x.known || x.value != value || !slices.Equal(x.inputs, inputs) {
		x.exit, x.value, x.inputs, x.known = c.End(value, inputs), value, slices.Clone(inputs), true
	}
	return c.last.exit
}

// epoch is the strong writes of a location between two other changes of its value, and the reads that ended waits
// there. A change by a weak write is ordered with all of them, or there is a race.
type epoch struct {
	at      *location
	base    uint64 // value before the writes
	writes  []Access
	ends    []end
	unknown bool // a value is not known
}

// end is a read that has ended a wait.
type end struct {
	Access
	*Condition
	inputs []uint64
	exit   Exit
	behind int // number of writes before it
	over   int // number of them by which the wait was over
}

// value returns the value after the writes so far.
func (e *epoch) value() uint64 {
	if len(e.writes) > 0 {
		return e.writes[len(e.writes)-1].New
	}
	return e.base
}

// of returns a value as the location holds it.
func (e *epoch) of(value uint64) uint64 {
	if e.at.size >= 8 {
		return value
	}
	return value & (1<<(8*e.at.size) - 1)
}

// epochAt returns the epoch of an access that has found a value.
func (l *Launch) epochAt(loc *location, found uint64) *epoch {
	e := loc.latest
	if e == nil || !e.unknown && e.value() != e.of(found) {
		e = &epoch{at: loc}
		e.base = e.of(found)
		loc.latest, l.epochs = e, append(l.epochs, e)
	}
	return e
}

// write records a write for waits.
func (l *Launch) write(loc *location, a *Access) {
	l.writes++
	e := l.epochAt(loc, a.Old)
	w := *a
	w.Old, w.New, e.unknown = e.of(a.Old), e.of(a.New), e.unknown || !a.Valued
	w.upTo = a.before(a.At)
	if n := len(e.writes); n > 0 {
		w.upTo = vclock.Join(w.upTo, e.writes[n-1].upTo)
	}
	e.writes = append(e.writes, w)
}

// Polling says what a read has to do with waits.
type Polling uint8

// What a read may be.
const (
	NoPoll  Polling = iota // a read like any other
	PollsOn                // the thread goes on waiting
	Ended                  // the thread has ended its wait
)

// Poll looks at a read of a lane that may poll. If it has ended a wait, by is the number of the write by which the wait
// was over, 0 if all writes up to it are ordered before the read already. The accesses of the thread from then
// on are ordered after those, if what Finish finds about the wait is right.
func (l *Launch) Poll(p Place, size uint32, a *Access, s *Step, lane int) (poll Polling, by int) {
	if s == nil || s.Condition == nil {
		return NoPoll, 0
	}
	found, inputs, known := s.of(lane)
	if a.Valued {
		found, known = a.Old, true
	}
	if !known {
		return NoPoll, 0
	}
	x := s.Condition.after(found, inputs)
	switch {
	case !x.Known:
		return NoPoll, 0
	case x.To == Again:
		return PollsOn, 0
	}
	loc, _ := l.at(p, size)
	loc.observe(a)
	e := l.epochAt(loc, found)
	r := end{Access: *a, Condition: s.Condition, inputs: inputs, exit: x, behind: len(e.writes)}
	r.over = e.over(&r)
	e.ends = append(e.ends, r)
	if slices.ContainsFunc(e.writes[:r.over], func(w Access) bool { return !a.knows(w.Thread, w.At) }) {
		w := &e.writes[r.over-1]
		by = w.Number
		loc.ended = append(loc.ended, observation{a.Thread, a.At, w.upTo})
	}
	return Ended, by
}

// over returns how many of the writes before a read it took to end the wait: with more of them, the wait would have
// ended in the same way.
func (e *epoch) over(r *end) int {
	for n := r.behind; n > 0; n-- {
		w := &e.writes[n-1]
		if to := r.after(w.Old, r.inputs); r.follows(w.Thread, w.At) || to.To != r.exit.To || !to.Known {
			return n
		}
	}
	return 0
}

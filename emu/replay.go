package emu

import (
	"errors"
	"fmt"
)

// recorder writes down the choices of another scheduler.
type recorder struct {
	scheduler
	course *course
	cur    turn
	prev   turn
	begun  bool   // cur is a turn, not only what comes before one
	asked  uint64 // questions in this turn
	full   bool   // the recording would be larger than maxLog
}

func (r *recorder) admits(x *exec) bool {
	ok := r.scheduler.admits(x)
	if ok {
		r.flush()
		r.cur.admitted++
	}
	return ok
}

func (r *recorder) next(x *exec) *group {
	r.flush()
	g := r.scheduler.next(x)
	if g != nil {
		r.begun = true
		r.cur.block, r.cur.warp, r.cur.lane = g.warp.cta.linear, uint64(g.warp.index), uint64(g.mask.first())
	}
	return g
}

// flush files the turn that is over.
func (r *recorder) flush() {
	if !r.begun {
		return
	}
	if len(r.course.log) < maxLog {
		r.course.add(&r.cur, &r.prev)
	} else {
		r.full = true
	}
	r.prev, r.cur, r.begun, r.asked = r.cur, turn{}, false, 0
}

func (r *recorder) merges() bool {
	r.cur.merge = r.scheduler.merges()
	return r.cur.merge
}

func (r *recorder) quantum(x *exec, g *group) int {
	before := g.mask
	n := r.scheduler.quantum(x, g)
	r.cur.points, r.cur.split = uint64(max(n, 0)), before&^g.mask
	return n
}

func (r *recorder) takenFirst() bool           { return r.note(r.scheduler.takenFirst()) }
func (r *recorder) impatient(x *exec) bool     { return r.note(r.scheduler.impatient(x)) }
func (r *recorder) eager() bool                { return r.note(r.scheduler.eager()) }
func (r *recorder) diverged(x *exec, h *group) { r.scheduler.diverged(x, h) }

// note writes the answer to a question down.
func (r *recorder) note(yes bool) bool {
	if yes {
		r.cur.yes = append(r.cur.yes, r.asked)
	}
	r.asked++
	return yes
}

// replayer makes recorded choices again. What a policy always decides alike is still
// its own affair.
//
// A loose schedule is a list of turns that are wanted: those that cannot be had are
// skipped, and after the last one groups take turns in the order in which they became
// able to run. That is what is left of a schedule when turns are taken out of it.
type replayer struct {
	policy  scheduler
	pending bool // the other side of a branch is pending: lockstep
	loose   bool
	groups  []*group // that can run, oldest first
	turns   turnReader
	done    int  // turns replayed
	more    bool // turns.cur has not been replayed
	cur     turn // being replayed
	asked   uint64
	err     error
}

func newReplayer(s *Schedule, c *course, policy scheduler) *replayer {
	r := &replayer{policy: policy, pending: s.policy == Lockstep, loose: s.loose, turns: turnReader{log: c.log}}
	r.advance()
	return r
}

// advance decodes the next turn.
func (r *replayer) advance() {
	if r.more, r.err = r.turns.next(); r.err != nil {
		r.more = false
	}
}

func (r *replayer) ready(_ *exec, g *group) { r.groups = append(r.groups, g) }

// admits starts as many blocks as were started; under a loose schedule those that
// the next turn needs.
func (r *replayer) admits(x *exec) bool {
	switch {
	case r.loose && r.more:
		return r.turns.cur.block >= x.l.next
	case r.loose:
		return len(r.groups) < x.l.crowd
	case !r.more || r.turns.cur.admitted == 0:
		return false
	}
	r.turns.cur.admitted--
	return true
}

func (r *replayer) next(x *exec) *group {
	if r.done%sweepPeriod == 0 {
		r.sweep(x)
	}
	for r.more {
		t := &r.turns.cur
		i := r.find(t)
		switch {
		case i >= 0:
			r.cur, r.asked = *t, 0
			r.done++
			r.advance()
			return r.take(i)
		case r.loose:
			r.advance()
			x.admit()
			continue
		}
		if r.sweep(x); len(r.groups) > 0 {
			r.fail("turn %d is of lane %d in warp %d of block %d, which cannot run now", r.done+1, t.lane, t.warp, t.block)
		}
		return nil // perhaps until something else happens
	}
	if r.loose && r.err == nil {
		x.admit()
	}
	r.sweep(x)
	if len(r.groups) == 0 || r.err != nil {
		return nil
	}
	if !r.loose {
		r.fail("it ends after %d turns, but threads are left that can run", r.done)
		return nil
	}
	r.cur, r.asked = turn{points: fairQuantum, merge: true}, 0
	return r.take(0)
}

// fail says that the schedule is of something else.
func (r *replayer) fail(format string, args ...any) {
	r.err = fmt.Errorf("the schedule does not fit: %s; the program, its input or its limits are not those that were recorded", fmt.Sprintf(format, args...))
}

// sweepPeriod is after how many turns groups that are gone are forgotten.
const sweepPeriod = 1024

// sweep forgets groups that are gone.
func (r *replayer) sweep(x *exec) {
	kept := r.groups[:0]
	for _, g := range r.groups {
		if g.state == groupGone {
			x.recycle(g)
			continue
		}
		kept = append(kept, g)
	}
	clear(r.groups[len(kept):])
	r.groups = kept
}

// find is the position of the group that a turn is of, -1 when it cannot run.
func (r *replayer) find(t *turn) int {
	for i, g := range r.groups {
		if g.state != groupGone && g.warp.cta.linear == t.block && uint64(g.warp.index) == t.warp && uint64(g.mask.first()) == t.lane {
			return i
		}
	}
	return -1
}

// take removes the group at i from the list.
func (r *replayer) take(i int) *group {
	g := r.groups[i]
	r.groups = append(r.groups[:i], r.groups[i+1:]...)
	return g
}

func (r *replayer) merges() bool { return r.cur.merge }

func (r *replayer) quantum(x *exec, g *group) int {
	if m := r.cur.split & g.mask; m != 0 && m != g.mask {
		r.ready(x, x.split(g, m, g.pc, g.join))
	}
	return int(r.cur.points)
}

func (r *replayer) takenFirst() bool     { return r.answer() }
func (r *replayer) impatient(*exec) bool { return r.answer() }
func (r *replayer) eager() bool          { return r.answer() }

// answer is the recorded answer to the next question.
func (r *replayer) answer() bool {
	n := r.asked
	r.asked++
	if len(r.cur.yes) > 0 && r.cur.yes[0] == n {
		r.cur.yes = r.cur.yes[1:]
		return true
	}
	return false
}

func (r *replayer) diverged(x *exec, h *group) {
	if r.pending {
		r.policy.diverged(x, h)
		return
	}
	r.ready(x, h)
}

func (r *replayer) patience() int { return r.policy.patience() }
func (r *replayer) crowd() int    { return r.policy.crowd() }

// policy is the policy of the schedules, of one that is replayed as well.
func (c *Config) policy() Policy {
	if c.Replay != nil {
		return c.Replay.policy
	}
	return c.Policy
}

// setSchedule makes the scheduler of a launch: the policy's, or one that records or
// replays.
func (x *exec) setSchedule() error {
	m := x.m
	policy := m.cfg.policy()
	x.sched = newScheduler(policy, &m.cfg, x.l)
	x.l.watchers.on = x.l.watched(policy)
	if s := m.cfg.Replay; s != nil {
		c, err := s.course(m, x.l)
		if err != nil {
			return err
		}
		x.sched = newReplayer(s, c, x.sched)
	}
	if s := m.cfg.Record; s != nil {
		if m.launches == 1 {
			*s = Schedule{module: hashModule(m), policy: policy}
		}
		c := &course{shape: describeLaunch(x.l)}
		s.launches = append(s.launches, c)
		x.sched = &recorder{scheduler: x.sched, course: c}
	}
	return nil
}

// course is the recording of the machine's current launch.
func (s *Schedule) course(m *Machine, l *launch) (*course, error) {
	if s.module != hashModule(m) {
		return nil, fmt.Errorf("the schedule is of another program than %s, or of another version of it", m.src.AST.File.Name)
	}
	if m.launches > uint64(len(s.launches)) && s.loose {
		return &course{}, nil // of a grid that was not launched then
	}
	if m.launches > uint64(len(s.launches)) {
		return nil, fmt.Errorf("the schedule has %d launches, this is number %d", len(s.launches), m.launches)
	}
	c := s.launches[m.launches-1]
	if shape := describeLaunch(l); shape != c.shape && s.loose {
		return &course{}, nil
	} else if shape != c.shape {
		return nil, fmt.Errorf("launch %d is of %s, the schedule's is of %.100q", m.launches, shape, c.shape)
	}
	return c, nil
}

// endSchedule finishes a recording or replay.
func (x *exec) endSchedule() error {
	s := x.sched
	if r, ok := s.(*recorder); ok {
		r.flush()
		if r.full {
			return errors.New("the schedule is too long to be recorded")
		}
		s = r.scheduler
	}
	if e, ok := s.(interface{ ended() error }); ok {
		return e.ended()
	}
	r, ok := s.(*replayer)
	if !ok {
		return nil
	}
	if r.more && !r.loose && r.err == nil && (x.fault == nil || x.fault.Class != "timeout") {
		r.fail("the run has ended after %d turns, more were recorded", r.done)
	}
	return r.err
}

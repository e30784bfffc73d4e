// Recording the choices of a scheduler, and replaying them.

package emu

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/schedule"
)

// recorder is a scheduler that records the choices of another one.
type recorder struct {
	scheduler
	log     *schedule.Log
	cur     schedule.Turn
	prev    schedule.Turn
	begun   bool   // cur describes a turn, not only the admissions before one
	choices uint64 // yes/no choices made in this turn
	full    bool   // the recording would exceed the size limit of schedule.Log
}

func (r *recorder) admits(x *engine) bool {
	ok := r.scheduler.admits(x)
	if ok {
		r.flush()
		r.cur.Admitted++
	}
	return ok
}

func (r *recorder) next(x *engine) *group {
	g := r.scheduler.next(x)
	if g != nil {
		r.flush()
		r.begun = true
		r.cur.Block, r.cur.Warp, r.cur.Lane = g.warp.cta.linear, uint64(g.warp.index), uint64(g.mask.first())
	}
	return g
}

// flush appends the finished turn to the log.
func (r *recorder) flush() {
	if !r.begun {
		return
	}
	if !r.log.Full() {
		r.log.Add(&r.cur, &r.prev)
	} else {
		r.full = true
	}
	r.prev, r.cur, r.begun, r.choices = r.cur, schedule.Turn{}, false, 0
}

func (r *recorder) merges() bool {
	r.cur.Merge = r.scheduler.merges()
	return r.cur.Merge
}

func (r *recorder) quantum(x *engine, g *group) int {
	before := g.mask
	n := r.scheduler.quantum(x, g)
	r.cur.Points, r.cur.Split = uint64(max(n, 0)), uint32(before&^g.mask)
	return n
}

func (r *recorder) takenFirst() bool             { return r.note(r.scheduler.takenFirst()) }
func (r *recorder) impatient(x *engine) bool     { return r.note(r.scheduler.impatient(x)) }
func (r *recorder) eager() bool                  { return r.note(r.scheduler.eager()) }
func (r *recorder) diverged(x *engine, h *group) { r.scheduler.diverged(x, h) }

// value records the choice of a number as answers to whether it is 0, 1 and so on.
func (r *recorder) pickValue(x *engine, n int) int {
	k := r.scheduler.pickValue(x, n)
	for i := range n - 1 {
		if r.note(i == k) {
			break
		}
	}
	return k
}

// note records a yes/no choice.
func (r *recorder) note(yes bool) bool {
	if yes {
		r.cur.Yes = append(r.cur.Yes, r.choices)
	}
	r.choices++
	return yes
}

// replayer is a scheduler that repeats recorded choices. Choices that a policy always makes alike are not recorded:
// they come from the policy.
//
// A partial schedule is a list of desired turns: a turn whose group cannot run is skipped, and after the last turn,
// groups run in the order in which they became runnable. A schedule becomes partial when turns are removed from it.
type replayer struct {
	policy  scheduler
	pending bool // the policy makes the other side of a branch pending (lockstep)
	partial bool
	groups  []*group // runnable groups, oldest first
	turns   schedule.Reader
	done    int           // turns replayed
	more    bool          // turns.Turn has not been replayed yet
	cur     schedule.Turn // being replayed
	choices uint64
	err     error
}

func newReplayer(s *Schedule, c *schedule.Log, policy scheduler) *replayer {
	r := &replayer{policy: policy, pending: s.Policy.Traits().SIMTStack, partial: s.Partial, turns: c.Reader()}
	r.advance()
	return r
}

// advance decodes the next turn.
func (r *replayer) advance() {
	if r.more, r.err = r.turns.Next(); r.err != nil {
		r.more = false
	}
}

func (r *replayer) ready(_ *engine, g *group) { r.groups = append(r.groups, g) }

// admits starts as many blocks as the recorded run did at this point; under a partial schedule, the blocks up to that
// of the next turn.
func (r *replayer) admits(x *engine) bool {
	switch {
	case r.partial && r.more:
		return r.turns.Turn.Block >= x.l.next
	case r.partial:
		return len(r.groups) < x.l.targetRunnable
	case !r.more || r.turns.Turn.Admitted == 0:
		return false
	}
	r.turns.Turn.Admitted--
	return true
}

func (r *replayer) next(x *engine) *group {
	if r.done%sweepPeriod == 0 {
		r.sweep(x)
	}
	for r.more {
		t := &r.turns.Turn
		i := r.find(t)
		switch {
		case i >= 0:
			r.cur, r.choices = *t, 0
			r.done++
			r.advance()
			return r.take(i)
		case r.partial:
			r.advance()
			x.admit()
			continue
		}
		if r.sweep(x); len(r.groups) > 0 {
			r.fail("turn %d is of lane %d in warp %d of block %d, which cannot run now", r.done+1, t.Lane, t.Warp,
				t.Block)
		}
		return nil // the caller may make other groups runnable
	}
	if r.partial && r.err == nil {
		x.admit()
	}
	r.sweep(x)
	if len(r.groups) == 0 || r.err != nil {
		return nil
	}
	if !r.partial {
		r.fail("it ends after %d turns, but threads are left that can run", r.done)
		return nil
	}
	i := slices.IndexFunc(r.groups, func(g *group) bool { return !x.weak.stands(g) })
	if i < 0 || x.weak != nil && x.weak.dead {
		return nil
	}
	r.cur, r.choices = schedule.Turn{Points: fairQuantum, Merge: true}, 0
	return r.take(i)
}

// fail sets the error that the schedule does not fit the run.
func (r *replayer) fail(format string, args ...any) {
	r.err = fmt.Errorf("the schedule does not fit: %s; the program, its input or its limits are not those that were recorded", fmt.Sprintf(format, args...))
}

// sweepPeriod is the number of turns between two calls of sweep.
const sweepPeriod = 1024

// sweep removes groups that are gone from the list.
func (r *replayer) sweep(x *engine) {
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

// find returns the index of the group of a turn, -1 if it cannot run.
func (r *replayer) find(t *schedule.Turn) int {
	for i, g := range r.groups {
		if g.state != groupGone && g.warp.cta.linear == t.Block && uint64(g.warp.index) == t.Warp &&
			uint64(g.mask.first()) == t.Lane {
			return i
		}
	}
	return -1
}

// take removes the group at i from the list and returns it.
func (r *replayer) take(i int) *group {
	g := r.groups[i]
	r.groups = append(r.groups[:i], r.groups[i+1:]...)
	return g
}

func (r *replayer) merges() bool { return r.cur.Merge }

func (r *replayer) quantum(x *engine, g *group) int {
	if m := lanes(r.cur.Split) & g.mask; m != 0 && m != g.mask {
		r.ready(x, x.split(g, m, g.pc, g.join))
	}
	return int(r.cur.Points)
}

func (r *replayer) takenFirst() bool       { return r.answer() }
func (r *replayer) impatient(*engine) bool { return r.answer() }
func (r *replayer) eager() bool            { return r.answer() }

func (r *replayer) pickValue(_ *engine, n int) int {
	for i := range n - 1 {
		if r.answer() {
			return i
		}
	}
	return n - 1
}

// answer returns the next recorded yes/no choice.
func (r *replayer) answer() bool {
	n := r.choices
	r.choices++
	if len(r.cur.Yes) > 0 && r.cur.Yes[0] == n {
		r.cur.Yes = r.cur.Yes[1:]
		return true
	}
	return false
}

func (r *replayer) diverged(x *engine, h *group) {
	if r.pending {
		r.policy.diverged(x, h)
		return
	}
	r.ready(x, h)
}

func (r *replayer) patience() int         { return r.policy.patience() }
func (r *replayer) observerPatience() int { return r.policy.observerPatience() }
func (r *replayer) targetRunnable() int   { return r.policy.targetRunnable() }

// policy returns the policy that schedules follow: of the replayed schedule, if there is one.
func (c *Config) policy() Policy {
	if c.Replay != nil {
		return c.Replay.Policy
	}
	return c.Policy
}

// setSchedule sets the scheduler of a launch: that of the policy, wrapped for recording or replay.
func (x *engine) setSchedule() error {
	m := x.m
	policy := m.cfg.policy()
	x.sched = newScheduler(policy, &m.cfg, x.l)
	x.l.waitSets.enabled = x.l.sleepsOnWords(policy)
	if s := m.cfg.Replay; s != nil {
		c, err := m.logOf(s, x.l)
		if err != nil {
			return err
		}
		x.sched = newReplayer(s, c, x.sched)
	}
	if s := m.cfg.Record; s != nil {
		if m.launches == 1 {
			*s = Schedule{Program: hashModule(m), Policy: policy}
		}
		c := &schedule.Log{Shape: m.describeLaunch(x.l)}
		s.Launches = append(s.Launches, c)
		x.sched = &recorder{scheduler: x.sched, log: c}
	}
	return nil
}

// logOf returns the recorded turns for the machine's current launch.
func (m *machine) logOf(s *Schedule, l *launch) (*schedule.Log, error) {
	if s.Program != hashModule(m) {
		return nil, fmt.Errorf("the schedule is of another program than %s, or of another version of it",
			m.src.AST.File.Name)
	}
	if m.launches > uint64(len(s.Launches)) && s.Partial {
		return &schedule.Log{}, nil // of a grid that was not launched in the recorded run
	}
	if m.launches > uint64(len(s.Launches)) {
		return nil, fmt.Errorf("the schedule has %d launches, this is number %d", len(s.Launches), m.launches)
	}
	c := s.Launches[m.launches-1]
	shape := m.describeLaunch(l)
	switch weak := strings.HasSuffix(c.Shape, weakShape); {
	case weak && m.cfg.Memory != PTX:
		return nil, errors.New("the schedule is of a run with memory ptx, this one has memory sc")
	case !weak && m.cfg.Memory == PTX:
		return nil, errors.New("the schedule is of a run with memory sc, this one has memory ptx")
	}
	if shape != c.Shape && s.Partial {
		return &schedule.Log{}, nil
	} else if shape != c.Shape {
		return nil, fmt.Errorf("launch %d is of %s, the schedule's is of %.100q", m.launches, shape, c.Shape)
	}
	return c, nil
}

// endSchedule finishes a recording or replay.
func (x *engine) endSchedule() error {
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
	if r.more && !r.partial && r.err == nil && (x.fault == nil || x.fault.Class != "timeout") {
		r.fail("the run has ended after %d turns, more were recorded", r.done)
	}
	return r.err
}

// hashModule identifies a program by a hash of its text.
func hashModule(m *machine) (h [8]byte) {
	sum := sha256.Sum256(m.src.AST.File.Src)
	copy(h[:], sum[:])
	return h
}

// describeLaunch describes the properties that a launch and its replay must have in common.
func (m *machine) describeLaunch(l *launch) string {
	text := fmt.Sprintf("%s grid %v block %v shared %d", l.kernel.src.Name, l.grid, l.block, l.sharedSize)
	if m.cfg.Memory == PTX {
		text += weakShape
	}
	return text
}

// weakShape ends the description of a launch under weak memory. A schedule recorded under one memory model does not fit
// the other.
const weakShape = " memory ptx"

// Recording the choices of a scheduler, and replaying them.

package sched

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/emu/internal/groups"
	"github.com/ptxsan/ptxsan/emu/internal/schedule"
	"github.com/ptxsan/ptxsan/emu/internal/state"
	"github.com/ptxsan/ptxsan/emu/internal/weak"
)

// recorder is a scheduler that records the choices of another one.
type recorder struct {
	state.Scheduler
	log     *schedule.Log
	cur     schedule.Turn
	prev    schedule.Turn
	begun   bool   // cur describes a turn, not only the admissions before one
	choices uint64 // yes/no choices made in this turn
	full    bool   // the recording would exceed the size limit of schedule.Log
}

func (r *recorder) Admits(x *state.Engine) bool {
	ok := r.Scheduler.Admits(x)
	if ok {
		r.flush()
		r.cur.Admitted++
	}
	return ok
}

func (r *recorder) Next(x *state.Engine) *state.Group {
	g := r.Scheduler.Next(x)
	if g != nil {
		r.flush()
		r.begun = true
		r.cur.Block, r.cur.Warp, r.cur.Lane = g.Warp.CTA.Linear, uint64(g.Warp.Index), uint64(g.Mask.First())
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

func (r *recorder) Merges() bool {
	r.cur.Merge = r.Scheduler.Merges()
	return r.cur.Merge
}

func (r *recorder) Quantum(x *state.Engine, g *state.Group) int {
	before := g.Mask
	n := r.Scheduler.Quantum(x, g)
	r.cur.Points, r.cur.Split = uint64(max(n, 0)), uint32(before&^g.Mask)
	return n
}

func (r *recorder) TakenFirst() bool { return r.note(r.Scheduler.TakenFirst()) }

func (r *recorder) Impatient(x *state.Engine) bool { return r.note(r.Scheduler.Impatient(x)) }

func (r *recorder) Eager() bool { return r.note(r.Scheduler.Eager()) }

func (r *recorder) Diverged(x *state.Engine, h *state.Group) { r.Scheduler.Diverged(x, h) }

// value records the choice of a number as answers to whether it is 0, 1 and so on.
func (r *recorder) PickValue(x *state.Engine, n int) int {
	k := r.Scheduler.PickValue(x, n)
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
	policy  state.Scheduler
	pending bool // the policy makes the other side of a branch pending (lockstep)
	partial bool
	groups  []*state.Group // runnable groups, oldest first
	turns   schedule.Reader
	done    int           // turns replayed
	more    bool          // turns.Turn has not been replayed yet
	cur     schedule.Turn // being replayed
	choices uint64
	err     error
}

func newReplayer(s *state.Schedule, c *schedule.Log, policy state.Scheduler) *replayer {
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

func (r *replayer) Ready(_ *state.Engine, g *state.Group) { r.groups = append(r.groups, g) }

// Admits starts as many blocks as the recorded run did at this point; under a partial schedule, the blocks up to that
// of the next turn.
func (r *replayer) Admits(x *state.Engine) bool {
	switch {
	case r.partial && r.more:
		return r.turns.Turn.Block >= x.L.Next
	case r.partial:
		return len(r.groups) < x.L.TargetRunnable
	case !r.more || r.turns.Turn.Admitted == 0:
		return false
	}
	r.turns.Turn.Admitted--
	return true
}

func (r *replayer) Next(x *state.Engine) *state.Group {
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
			Admit(x)
			continue
		}
		if r.sweep(x); len(r.groups) > 0 {
			r.fail("turn %d is of lane %d in warp %d of block %d, which cannot run now", r.done+1, t.Lane, t.Warp,
				t.Block)
		}
		return nil // the caller may make other groups runnable
	}
	if r.partial && r.err == nil {
		Admit(x)
	}
	r.sweep(x)
	if len(r.groups) == 0 || r.err != nil {
		return nil
	}
	if !r.partial {
		r.fail("it ends after %d turns, but threads are left that can run", r.done)
		return nil
	}
	i := slices.IndexFunc(r.groups, func(g *state.Group) bool { return !weak.Stands(x.Weak, g) })
	if i < 0 || x.Weak != nil && x.Weak.Dead {
		return nil
	}
	r.cur, r.choices = schedule.Turn{Points: state.FairQuantum, Merge: true}, 0
	return r.take(i)
}

// fail sets the error that the schedule does not fit the run.
func (r *replayer) fail(format string, args ...any) {
	r.err = fmt.Errorf("the schedule does not fit: %s; the program, its input or its limits are not those that were recorded", fmt.Sprintf(format, args...))
}

// sweepPeriod is the number of turns between two calls of sweep.
const sweepPeriod = 1024

// sweep removes groups that are gone from the list.
func (r *replayer) sweep(x *state.Engine) {
	kept := r.groups[:0]
	for _, g := range r.groups {
		if g.State == state.GroupGone {
			x.Recycle(g)
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
		if g.State != state.GroupGone && g.Warp.CTA.Linear == t.Block && uint64(g.Warp.Index) == t.Warp &&
			uint64(g.Mask.First()) == t.Lane {
			return i
		}
	}
	return -1
}

// take removes the group at i from the list and returns it.
func (r *replayer) take(i int) *state.Group {
	g := r.groups[i]
	r.groups = append(r.groups[:i], r.groups[i+1:]...)
	return g
}

func (r *replayer) Merges() bool { return r.cur.Merge }

func (r *replayer) Quantum(x *state.Engine, g *state.Group) int {
	if m := state.Lanes(r.cur.Split) & g.Mask; m != 0 && m != g.Mask {
		r.Ready(x, groups.Split(x, g, m, g.PC, g.Join))
	}
	return int(r.cur.Points)
}

func (r *replayer) TakenFirst() bool { return r.answer() }

func (r *replayer) Impatient(*state.Engine) bool { return r.answer() }

func (r *replayer) Eager() bool { return r.answer() }

func (r *replayer) PickValue(_ *state.Engine, n int) int {
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

func (r *replayer) Diverged(x *state.Engine, h *state.Group) {
	if r.pending {
		r.policy.Diverged(x, h)
		return
	}
	r.Ready(x, h)
}

func (r *replayer) Patience() int { return r.policy.Patience() }

func (r *replayer) ObserverPatience() int { return r.policy.ObserverPatience() }

func (r *replayer) TargetRunnable() int { return r.policy.TargetRunnable() }

// SetSchedule sets the scheduler of a launch: that of the policy, wrapped for recording or replay.
func SetSchedule(x *state.Engine) error {
	m := x.M
	policy := m.Cfg.ChosenPolicy()
	x.Sched = New(policy, &m.Cfg, x.L)
	x.L.WaitSets.Enabled = SleepsOnWords(x.L, policy)
	if s := m.Cfg.Replay; s != nil {
		c, err := logOf(m, s, x.L)
		if err != nil {
			return err
		}
		x.Sched = newReplayer(s, c, x.Sched)
	}
	if s := m.Cfg.Record; s != nil {
		if m.Launches == 1 {
			*s = state.Schedule{Program: hashModule(m), Policy: policy}
		}
		c := &schedule.Log{Shape: describeLaunch(m, x.L)}
		s.Launches = append(s.Launches, c)
		x.Sched = &recorder{Scheduler: x.Sched, log: c}
	}
	return nil
}

// logOf returns the recorded turns for the machine's current launch.
func logOf(m *state.Machine, s *state.Schedule, l *state.Launch) (*schedule.Log, error) {
	if s.Program != hashModule(m) {
		return nil, fmt.Errorf("the schedule is of another program than %s, or of another version of it",
			m.Src.AST.File.Name)
	}
	if m.Launches > uint64(len(s.Launches)) && s.Partial {
		return &schedule.Log{}, nil // of a grid that was not launched in the recorded run
	}
	if m.Launches > uint64(len(s.Launches)) {
		return nil, fmt.Errorf("the schedule has %d launches, this is number %d", len(s.Launches), m.Launches)
	}
	c := s.Launches[m.Launches-1]
	shape := describeLaunch(m, l)
	switch isWeak := strings.HasSuffix(c.Shape, weakShape); {
	case isWeak && m.Cfg.Memory != weak.PTX:
		return nil, errors.New("the schedule is of a run with memory ptx, this one has memory sc")
	case !isWeak && m.Cfg.Memory == weak.PTX:
		return nil, errors.New("the schedule is of a run with memory sc, this one has memory ptx")
	}
	if shape != c.Shape && s.Partial {
		return &schedule.Log{}, nil
	} else if shape != c.Shape {
		return nil, fmt.Errorf("launch %d is of %s, the schedule's is of %.100q", m.Launches, shape, c.Shape)
	}
	return c, nil
}

// EndSchedule finishes a recording or replay.
func EndSchedule(x *state.Engine) error {
	s := x.Sched
	if r, ok := s.(*recorder); ok {
		r.flush()
		if r.full {
			return errors.New("the schedule is too long to be recorded")
		}
		s = r.Scheduler
	}
	if e, ok := s.(interface{ ended() error }); ok {
		return e.ended()
	}
	r, ok := s.(*replayer)
	if !ok {
		return nil
	}
	if r.more && !r.partial && r.err == nil && (x.Fault == nil || x.Fault.Class != "timeout") {
		r.fail("the run has ended after %d turns, more were recorded", r.done)
	}
	return r.err
}

// hashModule identifies a program by a hash of its text.
func hashModule(m *state.Machine) (h [8]byte) {
	sum := sha256.Sum256(m.Src.AST.File.Src)
	copy(h[:], sum[:])
	return h
}

// describeLaunch describes the properties that a launch and its replay must have in common.
func describeLaunch(m *state.Machine, l *state.Launch) string {
	text := fmt.Sprintf("%s grid %v block %v shared %d", l.Kernel.Src.Name, l.Grid, l.Block, l.SharedSize)
	if m.Cfg.Memory == weak.PTX {
		text += weakShape
	}
	return text
}

// weakShape ends the description of a launch under weak memory. A schedule recorded under one memory model does not fit
// the other.
const weakShape = " memory ptx"

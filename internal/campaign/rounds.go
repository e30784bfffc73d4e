// Rounds: selection of the tasks that a campaign runs next.

package campaign

import (
	"cmp"
	"slices"
)

// A campaign runs in rounds. The first round is the static analysis, which finds kernels that cannot race. The second
// repeats known findings. Each other round gives every kernel that still shows something new enough schedules to tell
// whether it continues to do so. The tasks of a round depend only on the results of earlier rounds, not on the time or
// the place of their execution.

// study is a subject under one detector: the unit to which a round assigns schedules.
type study struct {
	subject  *Subject
	index    int // of the subject
	detector string
	parts    []*part
	given    int // number of schedules so far
	begun    bool
	done     bool
	seen     map[uint64]bool // conflicts
	found    map[string]bool // findings
	grew     int             // conflicts and findings that were new in the last round
}

// part is a strategy of a study.
type part struct {
	strategy string
	next     uint64 // next seed
	left     int    // remaining schedules, -1 for no limit
}

// rounds generates the tasks.
type rounds struct {
	c       *Campaign
	studies []*study
	free    map[int]bool // subjects that are proved free of races
	left    int          // remaining schedules
	stage   int
	order   int // of the next task
}

// roundRobinVariants is the number of distinct seeds of round-robin.
const roundRobinVariants = 256

func newRounds(c *Campaign) *rounds {
	r := &rounds{c: c, free: make(map[int]bool)}
	for i, s := range c.Subjects {
		for _, d := range c.Plan.Detectors {
			x := &study{subject: s, index: i, detector: d, seen: make(map[uint64]bool), found: make(map[string]bool)}
			for _, name := range c.Plan.parts() {
				x.parts = append(x.parts, &part{name, c.Plan.Seed, c.Plan.room(name)})
			}
			r.studies = append(r.studies, x)
		}
	}
	return r
}

// parts returns the strategies of a plan. It expands mixed into several.
func (p *Plan) parts() (list []string) {
	for _, s := range p.Strategies {
		if s == "mixed" {
			list = append(list, "directed", "random", "pct", "round-robin")
		} else {
			list = append(list, s)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// whole reports whether a strategy learns from its own runs, so that one task must execute all of them.
func whole(strategy string) bool { return strategy == "directed" || strategy == "exhaustive" }

// room returns the number of schedules of a strategy for a study, -1 for no limit.
func (p *Plan) room(strategy string) int {
	switch {
	case strategy == "round-robin":
		return roundRobinVariants
	case whole(strategy):
		return max(1, p.base()/len(p.parts()))
	}
	return -1
}

// next returns the tasks of the next round; none at the end of the campaign.
func (r *rounds) next() (tasks []*Task) {
	for len(tasks) == 0 {
		r.stage++
		switch r.stage {
		case 1:
			tasks = r.proofs()
		case 2:
			tasks = r.replays()
		case 3:
			r.begin()
			fallthrough
		default:
			if tasks = r.schedules(); len(tasks) == 0 {
				return nil
			}
		}
	}
	for _, t := range tasks {
		t.Order = r.order
		r.order++
	}
	return tasks
}

// task returns a task without its position.
func (r *rounds) task(s *Subject, detector, strategy string) *Task {
	limits := r.c.Plan.Task
	return &Task{
		Subject: s, Detector: detector, Strategy: strategy, Memory: limits.Memory, Steps: limits.Steps,
		Time: limits.Time,
	}
}

func (r *rounds) proofs() (tasks []*Task) {
	if !r.c.Plan.Prove {
		return nil
	}
	for i, s := range r.c.Subjects {
		t := r.task(s, "", proving).identify()
		t.study = &study{subject: s, index: i}
		tasks = append(tasks, t)
	}
	return tasks
}

func (r *rounds) replays() (tasks []*Task) {
	known := make(map[string]bool)
	for i := range r.c.Plan.Replays {
		x := &r.c.Plan.Replays[i]
		t := r.task(r.c.Subjects[r.c.subjectOf(x)], x.Detector, replaying)
		t.Run = x.Run
		if t.identify(); known[t.ID] {
			continue
		}
		known[t.ID] = true
		t.study = r.studyOf(x)
		tasks = append(tasks, t)
	}
	return tasks
}

// studyOf returns the study of a replay, or a new one if the plan does not contain its detector.
func (r *rounds) studyOf(x *Replay) *study {
	index := r.c.subjectOf(x)
	i := slices.IndexFunc(r.studies, func(s *study) bool { return s.index == index && s.detector == x.Detector })
	if i < 0 {
		return &study{
			subject: r.c.Subjects[index], index: index, detector: x.Detector, seen: make(map[uint64]bool),
			found: make(map[string]bool),
		}
	}
	return r.studies[i]
}

// begin removes subjects that are proved free of races, and distributes schedules.
func (r *rounds) begin() {
	r.studies = slices.DeleteFunc(r.studies, func(s *study) bool { return r.free[s.index] })
	r.left = r.c.Plan.total(len(r.studies))
	for _, s := range r.studies {
		s.grew = 0
	}
}

// total returns the number of schedules for a number of studies.
func (p *Plan) total(studies int) int {
	switch {
	case p.Budget.Schedules > 0:
		return p.Budget.Schedules
	case p.Schedules == 0 && p.Budget.Time > 0:
		return maxCount
	}
	return studies * p.base()
}

// base returns the average number of schedules of a study.
func (p *Plan) base() int { return cmp.Or(p.Schedules, DefaultSchedules) }

// schedules returns the tasks of a round of schedules.
func (r *rounds) schedules() (tasks []*Task) {
	var active []*study
	for _, s := range r.studies {
		s.done = s.done || s.begun && s.grew == 0 && r.c.Plan.Budget.Quiet > 0
		if !s.done {
			active = append(active, s)
		}
	}
	size := r.c.Plan.roundSize()
	if r.left < size*len(active) { // too few for all: first those with the most new results in the last round
		slices.SortStableFunc(active, func(a, b *study) int { return cmp.Compare(b.grew, a.grew) })
	}
	for _, s := range active {
		made := r.share(s, min(size, r.left))
		tasks = append(tasks, made...)
		s.begun, s.grew = true, 0
		s.done = len(made) == 0
	}
	return tasks
}

// roundSize returns the number of schedules of a kernel in a round.
func (p *Plan) roundSize() int {
	if p.Budget.Quiet > 0 {
		return p.Budget.Quiet
	}
	return p.base()
}

// share returns tasks with n schedules of a study. A strategy that learns from its runs gets all of its schedules at
// once.
func (r *rounds) share(s *study, n int) (tasks []*Task) {
	parts := slices.DeleteFunc(slices.Clone(s.parts), func(p *part) bool { return p.left == 0 })
	for i, p := range parts {
		count := n / (len(parts) - i)
		if whole(p.strategy) {
			count = min(p.left, r.left)
		}
		if p.left >= 0 {
			count = min(count, p.left)
		}
		n = max(0, n-count)
		tasks = append(tasks, r.cut(s, p, count)...)
		if whole(p.strategy) {
			p.left = 0
		}
	}
	return tasks
}

// cut returns tasks with the next schedules of a strategy.
func (r *rounds) cut(s *study, p *part, count int) (tasks []*Task) {
	for count > 0 && r.left > 0 {
		t := r.task(s.subject, s.detector, p.strategy)
		t.study, t.Seed, t.Count = s, p.next, min(count, r.left)
		if !whole(p.strategy) {
			t.Count = min(t.Count, r.c.Plan.Task.Schedules)
			p.next += uint64(t.Count)
		}
		tasks = append(tasks, t.identify())
		count -= t.Count
		r.left -= t.Count
		s.given += t.Count
		if p.left > 0 {
			p.left -= t.Count
		}
	}
	return tasks
}

// learn processes the results of a task: conflicts, and the findings of its report.
func (r *rounds) learn(t *Task, res *Result, findings []string) {
	s := t.study
	if t.Strategy == proving {
		if res.Free {
			r.free[s.index] = true
		}
		return
	}
	for _, pair := range res.Conflicts {
		if !s.seen[pair] {
			s.seen[pair] = true
			s.grew++
		}
	}
	for _, id := range findings {
		if !s.found[id] {
			s.found[id] = true
			s.grew++
		}
	}
}

// growing returns the number of studies that have had schedules and may get more.
func (r *rounds) growing() (n int) {
	for _, s := range r.studies {
		if s.begun && !s.done {
			n++
		}
	}
	return n
}

// conflicts returns the number of ordered pairs of conflicting accesses, over all studies.
func (r *rounds) conflicts() (n int) {
	for _, s := range r.studies {
		n += len(s.seen)
	}
	return n
}

// subjectOf returns the index of the subject of a replay, -1 when there is none.
func (c *Campaign) subjectOf(x *Replay) int {
	return slices.IndexFunc(c.Subjects, func(s *Subject) bool { return s.PTX == x.PTX && s.Launch == x.Launch })
}

// resolve finds the subject of a replay.
func (c *Campaign) resolve(x *Replay) error {
	ptx, file := beside(c.Plan.File, x.PTX), beside(c.Plan.File, x.Launch)
	if c.subjectOf(x) < 0 {
		x.PTX, x.Launch = ptx, file
	}
	if c.subjectOf(x) < 0 {
		return x.Errorf("the plan has no kernels of %s with %s", x.PTX, x.Launch)
	}
	return nil
}

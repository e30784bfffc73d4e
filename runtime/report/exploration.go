// Reports that cover many schedules.

package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Exploration is the summary of a report that covers many schedules.
type Exploration struct {
	Search    string `json:"search"`           // how schedules were chosen
	Schedules int    `json:"schedules"`        // completed runs, of each program that was run
	Quiet     int    `json:"quiet,omitempty"`  // number of the last runs, without a new finding, after which the search stopped
	Proved    int    `json:"proved,omitempty"` // programs that a static analysis proves free of races, so that none of their schedules was run
	Redundant int    `json:"redundant"`        // runs abandoned because others show the same
	Ended     string `json:"ended,omitempty"`  // why some schedules were not run, or some findings not minimised: a limit of time, or an interrupt
	// Complete says that every order of the threads' conflicting operations was run, within the limits of the search.
	// Limits explains why not, and what the search does not cover.
	Complete bool `json:"complete"`
	Weak     bool `json:"-"` // the runs were those of weak memory
	// Claimed says that one run was enough, since its verdict holds for every schedule.
	Claimed  bool      `json:"claimed,omitempty"`
	Limits   []string  `json:"limits,omitempty"`
	Outcomes []Outcome `json:"outcomes,omitempty"`
}

// add adds another exploration of the same kind.
func (e *Exploration) add(o *Exploration) {
	e.Complete = e.Complete && o.Complete || e.Schedules == 0 && o.Complete
	e.Search = cmp.Or(e.Search, o.Search)
	e.Schedules, e.Redundant, e.Proved = e.Schedules+o.Schedules, e.Redundant+o.Redundant, e.Proved+o.Proved
	e.Ended = cmp.Or(e.Ended, o.Ended)
	for _, limit := range o.Limits {
		if !slices.Contains(e.Limits, limit) {
			e.Limits = append(e.Limits, limit)
		}
	}
	e.Outcomes = append(e.Outcomes, o.Outcomes...)
}

// Outcome is a final state of runs: contents of buffers, or a fault.
type Outcome struct {
	Schedules int     `json:"schedules"` // runs with this outcome
	RaceFree  int     `json:"-"`         // those in which no race was found
	Fault     string  `json:"fault,omitempty"`
	Buffers   []Words `json:"buffers,omitempty"`
	Replay    string  `json:"replay,omitempty"`
}

// Words holds the elements of a buffer.
type Words struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// Add adds the findings of another run to the report. Each finding is counted once for the run; replay is the command
// that repeats the run. The caller must call Finish on the run's report before, and on r at the end.
func (r *Report) Add(run *Report, replay string) {
	for _, x := range run.Pairs() {
		x.Replay = replay
	}
	for _, x := range run.Races {
		have := r.Finding(x.ID)
		if have == nil {
			have = x
			have.Schedules = 0
			r.Races = append(r.Races, have)
		} else {
			have.take(x)
		}
		have.Schedules++
	}
	for _, f := range run.Faults {
		have := r.fault(f)
		if have == nil {
			have = f
			have.Replay, have.Schedules = replay, 0
			r.Faults = append(r.Faults, have)
		}
		have.Schedules++
	}
	r.note(run.Notes)
	if r.Exploration == nil || r.Exploration.Schedules <= 1 {
		r.NotChecked = run.NotChecked
	} else { // what another schedule has run was checked
		r.NotChecked = slices.DeleteFunc(r.NotChecked,
			func(n NotChecked) bool { return !slices.Contains(run.NotChecked, n) })
	}
	r.cover(run.Coverage)
	r.AddFidelity(run.Fidelity)
}

// TakeSchedules removes the numbers of schedules from findings, so that those of another program can be counted;
// JoinSchedules restores the larger ones.
func (r *Report) TakeSchedules() map[any]int {
	counts := make(map[any]int)
	for _, x := range r.Races {
		counts[x], x.Schedules = x.Schedules, 0
	}
	for _, x := range r.Faults {
		counts[x], x.Schedules = x.Schedules, 0
	}
	return counts
}

// JoinSchedules restores the result of TakeSchedules.
func (r *Report) JoinSchedules(counts map[any]int) {
	for _, x := range r.Races {
		x.Schedules = max(x.Schedules, counts[x])
	}
	for _, x := range r.Faults {
		x.Schedules = max(x.Schedules, counts[x])
	}
}

// note adds notes that the report does not have yet.
func (r *Report) note(notes []string) {
	for _, n := range notes {
		if !slices.Contains(r.Notes, n) {
			r.Notes = append(r.Notes, n)
		}
	}
}

// Finding returns the race with an identity, nil for none.
func (r *Report) Finding(id string) *Race {
	for _, x := range r.Races {
		if x.ID == id {
			return x
		}
	}
	return nil
}

// fault returns the fault of the same class at the same place, in a kernel or of the same call.
func (r *Report) fault(f *FaultEvent) *FaultEvent {
	for _, x := range r.Faults {
		if x.Class == f.Class && x.PTX == f.PTX && x.Kernel == f.Kernel && x.sameCall(f) {
			return x
		}
	}
	return nil
}

// seen writes how many schedules show a finding.
func (t *text) seen(schedules int) {
	if t.explored > 0 {
		t.more("Schedules: %d of %d", schedules, t.explored)
	}
}

// varied writes in what the launch that shows a finding differs from the given one.
func (t *text) varied(what string) {
	if what != "" {
		t.more("Launch: the given one with %s", what)
	}
}

// exploration writes the summary of an exploration.
func (t *text) exploration(e *Exploration) {
	for _, o := range e.Outcomes {
		t.line("%6d %s", o.Schedules, o.String())
	}
	runs := plural(uint64(e.Schedules), "schedule")
	if e.Redundant > 0 {
		runs += fmt.Sprintf(", and %s given up as redundant", plural(uint64(e.Redundant), "run"))
	}
	t.line("EXPLORED: %s (%s)", runs, e.Search)
	if e.Quiet > 0 {
		t.line("STOPPED: the last %s have shown nothing new; --schedules N runs N in any case",
			plural(uint64(e.Quiet), "schedule"))
	}
	if e.Ended != "" {
		t.line("ENDED before all was done: %s", e.Ended)
	}
	if e.Complete {
		what := "orders of conflicting operations that threads running by themselves can come to"
		if e.Weak {
			what = "values that loads can return under the PTX memory model (docs/memory.md)"
		}
		if what = "these are all " + what; e.Claimed {
			what = "the verdict holds for every schedule, as one run of it shows (docs/holds.md)"
		}
		t.line("COMPLETE: %s", what)
	}
	for _, why := range e.Limits {
		t.line("NOT COMPLETE: %s", why)
	}
}

// String returns the outcome in one line.
func (o *Outcome) String() string {
	if o.Fault != "" {
		return "fault: " + o.Fault
	}
	var words []string
	for _, b := range o.Buffers {
		words = append(words, b.Name+"="+strings.Join(b.Values, ","))
	}
	return strings.Join(words, " ")
}

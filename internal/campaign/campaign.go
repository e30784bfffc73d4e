// Campaigns: rounds of tasks, and one report of all their results.

package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Campaign is a plan with the files that it names.
type Campaign struct {
	Plan     *Plan
	Subjects []*Subject

	// Command returns the command line that repeats a run, for reports. Nil: reports name the run without a command.
	Command func(s *Subject, detector, run string) string
	// Progress is called with the state of the campaign when a task ends and when a round begins. Nil: it is not
	// called.
	Progress func(*Progress)
	// Found is called for each new finding, in the order of the tasks. Nil: it is not called.
	Found func(*report.Race)
}

// Engine executes tasks.
type Engine interface {
	// Do runs the tasks and calls took with their results, in the order of the tasks. When took
	// returns an error, Do ends with it.
	Do(ctx context.Context, tasks []*Task, took func(*Task, *Result) error) error
}

// Progress is the state of a campaign.
type Progress struct {
	Round     int `json:"round"`
	Tasks     int `json:"tasks"` // of all rounds so far
	Taken     int `json:"taken"` // tasks whose results are in the report
	Schedules int `json:"schedules"`
	Left      int `json:"left"` // schedules left for later rounds
	Kernels   int `json:"kernels"`
	Free      int `json:"free"`      // kernels proved free of races
	Growing   int `json:"growing"`   // pairs of kernel and detector that still get schedules
	Conflicts int `json:"conflicts"` // ordered pairs of conflicting accesses
	Findings  int `json:"findings"`
	SetAside  int `json:"set_aside"`
	CutShort  int `json:"cut_short"` // tasks that reached their time limit
}

// Outcome is the result of a campaign.
type Outcome struct {
	Report   *report.Report
	Replays  []Replay // one for each finding, which another plan can repeat
	SetAside []string // tasks that could not be run, with the reasons
	Progress Progress
	// Ended says why the campaign ended early: the time budget. It is "" for a complete campaign.
	Ended string
}

// errTime ends the work when the time budget is used up.
var errTime = errors.New("the budget of time is used up")

// Run runs the campaign. After the time budget, or with the error of a cancelled context, the outcome contains the
// results so far.
func (c *Campaign) Run(ctx context.Context, e Engine) (*Outcome, error) {
	if t := c.Plan.Budget.Time; t > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, t, errTime)
		defer cancel()
	}
	m := &merger{c: c, rounds: newRounds(c), out: &Outcome{}, known: make(map[string]bool)}
	m.begin()
	err := m.run(ctx, e)
	if err != nil && errors.Is(context.Cause(ctx), errTime) {
		m.out.Ended, err = fmt.Sprintf("%v (%s)", errTime, c.Plan.Budget.Time), nil
	}
	m.finish()
	return m.out, err
}

// merger merges results into one report.
type merger struct {
	c      *Campaign
	rounds *rounds
	out    *Outcome
	known  map[string]bool // findings
	cut    cutShort
}

func (m *merger) begin() {
	m.out.Report = &report.Report{
		Tool: report.Tool{Name: "ptxsan", Version: session.Version}, Detector: strings.Join(m.c.Plan.Detectors, ","),
		Exploration: &report.Exploration{},
	}
	m.out.Progress.Kernels = len(m.c.Subjects)
}

func (m *merger) run(ctx context.Context, e Engine) error {
	for {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		tasks := m.rounds.next()
		if tasks == nil {
			return nil
		}
		p := &m.out.Progress
		p.Round++
		p.Tasks += len(tasks)
		m.report()
		if err := e.Do(ctx, tasks, m.take); err != nil {
			return err
		}
	}
}

// take processes the result of a task.
func (m *merger) take(t *Task, res *Result) error {
	p := &m.out.Progress
	p.Taken++
	if res.Failed != "" {
		m.out.SetAside = append(m.out.SetAside, fmt.Sprintf("%s was set aside: %s", t, res.Failed))
		p.SetAside++
	}
	if res.Ended != "" {
		m.cut.add(t, res)
		p.CutShort++
	}
	var ids []string
	if res.Report != nil {
		rep, err := report.Read("the result of a task", res.Report)
		if err != nil {
			return err
		}
		ids = m.merge(t, rep)
	}
	p.Schedules += res.Schedules
	m.rounds.learn(t, res, ids)
	m.report()
	return nil
}

// merge merges the report of a task into the campaign's, and returns its findings.
func (m *merger) merge(t *Task, rep *report.Report) (ids []string) {
	for _, x := range rep.Races {
		ids = append(ids, x.ID)
		m.note(t, x.ID, x.Replay)
	}
	for _, f := range rep.Faults {
		id := fmt.Sprintf("%s in %s at %s:%d", f.Class, f.Kernel, f.PTX.File, f.PTX.Line)
		ids = append(ids, id)
		m.note(t, id, f.Replay)
	}
	if command := m.c.Command; command != nil {
		for _, x := range rep.Pairs() {
			x.Replay = command(t.Subject, t.Detector, x.Replay)
		}
		for _, f := range rep.Faults {
			f.Replay = command(t.Subject, t.Detector, f.Replay)
		}
	}
	for _, x := range rep.Races {
		if m.c.Found != nil && !m.known[x.ID] {
			m.c.Found(x)
		}
		m.known[x.ID] = true
	}
	m.out.Report.Merge(rep)
	m.out.Progress.Findings = len(m.out.Report.Races) + len(m.out.Report.Faults)
	return ids
}

// note records the first run that shows a finding.
func (m *merger) note(t *Task, id, run string) {
	if !slices.ContainsFunc(m.out.Replays, func(r Replay) bool { return r.Finding == id }) {
		m.out.Replays = append(m.out.Replays, Replay{
			Finding: id, PTX: t.Subject.PTX, Launch: t.Subject.Launch,
			Detector: t.Detector, Run: run,
		})
	}
}

// report updates the state of the campaign and calls Campaign.Progress with it.
func (m *merger) report() {
	p := &m.out.Progress
	p.Free, p.Growing, p.Conflicts, p.Left = len(m.rounds.free), m.rounds.growing(), m.rounds.conflicts(), m.rounds.left
	if m.c.Progress != nil {
		m.c.Progress(p)
	}
}

// finish completes the report.
func (m *merger) finish() {
	rep := m.out.Report
	rep.Seed, rep.Schedule = m.c.Plan.Seed, strings.Join(m.c.Plan.Strategies, ",")
	rep.Exploration.Search, rep.Runs = rep.Schedule, rep.Exploration.Schedules
	if free := m.free(); len(free) > 0 {
		rep.Exploration.Proved = len(free)
		rep.Notes = append(rep.Notes,
			fmt.Sprintf("the static analysis proves these free of races, and no schedules were run: %s",
				strings.Join(free, ", ")))
	}
	rep.Notes = append(rep.Notes, m.out.SetAside...)
	rep.Notes = append(rep.Notes, m.cut.notes()...)
	if m.out.Ended != "" {
		rep.Notes = append(rep.Notes, "the campaign has not come to its end: "+m.out.Ended)
	}
	rep.Finish()
	m.report()
}

// free names the subjects that are proved free of races.
func (m *merger) free() (names []string) {
	for i, s := range m.c.Subjects {
		if m.rounds.free[i] {
			names = append(names, s.Name())
		}
	}
	return names
}

// Local is an engine that runs tasks one after the other in this process.
type Local struct{ Executor *Executor }

// Tries is the number of attempts after which a task is set aside.
const Tries = 3

// Do implements Engine.
func (l *Local) Do(ctx context.Context, tasks []*Task, took func(*Task, *Result) error) error {
	for _, t := range tasks {
		data, err := l.Executor.Try(ctx, t)
		if err != nil {
			return err
		}
		res, err := DecodeResult(data)
		if err != nil {
			return err
		}
		if err = took(t, res); err != nil {
			return err
		}
	}
	return nil
}

// Try runs a task, at most three times until it succeeds, and returns the encoded result. The error is that of a
// cancelled context.
func (x *Executor) Try(ctx context.Context, t *Task) ([]byte, error) {
	var last error
	for range Tries {
		res, err := x.Run(ctx, t)
		if err == nil {
			return res.Encode()
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		last = err
	}
	return SetAside(t, fmt.Sprintf("%d tries failed, the last one: %v", Tries, last)).Encode()
}

// savedCampaign is the encoding of a campaign, with which another process can continue it.
type savedCampaign struct {
	Plan     *Plan      `json:"plan"`
	Subjects []*Subject `json:"subjects"`
}

// Encode returns the encoded campaign: the same plan and files give the same bytes.
func (c *Campaign) Encode() ([]byte, error) { return json.Marshal(savedCampaign{c.Plan, c.Subjects}) }

// Decode decodes the output of Encode.
func Decode(data []byte) (*Campaign, error) {
	var s savedCampaign
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("a saved campaign cannot be read: %w", err)
	}
	return &Campaign{Plan: s.Plan, Subjects: s.Subjects}, nil
}

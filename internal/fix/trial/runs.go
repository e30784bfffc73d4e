// Runs: a plan under schedules of all kinds, in one configuration, and which of its faults are new.

package trial

import (
	"context"
	"fmt"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Runs explores a plan in one way: with the emulator's configuration, a number of schedules, and the faults that the
// original shows under them.
type Runs struct {
	*Subject
	Config    emu.Config
	Schedules int
	// Faults are those of the original, by class, and by class and instruction: the number of schedules.
	Faults map[string]int
	Enough func(*report.Report) bool // ends runs of the original; nil for never
}

// Explore runs a plan under schedules of all kinds, until enough reports that its findings suffice; nil for never. If
// first is not nil, it is the first schedule. The returned run is the first with a race or fault, nil if it cannot be
// repeated before others.
func (r *Runs) Explore(ctx context.Context, plan *session.Plan, first *session.Run,
	enough func(*report.Report) bool,
) (*report.Report, *session.Run, error) {
	e := &session.Exploration{
		Options: r.Session, Scenario: plan, Search: session.Search{
			Name: session.SearchNames[0], Runs: r.Schedules,
			First: first,
		},
		Workers: r.Workers, Outcomes: r.Compared(), Digests: r.Digests, RacesOnly: true, Enough: enough,
	}
	e.Options.Emulator, e.Options.Claims = r.Config, true
	rep, err := r.Spending.Explore(ctx, e)
	return rep, e.Found(), err
}

// Base explores the plan of the original and records its faults.
func (r *Runs) Base(ctx context.Context, plan *session.Plan) (*report.Report, *session.Run, error) {
	rep, run, err := r.Explore(ctx, plan, nil, r.Enough)
	if r.Faults = make(map[string]int); rep != nil {
		r.Note(rep)
	}
	return rep, run, err
}

// Note records the faults of the original.
func (r *Runs) Note(rep *report.Report) {
	for _, x := range rep.Faults {
		r.Faults[x.Class] += max(x.Schedules, 1)
		r.Faults[faultAt(x.Class, x.PTX.Line)] += max(x.Schedules, 1)
	}
}

// NewFault returns a fault that the original does not have, or has under fewer schedules; nil if there is none. It
// compares faults at the same instruction of the original if m is an edited module, and anywhere if m is nil. Threads
// that do not get past an inserted statement are a new fault, since they hide later races.
func (r *Runs) NewFault(m *rewrite.Module, rep *report.Report) *report.FaultEvent {
	shown := make(map[string]int)
	for _, x := range rep.Faults {
		key := x.Class
		if m != nil {
			at := m.Origin(x.PTX.Line)
			if at.Line == 0 && x.Class != "livelock" && x.Class != "deadlock" {
				at.Line = at.For // the instruction that it replaces
			}
			key = faultAt(x.Class, at.Line)
		}
		if shown[key] += max(x.Schedules, 1); shown[key] > r.Faults[key] {
			return x
		}
	}
	return nil
}

// faultAt returns the key of a fault at a line of the original.
func faultAt(class string, line int) string { return fmt.Sprintf("%s at %d", class, line) }

// States returns outcomes as texts.
func States(list []report.Outcome) (texts []string) {
	for _, o := range list {
		texts = append(texts, fmt.Sprint(o.Fault, o.Buffers))
	}
	return texts
}

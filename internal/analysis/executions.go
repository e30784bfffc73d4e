// The executions of witnesses, each of which is made once: many pairs race in one launch.

package analysis

import (
	"context"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// executions are those of the witnesses of a kernel, within a limit of work.
type executions struct {
	out      *Outcome
	left     uint64 // warp instructions
	once     map[execution]*report.Report
	explored map[string]*scheduleExploration // by the text of the launch file
}

// execution is one under the default schedule: the text of a launch file, and the limit of warp instructions.
type execution struct {
	text  string
	steps uint64
}

// scheduleExploration is an exploration of several schedules. It is whole if it was not ended by what it had shown.
type scheduleExploration struct {
	rep   *report.Report
	whole bool
}

func newExecutions(out *Outcome) *executions {
	return &executions{
		out: out, left: witnessWork, once: make(map[execution]*report.Report),
		explored: make(map[string]*scheduleExploration),
	}
}

// grown executes a launch once. While an access is outside of a buffer, the buffers grow and the launch is executed
// again.
func (e *executions) grown(ctx context.Context, b *builder, x *performance) (*report.Report, error) {
	for b.least = 1 << 10; ; b.least *= 16 {
		if e.left == 0 || late(ctx) {
			x.why = unexecuted
			if late(ctx) {
				x.why = timeOver
			}
			return nil, nil
		}
		b.middle = b.least > 1<<10
		x.text = b.text()
		rep, err := e.execute(ctx, x.text)
		if err != nil {
			return nil, err
		}
		outside := slices.ContainsFunc(rep.Faults,
			func(f *report.FaultEvent) bool { return f.Class == "out-of-bounds" })
		if !outside || b.least >= maxWitnessBytes {
			x.reports = append(x.reports, rep)
			return rep, nil
		}
	}
}

// execute checks a launch file under the default schedule.
func (e *executions) execute(ctx context.Context, text string) (*report.Report, error) {
	key := execution{text, min(witnessSteps, e.left)}
	if rep := e.once[key]; rep != nil {
		return rep, nil
	}
	rep, err := e.out.execute(ctx, text, emu.Config{MaxSteps: key.steps})
	if err != nil {
		return nil, err
	}
	e.left -= min(e.left, executed(rep))
	if !late(ctx) {
		e.once[key] = rep
	}
	return rep, nil
}

// explore checks a launch file under several schedules, until enough returns true. The report is nil when the limit of
// work is used up.
func (e *executions) explore(ctx context.Context, text string,
	enough func(*report.Report) bool,
) (*report.Report, error) {
	if known := e.explored[text]; known != nil && (known.whole || enough(known.rep)) {
		return known.rep, nil
	}
	if e.left == 0 {
		return nil, nil
	}
	ended := false
	rep, err := e.out.explore(ctx, text, emu.Config{MaxSteps: min(witnessSteps, e.left)},
		func(rep *report.Report) bool {
			ended = ended || executed(rep) >= e.left || enough(rep)
			return ended
		})
	if err != nil {
		return nil, err
	}
	e.left -= min(e.left, executed(rep))
	if !late(ctx) {
		e.explored[text] = &scheduleExploration{rep, !ended}
	}
	return rep, nil
}

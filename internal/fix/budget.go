// Budgets: how much a search for a repair may execute.

package fix

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Budget limits a search by what it executes, so that it ends at the same place whatever the time. The zero value is
// no limit.
type Budget struct {
	Runs         int    // of the plan and of edited ones; a compilation counts as CompileRuns
	Instructions uint64 // of threads in these runs
}

// schedules returns the number of schedules under which repairs of a plan are verified, given the cost of a run: a
// verification takes at most one part of verifyPart of the budget.
func (b Budget) schedules(cost uint64) int {
	if b.Instructions == 0 || cost == 0 {
		return DefaultSchedules
	}
	return int(min(DefaultSchedules, max(leastRuns, b.Instructions/verifyPart/cost)))
}

// Costs in the units of a budget.
const (
	CompileRuns = 200 // runs that take as long as a compilation of the source
	verifyPart  = 60  // of the budget, for the runs of one set of edits
	fillBytes   = 64  // bytes of buffers that cost as much as an instruction: each run fills them
)

// ErrSpent says that the budget of a search is used up.
var ErrSpent = errors.New("the search has used up its budget")

// meter counts what a search executes against its budget.
type meter struct {
	budget Budget
	// slack is the number of further instructions for an exploration that begins within the budget.
	slack        uint64
	each         uint64 // what it costs to fill the buffers for a run, in instructions
	runs         int    // spent
	instructions uint64 // spent
}

// newMeter returns the meter of a search with a budget.
func newMeter(b Budget, plan *session.Plan) *meter {
	return &meter{budget: b, each: fillCost(plan)}
}

// newAdviceMeter returns the meter of a search for advice.
func newAdviceMeter(plan *session.Plan) *meter {
	m := newMeter(Budget{Instructions: adviceSteps}, plan)
	m.slack = adviceLeast * adviceSteps
	return m
}

// fillCost returns what it costs to fill the buffers of a plan, in instructions of threads.
func fillCost(plan *session.Plan) (cost uint64) {
	for i := range plan.File.Buffers {
		cost += plan.File.Buffers[i].Size() / fillBytes
	}
	return cost
}

// spent reports whether the budget is used up: nothing more is begun.
func (m *meter) spent() bool {
	b := &m.budget
	return b.Runs > 0 && m.runs >= b.Runs || b.Instructions > 0 && m.instructions >= b.Instructions
}

// rest returns the numbers of runs and instructions that an exploration may have.
func (m *meter) rest() (runs int, instructions uint64) {
	runs, instructions = math.MaxInt, 0
	if m.budget.Runs > 0 {
		runs = m.budget.Runs - m.runs
	}
	if m.budget.Instructions > 0 {
		instructions = m.budget.Instructions + m.slack - min(m.instructions, m.budget.Instructions+m.slack-1)
	}
	return runs, instructions
}

// spend counts runs and their instructions.
func (m *meter) spend(runs int, instructions uint64) {
	m.runs += runs
	m.instructions += instructions + uint64(runs)*m.each
}

// explore runs an exploration within the budget. The error is ErrSpent if that ends it before it has made its runs or
// found enough.
func (m *meter) explore(ctx context.Context, e *session.Exploration) (*report.Report, error) {
	if m.spent() {
		return nil, ErrSpent
	}
	runs, instructions := m.rest()
	wanted := e.Search.Runs
	e.Search.Runs, e.Instructions = min(wanted, runs), instructions
	rep, err := e.Run(ctx)
	made := 1
	if rep != nil {
		made += rep.Exploration.Schedules + rep.Exploration.Redundant
	}
	m.spend(made, e.Executed())
	short := e.Over() || e.Search.Runs < wanted && made > e.Search.Runs
	if err == nil && short && (e.Enough == nil || !e.Enough(rep)) {
		return rep, ErrSpent
	}
	return rep, err
}

// compile counts a compilation of the source. The error is ErrSpent if the budget is used up.
func (m *meter) compile() error {
	if m.spent() {
		return ErrSpent
	}
	m.spend(CompileRuns, 0)
	return nil
}

// text says what the search has executed.
func (m *meter) text() string {
	const form = "%d runs (a compilation counts as %d) with %d instructions of threads"
	return fmt.Sprintf(form, m.runs, CompileRuns, m.instructions)
}

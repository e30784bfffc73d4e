// Budgets: how much a search for edits may execute.

package trial

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

// Costs in the units of a budget.
const (
	CompileRuns = 200 // runs that take as long as a compilation of the source
	fillBytes   = 64  // bytes of buffers that cost as much as an instruction: each run fills them
)

// ErrSpent says that the budget of a search is used up.
var ErrSpent = errors.New("the search has used up its budget")

// Meter counts what a search executes against its budget.
type Meter struct {
	budget       Budget
	slack        uint64 // further instructions for an exploration that begins within the budget
	each         uint64 // what it costs to fill the buffers for a run, in instructions
	runs         int    // spent
	instructions uint64 // spent
}

// NewMeter returns the Meter of a search with a budget. slack is the number of further instructions for an exploration
// that begins within the budget.
func NewMeter(b Budget, plan *session.Plan, slack uint64) *Meter {
	return &Meter{budget: b, slack: slack, each: FillCost(plan)}
}

// FillCost returns what it costs to fill the buffers of a plan, in instructions of threads.
func FillCost(plan *session.Plan) (cost uint64) {
	for i := range plan.File.Buffers {
		cost += plan.File.Buffers[i].Size() / fillBytes
	}
	return cost
}

// Spent reports whether the budget is used up: nothing more is begun.
func (m *Meter) Spent() bool {
	b := &m.budget
	return b.Runs > 0 && m.runs >= b.Runs || b.Instructions > 0 && m.instructions >= b.Instructions
}

// rest returns the numbers of runs and instructions that an exploration may have.
func (m *Meter) rest() (runs int, instructions uint64) {
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
func (m *Meter) spend(runs int, instructions uint64) {
	m.runs += runs
	m.instructions += instructions + uint64(runs)*m.each
}

// Explore runs an exploration within the budget, and its own limit of instructions. The error is ErrSpent if that ends it before it has made its runs or
// found enough.
func (m *Meter) Explore(ctx context.Context, e *session.Exploration) (*report.Report, error) {
	if m.Spent() {
		return nil, ErrSpent
	}
	runs, instructions := m.rest()
	wanted := e.Search.Runs
	own := e.Instructions > 0 && (instructions == 0 || e.Instructions < instructions)
	if e.Search.Runs = min(wanted, runs); !own {
		e.Instructions = instructions
	}
	rep, err := e.Run(ctx)
	made := 1
	if rep != nil {
		made += rep.Exploration.Schedules + rep.Exploration.Redundant
	}
	m.spend(made, e.Executed())
	short := e.Over() && !own || e.Search.Runs < wanted && made > e.Search.Runs
	if err == nil && short && (e.Enough == nil || !e.Enough(rep)) {
		return rep, ErrSpent
	}
	return rep, err
}

// Compile counts a compilation of the source. The error is ErrSpent if the budget is used up.
func (m *Meter) Compile() error {
	if m.Spent() {
		return ErrSpent
	}
	m.spend(CompileRuns, 0)
	return nil
}

// String says what the search has executed.
func (m *Meter) String() string {
	const form = "%d runs (a compilation counts as %d) with %d instructions of threads"
	return fmt.Sprintf(form, m.runs, CompileRuns, m.instructions)
}

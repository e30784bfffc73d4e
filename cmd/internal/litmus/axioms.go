// Litmus tests that access memory through several proxies. The emulator has no proxies in its memory model, and PTX has
// no instruction for some proxy fences of these tests, so the allowed executions are computed from the axioms instead.

package litmus

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/internal/litmus"
	"github.com/ptxsan/ptxsan/internal/litmus/axioms"
	"github.com/ptxsan/ptxsan/internal/litmus/emulated"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// rounds is the number of iterations of a loop up to which executions are computed.
const rounds = 3

// compute returns what the axioms allow a test.
func compute(ctx context.Context, t *litmus.Test) (*emulated.Result, error) {
	v, err := axioms.Check(ctx, t, rounds)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return emulated.Late(ctx, t), nil
	case errors.Is(err, axioms.ErrTooLarge):
		return &emulated.Result{Test: t, Limits: []string{err.Error() + " for the axioms"}}, nil
	case err != nil:
		return nil, command.BadInput(err)
	}
	r := &emulated.Result{Test: t, Executions: v.Executions, Complete: !v.Cut}
	if v.Cut {
		r.Limits = []string{"loops take more rounds than the axioms were applied to"}
	}
	for _, key := range slices.Sorted(maps.Keys(v.Outcomes)) {
		s := v.Outcomes[key]
		r.States = append(r.States, emulated.State{
			Values: s, Counts: t.Condition.Counts(s), Satisfies: t.Condition.Satisfied(s), Executions: v.Times[key],
		})
	}
	for _, p := range v.Races {
		side := func(a axioms.Access) emulated.Access {
			return emulated.Access{Thread: a.Thread, Instruction: a.Instruction}
		}
		r.Races = append(r.Races, emulated.Race{
			Cause: "by the axioms", Severity: report.Error, First: side(p[0]),
			Second: side(p[1]),
		})
	}
	return r, nil
}

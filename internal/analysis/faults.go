// Executing the launches of faults that are proved: an execution shows that a thread comes there.

package analysis

import (
	"context"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// maxFaults limits the faults of a kernel that are executed.
const maxFaults = 16

// fault executes the launches of a result's faults, and returns those that an execution shows.
func (out *Outcome) fault(ctx context.Context, k *rewrite.Func, g *facts.Given,
	r *static.Result,
) (shown []*report.FaultEvent, err error) {
	left := uint64(witnessWork)
	for _, f := range r.Faults[:min(len(r.Faults), maxFaults)] {
		if late(ctx) {
			break
		}
		if f.Witness == nil || f.Witness.Launched() > static.MaxThreads {
			continue
		}
		b := &builder{witness: f.Witness, given: g, kernel: k, exact: true}
		of := func(e *report.FaultEvent) bool { return e.PTX.Line == f.Line && e.Kernel == k.Name }
		for b.least = 1 << 10; left > 0 && b.least <= maxWitnessBytes; b.least *= 16 {
			rep, err := out.execute(ctx, b.text(), emu.Config{MaxSteps: min(witnessSteps, left)})
			if err != nil {
				return shown, err
			}
			left -= min(left, executed(rep))
			if i := slices.IndexFunc(rep.Faults, of); i >= 0 {
				shown = append(shown, rep.Faults[i])
			}
			if !slices.ContainsFunc(rep.Faults, func(e *report.FaultEvent) bool {
				return e.Class == "out-of-bounds" &&
					!of(e)
			}) {
				break // larger buffers change nothing
			}
		}
	}
	return shown, nil
}

// faulted reports whether a pair is open for nothing but a fault, in a kernel of which an execution shows one: it may
// be another one that a thread comes to before.
func faulted(p *static.Pair, shown []*report.FaultEvent) bool {
	return p.Verdict == static.Possible && p.Fault != 0 && len(shown) > 0
}

// fail adds the faults of a kernel to the report, each once.
func (out *Outcome) fail(shown []*report.FaultEvent) {
	for _, e := range shown {
		if !slices.ContainsFunc(out.Report.Faults, func(f *report.FaultEvent) bool {
			return f.PTX == e.PTX &&
				f.Kernel == e.Kernel
		}) {
			out.Report.Faults = append(out.Report.Faults, e)
		}
	}
}

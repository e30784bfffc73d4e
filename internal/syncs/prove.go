// Proofs: a synchronisation that is not needed in any launch.

package syncs

import (
	"context"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// proofBudget limits the work of a proof.
const proofBudget = 2_000_000

// proved reports whether no launch needs a site, and what the proof assumes of launches: the static detector proves the
// kernels free of races without the site, and with it. Where no access of the kernel synchronises, each read then has
// one write that it can return, with the site and without, so that the results are the same. A kernel that reads
// nothing of its grid is analysed as one of one block: all blocks do the same, and a barrier orders no threads of
// different blocks.
func (j *judge) proved(ctx context.Context, s *Site, edits []*repair.Edit) (needs []string, ok bool, err error) {
	_, plan, err := j.Edited(edits)
	if err != nil || s.Kind == isa.SyncGrid {
		return nil, false, nil // not an edit of this module, or one that other grids decide about
	}
	var kernels []*rewrite.Func
	for _, e := range edits {
		for _, c := range e.Changes {
			k := c.At.Func
			switch {
			case !k.Entry: // other kernels may call the function
				return nil, false, nil
			case slices.Contains(kernels, k):
			case slices.ContainsFunc(session.Reached(k), synchronises):
				return nil, false, nil
			default:
				kernels = append(kernels, k)
			}
		}
	}
	for _, p := range []*session.Program{j.Plan.Program, plan.Program} {
		for _, k := range kernels {
			more, ok, err := j.free(ctx, p, k, s)
			if err != nil || !ok {
				return nil, false, err
			}
			needs = append(needs, more...)
		}
	}
	slices.Sort(needs)
	return append(slices.Compact(needs), "accesses within their arrays"), true, nil
}

// synchronises reports whether a function has an access by which threads may synchronise, or an instruction that
// returns what is not in memory and may depend on when threads execute it: the time, or which lanes are there.
func synchronises(f *rewrite.Func) bool {
	clock := func(o rewrite.Operand) bool {
		return o.Kind == rewrite.OperandSpecial &&
			(strings.HasPrefix(o.Special.Name, "%clock") || strings.HasPrefix(o.Special.Name, "%globaltimer"))
	}
	return slices.ContainsFunc(f.Insts, func(in *rewrite.Inst) bool {
		return in.Sync() == isa.SyncAccess || in.ActiveMask() ||
			in.Instr.Class == isa.ClassWarp && !in.Has("sync") || slices.ContainsFunc(in.Operands, clock)
	})
}

// free reports whether no launch of a program's kernel has a race that the site could prevent.
func (j *judge) free(ctx context.Context, p *session.Program, k *rewrite.Func, s *Site) ([]string, bool, error) {
	o := analysis.Options{
		Chosen: func(kernel string) bool { return kernel == k.Name }, Budget: proofBudget, Disjoint: true,
	}
	alone := s.Kind == isa.SyncBarrier && !clustered(s.First()) && !slices.ContainsFunc(session.Reached(k), readsGrid)
	if alone {
		one := expr.Const(1)
		o.Facts = []*facts.File{{Launches: []*facts.Launch{{Kernel: k.Name, Grid: [3]*expr.Int{one, one, one}}}}}
	}
	out, err := analysis.Run(ctx, p, o)
	if err != nil {
		return nil, false, err
	}
	var needs []string
	for _, x := range out.Report.Proofs {
		if x.Kernel != k.Name || x.Verdict != report.Clean {
			return nil, false, nil
		}
		for _, n := range x.Needed {
			if !alone || !strings.HasPrefix(n, "grid.") {
				needs = append(needs, n)
			}
		}
	}
	return needs, len(out.Report.Proofs) > 0, nil
}

// clustered reports whether an instruction is a barrier of a cluster.
func clustered(in *rewrite.Inst) bool {
	b, ok := in.Barrier()
	return ok && b.Of == isa.BarrierOfCluster
}

// readsGrid reports whether a function reads a special register that may differ between blocks or grids.
func readsGrid(f *rewrite.Func) bool {
	return slices.ContainsFunc(f.Insts, func(in *rewrite.Inst) bool {
		return slices.ContainsFunc(in.Operands, func(o rewrite.Operand) bool {
			return o.Kind == rewrite.OperandSpecial && (o.Special.Launched || o.Special.PerBlock || o.Special.Volatile)
		})
	})
}

// Possible pairs that an execution decides: the launches that the detector found worth executing.

package analysis

import (
	"context"
	"slices"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/passes/hgrd"
	"github.com/ptxsan/ptxsan/passes/hgrd/facts"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Limits of the launches that are executed for possible pairs.
const (
	maxTriedThreads = 1 << 15
	triedSteps      = 2_000_000
	triedSeeds      = 3 // random schedules besides the usual one
)

// try executes the launches that are worth it: possible pairs that they show to race are races.
func (out *Outcome) try(ctx context.Context, k *rewrite.Func, g *facts.Given, r *hgrd.Result) error {
	for _, w := range r.Tries {
		if threads(w) > maxTriedThreads {
			continue
		}
		for seed := range uint64(1 + triedSeeds) {
			if !slices.ContainsFunc(r.Pairs, func(p *hgrd.Pair) bool { return p.Try }) {
				break
			}
			rep, err := out.tried(ctx, &builder{witness: w, given: g, kernel: k, exact: true}, seed)
			if err != nil {
				return err
			}
			if rep == nil {
				break
			}
			for _, x := range rep.Races {
				if x.Severity == report.Error {
					decide(r, w, x)
				}
			}
		}
	}
	r.Tries = nil
	return nil
}

// tried executes a launch under a schedule. Buffers whose size is not known grow until no access
// leaves them. The report is nil when the launch cannot be executed, or leaves a buffer or stops for
// another reason that makes it one that host code does not mean.
func (out *Outcome) tried(ctx context.Context, b *builder, seed uint64) (*report.Report, error) {
	for b.least = 1 << 10; ; b.least *= 16 {
		cfg := emu.Config{MaxSteps: triedSteps}
		if seed > 0 {
			cfg.Policy, cfg.Seed = emu.Random, seed
		}
		rep, err := out.execute(ctx, b.text(), cfg)
		if err != nil {
			return nil, err
		}
		outside := false
		for _, f := range rep.Faults {
			switch f.Class {
			case "timeout", "deadlock", "livelock", "barrier-divergence":
			case "out-of-bounds":
				outside = true
			default:
				return nil, nil
			}
		}
		switch {
		case !outside:
			return rep, nil
		case b.least >= maxWitnessBytes:
			return nil, nil
		}
	}
}

// decide makes the possible pair a race that an execution showed.
func decide(r *hgrd.Result, launch *hgrd.Witness, x *report.Race) {
	for _, p := range r.Pairs {
		lines := [2]int{p.First.Inst.Line, p.Second.Inst.Line}
		ends := []*report.Access{&x.First, &x.Second}
		if lines[0] != ends[0].PTX.Line {
			slices.Reverse(ends)
		}
		if !p.Try || lines[0] != ends[0].PTX.Line || lines[1] != ends[1].PTX.Line {
			continue
		}
		w := *launch
		w.Executed, w.Bytes = true, x.Size
		for i, a := range ends {
			w.Threads[i] = hgrd.Place{Block: a.Block, Thread: a.Thread}
		}
		p.Verdict, p.Try, p.Reason, p.Witness, p.Cause = hgrd.Racy, false, "", &w, string(x.Cause)
		for _, kind := range []hgrd.Kind{hgrd.InterBlock, hgrd.IntraBlock, hgrd.IntraWarp} {
			if kind.String() == string(x.Kind) {
				p.Kind, p.Kinds = kind, []hgrd.Kind{kind}
			}
		}
		r.Verdict = hgrd.Racy
	}
}

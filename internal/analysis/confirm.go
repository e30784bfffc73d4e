// Executing the witnesses of races: a race that no execution shows is a possible one.

package analysis

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Limits of the executions of witnesses, in warp instructions. A launch that reaches the limit is executed up to there:
// its first blocks, which is how a grid that is too large to be executed is shrunk.
const (
	witnessSteps = 2_000_000
	witnessWork  = 16_000_000 // of all executions for a kernel at one place of host code
)

// performance is an execution of the witness of a pair.
type performance struct {
	witness *static.Witness
	text    string           // the launch file, "" if none was made
	reports []*report.Report // of the executions, by contents of buffers and schedules
	why     string           // why no execution shows the race, "" if one does
	some    bool             // only schedules other than the default one show it
}

// confirm executes the witnesses of the races of a result. A race becomes possible if neither the execution of its
// witness shows it nor that of another witness of the kernel.
func (out *Outcome) confirm(ctx context.Context, k *rewrite.Func, g *facts.Given, r *static.Result) {
	e := newExecutions(out)
	var made []*performance
	why := make(map[*static.Pair]string)
	for _, p := range r.Pairs {
		if !p.Shown() || p.Witness.Executed {
			continue
		}
		x, err := e.perform(ctx, &builder{witness: p.Witness, given: g, kernel: k}, p)
		if w := smaller(p.Witness, g); err == nil && x.why != "" && w != nil {
			if y, wrong := e.perform(ctx, &builder{witness: w, given: g, kernel: k}, p); wrong == nil && y.why == "" {
				x, p.Witness = y, w
			}
		}
		switch {
		case err != nil && late(ctx):
			x = &performance{why: timeOver}
		case err != nil: // the other pairs keep their verdicts
			x = &performance{why: "the witness cannot be executed: " + err.Error()}
		}
		if p.Witness.Executed = x.why == ""; !p.Witness.Executed && p.Verdict == static.Racy {
			why[p] = x.why
		}
		made = append(made, x)
	}
	for _, p := range r.Pairs {
		if reason, open := why[p]; open && !elsewhere(p, made) {
			p.Verdict, p.Reason, p.Equal = static.Possible, reason, reason == equalValues
		}
	}
	if len(why) > 0 && !slices.ContainsFunc(r.Pairs, func(p *static.Pair) bool { return p.Verdict == static.Racy }) {
		r.Verdict = static.Possible
	}
}

// smaller returns a witness whose large numbers are small ones, as far as the facts allow, so that buffers fit and
// loops end early; nil if there is none. Only an execution can tell whether its threads race.
func smaller(w *static.Witness, g *facts.Given) *static.Witness {
	if w.Model == nil {
		return nil
	}
	out := *w
	out.Params = maps.Clone(w.Params)
	out.Model = &expr.Model{Ints: maps.Clone(w.Model.Ints), Bools: w.Model.Bools}
	for i, d := range []byte("xyz") {
		out.Model.Ints[facts.Dim("ntid", d).String()] = big.NewInt(int64(w.Block[i]))
		out.Model.Ints[facts.Dim("nctaid", d).String()] = big.NewInt(int64(w.Grid[i]))
	}
	changed := false
	for _, p := range sortedParams(w.Params) {
		old := w.Params[p]
		if old.IsInt64() && -usual <= old.Int64() && old.Int64() <= usual {
			continue
		}
		before := maps.Clone(out.Model.Ints)
		for name, v := range before {
			_, isParam := facts.ParamOf(name)
			if (isParam || strings.HasPrefix(name, hostPrefix)) && alike(v, old) {
				out.Model.Ints[name] = big.NewInt(usual)
			}
		}
		if slices.ContainsFunc(g.Facts, func(f facts.Fact) bool { return !holds(f.Formula, out.Model) }) {
			out.Model.Ints = before
			continue
		}
		out.Params[p], changed = big.NewInt(usual), true
	}
	if !changed {
		return nil
	}
	return &out
}

// alike reports whether two numbers are the same in a register of 32 bits: host code passes its variables to parameters
// of other types.
func alike(a, b *big.Int) bool {
	mod := big.NewInt(1 << 32)
	return new(big.Int).Mod(a, mod).Cmp(new(big.Int).Mod(b, mod)) == 0
}

// usual is a number that takes the place of larger ones.
const usual = 64

func holds(f *expr.Bool, m *expr.Model) bool {
	ok, err := f.Eval(m)
	return err == nil && ok
}

// elsewhere looks for a race of a pair in the executions of other witnesses, which then become its witness.
func elsewhere(p *static.Pair, made []*performance) bool {
	for _, x := range made {
		for _, rep := range x.reports {
			for _, race := range rep.Races {
				if race.Severity == report.Error && isOf(p, race) {
					settle(p, x.witness, race)
					return true
				}
			}
		}
	}
	return false
}

// perform executes the witness of a pair until an execution shows its race: with zeros in the memory of which nothing
// is known, with other values there, so that not all stores are of equal values, and under several schedules. Buffers
// are large enough for all other threads, too.
func (e *executions) perform(ctx context.Context, b *builder, p *static.Pair) (*performance, error) {
	x := &performance{witness: b.witness}
	if n := b.witness.Launched(); n > static.MaxThreads {
		x.why = fmt.Sprintf("the launch of the witness is not executed, as it has more than %d threads",
			static.MaxThreads)
		return x, nil
	}
	shown := func(rep *report.Report) bool { return e.out.shows(rep, p) }
	first := ""
	for _, b.varied = range []bool{false, true} {
		rep, err := e.grown(ctx, b, x)
		if err != nil || x.why != "" {
			return x, err
		}
		if shown(rep) {
			return x, nil
		}
		if !b.varied {
			first = x.text
		}
		if len(rep.Faults) > 0 {
			x.why = "an execution of the witness ends in a fault: " + rep.Faults[0].Message
			if costly(rep) {
				x.why = fmt.Sprintf("the first %d warp instructions of the witness's launch do not show the race",
					witnessSteps)
			}
			x.text = first
			return x, nil
		}
	}
	if x.text = first; slices.ContainsFunc(x.reports, func(rep *report.Report) bool { return e.out.equal(rep, p) }) {
		x.why = equalValues
		return x, nil
	}
	rep, err := e.explore(ctx, first, shown)
	if err != nil {
		return x, err
	}
	if rep == nil {
		x.why = unexecuted
		return x, nil
	}
	x.reports = append(x.reports, rep)
	if x.some = shown(rep); !x.some {
		x.why = "executions of the witness do not show the race"
	}
	return x, nil
}

// Why executions do not show a race.
const (
	equalValues = "lanes of a warp store equal values in executions of the witness"
	timeOver    = "the time was over before its witness was executed"
	unexecuted  = "the executions of other witnesses have used up the limit"
)

// shows reports whether a report has a race of a pair. A warning suffices for a pair whose formulas leave loaded values
// open.
func (out *Outcome) shows(rep *report.Report, p *static.Pair) bool {
	return slices.ContainsFunc(rep.Pairs(), func(r *report.Race) bool {
		return (r.Severity == report.Error || p.LeftOpen && r.Severity == report.Warning) && out.same(r, p)
	})
}

// equal reports whether a report has a race of a pair that is no more than information: lanes of a warp store equal
// values.
func (out *Outcome) equal(rep *report.Report, p *static.Pair) bool {
	return slices.ContainsFunc(rep.Pairs(), func(r *report.Race) bool {
		return r.Severity == report.Info &&
			out.same(r, p)
	})
}

// same reports whether a race is at the two instructions of a pair, or at the same two lines of the source.
func (out *Outcome) same(r *report.Race, p *static.Pair) bool {
	if isOf(p, r) {
		return true
	}
	if p.Second.Event != "" || r.First.Event != "" || r.Second.Event != "" {
		return false
	}
	first, second := out.sourceOf(p.First.Inst), out.sourceOf(p.Second.Inst)
	if first == nil || second == nil || r.First.Source == nil || r.Second.Source == nil {
		return false
	}
	a, b, c, d := first.Own().Line, second.Own().Line, r.First.Source.Own().Line, r.Second.Source.Own().Line
	return a == c && b == d || a == d && b == c
}

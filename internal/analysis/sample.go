// Deciding possible pairs by more specific facts: launches that certainly occur.

package analysis

import (
	"context"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/rewrite"
)

// sample analyses a kernel under facts that hold for some of the launches of a result. Possible pairs of the result
// that race under these facts are races, and are returned. With nil facts it returns none.
func (out *Outcome) sample(ctx context.Context, k *rewrite.Func, g *facts.Given, r *static.Result,
	o *Options,
) (map[*static.Pair]bool, error) {
	open := func(p *static.Pair) bool { return p.Verdict == static.Possible && !p.LeftOpen }
	if g == nil || g.Unfollowed || g.LosesPointers() || !slices.ContainsFunc(r.Pairs, open) && !r.Unseen {
		return nil, nil
	}
	of, err := out.analyze(ctx, k, g, o)
	if err != nil {
		return nil, err
	}
	shown := make(map[*static.Pair]bool)
	for _, p := range of.Pairs {
		if p.Verdict != static.Racy {
			continue
		}
		i := slices.IndexFunc(r.Pairs, func(q *static.Pair) bool { return sidesOf(q) == sidesOf(p) })
		switch {
		case i < 0:
			r.Pairs = append(r.Pairs, p)
		case open(r.Pairs[i]):
			r.Pairs[i] = p
		default:
			continue
		}
		shown[p], r.Verdict = true, static.Racy
	}
	return shown, nil
}

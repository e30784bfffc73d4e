// The kinds of races, by the relation of the two threads, and the conditions for these.

package kernel

import (
	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/intervals"
	"github.com/ptxsan/ptxsan/internal/static/query"
	"github.com/ptxsan/ptxsan/internal/static/symbolic"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// Kind is the relation of racing threads.
type Kind uint8

// Kinds of races (HGRD, Table 2), from the widest to the narrowest.
const (
	InterBlock Kind = iota
	IntraBlock      // of different warps
	IntraWarp
	Kinds
)

// String returns the kind in the form of reports.
func (k Kind) String() string { return [...]string{"inter-block", "intra-block", "intra-warp"}[k] }

// Different is the condition that two threads can race in a kind of race (HGRD, Table 2).
func Different(kind Kind) *expr.Bool {
	if kind == InterBlock {
		var ne []*expr.Bool
		for _, d := range query.Dims {
			x := symbolic.Index("ctaid", d)
			ne = append(ne, expr.Ne(x.Instance(1), x.Instance(2)))
		}
		return expr.Any(ne...)
	}
	switch other := expr.Not(sameThread()); kind {
	case IntraWarp:
		return expr.All(other, sameWarp())
	case IntraBlock:
		return expr.All(other, expr.Not(sameWarp()))
	case OwnThread:
		return sameThread()
	default: // AnyThread
		return other
	}
}

// sameThread is the condition that two threads of a block are one.
func sameThread() *expr.Bool {
	var eq []*expr.Bool
	for _, d := range query.Dims {
		x := symbolic.Index("tid", d)
		eq = append(eq, expr.Eq(x.Instance(1), x.Instance(2)))
	}
	return expr.All(eq...)
}

// sameWarp is the condition that two threads of a block are in one warp.
func sameWarp() *expr.Bool {
	warp := func(n int) *expr.Int {
		return expr.Div(symbolic.Flat().Instance(n), expr.Const(isa.WarpSize))
	}
	return expr.Eq(warp(1), warp(2))
}

// AnyThread is for both kinds within a block.
const AnyThread = Kinds

// OwnThread is for two accesses of one thread that its program order does not order: one is made by an asynchronous
// copy, or is a load of read-only data.
const OwnThread = Kinds + 1

// OtherThan is the condition that the third thread is not thread n.
func OtherThan(n int) *expr.Bool {
	var ne []*expr.Bool
	for _, d := range query.Dims {
		for _, x := range []*expr.Int{symbolic.Index("tid", d), symbolic.Index("ctaid", d)} {
			ne = append(ne, expr.Ne(x.Instance(3), x.Instance(n)))
		}
	}
	return expr.Any(ne...)
}

// Together returns the condition of a phase.
func Together(p intervals.Phase) *expr.Bool {
	var conds []*expr.Bool
	for _, r := range p {
		rounds := r.Loop.Round.Instance(max(1, r.Thread))
		if r.Thread == 0 {
			rounds = expr.Sub(rounds, r.Loop.Round.Instance(2))
		}
		conds = append(conds, expr.Eq(rounds, expr.Const(r.Count)))
	}
	return expr.All(conds...)
}

// inTeam is the condition that two threads of a block, which extends in dimension x only, are in one team.
func inTeam(t symbolic.Team) *expr.Bool {
	at := func(n int) *expr.Int { return expr.Div(symbolic.Index("tid", 'x').Instance(n), expr.Const(int64(t))) }
	return expr.Eq(at(1), at(2))
}

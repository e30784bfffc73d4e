// Exploration: many runs of one program under schedules that a strategy chooses.

package explore

import (
	"context"
	"slices"
	"sync"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/panics"
)

// Exploration is many runs of one program under different schedules. A Strategy chooses the schedules: from seeds
// (Seeds), so that conflicting accesses happen in the other order (directed.go), or all distinguishable ones (all.go).
// Explore executes the runs on several goroutines. Its results do not depend on the number of goroutines: a strategy gets
// the results of a fixed number of runs at a time, in the order of the runs.

// Strategy chooses the schedules of an exploration.
type Strategy interface {
	// Next returns the next runs, at most n. They may be executed concurrently, on separate machines. An empty result
	// means that none are left.
	Next(n int) []*Run
	// Learn receives the executed runs: all that Next has returned since the last call of Learn, in that order.
	Learn(runs []*Run)
}

// Run is one run of an exploration: a device with all launches of a program.
type Run struct {
	Policy emu.Policy // scheduling policy, with Seed, Depth and Length as in Config
	Seed   uint64
	Depth  int
	Length uint64

	guide    guide         // chooses in place of the policy; nil if the fields above determine the run
	schedule *emu.Schedule // recorded schedule of a run with a guide
	owner    Strategy      // strategy that chose the run, in a mixture
}

// guide is the state of a run that is determined neither by a seed nor by a replay.
type guide interface {
	emu.Guide
	// listener returns the listener that must receive the events of the run.
	listener() emu.Listener
}

// Configure sets cfg to the configuration of a machine for the run. It does not change the listener of cfg: the caller
// must add the one that Run.Listener returns.
func (r *Run) Configure(cfg *emu.Config) {
	cfg.Policy, cfg.Seed, cfg.Depth, cfg.Length = r.Policy, r.Seed, r.Depth, r.Length
	cfg.Replay, cfg.Guide = nil, nil
	if r.guide != nil {
		cfg.Guide = r.guide
		r.schedule = new(emu.Schedule)
		cfg.Record = r.schedule
	}
}

// Listener returns the listener that must receive the events of the run in addition to the user's; nil if there is
// none.
func (r *Run) Listener() emu.Listener {
	if r.guide == nil {
		return nil
	}
	return r.guide.listener()
}

// Schedule returns the recorded schedule of the run, nil if policy and seed determine the run.
func (r *Run) Schedule() *emu.Schedule { return r.schedule }

// ErrRedundant is the error of a launch that was aborted because other runs of the exploration are equivalent to it.
var ErrRedundant = emu.ErrRedundant

// Bounds limit an exploration.
type Bounds struct {
	Runs    int // maximum number of runs, 0 for no limit
	Workers int // goroutines that execute runs, 0 for 1; results do not depend on it
}

// roundSize is the maximum number of runs in a round.
const roundSize = 32

// Explore executes the runs that a strategy chooses. make executes one of them; several goroutines call it, numbered by
// worker from 0. took is called for each run that make has executed, in the order in which the strategy chose them, by
// one goroutine at a time. If it returns false, no more runs are started. Explore returns the number of runs passed to
// took. The error is the first one of make, in order, or the context's.
func Explore(ctx context.Context, s Strategy, b Bounds, make func(worker int, r *Run) error,
	took func(*Run) bool,
) (int, error) {
	taken := 0
	for {
		n := roundSize
		if b.Runs > 0 {
			n = min(n, b.Runs-taken)
		}
		if n == 0 {
			return taken, nil
		}
		runs := s.Next(n)
		if len(runs) == 0 {
			return taken, nil
		}
		r := round{runs: runs, made: slices.Repeat([]bool{false}, len(runs)), took: took}
		err := r.make(ctx, max(b.Workers, 1), make)
		taken += r.taken
		if err != nil || r.enough {
			return taken, err
		}
		s.Learn(runs)
	}
}

// round is a list of runs that several goroutines execute.
type round struct {
	runs []*Run
	took func(*Run) bool

	lock   sync.Mutex
	begun  int    // number of runs begun
	made   []bool // runs executed without an error
	taken  int    // number of runs passed to took, in order
	enough bool   // took has returned false
	err    error  // the first one, in order
	failed int    // index of the run with err
}

// make executes the runs.
func (r *round) make(ctx context.Context, workers int, do func(worker int, r *Run) error) error {
	work := func(worker int) {
		for i, ok := r.next(); ok; i, ok = r.next() {
			err := ctx.Err()
			if err == nil {
				err = do(worker, r.runs[i])
			}
			r.done(i, err)
		}
	}
	var wg panics.Group
	for w := 1; w < min(workers, len(r.runs)); w++ {
		wg.Go(func() { work(w) })
	}
	work(0)
	wg.Wait()
	if r.enough {
		return nil
	}
	return r.err
}

// next returns the index of the next run, if there is one.
func (r *round) next() (i int, ok bool) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.enough || r.err != nil || r.begun == len(r.runs) {
		return 0, false
	}
	r.begun++
	return r.begun - 1, true
}

// done passes to took the runs up to the first one that has not been executed yet.
func (r *round) done(i int, err error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if err != nil {
		if r.err == nil || i < r.failed {
			r.err, r.failed = err, i
		}
		return
	}
	r.made[i] = true
	for !r.enough && r.taken < len(r.runs) && r.made[r.taken] {
		r.enough = !r.took(r.runs[r.taken])
		r.taken++
	}
}

// Strategies that do not learn: a policy under consecutive seeds, and mixtures of strategies.

// seeds runs a policy under consecutive seeds.
type seeds struct {
	next Run
	left int
}

// Seeds returns the strategy of n runs under the policy of r and its parameters, with consecutive seeds from that of r
// on; n < 0 means no limit.
func Seeds(r Run, n int) Strategy { return &seeds{next: r, left: n} }

// Next implements Strategy.
func (s *seeds) Next(n int) (runs []*Run) {
	for ; n > 0 && s.left != 0; n-- {
		r := s.next
		runs = append(runs, &r)
		s.next.Seed++
		s.left--
	}
	return runs
}

// Learn implements Strategy.
func (s *seeds) Learn([]*Run) {}

// ahead executes one run before those of another strategy.
type ahead struct {
	run  *Run // nil when it has been chosen
	made *Run
	Strategy
}

// Ahead returns the strategy that first executes a run under the policy of r and its parameters, then the runs of rest.
func Ahead(r Run, rest Strategy) Strategy {
	return &ahead{run: &Run{Policy: r.Policy, Seed: r.Seed, Depth: r.Depth, Length: r.Length}, Strategy: rest}
}

// Next implements Strategy.
func (a *ahead) Next(n int) []*Run {
	if a.run == nil || n == 0 {
		return a.Strategy.Next(n)
	}
	a.made, a.run = a.run, nil
	if n == 1 {
		return []*Run{a.made}
	}
	return append([]*Run{a.made}, a.Strategy.Next(n-1)...)
}

// Learn implements Strategy.
func (a *ahead) Learn(runs []*Run) {
	if len(runs) > 0 && runs[0] == a.made {
		runs = runs[1:]
	}
	a.Strategy.Learn(runs)
}

// mixture alternates between strategies.
type mixture struct {
	parts []Strategy
	turn  int
}

// Mix returns a strategy that takes runs from several strategies in turn. A strategy without runs now is tried again in
// the next round.
func Mix(parts ...Strategy) Strategy { return &mixture{parts: parts} }

// Next implements Strategy.
func (m *mixture) Next(n int) (runs []*Run) {
	for empty := 0; len(runs) < n && empty < len(m.parts); {
		part := m.parts[m.turn%len(m.parts)]
		m.turn++
		one := part.Next(1)
		if len(one) == 0 {
			empty++
			continue
		}
		empty = 0
		one[0].owner = part
		runs = append(runs, one[0])
	}
	return runs
}

// Learn implements Strategy.
func (m *mixture) Learn(runs []*Run) {
	for _, part := range m.parts {
		var own []*Run
		for _, r := range runs {
			if r.owner == part {
				own = append(own, r)
			}
		}
		if own != nil {
			part.Learn(own)
		}
	}
}

// Exploration: many runs of one program under schedules that a strategy chooses.

package emu

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// Exploration is many runs of one program under different schedules. A Strategy chooses
// the schedules: from seeds (explore_seeds.go), so that conflicting accesses happen in
// the other order (explore_directed.go), or all that differ (explore_all.go). Explore
// makes the runs on several goroutines, and what it does depends on their number in no
// way: strategies learn from whole rounds of runs, whose size is fixed.

// Strategy chooses the schedules of an exploration.
type Strategy interface {
	// Next is the next runs to make, at most n. They may be made at the same time, on
	// machines of their own. None is left when there are none.
	Next(n int) []*Run
	// Learn takes in runs that have been made: all that Next has returned since Learn
	// was last called, in that order.
	Learn(runs []*Run)
}

// Run is one run of an exploration: a device with all launches of a program.
type Run struct {
	Policy Policy // what decides, with Seed, Depth and Length as in Config
	Seed   uint64
	Depth  int
	Length uint64

	guide    guide     // what decides in detail; nil when the fields above say it all
	schedule *Schedule // recorded, of a run with a guide
	owner    Strategy  // of a mixture
}

// guide is the state of a run that is neither decided by a seed nor a replay.
type guide interface {
	// scheduler makes the scheduler of a launch.
	scheduler(l *launch) scheduler
	// listener must receive the events of the run.
	listener() Listener
}

// Configure makes cfg that of a machine for the run. It leaves the listener of cfg alone: the
// caller must add that which Run.Listener returns.
func (r *Run) Configure(cfg *Config) {
	cfg.Policy, cfg.Seed, cfg.Depth, cfg.Length = r.Policy, r.Seed, r.Depth, r.Length
	cfg.Replay, cfg.guide = nil, r.guide
	if r.guide != nil {
		r.schedule = new(Schedule)
		cfg.Record = r.schedule
	}
}

// Listener returns the listener that must receive the events of the run beside the user's; nil
// when there is none.
func (r *Run) Listener() Listener {
	if r.guide == nil {
		return nil
	}
	return r.guide.listener()
}

// Schedule is what was recorded of the run, nil when a run with the same policy and
// seed is the same run.
func (r *Run) Schedule() *Schedule { return r.schedule }

// ErrRedundant is the error of a launch that was given up because other runs of the
// exploration show all that it could.
var ErrRedundant = errors.New("the run would repeat another one")

// Bounds limit an exploration.
type Bounds struct {
	Runs    int // at most, 0 for as many as the strategy wants
	Workers int // goroutines that make runs, 0 for 1; results do not depend on it
}

// roundSize is how many runs a strategy chooses at a time at most.
const roundSize = 32

// Explore makes the runs that a strategy chooses. make makes one of them; it is called
// by several goroutines at a time, numbered by worker from 0. took is called for each run that
// make has made, in the order in which the strategy chose them, by one goroutine at a time; when
// it returns false, no more runs are begun. Explore returns how many runs were taken. The error
// is the first one of make, in order, or the context's.
func Explore(ctx context.Context, s Strategy, b Bounds, make func(worker int, r *Run) error, took func(*Run) bool) (int, error) {
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

// round is some runs, which several goroutines make.
type round struct {
	runs []*Run
	took func(*Run) bool

	lock   sync.Mutex
	begun  int    // runs
	made   []bool // without an error
	taken  int    // the first ones
	enough bool   // took says so
	err    error  // the first one, in order
	failed int    // the run that it is of
}

// make makes the runs.
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
	var wg sync.WaitGroup
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

// next is the run to begin, if there is one.
func (r *round) next() (i int, ok bool) {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.enough || r.err != nil || r.begun == len(r.runs) {
		return 0, false
	}
	r.begun++
	return r.begun - 1, true
}

// done takes the runs up to the first one that is not made yet.
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

// Strategies that learn nothing: a policy under one seed after the other, and mixtures
// of strategies.

// seeds runs a policy under consecutive seeds.
type seeds struct {
	next Run
	left int
}

// Seeds is the strategy of runs under a policy with its parameters, n of them, with
// the seed of r and those that follow it; n < 0 for no end.
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

// ahead makes one run before those of another strategy.
type ahead struct {
	run  *Run // nil when it has been made
	made *Run
	Strategy
}

// Ahead is the strategy that makes a run of a policy with its parameters first, then those of another one.
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

// mixture takes turns.
type mixture struct {
	parts []Strategy
	turn  int
}

// Mix takes runs from several strategies in turn. One that has none left now is asked
// again in the next round.
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

// Running tasks.

package campaign

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/analysis"
	"github.com/ptxsan/ptxsan/internal/factfile"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Executor runs tasks, possibly several at a time. It caches the subjects that it has loaded last.
type Executor struct {
	Blobs Blobs

	mu   sync.Mutex
	kept []*cacheEntry // in the order of last use

	grace time.Duration // of a test, in place of the constant
}

// grace is the time for a task to end after its time limit.
const grace = 10 * time.Second

// cacheEntry is a cached subject. One goroutine loads it.
type cacheEntry struct {
	key  string
	used int // number of running tasks
	// stuck says that a task has not ended within its grace: its goroutine may run for ever, and further tasks would,
	// too.
	stuck atomic.Bool
	once  sync.Once
	l     *readySubject
	err   error
}

// keptSubjects is the capacity of an Executor's cache.
const keptSubjects = 16

// Run runs a task. An error concerns only this attempt: another one may succeed. The result of a task that reaches its
// time limit covers the schedules that it has finished; if there are none, Run returns an error. Run also returns an
// error when a task has not ended some time after its limit, because something that does not check the context takes
// long.
func (x *Executor) Run(ctx context.Context, t *Task) (*Result, error) {
	limited, cancel := t.limit(ctx)
	defer cancel()
	r := &Result{Task: t.ID}
	k := x.take(t)
	ended := make(chan error, 1)
	go func() {
		defer x.release(k)
		ended <- k.run(limited, x.Blobs, t, r)
	}()
	err, late := within(limited, ended, cmp.Or(x.grace, grace))
	switch {
	case late:
		k.stuck.Store(true)
		return nil, fmt.Errorf("it has not ended some time after %w", context.Cause(limited))
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case limited.Err() != nil && r.Ended == "":
		err = context.Cause(limited) // the reason why the run was cancelled
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// within waits for the end of a task. late says that it has not ended at that time after the end of the context.
func within(ctx context.Context, ended <-chan error, grace time.Duration) (err error, late bool) {
	select {
	case err = <-ended:
		return err, false
	case <-ctx.Done():
	}
	select {
	case err = <-ended:
		return err, false
	case <-time.After(grace):
		return nil, true
	}
}

// limit returns a context that ends after the time limit of an attempt.
func (t *Task) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if t.Time == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, t.Time, fmt.Errorf("%s, the limit of a task", t.Time))
}

// run runs a task on its subject. A panic becomes an error.
func (k *cacheEntry) run(ctx context.Context, blobs Blobs, t *Task, r *Result) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("internal error: %v\n%s", p, debug.Stack())
		}
	}()
	if k.stuck.Load() {
		return errors.New("an earlier task of this kernel has not ended")
	}
	k.once.Do(func() {
		k.err = errors.New("it has no files that can be loaded") // after a panic
		k.l, k.err = t.Subject.load(ctx, blobs, t.limits())
	})
	if k.err != nil {
		return k.err
	}
	switch t.Strategy {
	case proving:
		return t.prove(ctx, k.l, r)
	case replaying:
		return t.replay(ctx, k.l, r)
	}
	return t.explore(ctx, k.l, r)
}

// Close removes all subjects.
func (x *Executor) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	var err error
	for _, k := range x.kept {
		err = errors.Join(err, k.close())
	}
	x.kept = nil
	return err
}

func (k *cacheEntry) close() error {
	if k.l == nil {
		return nil
	}
	return k.l.close()
}

// take returns the subject of a task, and loads it if necessary.
func (x *Executor) take(t *Task) *cacheEntry {
	key := strings.Join(append(t.Subject.Blobs(), t.Subject.PTX, t.Subject.Launch, fmt.Sprint(t.Memory, t.Steps)), " ")
	x.mu.Lock()
	defer x.mu.Unlock()
	k := &cacheEntry{key: key}
	if i := slices.IndexFunc(x.kept, func(k *cacheEntry) bool { return k.key == key }); i >= 0 {
		k = x.kept[i]
		x.kept = slices.Delete(x.kept, i, i+1)
	}
	x.kept = append(x.kept, k)
	k.used++
	return k
}

// release ends the use of a subject by a task. It evicts the least recently used subjects, and those that could not be
// loaded, perhaps because of the network.
func (x *Executor) release(k *cacheEntry) {
	x.mu.Lock()
	defer x.mu.Unlock()
	k.used--
	many := len(x.kept) - keptSubjects
	x.kept = slices.DeleteFunc(x.kept, func(k *cacheEntry) bool {
		if k.used > 0 || k.err == nil && many <= 0 {
			return false
		}
		many--
		_ = k.close() // an unused folder stays behind
		return true
	})
}

// options returns the options of a task's session.
func (t *Task) options() (session.Options, error) {
	dets, err := session.ParseDetectors(t.Detector)
	o := session.Options{Detectors: dets}
	o.Emulator.Workers, o.Emulator.Seed = 1, t.Seed
	o.Emulator.MemoryLimit, o.Emulator.MaxSteps = t.Memory, t.Steps
	return o, err
}

// explore runs schedules.
func (t *Task) explore(ctx context.Context, l *readySubject, r *Result) error {
	o, err := t.options()
	if err != nil {
		return err
	}
	e := &session.Exploration{
		Options: o, Scenario: l.plan, Workers: 1, Replay: tokens{}, Conflicts: session.NewConflictSet(),
		Search: session.Search{Name: t.Strategy, Runs: t.Count},
	}
	rep, err := e.Run(ctx)
	if rep == nil {
		return err
	}
	if err != nil {
		r.Ended, rep.Exploration.Ended = err.Error(), "" // the campaign reports it for several tasks together
	}
	r.Conflicts = e.Conflicts.Sorted()
	return r.set(rep)
}

// replay repeats one run.
func (t *Task) replay(ctx context.Context, l *readySubject, r *Result) error {
	o, err := t.options()
	if err != nil {
		return err
	}
	run, err := ParseRun(t.Run)
	if err != nil {
		return err
	}
	run.configure(&o.Emulator)
	s, err := play(ctx, l.plan, o)
	if err == nil && s.Strayed() != nil {
		o.Refuted = true
		s, err = play(ctx, l.plan, o)
	}
	if err != nil {
		return err
	}
	one := s.Report()
	rep := session.NewReport(o.Detectors, &emu.Config{})
	rep.Exploration = &report.Exploration{Search: replaying, Schedules: 1}
	rep.Stats = one.Stats
	rep.Add(one, t.Run)
	rep.Finish()
	return r.set(rep)
}

func play(ctx context.Context, p *session.Plan, o session.Options) (*session.Session, error) {
	s, err := session.Open(o)
	if err != nil {
		return nil, err
	}
	return s, p.Play(ctx, s)
}

// prove runs the static analysis, which may prove the launches free of races, if need be by a run of them that stands for
// all schedules. When it reaches the time limit, nothing is proved.
func (t *Task) prove(ctx context.Context, l *readySubject, r *Result) error {
	asked := make(map[string]bool)
	for i := range l.plan.Launches {
		name := l.plan.KernelName(i)
		if asked[name] {
			continue
		}
		asked[name] = true
		out, err := analysis.Run(ctx, l.plan.Program, analysis.Options{
			Chosen: func(kernel string) bool { return kernel == name },
			Facts:  []*facts.File{factfile.FromLaunches(l.plan.File)}, File: l.plan.File,
		})
		if ctx.Err() != nil {
			r.Ended = context.Cause(ctx).Error()
			return nil
		}
		if err != nil {
			return err
		}
		for _, p := range out.Report.Proofs {
			if p.Verdict != report.Clean {
				return nil
			}
		}
	}
	r.Free = true
	return nil
}

// set puts a report into the result.
func (r *Result) set(rep *report.Report) error {
	r.Schedules = rep.Exploration.Schedules
	var b, short bytes.Buffer
	if err := rep.WriteJSON(&b); err != nil {
		return err
	}
	if err := json.Compact(&short, b.Bytes()); err != nil {
		return err
	}
	r.Report = short.Bytes()
	return nil
}

// Workers: they fetch tasks from the queue, run them and store results.

package jetstream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/ptxsan/ptxsan/internal/campaign"
	"github.com/ptxsan/ptxsan/internal/panics"
)

// Worker runs tasks of campaigns on the goroutines of one process.
type Worker struct {
	Conn    *Conn
	Version string
	Count   int // goroutines
	// Only is the name of the only campaign to work for, "" for all campaigns of the server.
	Only string
	// Once ends the work after the end of the first campaign.
	Once bool
	// Told is called with a description of the worker's actions, for people; nil for none.
	Told func(string)

	done atomic.Int64 // number of tasks
}

// idle is the time to wait for work before checking again.
const idle = time.Second

// Run works until the context ends, which is no error.
func (w *Worker) Run(ctx context.Context) error {
	if w.Told == nil {
		w.Told = func(string) {}
	}
	refusedNames := make(map[string]bool)
	for ctx.Err() == nil {
		var list map[string]*Record
		err := patiently(ctx, func(ctx context.Context) (err error) {
			list, err = w.Conn.Records(ctx)
			return err
		})
		if err != nil {
			return unlessDone(ctx, fmt.Errorf("the campaigns of the server cannot be read: %w", err))
		}
		r, err := w.choose(list, refusedNames)
		switch {
		case err != nil:
			return err
		case r != nil:
			w.Told("works for campaign " + r.Name)
			if err = w.serve(ctx, r.Name); err != nil || w.Once {
				return unlessDone(ctx, err)
			}
			continue
		}
		sleep(ctx, idle)
	}
	return nil
}

// choose returns a running campaign to work for, nil when there is none. It rejects campaigns of another version, and
// reports each name once.
func (w *Worker) choose(list map[string]*Record, refusedNames map[string]bool) (*Record, error) {
	if w.Only != "" && list[w.Only] == nil {
		return nil, fmt.Errorf("%s: %w", w.Only, ErrNoCampaign)
	}
	var found *Record
	for name, r := range list {
		if r.State != Running || w.Only != "" && name != w.Only {
			continue
		}
		if err := sameVersion(r, w.Version, "this worker"); err != nil {
			if w.Only != "" || len(list) == 1 {
				return nil, err
			}
			if !refusedNames[name] {
				w.Told(err.Error())
			}
			refusedNames[name] = true
			continue
		}
		if found == nil || name < found.Name {
			found = r
		}
	}
	return found, nil
}

func unlessDone(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// linger limits the time of a worker to store its results when it has to stop.
const linger = 10 * time.Second

// lingering returns a context that ends linger after ctx.
func lingering(ctx context.Context) (context.Context, context.CancelFunc) {
	long, cancel := context.WithCancel(context.WithoutCancel(ctx))
	forget := context.AfterFunc(ctx, func() { time.AfterFunc(linger, cancel) })
	return long, func() {
		forget()
		cancel()
	}
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// serve works for one campaign while that is running.
func (w *Worker) serve(ctx context.Context, name string) error {
	var s *store
	var info *jetstream.ConsumerInfo
	err := patiently(ctx, func(ctx context.Context) (err error) {
		if s, err = w.Conn.open(ctx, name); err == nil {
			info, err = s.consumer.Info(ctx)
		}
		return err
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	x := &campaign.Executor{Blobs: s.blob}
	j := &job{store: s, w: w, execute: x.Run, live: newLive(s), hands: make(map[jetstream.Msg]begun)}
	wg := panics.Group{Stop: cancel}
	errs := make([]error, w.Count)
	for i := range w.Count {
		wg.Go(func() {
			defer cancel() // an error cancels the other goroutines, too
			errs[i] = j.run(ctx)
		})
	}
	wg.Go(func() { j.beat(ctx, info.Config.AckWait/3) })
	wg.Go(func() {
		defer cancel()
		j.watch(ctx)
	})
	wg.Wait()
	return errors.Join(append(errs, x.Close())...)
}

// job is the work of a process for one campaign.
type job struct {
	*store
	w       *Worker
	execute func(context.Context, *campaign.Task) (*campaign.Result, error)
	live    *live

	mu    sync.Mutex
	hands map[jetstream.Msg]begun // messages in progress
}

// begun is the time at which the work on a message began, and its task, which is nil before the message has been read.
type begun struct {
	task *campaign.Task
	at   time.Time
}

// watch registers the worker, and returns when the campaign is no longer running.
func (j *job) watch(ctx context.Context) {
	host, _ := os.Hostname() // for people
	key := nats.NewInbox()[len("_INBOX."):]
	defer j.signOff(ctx, key)
	for ctx.Err() == nil {
		_ = j.register(ctx, key, host) // the next one makes up for a failed one
		for range 5 {
			if r, failed := readRecord(ctx, j.allRecords, j.name); failed == nil && r.State != Running {
				return
			}
			sleep(ctx, idle)
		}
	}
}

// register stores the worker's record.
func (j *job) register(ctx context.Context, key, host string) error {
	r := WorkerRecord{Host: host, PID: os.Getpid(), Goroutines: j.w.Count, Tasks: j.w.done.Load(), Now: []Doing{}}
	j.mu.Lock()
	r.InHand = len(j.hands)
	for _, h := range j.hands {
		if h.task != nil {
			r.Now = append(r.Now, Doing{Task: h.task.String(), For: time.Since(h.at)})
		}
	}
	j.mu.Unlock()
	slices.SortFunc(r.Now, func(a, b Doing) int {
		return cmp.Or(cmp.Compare(b.For, a.For),
			cmp.Compare(a.Task, b.Task))
	})
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = j.workers.Put(ctx, key, text)
	return err
}

// signOff deletes the worker's record.
func (j *job) signOff(ctx context.Context, key string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), idle)
	defer cancel()
	_ = j.workers.Delete(ctx, key) // otherwise it would expire
}

// beat tells the server periodically that the messages are in progress.
func (j *job) beat(ctx context.Context, every time.Duration) {
	for range ticks(ctx, every) {
		j.mu.Lock()
		for m := range j.hands {
			_ = m.InProgress() // if it is lost, the task runs once more
		}
		j.mu.Unlock()
	}
}

// hold marks a message as in progress. The task is nil before it has been read, and when its result exists.
func (j *job) hold(m jetstream.Msg, t *campaign.Task) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.hands[m] = begun{t, time.Now()}
}

// drop removes the mark of a message.
func (j *job) drop(m jetstream.Msg) {
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.hands, m)
}

// run fetches tasks until the context ends.
func (j *job) run(ctx context.Context) error {
	size := 1
	for ctx.Err() == nil {
		waiting, cancel := context.WithTimeout(ctx, idle/4)
		batch, err := j.consumer.Fetch(size, jetstream.FetchContext(waiting))
		if err != nil {
			cancel()
			return j.pause(ctx, err)
		}
		n, busy, err := j.batch(ctx, batch.Messages())
		cancel()
		if err != nil {
			return err
		}
		if n == 0 {
			if err = batch.Error(); err != nil && !errors.Is(err, nats.ErrTimeout) &&
				!errors.Is(err, context.DeadlineExceeded) {
				sleep(ctx, idle) // the server is unavailable: the client reconnects automatically
			}
			continue
		}
		each := busy / time.Duration(n)
		size = int(max(1, min(maxBatch, batchTime/max(each, 1))))
	}
	return nil
}

// pause waits after an error of fetching, unless the context has ended.
func (j *job) pause(ctx context.Context, err error) error {
	if errors.Is(err, nats.ErrConnectionClosed) {
		return unlessDone(ctx, err)
	}
	sleep(ctx, idle)
	return nil
}

// task runs one task and returns the message with its result. The message is nil if the task was returned to the queue.
func (j *job) task(ctx context.Context, m jetstream.Msg) (*nats.Msg, error) {
	t, err := campaign.DecodeTask(m.Data())
	if err != nil {
		return nil, err
	}
	j.hold(m, t)
	defer j.hold(m, nil)
	last, err := j.begin(ctx, t, m)
	if err != nil {
		return nil, unlessDone(ctx, err)
	}
	r := last
	if r == nil {
		r, err = j.execute(ctx, t)
	}
	if ctx.Err() != nil && err != nil {
		return nil, j.giveBack(ctx, m)
	}
	if err != nil {
		err = j.count(ctx, t.ID, 0, err.Error())
		_ = m.Nak() // otherwise it is delivered again later
		return nil, err
	}
	data, err := r.Encode()
	if err != nil {
		return nil, err
	}
	ctx, cancel := lingering(ctx)
	defer cancel()
	if err = j.live.take(ctx, t, r); err != nil {
		return nil, err
	}
	return j.resultMessage(ctx, t.ID, data)
}

// ticks yields after each period until the context ends.
func ticks(ctx context.Context, every time.Duration) iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case at := <-tick.C:
				if !yield(at) {
					return
				}
			}
		}
	}
}

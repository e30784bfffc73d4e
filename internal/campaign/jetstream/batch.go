// Batches: tasks that a worker fetches from the queue together.

package jetstream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/ptxsan/ptxsan/internal/campaign"
)

// Sizes of batches. A batch should take batchTime, since the tasks of a worker that dies wait until they are delivered
// again. The duration of tasks is estimated from earlier ones. Tasks that have not begun after lateTime are returned to
// the queue for other workers.
const (
	batchTime = 50 * time.Millisecond
	lateTime  = 10 * batchTime
	maxBatch  = 64
)

// batch runs tasks as they arrive, stores their results, and then acknowledges them. It returns the number of tasks and
// their duration.
func (j *job) batch(ctx context.Context, messages <-chan jetstream.Msg) (n int, busy time.Duration, err error) {
	sent := &outbox{c: j.c}
	var late *lateReturn
	defer func() { err = errors.Join(err, late.stop()) }()
	var ready []jetstream.Msg
	defer func() {
		for _, m := range ready {
			j.drop(m)
		}
	}()
	for m := range messages {
		if err != nil || ctx.Err() != nil {
			err = errors.Join(err, j.giveBack(ctx, m))
			continue
		}
		if n++; late == nil {
			late = j.returnLater(ctx, messages)
		}
		start := time.Now()
		j.hold(m, nil)
		var msg *nats.Msg
		if msg, err = j.task(ctx, m); msg == nil || err != nil {
			j.drop(m)
			continue
		}
		ready = append(ready, m)
		err = sent.send(ctx, msg)
		busy += time.Since(start)
	}
	if err != nil {
		return n, busy, fmt.Errorf("a task cannot be dealt with: %w", explained(err))
	}
	long, cancel := lingering(ctx)
	defer cancel()
	if err = sent.wait(long); err != nil {
		return n, busy, fmt.Errorf("a result cannot be stored: %w", explained(err))
	}
	for _, m := range ready {
		_ = m.Ack() // if it is lost, the task runs once more
	}
	j.w.done.Add(int64(len(ready)))
	return n, busy, nil
}

// lateReturn is the return of late tasks to the queue.
type lateReturn struct {
	timer *time.Timer
	done  chan error
}

// returnLater returns, from lateTime on, the tasks that have not been taken from messages.
func (j *job) returnLater(ctx context.Context, messages <-chan jetstream.Msg) *lateReturn {
	r := &lateReturn{done: make(chan error, 1)}
	r.timer = time.AfterFunc(lateTime, func() {
		var err error
		for m := range messages {
			err = errors.Join(err, j.giveBack(ctx, m))
		}
		r.done <- err
	})
	return r
}

// stop waits until the tasks have been returned.
func (r *lateReturn) stop() error {
	if r == nil || r.timer.Stop() {
		return nil
	}
	return <-r.done
}

// giveBack returns an unfinished task to the queue, without counting an attempt.
func (j *job) giveBack(ctx context.Context, m jetstream.Msg) error {
	ctx, cancel := lingering(ctx)
	defer cancel()
	t, err := campaign.DecodeTask(m.Data())
	if err != nil {
		return err
	}
	err = j.count(ctx, t.ID, -1, "")
	_ = m.Nak() // otherwise it is delivered again later
	return err
}

// Batches: tasks that a worker takes from the queue together.

package jetstream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/ptxsan/ptxsan/runtime/campaign"
)

// Sizes of what is taken from the queue at a time: as much as takes batchTime, since what a
// worker that dies has taken waits until it is delivered again. How long tasks take is known of those before: what
// has not been begun after lateTime goes back to the queue, for others.
const (
	batchTime = 50 * time.Millisecond
	lateTime  = 10 * batchTime
	maxBatch  = 64
)

// batch runs tasks as they come, stores their results, and acknowledges them when that is done. It
// returns how many it has run, and how long they took.
func (j *job) batch(ctx context.Context, messages <-chan jetstream.Msg) (n int, busy time.Duration, err error) {
	sent := &publishing{c: j.c}
	var late *returning
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
		_ = m.Ack() // if it is lost, the task is run once more
	}
	j.w.done.Add(int64(len(ready)))
	return n, busy, nil
}

// returning gives back tasks that come late.
type returning struct {
	timer *time.Timer
	done  chan error
}

// returnLater gives back, from lateTime on, the tasks that have not been taken from messages.
func (j *job) returnLater(ctx context.Context, messages <-chan jetstream.Msg) *returning {
	r := &returning{done: make(chan error, 1)}
	r.timer = time.AfterFunc(lateTime, func() {
		var err error
		for m := range messages {
			err = errors.Join(err, j.giveBack(ctx, m))
		}
		r.done <- err
	})
	return r
}

// stop waits for what is being given back.
func (r *returning) stop() error {
	if r == nil || r.timer.Stop() {
		return nil
	}
	return <-r.done
}

// giveBack returns a task that has not been finished, without counting a try.
func (j *job) giveBack(ctx context.Context, m jetstream.Msg) error {
	ctx, cancel := lingering(ctx)
	defer cancel()
	t, err := campaign.DecodeTask(m.Data())
	if err != nil {
		return err
	}
	err = j.count(ctx, t.ID, -1, "")
	_ = m.Nak() // else it is delivered again later
	return err
}

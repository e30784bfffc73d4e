// Collection of results by the coordinator.

package jetstream

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/ptxsan/ptxsan/internal/campaign"
)

// result waits for the result of a task.
func (e *Engine) result(ctx context.Context, id string) (*campaign.Result, error) {
	for e.waiting[id] == nil {
		m, err := e.results.Next(jetstream.NextContext(ctx))
		if err != nil {
			return nil, err
		}
		e.enter(m)
	}
	m := e.waiting[id]
	delete(e.waiting, id)
	return e.readResult(ctx, m)
}

// enter keeps a result until its task is the next in order.
func (e *Engine) enter(m jetstream.Msg) {
	subject := m.Subject()
	e.waiting[subject[strings.LastIndexByte(subject, '.')+1:]] = m
}

// Time limits for collecting existing results when the context ends: for each result, and in total.
const (
	restGap  = 100 * time.Millisecond
	restTime = 600 * time.Millisecond // an interrupted command has a second
)

// rest collects the results that the server has when the context ends, even if earlier tasks have none, so that the
// report includes them. The campaign can be resumed, which collects all results again.
func (e *Engine) rest(ctx context.Context, tasks []*campaign.Task,
	took func(*campaign.Task, *campaign.Result) error,
) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), restTime)
	defer cancel()
	for ctx.Err() == nil {
		m, err := e.results.Next(jetstream.NextMaxWait(restGap))
		if err != nil {
			break // there are no more, or the server is unavailable
		}
		e.enter(m)
	}
	for _, t := range tasks {
		m := e.waiting[t.ID]
		if m == nil {
			continue
		}
		r, err := e.readResult(ctx, m)
		if err != nil {
			return fmt.Errorf("the report lacks results that the server has: %w", err)
		}
		if err = took(t, r); err != nil {
			return err
		}
	}
	return nil
}

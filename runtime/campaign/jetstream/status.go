// The status of a campaign.

package jetstream

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Status is what can be seen of a campaign.
type Status struct {
	Record
	Queued   int            `json:"queued"`  // tasks that nobody has
	InHand   int            `json:"in_hand"` // tasks that workers have begun, by what they said last
	Results  int            `json:"results"`
	Bytes    uint64         `json:"bytes"` // stored
	Workers  []WorkerRecord `json:"workers"`
	Findings []Finding      `json:"findings"`
	Pairs    int            `json:"pairs"` // ordered pairs of conflicting accesses that workers have seen
	Retried  int            `json:"retried"`
}

// WorkerRecord is what a worker says of itself.
type WorkerRecord struct {
	Host       string  `json:"host"`
	PID        int     `json:"pid"`
	Goroutines int     `json:"goroutines"`
	Tasks      int64   `json:"tasks"`   // done
	InHand     int     `json:"in_hand"` // begun, and without a stored result
	Now        []Doing `json:"now"`     // that run, the longest first
}

// Doing is a task that a worker runs, as it was when the worker last said so.
type Doing struct {
	Task string        `json:"task"`
	For  time.Duration `json:"for"`
}

// Status looks at a campaign.
func (c *Conn) Status(ctx context.Context, name string) (*Status, error) {
	r, err := c.record(ctx, name)
	if err != nil {
		return nil, err
	}
	s, err := c.open(ctx, name)
	if err != nil {
		return nil, err
	}
	st := &Status{Record: *r, Workers: []WorkerRecord{}, Findings: []Finding{}}
	tasks, err := s.tasks.Info(ctx)
	if err != nil {
		return nil, err
	}
	consumer, err := s.consumer.Info(ctx)
	if err != nil {
		return nil, err
	}
	results, err := s.results.Info(ctx)
	if err != nil {
		return nil, err
	}
	st.Results, st.Bytes = int(results.State.Msgs), tasks.State.Bytes+results.State.Bytes
	if err = s.fill(ctx, st); err != nil {
		return nil, err
	}
	st.share(int(tasks.State.Msgs), consumer.NumAckPending)
	return st, nil
}

// share sets how many tasks workers are executing and how many are waiting, from the number of tasks in the queue. It takes the first number from
// the workers, since the server also counts tasks that a worker has returned to the queue as delivered. When the campaign is done, both numbers are 0: the
// coordinator has all results, even if acknowledgements were lost and the queue still holds their tasks.
func (st *Status) share(tasks, delivered int) {
	if st.State == Done {
		return
	}
	for _, w := range st.Workers {
		st.InHand += w.InHand
	}
	st.InHand = min(st.InHand, delivered)
	st.Queued = max(0, tasks-st.InHand)
}

// fill reads the buckets.
func (s *store) fill(ctx context.Context, st *Status) error {
	var err error
	if st.Workers, err = values[WorkerRecord](ctx, s.workers); err != nil {
		return err
	}
	if st.Findings, err = values[Finding](ctx, s.findings); err != nil {
		return err
	}
	slices.SortFunc(st.Workers, func(a, b WorkerRecord) int { return cmp.Or(cmp.Compare(a.Host, b.Host), a.PID-b.PID) })
	slices.SortFunc(st.Findings, func(a, b Finding) int { return cmp.Or(a.Order-b.Order, cmp.Compare(a.ID, b.ID)) })
	pairs, err := values[[]uint64](ctx, s.coverage)
	for _, list := range pairs {
		st.Pairs += len(list)
	}
	if err != nil {
		return err
	}
	tries, err := values[tried](ctx, s.tries)
	st.Retried = len(tries)
	return err
}

// values are those of all keys of a bucket.
func values[T any](ctx context.Context, kv jetstream.KeyValue) ([]T, error) {
	w, err := kv.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	defer func() { _ = w.Stop() }() // the subscription ends with the connection, too
	list := []T{}
	for e := range w.Updates() {
		if e == nil { // the end of what there is
			break
		}
		var v T
		if err := json.Unmarshal(e.Value(), &v); err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

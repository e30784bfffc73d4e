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

// Status is the observable state of a campaign.
type Status struct {
	Record
	Queued   int            `json:"queued"`  // tasks that no worker has taken
	InHand   int            `json:"in_hand"` // tasks that workers have begun, by their latest records
	Results  int            `json:"results"`
	Bytes    uint64         `json:"bytes"` // stored
	Workers  []WorkerRecord `json:"workers"`
	Findings []Finding      `json:"findings"`
	Pairs    int            `json:"pairs"` // ordered pairs of conflicting accesses in all workers' results
	Retried  int            `json:"retried"`
}

// WorkerRecord is the record that a worker stores about itself.
type WorkerRecord struct {
	Host       string  `json:"host"`
	PID        int     `json:"pid"`
	Goroutines int     `json:"goroutines"`
	Tasks      int64   `json:"tasks"`   // done
	InHand     int     `json:"in_hand"` // begun, without a stored result
	Now        []Doing `json:"now"`     // running tasks, the longest first
}

// Doing is a running task of a worker, at the time of the latest record.
type Doing struct {
	Task string        `json:"task"`
	For  time.Duration `json:"for"`
}

// Status returns the status of a campaign.
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

// share sets how many tasks workers are executing and how many are waiting, from the number of tasks in the queue. It
// takes the first number from the workers, since the server also counts tasks that a worker has returned to the queue
// as delivered. When the campaign is done, both numbers are 0: the coordinator has all results, even if
// acknowledgements were lost and the queue still holds their tasks.
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
	tries, err := values[attempts](ctx, s.tries)
	st.Retried = len(tries)
	return err
}

// values returns the values of all keys of a bucket.
func values[T any](ctx context.Context, kv jetstream.KeyValue) ([]T, error) {
	w, err := kv.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	defer func() { _ = w.Stop() }() // closing the connection ends the subscription, too
	list := []T{}
	for e := range w.Updates() {
		if e == nil { // all existing values have been read
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

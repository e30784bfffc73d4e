// Tests of results that wait for earlier ones when a campaign ends.

package jetstream

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/ptxsan/ptxsan/runtime/campaign"
)

// TestRest: when a campaign ends before its first task has a result, the results of others are in the report, in the order of the
// tasks.
func TestRest(t *testing.T) {
	s := startServer(t, t.TempDir(), "")
	c := connectTo(t, s)
	e := begin(t, c, kernels)
	var tasks []*campaign.Task
	for _, id := range strings.Split("abcdefghij", "") {
		tasks = append(tasks, &campaign.Task{ID: id, Subject: &campaign.Subject{}})
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	taken := ""
	done := make(chan error)
	go func() {
		done <- e.Do(ctx, tasks, func(x *campaign.Task, r *campaign.Result) error {
			if r.Schedules != 7 {
				t.Errorf("task %s: %+v", x.ID, r)
			}
			taken += x.ID
			return nil
		})
	}()
	j := &job{store: e.store, w: &Worker{Conn: c}, live: newLive(e.store), hands: make(map[jetstream.Msg]begun)}
	j.execute = func(_ context.Context, x *campaign.Task) (*campaign.Result, error) {
		return &campaign.Result{Task: x.ID, Schedules: 7}, nil
	}
	if m, err := e.consumer.Next(jetstream.FetchMaxWait(5 * time.Second)); err != nil || !strings.HasSuffix(m.Subject(), ".a") {
		t.Fatalf("the first task is %v, %v", m, err)
	}
	b, err := e.consumer.Fetch(len(tasks)-1, jetstream.FetchMaxWait(5*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if ran, _, failed := j.batch(t.Context(), b.Messages()); failed != nil || ran != len(tasks)-1 {
		t.Fatalf("%d tasks were run: %v", ran, failed)
	}
	cancel()
	if err = <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if taken != "bcdefghij" {
		t.Errorf("results of %q were taken", taken)
	}
}

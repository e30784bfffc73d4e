// Tests of results that wait for earlier ones when a campaign ends.

package jetstream

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/ptxsan/ptxsan/internal/campaign"
)

// TestRest: when a campaign ends before its first task has a result, the results of others are in the report, in the
// order of the tasks. It ends while the coordinator waits for the first result, or for the server's answer that it has
// queued the tasks.
func TestRest(t *testing.T) {
	t.Run("after queueing", func(t *testing.T) { testRest(t, false) })
	t.Run("while queueing", func(t *testing.T) { testRest(t, true) })
}

func testRest(t *testing.T, whileQueueing bool) {
	s := startServer(t, t.TempDir(), "")
	c := connectTo(t, s)
	e := begin(t, c, kernels)
	var tasks []*campaign.Task
	for _, id := range strings.Split("abcdefghij", "") {
		tasks = append(tasks, &campaign.Task{ID: id, Subject: &campaign.Subject{}})
	}
	if err := e.publish(t.Context(), tasks); err != nil {
		t.Fatal(err)
	}
	runAllButFirst(t, e, c, len(tasks)-1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if whileQueueing {
		cancel()
	} else {
		for _, x := range tasks {
			e.have[x.ID] = true // so that nothing is left to queue
		}
		time.AfterFunc(20*time.Millisecond, cancel)
	}
	taken := ""
	err := e.Do(ctx, tasks, func(x *campaign.Task, r *campaign.Result) error {
		if r.Schedules != 7 {
			t.Errorf("task %s: %+v", x.ID, r)
		}
		taken += x.ID
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if taken != "bcdefghij" {
		t.Errorf("results of %q were taken", taken)
	}
}

// runAllButFirst takes all tasks of the queue, and stores a result for each but the first, which is a.
func runAllButFirst(t *testing.T, e *Engine, c *Conn, others int) {
	t.Helper()
	j := &job{store: e.store, w: &Worker{Conn: c}, live: newLive(e.store), hands: make(map[jetstream.Msg]begun)}
	j.execute = func(_ context.Context, x *campaign.Task) (*campaign.Result, error) {
		return &campaign.Result{Task: x.ID, Schedules: 7}, nil
	}
	if m, err := e.consumer.Next(jetstream.FetchMaxWait(5 * time.Second)); err != nil || !strings.HasSuffix(m.Subject(), ".a") {
		t.Fatalf("the first task is %v, %v", m, err)
	}
	b, err := e.consumer.Fetch(others, jetstream.FetchMaxWait(5*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if ran, _, failed := j.batch(t.Context(), b.Messages()); failed != nil || ran != others {
		t.Fatalf("%d tasks were run: %v", ran, failed)
	}
}

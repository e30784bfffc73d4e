// Tests of tasks that are taken together.

package jetstream

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/ptxsan/ptxsan/internal/campaign"
)

// TestLateTasks tests that tasks that a worker has fetched together with a long one are returned to the queue, run by
// another worker, and count as tried once.
func TestLateTasks(t *testing.T) {
	s := startServer(t, t.TempDir(), "")
	c := connectTo(t, s)
	e := begin(t, c, kernels)
	var tasks []*campaign.Task
	for i := range 10 {
		tasks = append(tasks, &campaign.Task{ID: string(rune('a' + i)), Subject: &campaign.Subject{}})
	}
	if err := e.publish(t.Context(), tasks); err != nil {
		t.Fatal(err)
	}
	started, ends := make(chan bool, len(tasks)), make(chan bool)
	slow := func(context.Context, *campaign.Task) (*campaign.Result, error) {
		started <- true
		<-ends
		return &campaign.Result{}, nil
	}
	quick := func(context.Context, *campaign.Task) (*campaign.Result, error) { return &campaign.Result{}, nil }
	take := func(n int, execute func(context.Context, *campaign.Task) (*campaign.Result, error)) (int, error) {
		j := &job{store: e.store, w: &Worker{Conn: c}, execute: execute, live: newLive(e.store), hands: make(map[jetstream.Msg]begun)}
		b, err := e.consumer.Fetch(n, jetstream.FetchMaxWait(5*time.Second))
		if err != nil {
			return 0, err
		}
		ran, _, err := j.batch(t.Context(), b.Messages())
		return ran, err
	}
	done := make(chan error)
	go func() {
		ran, err := take(len(tasks), slow)
		if err == nil && ran != 1 {
			t.Errorf("%d tasks were run by the first worker", ran)
		}
		done <- err
	}()
	select {
	case <-started:
	case err := <-done:
		t.Fatal(err)
	}
	ran, err := take(len(tasks)-1, quick)
	if err != nil || ran != len(tasks)-1 {
		t.Errorf("%d tasks were run by the second worker: %v", ran, err)
	}
	close(ends)
	if err = <-done; err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		v, err := e.tries.Get(t.Context(), task.ID)
		if err != nil {
			continue // of the task that took long
		}
		if x := string(v.Value()); x != `{"count":1,"last":""}` {
			t.Errorf("task %s: %s", task.ID, x)
		}
	}
}

// TestStatusOfReturnedTasks tests that a returned task counts as waiting in the queue, and not as in progress.
func TestStatusOfReturnedTasks(t *testing.T) {
	s := startServer(t, t.TempDir(), "")
	c := connectTo(t, s)
	e := begin(t, c, kernels)
	var tasks []*campaign.Task
	for i := range 10 {
		tasks = append(tasks, &campaign.Task{ID: string(rune('a' + i)), Subject: &campaign.Subject{PTX: "one.ptx", Launch: "one.yaml"}, Detector: "precise"})
	}
	if err := e.publish(t.Context(), tasks); err != nil {
		t.Fatal(err)
	}
	j := &job{store: e.store, w: &Worker{Conn: c}, hands: make(map[jetstream.Msg]begun)}
	b, err := e.consumer.Fetch(6, jetstream.FetchMaxWait(5*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	for m := range b.Messages() {
		if len(j.hands) < 2 {
			j.hold(m, tasks[len(j.hands)])
		} else if err = j.giveBack(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	if err = j.register(t.Context(), "key", "host"); err != nil {
		t.Fatal(err)
	}
	if st := statusOf(t, c); st.InHand != 2 || st.Queued != 8 {
		t.Errorf("%+v\nwant 2 tasks in hand and 8 waiting", st)
	} else if len(st.Workers) != 1 || len(st.Workers[0].Now) != 2 || !strings.Contains(st.Workers[0].Now[0].Task+st.Workers[0].Now[1].Task, "one.ptx under precise") {
		t.Errorf("%+v\nwant the two tasks that run", st.Workers)
	}
}

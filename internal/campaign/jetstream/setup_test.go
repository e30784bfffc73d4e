// Tests of setting campaigns up on servers that lose what they store.

package jetstream

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// TestLostFolder: a campaign whose server removes the folder of the account while streams are being made in it, as
// a server does that sets the account up for another client, finds the same as one process, and is there when the
// server is started again.
func TestLostFolder(t *testing.T) {
	t.Parallel()
	_, want := reference(t, kernels)
	for _, last := range []string{"ptxsan-test-task", "KV_ptxsan-test-findings", "KV_ptxsan-test-workers"} {
		t.Run(last, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := startServer(t, dir, "")
			c, err := Dial(Access{URL: s.URL()})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(c.Close)
			go removeWith(t.Context(), filepath.Join(dir, "jetstream", "$G", "streams"), last)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			camp, blobs := openPlan(t, kernels)
			e, err := c.Begin(ctx, camp, blobs, version, ackWait)
			if err != nil {
				t.Fatal(err)
			}
			work(t, connectTo(t, s), 2)
			out, err := e.Campaign.Run(ctx, e)
			if err != nil {
				t.Fatal(err)
			}
			if jsonOf(t, out) != want {
				t.Error("the report differs from that of one process")
			}
			if err = e.End(ctx, out, Done); err != nil {
				t.Fatal(err)
			}
			c.Close()
			s.Close()
			if _, _, err = connectTo(t, startServer(t, dir, "")).SavedReport(ctx, "test"); err != nil {
				t.Error(err)
			}
		})
	}
}

// removeWith removes a folder as soon as it has a folder of the name. What is made meanwhile may stay.
func removeWith(ctx context.Context, dir, name string) {
	for ctx.Err() == nil {
		if _, err := os.Stat(filepath.Join(dir, name, "meta.sum")); err == nil {
			break
		}
		time.Sleep(50 * time.Microsecond)
	}
	_ = os.RemoveAll(dir)
}

// TestQueueStore tests that a campaign tries again when a server cannot write the files of a queue, and finally reports
// the server's reason.
func TestQueueStore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := startServer(t, dir, "")
	c := connectTo(t, s)
	begin(t, c, kernels)
	queue := filepath.Join(dir, "jetstream", "$G", "streams", "ptxsan-test-task")
	if err := c.js.DeleteConsumer(t.Context(), "ptxsan-test-task", "workers"); err != nil {
		t.Fatal(err)
	}
	obstacle := filepath.Join(queue, "obs")
	if err := os.RemoveAll(obstacle); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(obstacle, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := c.setUp(t.Context(), "test", ackWait)
	if err == nil || !strings.Contains(err.Error(), "the campaign test cannot be set up on the server") || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("%v: expected what is wrong with the queue", err)
	}
	time.AfterFunc(settle+settle/2, func() {
		if failed := os.Remove(obstacle); failed != nil {
			t.Error(failed)
		}
	})
	if _, err = c.setUp(t.Context(), "test", ackWait); err != nil {
		t.Error(err)
	}
}

// TestLateJetStream tests that a server may enable JetStream a moment after it accepts clients.
func TestLateJetStream(t *testing.T) {
	t.Parallel()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	go s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(startTime) {
		t.Fatal("the server does not start")
	}
	access := Access{URL: "nats://" + s.Addr().String()}
	if _, err = Dial(access); err == nil || !strings.Contains(err.Error(), "it has no JetStream for this client") {
		t.Errorf("%v: expected that there is no JetStream", err)
	}
	dir := t.TempDir()
	time.AfterFunc(settle+settle/2, func() {
		if failed := s.EnableJetStream(&server.JetStreamConfig{StoreDir: dir, MaxMemory: 1 << 20, MaxStore: 1 << 20}); failed != nil {
			t.Error(failed)
		}
	})
	c, err := Dial(access)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}

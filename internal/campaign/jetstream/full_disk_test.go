// Tests of a server whose disk is full.

package jetstream

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestFullDisk: a campaign ends with an error when its server's disk is full, and finds the same as
// one process when it is resumed with more room.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	dir := smallDisk(t, "600k")
	text := strings.NewReplacer("task: {schedules: 4}", "task: {schedules: 1}", "schedules: 40", "schedules: 300", "quiet: 20", "quiet: 0").Replace(kernels)
	s := startServer(t, dir+"/state", "")
	c := connectTo(t, s)
	if err := runFull(t, s, c, begin(t, c, text)); err == nil || !strings.Contains(err.Error(), "disk full?") {
		t.Fatalf("%v: expected that the disk is full", err)
	}
	c.Close()
	s.Close()
	if out, err := exec.Command("mount", "-o", "remount,size=100m", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v, %s", err, out)
	}
	s = startServer(t, dir+"/state", "")
	c = connectTo(t, s)
	e, err := c.Resume(t.Context(), "test", version, ackWait)
	if err != nil {
		t.Fatal(err)
	}
	work(t, connectTo(t, s), 2)
	out, err := e.Campaign.Run(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if _, want := reference(t, text); jsonOf(t, out) != want {
		t.Error("the report differs from that of one process")
	}
}

// smallDisk returns a folder of a file system with little room.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("a small file system cannot be mounted here (only root may): %v, %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", "-l", dir).CombinedOutput(); err != nil {
			t.Errorf("%v, %s", err, out)
		}
	})
	return dir
}

// TestFullDiskAtOnce: a campaign whose server has no room for it does not begin, and says why before long, whether
// the room ends with its streams or with what they hold.
func TestFullDiskAtOnce(t *testing.T) {
	t.Parallel()
	for _, size := range []string{"60k", "80k", "90k"} {
		t.Run(size, func(t *testing.T) {
			c := connectTo(t, startServer(t, smallDisk(t, size)+"/state", ""))
			camp, blobs := openPlan(t, kernels)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if _, err := c.Begin(ctx, camp, blobs, version, ackWait); err == nil || !strings.Contains(err.Error(), "disk full") {
				t.Errorf("%v: expected that the disk is full", err)
			}
		})
	}
}

// runFull runs a campaign with a worker until it ends.
func runFull(t *testing.T, s *Server, c *Conn, e *Engine) error {
	t.Helper()
	ctx, cancel := e.Watch(t.Context(), 100*time.Millisecond, s.Healthy)
	defer cancel(nil)
	go func() {
		if err := (&Worker{Conn: c, Version: version, Count: 1}).Run(ctx); err != nil {
			cancel(err)
		}
	}()
	_, err := e.Campaign.Run(ctx, e)
	return err
}

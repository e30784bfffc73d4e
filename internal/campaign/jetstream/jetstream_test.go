// Tests of campaigns on a server: with workers in this process and in others, which die.

package jetstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/internal/campaign"
)

const (
	version = "ptxsan test"
	ackWait = 2 * time.Second
)

// TestMain makes the test program a worker if an environment variable says so.
func TestMain(m *testing.M) {
	if url := os.Getenv("PTXSAN_TEST_WORKER"); url != "" {
		c, err := Dial(Access{URL: url})
		if err == nil {
			err = (&Worker{Conn: c, Version: version, Count: 1, Once: true}).Run(context.Background())
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const kernels = `name: test
kernels:
  - {ptx: SUITE/micro/lock/thread-locks-*d.ptx}
  - {ptx: SUITE/micro/lock/thread-locks-racy.ptx}
  - {ptx: SUITE/micro/barrier/b*-racy.ptx}
  - {ptx: SUITE/micro/fence/p*-flag-racy.ptx}
detectors: [precise, barracuda]
schedules: 40
budget: {quiet: 20}
task: {schedules: 4}
`

func openPlan(t *testing.T, text string) (*campaign.Campaign, campaign.Blobs) {
	t.Helper()
	suite, err := filepath.Abs("../../../examples/suite")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "plan.yaml")
	if err = os.WriteFile(name, []byte(strings.ReplaceAll(text, "SUITE", suite)), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := campaign.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	c, blobs, err := campaign.Open(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c, blobs
}

// reference returns the report of one process.
func reference(t *testing.T, text string) (*campaign.Outcome, string) {
	t.Helper()
	c, blobs := openPlan(t, text)
	out, err := c.Run(t.Context(), &campaign.Local{Executor: &campaign.Executor{Blobs: blobs}})
	if err != nil {
		t.Fatal(err)
	}
	return out, jsonOf(t, out)
}

func jsonOf(t *testing.T, out *campaign.Outcome) string {
	t.Helper()
	var b bytes.Buffer
	if err := out.Report.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func startServer(t *testing.T, dir, listen string) *Server {
	t.Helper()
	s, err := StartServer(ServerOptions{Dir: dir, Listen: listen})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func connectTo(t *testing.T, s *Server) *Conn {
	t.Helper()
	c, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func begin(t *testing.T, c *Conn, text string) *Engine {
	t.Helper()
	camp, blobs := openPlan(t, text)
	e, err := c.Begin(t.Context(), camp, blobs, version, ackWait)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// work runs a worker in this process until the test ends.
func work(t *testing.T, c *Conn, count int) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- (&Worker{Conn: c, Version: version, Count: count}).Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// TestInProcess: workers of the process find what one finds without a server, and the buckets
// have it, too.
func TestInProcess(t *testing.T) {
	t.Parallel()
	want, text := reference(t, kernels)
	s := startServer(t, t.TempDir(), "")
	c := connectTo(t, s)
	e := begin(t, c, kernels)
	work(t, connectTo(t, s), 2)
	out, err := e.Campaign.Run(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if got := jsonOf(t, out); got != text {
		t.Errorf("the report differs:\n%s\nwant\n%s", got, text)
	}
	if err = e.End(t.Context(), out, Done); err != nil {
		t.Fatal(err)
	}
	st := statusOf(t, c)
	if len(st.Findings) != len(want.Report.Races) || st.Pairs != want.Progress.Conflicts || st.Queued+st.InHand != 0 || st.Results != want.Progress.Tasks {
		t.Errorf("status %+v\nwant that of %+v with %d races", st, want.Progress, len(want.Report.Races))
	}
	rep, replays, err := c.SavedReport(t.Context(), "test")
	if err != nil || len(rep.Races) != len(want.Report.Races) || !strings.Contains(string(replays), want.Report.Races[0].ID) {
		t.Errorf("the saved report: %v, replays %s", err, replays)
	}
}

// statusOf returns the status of the campaign.
func statusOf(t *testing.T, c *Conn) *Status {
	t.Helper()
	st, err := c.Status(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// workerProcess starts the test program as a worker.
func workerProcess(t *testing.T, url string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PTXSAN_TEST_WORKER="+url)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// TestKilled: three worker processes are killed again and again, one is paused for longer than
// the server waits, and the server is restarted twice. The report is that of one process, to the
// byte.
func TestKilled(t *testing.T) {
	t.Parallel()
	kills := 50
	if testing.Short() {
		kills = 6
	}
	text := strings.Replace(kernels, "quiet: 20", "quiet: 0", 1)
	if !testing.Short() {
		text = strings.Replace(text, "schedules: 40", "schedules: 600", 1)
	}
	_, want := reference(t, text)
	dir := t.TempDir()
	s := startServer(t, dir, "")
	address := s.s.Addr().String()
	c, err := Dial(Access{URL: s.URL()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	e := begin(t, c, text)
	type ended struct {
		out *campaign.Outcome
		err error
	}
	done := make(chan ended, 1)
	go func() {
		out, failed := e.Campaign.Run(t.Context(), e)
		done <- ended{out, failed}
	}()
	var workers [3]*exec.Cmd
	for i := range workers {
		workers[i] = workerProcess(t, s.URL())
	}
	t.Cleanup(func() {
		for _, w := range workers {
			_ = w.Process.Kill()
			_ = w.Wait()
		}
	})
	if err = workers[0].Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	resume, running := time.After(2*ackWait), workers[1:]
	random, killed := rand.New(rand.NewPCG(1, 2)), 0
	for {
		select {
		case <-resume:
			if err = workers[0].Process.Signal(syscall.SIGCONT); err != nil {
				t.Fatal(err)
			}
			running = workers[:]
			continue
		case r := <-done:
			if r.err != nil {
				t.Fatal(r.err)
			}
			if got := jsonOf(t, r.out); got != want {
				t.Errorf("the report differs:\n%s\nwant\n%s", got, want)
			}
			t.Logf("%d kills of workers, %+v", killed, r.out.Progress)
			return
		case <-time.After(time.Duration(100+random.IntN(400)) * time.Millisecond):
		}
		if killed == kills {
			continue
		}
		forgetTries(t, e)
		w := &running[random.IntN(len(running))]
		_ = (*w).Process.Kill()
		_ = (*w).Wait()
		if killed++; killed == kills/3 || killed == 2*kills/3 {
			s.Close()
			token := s.token
			s = restart(t, dir, address, token)
		}
		*w = workerProcess(t, s.URL())
	}
}

// forgetTries deletes the records of attempts, so that a task whose workers are killed three times by chance is not set
// aside.
func forgetTries(t *testing.T, e *Engine) {
	err := patiently(t.Context(), func(ctx context.Context) error {
		keys, err := e.tries.ListKeys(ctx)
		if err != nil {
			return err
		}
		for id := range keys.Keys() {
			err = errors.Join(err, e.tries.Delete(ctx, id))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// restart starts a server again with the data, address and token of one that was closed.
func restart(t *testing.T, dir, address, token string) *Server {
	t.Helper()
	s, err := startWith(ServerOptions{Dir: dir, Listen: address}, token)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// TestVersions: a worker of another version refuses the campaign, and so does another coordinator.
func TestVersions(t *testing.T) {
	s := startServer(t, t.TempDir(), "")
	c := connectTo(t, s)
	begin(t, c, kernels)
	err := (&Worker{Conn: c, Version: "ptxsan other", Count: 1}).Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "campaign test was begun by ptxsan test, and this worker is ptxsan other") {
		t.Error(err)
	}
	if _, err = c.Resume(t.Context(), "test", "ptxsan other", ackWait); err == nil || !strings.Contains(err.Error(), "this coordinator is ptxsan other") {
		t.Error(err)
	}
	camp, blobs := openPlan(t, kernels)
	if _, err = c.Begin(t.Context(), camp, blobs, version, ackWait); !errors.Is(err, ErrExists) {
		t.Error(err)
	}
}

// TestStopResume: a campaign that is stopped can be gone on with, by another coordinator and
// after another start of the server, and finds the same.
func TestStopResume(t *testing.T) {
	t.Parallel()
	_, want := reference(t, kernels)
	dir := t.TempDir()
	s := startServer(t, dir, "")
	c := connectTo(t, s)
	e := begin(t, c, kernels)
	ctx, cancel := e.Watch(t.Context(), 10*time.Millisecond, s.Healthy)
	defer cancel(nil)
	e.Campaign.Progress = func(p *campaign.Progress) {
		if e.Report(p); p.Taken == 40 {
			if err := c.Stop(t.Context(), "test"); err != nil {
				t.Error(err)
			}
			<-ctx.Done()
		}
	}
	working, stop := context.WithCancel(t.Context())
	finished := make(chan error)
	go func() { finished <- (&Worker{Conn: c, Version: version, Count: 2}).Run(working) }()
	out, err := e.Campaign.Run(ctx, e)
	if !errors.Is(err, ErrStopped) || out.Progress.Taken < 40 {
		t.Fatalf("%v, %+v", err, out.Progress)
	}
	stop()
	if err = <-finished; err != nil {
		t.Error(err)
	}
	if err = e.End(t.Context(), out, Stopped); err != nil {
		t.Fatal(err)
	}
	c.Close()
	s.Close()

	s = startServer(t, dir, "")
	c = connectTo(t, s)
	if e, err = c.Resume(t.Context(), "test", version, ackWait); err != nil {
		t.Fatal(err)
	}
	work(t, connectTo(t, s), 1)
	if out, err = e.Campaign.Run(t.Context(), e); err != nil {
		t.Fatal(err)
	}
	if got := jsonOf(t, out); got != want {
		t.Errorf("the report differs:\n%s\nwant\n%s", got, want)
	}
}

// TestPoison: a task that kills its worker each time is set aside after three tries, and the
// others are run.
func TestPoison(t *testing.T) {
	s := startServer(t, t.TempDir(), "")
	c := connectTo(t, s)
	e := begin(t, c, strings.Replace(kernels, "task: {schedules: 4}", "task: {schedules: 4, time: 1ns}\nprove: false", 1))
	work(t, connectTo(t, s), 2)
	out, err := e.Campaign.Run(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(out.SetAside); n == 0 || n != out.Progress.Taken || !strings.Contains(out.SetAside[0], "3 tries failed, the last one: 1ns, the limit of a task") {
		t.Errorf("%d of %d set aside, %q", n, out.Progress.Taken, out.SetAside[:min(n, 1)])
	}
}

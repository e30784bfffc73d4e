// A campaign on a cluster of three servers, one of which goes in the middle.

package jetstream

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/ptxsan/ptxsan/internal/campaign"
)

// startCluster starts servers that keep copies of each other's streams.
func startCluster(t *testing.T, size int) (servers []*server.Server, urls string) {
	t.Helper()
	ports := make([]int, size)
	var routes []*url.URL
	var reserved []net.Listener
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		ports[i] = l.Addr().(*net.TCPAddr).Port
		routes = append(routes, &url.URL{Scheme: "nats", Host: l.Addr().String()})
		reserved = append(reserved, l)
	}
	for _, l := range reserved {
		l.Close()
	}
	for i, port := range ports {
		o := &server.Options{
			ServerName: fmt.Sprint("server-", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true,
			JetStream: true, StoreDir: t.TempDir(), Routes: routes, Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: port},
		}
		s, err := server.NewServer(o)
		if err != nil {
			t.Fatal(err)
		}
		go s.Start()
		t.Cleanup(func() {
			s.Shutdown()
			s.WaitForShutdown()
		})
		servers = append(servers, s)
	}
	var list []string
	for _, s := range servers {
		if !s.ReadyForConnections(startTime) {
			t.Fatal("a server of the cluster does not start")
		}
		list = append(list, "nats://"+s.Addr().String())
	}
	return servers, strings.Join(list, ",")
}

// TestCluster: the server that leads the queue of tasks is stopped in the middle, and the report is that of
// one process, to the byte.
func TestCluster(t *testing.T) {
	const size = 3
	_, want := reference(t, kernels)
	servers, urls := startCluster(t, size)
	access := Access{URL: urls, Replicas: size}
	dial := func(a Access) *Conn {
		t.Helper()
		c, err := Dial(a)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		return c
	}
	c := dial(access)
	e := begin(t, c, kernels)
	work(t, dial(Access{URL: urls}), 2) // without the number of copies
	stopped := ""
	e.Campaign.Progress = func(p *campaign.Progress) {
		if stopped != "" || p.Taken < 20 {
			return
		}
		stopped = leader(t, c)
		for _, s := range servers {
			if s.Name() == stopped {
				s.Shutdown()
				s.WaitForShutdown()
			}
		}
	}
	out, err := e.Campaign.Run(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	if got := jsonOf(t, out); got != want {
		t.Errorf("the report differs:\n%s\nwant\n%s", got, want)
	}
	if err = e.End(t.Context(), out, Done); err != nil {
		t.Fatal(err)
	}
	if stopped == "" {
		t.Fatal("no server was stopped")
	}
	if now := leader(t, c); now == stopped {
		t.Errorf("server %s leads, which was stopped", now)
	}
	for name := range c.js.StreamNames(t.Context()).Name() {
		s, err := c.js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if n := s.CachedInfo().Config.Replicas; n != size {
			t.Errorf("%s has %d copies, want %d", name, n, size)
		}
	}
	st := statusOf(t, c)
	if st.State != Done || st.Results != out.Progress.Tasks || st.Queued != 0 {
		t.Errorf("status %+v, want all %d tasks done", st, out.Progress.Tasks)
	}
}

// leader returns the name of the server that leads the queue of tasks.
func leader(t *testing.T, c *Conn) string {
	t.Helper()
	for range 100 {
		s, err := c.js.Stream(t.Context(), "ptxsan-test-task")
		if err == nil && s.CachedInfo().Cluster != nil && s.CachedInfo().Cluster.Leader != "" {
			return s.CachedInfo().Cluster.Leader
		}
		if err != nil && !isAway(err) && !errors.Is(err, jetstream.ErrNoStreamResponse) {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("the queue of tasks has no leader")
	return ""
}

// TestCopies: a server alone cannot keep copies, and says so.
func TestCopies(t *testing.T) {
	s := startServer(t, t.TempDir(), "")
	c, err := Dial(Access{URL: s.URL(), Replicas: 3})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	camp, blobs := openPlan(t, kernels)
	_, err = c.Begin(t.Context(), camp, blobs, version, ackWait)
	var refused *AccessError
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "the server cannot keep 3 copies") || strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
}

// Package jetstream runs campaigns on NATS JetStream: a server inside the process or a cluster
// elsewhere, and workers in this process or on any machine.
//
// On the server, a campaign has a work queue of tasks, from which a task is removed when a worker
// acknowledges it; a stream of results, one for each task; an object store with the files of
// kernels, and with results and reports that are large; and buckets of keys and values for
// findings, coverage, tries and workers (store.go). The coordinator ([Engine]) fills the queue and
// reads results, workers ([Worker]) do the opposite. Any of them may die at any time: a task that
// is not acknowledged is delivered again, and a second result of a task is refused by the server.
//
// The package must know neither command lines nor what tasks do.
package jetstream

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// ServerOptions are those of a server inside the process.
type ServerOptions struct {
	Dir    string // where it keeps its data
	Listen string // host:port to serve on; "" for a port of this machine alone, which the system chooses
	Limit  int64  // bytes of the data, 0 for what the disk has
}

// Server is a NATS server inside the process.
type Server struct {
	s     *server.Server
	token string
	dir   string
}

// addressFile is the file in a server's folder that says how to reach it, for this user.
const addressFile = "server.url"

// startTime is how long a server may take to be ready.
const startTime = 30 * time.Second

// StartServer starts a server. There must be no other one in its folder.
func StartServer(o ServerOptions) (*Server, error) {
	if url, err := RunningServer(o.Dir); err == nil {
		return nil, fmt.Errorf("%s: a campaign runs there already, at %s", o.Dir, redacted(url))
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, err
	}
	return startWith(o, rand.Text())
}

// startWith starts a server that a token lets in.
func startWith(o ServerOptions, token string) (*Server, error) {
	host, port, err := listenAddress(o.Listen)
	if err != nil {
		return nil, err
	}
	options := &server.Options{
		ServerName: "ptxsan", Host: host, Port: port, Authorization: token,
		JetStream: true, StoreDir: o.Dir, JetStreamMaxStore: o.Limit, NoSigs: true, NoLog: true,
	}
	s, err := server.NewServer(options)
	if err != nil {
		return nil, fmt.Errorf("the server of the campaign: %w", err)
	}
	go s.Start()
	e := &Server{s: s, token: token, dir: o.Dir}
	if !s.ReadyForConnections(startTime) || !s.JetStreamEnabled() {
		s.Shutdown()
		return nil, fmt.Errorf("the server of the campaign does not start with its data in %s and address %s", o.Dir, net.JoinHostPort(host, strconv.Itoa(port)))
	}
	if err := os.WriteFile(filepath.Join(o.Dir, addressFile), []byte(e.URL()+"\n"), 0o600); err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

// listenAddress is where to listen; without a wish, on a free port for this machine.
func listenAddress(listen string) (host string, port int, err error) {
	if listen == "" {
		return "127.0.0.1", server.RANDOM_PORT, nil
	}
	host, text, err := net.SplitHostPort(listen)
	if err != nil {
		return "", 0, err
	}
	if port, err = strconv.Atoi(text); err != nil || port < 0 || port > 1<<16-1 {
		return "", 0, fmt.Errorf("address %s: expected HOST:PORT", listen)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	return host, port, nil
}

// URL is how workers reach the server. It holds the token that lets them in.
func (e *Server) URL() string {
	return "nats://" + e.token + "@" + e.s.Addr().String()
}

// Connect connects to the server without a network.
func (e *Server) Connect() (*Conn, error) {
	c, err := connect("", nats.InProcessServer(e.s), nats.Token(e.token))
	if err == nil {
		c.healthy = e.Healthy
	}
	return c, err
}

// Healthy reports why the server cannot store more, if it cannot. A server that has failed to write to a stream, as when the
// disk is full, no longer answers who uses the stream, until it is started again.
func (e *Server) Healthy() error {
	wrong := fmt.Errorf("the server of the campaign cannot write to %s: is the disk full?", e.dir)
	if !e.s.JetStreamEnabled() {
		return wrong
	}
	for _, x := range e.s.Healthz(&server.HealthzOptions{Details: true}).Errors {
		// A stream that is being made or deleted is an error here, too, and none to us.
		if x.Type == server.HealthzErrorStream && strings.Contains(x.Error, "write error") {
			return fmt.Errorf("%w %s", wrong, x.Error)
		}
	}
	return nil
}

// Close ends the server. What it has stored stays.
func (e *Server) Close() {
	e.s.Shutdown()
	e.s.WaitForShutdown()
	_ = os.Remove(filepath.Join(e.dir, addressFile)) // a stale one does no harm
}

// RunningServer is the URL of the server that runs in a folder. The error is fs.ErrNotExist when
// none does.
func RunningServer(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, addressFile))
	if err != nil {
		return "", err
	}
	url := strings.TrimSpace(string(text))
	_, address, _ := strings.Cut(url, "@")
	c, err := net.DialTimeout("tcp", address, time.Second)
	if err != nil {
		return "", errors.Join(fs.ErrNotExist, err)
	}
	return url, c.Close()
}

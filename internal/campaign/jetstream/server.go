// Package jetstream runs campaigns on NATS JetStream: a server inside the process or an external cluster, and workers
// in this process or on any machine.
//
// The server has for each campaign: a work queue of tasks, from which a task is removed when a worker acknowledges it;
// a stream of results, one for each task; an object store with the files of kernels, and with large results and
// reports; and buckets of keys and values for findings, coverage, attempts and workers (store.go). The coordinator
// ([Engine]) fills the queue and reads results; workers ([Worker]) read the queue and write results. Any of them may
// die at any time: a task that is not acknowledged is delivered again, and the server rejects a second result of a
// task.
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

// ServerOptions configures a server inside the process.
type ServerOptions struct {
	Dir    string // the folder of its data
	Listen string // host:port to serve on; "" for a free port that only this machine can reach
	Limit  int64  // maximum bytes of its data, 0 for the free space of the disk
}

// Server is a NATS server inside the process.
type Server struct {
	s     *server.Server
	token string
	dir   string
}

// addressFile is the file in a server's folder with its URL, which only this user can read.
const addressFile = "server.url"

// startTime limits the time until a server is ready.
const startTime = 30 * time.Second

// StartServer starts a server. No other server may be running in its folder.
func StartServer(o ServerOptions) (*Server, error) {
	if url, err := RunningServer(o.Dir); err == nil {
		return nil, fmt.Errorf("%s: a campaign runs there already, at %s", o.Dir, redacted(url))
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, err
	}
	return startWith(o, rand.Text())
}

// startWith starts a server that accepts clients with a token.
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
		return nil, fmt.Errorf("the server of the campaign does not start with its data in %s and address %s", o.Dir,
			net.JoinHostPort(host, strconv.Itoa(port)))
	}
	if err := os.WriteFile(filepath.Join(o.Dir, addressFile), []byte(e.URL()+"\n"), 0o600); err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

// listenAddress returns the address to listen on. The default is a free port that only this machine can reach.
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

// URL returns the URL for workers. It contains the token.
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

// Healthy returns an error if the server cannot store more data. A server that has failed to write to a stream, for
// example because the disk is full, no longer answers clients of the stream until it is restarted.
func (e *Server) Healthy() error {
	wrong := fmt.Errorf("the server of the campaign cannot write to %s: is the disk full?", e.dir)
	if !e.s.JetStreamEnabled() {
		return wrong
	}
	for _, x := range e.s.Healthz(&server.HealthzOptions{Details: true}).Errors {
		// The server also reports a stream that is being created or deleted, which is no error here.
		if x.Type == server.HealthzErrorStream && strings.Contains(x.Error, "write error") {
			return fmt.Errorf("%w %s", wrong, x.Error)
		}
	}
	return nil
}

// Close stops the server. Its stored data remain.
func (e *Server) Close() {
	e.s.Shutdown()
	e.s.WaitForShutdown()
	_ = os.Remove(filepath.Join(e.dir, addressFile)) // a stale file does no harm
}

// RunningServer returns the URL of the server that runs in a folder. The error is fs.ErrNotExist when
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

// Package attached checks applications on their own GPU. A shim in front of the CUDA driver, in
// each process of the application, forwards what the application loads and launches. Modules that
// are loaded as PTX are instrumented for a detector inside the kernel, and compiled by the driver.
// Before a launch, the application's own driver sets up the detector's memory; after it, the
// findings are read. Modules without PTX run unchanged.
//
// It must not know how the shim executes commands, nor who started the application.
package attached

import (
	"net"
	"os"
	"sync"

	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/cuda/socket"
	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// Environment variables for the shim: the server's socket and the path of the driver (attached.c).
const (
	SocketVariable = "PTXSAN_GPU_SOCKET"
	DriverVariable = "PTXSAN_GPU_DRIVER"
)

// Server checks the launches of each process that connects.
type Server struct {
	opts   *cuda.Options
	socket *socket.Server

	mu        sync.Mutex
	processes []*process
}

// Listen makes a server at a path, which must not exist.
func Listen(path string, o *cuda.Options) (*Server, error) {
	l, err := socket.Listen(path)
	if err != nil {
		return nil, err
	}
	return &Server{opts: o, socket: l}, nil
}

// Serve serves until Close.
func (s *Server) Serve() {
	s.socket.Serve(func(c *net.UnixConn) error { return s.newProcess(c).serve() })
}

func (s *Server) newProcess(c net.Conn) *process {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &process{
		opts: s.opts, line: &line{c}, contexts: make(map[uint64]*gpuContext),
		modules: make(map[uint64]*module), registered: make(map[uint64]*session.Program),
		selector: cuda.Selector{Selection: s.opts.Selection},
	}
	s.processes = append(s.processes, p)
	return p
}

// Close ends the service: no process can connect any more, and it waits for the connected ones. It returns the first
// internal error of any process.
func (s *Server) Close() error { return s.socket.Close() }

// Reports returns a report for each process, in the order of connection. There are none before Close.
func (s *Server) Reports() (list []*report.Report) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.processes {
		list = append(list, p.reports...)
	}
	return list
}

// isChild reports whether this process is the parent of another.
func isChild(parent uint64) bool { return parent == uint64(os.Getpid()) }

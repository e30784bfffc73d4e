//go:build !linux

// Systems on which applications cannot be served.

package wire

import (
	"errors"

	"github.com/ptxsan/ptxsan/runtime/cuda"
)

// Server is what serves an application; there is none on this system.
type Server struct{}

// Listen returns an error: the drop-in libraries share memory with the server by means of Linux.
func Listen(string, *cuda.Options) (*Server, error) {
	return nil, errors.New("applications can be executed on Linux only")
}

// Serve does nothing.
func (*Server) Serve() {}

// Close does nothing.
func (*Server) Close() error { return nil }

// Processes are none.
func (*Server) Processes() []*cuda.Process { return nil }

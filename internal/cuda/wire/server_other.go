//go:build !linux

// Systems on which applications cannot be served.

package wire

import (
	"errors"

	"github.com/ptxsan/ptxsan/internal/cuda"
)

// Server is a stub: this system is not supported.
type Server struct{}

// Listen returns an error: sharing memory with the drop-in libraries requires Linux.
func Listen(string, *cuda.Options) (*Server, error) {
	return nil, errors.New("applications can be executed on Linux only")
}

// Serve does nothing.
func (*Server) Serve() {}

// Close does nothing.
func (*Server) Close() error { return nil }

// Processes returns nil.
func (*Server) Processes() []*cuda.Process { return nil }

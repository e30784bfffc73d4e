// Package socket is what the servers of an application's processes share: a Unix socket to which
// each process connects, and the encoding of numbers in requests.
//
// It must not know what the requests mean.
package socket

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"syscall"

	"github.com/ptxsan/ptxsan/internal/panics"
)

// Server serves each process that connects to its socket.
type Server struct {
	listener *net.UnixListener
	done     sync.WaitGroup

	mu  sync.Mutex
	err error // first internal error
}

// Listen makes a server at a path, which must not exist.
func Listen(path string) (*Server, error) {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	return &Server{listener: l}, nil
}

// Serve calls process for each connection, until Close. It keeps the first error for which Ended is false.
func (s *Server) Serve(process func(*net.UnixConn) error) {
	for {
		c, err := s.listener.AcceptUnix()
		if err != nil {
			return
		}
		s.done.Add(1)
		go func() {
			defer s.done.Done()
			defer c.Close()
			var err error
			if p := panics.Attempt(func() { err = process(c) }); p != nil {
				err = fmt.Errorf("internal error: %v", p)
			}
			if !Ended(err) {
				s.fail(err)
			}
		}()
	}
}

// fail keeps the first error.
func (s *Server) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
}

// Close ends the service: no process can connect any more, and it waits for the connected ones. It returns the first
// internal error of any process.
func (s *Server) Close() error {
	s.listener.Close()
	s.done.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// ErrProtocol ends the connection of a process that violates the protocol.
var ErrProtocol = errors.New("a request that no library sends")

// Ended reports whether an error, which may be nil, means that the process has gone or was disconnected.
func Ended(err error) bool {
	for _, gone := range []error{io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE, ErrProtocol} {
		if errors.Is(err, gone) {
			return true
		}
	}
	return err == nil
}

// Fields decodes the little-endian numbers of a request. Missing ones decode as zeros, and set Bad.
type Fields struct {
	Rest []byte
	Bad  bool
}

// U64 reads a number of 64 bits.
func (f *Fields) U64() uint64 {
	b := f.take(8)
	if b == nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b)
}

// U32 reads a number of 32 bits.
func (f *Fields) U32() uint32 {
	b := f.take(4)
	if b == nil {
		return 0
	}
	return binary.LittleEndian.Uint32(b)
}

func (f *Fields) take(n int) []byte {
	if len(f.Rest) < n {
		f.Bad = true
		return nil
	}
	b := f.Rest[:n]
	f.Rest = f.Rest[n:]
	return b
}

//go:build linux

// Requests about memory that processes share.

package wire

import (
	"slices"

	"github.com/ptxsan/ptxsan/internal/cuda"
)

// What a request about such memory asks for. The numbers are those of wire.h.
const (
	shareExport = iota // address; number of the handle
	shareOpen          // number of the handle; address
	shareClose         // address
)

// share executes the request.
func (c *connection) share(f *fields) ([]byte, error) {
	what, a := numbered(f, 1)
	switch what {
	case shareExport:
		e, err := c.device.Export(a[0])
		if err != nil {
			return nil, err
		}
		return le.AppendUint64(nil, c.server.handleOf(e)), nil
	case shareOpen:
		e := c.server.exportOf(a[0])
		if e == nil {
			return nil, &cuda.Error{Result: cuda.InvalidValue, Why: "the handle is not one of this application's"}
		}
		address, err := c.device.Import(e, c.in)
		return le.AppendUint64(nil, address), err
	case shareClose:
		return nil, c.device.CloseImported(a[0], c.in)
	}
	f.Bad = true
	return nil, nil
}

// handleOf returns the number of exported memory.
func (s *Server) handleOf(e *cuda.Exported) uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.exported, e)
	if i < 0 {
		i = len(s.exported)
		s.exported = append(s.exported, e)
	}
	return uint64(i) + 1
}

// exportOf returns the exported memory of a number, nil if there is none.
func (s *Server) exportOf(number uint64) *cuda.Exported {
	s.mu.Lock()
	defer s.mu.Unlock()
	if number == 0 || number > uint64(len(s.exported)) {
		return nil
	}
	return s.exported[number-1]
}

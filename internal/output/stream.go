// Package output writes results so that none is lost silently or left half-written, and so that no name of unknown
// origin controls a terminal.
//
// A Stream keeps the first error of a write, so that a command can print lines without checking
// each result. Files writes a file whole under a temporary name and renames it, so that no reader
// ever finds half of it. It also keeps the list of temporary files to remove when the process ends
// early. Text passes through Escaping and JSON through JSON; data that other programs read, such as PTX, is
// written to Raw. The package must not know what is written.
package output

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"
)

// Stream is a writer that keeps its first error, and writes nothing after it. It is safe for use by several goroutines.
type Stream struct {
	w      io.Writer // the destination
	shown  io.Writer // w, or Escaping(w)
	failed func()

	mu  sync.Mutex
	err error // the first
}

// NewStream returns a stream that writes to w. At the first error it calls failed, which may be nil.
func NewStream(w io.Writer, failed func()) *Stream { return &Stream{w: w, shown: w, failed: failed} }

// NewEscapingStream returns a stream that writes through Escaping what is not written to Raw of it.
func NewEscapingStream(w io.Writer, failed func()) *Stream {
	return &Stream{w: w, shown: Escaping(w), failed: failed}
}

func (s *Stream) Write(p []byte) (int, error) { return s.write(s.shown, p) }

// raw is the destination of a stream, for text in which only what is meant controls a terminal.
type raw struct{ *Stream }

func (r raw) Write(p []byte) (int, error) { return r.write(Raw(r.w), p) }

// Raw returns a writer to the destination of w: what it writes is escaped neither by w nor by streams that w writes to.
func Raw(w io.Writer) io.Writer {
	if s, ok := w.(*Stream); ok {
		return raw{s}
	}
	return w
}

func (s *Stream) write(w io.Writer, p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	n, err := w.Write(p)
	if err != nil {
		s.err = err
		if s.failed != nil {
			s.failed()
		}
	}
	return n, err
}

// Err returns the first error of a write.
func (s *Stream) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// To calls write with w. It returns an error of writing even if write does not.
func To(w io.Writer, write func(w io.Writer) error) error { return to(NewStream(w, nil), write) }

// TextTo calls write with a writer to w that escapes text. It returns an error of writing even if write does not.
func TextTo(w io.Writer, write func(w io.Writer) error) error {
	return to(NewEscapingStream(w, nil), write)
}

func to(s *Stream, write func(w io.Writer) error) error {
	if err := write(s); err != nil {
		return err
	}
	return s.Close()
}

// Close writes what an escaping stream holds back, the beginning of a character whose end has not come, and returns the
// first error of a write. It does not close the destination.
func (s *Stream) Close() error {
	if e, ok := s.shown.(*escapeWriter); ok && len(e.tail) > 0 {
		_, _ = s.write(rest{e}, nil)
	}
	return s.Err()
}

// FileOf returns the file behind w, nil if there is none.
func FileOf(w io.Writer) *os.File {
	switch s := w.(type) {
	case *Stream:
		return FileOf(s.w)
	case raw:
		return FileOf(s.w)
	case *os.File:
		return s
	}
	return nil
}

// BrokenPipe reports whether an error says that the reader of the output has closed it, as head does.
func BrokenPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

// Reason returns an error about a file without the name of the file.
func Reason(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

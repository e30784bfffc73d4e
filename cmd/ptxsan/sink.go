package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"

	"github.com/ptxsan/ptxsan/runtime/session"
)

// sink is an output that remembers that it could not be written. Commands need not
// look at the result of every line that they print: run looks here at the end.
type sink struct {
	w      io.Writer
	failed func() // called once, at the first error; nil for nothing

	mu  sync.Mutex
	err error // the first
}

func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(p)
	if err != nil {
		s.err = err
		if s.failed != nil {
			s.failed()
		}
	}
	return n, err
}

// error is the first error of a write.
func (s *sink) error() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// written writes to w, and returns the error of a write also when write does not.
func written(w io.Writer, write func(w io.Writer) error) error {
	s := &sink{w: w}
	if err := write(s); err != nil {
		return err
	}
	return s.error()
}

// fileOf is the file that w writes to, nil when it is none.
func fileOf(w io.Writer) *os.File {
	if s, ok := w.(*sink); ok {
		w = s.w
	}
	f, _ := w.(*os.File)
	return f
}

// ending is the exit code and the message, nil for none, of a command that ended
// with err.
func ending(err error) (code int, message error) {
	var ce *codeError
	var input *session.InputError
	switch {
	case err == nil:
		return exitClean, nil
	case !errors.As(err, &ce) && errors.As(err, &input):
		return exitUsage, err
	case ce == nil:
		return exitFailure, err
	case ce.err == nil:
		return ce.code, nil
	}
	return ce.code, err
}

// conclude prints the error of a command, if any, and returns its exit code. Output
// that was lost is an error of its own, but not where it only follows from another. A
// reader of the output that went away, as head does, is no reason for a message.
func conclude(err error, stdout, stderr *sink) int {
	code, message := ending(err)
	if lost := stdout.error(); lost != nil && (message == nil || errors.Is(message, lost) || errors.Is(message, errInterrupted)) {
		if brokenPipe(lost) {
			return exitPipe
		}
		code, message = exitFailure, fmt.Errorf("standard output cannot be written: %w", reason(lost))
	}
	if message != nil {
		fmt.Fprintf(stderr, "ptxsan: %v\n", message)
	}
	if lost := stderr.error(); lost != nil {
		if brokenPipe(lost) {
			return exitPipe
		}
		return exitFailure
	}
	return code
}

func brokenPipe(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe)
}

package socket

import (
	"errors"
	"io"
	"net"
	"path/filepath"
	"testing"
)

// TestServe: each connection is served, a process that goes or is sent away is no error, and the first other error is
// kept.
func TestServe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "socket")
	s, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	wrong := errors.New("wrong")
	results := make(chan error, 3)
	for _, result := range []error{io.EOF, ErrProtocol, wrong} {
		results <- result
	}
	go s.Serve(func(*net.UnixConn) error { return <-results })
	for range cap(results) {
		c, failed := net.Dial("unix", path)
		if failed != nil {
			t.Fatal(failed)
		}
		if _, failed = c.Read(make([]byte, 1)); !errors.Is(failed, io.EOF) {
			t.Errorf("a connection that has been served: %v", failed)
		}
		c.Close()
	}
	if err = s.Close(); !errors.Is(err, wrong) {
		t.Errorf("the server ends with %v", err)
	}
	if _, err = net.Dial("unix", path); err == nil {
		t.Error("a process connects after Close")
	}
}

// TestFields: numbers are read one after the other; what is missing reads as zeros, and is noted.
func TestFields(t *testing.T) {
	f := Fields{Rest: []byte{1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1, 7}}
	if a, b := f.U32(), f.U64(); a != 1 || b != 1<<56|2 || f.Bad {
		t.Errorf("%d, %d, bad %v", a, b, f.Bad)
	}
	if v := f.U32(); v != 0 || !f.Bad || len(f.Rest) != 1 {
		t.Errorf("%d of one byte, bad %v, %d left", v, f.Bad, len(f.Rest))
	}
}

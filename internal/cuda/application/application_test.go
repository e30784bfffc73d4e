// Scripts as applications: exit codes, signals, environment.

package application

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestPrepend: words come before those that are there, and an empty list stays as it is.
func TestPrepend(t *testing.T) {
	env := []string{"A=1", "LD_PRELOAD=old.so", "EMPTY="}
	for _, c := range []struct {
		name  string
		words []string
		want  string
	}{
		{"LD_PRELOAD", []string{"x", "y"}, "LD_PRELOAD=x:y:old.so"},
		{"EMPTY", []string{"x"}, "EMPTY=x"},
		{"NEW", []string{"x"}, "NEW=x"},
	} {
		if got := prepend(env, c.name, c.words); !slices.Contains(got, c.want) {
			t.Errorf("%s: %v, want %s in it", c.name, got, c.want)
		}
	}
	if got := prepend(env, "LD_PRELOAD", nil); !slices.Equal(got, env) {
		t.Errorf("without words: %v", got)
	}
}

// script writes an executable shell script and returns its path.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "app")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o777); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRun: the exit code is the application's, or tells the signal that ended it; its streams
// and its environment are as they are given.
func TestRun(t *testing.T) {
	for _, c := range []struct {
		text string
		code int
		out  string
	}{
		{"exit 7", 7, ""},
		{"kill -SEGV $$", 128 + 11, ""},
		{"cat", 0, "input"},
		{"echo $PTXSAN_EXEC_SOCKET $VARIABLE; case $LD_LIBRARY_PATH in libs*) echo first;; esac", 0, "socket value\nfirst\n"},
	} {
		path := script(t, c.text)
		app, err := Prepare(path, "libs")
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		cmd := Command{Args: []string{path}, Libraries: "libs", Socket: "socket", Variables: []string{"VARIABLE=value"}, Stdin: strings.NewReader("input"), Stdout: &out}
		code, err := cmd.Run(app, func() {})
		if err != nil || code != c.code || out.String() != c.out {
			t.Errorf("%s: exit code %d, output %q, %v; want %d and %q", c.text, code, out.String(), err, c.code, c.out)
		}
	}
}

// TestDone: an application that is to end does, and so do the processes that it has started: they close the pipe.
func TestDone(t *testing.T) {
	const odd = "a) S 1 (b" // the name of a process
	path := script(t, "cp /bin/sh \"$0 "+odd+"\"; \"$0 "+odd+"\" -c 'sh -c \"echo started; sleep 100; exit\"; exit' & sleep 100; exit")
	app, err := Prepare(path, "")
	if err != nil {
		t.Fatal(err)
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	done := make(chan struct{})
	ended := make(chan error, 1)
	go func() {
		_, err := io.ReadFull(reader, make([]byte, len("started\n")))
		close(done)
		_, _ = io.Copy(io.Discard, reader)
		ended <- err
	}()
	cmd := Command{Args: []string{path}, Stdout: writer, Done: done}
	const killed = 128 + 9
	if code, err := cmd.Run(app, func() {}); err != nil || code != killed {
		t.Errorf("exit code %d, %v; want %d", code, err, killed)
	}
	writer.Close()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(30 * time.Second):
		t.Error("a process that the application has started goes on")
	}
}

// TestPrepareErrors: what cannot run is said with its name.
func TestPrepareErrors(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"no-such-application": "executable file not found",
		"./no/such/path":      "no such file",
		plain:                 "permission denied",
	} {
		if _, err := Prepare(name, ""); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

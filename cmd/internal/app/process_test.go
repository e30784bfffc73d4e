//go:build unix

package app

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
)

// process is ptxsan in a separate process; TestMain makes the test's executable behave like it under that name.
func process(t *testing.T, line string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Args = strings.Fields("ptxsan " + line)
	return cmd
}

// finished waits for a process that must end by itself soon, and returns its exit code.
func finished(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	timer := time.AfterFunc(20*time.Second, func() {
		t.Errorf("%q does not end", cmd.Args)
		_ = cmd.Process.Kill()
	})
	defer timer.Stop()
	var failed *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &failed) {
		t.Error(err)
	}
	return cmd.ProcessState.ExitCode()
}

// TestInputNeverHangs: a named pipe, a device or a directory is an error wherever a file
// is expected, and so are standard input and files of a launch file that do not end.
func TestInputNeverHangs(t *testing.T) {
	long(t)
	t.Chdir(t.TempDir())
	writeSmallProgram(t)
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"pipe", "/dev/zero", "."} {
		init := "buffers: {out: {type: u32, count: 64, init: {file: " + bad + "}}}\nlaunches: [{kernel: k, grid: 1, block: 1, args: [out]}]\n"
		if err := os.WriteFile("init.yaml", []byte(init), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{
			"check --launch k.yaml BAD", "check --launch BAD k.ptx", "check --launch init.yaml k.ptx", "check --launch k.yaml --root / --suppressions BAD k.ptx",
			"check --launch k.yaml --replay BAD k.ptx", "check --trace BAD", "emulate --launch init.yaml --root / k.ptx", "explore --launch BAD k.ptx", "explore --launch k.yaml BAD",
			"rewrite BAD", "rewrite --passes-file BAD k.ptx", "rewrite --link BAD k.ptx", "diff k.ptx BAD", "extract BAD", "embed -o - BAD k.ptx",
			"embed -o - k.fatbin BAD", "fmt BAD", "fmt --write BAD", "inspect BAD",
		} {
			cmd := process(t, strings.ReplaceAll(line, "BAD", bad))
			var errw bytes.Buffer
			cmd.Stderr = &errw
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if code := finished(t, cmd); code != command.BadUsage || strings.Count(errw.String(), "\n") != 1 {
				t.Errorf("%s with %s: exit code %d, message %q", line, bad, code, errw.String())
			}
		}
	}
}

// TestInterrupt: the first interrupt ends a command that runs, reads or writes, and no
// half-written file is left.
func TestInterrupt(t *testing.T) {
	long(t)
	t.Chdir(t.TempDir())
	writeSmallProgram(t)
	if err := os.WriteFile("endless.ptx", []byte(storing("mov.u32 %r1, 0;\nAGAIN:\nst.volatile.global.u32 [%rd1], %r1;\nadd.u32 %r1, %r1, 1;\nbra AGAIN;")), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"check --launch k.yaml --max-steps 1000000000000 -o report --cpuprofile profile endless.ptx",
		"explore --launch k.yaml --max-steps 1000000000000 -o report --cpuprofile profile endless.ptx",
		"emulate --launch k.yaml --max-steps 1000000000000 --timeline report --cpuprofile profile endless.ptx",
	} {
		checkInterrupt(t, line, hasTemporary, os.Interrupt)
		checkInterrupt(t, line, hasTemporary, syscall.SIGTERM)
		if left, _ := filepath.Glob(".*"); len(left) > 0 {
			t.Errorf("%s: left behind: %q", line, left)
		}
		if _, err := os.Stat("report"); err == nil {
			t.Errorf("%s: there is a report", line)
		}
	}
	for _, line := range []string{"fmt -", "check --launch k.yaml -", "extract -", "emulate --launch k.yaml /dev/stdin"} {
		checkInterrupt(t, line, readsInput, os.Interrupt)
	}
}

// TestSecondInterrupt: a command that cannot see the first interrupt, here because it
// waits for a reader of its output, ends at the second, and without one after a while.
func TestSecondInterrupt(t *testing.T) {
	long(t)
	t.Chdir(t.TempDir())
	writeSmallProgram(t)
	if err := syscall.Mkfifo("pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	ready := func(*os.File) bool { time.Sleep(500 * time.Millisecond); return true }
	once := checkInterrupt(t, "rewrite -o pipe k.ptx", ready, os.Interrupt)
	twice := checkInterrupt(t, "rewrite -o pipe k.ptx", ready, os.Interrupt, os.Interrupt)
	if once < command.Grace || twice >= once {
		t.Errorf("one interrupt took %s, two took %s", once, twice)
	}
}

// TestTimeLimitWhileReading: --timeout ends a command also where nothing checks the time, here because its input does
// not end.
func TestTimeLimitWhileReading(t *testing.T) {
	long(t)
	t.Chdir(t.TempDir())
	writeSmallProgram(t)
	for _, line := range []string{
		"check --launch k.yaml --cpuprofile profile --timeout 10ms -", "check --launch k.yaml --schedules 3 --timeout 10ms -",
		"explore --launch k.yaml --timeout 10ms -", "emulate --launch k.yaml --timeout 10ms -", "fix --launch k.yaml --timeout 10ms -",
		"sync --launch k.yaml --timeout 10ms -",
	} {
		cmd := process(t, line)
		stdin, hold, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer hold.Close()
		var errw bytes.Buffer
		cmd.Stdin, cmd.Stderr = stdin, &errw
		if err = cmd.Start(); err != nil {
			t.Fatal(err)
		}
		stdin.Close()
		const want = "ptxsan: not finished in the time allowed, 10ms (--timeout)\n"
		if code := finished(t, cmd); code != command.Failed || errw.String() != want {
			t.Errorf("%s: exit code %d, message %q, want %q", line, code, errw.String(), want)
		}
		if left, _ := filepath.Glob(".*"); len(left) > 0 {
			t.Errorf("%s: left behind: %q", line, left)
		}
	}
}

// TestInterruptsOfApplication tests that exec reports its findings when an interrupt has ended the application, even if
// another interrupt follows.
func TestInterruptsOfApplication(t *testing.T) {
	long(t)
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("needs a C compiler, which makes the application and the drop-in libraries of exec: ", err)
	}
	t.Chdir(t.TempDir())
	for gap := range 30 {
		for _, file := range []string{"ready", "report"} {
			if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
		}
		cmd := process(t, "exec -o report -- sh ready.sh")
		if err := os.WriteFile("ready.sh", []byte("echo > ready; exec sleep 60"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(time.Millisecond) {
			if _, err := os.Stat("ready"); err == nil {
				break
			}
			if time.Now().After(deadline) {
				t.Fatal("the application has not begun after two minutes")
			}
		}
		time.Sleep(20 * time.Millisecond)
		for range 2 {
			if err := cmd.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(gap) * 100 * time.Microsecond)
		}
		code := finished(t, cmd)
		if _, err := os.Stat("report"); err != nil {
			t.Errorf("%d00 microseconds between two interrupts: exit code %d, %v", gap, code, err)
		}
	}
}

// hasTemporary is true when a command has begun to write its profile, and so to work.
func hasTemporary(*os.File) bool {
	found, _ := filepath.Glob(".profile*")
	return len(found) > 0
}

// readsInput is true when a command has begun to read its standard input: more is
// written than a pipe holds.
func readsInput(stdin *os.File) bool {
	_, err := stdin.Write(bytes.Repeat([]byte(" "), 1<<17))
	return err == nil
}

// checkInterrupt sends signals to a command when it is ready, and returns how long it
// took to end. Nothing ends its standard input.
func checkInterrupt(t *testing.T, line string, ready func(stdin *os.File) bool, signals ...os.Signal) time.Duration {
	t.Helper()
	cmd := process(t, line)
	stdin, hold, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer hold.Close()
	var errw bytes.Buffer
	cmd.Stdin, cmd.Stderr = stdin, &errw
	if err = cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stdin.Close()
	for deadline := time.Now().Add(20 * time.Second); !ready(hold) && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	start := time.Now()
	for _, s := range signals {
		if err = cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond) // two at once are one
	}
	code := finished(t, cmd)
	if code != command.Failed || errw.String() != "ptxsan: interrupted\n" {
		t.Errorf("%s, %s: exit code %d, message %q", line, signals, code, errw.String())
	}
	return time.Since(start)
}

// TestLostOutputOfProcess: what happens to real outputs that cannot be written.
func TestLostOutputOfProcess(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("needs a file to which no byte can be written; only Linux has one, /dev/full: ", err)
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	readOnly, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer readOnly.Close()
	closed, broken, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	defer broken.Close()
	for _, c := range []struct {
		line        string
		out, errOut io.Writer
		code        int
		message     string
	}{
		{"--help", full, nil, command.Failed, "no space left"},
		{"passes", full, nil, command.Failed, "no space left"},
		{"isa", readOnly, nil, command.Failed, "bad file descriptor"},
		{"passes", broken, nil, command.NoReader, ""},
		{"check --help", broken, nil, command.NoReader, ""},
		{"passes none", nil, full, command.Failed, ""},
	} {
		var errw bytes.Buffer
		cmd := process(t, c.line)
		if cmd.Stdout, cmd.Stderr = c.out, c.errOut; c.errOut == nil {
			cmd.Stderr = &errw
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if code := finished(t, cmd); code != c.code || !strings.Contains(errw.String(), c.message) || (c.message == "") != (errw.Len() == 0) {
			t.Errorf("%s: exit code %d, message %q; want %d, %q", c.line, code, errw.String(), c.code, c.message)
		}
	}
}

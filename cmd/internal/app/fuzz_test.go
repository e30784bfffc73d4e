package app

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/cmd/internal/gc"
)

// Fuzzing the whole command (docs/guarantees.md): the application runs in this process on files in a separate folder,
// and the properties that must hold for any input are checked. fuzz_targets_test.go lists the targets.

// bounded are flags that keep a run short.
const bounded = " --max-steps 3000 --memory-limit 16M --state-limit 16M --printf-limit 4K --resident-threads 256 --jobs 1 "

// longestRun limits the processor time of one bounded run. Elapsed time depends on other work of the machine; runs that
// wait for ever end with the test.
const longestRun = 20 * time.Second

// commandFuzzer runs command lines on the files of a folder.
type commandFuzzer struct {
	testing.TB
	dir   string   // where they are
	top   string   // where the test began
	files []string // that are there before a run, sorted
	known map[string]*parsedLine
	out   *bytes.Buffer // standard output and standard error of the last run
	errw  *bytes.Buffer
}

// newCommandFuzzer makes a folder in memory, if there is such a place. Collecting a heap of a
// few megabytes again and again would take half of the time.
func newCommandFuzzer(f testing.TB) *commandFuzzer {
	gc.CollectLate()
	dir := f.TempDir()
	if shm, err := os.MkdirTemp("/dev/shm", "ptxsan-fuzz-*"); err == nil { //nolint:usetesting // in memory, which TempDir is not
		f.Cleanup(func() { os.RemoveAll(shm) })
		dir = shm
	}
	top, err := os.Getwd()
	if err != nil {
		f.Fatal(err)
	}
	return &commandFuzzer{TB: f, dir: dir, top: top, out: new(bytes.Buffer), errw: new(bytes.Buffer), known: make(map[string]*parsedLine)}
}

// parsedLine is a command line that is parsed already: making the flags of the
// application and parsing them takes longer than most runs.
type parsedLine struct {
	context *cli.Context
	action  cli.ActionFunc
}

// parse parses a command line, once.
func (f *commandFuzzer) parse(t *testing.T, line string) *parsedLine {
	if p := f.known[line]; p != nil {
		return p
	}
	p := new(parsedLine)
	app := newApp(bytes.NewReader(nil), f.out, f.errw)
	for _, cmd := range app.Commands {
		action := cmd.Action
		cmd.Action = func(c *cli.Context) error {
			p.context, p.action = c, action
			return nil
		}
	}
	if err := app.Run(strings.Fields("ptxsan " + line)); err != nil || p.action == nil {
		t.Fatalf("%s: %v", line, err)
	}
	f.known[line] = p
	return p
}

// execute runs the action of a command line, as run does.
func (p *parsedLine) execute(out, errw io.Writer) int {
	return command.Guard(context.Background(), out, errw, func(ctx context.Context, out, errw io.Writer) error {
		p.context.Context, p.context.App.Writer, p.context.App.ErrWriter = ctx, out, errw
		return p.action(p.context)
	})
}

// enter changes to the folder, and leave back. They are not called once for all: the
// package testing reads and writes the inputs of the target in the folder it began in.
func (f *commandFuzzer) enter() {
	if err := os.Chdir(f.dir); err != nil {
		f.Fatal(err)
	}
}

func (f *commandFuzzer) leave() {
	if err := os.Chdir(f.top); err != nil {
		f.Fatal(err)
	}
}

// output returns the output of a command line, before the fuzzing begins.
func (f *commandFuzzer) output(line string) []byte {
	f.enter()
	defer f.leave()
	var out, errw bytes.Buffer
	if code := run(context.Background(), strings.Fields("ptxsan "+line), nil, &out, &errw); code > command.Findings {
		f.Fatalf("%s: exit code %d, %s", line, code, errw.String())
	}
	return out.Bytes()
}

// write makes a file that is there before the run.
func (f *commandFuzzer) write(name string, data []byte) {
	if err := os.WriteFile(filepath.Join(f.dir, name), data, 0o600); err != nil {
		f.Fatal(err)
	}
	if i, found := slices.BinarySearch(f.files, name); !found {
		f.files = slices.Insert(f.files, i, name)
	}
}

// run runs a command line, which may write the file "out", and checks what holds for all
// of them. place matches a message about bad input, which must say where that is.
func (f *commandFuzzer) run(t *testing.T, line string, place *regexp.Regexp) {
	f.out.Reset()
	f.errw.Reset()
	parsed := f.parse(t, line)
	f.enter()
	defer f.leave()
	start := processTime(t)
	code := parsed.execute(f.out, f.errw)
	message := f.errw.String()
	switch {
	case processTime(t)-start > longestRun:
		t.Errorf("%s: took %s", line, processTime(t)-start)
	case code < command.Clean || code > command.Nothing, code == command.Failed && !strings.Contains(message, "the run is not as expected"):
		t.Errorf("%s: exit code %d: %s", line, code, message)
	case code == command.BadUsage && (f.out.Len() > 0 || !place.MatchString(message)):
		t.Errorf("%s: output %.200q, message %q; expected no output and a message that matches %s", line, f.out.String(), message, place)
	}
	f.checkFiles(t, line, code)
}

// checkFiles looks for files that a run must not leave, and removes its output.
func (f *commandFuzzer) checkFiles(t *testing.T, line string, code int) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if _, known := slices.BinarySearch(f.files, e.Name()); known {
			continue
		}
		if e.Name() != "out" || code == command.BadUsage {
			t.Errorf("%s: exit code %d, and the file %s is there", line, code, e.Name())
		}
		os.Remove(e.Name())
	}
}

// lastLine matches an error, which is the last line of standard error; other lines are warnings and output of kernels.
func lastLine(pattern string) *regexp.Regexp {
	return regexp.MustCompile(`(^|\n)ptxsan: (` + pattern + `)[^\n]*\n$`)
}

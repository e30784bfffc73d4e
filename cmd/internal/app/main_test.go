package app

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ptxsan/ptxsan/cmd/internal/full"
	"github.com/ptxsan/ptxsan/cmd/internal/gc"
	"github.com/ptxsan/ptxsan/cmd/internal/limits"
	"github.com/ptxsan/ptxsan/emu"
	"github.com/ptxsan/ptxsan/internal/cuda/shim"
	"github.com/ptxsan/ptxsan/internal/cuda/shim/shimtest"
	"github.com/ptxsan/ptxsan/internal/gpu"
	"github.com/ptxsan/ptxsan/internal/gpu/dl"
)

var update = flag.Bool("update", false, "rewrite golden sections and generated documents")

// TestMain makes the tests run ptxsan-full, which has all commands.
func TestMain(m *testing.M) {
	gpu.Use(dl.Loader())
	extra = full.Commands
	testscript.Main(withShared{m}, map[string]func(){"ptxsan": func() { Main(extra) }})
}

// shared is a folder for files that are compiled once for all tests: the command, and the drop-in libraries of exec.
var shared string

// withShared runs tests while there is that folder.
type withShared struct{ *testing.M }

func (m withShared) Run() (code int) {
	var err error
	gc.CollectLate() // as the command does
	if flag.Parse(); !*writeSlowdown && !*measureSlowdown && !*writeOverhead {
		emu.GuardPages()
	}
	if shared, err = os.MkdirTemp("", "ptxsan-tests-"); err == nil {
		code = m.M.Run()
		err = os.RemoveAll(shared)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	return code
}

// long skips a test that takes more than a second of a processor in short runs.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
}

// useDropIns makes the commands of a test find their libraries there.
func useDropIns(t *testing.T) {
	t.Helper()
	provideDropIns(t)
	t.Setenv("XDG_CACHE_HOME", shared)
}

// provideDropIns puts a link to the drop-in libraries into the folder where commands look for them, if there is a C
// compiler that has compiled them or compiles them now.
func provideDropIns(t testing.TB) {
	t.Helper()
	dir, err := shim.Libraries(shimtest.Cache(t), nil)
	if errors.Is(err, shim.ErrNoCompiler) {
		return
	}
	link := filepath.Join(shared, "ptxsan", filepath.Base(dir))
	if err == nil {
		err = os.MkdirAll(filepath.Dir(link), 0o777)
	}
	if err == nil {
		err = os.Symlink(dir, link)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
}

// dropIns returns the paths of the command and of the folder of its drop-in libraries, which applications are linked
// with.
func dropIns(t *testing.T) (ptxsan, libraries string) {
	t.Helper()
	ptxsan = buildCommand(t)
	useDropIns(t)
	out, err := exec.Command(ptxsan, "exec", "--libraries").Output()
	if err != nil {
		t.Fatal(err)
	}
	return ptxsan, strings.TrimSpace(string(out))
}

// builtCommand is the command's path: the test's executable under another name, which TestMain makes behave like
// ptxsan-full. TestElsewhere and TestCross build the commands themselves.
var builtCommand = sync.OnceValues(func() (string, error) {
	path := filepath.Join(shared, "bin", "ptxsan")
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	if err = os.Mkdir(filepath.Dir(path), 0o777); err != nil {
		return "", err
	}
	if err = os.Link(exe, path); err == nil {
		return path, nil
	}
	text, err := os.ReadFile(exe)
	if err != nil {
		return "", err
	}
	return path, os.WriteFile(path, text, 0o777)
})

// TestScript runs the scripts in testdata/script. They have one command of their
// own: "exits N prog args..." runs a program that must exit with code N. $EXAMPLES
// is the directory of the examples, $LIBRARIES the cache with the drop-in libraries. Short runs execute every eighth
// script, unless -run names some.
func TestScript(t *testing.T) {
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatal("no scripts: ", err)
	}
	if testing.Short() && !strings.Contains(flag.Lookup("test.run").Value.String(), "TestScript/") {
		every := scripts[:0]
		for i := 1; i < len(scripts); i += 8 {
			every = append(every, scripts[i])
		}
		scripts = every
	}
	examples, err := filepath.Abs("../../../examples")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Files: scripts, UpdateScripts: *update, RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("EXAMPLES", examples)
			e.Setenv("NO_COLOR", "")
			if filepath.Base(e.WorkDir) == "script-exec" {
				provideDropIns(t)
			}
			e.Setenv("LIBRARIES", shared)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "lines": lines},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits N prog args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	if e, ok := err.(interface{ ExitCode() int }); ok {
		got = e.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// lines checks the number of lines of a file, or of stdout or stderr.
func lines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: lines N file")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	for _, c := range ts.ReadFile(args[1]) {
		if c == '\n' {
			got++
		}
	}
	if got != want {
		ts.Fatalf("%s has %d lines, want %d", args[1], got, want)
	}
}

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]uint64{
		"": 0, "1": 1, "4096": 4096, "64K": 64 << 10, "3M": 3 << 20, "2G": 2 << 30, "1T": 1 << 40,
		"0": 0, "-1": 0, "K": 0, "1KK": 0, "1.5G": 0, "1g": 0, "99999999999999999999": 0, "9999999999T": 0,
	} {
		got, err := limits.ParseBytes(text)
		if got != want || (err != nil) != (want == 0 && text != "") {
			t.Errorf("%q: %d, %v", text, got, err)
		}
	}
}

package main

import (
	"flag"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ptxsan/ptxsan/cmd/internal/limits"
)

var update = flag.Bool("update", false, "rewrite golden sections and generated documents")

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"ptxsan": main}) }

// TestScript runs the scripts in testdata/script. They have one command of their
// own: "exits N prog args..." runs a program that must exit with code N. $EXAMPLES
// is the directory of the examples.
func TestScript(t *testing.T) {
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", UpdateScripts: *update, RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("EXAMPLES", examples)
			e.Setenv("NO_COLOR", "")
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

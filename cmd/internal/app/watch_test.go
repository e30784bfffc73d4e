// check --watch, which repeats a check whenever its file changes.

package app

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
)

// steps is a writer that calls a function, with a number from 0 on, for each line with a given text.
type steps struct {
	text string
	n    int
	do   func(n int)
}

func (s *steps) Write(p []byte) (int, error) {
	for range bytes.Count(p, []byte(s.text)) {
		s.do(s.n)
		s.n++
	}
	return len(p), nil
}

// TestWatch: a check of a file that changes is repeated, names the finding that is gone, and ends with an interrupt.
func TestWatch(t *testing.T) {
	const examples = "../../../examples/reduction/"
	name := filepath.Join(t.TempDir(), "k.ptx")
	place := func(from string) {
		text, err := os.ReadFile(examples + from)
		if err == nil {
			err = os.WriteFile(name, text, 0o666)
		}
		if err != nil {
			t.Error(err)
		}
	}
	launches, err := os.ReadFile(examples + "racy.yaml")
	if err != nil {
		t.Fatal(err)
	}
	plan, _, _ := strings.Cut(string(launches), "expect:")
	planName := filepath.Join(filepath.Dir(name), "k.yaml")
	if err = os.WriteFile(planName, []byte(plan), 0o666); err != nil {
		t.Fatal(err)
	}
	place("racy.ptx")
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	waits := &steps{text: "waiting for a change", do: func(n int) {
		if n == 0 {
			place("fixed.ptx")
		} else {
			interrupt()
		}
	}}
	var out bytes.Buffer
	if code := run(ctx, []string{"ptxsan", "check", "--watch", "--launch", planName, name}, nil, &out, waits); code != command.Clean {
		t.Errorf("exit code %d after the last check, which is clean", code)
	}
	if waits.n != 2 || strings.Count(out.String(), "RACECHECK SUMMARY") != 2 || !strings.Contains(out.String(), "gone") {
		t.Errorf("%d checks\n%s", waits.n, out.String())
	}
}

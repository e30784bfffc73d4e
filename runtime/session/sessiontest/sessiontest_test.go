package sessiontest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/session/sessiontest"
)

// fakeT records how a check ends.
type fakeT struct {
	ctx              context.Context
	failure, skipped string
}

func (t *fakeT) Helper()                  {}
func (t *fakeT) Context() context.Context { return t.ctx }

func (t *fakeT) Fatal(args ...any) {
	t.failure = fmt.Sprint(args...)
	panic(t)
}

func (t *fakeT) Skip(args ...any) {
	t.skipped = fmt.Sprint(args...)
	panic(t)
}

// ending runs a check and returns how it ended.
func ending(ctx context.Context, check func(sessiontest.TB)) (t *fakeT) {
	t = &fakeT{ctx: ctx}
	defer func() {
		if r := recover(); r != nil && r != any(t) {
			panic(r)
		}
	}()
	check(t)
	return t
}

const examples = "../../../examples"

// TestDocument: docs/library.md shows the tests of an example.
func TestDocument(t *testing.T) {
	doc, err := os.ReadFile("../../../docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(examples + "/reduction/race_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(doc), "```go\n"+string(program)+"```\n") {
		t.Error("docs/library.md shows another test than examples/reduction/race_test.go")
	}
}

func TestCheck(t *testing.T) {
	sessiontest.Check(t, examples+"/reduction/fixed.ptx", examples+"/reduction/fixed.yaml")

	racy := ending(t.Context(), func(f sessiontest.TB) {
		sessiontest.Check(f, examples+"/reduction/racy.ptx", examples+"/reduction/racy.yaml")
	})
	for _, want := range []string{"Race reported between Write access", "racy.cu:", " | ", "Missing: "} {
		if !strings.Contains(racy.failure, want) {
			t.Errorf("no %q in %q", want, racy.failure)
		}
	}
	missing := ending(t.Context(), func(f sessiontest.TB) { sessiontest.Check(f, "nosuch.ptx", "nosuch.yaml") })
	if !strings.Contains(missing.failure, "nosuch.ptx") {
		t.Errorf("a missing file: %q", missing.failure)
	}
}

// TestCheckSource: without a launch file there is a template; without a compiler the test is skipped.
func TestCheckSource(t *testing.T) {
	text, err := os.ReadFile(examples + "/reduction/racy.cu")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "k.cu")
	if err = os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
	racy := ending(t.Context(), func(f sessiontest.TB) { sessiontest.CheckSource(f, name) })
	if racy.skipped == "" && !strings.Contains(racy.failure, "k.cu:") {
		t.Errorf("%q", racy.failure)
	}
	t.Setenv("PATH", "")
	t.Setenv("CUDA_HOME", "")
	t.Setenv("CUDA_PATH", "")
	none := ending(t.Context(), func(f sessiontest.TB) { sessiontest.CheckSource(f, name) })
	if !strings.Contains(none.skipped, "neither nvcc nor clang is installed") {
		t.Skip("a compiler outside the search path: ", none.failure)
	}
}

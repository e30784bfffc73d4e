package app

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
)

// TestOrderOfPasses tests that no pass counts code inserted by another one, in any order of the passes.
func TestOrderOfPasses(t *testing.T) {
	const example = "../../../examples/reduction/fixed"
	lcov := func(pipeline string) string {
		file := filepath.Join(t.TempDir(), "lcov")
		var out, errw bytes.Buffer
		args := []string{"ptxsan", "emulate", "--launch", example + ".yaml", "--passes", pipeline, "--coverage", file, example + ".ptx"}
		if code := run(context.Background(), args, nil, &out, &errw); code != command.Clean {
			t.Fatalf("%s: exit code %d\n%s", pipeline, code, errw.String())
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	want := lcov("coverage")
	for _, pipeline := range []string{"uniqtid,memtrace,iguard,instcount,coverage", "coverage,iguard", "instcount,coverage,uniqtid,boundscheck"} {
		if got := lcov(pipeline); got != want {
			t.Errorf("%s:\n%s", pipeline, got)
		}
	}
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
)

// TestLitmusPatterns: public patterns with missing fences, in examples/litmus/patterns, have no data race, but weak outcomes, which
// random schedules find too. With the fences they have none.
func TestLitmusPatterns(t *testing.T) {
	t.Chdir("../..")
	files, err := filepath.Glob("examples/litmus/patterns/*.ptx")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		base := strings.TrimSuffix(file, ".ptx")
		fixed := strings.HasSuffix(base, "-fixed")
		for _, search := range []string{"exhaustive", "random --seed 1 --schedules 600"} {
			code, out := explorePattern(base, search)
			weak := strings.Contains(out, "Fault: weak-outcome")
			switch {
			case strings.Contains(out, "Error: Race reported"), code != command.Clean && code != command.Findings:
				t.Errorf("%s, %s: exit code %d\n%s", base, search, code, out)
			case weak == fixed:
				t.Errorf("%s, %s: weak outcome: %v\n%s", base, search, weak, out)
			case !fixed && !strings.Contains(out, "the model forbids this run with fence."):
				t.Errorf("%s, %s: the report names no fence\n%s", base, search, out)
			case search == "exhaustive" && !strings.Contains(out, "COMPLETE"):
				t.Errorf("%s: not complete\n%s", base, out)
			}
		}
	}
}

// explorePattern explores a pattern under weak memory.
func explorePattern(base, search string) (code int, out string) {
	var b bytes.Buffer
	args := fmt.Sprintf("ptxsan explore --launch %[1]s.yaml --memory ptx --search %[2]s %[1]s.ptx", base, search)
	code = run(context.Background(), strings.Fields(args), nil, &b, &b)
	return code, b.String()
}

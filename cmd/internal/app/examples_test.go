package app

import (
	"bytes"
	"context"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/internal/racesuite"
)

// TestExitCodes: the exit code of check is that of the example's verdict. What is found is what tests of the race suite
// are about.
func TestExitCodes(t *testing.T) {
	for _, ex := range racesuite.Examples(t) {
		code := map[string]int{"clean": command.Clean, "racy": command.Findings, "fault": command.Faulted}[ex.File.Expect.Verdict]
		var out, errw bytes.Buffer
		args := []string{"ptxsan", "check", "--launch", ex.YAML, ex.PTX}
		if got := run(context.Background(), args, nil, &out, &errw); got != code {
			t.Errorf("%s: exit code %d, want %d\n%s%s", ex.Name(), got, code, out.String(), errw.String())
		}
	}
}

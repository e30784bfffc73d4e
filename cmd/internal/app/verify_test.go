package app

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
)

// TestVerifyTimeout: a check that is stopped by --timeout says so, and which file it is about.
func TestVerifyTimeout(t *testing.T) {
	long(t)
	const program = "../../../examples/hgrd/reduction"
	file := filepath.Join(t.TempDir(), "k.cert")
	var out bytes.Buffer
	if code := run(context.Background(), []string{"ptxsan", "analyze", "--no-cache", "--host", program + ".cu", "--certificate", file, program + ".ptx"}, nil, &out, &out); code != command.Clean {
		t.Fatalf("exit code %d\n%s", code, out.String())
	}
	out.Reset()
	code := run(context.Background(), []string{"ptxsan", "verify", "--timeout", "1ns", file, program + ".ptx"}, nil, &out, &out)
	if want := "k.cert: not finished in the time allowed, 1ns (--timeout)"; code != command.Failed || !strings.Contains(out.String(), want) {
		t.Errorf("exit code %d, output %q, want %d and %q", code, out.String(), command.Failed, want)
	}
}

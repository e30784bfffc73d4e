package app

import (
	"debug/elf"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestLibraries checks that ptxsan needs no C library on Linux, and links neither the broker of campaigns nor the Model
// Context Protocol nor a web server.
func TestLibraries(t *testing.T) {
	list := runIn(t, ".", []string{"CGO_ENABLED=0", "GOOS=linux"}, "go", "list", "-deps", "../../ptxsan")
	for path := range strings.Lines(list) {
		path = strings.TrimSpace(path)
		for _, left := range []string{"runtime/cgo", "github.com/ebitengine/", "github.com/nats-io/", "github.com/modelcontextprotocol/", "net/http", "crypto/tls"} {
			if strings.HasPrefix(path, left) {
				t.Errorf("imports %s", path)
			}
		}
	}
}

// TestElsewhere checks that ptxsan has the same help as ptxsan-full, and runs ptxsan-full for exactly the commands that
// it lacks. Where there is no ptxsan-full it says which command to run.
func TestElsewhere(t *testing.T) {
	long(t)
	if runtime.GOOS != "linux" {
		t.Skip("reads the program as an ELF file, and puts a shell script in the place of ptxsan-full")
	}
	need(t, "sh")
	dir := t.TempDir()
	ptxsan := filepath.Join(dir, "ptxsan")
	runIn(t, ".", []string{"CGO_ENABLED=0"}, "go", "build", "-o", ptxsan, "../../ptxsan")
	file, err := elf.Open(ptxsan)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if slices.ContainsFunc(file.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) {
		t.Error("the program is not linked statically: it names a loader")
	}
	if full, own := runIn(t, ".", nil, buildCommand(t), "--help"), runIn(t, ".", nil, ptxsan, "--help"); full != own {
		t.Errorf("--help differs:\n%s\n%s", full, own)
	}
	const module = "../../../examples/message-passing/racy"
	lines := [][]string{
		{"devices"},
		{"check", "--device", "gpu", module + ".ptx", "--launch", module + ".yaml"},
		{"exec", "--device=gpu:1", "--", "ls", "-l"},
		{"campaign", "run", "plan.yaml", "--workers", "2"},
		{"campaign", "--help"},
		{"help", "campaign"},
		{"worker"},
		{"serve", "--mcp"},
		{"man"},
	}
	for _, line := range lines {
		if out, code := runCode(t, ptxsan, line); code != 2 || !strings.Contains(out, "in a clone: go run ./cmd/ptxsan-full "+strings.Join(line, " ")+" (") {
			t.Errorf("%q without ptxsan-full: exit code %d: %s", line, code, out)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, fullName), []byte("#!/bin/sh\necho \"$@\"\nexit 5\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, line := range append(lines, []string{"campaign", "--generate-bash-completion"}) {
		if out, code := runCode(t, ptxsan, line); code != 5 || out != strings.Join(line, " ")+"\n" {
			t.Errorf("%q: exit code %d: %s", line, code, out)
		}
	}
	for _, line := range [][]string{{"emulate", "--launch", module + ".yaml", module + ".ptx"}, {"emulate", "--device=emu", "--launch", module + ".yaml", module + ".ptx"}, {"help", "check"}, {"version"}, {"completion", "fish"}} {
		if out, code := runCode(t, ptxsan, line); code != 0 {
			t.Errorf("%q: exit code %d: %s", line, code, out)
		}
	}
}

// runCode returns the output of a command line, and its exit code.
func runCode(t *testing.T, name string, line []string) (out string, code int) {
	t.Helper()
	text, err := exec.Command(name, line...).CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	} else if err != nil {
		code = exit.ExitCode()
	}
	return string(text), code
}

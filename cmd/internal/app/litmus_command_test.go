package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
)

// runLitmus runs the command litmus.
func runLitmus(args ...string) (int, string) {
	var out bytes.Buffer
	code := run(context.Background(), append([]string{"ptxsan", "litmus"}, args...), nil, &out, &out)
	return code, out.String()
}

// endless writes a test with more executions than any time allows.
func endless(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "long.litmus")
	text := "PTX long\n{ x=0; }\nP0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;\n" +
		strings.Repeat("st.relaxed.gpu x, 1 | st.relaxed.gpu x, 2 | ld.relaxed.gpu r0, x ;\n", 12) + "~exists (x == 3)\n"
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestLitmusTimeout: when the time is over, the results so far are printed, and what they do not decide is unknown.
func TestLitmusTimeout(t *testing.T) {
	const first = "../../../examples/litmus/rules/fence-sc.litmus"
	long := endless(t)
	for _, memory := range []string{"sc", "ptx"} {
		args := []string{"--memory", memory, "--schedules", "1000000000", "--timeout", "500ms"}
		code, out := runLitmus(append(args, first, long, first)...)
		for _, want := range []string{": fence-sc\n", "~exists (P0:r0 == 0 /\\ P1:r1 == 0): yes\n", "~exists (x == 3): unknown\n", "~exists (P0:r0 == 0 /\\ P1:r1 == 0): unknown\n0 executions, 0 states", "the time allowed is over, 500ms (--timeout)\n"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in\n%s", memory, want, out)
			}
		}
		if code != command.Nothing {
			t.Errorf("%s: exit code %d, want %d", memory, code, command.Nothing)
		}
		code, out = runLitmus(append(args, "--format", "json", long)...)
		var rep struct {
			Tests []struct {
				Verdict    string
				Executions int
				Complete   bool
				Limits     []string
				States     []any
			}
		}
		if err := json.Unmarshal([]byte(out), &rep); err != nil || code != command.Nothing || len(rep.Tests) != 1 {
			t.Fatalf("%s: exit code %d, %v\n%s", memory, code, err, out)
		}
		x := rep.Tests[0]
		if x.Verdict != "unknown" || x.Complete || x.Executions == 0 || len(x.States) == 0 || len(x.Limits) != 1 {
			t.Errorf("%s: %+v", memory, x)
		}
	}
}

// TestLitmusPrinted: --print-ptx writes two files, neither over the other nor over the test, or none.
func TestLitmusPrinted(t *testing.T) {
	text, err := os.ReadFile("../../../examples/litmus/rules/fence-sc.litmus")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ input, output, want string }{
		{"a.litmus", "b.yaml", "the launch file would replace the PTX"},
		{"a.yaml", "a.ptx", "would replace the input"},
		{"a.litmus", "a.litmus", "would replace the input"},
		{"a.litmus", "b.ptx", ""},
		{"a.litmus", "b", ""},
	} {
		dir := t.TempDir()
		input := filepath.Join(dir, x.input)
		if err := os.WriteFile(input, text, 0o600); err != nil {
			t.Fatal(err)
		}
		code, out := runLitmus("--print-ptx", "-o", filepath.Join(dir, x.output), input)
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		if x.want == "" {
			if code != command.Clean || len(files) != 3 {
				t.Errorf("%v: exit code %d, %d files\n%s", x, code, len(files), out)
			}
			continue
		}
		now, err := os.ReadFile(input)
		if code != command.BadUsage || !strings.Contains(out, x.want) || len(files) != 1 || err != nil || !bytes.Equal(now, text) {
			t.Errorf("%v: exit code %d, %d files, %v\n%s", x, code, len(files), err, out)
		}
	}
}

// TestLitmusProxies: with --memory ptx, tests of several proxies are computed from the axioms, also those whose fences
// PTX lacks.
func TestLitmusProxies(t *testing.T) {
	const format = "PTX surface\n{ x=0; s @ surface aliases x; f=0; }\nP0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n" +
		"st.weak x, 1 | ld.acquire.gpu r0, f ;\nst.release.gpu f, 1 | %s ;\n | suld.weak r1, s ;\n~exists (P1:r0 == 1 /\\ P1:r1 == 0)\n"
	for _, c := range []struct {
		row, want string
		code      int
	}{
		{"fence.proxy.surface", ": yes\n", command.Findings}, // a race if the flag is not set
		{"fence.proxy.texture", ": no\nrace, by the axioms: st.weak x, 1 in P0 at ", command.Findings},
	} {
		name := filepath.Join(t.TempDir(), "surface.litmus")
		if err := os.WriteFile(name, fmt.Appendf(nil, format, c.row), 0o600); err != nil {
			t.Fatal(err)
		}
		code, out := runLitmus("--memory", "ptx", name)
		if code != c.code || !strings.Contains(out, c.want) || !strings.Contains(out, ", by the axioms\n") {
			t.Errorf("%s: exit code %d, want %d, and %q in\n%s", c.row, code, c.code, c.want, out)
		}
	}
	long := endless(t)
	text, err := os.ReadFile(long)
	if err == nil {
		err = os.WriteFile(long, bytes.Replace(text, []byte("{ x=0;"), []byte("{ x=0; s @ surface aliases x;"), 1), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if code, out := runLitmus("--memory", "ptx", "--timeout", "300ms", long); code != command.Nothing || !strings.Contains(out, ": unknown\n") {
		t.Errorf("exit code %d, want %d:\n%s", code, command.Nothing, out)
	}
}

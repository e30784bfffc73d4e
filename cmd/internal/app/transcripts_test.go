package app

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/internal/gpu"
	"github.com/ptxsan/ptxsan/runtime/session/source"
)

// documents returns those that people read, from the root of the repository.
func documents(t *testing.T) map[string]string {
	t.Helper()
	docs := map[string]string{}
	for _, glob := range []string{"*.md", "docs/*.md", "docs/*/*.md", "examples/*/*.md"} {
		files, err := filepath.Glob(glob)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			docs[name] = string(text)
		}
	}
	return docs
}

// TestTranscripts runs the commands that documents show with a prompt and what they print,
// and compares that.
func TestTranscripts(t *testing.T) {
	long(t)
	t.Chdir("../../..")
	count := 0
	for name, doc := range documents(t) {
		for _, block := range strings.Split(doc, "```\n$ ")[1:] {
			block, _, _ = strings.Cut(block, "```\n")
			line, want, _ := strings.Cut(block, "\n")
			count++
			if _, err := exec.LookPath("clang-19"); err != nil && strings.Contains(line, "--apply-source") {
				t.Logf("%s: %s: not run, since nothing compiles the source: %v", name, line, err)
				continue
			}
			var out, errw bytes.Buffer
			if code := run(context.Background(), strings.Fields(line), nil, &out, &errw); code > command.Findings {
				t.Errorf("%s: %s: exit code %d\n%s", name, line, code, errw.String())
			}
			if out.String() != want {
				t.Errorf("%s: %s prints\n%swant\n%s", name, line, out.String(), want)
			}
		}
	}
	if count < 6 {
		t.Errorf("the documents show %d commands", count)
	}
}

// TestCommandsOfExamples runs the commands in the documents of the examples that say
// their exit code.
func TestCommandsOfExamples(t *testing.T) {
	t.Chdir("../../..")
	ran := 0
	for name, doc := range documents(t) {
		for line := range strings.Lines(doc) {
			shown, ok := strings.CutPrefix(line, "go run ./cmd/")
			if !ok {
				continue
			}
			shown, comment, _ := strings.Cut(shown, "#")
			want := map[string]int{"exit code 0": command.Clean, "exit code 1": command.Findings, "": command.Findings}[strings.TrimSpace(comment)]
			var out, errw bytes.Buffer
			if code := run(context.Background(), strings.Fields(shown), nil, &out, &errw); code != want {
				t.Errorf("%s: %s: exit code %d, want %d\n%s", name, shown, code, want, errw.String())
			}
			ran++
		}
	}
	if ran < 19 {
		t.Errorf("the documents have %d commands", ran)
	}
}

// TestHelpExamples runs the examples that --help gives of each command on files of these
// names.
func TestHelpExamples(t *testing.T) {
	long(t)
	files := helpFiles(t)
	for _, cmd := range newApp(nil, nil, nil).Commands {
		ran := 0
		for line := range strings.Lines(cmd.Description) {
			line = strings.TrimSpace(line)
			if !strings.HasPrefix(line, "ptxsan "+cmd.Name+" ") && line != "ptxsan "+cmd.Name {
				continue
			}
			t.Run(line, func(t *testing.T) { helpExample(t, files, line) })
			ran++
		}
		if ran == 0 {
			t.Errorf("%s --help has no example", cmd.Name)
		}
	}
}

// helpExample runs a command line in a separate folder.
func helpExample(t *testing.T, files map[string]string, line string) {
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("kernels", 0o777); err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(line, "ptxsan embed ") {
		if err := os.Rename("app.ptx", "k.ptx"); err != nil {
			t.Fatal(err)
		}
	}
	if strings.HasPrefix(line, "ptxsan exec ") {
		useDropIns(t)
		if _, err := exec.LookPath("cc"); err != nil {
			t.Skip("exec compiles its drop-in libraries, which needs a C compiler: ", err)
		}
		if err := errors.Join(os.Remove("app"), os.WriteFile("app", []byte("#!/bin/sh\n"), 0o777)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := gpu.Count(); err != nil && line == "ptxsan devices" {
		t.Skip("the documented output lists a GPU, and this machine has none: ", err)
	}
	if strings.HasPrefix(line, "ptxsan worker ") {
		t.Skip("waits for a server at the URL of the example; testdata/script/campaign.txtar starts one and runs a worker for it")
	}
	if strings.Contains(line, " --watch ") {
		t.Skip("waits for changes until an interrupt; TestWatch makes both")
	}
	line, _, _ = strings.Cut(line, " | ")
	var args []string
	for _, arg := range strings.Fields(line) {
		if arg = strings.Trim(arg, "'"); arg == "*.ptx" {
			args = append(args, "a.ptx", "b.ptx", "k.ptx")
		} else {
			args = append(args, arg)
		}
	}
	var out, errw bytes.Buffer
	code := run(context.Background(), args, nil, &out, &errw)
	if strings.Contains(errw.String(), source.ErrNoCompiler.Error()) {
		t.Skip(source.ErrNoCompiler)
	}
	if strings.Contains(errw.String(), "clang, which reads host code, is not installed") {
		t.Skip("clang-19, which reads host code, is not installed")
	}
	if code > command.Findings && code != command.Nothing {
		t.Errorf("exit code %d\n%s", code, errw.String())
	}
}

// helpFiles returns a program and its like under the names that the examples use.
func helpFiles(t *testing.T) map[string]string {
	t.Helper()
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	launches, _, _ := strings.Cut(read("../../../examples/reduction/racy.yaml"), "expect:")
	const noFindings = `{"schema": 1, "tool": {"name": "ptxsan", "version": "0"}, "verdict": "clean"}`
	const module = ".version 7.5\n.target sm_70\n.address_size 64\n"
	fatbin := map[string]string{}
	for _, f := range txtar.Parse([]byte(read("testdata/script/fatbin.txtar"))).Files {
		fatbin[f.Name] = string(f.Data)
	}
	certificate := fmt.Sprintf(`{"certificate": 4, "ptx": {"name": "k.ptx", "sha256": "%x"}, "tool": {"name": "ptxsan", "version": "0"}, "facts": "", "assume": [], "ignored": [], "kernels": [], "proofs": [], "launches": []}`, sha256.Sum256([]byte(read("../../../examples/reduction/racy.ptx"))))
	return map[string]string{
		"k.cert": certificate,
		"k.cu":   read("../../../examples/reduction/racy.cu"), "k.ptx": read("../../../examples/reduction/racy.ptx"), "k.yaml": strings.ReplaceAll(launches, "data", "out"),
		"a.ptx": read("../../../examples/reduction/racy.ptx"), "b.ptx": read("../../../examples/reduction/fixed.ptx"),
		"sb.ptx": read("../../../examples/litmus/sb.ptx"), "sb.yaml": read("../../../examples/litmus/sb.yaml"), "sb.litmus": read("../../../examples/litmus/rules/fence-sc.litmus"),
		"util.ptx": module + ".visible .func util() { ret; }\n", "math.ptx": module + ".visible .func math() { ret; }\n",
		"app.cu": "__global__ void reduce(int *a, int n) {}\nint main() { reduce<<<1, 32>>>(0, 0); }\n", "app.facts.yaml": "launches: []\n",
		"plan.yaml": "kernels: [{ptx: k.ptx}]\nschedules: 4\n",
		"r.json":    noFindings, "s.json": noFindings,
		"app": fatbin["two.c"], "libkernels.a": fatbin["two.c"], "app.ptx": fatbin["k.ptx"],
	}
}

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/runtime/session"
)

// TestGoalFiles: the modules are PTX, and have the kernels that the launch files of the goals name.
func TestGoalFiles(t *testing.T) {
	dir := t.TempDir()
	if err := writeGoalFiles(dir); err != nil {
		t.Fatal(err)
	}
	if err := writeManyKernels(filepath.Join(dir, "large.ptx"), 100_000); err != nil { // which takes no time to read
		t.Fatal(err)
	}
	for _, g := range goals {
		words := strings.Fields(g.args)
		name := words[len(words)-1]
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		p, err := session.Parse(name, text)
		if err != nil {
			t.Errorf("%s: %v", g.what, err)
			continue
		}
		if words[0] == "inspect" {
			continue
		}
		file, err := os.ReadFile(filepath.Join(dir, words[len(words)-2]))
		if err != nil {
			t.Fatal(err)
		}
		kernel := regexp.MustCompile("kernel: ([a-z_]+)").FindStringSubmatch(string(file))[1]
		if name == "large.ptx" {
			kernel += "1" // of 100 kB
		}
		if p.Module.Func(kernel) == nil {
			t.Errorf("%s: there is no kernel %s in %s", g.what, kernel, name)
		}
	}
}

// TestGoals measures a program that does nothing, and looks at the document.
func TestGoals(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("needs a shell: a script stands in for ptxsan, with exit codes and output of the test's choice: ", err)
	}
	dir := t.TempDir()
	program, doc := filepath.Join(dir, "ptxsan"), filepath.Join(dir, "doc.md")
	if err := os.WriteFile(program, []byte("#!/bin/sh\ncase \"$*\" in *hot-word*) exit 1; esac\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(doc, []byte("before\n"+goalsBegin+goalsEnd+"after\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	limitGoals(t, time.Hour)
	if err := run(t.Context(), []string{"-goals", dir, "-budget", "1ms", "-o", doc}, &out); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range goals {
		if !strings.Contains(string(text), "| `ptxsan "+g.args+"` |\n") {
			t.Errorf("the document has no %q:\n%s", g.args, text)
		}
	}
	goals[0].limit = 0
	if err := run(t.Context(), []string{"-goals", dir, "-budget", "1ms"}, &out); err == nil || !strings.Contains(err.Error(), "over their limits:\nptxsan check --launch saxpy.yaml half.ptx") {
		t.Errorf("a command over its limit: %v", err)
	}
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho broken\nexit 3\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), []string{"-goals", dir}, &out); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("a command that fails: %v", err)
	}
}

// limitGoals gives the goals another limit of time for a test, whose result must not depend on how busy the machine is.
func limitGoals(t *testing.T, limit time.Duration) {
	before := goals
	t.Cleanup(func() { goals = before })
	goals = slices.Clone(goals)
	for i := range goals {
		goals[i].limit = limit
	}
}

package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// ciBlock is a code block of docs/ci.md.
var ciBlock = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")

// ciCommand is a command of a step: of GitHub, or of GitLab's script.
var ciCommand = regexp.MustCompile(`(?m)^ +- (?:run: )?((?:go|ptxsan) .*)$`)

// ciSteps returns the commands of each block of docs/ci.md, as a shell runs them, and whether they are
// a script as they are.
func ciSteps(t *testing.T) (blocks [][]string) {
	t.Helper()
	doc, err := os.ReadFile("../../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range ciBlock.FindAllStringSubmatch(string(doc), -1) {
		switch m[1] {
		case "sh":
			blocks = append(blocks, []string{m[2]})
			continue
		case "yaml":
		default: // a part of a file, or commands that need compilers
			continue
		}
		var steps []string
		for _, c := range ciCommand.FindAllStringSubmatch(m[2], -1) {
			steps = append(steps, c[1])
		}
		blocks = append(blocks, steps)
	}
	return blocks
}

// TestDocsContinuousIntegration runs the steps of the files in docs/ci.md one after the other, on a
// kernel with a race and on one without: a step fails for the race, and what later steps upload is there.
func TestDocsContinuousIntegration(t *testing.T) {
	need(t, "bash")
	blocks := ciSteps(t)
	if len(blocks) != 4 {
		t.Fatalf("docs/ci.md has %d blocks of commands, expected those of GitHub, GitLab, a baseline and a hook", len(blocks))
	}
	ptxsan := buildCommand(t)
	uploads := [][]string{{"r.sarif", "r.html"}, {"r.xml"}, {"baseline.json", "r.json"}, nil}
	for i, steps := range blocks {
		for kernel, want := range map[string]int{"racy": 1, "fixed": 0} {
			if i == 2 {
				want = 0 // the same findings as in the baseline
			}
			dir := ciRepository(t, kernel)
			if got := ciRun(t, ptxsan, dir, steps); got != want {
				t.Errorf("%s: %q end with %d, expected %d", kernel, steps, got, want)
			}
			for _, name := range uploads[i] {
				if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
					t.Errorf("%s: %q write no %s", kernel, steps, name)
				}
			}
		}
	}
}

// ciRepository returns a folder with a kernel where docs/ci.md expects it.
func ciRepository(t *testing.T, kernel string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "kernels"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, ext := range []string{".ptx", ".yaml"} {
		text, err := os.ReadFile("../../../examples/message-passing/" + kernel + ext)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"kernels/k", "k"} {
			if err = os.WriteFile(filepath.Join(dir, name+ext), text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// ciRun runs steps up to the first that fails, whose exit code it returns. It uses this repository's command instead of
// the one that go install fetches.
func ciRun(t *testing.T, ptxsan, dir string, steps []string) int {
	t.Helper()
	ran := 0
	for _, step := range steps {
		if path, ok := strings.CutPrefix(step, "go install github.com/ptxsan/ptxsan/"); ok {
			path, _, _ = strings.Cut(path, "@")
			if _, err := os.Stat(filepath.Join("../../..", path, "main.go")); err != nil {
				t.Errorf("%s: %v", step, err)
			}
			continue
		}
		cmd := exec.Command("bash", "-e", "-c", step)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+filepath.Dir(ptxsan)+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		ran++
		if err != nil {
			if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() > 1 {
				t.Errorf("%s: %v\n%s", step, err, out)
			}
			return cmd.ProcessState.ExitCode()
		}
	}
	if ran == 0 {
		t.Errorf("%q: nothing was run", steps)
	}
	return 0
}

// TestPreCommitHook installs the hook of docs/ci.md in a repository: git refuses to commit the kernel with a race, and
// commits the one without.
func TestPreCommitHook(t *testing.T) {
	need(t, "git")
	need(t, "bash")
	blocks := ciSteps(t)
	ptxsan := buildCommand(t)
	for kernel, commits := range map[string]bool{"racy": false, "fixed": true} {
		dir := ciRepository(t, kernel)
		runIn(t, dir, nil, "git", "init", "-q")
		hook := filepath.Join(dir, ".git", "hooks", "pre-commit")
		if err := os.MkdirAll(filepath.Dir(hook), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(hook, []byte(blocks[len(blocks)-1][0]), 0o777); err != nil { //nolint:gosec // git runs it
			t.Fatal(err)
		}
		runIn(t, dir, nil, "git", "add", ".")
		cmd := exec.Command("git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "kernels")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+filepath.Dir(ptxsan)+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if (err == nil) != commits || !commits && !strings.Contains(string(out), "ERROR SUMMARY: 1 error") {
			t.Errorf("%s: %v\n%s", kernel, err, out)
		}
	}
}

// TestWorkflow parses the workflow of docs/ci.md as GitHub does: the job may upload the files that the step writes,
// results are uploaded when the step that finds races fails, and each action has a version.
func TestWorkflow(t *testing.T) {
	doc, err := os.ReadFile("../../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	var w struct {
		On          []string
		Permissions map[string]string
		Jobs        map[string]struct {
			Runs  string `yaml:"runs-on"`
			Steps []struct {
				Uses, Run, If string
				With          map[string]string
			}
		}
	}
	if err = yaml.Unmarshal([]byte(ciBlock.FindStringSubmatch(string(doc))[2]), &w); err != nil {
		t.Fatal(err)
	}
	steps := w.Jobs["ptxsan"].Steps
	if w.Permissions["security-events"] != "write" || len(w.On) == 0 || w.Jobs["ptxsan"].Runs == "" || len(steps) == 0 {
		t.Errorf("workflow %+v", w)
	}
	written := ""
	for _, s := range steps {
		if (s.Run == "") == (s.Uses == "") || s.Uses != "" && !strings.Contains(s.Uses, "@v") {
			t.Errorf("step %+v", s)
		}
		for _, key := range []string{"sarif_file", "path"} {
			if name := s.With[key]; name != "" && (!strings.Contains(written, "="+name) || s.If != "always()") {
				t.Errorf("step %+v uploads %s after %q", s, name, written)
			}
		}
		written += s.Run
	}
}

package app

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// ciStep is a step of a workflow or of an action.
type ciStep struct {
	Uses, Run, If, Shell string
	Env, With            map[string]string
}

// readYAML reads a file of the repository.
func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../..", name))
	if err != nil {
		t.Fatal(err)
	}
	if err = yaml.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// TestAction runs the steps of action.yml as GitHub does, with a command go that has built ptxsan already: the step
// that runs the user's commands fails for a kernel with a race, and what is uploaded is there.
func TestAction(t *testing.T) {
	need(t, "bash")
	var action struct {
		Inputs map[string]struct{ Required bool }
		Runs   struct {
			Using string
			Steps []ciStep
		}
	}
	readYAML(t, "action.yml", &action)
	steps := action.Runs.Steps
	if action.Runs.Using != "composite" || len(steps) != 4 || !action.Inputs["run"].Required || steps[3].With["sarif_file"] != "${{ inputs.sarif }}" || !strings.HasPrefix(steps[3].If, "always()") {
		t.Fatalf("action.yml: %+v", action)
	}
	ptxsan := buildCommand(t)
	const run = "ptxsan check --format sarif=r.sarif,github --launch kernels/k.yaml kernels/k.ptx"
	for kernel, fails := range map[string]bool{"racy": true, "fixed": false} {
		dir, temp := ciRepository(t, kernel), t.TempDir()
		goCommand := "#!/bin/bash\n[ \"$*\" = \"build -C $GITHUB_ACTION_PATH -trimpath -o $RUNNER_TEMP/ptxsan/ ./cmd/ptxsan\" ] && [ -f \"$3/action.yml\" ] && mkdir -p \"$RUNNER_TEMP/ptxsan\" && cp '" + ptxsan + "' \"$RUNNER_TEMP/ptxsan/ptxsan\"\n"
		if err := os.WriteFile(filepath.Join(temp, "go"), []byte(goCommand), 0o755); err != nil { //nolint:gosec // it is executed
			t.Fatal(err)
		}
		root, err := filepath.Abs("../../..")
		if err != nil {
			t.Fatal(err)
		}
		env := append(os.Environ(), "GITHUB_ACTION_PATH="+root, "RUNNER_TEMP="+temp, "GITHUB_PATH="+filepath.Join(temp, "path"), "PTXSAN_RUN="+run)
		path := temp + ":" + os.Getenv("PATH")
		var failed string
		for _, step := range steps {
			if step.Run == "" {
				continue
			}
			cmd := exec.Command(step.Shell, "-e", "-o", "pipefail", "-c", step.Run)
			cmd.Dir, cmd.Env = dir, append(slices.Clone(env), "PATH="+path)
			if out, err := cmd.CombinedOutput(); err != nil {
				failed = step.Run + ": " + string(out)
				break
			}
			added, err := os.ReadFile(filepath.Join(temp, "path"))
			if err != nil {
				t.Fatal(err)
			}
			path = strings.TrimSpace(string(added)) + ":" + path
		}
		if (failed != "") != fails || fails && !strings.Contains(failed, "::error file=racy.cu") {
			t.Errorf("%s: %s", kernel, failed)
		}
		if info, err := os.Stat(filepath.Join(dir, "r.sarif")); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", kernel, err)
		}
	}
}

// TestPreCommitManifest runs the hook of .pre-commit-hooks.yaml as pre-commit does, with the names of changed files: it
// fails for a kernel with a race, checks each kernel once, and passes over files that are no pair.
func TestPreCommitManifest(t *testing.T) {
	need(t, "bash")
	var hooks []struct{ ID, Language, Entry, Files string }
	readYAML(t, ".pre-commit-hooks.yaml", &hooks)
	if len(hooks) != 1 || hooks[0].ID != "ptxsan" || hooks[0].Language != "golang" {
		t.Fatalf("%+v", hooks)
	}
	script, ok := strings.CutPrefix(hooks[0].Entry, "bash -c '")
	script, name, found := strings.Cut(script, "' ")
	if !ok || !found {
		t.Fatalf("the entry %q", hooks[0].Entry)
	}
	ptxsan, files := buildCommand(t), regexp.MustCompile(hooks[0].Files)
	for kernel, want := range map[string]int{"racy": 1, "fixed": 0} {
		dir := ciRepository(t, kernel)
		if err := os.WriteFile(filepath.Join(dir, "alone.ptx"), []byte("not PTX"), 0o600); err != nil {
			t.Fatal(err)
		}
		changed := []string{"kernels/k.ptx", "kernels/k.yaml", "alone.ptx"}
		for _, file := range changed {
			if !files.MatchString(file) {
				t.Errorf("%s does not match %s", file, hooks[0].Files)
			}
		}
		cmd := exec.Command("bash", append([]string{"-c", script, name}, changed...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+filepath.Dir(ptxsan)+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != want || strings.Count(string(out), "RACECHECK SUMMARY") != 1 {
			t.Errorf("%s: exit code %d, %v\n%s", kernel, code, err, out)
		}
	}
}

// TestPresets: the presets of docs/ci.md are JSON, and every preset is one of the configuration that compiles PTX.
func TestPresets(t *testing.T) {
	doc, err := os.ReadFile("../../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(doc), "```json\n")
	text, _, _ = strings.Cut(text, "```")
	type preset struct {
		Name, ConfigurePreset string
		CacheVariables        map[string]string
	}
	var p struct {
		Version                                     int
		ConfigurePresets, BuildPresets, TestPresets []preset
	}
	if err = json.Unmarshal([]byte(text), &p); err != nil {
		t.Fatal(err)
	}
	if p.Version < 3 || len(p.ConfigurePresets) != 1 || !strings.HasSuffix(p.ConfigurePresets[0].CacheVariables["CMAKE_CUDA_ARCHITECTURES"], "-virtual") {
		t.Errorf("%+v", p)
	}
	for _, x := range append(p.BuildPresets, p.TestPresets...) {
		if x.ConfigurePreset != p.ConfigurePresets[0].Name {
			t.Errorf("%+v", x)
		}
	}
}

// TestWorkflows: the workflow of pushes runs what .ci/run runs; that of releases tests first, may sign, and states the
// provenance of what goreleaser has made, whose configuration asks for SBOMs and a signature.
func TestWorkflows(t *testing.T) {
	type workflow struct {
		Permissions map[string]string
		Jobs        map[string]struct{ Steps []ciStep }
	}
	var ci, release workflow
	readYAML(t, ".github/workflows/ci.yml", &ci)
	readYAML(t, ".github/workflows/release.yml", &release)
	runs := func(step ciStep) bool { return step.Run == ".ci/run" }
	if !slices.ContainsFunc(ci.Jobs["test"].Steps, runs) || ci.Permissions["contents"] != "read" {
		t.Errorf("%+v", ci)
	}
	steps := release.Jobs["release"].Steps
	at := func(action string) int {
		return slices.IndexFunc(steps, func(step ciStep) bool { return strings.HasPrefix(step.Uses, action+"@v") })
	}
	tested, made, stated := slices.IndexFunc(steps, runs), at("goreleaser/goreleaser-action"), at("actions/attest-build-provenance")
	if tested < 0 || made < tested || at("sigstore/cosign-installer") > made || at("anchore/sbom-action/download-syft") > made || stated < made {
		t.Errorf("%+v", steps)
	}
	for _, permission := range []string{"contents", "id-token", "attestations"} {
		if release.Permissions[permission] != "write" {
			t.Errorf("permissions %v", release.Permissions)
		}
	}
	var config struct {
		Sboms []struct{ Artifacts string }
		Signs []struct{ Cmd, Artifacts string }
	}
	readYAML(t, ".goreleaser.yaml", &config)
	if len(config.Sboms) != 2 || len(config.Signs) != 1 || config.Signs[0].Artifacts != "checksum" || steps[stated].With["subject-checksums"] != "dist/checksums.txt" {
		t.Errorf("%+v, %+v", config, steps[stated])
	}
}

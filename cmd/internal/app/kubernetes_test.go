// The example for Kubernetes in docs/campaigns.md.

package app

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestKubernetes reads the Job of docs/campaigns.md with the types of Kubernetes, strictly, and Jobs
// with mistakes, which must be found. Its command line is one that ptxsan has.
func TestKubernetes(t *testing.T) {
	long(t)
	text, err := os.ReadFile("../../../docs/campaigns.md")
	if err != nil {
		t.Fatal(err)
	}
	job := regexp.MustCompile("(?s)```yaml\n(apiVersion: batch/v1\n.*?)```").FindSubmatch(text)
	if job == nil {
		t.Fatal("docs/campaigns.md has no Job")
	}
	args := regexp.MustCompile(`args: \[worker, (.*)\]`).FindSubmatch(job[1])
	if args == nil {
		t.Fatal("the Job does not run a worker")
	}
	var help, errs bytes.Buffer
	if code := run(t.Context(), []string{"ptxsan", "worker", "--help"}, nil, &help, &errs); code != 0 {
		t.Fatalf("worker --help: exit code %d\n%s", code, errs.String())
	}
	for _, flag := range regexp.MustCompile(`--[a-z]+`).FindAllString(string(args[1]), -1) {
		if !strings.Contains(help.String(), flag+" ") {
			t.Errorf("worker has no flag %s", flag)
		}
	}
	if !*wholeReleases {
		t.Skip("compiles the types of Kubernetes, which takes a minute; run by make releases")
	}
	program := filepath.Join(t.TempDir(), "kubernetes")
	if out, err := exec.Command("go", "build", "-C", "testdata/kubernetes", "-o", program, ".").CombinedOutput(); err != nil {
		t.Skipf("needs the modules of Kubernetes: %v\n%s", err, out)
	}
	check := func(text string) error {
		cmd := exec.Command(program)
		cmd.Stdin = strings.NewReader(text)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Logf("%s", out)
		}
		return err
	}
	if err := check(string(job[1])); err != nil {
		t.Error(err)
	}
	for _, change := range [][2]string{{"parallelism: 100", "paralelism: 100"}, {"completions: 100", "completions: many"}, {"OnFailure", "Always"}, {"kind: Job", "kind: Jobs"}, {"name: ptxsan-workers", "name: Ptxsan_workers"}, {"memory: 4Gi", "memory: four"}} {
		if wrong := strings.Replace(string(job[1]), change[0], change[1], 1); wrong == string(job[1]) || check(wrong) == nil {
			t.Errorf("%q in place of %q is not found", change[1], change[0])
		}
	}
}

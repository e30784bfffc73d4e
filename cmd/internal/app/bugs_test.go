package app

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/cmd/internal/command"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// TestBugs checks the kernels of examples/bugs: the launch files say what is found in the racy one, and that the fixed
// one is clean.
func TestBugs(t *testing.T) {
	long(t)
	files, err := filepath.Glob("../../../examples/bugs/*/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no bugs: %v", err)
	}
	for _, yaml := range files {
		name := filepath.Base(filepath.Dir(yaml))
		t.Run(name+"/"+filepath.Base(yaml), func(t *testing.T) {
			var out, errw bytes.Buffer
			args := []string{"ptxsan", "check", "--launch", yaml, strings.TrimSuffix(yaml, ".yaml") + ".ptx"}
			code := run(context.Background(), args, nil, &out, &errw)
			racy := filepath.Base(yaml) == "racy.yaml"
			if racy && code != command.Findings && code != command.Faulted || !racy && code != command.Clean {
				t.Errorf("exit code %d\n%s%s", code, out.String(), errw.String())
			}
		})
	}
}

// TestBugApplications checks the applications of examples/bugs: what is reported of the racy one, and that the fixed
// one is clean.
func TestBugApplications(t *testing.T) {
	long(t)
	need(t, "clang-19")
	ptxsan, libraries := dropIns(t)
	dir := t.TempDir()
	for _, c := range []struct {
		name   string
		flags  []string
		says   string
		faults bool
	}{
		{name: "freed-in-its-own-stream", says: "a release of memory in stream 1"},
		{name: "freed-in-the-null-stream", says: "a release of memory in the default stream"},
		{name: "pageable-result", says: "host code"},
		{name: "output-not-written", flags: []string{"--initcheck"}, faults: true},
		{name: "fill-not-awaited", flags: []string{"--devices", "2"}, says: "a fill in the default stream of device 0"},
		{name: "other-buffer", says: "a copy in stream 2"},
		{name: "grid-barrier-for-devices", flags: []string{"--devices", "2"}, says: "a launch in the default stream of device 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := "../../../examples/bugs/" + c.name + "/app.cu"
			clangBuilds(t, ptxsan, libraries, source, filepath.Join(dir, "racy"))
			clangBuilds(t, ptxsan, libraries, source, filepath.Join(dir, "fixed"), "-DFIXED")
			out, code, rep := runApplication(t, ptxsan, dir, []string{"racy"}, c.flags...)
			said := c.faults == (len(rep.Faults) > 0) && (c.says == "" || slices.ContainsFunc(rep.Races, func(x *report.Race) bool {
				return x.First.Operation == c.says || x.Second.Operation == c.says
			}))
			if code == command.Clean || !said {
				t.Errorf("racy: exit code %d, %d races and %d faults, want %q\n%s", code, len(rep.Races), len(rep.Faults), c.says, out)
			}
			if out, code, rep = runApplication(t, ptxsan, dir, []string{"fixed"}, c.flags...); code != command.Clean || len(rep.Races)+len(rep.Faults) > 0 {
				t.Errorf("fixed: exit code %d, %d races and %d faults\n%s", code, len(rep.Races), len(rep.Faults), out)
			}
		})
	}
}

// TestBugsListed checks that the table of examples/bugs names the folders there.
func TestBugsListed(t *testing.T) {
	page, err := os.ReadFile("../../../examples/bugs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir("../../../examples/bugs")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !bytes.Contains(page, []byte("\n| `"+e.Name()+"` |")) {
			t.Errorf("examples/bugs/README.md lacks a row of %s", e.Name())
		}
	}
}

// Helpers of the tests: plans of files and texts, and their repairs.

package fix_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/fix"
	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/internal/fix/trial"
	"github.com/ptxsan/ptxsan/internal/static/hostcode"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

const suite = "../../examples/suite/micro"

// open returns the plan of a launch file and the module beside it.
func open(t *testing.T, yaml string) *session.Plan {
	t.Helper()
	name := strings.TrimSuffix(yaml, ".yaml") + ".ptx"
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	file, err := launch.Load(yaml, launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return planOf(t, name, text, file)
}

// planText returns the plan of a module and a launch file that are no files.
func planText(t *testing.T, text, yaml string) *session.Plan {
	t.Helper()
	file, err := launch.Parse("k.yaml", []byte(yaml), launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return planOf(t, "k.ptx", []byte(text), file)
}

func planOf(t *testing.T, name string, text []byte, file *launch.File) *session.Plan {
	t.Helper()
	p, err := session.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := session.NewPlan(p, file, 0)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// compiled writes a CUDA source to a file and compiles it. The plan is that of a launch file.
func compilation(t *testing.T, source, launches string) (file string, plan *session.Plan) {
	t.Helper()
	return compiledFor(t, "sm_70", source, launches)
}

// compiledFor compiles a source for an architecture.
func compiledFor(t *testing.T, arch, source, launches string) (file string, plan *session.Plan) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "k.cu")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	made, err := hostcode.CompileDevice(context.Background(), file, arch, hostcode.Options{})
	if err != nil {
		t.Fatal(err)
	}
	yaml, err := launch.Parse("k.yaml", []byte(launches), launch.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return file, planOf(t, "k.ptx", made.PTX, yaml)
}

// mendPlan repairs the races that precise finds.
func mendPlan(t *testing.T, plan *session.Plan, schedules, attempts, workers int) *fix.Result {
	t.Helper()
	dets, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	res, err := fix.Run(context.Background(), fix.Options{Subject: trial.Subject{Plan: plan, Session: session.Options{Detectors: dets}, Workers: workers}, Schedules: schedules, Attempts: attempts})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// mend repairs the launches of a file.
func mend(t *testing.T, yaml string, schedules, attempts int) *fix.Result {
	t.Helper()
	return mendPlan(t, open(t, yaml), schedules, attempts, 2)
}

// bodyPlan returns the plan of a kernel k with one argument, a buffer out of 64 words.
func bodyPlan(t *testing.T, body, shape string) *session.Plan {
	t.Helper()
	return targetPlan(t, ".version 7.0\n.target sm_80", body, shape)
}

// targetPlan is bodyPlan for another target.
func targetPlan(t *testing.T, target, body, shape string) *session.Plan {
	t.Helper()
	text := target + "\n.address_size 64\n.global .u32 l;\n.visible .entry k(.param .u64 p)\n{\n.reg .pred %p<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n" +
		"ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\n" + body + "\nret;\n}\n"
	return planText(t, text, "buffers: {out: {type: u32, count: 64, init: 0}}\nlaunches: [{kernel: k, "+shape+", args: [out]}]\n")
}

// mendBody repairs the launch of bodyPlan.
func mendBody(t *testing.T, body, shape string) *fix.Result {
	t.Helper()
	return mendPlan(t, bodyPlan(t, body, shape), 40, 0, 2)
}

func ops(res *fix.Result) (list []repair.Op) {
	for _, e := range res.Edits {
		list = append(list, e.Op)
	}
	return list
}

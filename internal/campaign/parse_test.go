// Tests of plan files.

package campaign

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlanErrors tests that mistakes in a plan are reported with their place.
func TestPlanErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   `plan.yaml:1:1: the plan is empty; expected at least "kernels:"`,
		"kernels: []":                        `plan.yaml:1:10: expected a list of kernels, found a list`,
		"seed: 1":                            `plan.yaml:1:1: no kernels; expected "kernels:" with at least one {ptx: FILE}`,
		"kernel: [{ptx: a.ptx}]":             `plan.yaml:1:1: unknown key "kernel" in the plan; expected one of: name, kernels,`,
		"kernels: [{ptx: a.ptx, app: b}]":    `plan.yaml:1:11: expected one of ptx, app and saved, found 2 of them`,
		"kernels: [{app: b}]":                `plan.yaml:1:11: app b: expected launch:`,
		"kernels: [{saved: b, launch: c}]":   `plan.yaml:1:11: saved b: launch has no place here`,
		"kernels: [{ptx: 3}]":                `plan.yaml:1:17: expected a PTX file or a glob, found "3"`,
		"kernels: [{ptx: a}]\nkernels: 3":    `plan.yaml:2:1: duplicate key "kernels" in the plan, first given in line 1`,
		"detectors: [presice]":               `plan.yaml:1:13: `,
		"detectors: [precise, precise]":      `plan.yaml:1:22: detector precise is there twice`,
		"strategies: [lucky]":                `plan.yaml:1:14: expected a strategy (one of: mixed, directed, random, pct, round-robin, exhaustive), found "lucky"`,
		"schedules: 0":                       `plan.yaml:1:12: expected a number of schedules (an integer from 1 to 1099511627776), found "0"`,
		"budget: {time: never}":              `plan.yaml:1:16: expected a time (a time, such as 90s, 10m or 8h), found "never"`,
		"prove: maybe":                       `plan.yaml:1:8: expected prove (true or false), found "maybe"`,
		"name: a.b":                          `plan.yaml:1:7: expected a name of up to 64 letters, digits, - and _, found "a.b"`,
		"replays: [{ptx: a, run: 'pct:1'}]":  `plan.yaml:1:11: run "pct:1": expected POLICY:SEED of random round-robin its, pct:SEED:DEPTH:LENGTH, or a schedule`,
		"task: {schedules: [1]}":             `plan.yaml:1:19: expected a number of schedules (an integer from 1 to 1099511627776), found a list`,
		"a: b\n---\nc: d":                    `plan.yaml:2:1: a second YAML document`,
		"kernels: [{ptx: a, launch: [[b]]}]": `plan.yaml:1:29: expected launch files, found a list`,
	} {
		if _, err := Parse("plan.yaml", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestFileErrors tests the same for mistakes in files that a plan names.
func TestFileErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("bad.ptx", ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { nonsense; }\n")
	write("bad.yaml", "launches: [{kernel: k, grid: 1, block: 1}]\n")
	write("good.ptx", ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n")
	write("good.yaml", "launches: [{kernel: other, grid: 1, block: 1}]\n")
	write("lone.ptx", ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n")
	for text, want := range map[string]string{
		"kernels: [{ptx: none.ptx}]":  "plan.yaml:1:11: DIR/none.ptx has no launch file DIR/none.yaml",
		"kernels: [{ptx: '*.cubin'}]": "plan.yaml:1:11: no file matches DIR/*.cubin",
		"kernels: [{ptx: bad.ptx}]":   "DIR/bad.ptx:4:23: ",
		"kernels: [{ptx: good.ptx}]":  "DIR/good.yaml:1:21: ",
		"kernels: [{ptx: lone.ptx, launch: bad.yaml}]\nreplays: [{ptx: x.ptx, launch: y.yaml, run: 'random:1'}]": "plan.yaml:2:11: the plan has no kernels of DIR/x.ptx with DIR/y.yaml",
		"kernels: [{saved: .}]":                            "plan.yaml:1:11: saved DIR: no folder there has a kernel.ptx",
		"kernels: [{app: good.ptx, launch: good.yaml}]":    "plan.yaml:1:11: ",
		"kernels: [{ptx: lone.ptx, launch: missing.yaml}]": "plan.yaml:1:11: open DIR/missing.yaml",
	} {
		write("plan.yaml", text)
		p, err := Load(filepath.Join(dir, "plan.yaml"))
		if err == nil {
			_, _, err = Open(t.Context(), p, nil)
		}
		if err == nil {
			t.Errorf("%q: no error", text)
			continue
		}
		got := strings.ReplaceAll(strings.ReplaceAll(err.Error(), dir+"/plan.yaml", "plan.yaml"), dir, "DIR")
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s\nwant %s", text, got, want)
		}
	}
}

// TestKernels: data files and saved launches travel with their subjects.
func TestKernels(t *testing.T) {
	p := plan(t, "kernels: [{ptx: SUITE/micro/lock/thread-locks-racy.ptx}]\n")
	dir := filepath.Dir(p.File)
	folder := filepath.Join(dir, "runs", "process1-launch1", "buffers")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"buffers/x.bin": "\x01\x00\x00\x00\x02\x00\x00\x00",
		"launch.yaml":   "buffers: {x: {type: u32, init: {file: buffers/x.bin}}}\nlaunches: [{kernel: k, grid: 2, block: 1, args: [x]}]\n",
		"kernel.ptx": `.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p) {
.reg .b64 %rd<3>;
.reg .b32 %r<2>;
ld.param.u64 %rd1, [p];
cvta.to.global.u64 %rd2, %rd1;
ld.global.u32 %r1, [%rd2+4];
st.global.u32 [%rd2], %r1;
ret;
}
`,
	} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(folder), name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Parse(p.File, []byte("kernels: [{saved: runs}]\nschedules: 8\n"))
	if err != nil {
		t.Fatal(err)
	}
	out, text := run(t, p)
	if len(out.Report.Races) != 1 || len(out.SetAside) > 0 {
		t.Errorf("%s", text)
	}
}

package app

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda/shim"
	"github.com/ptxsan/ptxsan/internal/gpu"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// attachedTest runs applications under exec --device gpu: on the machine's GPU, or with the drop-in library in
// the driver's place.
type attachedTest struct {
	ptxsan, dir, libraries string
	driver                 []string // words of a command line before that of exec --device gpu
}

// attachedApplication builds app.c, with its kernels beside it.
func attachedApplication(t *testing.T) *attachedTest {
	t.Helper()
	x := &attachedTest{ptxsan: buildCommand(t), dir: t.TempDir()}
	useDropIns(t)
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	x.libraries, err = shim.Libraries(filepath.Join(cache, "ptxsan"), nil)
	if err != nil {
		t.Skip("needs a C compiler, which makes the drop-in libraries of exec: ", err)
	}
	need(t, "cc")
	build := exec.Command("cc", "-o", filepath.Join(x.dir, "app"), "testdata/attached/app.c", "-L"+x.libraries, "-lcuda")
	text, err := build.CombinedOutput()
	if err != nil {
		t.Fatalf("cc: %v\n%s", err, text)
	}
	kernels, err := os.ReadFile("testdata/attached/kernels.ptx")
	if err == nil {
		err = os.WriteFile(filepath.Join(x.dir, "kernels.ptx"), kernels, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	if n, err := gpu.Count(); err != nil || n == 0 {
		x.driver = []string{x.ptxsan, "exec", "--kernel", "none", "--allow-unchecked", "--no-api-errors", "--output", filepath.Join(x.dir, "outer"), "--"}
	}
	return x
}

// run runs the application on the GPU. The report is empty where there is none.
func (x *attachedTest) run(t *testing.T, args []string, flags ...string) (out, said string, code int, rep report.Report) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.json")
	words := slices.Concat(x.driver, []string{x.ptxsan, "exec", "--device", "gpu", "--format", "json", "-o", file}, flags, []string{"--"}, args)
	return runReported(t, x.dir, file, words)
}

// ids returns the findings of a report.
func ids(rep *report.Report) (list []string) {
	for _, r := range rep.Races {
		list = append(list, r.ID)
	}
	slices.Sort(list)
	return list
}

// TestAttached: applications of the driver API on their own GPU show what they show on the emulator,
// however they load and launch kernels.
func TestAttached(t *testing.T) {
	long(t)
	x := attachedApplication(t)
	t.Run("findings", x.findings)
	t.Run("ways", x.ways)
	t.Run("graphs", x.graphs)
	t.Run("errors", x.errors)
}

// TestAttachedRuntime: applications of the runtime API on their own GPU, with a runtime that loads modules by functions
// of the driver that the library in front of it sees, with one that does not, and with one that loads libraries.
func TestAttachedRuntime(t *testing.T) {
	long(t)
	need(t, "clang-19")
	x := attachedApplication(t)
	apps := x.reductions(t)
	for _, how := range []string{"-DPUBLIC", "-DPRIVATE", "-DLIBRARY"} {
		dir := filepath.Join(x.dir, how)
		library := filepath.Join(dir, "libcudart.so")
		words := [][]string{{"mkdir", dir}, {"cc", "-shared", "-fPIC", how, "-o", library, "testdata/attached/runtime.c", "-ldl"}}
		for _, app := range []string{"reduction", "reduction_racy"} {
			words = append(words, []string{"clang-19", filepath.Join(apps, app+".o"), "-o", filepath.Join(dir, app), "-L" + dir, "-lcudart", "-lstdc++", "-Wl,--disable-new-dtags,-rpath," + dir})
		}
		executeAll(t, words)
		x.relocatable(t, dir)
		for _, detector := range []string{"barracuda<instrumented>", "ldetector"} {
			for _, app := range []string{"reduction", "reduction_racy"} {
				_, _, want := runApplication(t, x.ptxsan, apps, []string{app}, "--detector", detector)
				out, said, code, rep := x.run(t, []string{filepath.Join(dir, app)}, "--detector", detector)
				if !slices.Equal(ids(&rep), ids(&want)) || (len(rep.Races) > 0) != strings.HasSuffix(app, "racy") || rep.Stats.Launches != 1 || code != min(1, len(rep.Races)) {
					t.Errorf("%s: %s: %s: exit code %d, %d launches, findings %v, on the emulator %v\n%s%s", how, detector, app, code, rep.Stats.Launches, ids(&rep), ids(&want), out, said)
				}
			}
		}
	}
}

// relocatable runs a program whose kernel calls a function of another image: racy by that function, or not.
func (x *attachedTest) relocatable(t *testing.T, dir string) {
	t.Helper()
	app := filepath.Join(dir, "relocatable")
	executeAll(t, [][]string{{"cc", "-o", app, "testdata/attached/relocatable.c", "-L" + dir, "-lcudart", "-Wl,--disable-new-dtags,-rpath," + dir}})
	for name, races := range map[string]int{"same": 1, "own": 0} {
		out, said, code, rep := x.run(t, []string{app, name})
		if code != races || len(rep.Races) != races || rep.Stats.Launches != 1 || out != "done\n" {
			t.Errorf("%s: exit code %d, %d launches, findings %v\n%s%s", name, code, rep.Stats.Launches, ids(&rep), out, said)
		}
	}
}

// reductions compiles examples/apps/reduction.cu as build.sh there does, with and without a race.
func (x *attachedTest) reductions(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, define := range map[string]string{"reduction": "-DFIXED", "reduction_racy": "-DRACY"} {
		clangBuilds(t, x.ptxsan, x.libraries, "../../../examples/apps/reduction.cu", filepath.Join(dir, name), define)
	}
	return dir
}

// clangBuilds compiles a program by clang alone, as build.sh of examples/apps does.
func clangBuilds(t *testing.T, ptxsan, libraries, source, out string, flags ...string) {
	t.Helper()
	clangBuildsFor(t, "sm_70", "+ptx75", ptxsan, libraries, source, out, flags...)
}

// clangBuildsFor is clangBuilds for an architecture, with a version of PTX as a feature.
func clangBuildsFor(t *testing.T, arch, ptx, ptxsan, libraries, source, out string, flags ...string) {
	t.Helper()
	compile := append([]string{"clang-19", "-x", "cuda", "-nocudainc", "-nocudalib", "-I../../../passes/device/include", "-include", "cuda_runtime.h", "-O2", "-Xclang", "-target-sdk-version=11.8"}, flags...)
	executeAll(t, [][]string{
		slices.Concat(compile, []string{"--cuda-device-only", "--cuda-gpu-arch=" + arch, "--cuda-feature=" + ptx, "-gline-directives-only", "-S", source, "-o", out + ".ptx"}),
		{ptxsan, "embed", "-o", out + ".fatbin", out + ".ptx"},
		slices.Concat(compile, []string{"--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", out + ".fatbin", "-c", source, "-o", out + ".o"}),
		{"clang-19", out + ".o", "-o", out, "-L" + libraries, "-lcudart", "-lstdc++"},
	})
}

// executeAll runs commands that must succeed.
func executeAll(t *testing.T, lines [][]string) {
	t.Helper()
	for _, line := range lines {
		if text, err := exec.Command(line[0], line[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", line, err, text)
		}
	}
}

// findings compares each detector with itself on the emulator.
func (x *attachedTest) findings(t *testing.T) {
	for _, detector := range []string{"iguard", "ldetector", "collide", "barracuda<instrumented>"} {
		for kernel, racy := range map[string]bool{"racy": true, "fixed": false} {
			args := []string{"./app", "data", "kernels.ptx", kernel}
			wantOut, wantCode, want := runApplication(t, x.ptxsan, x.dir, []string{"app", "data", "kernels.ptx", kernel}, "--detector", detector)
			out, said, code, rep := x.run(t, args, "--detector", detector)
			if !slices.Equal(ids(&rep), ids(&want)) || (len(rep.Races) > 0) != racy || rep.Verdict != want.Verdict {
				t.Errorf("%s: %s: %s %v, on the emulator %s %v\n%s", detector, kernel, rep.Verdict, ids(&rep), want.Verdict, ids(&want), said)
			}
			if code != wantCode || !racy && out != wantOut || rep.Device == "" || rep.Detector != want.Detector {
				t.Errorf("%s: %s: exit code %d, device %q, output %q; on the emulator %d, %q\n%s", detector, kernel, code, rep.Device, out, wantCode, wantOut, said)
			}
		}
	}
}

// ways loads and launches in all the ways of app.c.
func (x *attachedTest) ways(t *testing.T) {
	_, _, _, want := x.run(t, []string{"./app", "data", "kernels.ptx", "racy"})
	for _, how := range []string{"file", "fatbin", "wrapper", "library", "libraryfile", "link", "ex", "cooperative", "extra", "grid", "graph", "child", "changed", "updated", "captured", "address", "exit", "reset", "contexts", "elsewhere", "large"} {
		out, said, code, rep := x.run(t, []string{"./app", how, "kernels.ptx", "racy"})
		other := how == "contexts" || how == "large" // the names of allocations differ
		times := max(1, map[string]int{"contexts": 2}[how])
		if got := ids(&rep); len(want.Races) == 0 || len(got) != times*len(want.Races) || !other && !slices.Equal(got, ids(&want)) {
			t.Errorf("%s: %v, want %v\n%s%s", how, got, ids(&want), out, said)
		}
		if code != 1 || strings.Contains(out, "error") {
			t.Errorf("%s: exit code %d\n%s%s", how, code, out, said)
		}
	}
	if _, _, code, rep := x.run(t, []string{"./app", "data", "kernels.ptx", "racy"}, "--launches", "2"); code != 1 || rep.Stats.Launches != 1 {
		t.Errorf("--launches 2: exit code %d, %d launches", code, rep.Stats.Launches)
	}
	if out, _, code, rep := x.run(t, []string{"./app", "data", "kernels.ptx", "racy"}, "--kernel", "fixed"); code != 5 || len(rep.Races) != 0 || !strings.HasPrefix(out, "racy: ") {
		t.Errorf("--kernel fixed: exit code %d, %d races, %q", code, len(rep.Races), out)
	}
}

// graphs launches a graph with nodes of all kinds: its kernels are launched one by one.
func (x *attachedTest) graphs(t *testing.T) {
	const dir = "../../../internal/cuda/wire/testdata/"
	app, ptx := filepath.Join(x.dir, "graphs"), filepath.Join(x.dir, "driver.ptx")
	executeAll(t, [][]string{{"cc", "-o", app, dir + "graph.c", "-L" + x.libraries, "-lcuda"}, {"cp", dir + "driver.ptx", ptx}})
	out, said, code, rep := x.run(t, []string{app, ptx})
	const kernels = 9 // of four launches of a graph, each two, and one of what was captured
	if code != 0 || strings.Count(out, ": right\n") != 18 || strings.Contains(out, "wrong") || rep.Stats.Launches != kernels || len(rep.Notes) != 0 {
		t.Errorf("exit code %d, %d launches, notes %q\n%s%s", code, rep.Stats.Launches, rep.Notes, out, said)
	}
}

// passed tests that modules that cannot be instrumented are named, and that the driver handles them as without ptxsan.
func (x *attachedTest) passed(t *testing.T) {
	executeAll(t, [][]string{{x.ptxsan, "rewrite", "--passes", "iguard", "-o", filepath.Join(x.dir, "twice.ptx"), filepath.Join(x.dir, "kernels.ptx")}})
	if err := os.WriteFile(filepath.Join(x.dir, "code.cubin"), append([]byte("\x7fELF\x02\x01\x01\x33"), make([]byte, 200)...), 0o666); err != nil {
		t.Fatal(err)
	}
	out, said, code, rep := x.run(t, []string{"./app", "file", "twice.ptx", "fixed"})
	if code != 5 || !strings.HasPrefix(out, "fixed: ") || strings.Count(said, "module 1 is not checked: pass iguard: the module already has") != 1 {
		t.Errorf("a module that is instrumented: exit code %d\n%s%s", code, out, said)
	}
	if want := "2 launches of fixed: its module has no PTX that was instrumented"; !slices.Contains(rep.Notes, want) {
		t.Errorf("notes %q, want %q", rep.Notes, want)
	}
	if out, said, _, _ := x.run(t, []string{"./app", "data", "code.cubin", "fixed"}); !strings.Contains(out, "cuModuleLoadData(module, image): error") || strings.Count(said, "module 1 is not checked: ") != 1 {
		t.Errorf("machine code: %s%s", out, said)
	}
}

// errors: faults of kernels, and what cannot be checked.
func (x *attachedTest) errors(t *testing.T) {
	out, said, code, rep := x.run(t, []string{"./app", "data", "kernels.ptx", "wild"})
	if code != 3 || len(rep.Faults) != 1 || rep.Faults[0].Class != "out-of-bounds" || !strings.Contains(out, "error 700") {
		t.Errorf("a wild store: exit code %d, faults %v\n%s%s", code, rep.Faults, out, said)
	}
	out, said, code, rep = x.run(t, []string{"./app", "data", "kernels.ptx", "falls"}, "--detector", "collide")
	if code != 3 || len(rep.Faults) != 1 || len(rep.Races) == 0 || !strings.Contains(out, "error 700") {
		t.Errorf("races before a wild store: exit code %d, faults %v, races %v\n%s%s", code, rep.Faults, ids(&rep), out, said)
	}
	x.passed(t)
	if x.driver != nil { // the machine has no GPU
		said, err := exec.Command(x.ptxsan, "exec", "--device", "gpu", "--", "true").CombinedOutput()
		if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 2 || strings.Count(string(said), "\n") != 1 || !strings.Contains(string(said), "no GPU to run on: ") {
			t.Errorf("without a driver: %v, %q", err, said)
		}
	}
	for _, c := range [][]string{
		{"--detector", "precise", "those that listen need the emulator"},
		{"--sample", "10%", "--sample: only the emulator has it"},
		{"--device", "tpu", `device "tpu": expected emu, gpu, gpu:N`},
		{"--device", "gpu:99", "there is no GPU 99"},
	} {
		if _, said, code, _ := x.run(t, []string{"./app", "data", "kernels.ptx", "racy"}, c[:2]...); code != 2 || !strings.Contains(said, c[2]) {
			t.Errorf("%v: exit code %d, %q", c, code, said)
		}
	}
}

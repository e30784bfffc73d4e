package app

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/report"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// applications are the command lines of examples/apps, with what they print, and the races of
// their kernels by the line of the source.
var applications = []struct {
	args  []string
	out   string
	code  int
	races [][2]int
}{
	{args: []string{"vector_add"}, out: "vector add of 1000 elements: right\n"},
	{args: []string{"reduction"}, out: "reduction of 4096 elements: right\n"},
	{args: []string{"reduction_racy"}, out: "reduction of 4096 elements: wrong\n", code: 1, races: [][2]int{{16, 16}}},
	{args: []string{"bfs"}, out: "breadth-first search of 576 vertices, 47 levels: right\n"},
	{args: []string{"bfs", "racy"}, out: "breadth-first search of 576 vertices, 47 levels: right\n", code: 1, races: [][2]int{{10, 13}}},
	{args: []string{"streams"}, out: "pipeline of 4 steps: right\n"},
	{args: []string{"streams_racy"}, out: "pipeline of 4 steps: right\n", code: 1, races: [][2]int{{10, 15}}},
	{args: []string{"managed"}, out: "squares up to 256: right\n"},
	{args: []string{"managed_racy"}, out: "squares up to 256: right\n", code: 1, races: [][2]int{{10, 17}}},
	{args: []string{"solver"}, out: "solver of 512 unknowns: right\n"},
	{args: []string{"loader", "saxpy.ptx"}, out: "saxpy of 300 elements: right\n"},
}

// TestApplications builds the applications of examples/apps with clang alone, and with nvcc
// where that is, and runs them under exec.
func TestApplications(t *testing.T) {
	long(t)
	need(t, "clang-19")
	ptxsan := buildCommand(t)
	useDropIns(t)
	for _, compiler := range []string{"clang", "nvcc"} {
		t.Run(compiler, func(t *testing.T) {
			if compiler == "nvcc" {
				need(t, "nvcc")
			}
			dir := t.TempDir()
			build := exec.Command("../../../examples/apps/build.sh", dir, compiler)
			build.Env = append(os.Environ(), "PTXSAN="+ptxsan)
			if text, err := build.CombinedOutput(); err != nil {
				t.Fatalf("build.sh: %v\n%s", err, text)
			}
			_, _, rep := runApplication(t, ptxsan, dir, []string{"reduction_racy"}, "--sample", "1%")
			if checkLines(t, rep, [][2]int{{16, 16}}); len(rep.NotChecked) != 1 || rep.NotChecked[0].Sampled != (report.Sampled{Launches: 1, Blocks: 2, OfBlocks: 8}) {
				t.Errorf("not checked with --sample: %+v", rep.NotChecked)
			}
			instrumented(t, ptxsan, dir)
			unwritten(t, ptxsan, dir)
			if compiler == "clang" {
				unchecked(t, ptxsan, dir)
			}
			for _, app := range applications {
				t.Run(strings.Join(app.args, " "), func(t *testing.T) {
					play := runApplication
					if compiler == "clang" {
						play = repeat
					}
					out, code, rep := play(t, ptxsan, dir, app.args)
					if out != app.out || code != app.code {
						t.Errorf("exit code %d and output %q, want %d and %q", code, out, app.code, app.out)
					}
					checkLines(t, rep, app.races)
				})
			}
		})
	}
}

// instrumented checks that races between operations, and with the host, are the same with a detector
// inside the kernels as with one that listens, down to the lines of the PTX.
func instrumented(t *testing.T, ptxsan, dir string) {
	t.Helper()
	for _, app := range []string{"streams_racy", "managed_racy", "streams"} {
		_, _, want := runApplication(t, ptxsan, dir, []string{app})
		for _, detector := range []string{"iguard", "barracuda<instrumented>", "ldetector", "collide"} {
			_, code, rep := runApplication(t, ptxsan, dir, []string{app}, "--allow-unchecked", "--detector", detector)
			same := slices.EqualFunc(rep.Races, want.Races, func(a, b *report.Race) bool {
				return a.ID == b.ID && a.First.PTX == b.First.PTX && a.Second.PTX == b.Second.PTX && a.Symbol == b.Symbol
			})
			if !same || code != min(len(want.Races), 1) {
				t.Errorf("%s with %s: exit code %d and %d races, which are not those of precise (%d)", app, detector, code, len(rep.Races), len(want.Races))
			}
		}
	}
}

// unchecked checks that a run of which nothing was checked is not clean.
func unchecked(t *testing.T, ptxsan, dir string) {
	t.Helper()
	for _, flags := range [][]string{
		{"--kernel", "nosuch"}, {"--kernel-exclude", "*"}, {"--launch-skip", "500"}, {"--launches", "500"}, {"--require-check", "nosuch"}, {"--kernel-exclude", "nosuch"},
	} {
		_, code, rep := runApplication(t, ptxsan, dir, []string{"streams"}, flags...)
		if code != 5 || rep.Verdict != report.Unknown || len(rep.NotChecked) == 0 {
			t.Errorf("%q: exit code %d, verdict %s, %d not checked", flags, code, rep.Verdict, len(rep.NotChecked))
		}
	}
}

// lowest returns the first architecture that nvcc knows from compute_70 on.
func lowest(t *testing.T) string {
	t.Helper()
	list, err := exec.Command("nvcc", "--list-gpu-arch").Output()
	for arch := range strings.Lines(string(list)) {
		if arch = strings.TrimSpace(arch); len(arch) > len("compute_70") || arch >= "compute_70" {
			return arch
		}
	}
	t.Fatalf("nvcc --list-gpu-arch: %v: %q", err, list)
	return ""
}

// built returns the folder of an application "app" that nvcc makes of sources.
func built(t *testing.T, sources map[string]string, flags ...string) string {
	t.Helper()
	need(t, "nvcc")
	dir := t.TempDir()
	args := append(slices.Clone(flags), "-w", "-o", "app")
	if !slices.Contains(flags, "-gencode") {
		args = append(args, "-arch="+lowest(t), "-cudart", "shared")
	}
	for name, text := range sources {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	build := exec.Command("nvcc", args...)
	build.Dir = dir
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("nvcc: %v\n%s", err, text)
	}
	return dir
}

// TestRelocatable runs an application of two files whose device code nvcc links.
func TestRelocatable(t *testing.T) {
	need(t, "nvcc")
	ptxsan := buildCommand(t)
	useDropIns(t)
	linked := built(t, map[string]string{
		"a.cu": `#include <cstdio>
extern __device__ int twice(int), counter;
__global__ void a(int *p) { p[threadIdx.x] = twice(threadIdx.x); atomicAdd(&counter, 1); }
int b();
int main() {
  int *p, host[32];
  cudaMalloc(&p, sizeof host);
  a<<<1, 32>>>(p);
  cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[5], b());
}
`,
		"b.cu": `__device__ int counter;
__device__ int twice(int x) { return 2 * x; }
__global__ void more() { counter += 100; }
int b() {
  int host = -1;
  more<<<1, 1>>>();
  cudaMemcpyFromSymbol(&host, counter, sizeof host);
  return host;
}
`,
	}, "-rdc=true")
	prints(t, ptxsan, linked, "10 132\n")
}

// TestTextureReferences runs an application with texture references, which nvcc has no longer from release 12 on.
func TestTextureReferences(t *testing.T) {
	need(t, "nvcc")
	if version, err := exec.Command("nvcc", "--version").Output(); err != nil || !regexp.MustCompile(`release (10|11)\.`).Match(version) {
		t.Skipf("needs nvcc 10 or 11, which have texture references: %v: %s", err, version)
	}
	ptxsan := buildCommand(t)
	useDropIns(t)
	references := built(t, map[string]string{"a.cu": `#include <cstdio>
texture<float, 1, cudaReadModeElementType> line;
namespace space { texture<float, 2, cudaReadModeElementType> plane; }
__global__ void k(float *o) {
  int i = threadIdx.x;
  o[i] = tex1Dfetch(line, i) + tex2D(space::plane, i % 4 + 0.5f, i / 4 + 0.5f);
}
int main() {
  float h[16], *d, *o;
  for (int i = 0; i < 16; i++)
    h[i] = i;
  cudaMalloc(&d, sizeof h);
  cudaMalloc(&o, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  cudaArray_t a;
  cudaChannelFormatDesc c = cudaCreateChannelDesc<float>();
  cudaMallocArray(&a, &c, 4, 4);
  cudaMemcpy2DToArray(a, 0, 0, h, 16, 16, 4, cudaMemcpyHostToDevice);
  cudaBindTexture(0, line, d, c, sizeof h);
  cudaBindTextureToArray(space::plane, a, c);
  k<<<1, 16>>>(o);
  cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g %g %g\n", h[0], h[5], h[15]);
}
`})
	prints(t, ptxsan, references, "0 10 30\n")
}

// prints runs an application "app" without a finding.
func prints(t *testing.T, ptxsan, dir, want string) {
	t.Helper()
	if out, code, rep := runApplication(t, ptxsan, dir, []string{"app"}); out != want || code != 0 || len(rep.Races) != 0 {
		t.Errorf("exit code %d, output %q, %d races; want 0, %q, none", code, out, len(rep.Races), want)
	}
}

// need skips a test where a tool is missing.
func need(t *testing.T, tool string) {
	t.Helper()
	if _, err := exec.LookPath(tool); err != nil {
		t.Skipf("needs %s: %v", tool, err)
	}
}

// buildCommand compiles ptxsan and returns its path.
func buildCommand(t *testing.T) string {
	t.Helper()
	path, err := builtCommand()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func runApplication(t *testing.T, ptxsan, dir string, args []string, flags ...string) (out string, code int, rep report.Report) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.json")
	line := slices.Concat([]string{ptxsan, "exec", "--format", "json", "-o", file}, flags, []string{"--", "./" + args[0]}, args[1:])
	out, said, code, rep := runReported(t, dir, file, line)
	if !exists(file) {
		t.Fatalf("there is no report\n%s", said)
	}
	return out, code, rep
}

// runReported runs a command that may write a report to a file. It returns standard output and standard error
// separately.
func runReported(t *testing.T, dir, file string, line []string) (out, said string, code int, rep report.Report) {
	t.Helper()
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Dir = dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // the exit code is compared
	if text, err := os.ReadFile(file); err == nil {
		if err = json.Unmarshal(text, &rep); err != nil {
			t.Fatalf("%v\n%s", err, stderr.String())
		}
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode(), rep
}

// checkLines compares the pairs of lines of a report's races, in any order and number.
func checkLines(t *testing.T, rep report.Report, want [][2]int) {
	t.Helper()
	missing := map[[2]int]bool{}
	for _, pair := range want {
		missing[pair] = true
	}
	for _, r := range rep.Races {
		a, b := session.OwnPlace(&r.First).Line, session.OwnPlace(&r.Second).Line
		pair := [2]int{min(a, b), max(a, b)}
		known := false
		for _, w := range want {
			known = known || w == pair
		}
		if !known {
			t.Errorf("a race of lines %v, which is not wanted", pair)
		}
		delete(missing, pair)
	}
	for pair := range missing {
		t.Errorf("no race of lines %v", pair)
	}
}

//go:build linux

// Programs in C that use the drop-in libraries, and requests that no library sends.

package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda"
	"github.com/ptxsan/ptxsan/internal/cuda/application"
	"github.com/ptxsan/ptxsan/internal/cuda/shim"
	"github.com/ptxsan/ptxsan/internal/cuda/shim/shimtest"
	"github.com/ptxsan/ptxsan/internal/cuda/wire"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// libraries is the folder of the drop-in libraries; the test is skipped without a C compiler.
func libraries(t *testing.T) string {
	t.Helper()
	dir, err := shim.Libraries(shimtest.Cache(t), nil)
	if errors.Is(err, shim.ErrNoCompiler) {
		t.Skip("the drop-in libraries are compiled by a C compiler: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// compile makes an executable of a C file that uses one of the libraries.
func compile(t *testing.T, source, libraries, library string, flags ...string) string {
	t.Helper()
	return cc(t, "app", append([]string{source, "-L" + libraries, "-l" + library}, flags...)...)
}

// cc runs the C compiler, and returns the file that it makes.
func cc(t *testing.T, name string, args ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), name)
	if text, err := exec.Command("cc", append([]string{"-o", out}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

// run runs an application on a device. It returns what the application printed, its exit code,
// the notes, and the processes that used the device.
func run(t *testing.T, dir string, args ...string) (out string, code int, notes []string, processes []*cuda.Process) {
	t.Helper()
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	o := &cuda.Options{Detectors: detectors, Target: cuda.DefaultTarget, Note: func(text string) { notes = append(notes, text) }}
	out, code, processes = runWith(t, o, dir, args...)
	return out, code, notes, processes
}

// runWith is run with options of the device.
func runWith(t *testing.T, o *cuda.Options, dir string, args ...string) (out string, code int, processes []*cuda.Process) {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "socket")
	server, err := wire.Listen(socket, o)
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve()
	app, err := application.Prepare(args[0], dir)
	if err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	cmd := application.Command{Args: args, Libraries: dir, Socket: socket, Audit: shim.Redirect(dir), Stdout: &stdout, Stderr: os.Stderr}
	code, err = cmd.Run(app, func() {})
	if wrong := server.Close(); err != nil || wrong != nil {
		t.Fatal(err, wrong)
	}
	return stdout.String(), code, server.Processes()
}

const driverOutput = `child before: 0
ptxsan emulated GPU (sm_80)
attributes: 64 threads, sm_70 as sm_80; occupancy 32 and 0, block of 64
device: right
managed: right
pinned: right
registered: right
registered, at the host's address: right
unregistered: right
child after: 3
sharing: 801
fault: 700, 700
`

// TestDriver runs a program of the driver API: memory of all kinds, forks, a function that does
// not exist, a race and a fault, and an exit code.
func TestDriver(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/driver.c", dir, "cuda")
	out, code, notes, processes := run(t, dir, app, "testdata/driver.ptx")
	if out != driverOutput || code != 5 {
		t.Errorf("exit code %d and output\n%swant 5 and\n%s", code, out, driverOutput)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "cuMemPoolExportPointer") {
		t.Errorf("notes %q, want one about cuMemPoolExportPointer", notes)
	}
	checkFindings(t, processes)
}

// TestRuntime runs a program of the runtime API, whose every line says that it is right.
func TestRuntime(t *testing.T) { runLines(t, "runtime", "cudart", 52) }

// TestArrays runs a program of the driver API that uses arrays, textures and surfaces.
func TestArrays(t *testing.T) { runLines(t, "array", "cuda", 21) }

// TestTextures runs a program of the driver API that uses mipmapped arrays and references.
func TestTextures(t *testing.T) { runLines(t, "texture", "cuda", 21, "-lm") }

// runtimes are the ways in which nvcc links the runtime.
var runtimes = []string{"shared", "static"}

// compileCUDA is compile for a file of CUDA, by nvcc with one of the runtimes; the test is skipped without it.
func compileCUDA(t *testing.T, source, runtime string, flags ...string) string {
	t.Helper()
	nvcc, err := exec.LookPath("nvcc")
	if err != nil {
		t.Skip("the program is compiled by nvcc: ", err)
	}
	app := filepath.Join(t.TempDir(), "app")
	text, err := exec.Command(nvcc, append([]string{"-w", "-arch=compute_75", "-cudart", runtime, "-o", app, source}, flags...)...).CombinedOutput()
	if err != nil && (bytes.Contains(text, []byte("texture")) || bytes.Contains(text, []byte("cudaDeviceSynchronize"))) {
		t.Skip("the program is for nvcc 11: from 12 on it has no texture references and no cudaDeviceSynchronize in kernels")
	}
	if err != nil && bytes.Contains(text, []byte("cannot find -lcudart")) {
		t.Skip("the shared runtime is not installed")
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return app
}

// TestReferences runs a program with the texture references of CUDA 11.
func TestReferences(t *testing.T) {
	for _, runtime := range runtimes {
		runApp(t, libraries(t), 5, compileCUDA(t, "testdata/texref.cu", runtime))
	}
}

// TestNested runs a program whose kernels launch kernels. With an argument a parent races with its
// children.
func TestNested(t *testing.T) {
	for _, runtime := range runtimes {
		nested(t, libraries(t), compileCUDA(t, "testdata/nested.cu", runtime, "-rdc=true", "-lineinfo", "-lcudadevrt"))
	}
}

func nested(t *testing.T, dir, app string) {
	t.Helper()
	runApp(t, dir, 4, app)
	out, code, _, processes := run(t, dir, app, "racy")
	if code != 0 || strings.Contains(out, "WRONG") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	const write, read = 29, 13
	races := processes[0].Report().Races
	for _, x := range races {
		if x.First.Source == nil || x.Second.Source == nil || x.First.Source.Line != write || x.Second.Source.Line != read {
			t.Errorf("a race of %+v and %+v, want line %d of the parent and line %d of the child", x.First, x.Second, write, read)
		}
	}
	if len(races) == 0 {
		t.Error("no race of the parent with its children")
	}
}

// runLines runs a program of testdata whose every line says that it is right.
func runLines(t *testing.T, name, library string, cases int, more ...string) {
	t.Helper()
	dir := libraries(t)
	runApp(t, dir, cases, compile(t, "testdata/"+name+".c", dir, library, more...), "testdata/"+name+".ptx")
}

// runApp runs a program whose every line says that it is right.
func runApp(t *testing.T, dir string, cases int, args ...string) {
	t.Helper()
	out, code, notes, processes := run(t, dir, args...)
	allRight(t, out, code, cases)
	if len(notes) != 0 {
		t.Errorf("notes %q", notes)
	}
	if rep := processes[0].Report(); len(rep.Races)+len(rep.Faults) != 0 {
		t.Errorf("%d races and %d faults", len(rep.Races), len(rep.Faults))
	}
}

// allRight expects so many lines of a program, each of which says that it is right.
func allRight(t *testing.T, out string, code, cases int) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 0 || len(lines) != cases {
		t.Errorf("exit code %d and %d lines, want 0 and %d\n%s", code, len(lines), cases, out)
	}
	for _, line := range lines {
		if !strings.HasSuffix(line, ": right") {
			t.Error(line)
		}
	}
}

// TestHost runs a program whose host code touches memory that kernels use: every line says that
// it is right, and the functions that do not wait are in the report.
func TestHost(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/host.c", dir, "cudart", "-g", "-pthread", "-O1", "-fno-inline", "-fno-omit-frame-pointer")
	out, code, _, processes := run(t, dir, app, "testdata/runtime.ptx")
	allRight(t, out, code, 9)
	var got []string
	for _, x := range processes[0].Report().Pairs() {
		if x.Kind != detect.Host || x.Second.Source == nil || x.First.Call == nil {
			t.Errorf("a race that is not of host code with its place: %+v", x)
			continue
		}
		got = append(got, fmt.Sprintf("%s, %s %s", x.First.Call.Function, x.First.Access, x.Second.Access))
	}
	slices.Sort(got)
	got = slices.Compact(got)
	want := []string{"cudaLaunchKernel, read write", "cudaLaunchKernel, write read", "cudaLaunchKernel, write write", "cudaMemcpyAsync, read write"}
	if runtime.GOARCH == "amd64" && !slices.Equal(got, want) {
		t.Errorf("races %q, want %q", got, want)
	}
}

// TestDlopen runs a program that loads all libraries at run time, beside each other.
func TestDlopen(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/dlopen.c", dir, "dl")
	if out, code, _, _ := run(t, dir, app); out != "right\n" || code != 0 {
		t.Errorf("exit code %d and output %q", code, out)
	}
}

// TestAbort: an application that crashes has been checked until then.
func TestAbort(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/driver.c", dir, "cuda")
	out, code, _, processes := run(t, dir, app, "testdata/driver.ptx", "abort")
	const aborted = 128 + 6
	if out != driverOutput || code != aborted {
		t.Errorf("exit code %d and output\n%swant %d and\n%s", code, out, aborted, driverOutput)
	}
	checkFindings(t, processes)
}

// checkFindings wants the race and the fault of the second process, and nothing of its child
// from before.
func checkFindings(t *testing.T, processes []*cuda.Process) {
	t.Helper()
	if len(processes) != 2 {
		t.Fatalf("%d processes used the device, want 2", len(processes))
	}
	first, second := processes[0].Report(), processes[1].Report()
	if len(first.Races)+len(first.Faults) != 0 || len(second.Races) != 1 || len(second.Faults) != 1 {
		t.Errorf("%d races and %d faults, then %d and %d; want none, then one of each", len(first.Races), len(first.Faults), len(second.Races), len(second.Faults))
	}
}

// TestAlone: processes that the application starts are executed only, when that is asked for.
func TestAlone(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/driver.c", dir, "cuda")
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args  []string
		races int
	}{
		{[]string{app, "testdata/driver.ptx"}, 1},
		{[]string{"sh", "-c", app + " testdata/driver.ptx; exit $?"}, 0},
	} {
		out, code, processes := runWith(t, &cuda.Options{Detectors: detectors, Target: cuda.DefaultTarget, Alone: true}, dir, c.args...)
		if out != driverOutput || code != 5 || len(processes) != 2 {
			t.Fatalf("exit code %d, %d processes and output\n%s", code, len(processes), out)
		}
		if rep := processes[1].Report(); len(rep.Races) != c.races {
			t.Errorf("%v: %d races, want %d", c.args, len(rep.Races), c.races)
		}
	}
}

// TestEveryName: all functions of the APIs exist, so that an application loads that mentions
// any of them.
func TestEveryName(t *testing.T) {
	dir := libraries(t)
	others := []struct {
		library, prefix string
		least           int
	}{{"libnvidia-ml", " nvml", 290}, {"libcublas", " cublas", 750}, {"libcublasLt", " cublasLt", 30}, {"libcurand", " curand", 27}, {"libcufft", " cufft", 75}, {"libcusparse", " cusparse", 450}, {"libnccl", " nccl", 40}, {"libptxsan-jitlink", " nvJitLink", 14}, {"libptxsan-nvtx", " InitializeInjectionNvtx", 2}}
	for _, name := range shim.Names() {
		out, err := exec.Command("nm", "-D", "--defined-only", filepath.Join(dir, name)).Output()
		if err != nil {
			t.Skip("nm: ", err)
		}
		n, least := bytes.Count(out, []byte(" cu"))+bytes.Count(out, []byte(" __cuda"))+bytes.Count(out, []byte(" W cu")), 390
		for _, o := range others {
			if strings.HasPrefix(name, o.library) {
				n, least = bytes.Count(out, []byte(o.prefix)), o.least
			}
		}
		if n < least {
			t.Errorf("%s has %d names, want %d at least", name, n, least)
		}
		if bytes.Contains(out, []byte(" wire_")) {
			t.Errorf("%s shows names of its own", name)
		}
		for _, x := range perThreadMissing(out) {
			t.Errorf("%s: %s is missing, and the function for the legacy default stream is not", name, x)
		}
	}
}

// perThreadMissing returns the functions with per-thread default streams that a library does not have, though it has
// their counterparts, from what nm prints: missing ones are weak.
func perThreadMissing(nm []byte) (missing []string) {
	kinds := make(map[string]string)
	for line := range strings.Lines(string(nm)) {
		if f := strings.Fields(line); len(f) == 3 {
			name, _, _ := strings.Cut(f[2], "@")
			kinds[name] = f[1]
		}
	}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		for _, ending := range []string{"_ptsz", "_ptds"} {
			if base, ok := strings.CutSuffix(name, ending); ok && kinds[name] == "W" && kinds[base] == "T" {
				missing = append(missing, name)
			}
		}
	}
	return missing
}

// TestGarbage: a process that does not keep to the protocol is cut off, and others are served.
func TestGarbage(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "socket")
	server, err := wire.Listen(socket, &cuda.Options{Target: cuda.DefaultTarget})
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve()
	for _, request := range []string{
		"\xff\xff\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",                 // no such operation
		"\x06\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\x7f",                 // a size of 2^63
		"\x0a\x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00\x01\x02\x03\x04", // a launch that is cut short
		"\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",                 // of a device that there is not
		"\x06\x00", // half a header
	} {
		c, err := net.Dial("unix", socket)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Write([]byte(request)); err != nil {
			t.Fatal(err)
		}
		if err := c.(*net.UnixConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		if n, err := c.Read(make([]byte, 1)); n != 0 {
			t.Errorf("request %q is answered (%v)", request, err)
		}
		c.Close()
	}
	if err := server.Close(); err != nil {
		t.Error(err)
	}
}

// TestReset runs a program that resets the device: every line says that it is right. Three of its
// kernels fault, and memory that is not freed before a reset is a leak, of the call that allocated it.
func TestReset(t *testing.T) {
	dir := libraries(t)
	detectors, err := session.ParseDetectors("precise")
	if err != nil {
		t.Fatal(err)
	}
	app := compile(t, "testdata/reset.c", dir, "cudart", "-g")
	o := &cuda.Options{Detectors: detectors, Target: cuda.DefaultTarget, Leaks: true}
	out, code, processes := runWith(t, o, dir, app, "testdata/runtime.ptx")
	allRight(t, out, code, 21)
	rep := processes[0].Report()
	if len(rep.Races) != 0 {
		t.Errorf("races: %+v", rep.Races[0])
	}
	var got []string
	for _, f := range rep.Faults {
		text := f.Class
		if f.Call != nil {
			text = fmt.Sprintf("%s of %d bytes by %s", f.Class, f.Size, f.Call.Function)
		}
		got = append(got, text)
	}
	slices.Sort(got)
	want := []string{"leak of 128 bytes by cudaMalloc", "leak of 128 bytes by cudaMalloc", "leak of 128 bytes by cudaMallocManaged", "leak of 4 bytes by cudaMalloc", "leak of 48 bytes by cudaMallocArray", "out-of-bounds", "use-after-free", "use-after-free"}
	if !slices.Equal(got, want) {
		t.Errorf("faults %q, want %q", got, want)
	}
}

// TestBothAPIs runs a program that uses the runtime and the driver API: they have one device.
func TestBothAPIs(t *testing.T) {
	dir := libraries(t)
	app := compile(t, "testdata/mixed.c", dir, "cudart", "-lcuda")
	out, code, notes, processes := run(t, dir, app, "testdata/runtime.ptx")
	const cases = 12
	if code != 0 || strings.Count(out, ": right\n") != cases || strings.Contains(out, "WRONG") || len(notes) != 0 || len(processes) != 1 {
		t.Fatalf("exit code %d, notes %q and %d processes, want 0, none and 1\n%s", code, notes, len(processes), out)
	}
	rep := processes[0].Report()
	if len(rep.Faults) != 0 || len(rep.Races) == 0 {
		t.Errorf("%d races and %d faults, want races of the two streams alone", len(rep.Races), len(rep.Faults))
	}
	for _, x := range rep.Races {
		if x.Kind != detect.InterKernel {
			t.Errorf("a race of kind %s", x.Kind)
		}
	}
}

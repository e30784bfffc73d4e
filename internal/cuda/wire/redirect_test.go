//go:build linux && (amd64 || arm64)

// Programs and objects that a runtime is linked into statically, whose functions are redirected.

package wire_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// standIn compiles the stand-in for the static runtime of a version, whose functions are hidden or visible ("default").
func standIn(t *testing.T, version int, visibility string) string {
	t.Helper()
	return cc(t, "standin.o", "-c", "-O2", "-fPIC", "-I../shim/src", fmt.Sprintf("-DVERSION=%d", version), `-DVISIBILITY="`+visibility+`"`, "testdata/standin.c")
}

const redirectSource = "testdata/redirect.c"

// redirected wants a program to reach the drop-in library of a version, and to have no writable code.
func redirected(t *testing.T, dir, version string, args ...string) {
	t.Helper()
	out, code, notes, processes := run(t, dir, args...)
	if want := version + " 0 0\n"; out != want || code != 0 || len(notes) != 0 || len(processes) != 1 {
		t.Errorf("%v: %q, exit code %d, notes %q, %d processes; want %q", args, out, code, notes, len(processes), want)
	}
}

// TestRedirectedVersions: a static runtime is replaced by the drop-in library of its version, before any constructor
// runs.
func TestRedirectedVersions(t *testing.T) {
	dir := libraries(t)
	for version, reported := range map[int]string{10: "10020", 11: "11080", 12: "12090", 13: "13050"} {
		redirected(t, dir, reported, cc(t, "app", "-DPART=3", redirectSource, standIn(t, version, "hidden")))
	}
}

// TestRedirectedObjects: the same in an executable at a fixed address, in an object that it needs, in one that it loads
// later, and in one of which only the symbols for the dynamic linker are left.
func TestRedirectedObjects(t *testing.T) {
	dir, runtime := libraries(t), standIn(t, 12, "hidden")
	object := cc(t, "libobject.so", "-shared", "-fPIC", "-DPART=1", redirectSource, runtime)
	exported := cc(t, "libexported.so", "-shared", "-fPIC", "-s", "-DPART=1", redirectSource, standIn(t, 12, "default"))
	needs := cc(t, "app", "-DPART=2", redirectSource, object, "-Wl,-rpath,"+filepath.Dir(object))
	fixed := cc(t, "app", "-DPART=3", "-no-pie", redirectSource, runtime)
	for _, args := range [][]string{{fixed}, {needs}, {needs, object}, {fixed, object}, {needs, exported}, {"sh", "-c", fixed}} {
		redirected(t, dir, "12090", args...)
	}
}

// TestChildrenWithoutEnvironment: programs that are started without the variables that bring them here come here all
// the same.
func TestChildrenWithoutEnvironment(t *testing.T) {
	dir, app := libraries(t), cc(t, "app", "-DPART=3", redirectSource, standIn(t, 12, "hidden"))
	spawn := cc(t, "spawn", "testdata/spawn.c")
	for _, args := range [][]string{
		{"env", "-i", app}, {"sh", "-c", "env -i " + app + "; exit $?"}, {spawn, "posix_spawn", app}, {spawn, "execvpe", app}, {spawn, "execle", app},
	} {
		redirected(t, dir, "12090", args...)
	}
}

// TestRedirectedPacked: the same in a program whose symbols are in a compressed section only, as some distributions
// leave them.
func TestRedirectedPacked(t *testing.T) {
	dir, app := libraries(t), cc(t, "app", "-DPART=3", redirectSource, standIn(t, 12, "hidden"))
	for _, command := range [][]string{
		{"objcopy", "--only-keep-debug", app, app + ".symbols"},
		{"xz", app + ".symbols"},
		{"objcopy", "--strip-all", "--add-section", ".gnu_debugdata=" + app + ".symbols.xz", app},
	} {
		if _, err := exec.LookPath(command[0]); err != nil {
			t.Skip("the symbols are compressed by tools: ", err)
		}
		if text, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", command, err, text)
		}
	}
	redirected(t, dir, "12090", app)
}

// archive makes the library that a static runtime is linked from, in a folder as packages have it.
func archive(t *testing.T, packages, object string) {
	t.Helper()
	lib := filepath.Join(packages, "nvidia", "cu13", "lib")
	if err := os.MkdirAll(lib, 0o777); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command("ar", "rc", filepath.Join(lib, "libcudart_static.a"), object).CombinedOutput(); err != nil {
		t.Skipf("archives are made by ar: %v\n%s", err, text)
	}
}

// TestRedirectedStripped: the same in a program and an object without symbols, where the archive is that they were linked from,
// also after another; of another release the archive is not taken.
func TestRedirectedStripped(t *testing.T) {
	dir, runtime := libraries(t), standIn(t, 13, "hidden")
	packages, elsewhere, other := filepath.Join(t.TempDir(), "site-packages"), t.TempDir(), t.TempDir()
	archive(t, packages, runtime)
	archive(t, elsewhere, runtime)
	archive(t, other, standIn(t, 12, "hidden"))
	fixed := cc(t, "app", "-DPART=3", "-no-pie", "-s", redirectSource, runtime)
	object := cc(t, "libobject.so", "-shared", "-fPIC", "-s", "-DPART=1", redirectSource, runtime)
	inPackage := filepath.Join(packages, "libobject.so")
	if err := os.Rename(object, inPackage); err != nil {
		t.Fatal(err)
	}
	redirected(t, dir, "13050", cc(t, "app", "-DPART=2", redirectSource, inPackage, "-Wl,-rpath,"+packages))
	t.Setenv("PTXSAN_CUDART_STATIC", other+":"+elsewhere)
	redirected(t, dir, "13050", fixed)
	t.Setenv("PTXSAN_CUDART_STATIC", other)
	if _, code, _, _ := run(t, dir, fixed); code != 9 {
		t.Errorf("exit code %d, want that of a call which is not redirected", code)
	}
}

// TestRuntimeBesideProgram: a program that names the folder of a shared runtime gets the drop-in library, also below a
// shell.
func TestRuntimeBesideProgram(t *testing.T) {
	dir := libraries(t)
	shared := cc(t, "libcudart.so.12", "-shared", "-Wl,-soname,libcudart.so.12", standIn(t, 12, "default"))
	app := cc(t, "app", "-DPART=3", redirectSource, shared, "-Wl,-rpath,"+filepath.Dir(shared)+",--disable-new-dtags")
	redirected(t, dir, "12090", "sh", "-c", app+"; exit $?")
}

// TestRedirectedCalls: a program of the runtime API computes with a static runtime what it computes with a shared one.
func TestRedirectedCalls(t *testing.T) {
	dir := libraries(t)
	out, code, notes, processes := run(t, dir, cc(t, "app", "testdata/runtime.c", standIn(t, 12, "hidden"), "-pthread"), "testdata/runtime.ptx")
	allRight(t, out, code, 52)
	if len(notes) != 0 || len(processes) != 1 {
		t.Fatalf("notes %q, %d processes", notes, len(processes))
	}
	if n := processes[0].Report().CoverageNotes(); !slices.Contains(n, "1 launch of level: the kernel allows blocks of at most 96 threads, got (97,1,1)") {
		t.Errorf("notes %q", n)
	}
}

// TestMachineCode: a library of NVIDIA's that nothing stands in for is named, with the function that the program has
// called.
func TestMachineCode(t *testing.T) {
	dir := libraries(t)
	library := cc(t, "libcusolver.so.11", "-shared", "-fPIC", "-Wl,-soname,libcusolver.so.11", "testdata/stripped.c")
	app := cc(t, "app", "-DPART=2", "testdata/redirect.c", library, "-Wl,-rpath,"+filepath.Dir(library))
	_, _, notes, _ := run(t, dir, app)
	if want := library + ": use: this library is machine code"; len(notes) != 1 || !strings.HasPrefix(notes[0], want) {
		t.Fatalf("notes %q, want %q", notes, want)
	}
}

// TestStripped: where nothing is redirected, the report names the file with the runtime, the program or an object,
// whoever started the program.
func TestStripped(t *testing.T) {
	dir := libraries(t)
	alone := cc(t, "app", "-DPART=2", "testdata/redirect.c", "testdata/stripped.c", "-s")
	object := cc(t, "libobject.so", "-shared", "-fPIC", "-s", "testdata/stripped.c")
	needs := cc(t, "app", "-DPART=2", "testdata/redirect.c", object, "-Wl,-rpath,"+filepath.Dir(object))
	cutlass := filepath.Join(t.TempDir(), "site-packages", "libcute_dsl_runtime.so")
	if err := os.Mkdir(filepath.Dir(cutlass), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(cc(t, "libcute_dsl_runtime.so", "-shared", "-fPIC", "-s", "testdata/stripped.c"), cutlass); err != nil {
		t.Fatal(err)
	}
	ofPackage := cc(t, "app", "-DPART=2", "testdata/redirect.c", cutlass, "-Wl,-rpath,"+filepath.Dir(cutlass))
	const want = ": NVIDIA's runtime 13.4 is linked into this file without its symbols, so that it calls NVIDIA's driver only: set " +
		"PTXSAN_CUDART_STATIC=DIR with the libcudart_static.a that pip install --target DIR 'nvidia-cuda-runtime==13.4.*' has, or link "
	for _, c := range []struct {
		file string
		args []string
	}{{alone, []string{alone}}, {alone, []string{"sh", "-c", alone}}, {object, []string{needs}}, {cutlass, []string{ofPackage}}} {
		out, code, notes, processes := run(t, dir, c.args...)
		if out != "801\n" || code != 7 || len(processes) != 1 || len(notes) != 1 || !strings.HasPrefix(notes[0], c.file+want) {
			t.Fatalf("%v: exit code %d, output %q, notes %q", c.args, code, out, notes)
		}
		if left := processes[0].Report().NotChecked; len(left) != 1 || left[0].Why != notes[0] {
			t.Errorf("%v: not checked: %+v", c.args, left)
		}
	}
}

// TestAsks: a library that asks NVIDIA's driver for what no documentation has, and goes without, changes nothing of a
// program's report.
func TestAsks(t *testing.T) {
	dir := libraries(t)
	asks := cc(t, "libasks.so", "-shared", "-fPIC", "-s", "-DASKS", "testdata/stripped.c")
	app := compile(t, "testdata/driver.c", dir, "cuda", "-Wl,--no-as-needed", asks, "-Wl,-rpath,"+filepath.Dir(asks))
	out, code, notes, processes := run(t, dir, app, "testdata/driver.ptx")
	if out != driverOutput || code != 5 || len(notes) != 1 || !strings.Contains(notes[0], "cuMemPoolExportPointer") {
		t.Errorf("exit code %d, notes %q and output\n%s", code, notes, out)
	}
	checkFindings(t, processes)
	for _, p := range processes {
		if rep := p.Report(); len(rep.NotChecked) != 0 {
			t.Errorf("not checked: %+v", rep.NotChecked)
		}
	}
}

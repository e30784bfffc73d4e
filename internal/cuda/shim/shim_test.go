// The drop-in libraries, compiled.

package shim_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/cuda/library"
	"github.com/ptxsan/ptxsan/internal/cuda/shim"
	"github.com/ptxsan/ptxsan/internal/cuda/shim/shimtest"
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

// TestLibraries: the libraries are compiled once, with the links and tools that applications
// look for.
func TestLibraries(t *testing.T) {
	dir := libraries(t)
	for _, name := range append(shim.Names(), "libcuda.so", "libcudart.so") {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"nvcc", "ptxas"} {
		if info, failed := os.Stat(shim.Tool(dir, name)); failed != nil || info.Mode()&0o100 == 0 {
			t.Errorf("%s cannot be executed (%v)", name, failed)
		}
	}
	t.Setenv("PATH", "") // no compiler is needed again
	again, err := shim.Libraries(shimtest.Cache(t), nil)
	if err != nil || again != dir {
		t.Errorf("the second time: %s, %v; want %s", again, err, dir)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(dir), "*"+filepath.Base(dir)+"*")); err != nil || len(left) != 1 {
		t.Errorf("the cache has %d entries of the libraries, want 1 (%v)", len(left), err)
	}
}

// TestNoCompiler: without a compiler, the error says what is missing; with one that fails, what
// it says.
func TestNoCompiler(t *testing.T) {
	t.Setenv("PATH", "")
	if _, err := shim.Libraries(t.TempDir(), nil); !errors.Is(err, shim.ErrNoCompiler) {
		t.Errorf("without a compiler: %v", err)
	}
	bad := filepath.Join(t.TempDir(), "cc")
	if err := os.WriteFile(bad, []byte("#!/bin/sh\necho broken; exit 1\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CC", bad)
	if _, err := shim.Libraries(t.TempDir(), nil); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("with a broken compiler: %v", err)
	}
}

// TestNeeds: the functions of cuBLASLt are found in the handle of cuBLAS, as in NVIDIA's.
func TestNeeds(t *testing.T) {
	dir, program := libraries(t), filepath.Join(t.TempDir(), "find")
	const text = `#include <dlfcn.h>
int main(int n, char **list) { return dlsym(dlopen(list[1], RTLD_LAZY), "cublasLtMatmul") == 0; }`
	cc := exec.Command("cc", "-x", "c", "-", "-o", program, "-ldl")
	cc.Stdin = strings.NewReader(text)
	if out, err := cc.CombinedOutput(); err != nil {
		t.Skipf("no program can be compiled: %v: %s", err, out)
	}
	for _, name := range []string{"libcublas.so", "libcublas.so.11", "libcublas.so.12", "libcublas.so.13"} {
		if out, err := exec.Command(program, filepath.Join(dir, name)).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
}

// TestStandIns: the functions that are computed are among those that NVIDIA's libraries export.
func TestStandIns(t *testing.T) {
	exported := make(map[string]string)
	for _, f := range library.Functions() {
		if exported[f.Library] == "" {
			text, err := os.ReadFile(filepath.Join("src", f.Library+"_names.h"))
			if err != nil {
				t.Fatal(err)
			}
			exported[f.Library] = string(text)
		}
		if !strings.HasPrefix(f.Name, f.Library+".") && !strings.Contains(exported[f.Library], "MISSING("+f.Name+")") {
			t.Errorf("%s does not export %s", f.Library, f.Name)
		}
	}
}

// TestCompiler: the stand-in for nvcc has PTX written where machine code is asked for, with lines and the source.
func TestCompiler(t *testing.T) {
	tool, err := filepath.Abs("src/bin/nvcc")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	nvcc, source := filepath.Join(dir, "real"), filepath.Join(dir, "a b.cu")
	script := "#!/bin/sh\necho \"$@\" >&2\nwhile [ \"$1\" != -o ] && [ $# -gt 0 ]; do shift; done\n[ -z \"$2\" ] || echo PTX >\"$2\"\n"
	for file, text := range map[string]string{nvcc: script, source: "int a;\n\nint b;"} {
		if err := os.WriteFile(file, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	const ends = "PTX\n\n// ptxsan source a b.cu\n//|int a;\n//|\n//|int b;"
	for _, c := range []struct {
		args           []string
		want, out, end string
	}{
		{[]string{"-arch=sm_80", "--cubin", source, "-o", "x.out"}, "-arch=sm_80 --ptx " + source + " -o x.out -lineinfo", "x.out", ends},
		{[]string{"-cubin", "-G", source}, "--ptx -G " + source + " -o a b.cubin", "a b.cubin", ends},
		{[]string{"--fatbin", source, "-o", "x.fatbin"}, "--fatbin " + source + " -o x.fatbin -lineinfo", "x.fatbin", "PTX\n"},
		{[]string{"-fatbin", "-G", source}, "-fatbin -G " + source, "", ""},
		{[]string{"-c", source, "-o", "y.o"}, "-c " + source + " -o y.o", "y.o", "PTX\n"},
		{[]string{"--version"}, "--version", "", ""},
	} {
		cmd := exec.Command("sh", append([]string{tool}, c.args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PTXSAN_NVCC="+nvcc)
		out, err := cmd.CombinedOutput()
		if err != nil || string(out) != c.want+"\n" {
			t.Errorf("%q: %v: %s, want %s", c.args, err, out, c.want)
		}
		if c.out == "" {
			continue
		}
		if text, err := os.ReadFile(filepath.Join(dir, c.out)); err != nil || string(text) != c.end {
			t.Errorf("%q: %v: %q, want %q", c.args, err, text, c.end)
		}
	}
}

// TestAssembler: the stand-in for ptxas has the version that Triton and XLA ask for, and writes PTX that ends with a
// zero byte.
func TestAssembler(t *testing.T) {
	tool, dir := "src/bin/ptxas", t.TempDir()
	out, err := exec.Command("sh", tool, "--version").Output()
	if err != nil || !strings.Contains(string(out), "release 13.5, V13.5") {
		t.Errorf("%v: %s", err, out)
	}
	in, object := filepath.Join(dir, "a.ptx"), filepath.Join(dir, "a.o")
	if err = os.WriteFile(in, []byte(".version 8.0"), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{tool, "-lineinfo", "-v", "--opt-level", "0", "--regAllocOptLevel=2", "--gpu-name=sm_90a", in, "-o", object}
	if out, err = exec.Command("sh", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(object)
	if err != nil || string(text) != ".version 8.0\x00" {
		t.Errorf("%v: %q", err, text)
	}
	if err = exec.Command("sh", tool, "-o", object).Run(); err == nil {
		t.Error("without a file with PTX, it succeeds")
	}
	args = []string{tool, "--input-as-string", ".version 9.5\n.target sm_90", "-o", object}
	if out, err = exec.Command("sh", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if text, err = os.ReadFile(object); err != nil || string(text) != ".version 9.5\n.target sm_90\n\x00" {
		t.Errorf("of a string: %v: %q", err, text)
	}
	for _, version := range []string{"99.99", "9.10", "10.0"} {
		out, err = exec.Command("sh", tool, "--input-as-string", ".version "+version).CombinedOutput()
		if want := "fatal   : Unsupported .version " + version + "; current version is '9.5'"; err == nil || !strings.Contains(string(out), want) {
			t.Errorf("version %s: %v: %s", version, err, out)
		}
	}
}

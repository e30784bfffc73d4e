package hostcode

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPrerequisites: names of a rule of make, with blanks, over several lines; temporary files of ours are left out.
func TestPrerequisites(t *testing.T) {
	got := prerequisites("out.o: k.cu my\\ dir/a$$b.h \\\n  /tmp/" + folderPrefix + "12/cuda_runtime.h b.h\\\r\n k.cu\n")
	if want := []string{"k.cu", "my dir/a$b.h", "b.h"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestDepends: each compiler says which headers it has read.
func TestDepends(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"k.cu": "#include \"k.h\"\n__global__ void k(int *p) { *p = N; }\n", "k.h": "#define N 1\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, o := range []Options{{Depends: true}, {Depends: true, Nvcc: true}} {
		made, err := CompileDevice(t.Context(), filepath.Join(dir, "k.cu"), "sm_70", o)
		if err != nil {
			if _, missing := exec.LookPath("clang-19"); missing != nil {
				t.Skip("no compiler is installed: ", err)
			}
			t.Fatal(err)
		}
		if !slices.Contains(made.Read, filepath.Join(dir, "k.h")) {
			t.Errorf("%s has read %q", made.Compiler, made.Read)
		}
	}
}

// TestRefused: where the first compiler refuses a file, the result has its error.
func TestRefused(t *testing.T) {
	if _, err := exec.LookPath("clang-19"); err != nil {
		t.Skip("clang-19 is not installed: ", err)
	}
	dir := t.TempDir()
	file, nvcc := filepath.Join(dir, "k.cu"), filepath.Join(dir, "nvcc")
	if err := os.WriteFile(file, []byte("__global__ void k(int *p) { *p = 1; }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(nvcc, []byte("#!/bin/sh\necho 'k.cu(1): error: no luck' >&2\nexit 1\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	made, err := CompileDevice(t.Context(), file, "sm_70", Options{Nvcc: true})
	if err != nil || made.Compiler != "clang" || made.Refused == nil || !strings.Contains(made.Refused.Error(), "no luck") {
		t.Errorf("%+v, %v", made, err)
	}
	if made, err = CompileDevice(t.Context(), file, "sm_70", Options{}); err != nil || made.Refused != nil {
		t.Errorf("clang first: %+v, %v", made, err)
	}
}

// TestLibdevice: the host code beside kernels that call CUDA's mathematical library is read, though the library is not
// there, and so is that beside kernels whose shared variables have constructors, and with headers of a toolkit that test
// its version.
func TestLibdevice(t *testing.T) {
	if _, err := exec.LookPath("clang-19"); err != nil {
		t.Skip("clang-19 is not installed: ", err)
	}
	file := filepath.Join(t.TempDir(), "k.cu")
	const text = `#include <cstdio>
__global__ void k(float *a, double *d) { *a = expf(*a) + pow(*a, 2.0f) + __sinf(*a); *d = exp(*d) + atan2(*d, 2.0); sincosf(*a, a, a + 1); }
struct Object { __device__ Object() {} int x; };
__global__ void s() { __shared__ Object o; o.x = 1; __barrier_sync(0); }
int main() { k<<<1, 32>>>(0, 0); s<<<1, 32>>>(); printf("%f", sqrtf(2)); }
#include <toolkit.h>
`
	toolkit := t.TempDir()
	for name, text := range map[string]string{
		"bin/nvcc": "#!/bin/sh\n", "include/toolkit.h": "#if CUDA_VERSION < 12000 || CUDA_VERSION != CUDART_VERSION\n#error\n#endif\n",
	} {
		name = filepath.Join(toolkit, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o777)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", filepath.Join(toolkit, "bin")+":"+os.Getenv("PATH"))
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(t.Context(), []string{file}, Options{}); err != nil {
		t.Error(err)
	}
}

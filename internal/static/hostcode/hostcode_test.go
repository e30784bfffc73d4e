package hostcode_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostcode"
	"github.com/ptxsan/ptxsan/internal/static/hostir"
)

var update = flag.Bool("update", false, "compile the modules of internal/static/hostir/testdata anew (needs clang-19)")

const (
	modules  = "../hostir/testdata"
	programs = "../../../examples/hgrd"
)

func needsClang(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("clang-19"); err != nil {
		t.Skip("clang-19 is not installed; internal/static/hostir tests the reader on committed modules")
	}
}

func written(t *testing.T, f *facts.File) string {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// load reads a file in its own folder.
func load(t *testing.T, name string, o hostcode.Options) *facts.File {
	t.Helper()
	t.Chdir(filepath.Dir(name))
	list, err := hostcode.Load(context.Background(), []string{filepath.Base(name)}, o)
	if err != nil {
		t.Fatal(err)
	}
	return facts.Join(list)
}

var (
	dropped  = regexp.MustCompile(`(?m)^(; Function Attrs|attributes #|target |!llvm|; ModuleID).*\n`)
	shortens = regexp.MustCompile(`, directory: "[^"]*"|, checksumkind: [A-Z0-9_]+|, checksum: "[^"]*"| #[0-9]+\b|, producer: "[^"]*"`)
)

// TestModules: the committed modules are those that clang makes of their sources now, as far as facts
// show.
func TestModules(t *testing.T) {
	needsClang(t)
	dir, err := filepath.Abs(modules)
	if err != nil {
		t.Fatal(err)
	}
	sources, err := filepath.Abs(programs)
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.ll"))
	if err != nil || len(names) < 6 {
		t.Fatalf("%d modules, %v", len(names), err)
	}
	for _, name := range names {
		base := strings.TrimSuffix(filepath.Base(name), ".ll") + ".cu"
		t.Chdir(dir)
		if _, err = os.Stat(base); err != nil {
			t.Chdir(sources)
		}
		ir, _, err := hostcode.Compile(context.Background(), base, hostcode.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			text := shortens.ReplaceAll(dropped.ReplaceAll(ir, nil), nil)
			if err = os.WriteFile(name, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		old, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		got := written(t, hostir.Scan(hostir.Options{}, hostir.Source{Name: base, Text: ir}))
		if want := written(t, hostir.Scan(hostir.Options{}, hostir.Source{Name: base, Text: old})); got != want {
			t.Errorf("%s: facts\n%s\nof the committed module\n%s\ngo test ./internal/static/hostcode -run TestModules -update", base, got, want)
		}
	}
}

// TestPrograms compares the facts of the example programs with golden files, which were checked against the source by
// hand.
func TestPrograms(t *testing.T) {
	needsClang(t)
	names, err := filepath.Glob(filepath.Join(programs, "*.cu"))
	if err != nil || len(names) < 27 {
		t.Fatalf("%d programs, %v", len(names), err)
	}
	for _, name := range names {
		base := filepath.Base(name)
		t.Run(base, func(t *testing.T) {
			golden, err := filepath.Abs(filepath.Join("testdata", "facts", strings.TrimSuffix(base, ".cu")+".yaml"))
			if err != nil {
				t.Fatal(err)
			}
			got := written(t, load(t, name, hostcode.Options{}))
			if *update {
				if err = os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("facts\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// TestLoad: what is read, and what is not.
func TestLoad(t *testing.T) {
	ir, err := filepath.Abs(filepath.Join(modules, "tone-mapping.ll"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"bad.ll": "int main() {}\n", "a.cu": "int main() {}\n",
	} {
		if err = os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := written(t, load(t, ir, hostcode.Options{})); !strings.Contains(got, "grid: [width / 16, height / 16, 1]") {
		t.Errorf("LLVM IR: %s", got)
	}
	for name, want := range map[string]string{"bad.ll": "bad.ll:1:1: expected LLVM IR", "none.cu": "none.cu"} {
		if _, err = hostcode.Load(context.Background(), []string{filepath.Join(dir, name)}, hostcode.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	t.Setenv("PATH", dir)
	_, err = hostcode.Load(context.Background(), []string{filepath.Join(dir, "a.cu")}, hostcode.Options{})
	if !errors.Is(err, exec.ErrNotFound) || !strings.Contains(err.Error(), "clang, which reads host code, is not installed") {
		t.Errorf("without clang: %v", err)
	}
}

// TestFiles: the reader follows main of one file through loops that look at its arguments, and to the launches
// of another file.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"main.cu": `#include <stdio.h>
int dashes(const char *s) { int n = 0; while (s[n] == '-') n++; return n; }
bool flag(int argc, const char **argv) {
	bool found = false;
	for (int i = 1; i < argc; i++) {
		int at = dashes(argv[i]);
		if (argv[i][at] == 'f')
			found = true;
	}
	return found;
}
extern "C" void blur(float *out, float *in, int width);
int main(int argc, char **argv) {
	if (flag(argc, (const char **)argv))
		printf("fast\n");
	float *in, *out;
	cudaMalloc((void **)&in, 4096 * sizeof(float));
	cudaMalloc((void **)&out, 4096 * sizeof(float));
	for (int i = -1; i < 16; i++)
		blur(out, in, 4096);
}
`,
		"blur.cu": `#include <assert.h>
__global__ void kernel(float *out, float *in, int width) {}
extern "C" void blur(float *out, float *in, int width) {
	assert(width % 128 == 0);
	kernel<<<width / 128, 128>>>(out, in, width);
}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	needsClang(t)
	list, err := hostcode.Load(context.Background(), []string{"main.cu", "blur.cu"}, hostcode.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := facts.Join(list)
	got := written(t, f)
	for _, want := range []string{"site: blur.cu:5:2", "function: blur", "grid: [32, 1, 1]", "block: [128, 1, 1]", "- {buffer: out}\n      - {buffer: in}\n      - 4096", "in: {size: 16384, sample: 0, site: main.cu:17:2}"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if len(f.Launches) != 1 {
		t.Errorf("%d launches:\n%s", len(f.Launches), got)
	}
}

// TestIncludes: headers are found in other folders, too.
func TestIncludes(t *testing.T) {
	dir := t.TempDir()
	headers := filepath.Join(dir, "include")
	if err := os.Mkdir(headers, 0o700); err != nil {
		t.Fatal(err)
	}
	app := filepath.Join(dir, "app.cu")
	for name, text := range map[string]string{
		filepath.Join(headers, "extents.h"): "#define THREADS 96\n",
		app:                                 "#include \"extents.h\"\n__global__ void k(int n) {}\nint main() { k<<<1, THREADS>>>(3); }\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	needsClang(t)
	list, err := hostcode.Load(context.Background(), []string{app}, hostcode.Options{Includes: []string{headers}})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err = facts.Join(list).Write(&out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "block: [96, 1, 1]") || len(list[0].Notes) > 0 {
		t.Errorf("%v\n%s", list[0].Notes, &out)
	}
}

// TestShellCharacters: nvcc gives its arguments to a shell, so that it does not get those that a shell may execute.
func TestShellCharacters(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "nvcc"), []byte("#!/bin/sh\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	for _, o := range []hostcode.Options{{Defines: []string{"X=$(touch x)"}}, {Defines: []string{"X=`touch x`"}}, {Includes: []string{`a"; touch x; "`}}, {Defines: []string{"X=1\ntouch x"}}} {
		o.Nvcc = true
		if _, err := hostcode.CompileDevice(t.Context(), "k.cu", "sm_80", o); err == nil || !strings.Contains(err.Error(), "to a shell") {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := hostcode.CompileDevice(t.Context(), "k$(touch x).cu", "sm_80", hostcode.Options{Nvcc: true}); err == nil || !strings.Contains(err.Error(), "to a shell") {
		t.Errorf("the name of a file: %v", err)
	}
}

package hostcode_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/hostcode"
	"github.com/ptxsan/ptxsan/runtime/static/facts"
	"github.com/ptxsan/ptxsan/runtime/static/host"
	"github.com/ptxsan/ptxsan/runtime/static/hostir"
)

var update = flag.Bool("update", false, "compile the modules of runtime/static/hostir/testdata anew (needs clang-19)")

const (
	modules  = "../../runtime/static/hostir/testdata"
	programs = "../../examples/hgrd"
)

func needsClang(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("clang-19"); err != nil {
		t.Skip("clang-19 is not installed; runtime/static/hostir tests the reader on committed modules")
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
		ir, err := hostcode.Compile(context.Background(), base, hostcode.Options{})
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
		got := written(t, hostir.Scan(hostir.Options{}, host.Source{Name: base, Text: ir}))
		if want := written(t, hostir.Scan(hostir.Options{}, host.Source{Name: base, Text: old})); got != want {
			t.Errorf("%s: facts\n%s\nof the committed module\n%s\ngo test ./runtime/hostcode -run TestModules -update", base, got, want)
		}
	}
}

// TestReaders: both readers find the same launches in the example programs, with the same number of
// arguments, extents, allocations and conditions.
func TestReaders(t *testing.T) {
	needsClang(t)
	names, err := filepath.Glob(filepath.Join(programs, "*.cu"))
	if err != nil || len(names) < 27 {
		t.Fatalf("%d programs, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			path, failed := filepath.Abs(name)
			if failed != nil {
				t.Fatal(failed)
			}
			a, b := load(t, path, hostcode.Options{}), load(t, path, hostcode.Options{Reader: hostcode.Clang})
			if len(a.Launches) != len(b.Launches) || len(b.Notes) > 0 {
				t.Fatalf("%d and %d launches, notes %q", len(a.Launches), len(b.Launches), b.Notes)
			}
			for i, l := range a.Launches {
				m := b.Launches[i]
				if l.Site != m.Site || l.Function != m.Function || len(l.Args) != len(m.Args) || len(l.Buffers) != len(m.Buffers) || len(l.Requires) != len(m.Requires) {
					t.Errorf("launches differ:\n%s\n%s", written(t, &facts.File{Launches: []*facts.Launch{l}}), written(t, &facts.File{Launches: []*facts.Launch{m}}))
				}
				for k := range 3 {
					if (l.Grid[k] == nil) != (m.Grid[k] == nil) || (l.Block[k] == nil) != (m.Block[k] == nil) {
						t.Errorf("%s: extents differ", l.Site)
					}
				}
			}
		})
	}
}

// TestLoad: what is read by what.
func TestLoad(t *testing.T) {
	ir, err := filepath.Abs(filepath.Join(modules, "tone-mapping.ll"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.cu": "__global__ void k(int n);\nint main() { k<<<N, 1>>>(7); }\n", "bad.ll": "int main() {}\n",
		"strange.cu": "#include \"nowhere.h\"\n__global__ void k(int n);\nint main() { k<<<4, 1>>>(7); }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := written(t, load(t, ir, hostcode.Options{})); !strings.Contains(got, "grid: [width / 16, height / 16, 1]") {
		t.Errorf("LLVM IR: %s", got)
	}
	if got := written(t, load(t, filepath.Join(dir, "a.cu"), hostcode.Options{Defines: []string{"N=3"}})); !strings.Contains(got, "grid: [3, 1, 1]") {
		t.Errorf("the scanner: %s", got)
	}
	if got := written(t, load(t, filepath.Join(dir, "strange.cu"), hostcode.Options{Reader: hostcode.Clang})); !strings.Contains(got, "read without clang: ") || !strings.Contains(got, "grid: [4, 1, 1]") {
		t.Errorf("what clang cannot compile: %s", got)
	}
	for name, want := range map[string]string{"bad.ll": "bad.ll:1:1: expected LLVM IR", "none.cu": "none.cu"} {
		if _, err := hostcode.Load(context.Background(), []string{name}, hostcode.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFiles: both readers follow main of one file through loops that look at its arguments, and to the launches
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
	for _, reader := range []hostcode.Reader{hostcode.Scanner, hostcode.Clang} {
		t.Run(string(reader), func(t *testing.T) {
			if reader == hostcode.Clang {
				needsClang(t)
			}
			list, err := hostcode.Load(context.Background(), []string{"main.cu", "blur.cu"}, hostcode.Options{Reader: reader})
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
		})
	}
}

// TestIncludes: headers are found in other folders, too, by both readers.
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
	for _, reader := range []hostcode.Reader{hostcode.Scanner, hostcode.Clang} {
		t.Run(string(reader), func(t *testing.T) {
			if reader == hostcode.Clang {
				needsClang(t)
			}
			list, err := hostcode.Load(context.Background(), []string{app}, hostcode.Options{Reader: reader, Includes: []string{headers}})
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
		})
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

package host_test

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/runtime/static/facts"
	"github.com/ptxsan/ptxsan/runtime/static/host"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const programs = "../../../examples/hgrd"

// readProgram reads a file of the programs.
func readProgram(name string) ([]byte, error) { return os.ReadFile(filepath.Join(programs, name)) }

func written(t *testing.T, f *facts.File) string {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestPrograms compares the facts of the example programs with golden files, which were
// checked against the source by hand.
func TestPrograms(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(programs, "*.cu"))
	if err != nil || len(names) < 27 {
		t.Fatalf("%d programs, %v", len(names), err)
	}
	for _, name := range names {
		base := filepath.Base(name)
		t.Run(base, func(t *testing.T) {
			src, err := readProgram(base)
			if err != nil {
				t.Fatal(err)
			}
			got := written(t, host.Scan(host.Options{Read: readProgram}, host.Source{Name: base, Text: src}))
			golden := filepath.Join("testdata", "facts", strings.TrimSuffix(base, ".cu")+".yaml")
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

// scan reads host code around a launch of the kernel k.
func scan(t *testing.T, src string) string {
	t.Helper()
	return scanFiles(t, src)
}

// scanFiles reads a program of files a.cu, b.cu and so on.
func scanFiles(t *testing.T, src ...string) string {
	t.Helper()
	var sources []host.Source
	for i, text := range src {
		sources = append(sources, host.Source{Name: string(rune('a'+i)) + ".cu", Text: []byte(text)})
	}
	return written(t, host.Scan(host.Options{Read: func(name string) ([]byte, error) {
		if name == "h.h" {
			return []byte("#pragma once\n#define TILE 8\nstruct P { char c; double d; int n; };\n"), nil
		}
		return nil, fs.ErrNotExist
	}}, sources...))
}

// TestScan has a case for each thing that host code does.
func TestScan(t *testing.T) {
	const kernel = "__global__ void k(int *p, int n);\n"
	for _, c := range []struct {
		name, src  string
		want, deny []string
	}{
		{"constants", `int main() { k<<<4, 128>>>(0, 7); }`, []string{"kernel: k", "site: a.cu:2:14", "grid: [4, 1, 1]", "block: [128, 1, 1]", "- 7"}, nil},
		{"macros", "#define B 256\n#define UP(n, b) (((n) + (b) - 1) / (b))\nint main(int c, char **v) { int n = atoi(v[1]); k<<<UP(n, B), B>>>(0, n); }", []string{"grid: [(n + 255) / 256, 1, 1]", "block: [256, 1, 1]"}, nil},
		{"conditional compilation", "#if defined(A) && A > 1\n#define B 1\n#elif 2 * 3 == 6\n#define B 2\n#else\n#define B 3\n#endif\n#ifndef B\n#define B 4\n#endif\nint main() { k<<<B, B>>>(0, 1); }", []string{"grid: [2, 1, 1]"}, nil},
		{"floating-point numbers that are integers", "#define N 16\nint main() { int g = (int)sqrt(N * 1.0); float f = 3.0f; k<<<g, (int)(f * 32)>>>(0, (int)((2.0 + g) / 3)); }", []string{"grid: [4, 1, 1]", "block: [96, 1, 1]", "- 2"}, nil},
		{"floating-point numbers that are no integers", `int main() { k<<<(int)sqrt(17.0), (int)(2.5 * 4)>>>(0, (int)(1.0 / 3)); }`, nil, []string{"grid: [4", "block: [10", "- 0\n          - 0"}},
		{"floating-point numbers that a type rounds", `int main() { float f = 16777216.0f; f = f + 1; k<<<(int)(f - 16777216.0f), 1>>>(0, 1); }`, nil, []string{"grid: [1", "grid: [0"}},
		{"floating-point numbers that a loop changes", `int main() { double d = 1.0; for (int i = 0; i < 3; i++) { k<<<(int)d, 1>>>(0, 1); d = d + 1.0; } }`, nil, []string{"grid: [1"}},
		{"headers", "#include \"h.h\"\n#include <stdio.h>\nint main() { k<<<TILE, sizeof(P)>>>(0, 1); }", []string{"grid: [8, 1, 1]", "block: [24, 1, 1]"}, nil},
		{"a header that is missing", "#include \"no.h\"\nint main() { k<<<N, 1>>>(0, 1); }", []string{`"no.h\" is not there`[:4], "kernel: k"}, []string{"grid"}},
		{"dim3", `int main(int c, char **v) { int w = atoi(v[1]); dim3 b(16, 16); dim3 g; g.x = w / b.x; g.y = 3; k<<<g, b>>>(0, 1); }`, []string{"grid: [u32(w) / 16, 3, 1]", "block: [16, 16, 1]"}, nil},
		{"assert", `int main(int c, char **v) { int r = atoi(v[1]), s = atoi(v[2]); assert(r == s && r > 0); k<<<r, s>>>(0, 1); }`, []string{"that: r == s, class: asserts", "that: r > 0, class: asserts"}, nil},
		{"checks of libraries", `void f(int r, int s) { CHECK_EQ(r, s); KALDI_ASSERT(r < 9); k<<<r, s>>>(0, 1); }`, []string{"that: r == s, class: asserts", "that: r <= 8, class: asserts"}, nil},
		{"an early exit", `int main(int c, char **v) { int n = atoi(v[1]); if (n <= 0 || n % 4) { printf("no"); exit(1); } k<<<n, 1>>>(0, 1); }`, []string{"that: n > 0, class: path", "that: n % 4 == 0, class: path"}, nil},
		{"an early return in a function holds there only", `static void f(int n) { if (n < 3) return; k<<<1, 1>>>(0, n); } int main(int c, char **v) { int n = atoi(v[1]); f(n); k<<<2, 1>>>(0, n); }`, []string{"that: n >= 3, class: path"}, nil},
		{"branches", `int main(int c, char **v) { int n = atoi(v[1]); if (n > 5) k<<<n, 1>>>(0, 1); else k<<<n, 2>>>(0, 1); k<<<n, 3>>>(0, 1); }`, []string{"that: n >= 6, class: path", "that: n < 6, class: path"}, nil},
		{"a value of two branches", `int main(int c, char **v) { int n = atoi(v[1]); int b; if (n > 5) b = 1; else b = 2; k<<<b, 1>>>(0, 1); }`, []string{"n >= 6 ? 1 : 2"}, nil},
		{"memory that nothing has written to may hold zeros", `int main() { int *a, *b, *c; cudaMalloc(&a, 64); cudaMalloc(&b, 64); cudaMallocManaged(&c, 64); cudaMemcpy(b, h, 64, cudaMemcpyHostToDevice); k<<<1, 1>>>(a, b, c); }`, []string{"a: {size: 64, sample: 0", "b: {size: 64, site", "c: {size: 64, site"}, nil},
		{"the first round of a loop", `int main(int c, char **v) { int n = atoi(v[1]); int *a; cudaMalloc(&a, 64); cudaMemset(a, 255, 64); for (int i = 3; i < n; i++) k<<<1, 1>>>(a, i); }`, []string{"a: {size: 64, sample: \"-1\"", "sample:\n      - {that: i == 3, class: bounds"}, []string{"init"}},
		{"the first round of a loop changes other variables", `int main(int c, char **v) { int n = 4; int *a; cudaMalloc(&a, 64); cudaMemset(a, 0, 64); while (rand()) { k<<<1, 1>>>(a, n); n = n * 2 + 1; } k<<<2, 1>>>(a, n); }`, []string{"a: {size: 64, sample: 0", "sample:\n      - {that: n == 4, class: bounds", "a: {size: 64, site"}, []string{"init"}},
		{"a first round that has written before", `int main(int c, char **v) { int n = atoi(v[1]); int *a; cudaMalloc(&a, 64); cudaMemset(a, 0, 64); for (int i = 0; i < n; i++) { f(a); k<<<1, 1>>>(a, i); } }`, nil, []string{"init", "sample"}},
		{"host code writes to managed memory", `int main() { int *a, *b; cudaMallocManaged(&a, 64); cudaMallocManaged(&b, 64); cudaMemset(a, 0, 64); cudaMemset(b, 0, 64); for (int i = 0; i < 3; i++) a[i] = i; k<<<1, 1>>>(a, b); }`, []string{"b: {size: 64, init: 0"}, []string{"a: {size: 64, init"}},
		{"a function of the library writes to managed memory", `int main() { int *a; cudaMallocManaged(&a, 64); cudaMemset(a, 0, 64); memcpy(a, h, 4); k<<<1, 1>>>(a, 1); }`, nil, []string{"init"}},
		{"a for loop", `int main(int c, char **v) { int n = atoi(v[1]); for (int i = 2; i < n; i += 4) k<<<1, 1>>>(0, i); }`, []string{"that: i >= 2, class: bounds", "that: (i - 2) % 4 == 0, class: bounds", "that: i < n, class: bounds"}, nil},
		{"a loop that counts down by halves", `int main() { for (int s = 512; s > 0; s >>= 1) k<<<1, 1>>>(0, s); }`, []string{"that: s <= 512, class: bounds", "that: s > 0, class: bounds"}, nil},
		{"a while loop", `int main(int c, char **v) { int n = atoi(v[1]); while (n > 1) { k<<<n, 1>>>(0, n); n = n / 2; } }`, []string{"that: n.2 >= 2, class: bounds"}, []string{"grid: [n, 1, 1]"}},
		{"after a loop", `int main(int c, char **v) { int n = atoi(v[1]), i; for (i = 0; i < n; i++) ; k<<<1, 1>>>(0, i); }`, []string{"that: n <= i.2, class: bounds"}, nil},
		{"a loop with break says nothing of its end", `int main(int c, char **v) { int n = atoi(v[1]), i; for (i = 0; i < n; i++) if (rand()) break; k<<<1, 1>>>(0, i); }`, []string{"- i"}, []string{"n <= "}},
		{"a loop variable that the body changes", `int main(int c, char **v) { int n = atoi(v[1]); for (int i = 0; i < n; i++) { k<<<1, 1>>>(0, i); i = rand(); } }`, []string{"that: i < n"}, []string{"i >= 0"}},
		{"switch", `int main(int c, char **v) { int n = atoi(v[1]); switch (n) { case 32: k<<<1, 32>>>(0, 1); break; case 64: k<<<1, n>>>(0, 1); break; default: k<<<2, n>>>(0, 1); } }`, []string{"that: n == 64, class: path", "that: n != 32"}, nil},
		{"allocations", `int main(int c, char **v) { int n = atoi(v[1]); float *a, *b; cudaMalloc((void **)&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof *b); cudaMemset(b, 0, n * sizeof(float)); k2<<<1, 1>>>(a, b + 2, n); }`, []string{"{buffer: a}", "{buffer: b, offset: 8}", "a: {size: 4 * n", "init: 0", "that: n > 0, class: sizes"}, nil},
		{"a launch ends what memset did", `int main() { int *a; cudaMalloc(&a, 64); cudaMemset(a, 0, 64); k<<<1, 1>>>(a, 1); k<<<2, 1>>>(a, 1); }`, []string{"init: 0"}, nil},
		{"a memset before a loop of launches", `int main() { int *a; cudaMalloc(&a, 64); cudaMemset(a, 0, 64); for (int i = 0; i < 9; i++) k<<<1, 1>>>(a, 1); }`, nil, []string{"init"}},
		{"the CUDA runtime keeps no addresses", `int main(int c, char **v) { int n = atoi(v[1]); float *a; size_t p; cudaMallocPitch(&a, &p, n * 4, 9); unknown(); cudaCreateTextureObject(&n); unknown(); k<<<1, 1>>>(a, p / 4); }`, []string{"{buffer: a}", "- p / 4", "4 * n <= p"}, []string{"p.2"}},
		{"a parameter that a function changes is its own", `static void f(int n, int &m) { n = 3; m = 4; } int main(int c, char **v) { int n = 5, m = 6; for (int i = 0; i < 2; i++) f(7, m); k<<<n, m>>>(0, 1); }`, []string{"grid: [5, 1, 1]", "block: [m.2, 1, 1]"}, nil},
		{"a function changes what an array holds", `static void f(int *p) { p[0] = 9; } int main() { int a[2] = {1, 2}; f(a); k<<<a[0], 1>>>(0, 1); }`, nil, []string{"grid: [1"}},
		{"a function of the system changes what an array holds", `int main(int c, char **v) { int a[2] = {1, 2}; memcpy((void *)a, v[1], 8); k<<<a[0], 1>>>(0, 1); }`, nil, []string{"grid: [1"}},
		{"a function of the system that gets an address", `int main(int c, char **v) { int n = 3, m = 4; fscanf(0, "%d", &n); bzero(v[1], m); k<<<n, m>>>(0, 1); }`, []string{"grid: [n, 1, 1]", "block: [4, 1, 1]"}, nil},
		{"a function in a loop changes what an array holds", `static void f(int *p) { p[0] = 9; } int main() { int a[2] = {1, 2}; for (int i = 0; i < 2; i++) { k<<<a[0], 1>>>(0, 1); f(a); } }`, nil, []string{"grid: [1"}},
		{"a function that keeps a pointer by value", `static void f(int *p) { p = 0; } int main() { int *a; cudaMalloc(&a, 8); for (int i = 0; i < 2; i++) { k<<<1, 1>>>(a, 1); f(a); } }`, []string{"{buffer: a}"}, nil},
		{"a copy in a loop ends what memset did", `int main() { int *a; cudaMalloc(&a, 64); cudaMemset(a, 0, 64); for (int i = 0; i < 9; i++) { cudaMemcpy(a, 0, 64, 1); } k<<<1, 1>>>(a, 1); }`, []string{"{buffer: a}"}, []string{"init"}},
		{"a pitch", `int main(int c, char **v) { int w = atoi(v[1]); float *a; size_t p; cudaMallocPitch(&a, &p, w * 4, 9); k<<<1, 1>>>(a, p / 4); }`, []string{"that: 4 * w <= p, class: sizes", "- p / 4", "size: 9 * p"}, nil},
		{"an error macro", "#define OK(x) do { int e = (x); if (e != cudaSuccess) { printf(\"%d\", e); exit(1); } } while (0)\nint main() { int *a; OK(cudaMalloc(&a, 64)); k<<<1, 1>>>(a, 1); }", []string{"{buffer: a}", "a: {size: 64"}, nil},
		{"a struct by value", `struct D { int rows, cols; long n; float *p; }; int main(int c, char **v) { D d = {atoi(v[1]), 3}; cudaMalloc(&d.p, 8); d.n = d.rows; kd<<<1, 1>>>(d); }`, []string{"{fields: {0: {s32: d.rows}, 4: {s32: 3}, 8: {s64: d.rows}, 16: {buffer: d.p}}}"}, nil},
		{"template arguments", `template <int B> void run(int n) { kt<B, true><<<n, B>>>(0, n); } int main(int c, char **v) { int n = atoi(v[1]); run<256>(n); run<64>(n); }`, []string{"kernel: \"kt<256, true>\"", "kernel: \"kt<64, true>\"", "block: [64, 1, 1]"}, nil},
		{"references and pointers to variables", `void get(int &a, int *b) { a = 5; *b = 6; } int main() { int a, b; get(a, &b); k<<<a, b>>>(0, 1); }`, []string{"grid: [5, 1, 1]", "block: [6, 1, 1]"}, nil},
		{"an unknown function may change what it gets", `int main() { int a = 5; change(a); k<<<a, 1>>>(0, 1); }`, []string{"grid: [a, 1, 1]"}, []string{"grid: [5"}},
		{"input streams", `int main() { int n = 3; std::cin >> n; k<<<n, 1>>>(0, 1); }`, []string{"grid: [n, 1, 1]"}, nil},
		{"the same input is the same value", `int main(int c, char **v) { if (atoi(v[1]) % 16) return 1; int n = atoi(v[1]); k<<<n / 16, 16>>>(0, 1); }`, []string{"% 16 == 0, class: path"}, nil},
		{"the launch function", `int main() { int n = 5; int *a; cudaMalloc(&a, 20); void *args[] = {&a, &n}; cudaLaunchKernel((void *)k, dim3(3), dim3(4), args, 0, 0); }`, []string{"kernel: k", "grid: [3, 1, 1]", "block: [4, 1, 1]", "- 5", "{buffer: a}"}, nil},
		{"shared memory", `int main() { k<<<1, 64, 64 * sizeof(int), 0>>>(0, 1); }`, []string{"shared: 256"}, nil},
		{"unsigned arithmetic wraps around", `int main(int c, char **v) { unsigned n = atoi(v[1]); k<<<(n + 255u) / 256u, 256>>>(0, n); }`, []string{"u32("}, nil},
		{"a global constant", `const int N = 1 << 10; int main() { k<<<N / 32, 32>>>(0, N); }`, []string{"grid: [32, 1, 1]", "- 1024"}, nil},
		{"an enumeration", `enum { A = 3, B }; int main() { k<<<A, B>>>(0, 1); }`, []string{"grid: [3, 1, 1]", "block: [4, 1, 1]"}, nil},
		{"a lambda is not followed", `int main() { auto f = [&](int n) { k<<<n, 1>>>(0, n); }; f(3); }`, []string{"kernel: k", "site: a.cu:2:36", "followed: false"}, []string{"grid", "args"}},
		{"a function whose address is used", `static void f(int n) { k<<<n, 1>>>(0, n); } int main() { f(3); call(f); }`, []string{"grid: [3, 1, 1]", "grid: [n, 1, 1]"}, nil},
		{"a library", `void f(int n) { k<<<n, 1>>>(0, n); } void g() { f(3); }`, []string{"grid: [3, 1, 1]", "grid: [n, 1, 1]"}, nil},
		{"a static function of a library", `static void f(int n) { k<<<n, 1>>>(0, n); } void g() { f(3); }`, []string{"grid: [3, 1, 1]"}, []string{"grid: [n"}},
		{"recursion", `static void f(int n) { k<<<n, 1>>>(0, n); if (n) f(n - 1); } int main() { f(3); }`, []string{"kernel: k"}, []string{"grid"}},
		{"a template for any type", `template <typename T> void run(T *p) { kt<T, 3><<<1, 2>>>(p); } int main() { float *p; cudaMalloc(&p, 4); run(p); }`, []string{"kernel: kt\n", "{buffer: p}"}, nil},
		{"namespaces", `int main() { a::b::k<<<1, 2>>>(0, 1); }`, []string{"kernel: k", "block: [2, 1, 1]", "site: a.cu:2:20"}, nil},
		{"goto", `int main() { int n = 1; again: n = n + 1; k<<<n, 1>>>(0, 1); goto again; }`, nil, []string{"grid: [2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := scan(t, kernel+c.src)
			for _, w := range c.want {
				if !strings.Contains(got, w) {
					t.Errorf("no %q in\n%s", w, got)
				}
			}
			for _, w := range c.deny {
				if strings.Contains(got, w) {
					t.Errorf("%q in\n%s", w, got)
				}
			}
		})
	}
}

// TestFiles: what one file of a program needs of another is found there, and what is private to a file
// stays so.
func TestFiles(t *testing.T) {
	const kernel = "__global__ void k(int *p, int n);\n"
	for _, c := range []struct {
		name       string
		src        []string
		want, deny []string
	}{
		{
			"a function that launches",
			[]string{`extern "C" void run(int *p, int n); int main() { int *a; cudaMalloc(&a, 64); run(a, 7); }`, kernel + `extern "C" void run(int *p, int n) { assert(n > 3); k<<<n, 32>>>(p, n); }`},
			[]string{"site: b.cu:2:53", "function: run", "grid: [7, 1, 1]", "{buffer: a}", "a: {size: 64, sample: 0, site: a.cu"},
			[]string{"unknown"},
		},
		{"in the order of the files, whichever that is", []string{kernel + `void run(int n) { k<<<n, 32>>>(0, n); }`, `void run(int n); int main() { run(7); }`}, []string{"grid: [7, 1, 1]"}, []string{"grid: [n"}},
		{"two callers", []string{`void run(int n); int main() { run(7); run(8); }`, kernel + `void run(int n) { k<<<n, 32>>>(0, n); }`}, []string{"grid: [7, 1, 1]", "grid: [8, 1, 1]"}, []string{"grid: [n"}},
		{"one that nobody calls", []string{`int main() { }`, kernel + `void run(int n) { assert(n > 3); k<<<n, 32>>>(0, n); }`}, []string{"grid: [n, 1, 1]", "that: n >= 4, class: asserts"}, nil},
		{"one that the file does not declare", []string{`int main() { run(7); }`, kernel + `void run(int n) { k<<<n, 32>>>(0, n); }`}, []string{"grid: [n, 1, 1]"}, []string{"grid: [7"}},
		{"static functions of one name", []string{kernel + `static int n() { return 2; } void run(int m); int main() { run(n()); }`, kernel + `static int n() { return 3; } void run(int m) { k<<<m, n()>>>(0, 1); }`}, []string{"grid: [2, 1, 1]", "block: [3, 1, 1]"}, nil},
		{"a function that may be one of two", []string{`void run(int n); int main() { run(7); }`, kernel + `namespace x { void run(int n) { k<<<n, 1>>>(0, n); } }`, kernel + `namespace y { void run(int n) { k<<<n, 2>>>(0, n); } }`}, []string{"block: [1, 1, 1]", "block: [2, 1, 1]", "grid: [n, 1, 1]"}, []string{"grid: [7"}},
		{"a function in a header", []string{`#include "h.h"` + "\n" + `void run(P p); int main() { P p = {1, 2, 3}; run(p); }`, `#include "h.h"` + "\n" + kernel + `void run(P p) { k<<<p.n, TILE>>>(0, 1); }`}, []string{"grid: [3, 1, 1]", "block: [8, 1, 1]"}, nil},
		{"a variable that both files know", []string{`extern int n; void run(); int main() { n = 5; run(); }`, kernel + `int n = 3; void run() { k<<<n, 1>>>(0, n); }`}, []string{"grid: [5, 1, 1]"}, nil},
		{"variables that one file knows each", []string{`static int n = 4; void run(); int main() { n = 5; run(); }`, kernel + `namespace { int n = 3; } void run() { k<<<n, 1>>>(0, n); }`}, []string{"grid: [3, 1, 1]"}, nil},
		{"a variable of a header that is missing", []string{`#include "no.h"` + "\n" + `void run(); void set(); int main() { n = 5; set(); k<<<n, 1>>>(0, n); }`, `int n; void set() { n = 6; }`}, []string{"block: [1, 1, 1]"}, []string{"grid: [5"}},
		{"names of types", []string{`typedef long num; void run(num n); int main(int c, char **v) { num n = atol(v[1]); run(n); }`, kernel + `typedef int num; void run(num n) { k<<<1, 1>>>(0, n); }`}, []string{"s32(n)"}, nil},
		{"a function in a loop", []string{`void next(int &n); int main() { int n = 5; for (int i = 0; i < 9; i++) { k<<<n, 1>>>(0, 1); next(n); } }`, `void next(int &n) { n = n + 1; }`}, nil, []string{"grid: [5"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := scanFiles(t, c.src...)
			for _, w := range c.want {
				if !strings.Contains(got, w) {
					t.Errorf("no %q in\n%s", w, got)
				}
			}
			for _, w := range c.deny {
				if strings.Contains(got, w) {
					t.Errorf("%q in\n%s", w, got)
				}
			}
		})
	}
}

// TestSecondLaunch: the second launch does not find what memset wrote.
func TestSecondLaunch(t *testing.T) {
	f := host.Scan(host.Options{}, host.Source{Name: "a.cu", Text: []byte(`int main() { int *a; cudaMalloc(&a, 64); cudaMemset(a, 0, 64); k<<<1, 1>>>(a); k<<<2, 1>>>(a); }`)})
	if len(f.Launches) != 2 || f.Launches[0].Buffers[0].Init == nil || f.Launches[1].Buffers[0].Init != nil {
		t.Errorf("facts\n%s", written(t, f))
	}
}

// TestHostile: host code that is out to use time or memory is given up on.
func TestHostile(t *testing.T) {
	deep := strings.Repeat("(", 100_000)
	for name, src := range map[string]string{
		"parentheses":  "int main() { k<<<" + deep + ">>>(); }",
		"blocks":       "int main() " + strings.Repeat("{", 100_000),
		"ifs":          "int main() { " + strings.Repeat("if (x) ", 50_000) + ";}",
		"macros":       "#define A B B B B B B B B\n#define B C C C C C C C C\n#define C D D D D D D D D\n#define D E E E E E E E E\n#define E F F F F F F F F\n#define F 1\nint x = A A A A;",
		"itself":       "#include \"a.cu\"\n#define X X X\nint y = X; void f() { f(); k<<<1, 1>>>(); f(); }",
		"calls":        "void a() { b(); b(); } void b() { c(); c(); } void c() { d(); d(); } void d() { e(); e(); } void e() { a(); k<<<1,1>>>(); }",
		"products":     "int main(int c, char **v) { int x = atoi(v[1]);" + strings.Repeat("x = x * x + x;", 200) + "k<<<x, 1>>>(); }",
		"branches":     "int main(int c, char **v) { int x = 0;" + strings.Repeat("if (v[0]) x++; else x--;", 500) + "k<<<x, 1>>>(); }",
		"unterminated": "int main() { /* ",
		"nothing":      "",
	} {
		t.Run(name, func(t *testing.T) {
			f := host.Scan(host.Options{Read: func(string) ([]byte, error) {
				if name == "itself" {
					return []byte(src), nil
				}
				return nil, errors.New("no file")
			}}, host.Source{Name: "a.cu", Text: []byte(src)})
			if s := written(t, f); len(s) > 10<<20 {
				t.Errorf("%d bytes of facts", len(s))
			}
		})
	}
}

func FuzzScan(f *testing.F) {
	names, _ := filepath.Glob(filepath.Join(programs, "*.cu"))
	for _, name := range names {
		if src, err := os.ReadFile(name); err == nil {
			f.Add(src)
		}
	}
	f.Add([]byte("#if 1\n#else\ntemplate<int N> struct S { int x[N]; }; enum E { A = 1 << 3 };\nvoid f(S<3> s) { switch (s.x) { case A: goto l; } l: k<A, sizeof(int)><<<dim3{1, 2}, A>>>(&s, s.x[0] ? 1u : 2, [&](int y) { return y; }); }\n#endif"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 1<<16 {
			return
		}
		out := host.Scan(host.Options{}, host.Source{Name: "a.cu", Text: src})
		again := host.Scan(host.Options{}, host.Source{Name: "a.cu", Text: src})
		if written(t, out) != written(t, again) {
			t.Error("two scans differ")
		}
	})
}

// Facts of small programs, one for each thing that host code does.

package hostcode_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostcode"
)

// scan reads host code.
func scan(t *testing.T, src string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a.cu")
	if err := os.WriteFile(name, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := hostcode.Load(t.Context(), []string{name}, hostcode.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return written(t, facts.Join(list))
}

// TestScan has a case for each thing that host code does.
func TestScan(t *testing.T) {
	needsClang(t)
	const kernel = "#include <cassert>\n#include <cmath>\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <strings.h>\n" +
		"extern \"C\" __global__ void k(int *p, long n) {}\n__global__ void k3(int *a, int *b, int *c) {}\n__global__ void kf(float *a, float *b, long n) {}\nextern int *h;\n#line 2 \"a.cu\"\n"
	for _, c := range []struct {
		name, src  string
		want, deny []string
	}{
		{"constants", `int main() { k<<<4, 128>>>(0, 7); }`, []string{"kernel: k", "site: a.cu:2:14", "grid: [4, 1, 1]", "block: [128, 1, 1]", "- 7"}, nil},
		{"macros", "#define B 256\n#define UP(n, b) (((n) + (b) - 1) / (b))\nint main(int c, char **v) { int n = atoi(v[1]); k<<<UP(n, B), B>>>(0, n); }", []string{"grid: [(n + 255) / 256, 1, 1]", "block: [256, 1, 1]"}, nil},
		{"conditional compilation", "#if defined(A) && A > 1\n#define B 1\n#elif 2 * 3 == 6\n#define B 2\n#else\n#define B 3\n#endif\n#ifndef B\n#define B 4\n#endif\nint main() { k<<<B, B>>>(0, 1); }", []string{"grid: [2, 1, 1]"}, nil},
		{"floating-point numbers that are no integers", `int main() { k<<<(int)sqrt(17.0), (int)(2.5 * 4)>>>(0, (int)(1.0 / 3)); }`, []string{"block: [10, 1, 1]"}, []string{"grid: [5"}},
		{"floating-point numbers that are known", `int main() { float s = 1.5f; const double d = 2; if (s > d) k<<<9, 1>>>(0, 1); k<<<(int)(s * d), (int)ceil(sqrt(16.0) / 8)>>>(0, (unsigned)(s - 2 + 7)); }`, []string{"grid: [3, 1, 1]", "block: [1, 1, 1]", "- 6"}, []string{"grid: [9"}},
		{"a quotient that has to be rounded", `int main() { double d = 2; k<<<(int)(d / 3 * 3), 1>>>(0, 1); }`, nil, []string{"grid: [2", "grid: [1"}},
		{"a counter that a shift doubles", `int main() { for (int i = 1; i < 64; i <<= 1) k<<<1, 1>>>(0, i); }`, []string{"that: i > 0, class: bounds"}, nil},
		{"a counter that a shift doubles up to a number that may be large", `int main(int c, char **v) { int n = atoi(v[1]); for (int i = 1; i < n; i <<= 1) k<<<1, 1>>>(0, i); }`, []string{"that: i > 0, class: overflow"}, nil},
		{"an unsigned counter that may become 0", `int main(int c, char **v) { unsigned n = atoi(v[1]); for (unsigned i = 1; i < n; i <<= 1) k<<<1, 1>>>(0, i); }`, nil, []string{"i > 0"}},
		{"a launch behind a false condition, beside recursion", `__global__ void never(int *p) {} static void f(int n) { k<<<n, 1>>>(0, n); if (n) f(n - 1); } int main() { f(3); if (0) never<<<1, 1>>>(0); }`, []string{"_Z5neverPi]", "main: true"}, []string{"kernel: _Z5neverPi"}},
		{"a launch behind a false condition, and functions of another file", `__global__ void never(int *p) {} void f(int n); int main() { f(3); if (0) never<<<1, 1>>>(0); }`, []string{"main: true"}, []string{"never:", "kernel:"}},
		{"floating-point numbers that a type rounds", `int main() { float f = 16777216.0f; f = f + 1; k<<<(int)(f - 16777216.0f), 1>>>(0, 1); }`, nil, []string{"grid: [1", "grid: [0"}},
		{"floating-point numbers that a loop changes", `int main() { double d = 1.0; for (int i = 0; i < 3; i++) { k<<<(int)d, 1>>>(0, 1); d = d + 1.0; } }`, nil, []string{"grid: [1"}},
		{"thrust::device_vector", "\n#include <thrust/device_vector.h>\nint main(int c, char **v) { int n = atoi(v[1]); thrust::device_vector<int> a(n), b(n); a.swap(b); k3<<<1, 1>>>(thrust::raw_pointer_cast(a.data()), thrust::raw_pointer_cast(b.data() + 1), 0); }", []string{"{buffer: b.0}", "{buffer: a.0, offset: 4}", "a.0: {size: 4 * n, init: 0, site: a.cu:"}, nil},
		{"a function that may end the program at one number or another", `static void f(int i, int m) { if (m > 7) { if (i == 3) exit(0); } else { if (i == 4) exit(0); } } int main(int c, char **v) { int n = atoi(v[1]), m = atoi(v[2]); for (int i = 1; i < n; i++) { f(i, m); k<<<1, 1>>>(0, i); } }`, []string{"i: {type: s32, followed: false}"}, nil},
		{"a function that ends the program at one number", `static void f(int i) { if (i == 3) exit(0); } int main(int c, char **v) { int n = atoi(v[1]); for (int i = 1; i < n; i++) { f(i); k<<<1, 1>>>(0, i); } }`, []string{"variables: {n: s32, i: s32}", "that: i == 1 || i < 4", "that: i != 3"}, []string{"followed: false"}},
		{"dim3", `int main(int c, char **v) { int w = atoi(v[1]); dim3 b(16, 16); dim3 g; g.x = w / b.x; g.y = 3; k<<<g, b>>>(0, 1); }`, []string{"grid: [u32(w) / 16, 3, 1]", "block: [16, 16, 1]"}, nil},
		{"assert", `int main(int c, char **v) { int r = atoi(v[1]), s = atoi(v[2]); assert(r == s && r > 0); k<<<r, s>>>(0, 1); }`, []string{"that: r == s, class: asserts", "that: r > 0, class: asserts"}, nil},
		{"an early exit", `int main(int c, char **v) { int n = atoi(v[1]); if (n <= 0 || n % 4) { printf("no"); exit(1); } k<<<n, 1>>>(0, 1); }`, []string{"that: n > 0, class: path", "that: n % 4 == 0, class: path"}, nil},
		{"an early return in a function holds there only", `static void f(int n) { if (n < 3) return; k<<<1, 1>>>(0, n); } int main(int c, char **v) { int n = atoi(v[1]); f(n); k<<<2, 1>>>(0, n); }`, []string{"that: n >= 3, class: path"}, nil},
		{"branches", `int main(int c, char **v) { int n = atoi(v[1]); if (n > 5) k<<<n, 1>>>(0, 1); else k<<<n, 2>>>(0, 1); k<<<n, 3>>>(0, 1); }`, []string{"that: n >= 6, class: path", "that: n < 6, class: path"}, nil},
		{"a value of two branches", `int main(int c, char **v) { int n = atoi(v[1]); int b; if (n > 5) b = 1; else b = 2; k<<<b, 1>>>(0, 1); }`, []string{"n >= 6 ? 1 : 2"}, nil},
		{"memory that nothing has written to may hold zeros", `int main() { int *a, *b, *c; cudaMalloc(&a, 64); cudaMalloc(&b, 64); cudaMallocManaged(&c, 64); cudaMemcpy(b, h, 64, cudaMemcpyHostToDevice); k3<<<1, 1>>>(a, b, c); }`, []string{"a: {size: 64, sample: 0", "b: {size: 64, site", "c: {size: 64, site"}, nil},
		{"the first round of a loop", `int main(int c, char **v) { int n = atoi(v[1]); int *a; cudaMalloc(&a, 64); cudaMemset(a, 255, 64); for (int i = 3; i < n; i++) k<<<1, 1>>>(a, i); }`, []string{"a: {size: 64, sample: \"-1\"", "sample:\n      - {that: i == 3, class: bounds"}, []string{"init"}},
		{"the first round of a loop changes other variables", `int main(int c, char **v) { int n = 4; int *a; cudaMalloc(&a, 64); cudaMemset(a, 0, 64); while (rand()) { k<<<1, 1>>>(a, n); n = n * 2 + 1; } k<<<2, 1>>>(a, n); }`, []string{"a: {size: 64, sample: 0", "sample:\n      - {that: n == 4, class: bounds", "a: {size: 64, site"}, []string{"init"}},
		{"a first round that has written before", `void f(int *); int main(int c, char **v) { int n = atoi(v[1]); int *a; cudaMalloc(&a, 64); cudaMemset(a, 0, 64); for (int i = 0; i < n; i++) { f(a); k<<<1, 1>>>(a, i); } }`, nil, []string{"init", "sample"}},
		{"host code writes to managed memory", `int main() { int *a, *b; cudaMallocManaged(&a, 64); cudaMallocManaged(&b, 64); cudaMemset(a, 0, 64); cudaMemset(b, 0, 64); for (int i = 0; i < 3; i++) a[i] = i; k3<<<1, 1>>>(a, b, 0); }`, []string{"b: {size: 64, init: 0"}, []string{"a: {size: 64, init"}},
		{"a function of the library writes to managed memory", `int main() { int *a; cudaMallocManaged(&a, 64); cudaMemset(a, 0, 64); memcpy(a, h, 4); k<<<1, 1>>>(a, 1); }`, nil, []string{"init"}},
		{"a for loop", `int main(int c, char **v) { int n = atoi(v[1]); for (int i = 2; i < n; i += 4) k<<<1, 1>>>(0, i); }`, []string{"that: i >= 2, class: bounds", "that: (i - 2) % 4 == 0, class: bounds", "that: i < n, class: bounds"}, nil},
		{"a loop that counts down by halves", `int main() { for (int s = 512; s > 0; s >>= 1) k<<<1, 1>>>(0, s); }`, []string{"that: s <= 512, class: bounds", "that: s > 0, class: bounds"}, nil},
		{"a while loop", `int main(int c, char **v) { int n = atoi(v[1]); while (n > 1) { k<<<n, 1>>>(0, n); n = n / 2; } }`, []string{"that: n.2 >= 2, class: bounds"}, []string{"grid: [n, 1, 1]"}},
		{"a while loop that rounds up", `int main(int, char **v) { int n = atoi(v[1]); if (n < 1) return 1; while (n > 1) { k<<<n, 1>>>(0, n); n = (n + 255) / 256; } }`, []string{"that: n.2 == (n + (1 << 8 * n.2.times) - 1) / (1 << 8 * n.2.times), class: bounds", "variables: {n: s32, n.2: s32"}, nil},
		{"a loop that may end the program", `int main(int, char **v) { int n = atoi(v[1]); if (n < 1) return 1; while (n > 1) { k<<<n, 1>>>(0, n); if (cudaGetLastError()) exit(1); n = (n + 255) / 256; } }`, []string{"that: n.2 <= n", "variables: {n: s32, n.2: s32"}, nil},
		{"a loop that may end the program for another reason", `int main(int, char **v) { int n = atoi(v[1]); if (n < 1) return 1; while (n > 1) { k<<<n, 1>>>(0, n); if (rand()) exit(1); n = (n + 255) / 256; } }`, []string{"n.2: {type: s32, followed: false}"}, nil},
		{"after a loop", `int main(int c, char **v) { int n = atoi(v[1]), i; for (i = 0; i < n; i++) ; k<<<1, 1>>>(0, i); }`, []string{"that: n <= i, class: bounds"}, nil},
		{"a loop with break says nothing of its end", `int main(int c, char **v) { int n = atoi(v[1]), i; for (i = 0; i < n; i++) if (rand()) break; k<<<1, 1>>>(0, i); }`, []string{"- i"}, []string{"n <= "}},
		{"a loop variable that the body changes", `int main(int c, char **v) { int n = atoi(v[1]); for (int i = 0; i < n; i++) { k<<<1, 1>>>(0, i); i = rand(); } }`, []string{"that: i.2 < n"}, []string{"i.2 >= 0"}},
		{"switch", `int main(int c, char **v) { int n = atoi(v[1]); switch (n) { case 32: k<<<1, 32>>>(0, 1); break; case 64: k<<<1, n>>>(0, 1); break; default: k<<<2, n>>>(0, 1); } }`, []string{"that: n == 64, class: path", "that: n != 32"}, nil},
		{"allocations", `int main(int c, char **v) { int n = atoi(v[1]); float *a, *b; cudaMalloc((void **)&a, n * sizeof(float)); cudaMalloc(&b, n * sizeof *b); cudaMemset(b, 0, n * sizeof(float)); kf<<<1, 1>>>(a, b + 2, n); }`, []string{"{buffer: a}", "{buffer: b, offset: 8}", "a: {size: 4 * n", "init: 0", "that: n > 0, class: sizes"}, nil},
		{"a launch ends what memset did", `int main() { int *a; cudaMalloc(&a, 64); cudaMemset(a, 0, 64); k<<<1, 1>>>(a, 1); k<<<2, 1>>>(a, 1); }`, []string{"init: 0"}, nil},
		{"a memset before a loop of launches", `int main() { int *a; cudaMalloc(&a, 64); cudaMemset(a, 0, 64); for (int i = 0; i < 9; i++) k<<<1, 1>>>(a, 1); }`, nil, []string{"init"}},
		{"the CUDA runtime keeps no addresses", `void unknown(); int main(int c, char **v) { int n = atoi(v[1]); float *a; size_t p; cudaMallocPitch(&a, &p, n * 4, 9); unknown(); cudaGetDevice(&n); unknown(); kf<<<1, 1>>>(a, 0, p / 4); }`, []string{"{buffer: a}", "- p / 4", "4 * n <= p"}, []string{"p.2"}},
		{"a parameter that a function changes is its own", `static void f(int n, int &m) { n = 3; m = 4; } int main(int c, char **v) { int n = 5, m = 6; for (int i = 0; i < 2; i++) f(7, m); k<<<n, m>>>(0, 1); }`, []string{"grid: [5, 1, 1]", "block: [m, 1, 1]"}, nil},
		{"a function changes what an array holds", `static void f(int *p) { p[0] = 9; } int main() { int a[2] = {1, 2}; f(a); k<<<a[0], 1>>>(0, 1); }`, nil, []string{"grid: [1"}},
		{"a function of the system changes what an array holds", `int main(int c, char **v) { int a[2] = {1, 2}; memcpy((void *)a, v[1], 8); k<<<a[0], 1>>>(0, 1); }`, nil, []string{"grid: [1"}},
		{"a function of the system that gets an address", `int main(int c, char **v) { int n = 3, m = 4; fscanf(0, "%d", &n); bzero(v[1], m); k<<<n, m>>>(0, 1); }`, []string{"grid: [n, 1, 1]", "block: [4, 1, 1]"}, nil},
		{"a function in a loop changes what an array holds", `static void f(int *p) { p[0] = 9; } int main() { int a[2] = {1, 2}; for (int i = 0; i < 2; i++) { k<<<a[0], 1>>>(0, 1); f(a); } }`, nil, []string{"grid: [1"}},
		{"a function that keeps a pointer by value", `static void f(int *p) { p = 0; } int main() { int *a; cudaMalloc(&a, 8); for (int i = 0; i < 2; i++) { k<<<1, 1>>>(a, 1); f(a); } }`, []string{"{buffer: a}"}, nil},
		{"a copy in a loop ends what memset did", `int main() { int *a; cudaMalloc(&a, 64); cudaMemset(a, 0, 64); for (int i = 0; i < 9; i++) { cudaMemcpy(a, h, 64, cudaMemcpyHostToDevice); } k<<<1, 1>>>(a, 1); }`, []string{"{buffer: a}"}, []string{"init"}},
		{"a pitch", `int main(int c, char **v) { int w = atoi(v[1]); float *a; size_t p; cudaMallocPitch(&a, &p, w * 4, 9); kf<<<1, 1>>>(a, 0, p / 4); }`, []string{"that: 4 * w <= p, class: sizes", "- p / 4", "size: 9 * p"}, nil},
		{"an error macro", "#define OK(x) do { int e = (x); if (e != cudaSuccess) { printf(\"%d\", e); exit(1); } } while (0)\nint main() { int *a; OK(cudaMalloc(&a, 64)); k<<<1, 1>>>(a, 1); }", []string{"{buffer: a}", "a: {size: 64"}, nil},
		{"a struct by value", `struct D { int rows, cols; long n; float *p; }; __global__ void kd(D d) {} int main(int c, char **v) { D d = {atoi(v[1]), 3}; cudaMalloc(&d.p, 8); d.n = d.rows; kd<<<1, 1>>>(d); }`, []string{"{fields: {0: {s32: rows}, 4: {s32: 3}, 8: {s64: rows}, 16: {buffer: d.16}}}"}, nil},
		{"template arguments", `template <int B, bool C> __global__ void kt(int *p, int n) {} template <int B> void run(int n) { kt<B, true><<<n, B>>>(0, n); } int main(int c, char **v) { int n = atoi(v[1]); run<256>(n); run<64>(n); }`, []string{"kernel: _Z2ktILi256ELb1EEvPii", "kernel: _Z2ktILi64ELb1EEvPii", "block: [64, 1, 1]"}, nil},
		{"references and pointers to variables", `void get(int &a, int *b) { a = 5; *b = 6; } int main() { int a, b; get(a, &b); k<<<a, b>>>(0, 1); }`, []string{"grid: [5, 1, 1]", "block: [6, 1, 1]"}, nil},
		{"an unknown function may change what it gets", `void change(int &); int main() { int a = 5; change(a); k<<<a, 1>>>(0, 1); }`, []string{"grid: [a, 1, 1]"}, []string{"grid: [5"}},
		{"input streams", "#include <iostream>\n#line 2 \"a.cu\"\n" + `int main() { int n = 3; std::cin >> n; k<<<n, 1>>>(0, 1); }`, []string{"grid: [n, 1, 1]"}, nil},
		{"the same input is the same value", `int main(int c, char **v) { if (atoi(v[1]) % 16) return 1; int n = atoi(v[1]); k<<<n / 16, 16>>>(0, 1); }`, []string{"% 16 == 0, class: path"}, nil},
		{"the launch function", `int main() { int n = 5; int *a; cudaMalloc(&a, 20); void *args[] = {&a, &n}; cudaLaunchKernel((void *)k, dim3(3), dim3(4), args, 0, 0); }`, []string{"kernel: k", "grid: [3, 1, 1]", "block: [4, 1, 1]", "- 5", "{buffer: a}"}, nil},
		{"shared memory", `int main() { k<<<1, 64, 64 * sizeof(int), 0>>>(0, 1); }`, []string{"shared: 256"}, nil},
		{"unsigned arithmetic wraps around", `int main(int c, char **v) { unsigned n = atoi(v[1]); k<<<(n + 255u) / 256u, 256>>>(0, n); }`, []string{"u32("}, nil},
		{"a global constant", `const int N = 1 << 10; int main() { k<<<N / 32, 32>>>(0, N); }`, []string{"grid: [32, 1, 1]", "- 1024"}, nil},
		{"an enumeration", `enum { A = 3, B }; int main() { k<<<A, B>>>(0, 1); }`, []string{"grid: [3, 1, 1]", "block: [4, 1, 1]"}, nil},
		{"a lambda", `int main() { auto f = [&](int n) { k<<<n, 1>>>(0, n); }; f(3); }`, []string{"kernel: k", "site: a.cu:2:36", "grid: [3, 1, 1]", "- 3"}, []string{"followed: false"}},
		{"a function whose address is used", `void call(void (*)(int)); static void f(int n) { k<<<n, 1>>>(0, n); } int main() { f(3); call(f); }`, []string{"grid: [3, 1, 1]", "grid: [n, 1, 1]"}, nil},
		{"a library", `void f(int n) { k<<<n, 1>>>(0, n); } void g() { f(3); }`, []string{"grid: [3, 1, 1]", "grid: [n, 1, 1]"}, nil},
		{"a static function of a library", `static void f(int n) { k<<<n, 1>>>(0, n); } void g() { f(3); }`, []string{"grid: [3, 1, 1]"}, []string{"grid: [n"}},
		{"recursion", `static void f(int n) { k<<<n, 1>>>(0, n); if (n) f(n - 1); } int main() { f(3); }`, []string{"kernel: k"}, []string{"grid"}},
		{"namespaces", `namespace a { namespace b { __global__ void k(int *p, int n) {} } } int main() { a::b::k<<<1, 2>>>(0, 1); }`, []string{"kernel: _ZN1a1b1kEPii", "block: [2, 1, 1]", "site: a.cu:2:82"}, nil},
		{"goto", `int main() { int n = 1; again: n = n + 1; k<<<n, 1>>>(0, 1); goto again; }`, nil, []string{"grid: [2"}},
	} {
		if testing.Short() && len(c.name)%4 != 0 {
			continue
		}
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

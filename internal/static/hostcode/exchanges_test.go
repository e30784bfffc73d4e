// Pointers that change places: for each launch, the allocations to which its arguments lead.

package hostcode_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostcode"
)

const exchangesHead = `#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>
__global__ void k(int *in, int *out) {}
template <class T> struct Buffer {
	T *p;
	explicit Buffer(size_t n) : p(nullptr) { if (cudaMalloc(&p, n * sizeof(T)) != cudaSuccess) exit(1); }
	~Buffer() { if (p) cudaFree(p); }
	Buffer(Buffer &&o) noexcept : p(o.p) { o.p = nullptr; }
	Buffer &operator=(Buffer &&o) noexcept { if (this != &o) { if (p) cudaFree(p); p = o.p; o.p = nullptr; } return *this; }
	operator T *() { return p; }
};
struct Arena {
	char *base;
	size_t used = 0;
	template <class T> T *get(size_t n) { T *p = (T *)(base + used); used += n * sizeof(T); return p; }
};
struct Field { int *data; int n; };
struct Freed { void operator()(int *p) const { cudaFree(p); } };
static std::unique_ptr<int, Freed> owned(int n) { int *p; cudaMalloc(&p, n); return std::unique_ptr<int, Freed>(p); }
static void flip(int **x, int **y) { int *t = *x; *x = *y; *y = t; }
void keep(int **);
int other(int);
int main(int argc, char **argv) {
	int n = atoi(argv[1]);
	int *a, *b;
	cudaMalloc(&a, 4); cudaMalloc(&b, 8);
	`

// TestExchanges has a case for each way in which pointers change places. Each launch is its arguments; ? is an unknown
// one, and ! follows one that need not occur.
func TestExchanges(t *testing.T) {
	needsClang(t)
	for _, c := range []struct{ name, body, want string }{
		{"a swap", "for (int i = 0; i < n; i++) { k<<<1, 1>>>(a, b); std::swap(a, b); }", "a b, b a"},
		{"a swap in a nested loop", "for (int i = 0; i < n; i++) { for (int j = 0; j < i; j++) flip(&a, &b); k<<<1, 1>>>(a, b); }", "a! b!, b! a!"},
		{"a swap until something is reached", "double e = 1; while (e > 1e-3) { k<<<1, 1>>>(a, b); e = other(n); std::swap(a, b); }", "a b, b a"},
		{"a swap under a condition", "for (int i = 0; i < n; i++) { k<<<1, 1>>>(a, b); if (other(i)) std::swap(a, b); }", "a b, b! a!"},
		{"an assignment", "for (int i = 0; i < n; i++) { k<<<1, 1>>>(a, b); a = b; }", "a b, b b"},
		{"an assignment under a condition", "for (int i = 0; i < n; i++) { k<<<1, 1>>>(a, b); if (other(i)) a = b; }", "a b, b! b"},
		{"after the loop", "for (int i = 0; i < n; i++) std::swap(a, b); k<<<1, 1>>>(a, b);", "a! b!, b! a!"},
		{"another function has the address", "keep(&a); for (int i = 0; i < n; i++) { k<<<1, 1>>>(a, b); other(1); std::swap(a, b); }", "? ?"},
		{"memory of an earlier iteration", "int *last = a; for (int i = 0; i < n; i++) { int *p; cudaMalloc(&p, 4); k<<<1, 1>>>(p, last); last = p; }", "p ?"},
		{"an array", "int *x[2] = {a, b}; for (int i = 0; i < n; i++) k<<<1, 1>>>(x[i % 2], x[(i + 1) % 2]);", "a b, b a"},
		{"an array by an unsigned number", "int *x[2] = {a, b}; for (unsigned i = 0; other(i); i++) k<<<1, 1>>>(x[i % 2], x[(i + 1) % 2]);", "a! b!, b! a!"},
		{"the same element", "int *x[2] = {a, b}; for (int i = 0; i < n; i++) k<<<1, 1>>>(x[i % 2], x[(i + 2) % 2]);", "a a, b b"},
		{"an index", "int *x[2] = {a, b}, now = 0; for (int i = 0; i < n; i++) { k<<<1, 1>>>(x[now], x[1 - now]); now = 1 - now; }", "a b, b a"},
		{"two indices", "int *x[2] = {a, b}, p = 0, q = 1; for (int i = 0; i < n; i++) { k<<<1, 1>>>(x[p], x[q]); std::swap(p, q); }", "a b, b a"},
		{"an index that stays", "int *x[2] = {a, b}, p = 0, q = 1; for (int i = 0; i < n; i++) { k<<<1, 1>>>(x[p], x[q]); p ^= 1; }", "a b, b b"},
		{"an element that changes", "int *x[2] = {a, a}; x[n & 1] = b; k<<<1, 1>>>(x[0], x[1]);", "b a, a b"},
		{"an array that a loop fills", "int *x[3]; for (int i = 0; i < 3; i++) cudaMalloc(&x[i], 4); k<<<1, 1>>>(x[2], x[0]);", "x.16 x"},
		{"an array that a loop fills, or the program ends", "int *x[3]; for (int i = 0; i < 3; i++) if (cudaMalloc(&x[i], 4) != cudaSuccess) return 1; k<<<1, 1>>>(x[2], x[0]);", "x.16 x"},
		{"an array that a loop may not fill", "int *x[3] = {a, a, a}; for (int i = 0; i < 3; i++) if (other(i) || cudaMalloc(&x[i], 4) != cudaSuccess) break; k<<<1, 1>>>(x[2], x[0]);", "? ?"},
		{"an array of unknown length", "std::vector<int *> x(n); for (int i = 0; i < n; i++) cudaMalloc(&x[i], 4); k<<<1, 1>>>(x[1], x[0]);", "? ?"},
		{"a vector", "std::vector<int *> v; for (int i = 0; i < 2; i++) { int *p; cudaMalloc(&p, 4); v.push_back(p); } k<<<1, 1>>>(v[1], v[0]);", "p.2 p"},
		{"a vector of one pointer", "std::vector<int *> v; for (int i = 0; i < 2; i++) v.push_back(b); k<<<1, 1>>>(v[1], v[0]);", "b b"},
		{"owners", "Buffer<int> x(4), y(8); for (int i = 0; i < n; i++) { k<<<1, 1>>>(x, y); std::swap(x, y); }", "x.0 y.0, y.0 x.0"},
		{"a vector of owners", "std::vector<Buffer<int>> v; v.emplace_back(4); v.emplace_back(8); k<<<1, 1>>>(v[0], v[1]);", "v v.2"},
		{"unique_ptr", "auto x = owned(4), y = owned(8); for (int i = 0; i < n; i++) { k<<<1, 1>>>(x.get(), y.get()); std::swap(x, y); }", "p p.2, p.2 p"},
		{"structs", "Field x{a, 1}, y{b, 2}; for (int i = 0; i < n; i++) { k<<<1, 1>>>(x.data, y.data); std::swap(x, y); }", "a b, b a"},
		{"pointers to structs", "Field x{a, 1}, y{b, 2}, *p = &x, *q = &y; for (int i = 0; i < n; i++) { k<<<1, 1>>>(p->data, q->data); std::swap(p, q); }", "a b, b a"},
		{"a member behind such a pointer", "Field x{a, 1}, y{b, 2}, *p = n > 1 ? &x : &y; p->data = b; k<<<1, 1>>>(x.data, y.data);", "b b, a b"},
		{"a branch", "int *p = n > 3 ? a : b, *q = n > 3 ? b : a; k<<<1, 1>>>(p, q);", "a b, b a"},
		{"two branches", "int *p = n > 3 ? a : b, *q = n > 4 ? b : a; k<<<1, 1>>>(p, q);", "a b, a a, b b, b a"},
		{"a pointer that may be null", "int *p = nullptr; if (n > 3) p = a; if (p) k<<<1, 1>>>(p, b);", "a b"},
		{"halves that change places", "int *p = a, *q = a + n; for (int i = 0; i < n; i++) { k<<<1, 1>>>(p, q); flip(&p, &q); }", "a a+4*n, a+4*n a"},
		{"a pointer that moves on", "int *p = b; for (int i = 0; i < n; i++) { k<<<1, 1>>>(a, p); p += n; }", "a b+p.at"},
		{"a pointer that moves to another object", "int *p = b; for (int i = 0; i < n; i++) { k<<<1, 1>>>(a, p); p = i == 9 ? a : p + i; }", "a ?"},
		{"two pointers that move on and change places", "int *p = b, *q = b + n; for (int i = 0; i < n; i++) { k<<<1, 1>>>(p, q); int *t = p; p = q; q = t + 2 * n; }", "b+p.at b+q.at"},
		{"an arena", "Arena m{(char *)b}; int *p = m.get<int>(n), *q = m.get<int>(n); k<<<1, 1>>>(p, q);", "b b+4*n"},
		{"a pointer as a number", "long p = (long)a; int *q = (int *)p; k<<<1, 1>>>(q, b);", "a b"},
	} {
		if testing.Short() && len(c.name)%4 != 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "a.cu")
			if err := os.WriteFile(name, []byte(exchangesHead+c.body+"\n}\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			list, err := hostcode.Load(t.Context(), []string{name}, hostcode.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := argumentsOf(facts.Join(list)); got != c.want {
				t.Errorf("%s, want %s, of\n%s", got, c.want, c.body)
			}
		})
	}
}

// argumentsOf returns the arguments of launches, the same ones once.
func argumentsOf(f *facts.File) string {
	var launches []string
	for _, l := range f.Launches {
		args := make([]string, len(l.Args))
		for j, a := range l.Args {
			switch args[j] = a.Buffer; {
			case a.Buffer == "" || a.Offset == nil:
				args[j] += "?"
			case a.Offset.String() != "0":
				args[j] += "+" + strings.ReplaceAll(a.Offset.String(), " ", "")
			}
			if a.Lost {
				args[j] += "!"
			}
		}
		if text := strings.Join(args, " "); !slices.Contains(launches, text) {
			launches = append(launches, text)
		}
	}
	return strings.Join(launches, ", ")
}

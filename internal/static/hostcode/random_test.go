// Random host programs: what facts say of their launches is what happens when they are executed.

package hostcode_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostcode"
	"github.com/ptxsan/ptxsan/internal/static/hostir"
	"github.com/ptxsan/ptxsan/internal/static/solve"
)

var (
	randomPrograms = flag.Int("programs", 12, "random host programs of TestRandomPrograms")
	firstProgram   = flag.Uint64("first-program", 1, "the seed of the first of them")
	executeWith    = flag.String("execute-with", "", "the ptxsan whose exec runs them, built by nvcc, instead of a runtime that only prints launches")
)

// way changes a variable: code before main, and a statement in it. @V is the variable, an int; @I a number of its own;
// @K a value.
type way struct{ before, statement string }

// ways are the ways in which host code changes a variable.
var ways = []way{
	{"", "@V = @K;"},
	{"", "@V += @K;"},
	{"", "@V -= @K;"},
	{"", "@V ^= @K;"},
	{"", "@V++; ++@V;"},
	{"", "@V = @V * 2 + 1; @V /= 3;"},
	{"", "@V = (int)((unsigned)@V >> 1);"},
	{"", "{ int *p = &@V; *p = @K; }"},
	{"", "{ int *p = &@V; (*p)++; }"},
	{"", "{ int a[2] = {1, 2}; int *p = a; *(p + 1) = @K; @V = a[1]; }"},
	{"", "{ int a[2] = {1, 2}; int *p = a; *p++ = @K; *p = @V; @V = a[0] + a[1]; }"},
	{"", "{ int a[3] = {1, 2, 3}; int *p = a + 2; p[-1] = @K; @V = a[1]; }"},
	{"", "{ int other = 5, *p = opaque(1) ? &@V : &other; *p = @K; }"},
	{"", "{ int other = 5; (opaque(1) ? @V : other) = @K; }"},
	{"", "{ int other = 5, &r = opaque(0) ? other : @V; r = @K; }"},
	{"", "{ ((char *)&@V)[0] = @K; }"},
	{"", "{ char *p = (char *)&@V; for (int i = 0; i < 4; i++) p[i] = 0; }"},
	{"", "{ long where = (long)&@V; *(int *)where = @K; }"},
	{"", "{ int *list[2] = {0, &@V}; *list[opaque(1)] = @K; }"},
	{"", "{ int *p = &@V, **q = &p; **q = @K; }"},
	{"", "{ union { int i; float f; } u; u.i = @K; u.f = 1.0f; @V = u.i; }"},
	{"", "{ struct { unsigned a : 3, b : 5; } s = {1, 2}; s.b = @K; @V = s.b; }"},
	{"static void set@I(int &r) { r = @K; }\n", "set@I(@V);"},
	{"static void set@I(int *p) { *p = @K; }\n", "set@I(&@V);"},
	{"static int &ref@I(int &r) { return r; }\n", "ref@I(@V) = @K;"},
	{"static int next@I() { static int n = 0; return n += @K; }\n", "next@I(); @V = next@I();"},
	{"template <typename T> static void set@I(T &r) { r = @K; }\ntemplate <> void set@I<int>(int &r) { r = 32; }\n", "set@I(@V);"},
	{"static int over@I(char) { return 1; }\nstatic int over@I(int) { return @K; }\n", "@V = over@I(@V);"},
	{"namespace { int hidden@I() { return @K; } }\n", "@V = hidden@I();"},
	{"namespace foo@I { static int get@I() { return @K; } }\nstatic int get@I() { return 1; }\n", "@V = foo@I::get@I();"},
	{"struct R@I { int &r; R@I(int &v) : r(v) {} ~R@I() { r = @K; } };\n", "{ R@I guard(@V); }"},
	{"struct R@I { int &r; void set() { r = @K; } };\n", "{ R@I s{@V}; s.set(); }"},
	{"struct B@I { virtual int n() { return 1; } };\nstruct D@I : B@I { int n() override { return @K; } };\n", "{ D@I d; B@I *b = opaque(1) ? &d : nullptr; @V = b->n(); }"},
	{"struct B@I { virtual void n(int &r) { r = 1; } };\nstruct D@I : B@I { void n(int &r) override { r = @K; } };\n", "{ D@I d; B@I &b = d; b.n(@V); }"},
	{"struct C@I { int v = 3; operator int() const { return @K; } };\n", "{ C@I c; @V = c; }"},
	{"struct C@I { int v; C@I &operator=(int n) { v = n + 1; return *this; } };\n", "{ C@I c; c = @K; @V = c.v; }"},
	{"struct C@I { int *p; void operator()(int n) { *p = n; } };\n", "{ C@I c{&@V}; c(@K); }"},
	{"", "[&] { @V = @K; }();"},
	{"", "{ auto f = [&v_ = @V](int n) { v_ = n; }; f(@K); }"},
	{"", "{ auto f = [p = &@V](int n) mutable { *p = n; }; f(@K); }"},
	{"template <typename F> static void call@I(F f) { f(); f(); }\n", "call@I([&] { @V += @K; });"},
	{"static void called@I(int *p) { *p = @K; }\n", "{ void (*f)(int *) = opaque(1) ? called@I : nullptr; f(&@V); }"},
	{"static int init@I() { return @K; }\nint global@I = init@I();\n", "@V = global@I;"},
	{"int global@I = 1;\nstruct S@I { S@I() { global@I = @K; } } object@I;\n", "@V = global@I;"},
	{"static int global@I = 1;\n__attribute__((constructor)) static void before@I() { global@I = @K; }\n", "@V = global@I;"},
	{"static int global@I = 1;\nstatic int *pointer@I = &global@I;\n", "{ *pointer@I = @K; @V = global@I; }"},
	{"static int global@I = 1;\nstatic void raise@I() { global@I += @K; }\n", "raise@I(); @V = global@I;"},
	{"static int global@I = 1;\nstatic int *where@I() { return &global@I; }\n", "*where@I() = @K; @V = global@I;"},
	{"static thread_local int global@I = @K;\n", "@V = global@I;"},
	{"", "{ __atomic_store_n(&@V, @K, __ATOMIC_SEQ_CST); }"},
	{"", "{ __atomic_fetch_add(&@V, @K, __ATOMIC_RELAXED); }"},
	{"", "{ int was = @V; __atomic_compare_exchange_n(&@V, &was, @K, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); }"},
	{"", "{ volatile int *p = &@V; *p = @K; }"},
	{"", "__asm__ volatile(\"movl $64, %0\" : \"=m\"(@V));"},
	{"", "{ int v = @K; __asm__ volatile(\"\" : \"+r\"(v)); @V = v; }"},
	{"", "{ int *q = &@V; __asm__ volatile(\"movl $64, (%0)\" : : \"r\"(q) : \"memory\"); }"},
	{"", "change(&@V);"},
	{"", "{ keep(&@V); change_kept(); }"},
	{"", "{ keep(&@V); @V = 1; change_kept(); }"},
	{"", "{ int v = @K; __builtin_memcpy(&@V, &v, 4); }"},
	{"", "{ __builtin_memset(&@V, 0, opaque(4)); }"},
	{"", "{ int *q; cudaMalloc(&q, 4); set<<<1, 1>>>(q); cudaMemcpy(&@V, q, 4, cudaMemcpyDeviceToHost); }"},
	{"", "{ int *q; cudaMalloc(&q, 4); set<<<1, 1>>>(q); cudaMemcpyAsync(&@V, q, 4, cudaMemcpyDeviceToHost, 0); cudaDeviceSynchronize(); }"},
	{"", "{ int *q; cudaMalloc(&q, 4); set<<<1, 1>>>(q); cudaMemcpyAsync(&@V, q, 4, cudaMemcpyDeviceToHost, 0); @V = 1; cudaStreamSynchronize(0); }"},
	{"", "{ int *q; cudaMalloc(&q, 4); set<<<1, 1>>>(q); cudaMemcpy2D(&@V, 4, q, 4, 4, 1, cudaMemcpyDeviceToHost); }"},
	{"", "{ struct { int a, n; } c = {1, 2}; int *q; cudaMalloc(&q, 8); set<<<1, 1>>>(q); cudaMemcpy(&c, q, 8, cudaMemcpyDeviceToHost); @V = c.a; }"},
	{"#define CHECK@I(x) do { if ((x) != cudaSuccess) return 1; } while (0)\n", "{ int *q; CHECK@I(cudaMalloc(&q, 4)); set<<<1, 1>>>(q); CHECK@I(cudaMemcpy(&@V, q, 4, cudaMemcpyDeviceToHost)); }"},
	{"static int read@I(const int *q) { int v; cudaMemcpy(&v, q, 4, cudaMemcpyDeviceToHost); return v; }\n", "{ int *q; cudaMalloc(&q, 4); set<<<1, 1>>>(q); @V = read@I(q); }"},
	{"", "{ int *h; cudaMallocHost(&h, 4); *h = @K; set<<<1, 1>>>(h); cudaDeviceSynchronize(); @V = *h; }"},
	{"", "{ int *d; cudaHostRegister(&@V, 4, 0); cudaHostGetDevicePointer((void **)&d, &@V, 0); @V = 1; set<<<1, 1>>>(d); cudaDeviceSynchronize(); }"},
	{"", "{ set<<<1, 1>>>(&@V); cudaDeviceSynchronize(); }"},
	{"static void later@I(void *p) { *(int *)p = @K; }\n", "{ cudaLaunchHostFunc(0, later@I, &@V); @V = 1; cudaDeviceSynchronize(); }"},
	{"static int global@I = 1;\nstatic void later@I(void *) { global@I = @K; }\n", "{ cudaLaunchHostFunc(0, later@I, nullptr); global@I = 2; cudaDeviceSynchronize(); @V = global@I; }"},
	{"", "for (int i = 0; i < opaque(3); i++) @V += i;"},
	{"", "{ int i = 0; do { @V = i; i += 2; } while (i < 7); }"},
	{"", "{ int a = 1, b = @K; for (int i = 0; i < 3; i++) { int t = a; a = b; b = t; } @V = a; }"},
	{"", "{ int a = 1, b = @K, *p = &a, *q = &b; for (int i = 0; i < opaque(3); i++) { int *t = p; p = q; q = t; } *p = 7; @V = a + b; }"},
	{"", "switch (opaque(@K)) { case 0: @V = 1; break; case 64: @V = @K; default: @V++; }"},
	{"", "{ int n = 3; again@I: @V = n; if (n-- > opaque(1)) goto again@I; }"},
	{"", "if (opaque(0)) @V = 5; else if (opaque(1)) @V = @K;"},
	{"", "@V = opaque(1) && (@V = @K) ? @V : 3;"},
	{"", "@V = (@V = @K, @V + 1);"},
	{"static int count@I(int n) { return n < 1 ? 0 : 1 + count@I(n - 1); }\n", "@V = count@I(5);"},
	{"static void deep@I(int n, int &r) { if (n) deep@I(n - 1, r); else r = @K; }\n", "deep@I(3, @V);"},
	{"enum E@I { A@I = 3, B@I };\n", "@V = B@I;"},
	{"static constexpr int table@I[4] = {1, @K, 2, 3};\n", "@V = table@I[opaque(1)];"},
	{"static int table@I[4] = {1, 2, 3, 4};\n", "table@I[opaque(2)] = @K; @V = table@I[2];"},
	{"struct P@I { int x, y; };\nstatic P@I make@I(int n) { P@I p = {n, n + 1}; return p; }\n", "@V = make@I(@K).y;"},
	{"struct P@I { int x[9]; };\nstatic void byval@I(P@I p) { p.x[0] = 9; }\n", "{ P@I p = {{@K}}; byval@I(p); @V = p.x[0]; }"},
	{"struct N@I { N@I *next; int v; };\n", "{ N@I a = {0, 1}, b = {&a, 2}; b.next->v = @K; @V = a.v; }"},
	{"", "{ int *p = new int(1); int *q = p; *q = @K; @V = *p; delete p; }"},
	{"", "{ int *p = (int *)__builtin_malloc(8); p[0] = 1; p[1] = 2; p[opaque(0)] = @K; @V = p[0]; }"},
	{"", "{ unsigned long big = ~0ul; big += 3; @V = (int)big; }"},
	{"", "{ unsigned char c = 250; c += 10; @V = c; }"},
	{"", "{ short s = 32767; s = (short)(s + 1); @V = s; }"},
	{"", "{ float f = 2.5f; @V = (int)(f * 2); }"},
	{"struct S@I { char c; double d; };\n", "@V = sizeof(S@I);"},
	{"", "{ int *p = &@V; p += opaque(0); *p = @K; }"},
	{"", "{ int (*m)[2] = new int[2][2]; m[1][0] = 1; m[opaque(1)][0] = @K; @V = m[1][0]; }"},
	{"struct M@I { int a, b; };\n", "{ int M@I::*m = opaque(1) ? &M@I::b : &M@I::a; M@I s = {1, 2}; s.*m = @K; @V = s.b; }"},
	{"", "try { if (opaque(1)) throw 3; @V = 5; } catch (int e) { @V = @K; }"},
	{"static void throw@I(int &r) { r = @K; if (opaque(1)) throw 1; r = 7; }\n", "try { throw@I(@V); } catch (...) { }"},
	{"struct U@I { int &r; ~U@I() { r = @K; } };\nstatic void throw@I() { throw 1; }\n", "try { U@I u{@V}; throw@I(); } catch (int e) { @V += e; }"},
	{"#include <setjmp.h>\nstatic jmp_buf jump@I;\n", "{ if (!setjmp(jump@I)) { @V = 3; longjmp(jump@I, 1); } else @V += @K; }"},
	{"#include <thread>\n", "{ std::thread t([&] { @V = @K; }); t.join(); }"},
	{"#include <mutex>\n", "{ std::once_flag once; std::call_once(once, [&] { @V = @K; }); }"},
	{"#include <functional>\n", "{ std::function<void(int)> f = [&](int n) { @V = n; }; f(@K); }"},
	{"#include <vector>\n", "{ std::vector<int> list(3, @K); list[opaque(1)]++; @V = list[1]; }"},
	{"#include <vector>\n", "{ std::vector<int *> list; list.push_back(&@V); *list[0] = @K; }"},
	{"#include <algorithm>\n", "{ int a[3] = {3, @K, 1}; std::sort(a, a + 3); @V = a[0]; }"},
	{"#include <algorithm>\n", "{ int a[2] = {1, 2}; std::for_each(a, a + 2, [&](int n) { @V = n + @K; }); }"},
	{"#include <algorithm>\n", "{ int other = @K; std::swap(@V, other); }"},
	{"#include <algorithm>\n", "{ int other = @K; const int &most = std::max(@V, other); other = 99; @V = most; }"},
	{"#include <tuple>\n", "{ int other; std::tie(other, @V) = std::make_pair(1, @K); }"},
	{"#include <memory>\n", "{ auto p = std::make_shared<int>(1), q = p; *q = @K; @V = *p; }"},
	{"#include <map>\n", "{ std::map<int, int> m; m[3] = @K; m[2] = 1; @V = m[3]; }"},
	{"#include <sstream>\n", "{ std::istringstream in(\"64\"); in >> @V; }"},
	{"#include <cstdlib>\nstatic int order@I(const void *a, const void *b) { return *(int *)a - *(int *)b; }\n", "{ int a[2] = {9, @K}; qsort(a, 2, sizeof(int), order@I); @V = a[0]; }"},
	{"#include <cstdio>\n", "sscanf(\"64\", \"%d\", &@V);"},
	{"#include <cstdlib>\n", "{ char text[4] = \"1\"; int a = atoi(text); text[0] = '6'; @V = atoi(text) + a; }"},
	{"static int arg@I(int *p, int v) { *p = @K; return v; }\n", "@V = arg@I(&@V, @V);"},
	{"", "{ int m = 1; while (m < opaque(@K)) m *= 2; @V = m; }"},
	{"", "{ int m = 3; while (m < opaque(@K)) m *= 4; @V = m - 1; }"},
	{"", "{ unsigned m = 1; do m <<= 1; while (m < (unsigned)opaque(@K)); @V = m; }"},
	{"", "{ int m = opaque(@K), n = 0; while (m >>= 1) n++; @V = n; }"},
	{"", "{ int m = opaque(@K) - 33, n = 2; while (m / 2 != 0) { m /= 2; n += 3; } @V = m * 8 + n; }"},
	{"", "{ int n = 0; while ((1 << n) < opaque(@K)) n++; @V = 1 << n; }"},
	{"", "for (int d = 1; d < opaque(@K); d *= 2) k<<<(d & 3) + 1, 32>>>(nullptr, d - 1);"},
	{"", "for (int s = opaque(@K) / 2; s > 0; s >>= 1) k<<<(s & 3) + 1, 32>>>(nullptr, s);"},
	{"", "for (int i = opaque(@K); i-- > 3;) { if (i % 5 == 2) continue; k<<<(i & 3) + 1, 32>>>(nullptr, i); }"},
	{"", "for (int i = 0, d = 1, b = 7; i < opaque(@K) / 6; i++, d *= 2, b -= 2) k<<<i + 1, 32>>>(nullptr, d + b);"},
	{"", "{ int t = opaque(@K) / 8 + 1; for (int i = 0; i < opaque(@K); i += t) { @V = i; k<<<(i & 3) + 1, 32>>>(nullptr, t); } }"},
	{"", "{ int t = opaque(@K) - 20; for (int i = 0; i < 9; i += t > 0 ? t : -t) @V += i; }"},
	{"", "{ unsigned i; for (i = 2; i < (unsigned)opaque(@K); i += 7) @V ^= i; @V += i; }"},
	{"", "{ unsigned i = opaque(@K); while (i > 2) i -= 2; @V = i; }"},
	{"", "{ int i, n = opaque(@K); for (i = 0; i != n; i++) if (i == opaque(17)) break; @V = i; }"},
	{"", "{ int i; for (i = 1; i * i < opaque(@K); i++) { } @V = i; }"},
	{"", "{ int n = opaque(@K), m = 1; for (;;) { if (m >= n || m > 16) break; m += m; } @V = m; }"},
	{"", "{ unsigned char c = 1; int n = 0; while (c) { c <<= 1; n++; } @V = n + c; }"},
	{"", "{ short s = 96; for (int i = 0; i < opaque(@K); i++) s /= 2; @V = s; }"},
	{"", "{ int a = 1, n = 0; for (int i = 0; i < opaque(3); i++) for (int j = i; j < opaque(@K); j += 9) { a *= 2; n++; } @V = n; }"},
	{"#include <algorithm>\n", "@V = std::min(opaque(@K), 33) + std::max(@V, opaque(5));"},
	{"", "{ int n = opaque(@K); @V = n > 24 ? 24 : n; if (n % 2) @V = -n; }"},
	{"static const int sizes@I[] = {32, 8, 64, @K};\n", "for (int i = 0; i < 4; i++) k<<<(i & 3) + 1, 32>>>(nullptr, sizes@I[i]);"},
	{"static const int sizes@I[4] = {32, 8, 64, @K};\n", "@V = sizes@I[opaque(@K) % 4];"},
	{"", "{ int sizes[] = {4, @K, 6, 7}; sizes[opaque(2)] = 9; for (int s : sizes) k<<<(s & 3) + 1, 32>>>(nullptr, s); @V = sizes[opaque(1)]; }"},
}

// places are the variables that programs change: declarations before main and in it, and the name.
var places = []way{
	{"", "int place = 1;|place"},
	{"int place = 1;\n", "|place"},
	{"static int place = 1;\n", "|place"},
	{"struct Place { int a, n; };\n", "Place place = {2, 1};|place.n"},
	{"", "int place[3] = {1, 1, 1};|place[1]"},
	{"", "int target = 1; int &place = target;|place"},
	{"", "int target = 1; int *place = &target;|(*place)"},
	{"struct Place { int n; };\nstatic Place place = {1};\n", "|place.n"},
	{"", "int *place = new int(1);|(*place)"},
}

// within puts a statement into a context: a condition, a loop, a lambda, a function that other code could end by an
// exception.
func within(r *rand.Rand, statement string) string {
	switch r.IntN(9) {
	case 0:
		return "if (opaque(1)) " + statement
	case 1:
		return "if (argc > 5) " + statement
	case 2:
		return "for (int r = 0; r < 2; r++) { " + statement + " }"
	case 3:
		return "for (int r = 0; r < opaque(2); r++) { " + statement + " }"
	case 4:
		return "while (opaque(1)) { " + statement + " break; }"
	case 5:
		return "[&] { " + statement + " return 0; }();"
	}
	return statement
}

// program makes a random program. It prints its launches of k when it is executed.
func program(r *rand.Rand) string {
	place := places[r.IntN(len(places))]
	declared, name, _ := strings.Cut(place.statement, "|")
	before := "extern \"C\" int printf(const char *, ...);\n__global__ void k(int *p, int n) { if (!blockIdx.x && !threadIdx.x) printf(\"%d %d %d\\n\", gridDim.x, blockDim.x, n); }\n" +
		"__global__ void set(int *p) { *p = 64; }\nextern \"C\" { void keep(int *); void change_kept(); void change(int *); int opaque(int); }\n" + place.before
	var body strings.Builder
	for i := range 1 + r.IntN(4) {
		w := ways[r.IntN(len(ways))]
		own := strings.NewReplacer("@V", name, "@I", fmt.Sprint(i), "@K", fmt.Sprint([]int{0, 1, 2, 31, 64}[r.IntN(5)]))
		before += own.Replace(w.before)
		fmt.Fprintf(&body, "\t%s\n\tk<<<(%s & 3) + 1, 32>>>(nullptr, %s);\n", within(r, own.Replace(w.statement)), name, name)
	}
	return before + "int main(int argc, char **argv) {\n\t" + declared + "\n" + body.String() + "\treturn 0;\n}\n"
}

// nativeRuntime returns a folder with a runtime that prints launches, and functions of another file.
func nativeRuntime(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, name := range []string{"runtime", "others"} {
		if out, err := exec.Command("clang-19", "-w", "-c", "-o", filepath.Join(dir, name+".o"), "testdata/native/"+name+".c").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return dir
}

// TestRandomPrograms executes random programs with a runtime that prints their launches. No fact may say otherwise.
func TestRandomPrograms(t *testing.T) {
	needsClang(t)
	dir := nativeRuntime(t)
	launches, constants := 0, 0
	for seed := *firstProgram; seed < *firstProgram+uint64(*randomPrograms); seed++ {
		src := program(rand.New(rand.NewPCG(seed, 0)))
		name := filepath.Join(dir, "a.cu")
		if err := os.WriteFile(name, []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
		ir, _, err := hostcode.Compile(t.Context(), name, hostcode.Options{})
		if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, src)
			continue
		}
		f := hostir.Scan(hostir.Options{}, hostir.Source{Name: name, Text: ir})
		for _, l := range executed(t, dir, ir, src) {
			launches++
			constants += definite(f)
			if !admitted(t, f, l) {
				t.Errorf("seed %d: a launch of %d blocks and %d threads with %d, facts\n%s\n%s", seed, l[0], l[1], l[2], written(t, f), src)
			}
		}
	}
	t.Logf("%d launches, %d facts with a constant argument", launches, constants)
}

// executed returns the launches of k in an execution of a program, which is a.cu and its IR: blocks, threads, and its
// second argument.
func executed(t *testing.T, dir string, ir []byte, src string) (list [][3]int64) {
	t.Helper()
	for line := range strings.Lines(printed(t, dir, ir, src)) {
		var l [3]int64
		if _, err := fmt.Sscan(line, &l[0], &l[1], &l[2]); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		list = append(list, l)
	}
	return list
}

// printed returns what an execution of a program prints, which is a.cu and its IR.
func printed(t *testing.T, dir string, ir []byte, src string) string {
	t.Helper()
	app, others := filepath.Join(dir, "app"), filepath.Join(dir, "others.o")
	build := []string{"clang++-19", "-w", "-rdynamic", "-pthread", "-o", app, filepath.Join(dir, "a.ll"), filepath.Join(dir, "runtime.o"), others}
	run := []string{app}
	if *executeWith != "" {
		build = []string{"nvcc", "-w", "-arch=sm_80", "-std=c++17", "-o", app, filepath.Join(dir, "a.cu"), others}
		run = []string{*executeWith, "exec", "--allow-unchecked", "-o", os.DevNull, "--", app}
	} else if err := os.WriteFile(filepath.Join(dir, "a.ll"), ir, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(build[0], build[1:]...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, src)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, run[0], run[1:]...).Output()
	var exit *exec.ExitError
	if err != nil && (*executeWith == "" || !errors.As(err, &exit)) {
		t.Fatalf("%v\n%s", err, src)
	}
	return string(out)
}

// definite returns the number of launches of k in facts whose argument is constant.
func definite(f *facts.File) (n int) {
	for _, l := range f.Launches {
		if len(l.Args) > 1 && l.Args[1].Int != nil {
			if _, ok := l.Args[1].Int.Const(); ok {
				n++
			}
		}
	}
	return n
}

// admitted reports whether some launch of k in facts may be one that was executed.
func admitted(t *testing.T, f *facts.File, l [3]int64) bool {
	t.Helper()
	for _, known := range f.Launches {
		if !strings.HasPrefix(known.Kernel, "_Z1k") {
			continue
		}
		var goal []*expr.Bool
		for i, n := range []*expr.Int{known.Grid[0], known.Block[0]} {
			if n != nil {
				goal = append(goal, expr.Eq(n, expr.Const(l[i])))
			}
		}
		if len(known.Args) > 1 && known.Args[1].Int != nil {
			goal = append(goal, expr.Eq(expr.Wrap(known.Args[1].Int, 32, true), expr.Const(l[2])))
		}
		for _, c := range known.Requires {
			goal = append(goal, c.That)
		}
		if r, err := solve.Solve(t.Context(), solve.Query{Goal: goal}, solve.Options{}); err != nil || r.Verdict != solve.Unsat {
			return true
		}
	}
	return false
}

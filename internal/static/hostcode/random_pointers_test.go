// Random host programs that exchange pointers: swaps, choices, arrays, offsets, in loops and in functions.

package hostcode_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostcode"
	"github.com/ptxsan/ptxsan/internal/static/hostir"
	"github.com/ptxsan/ptxsan/internal/static/solve"
)

// pointerHead begins each program that exchanges pointers. A launch of e is printed with the allocations to which its
// pointers lead.
const pointerHead = `#include <memory>
#include <utility>
#include <vector>
__global__ void exchange(int *p, int *q, int *r, int n) {}
__global__ void set(int *p) { *p = 64; }
extern "C" { void keep(int *); void change_kept(); void change(int *); int opaque(int); }
struct S { int *p, *q; int n; void turn() { int *x = p; p = q; q = x; } };
struct Owner {
	int *p;
	explicit Owner(int n) : p(nullptr) { cudaMalloc(&p, n); }
	~Owner() { if (p) cudaFree(p); }
	Owner(Owner &&o) noexcept : p(o.p) { o.p = nullptr; }
	Owner &operator=(Owner &&o) noexcept { if (this != &o) { if (p) cudaFree(p); p = o.p; o.p = nullptr; } return *this; }
	operator int *() const { return p; }
};
struct Freed { void operator()(int *p) const { cudaFree(p); } };
static void flip(int *&x, int *&y) { int *t = x; x = y; y = t; }
static void flipped(int **x, int **y) { int *t = *x; *x = *y; *y = t; }
template <class T> static T *choose(bool first, T *x, T *y) { return first ? x : y; }
static void run(int *&x, int *&y, int *z) { exchange<<<1, 32>>>(x, y, z, 7); std::swap(x, y); }
int *ga, *gb;
static int *gc;
int main(int argc, char **argv) {
	int r = 0, cur = 0, nxt = 1;
	int *a, *b, *c, *buf[3];
	S s, t, *ps = &s, *pt = &t;
	cudaMalloc(&a, 400); cudaMalloc(&b, 404); cudaMalloc(&c, 408); cudaMalloc(&ga, 412); cudaMalloc(&gb, 416); cudaMalloc(&gc, 420);
	for (int i = 0; i < 3; i++) cudaMalloc(&buf[i], 500 + 4 * i);
	cudaMalloc(&s.p, 600); cudaMalloc(&s.q, 604); cudaMalloc(&t.p, 608); cudaMalloc(&t.q, 612);
	s.n = 1, t.n = 2;
	std::vector<int *> v; v.push_back(a); v.push_back(b);
	Owner o(700), w(704);
	std::unique_ptr<int, Freed> u, z;
	{ int *x; cudaMalloc(&x, 708); u.reset(x); cudaMalloc(&x, 712); z.reset(x); }
	int **pp = &a;
`

// pointers makes statements that exchange pointers.
type pointers struct {
	*rand.Rand
	sizes int
}

func (g *pointers) pick(list ...string) string { return list[g.IntN(len(list))] }

// index returns a number below 3.
func (g *pointers) index() string {
	return g.pick("cur", "nxt", "(cur + 1) % 3", "r % 3", "(r + 1) % 3", "(r & 1)", "1 - (r & 1)", "opaque(1)", "0", "2")
}

// place returns a pointer that can be changed.
func (g *pointers) place() string {
	if g.IntN(4) == 0 {
		return "buf[" + g.index() + "]"
	}
	return g.pick("a", "b", "a", "b", "c", "ga", "gb", "gc", "s.p", "s.q", "t.p", "ps->p", "pt->q", "v[0]", "v[1]",
		"v[r & 1]", "*pp", "buf[0]", "buf[1]")
}

// value returns a pointer.
func (g *pointers) value() string {
	switch g.IntN(10) {
	case 0:
		return g.pick("o", "w", "u.get()", "z.get()")
	case 1:
		return "(" + g.condition() + " ? " + g.place() + " : " + g.place() + ")"
	case 2:
		return g.place() + g.pick(" + 1", " + 2 * r", " + opaque(3)", " + cur")
	case 3:
		return "choose(" + g.condition() + ", " + g.place() + ", " + g.place() + ")"
	}
	return g.place()
}

func (g *pointers) condition() string {
	return g.pick("opaque(0)", "opaque(1)", "r % 2", "r == 1", "argc > 5", "cur == 1", "cur", "a == b", "buf[0] != nullptr",
		"r % 3 == 1", "s.n == 1", "ps == &s", "nxt > cur")
}

// statement returns a statement; those within it are at some depth.
func (g *pointers) statement(depth int) string {
	p, q, x := g.place(), g.place(), g.place()
	switch n := g.IntN(25); n {
	case 0, 1:
		return "std::swap(" + p + ", " + q + ");"
	case 2:
		return "{ int *x = " + p + "; " + p + " = " + q + "; " + q + " = x; }"
	case 3:
		return p + " = " + g.value() + ";"
	case 4:
		return "{ int *x = " + p + "; " + p + " = " + q + "; " + q + " = " + x + "; " + x + " = x; }"
	case 5:
		return "flip(" + p + ", " + q + ");"
	case 6:
		return "flipped(&" + p + ", &" + q + ");"
	case 7:
		return g.pick("cur = "+g.index()+";", "std::swap(cur, nxt);", "cur = (cur + 1) % 3;", "cur = (cur ^ 1) % 3;", "nxt = (cur + 1) % 3;", "nxt = cur;")
	case 8:
		return g.pick("std::swap(s, t);", "std::swap(ps, pt);", "s.turn();", "ps->turn();", "t = s;", "ps = pt;", "std::swap(ps->p, pt->p);")
	case 9:
		return "pp = &" + p + ";"
	case 10:
		return g.pick("std::swap(o, w);", "o = std::move(w);", "std::swap(u, z);", "{ Owner own = std::move(o); o = std::move(w); w = std::move(own); }")
	case 11:
		return g.pick("keep((int *)&"+p+");", "change_kept();", "v.push_back("+p+");", "{ auto f = [&] { std::swap("+p+", "+q+"); }; f(); }")
	case 12:
		g.sizes += 4
		return fmt.Sprintf("cudaMalloc(&%s, %d);", p, 800+g.sizes)
	case 13:
		return p + " = nullptr;"
	case 14:
		return "run(" + p + ", " + q + ", " + g.value() + ");"
	case 15:
		return "if (" + g.condition() + ") { " + g.statements(depth-1, 2) + "}" + g.pick("", " else { "+g.statements(depth-1, 1)+"}")
	case 16:
		if depth > 0 {
			return "for (int r = 0; r < " + g.pick("2", "3", "5", "opaque(3)") + "; r++) { " + g.statements(depth-1, 3) +
				g.pick("", "if ("+g.condition()+") continue; "+g.statements(depth-1, 1), "if (r >= opaque(2)) break; "+g.statements(depth-1, 1)) + "}"
		}
	}
	return "exchange<<<1, 32>>>(" + g.value() + ", " + g.value() + ", " + g.value() + ", " + g.pick("r", "cur", "3") + ");"
}

func (g *pointers) statements(depth, n int) string {
	var b strings.Builder
	for range 1 + g.IntN(n) {
		b.WriteString(g.statement(max(depth, 0)) + " ")
	}
	return b.String()
}

// program returns a program with one or two loops.
func (g *pointers) program() string {
	body := "\t" + g.statements(1, 3) + "\n"
	for range 1 + g.IntN(2) {
		head := g.pick("for (int r = 0; r < 5; r++)", "for (int r = 4; r >= 0; r--)", "for (int r = 0; r < opaque(6); r++)", "for (int r = 1; r < 9; r *= 2)", "while (r++ < opaque(4))")
		body += "\t" + head + " {\n\t\t" + g.statements(1, 3) + "\n\t\texchange<<<1, 32>>>(" + g.value() + ", " + g.value() + ", " + g.value() + ", r);\n\t\t" + g.statements(1, 4) + "\n\t}\n"
	}
	return pointerHead + body + "\texchange<<<1, 32>>>(" + g.value() + ", " + g.value() + ", " + g.value() + ", 9);\n\treturn 0;\n}\n"
}

// pointed is an argument of a launch that was executed: the number of an allocation, its size, and the offset in it. No
// allocation is -1, the null pointer -2.
type pointed struct{ allocation, size, offset int64 }

// exchanged is a launch that was executed.
type exchanged struct {
	args [3]pointed
	n    int64
}

// TestRandomPointers executes random programs that exchange pointers. No fact may say otherwise.
func TestRandomPointers(t *testing.T) {
	needsClang(t)
	dir := nativeRuntime(t)
	launches, known := 0, 0
	for seed := *firstProgram; seed < *firstProgram+uint64(*randomPrograms); seed++ {
		src := (&pointers{Rand: rand.New(rand.NewPCG(seed, 1))}).program()
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
		known += identified(f)
		for line := range strings.Lines(printed(t, dir, ir, src)) {
			l := exchanged{}
			a := &l.args
			if _, err := fmt.Sscan(line, &a[0].allocation, &a[0].size, &a[0].offset, &a[1].allocation, &a[1].size, &a[1].offset, &a[2].allocation, &a[2].size, &a[2].offset, &l.n); err != nil {
				t.Fatalf("%v in %q", err, line)
			}
			launches++
			if !mayExchange(t, f, &l) {
				t.Errorf("seed %d: a launch of %+v, facts\n%s\n%s", seed, l, written(t, f), src)
				break
			}
		}
	}
	t.Logf("%d launches, %d pointers known", launches, known)
}

// identified returns the number of arguments in facts whose allocation is known.
func identified(f *facts.File) (n int) {
	for _, l := range f.Launches {
		for _, a := range l.Args {
			if a.Buffer != "" {
				n++
			}
		}
	}
	return n
}

// mayExchange reports whether some launch in facts may be one that was executed.
func mayExchange(t *testing.T, f *facts.File, l *exchanged) bool {
	t.Helper()
	for _, known := range f.Launches {
		goal, ok := l.matches(known)
		if !strings.Contains(known.Kernel, "exchange") || !ok {
			continue
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

// matches returns the condition that facts are about this launch; ok is false if they are about another one.
func (l *exchanged) matches(known *facts.Launch) (goal []*expr.Bool, ok bool) {
	for i, a := range known.Args[:min(3, len(known.Args))] {
		p := l.args[i]
		if a.Buffer == "" || p.allocation == -1 { // a pointer to the end of an allocation, or behind it
			continue
		}
		if p.allocation == -2 {
			return nil, false
		}
		if a.Offset != nil {
			goal = append(goal, expr.Eq(a.Offset, expr.Const(p.offset)))
		}
		if size := known.Buffer(a.Buffer).Size; size != nil {
			goal = append(goal, expr.Eq(size, expr.Const(p.size)))
		}
		for j, b := range known.Args[:i] {
			if q := l.args[j]; b.Buffer != "" && q.allocation >= 0 && (a.Buffer == b.Buffer) != (p.allocation == q.allocation) {
				return nil, false
			}
		}
	}
	if len(known.Args) > 3 && known.Args[3].Int != nil {
		goal = append(goal, expr.Eq(expr.Wrap(known.Args[3].Int, 32, true), expr.Const(l.n)))
	}
	return goal, true
}

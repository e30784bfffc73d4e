// Random loops: the values of their counters are those with which programs launch when they are executed.

package hostcode_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/expr"
	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostcode"
	"github.com/ptxsan/ptxsan/internal/static/hostir"
	"github.com/ptxsan/ptxsan/internal/static/solve"
)

// counting makes a random program with a counter, which it launches with in each iteration, or behind the loop.
func counting(r *rand.Rand) string {
	one := func(words ...string) string { return words[r.IntN(len(words))] }
	number := func() string { return fmt.Sprint(1 + r.IntN(4)) }
	typ := one("int", "int", "int", "unsigned", "long", "size_t", "short")
	first := one("0", "1", "2", "3", "n", "n / 2", "n + 1", "32", "2 * n", "rand_()")
	change := one("i++", "i--", "i += "+number(), "i -= "+number(), "i *= 2", "i *= 2", "i *= 4", "i <<= 1", "i /= 2",
		"i /= 4", "i >>= 1", "i += t", "i += i", "i = i + 2", "i *= 3", "i += j", "i = (i + 1) / 2", "i = (i + 3) / 4", "i = n - i")
	test := one("i < n", "i <= n", "i > 0", "i > 1", "i >= 3", "i != n", "i * 3 < n", "i * i < n", "n - i > 2", "i",
		"i < n && i < 20", "i < n || i < 9", "2 * i < n", "i / 2 < n", "i < n && i > 0", "j < n", "(1 << i) < n", "i + j < n", "i != 0",
		"i % 4 != 3", "!(n < i)")
	other := one("", "", "", "j++;", "j += 2;", "j *= 2;", "if (i == 5) continue;", "if (i > 12) break;", "check(i);", "sometimes(i, n);", "t = t;",
		"if (n > 6) n--;", "if (cudaGetLastError()) exit(1);")
	launch := "k<<<1, 32>>>(nullptr, (int)(" + one("i", "i", "i", "i - 1", "2 * i", "j", "i + j") + "));"
	body, after := launch+" "+other, ""
	if r.IntN(2) == 0 {
		body, after = other, launch
	}
	loop := "for (; " + test + "; " + change + ") { " + body + " }"
	switch r.IntN(4) {
	case 0:
		loop = "while (" + test + ") { " + strings.Replace(body, "continue;", "{ i++; continue; }", 1) + " " + change + "; }"
	case 1:
		loop = "do { " + strings.Replace(body, "continue;", "{ i++; continue; }", 1) + " " + change + "; } while (" + test + ");"
	case 2:
		loop = "for (;;) { if (!(" + test + ")) break; " + strings.Replace(body, "continue;", "{ i++; continue; }", 1) + " " + change + "; }"
	}
	return "#include <stdlib.h>\nextern \"C\" int printf(const char *, ...);\nextern \"C\" unsigned alarm(unsigned);\n" +
		"__global__ void k(int *p, int n) { if (!blockIdx.x && !threadIdx.x) printf(\"%d %d %d\\n\", gridDim.x, blockDim.x, n); }\n" +
		"static void check(int i) { if (i == 7) exit(1); }\nstatic void sometimes(int i, int n) { if (n > 9) { if (i == 3) exit(1); } else { if (i == 4) exit(1); } }\nextern \"C\" int opaque(int);\nstatic int rand_() { return opaque(4); }\n" +
		"int main(int argc, char **argv) {\n\talarm(1);\n\tint n = atoi(argv[1]);\n\tif (n < 1 || n > 40) return 1;\n\t" +
		"int t = n / 4 + 1, j = 1;\n\t" + typ + " i = " + first + ";\n\t" + loop + "\n\t" + after + "\n\treturn 0;\n}\n"
}

// TestRandomCounters: with a number from the command line, a program launches with no argument that the facts exclude,
// and with all that they allow if they say that the values were followed.
func TestRandomCounters(t *testing.T) {
	needsClang(t)
	dir := t.TempDir()
	for _, name := range []string{"runtime", "others"} {
		if out, err := exec.Command("clang-19", "-w", "-c", "-o", filepath.Join(dir, name+".o"), "testdata/native/"+name+".c").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	followed, certain := 0, 0
	for seed := *firstProgram; seed < *firstProgram+uint64(*randomPrograms); seed++ {
		src := counting(rand.New(rand.NewPCG(seed, 1)))
		name, app := filepath.Join(dir, "a.cu"), filepath.Join(dir, "app")
		if err := os.WriteFile(name, []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
		ir, _, err := hostcode.Compile(t.Context(), name, hostcode.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, src)
		}
		f := hostir.Scan(hostir.Options{}, hostir.Source{Name: name, Text: ir})
		if err = os.WriteFile(filepath.Join(dir, "a.ll"), ir, 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("clang++-19", "-w", "-pthread", "-o", app, filepath.Join(dir, "a.ll"), filepath.Join(dir, "runtime.o"), filepath.Join(dir, "others.o")).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		wrong := false
		for _, n := range []int64{1, 2, 7, 16, 33} {
			args, ended := launchedWith(t, app, n)
			for v := int64(-1); v <= 36; v++ {
				made := slices.Contains(args, v)
				may, all := allows(t, f, n, v)
				wrong = wrong || ended && (made && !may || !made && may && all)
				switch {
				case made && !may && ended:
					t.Errorf("seed %d: with %d, a launch with %d, facts\n%s\n%s", seed, n, v, written(t, f), src)
				case !made && may && all && ended:
					t.Errorf("seed %d: with %d, no launch with %d, facts\n%s\n%s", seed, n, v, written(t, f), src)
				case may && all:
					followed++
				case made && may:
					certain++
				}
			}
			if wrong {
				break
			}
		}
	}
	t.Logf("%d launches followed, %d not", followed, certain)
}

// launchedWith returns the arguments with which a program launches when it is started with a number, and whether it
// ended, of its own accord and not late.
func launchedWith(t *testing.T, app string, n int64) (list []int64, ended bool) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), app, fmt.Sprint(n)).Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		var l [3]int64
		if _, wrong := fmt.Sscan(line, &l[0], &l[1], &l[2]); wrong == nil {
			list = append(list, l[2])
		}
		if len(list) > 500 {
			break
		}
	}
	return list, err == nil || exit.ExitCode() >= 0
}

// allows reports whether facts allow a launch with an argument in a program that is started with a number, and whether
// they say for such a one that the values were followed.
func allows(t *testing.T, f *facts.File, n, arg int64) (may, followed bool) {
	t.Helper()
	for _, l := range f.Launches {
		if len(l.Args) < 2 || l.Args[1].Int == nil {
			return true, false
		}
		goal := []*expr.Bool{expr.Eq(expr.Wrap(l.Args[1].Int, 32, true), expr.Const(arg))}
		lost := l.Unfollowed || l.Var("n") == nil || len(l.Args[1].Int.Vars()) == 0
		for _, v := range l.Vars {
			lost = lost || v.Lost
			if v.Name == "n" {
				goal = append(goal, expr.Eq(v.Int(), expr.Const(n)))
			}
		}
		for _, c := range l.Requires {
			goal = append(goal, c.That)
		}
		r, err := solve.Solve(t.Context(), solve.Query{Goal: goal}, solve.Options{Budget: 500_000})
		if err != nil {
			t.Fatal(err)
		}
		may = may || r.Verdict != solve.Unsat
		followed = followed || r.Verdict == solve.Sat && !lost
	}
	return may, followed
}

// TestHalvedUnsigned: an unsigned number that a loop halves is a counter, also where the host code reads its first value
// as a signed one.
func TestHalvedUnsigned(t *testing.T) {
	needsClang(t)
	got := scan(t, "#include <cstdlib>\n__global__ void k(unsigned n) {}\nint main(int argc, char **argv) {\n"+
		"unsigned n = argc > 1 ? strtoul(argv[1], 0, 10) : 1000;\nfor (unsigned m = n; m > 1; m = m / 2) k<<<1, 1>>>(m);\n}\n")
	if !strings.Contains(got, "m <= u32(") || strings.Contains(got, "followed: false") {
		t.Errorf("facts\n%s", got)
	}
}

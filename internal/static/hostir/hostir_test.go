package hostir_test

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/internal/static/facts"
	"github.com/ptxsan/ptxsan/internal/static/hostir"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func written(t testing.TB, f *facts.File) string {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// modules are the committed modules; internal/static/hostcode makes them with clang.
func modules(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob("testdata/*.ll")
	if err != nil || len(names) < 6 {
		t.Fatalf("%d modules, %v", len(names), err)
	}
	return names
}

// TestModules compares the facts of modules with golden files, which were checked against the source by
// hand.
func TestModules(t *testing.T) {
	for _, name := range modules(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !hostir.Is(text) {
			t.Errorf("%s is no LLVM IR", name)
		}
		got := written(t, hostir.Scan(hostir.Options{}, hostir.Source{Name: name, Text: text}))
		golden := strings.TrimSuffix(name, ".ll") + ".yaml"
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
			t.Errorf("%s: facts\n%s\nwant\n%s", name, got, want)
		}
	}
}

// TestMutants: a module with lines lost, doubled, exchanged or damaged gives facts, or none, and never a
// crash.
func TestMutants(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range modules(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for range 40 {
			hostir.Scan(hostir.Options{}, hostir.Source{Name: name, Text: mutant(r, text)})
		}
	}
}

// mutant damages a text.
func mutant(r *rand.Rand, text []byte) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	for range 1 + r.IntN(8) {
		i, j := r.IntN(len(lines)), r.IntN(len(lines))
		switch line := lines[i]; r.IntN(5) {
		case 0:
			lines[i] = nil
		case 1:
			lines[i] = append(bytes.Clone(line), lines[j]...)
		case 2:
			lines[i], lines[j] = lines[j], line
		case 3:
			lines[i] = line[:r.IntN(len(line)+1)]
		default:
			words := bytes.Split(line, []byte(" "))
			others := bytes.Split(lines[j], []byte(" "))
			words[r.IntN(len(words))] = others[r.IntN(len(others))]
			lines[i] = bytes.Join(words, []byte(" "))
		}
	}
	return bytes.Join(lines, nil)
}

// TestLimits: types within themselves, deep nests and endless functions end.
func TestLimits(t *testing.T) {
	launch := "\n  call void @_Z16__device_stub__kv()\n"
	head := "; ModuleID = 'a'\ndeclare i32 @cudaLaunchKernel(ptr, i64, i32, i64, i32, ptr, i64, ptr)\ndefine void @_Z16__device_stub__kv() {\nentry:\n  %r = call i32 @cudaLaunchKernel(ptr @_Z16__device_stub__kv, i64 1, i32 1, i64 1, i32 1, ptr null, i64 0, ptr null)\n  ret void\n}\n"
	for name, body := range map[string]string{
		"a type within itself":         "%a = type { %b }\n%b = type { %a, i32 }\ndefine i32 @main() {\n  %x = alloca %a\n  %y = getelementptr %a, ptr %x, i32 0, i32 0\n  store %a zeroinitializer, ptr %x" + launch + "  ret i32 0\n}\n",
		"a huge type":                  "define i32 @main() {\n  %x = alloca [4611686018427387904 x [4611686018427387904 x i64]]\n  %y = getelementptr [9223372036854775807 x i64], ptr %x, i64 9223372036854775807, i64 -9223372036854775808" + launch + "  ret i32 0\n}\n",
		"a deep type":                  "@g = global " + strings.Repeat("{", 5000) + "i32" + strings.Repeat("}", 5000) + " undef\ndefine i32 @main() {" + launch + "  ret i32 0\n}\n",
		"a loop without end":           "define i32 @main() {\nentry:\n  br label %a\na:" + launch + "  br label %a\n}\n",
		"a loop with two entries":      "define i32 @main(i1 %c) {\nentry:\n  br i1 %c, label %a, label %b\na:" + launch + "  br label %b\nb:\n  br label %a\n}\n",
		"a function that calls itself": "define void @f() {" + launch + "  call void @f()\n  call void @f()\n  ret void\n}\ndefine i32 @main() {\n  call void @f()\n  ret i32 0\n}\n",
		"calls that double": func() string {
			b := "define void @fa() {" + launch + "  ret void\n}\n"
			for i := range 15 {
				f := string(rune('a' + i))
				g := string(rune('b' + i))
				b += "define void @f" + g + "() {\n" + strings.Repeat("  call void @f"+f+"()\n", 8) + "  ret void\n}\n"
			}
			return b + "define i32 @main() {\n  call void @fp()\n  ret i32 0\n}\n"
		}(),
	} {
		got := written(t, hostir.Scan(hostir.Options{}, hostir.Source{Name: "a.ll", Text: []byte(head + body)}))
		if !strings.Contains(got, "kernel: _Z1kv") {
			t.Errorf("%s: the launch is not there:\n%s", name, got)
		}
	}
}

// TestFiles: several files are one program; what is private to each stays apart.
func TestFiles(t *testing.T) {
	const launch = `; ModuleID = 'a'
@n = internal global i32 7
declare i32 @cudaLaunchKernel(ptr, i64, i32, i64, i32, ptr, i64, ptr)
define void @_Z16__device_stub__ki(i32 %n) {
entry:
  %n.addr = alloca i32
  store i32 %n, ptr %n.addr
  %args = alloca ptr
  store ptr %n.addr, ptr %args
  %r = call i32 @cudaLaunchKernel(ptr @_Z16__device_stub__ki, i64 4294967300, i32 1, i64 4294967328, i32 1, ptr %args, i64 0, ptr null)
  ret void
}
define internal i32 @get() {
entry:
  %v = load i32, ptr @n
  ret i32 %v
}
define void @run(i32 %n) {
entry:
  %v = call i32 @get()
  %s = add nsw i32 %v, %n
  call void @_Z16__device_stub__ki(i32 %s)
  ret void
}
`
	const main = `; ModuleID = 'b'
@n = internal global i32 5
declare void @run(i32)
define internal i32 @get() {
entry:
  %v = load i32, ptr @n
  ret i32 %v
}
define i32 @main() {
entry:
  %v = call i32 @get()
  call void @run(i32 %v)
  ret i32 0
}
`
	a, b := hostir.Source{Name: "a.ll", Text: []byte(launch)}, hostir.Source{Name: "b.ll", Text: []byte(main)}
	for _, sources := range [][]hostir.Source{{a, b}, {b, a}} {
		got := written(t, hostir.Scan(hostir.Options{}, sources...))
		for _, want := range []string{"kernel: _Z1ki", "grid: [4, 1, 1]", "block: [32, 1, 1]", "- {s32: 12}", "function: run"} {
			if !strings.Contains(got, want) && !strings.Contains(got, strings.NewReplacer("{s32: ", "", "}", "").Replace(want)) {
				t.Errorf("no %q in\n%s", want, got)
			}
		}
		if strings.Count(got, "kernel:") != 1 {
			t.Errorf("more than one launch:\n%s", got)
		}
	}
}

// TestAddresses: what a function changes that got an address, in an earlier round of a loop or where it is not
// executed, is not known.
func TestAddresses(t *testing.T) {
	const head = `; ModuleID = 'a'
declare i32 @cudaLaunchKernel(ptr, i64, i32, i64, i32, ptr, i64, ptr)
declare void @keep(ptr)
declare void @use()
declare i1 @more()
define void @_Z16__device_stub__ki(i32 %n) {
entry:
  %n.addr = alloca i32
  store i32 %n, ptr %n.addr
  %args = alloca ptr
  store ptr %n.addr, ptr %args
  %r = call i32 @cudaLaunchKernel(ptr @_Z16__device_stub__ki, i64 1, i32 1, i64 1, i32 1, ptr %args, i64 0, ptr null)
  ret void
}
define void @tangled(ptr %p, i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  store i32 9, ptr %p
  br label %b
b:
  %d = call i1 @more()
  br i1 %d, label %a, label %end
end:
  ret void
}
`
	for name, body := range map[string]string{
		"a function with two entries to a loop": "  %n = alloca i32\n  store i32 5, ptr %n\n  %c = call i1 @more()\n  call void @tangled(ptr %n, i1 %c)\n  %v = load i32, ptr %n\n  call void @_Z16__device_stub__ki(i32 %v)\n  ret i32 0\n}\n",
		"an earlier round": "  %n = alloca i32\n  br label %loop\nloop:\n  store i32 5, ptr %n\n  %c = call i1 @more()\n  br i1 %c, label %a, label %b\n" +
			"a:\n  call void @keep(ptr %n)\n  br label %next\nb:\n  call void @use()\n  %v = load i32, ptr %n\n  call void @_Z16__device_stub__ki(i32 %v)\n  br label %next\n" +
			"next:\n  %d = call i1 @more()\n  br i1 %d, label %loop, label %end\nend:\n  ret i32 0\n}\n",
	} {
		got := written(t, hostir.Scan(hostir.Options{}, hostir.Source{Name: "a.ll", Text: []byte(head + "define i32 @main() {\nentry:\n" + body)}))
		if !strings.Contains(got, "kernel: _Z1ki") || strings.Contains(got, "- 5") || strings.Contains(got, "s32: 5") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

// TestForgets: what an instruction or a call may change is unknown after it, if it is not one that is known.
func TestForgets(t *testing.T) {
	const head = `; ModuleID = 'a'
@g = global i32 5
@own = internal global i32 5
@list = global [1 x ptr] [ptr @g]
declare i32 @cudaLaunchKernel(ptr, i64, i32, i64, i32, ptr, i64, ptr)
define void @_Z16__device_stub__ki(i32 %n) {
entry:
  %n.addr = alloca i32
  store i32 %n, ptr %n.addr
  %args = alloca ptr
  store ptr %n.addr, ptr %args
  %r = call i32 @cudaLaunchKernel(ptr @_Z16__device_stub__ki, i64 1, i32 1, i64 1, i32 1, ptr %args, i64 0, ptr null)
  ret void
}
define i32 @main() {
entry:
  %n = alloca i32
  store i32 5, ptr %n
`
	const launch = "  call void @_Z16__device_stub__ki(i32 %v)\n  ret i32 0\n}\n"
	for _, c := range []struct {
		name, body string
		known      bool
	}{
		{"nothing", "  %v = load i32, ptr %n\n", true},
		{"an atomic addition", "  %o = atomicrmw add ptr %n, i32 1 seq_cst\n  %v = load i32, ptr %n\n", false},
		{"a compare-and-swap", "  %o = cmpxchg ptr %n, i32 5, i32 1 seq_cst seq_cst\n  %v = load i32, ptr %n\n", false},
		{"an instruction that is not known", "  %o = frobnicate ptr %n\n  %v = load i32, ptr %n\n", false},
		{"an intrinsic that is not known", "  call void @llvm.frobnicate(ptr %n)\n  %v = load i32, ptr %n\n", false},
		{"an intrinsic that says what lives", "  call void @llvm.lifetime.start.p0(i64 4, ptr %n)\n  %v = load i32, ptr %n\n", true},
		{"assembly", "  call void asm sideeffect \"movl $$64, ($0)\", \"r,~{memory}\"(ptr %n)\n  %v = load i32, ptr %n\n", false},
		{"a fence, of a variable that others know", "  fence seq_cst\n  %v = load i32, ptr @g\n", false},
		{"a fence, of one that they do not know", "  fence seq_cst\n  %v = load i32, ptr %n\n", true},
		{"a store to an unknown address", "  %p = call ptr @where()\n  store i32 5, ptr @g\n  store i32 1, ptr %p\n  %v = load i32, ptr @g\n", false},
		{"a store to an unknown address, of a variable that is only used by name", "  %p = call ptr @where()\n  store i32 5, ptr @own\n  store i32 1, ptr %p\n  %v = load i32, ptr @own\n", true},
		{"a call of unknown code", "  %p = call ptr @where()\n  %v = load i32, ptr @own\n", false},
		{"an address as a number", "  %i = ptrtoint ptr %n to i64\n  %p = inttoptr i64 %i to ptr\n  store i32 1, ptr %p\n  %v = load i32, ptr %n\n", false},
		{"one of two addresses", "  %m = alloca i32\n  %c = call i1 @more()\n  %p = select i1 %c, ptr %n, ptr %m\n  store i32 1, ptr %p\n  %v = load i32, ptr %n\n", false},
		{"setjmp", "  %j = call i32 @_setjmp(ptr null)\n  %v = load i32, ptr %n\n", false},
		{"a function of the C library", "  %j = call i32 (ptr, ...) @printf(ptr null)\n  %v = load i32, ptr @own\n", true},
		{"a later copy", "  %e = call i32 @cudaMemcpyAsync(ptr %n, ptr null, i64 4, i32 2, ptr null)\n  store i32 5, ptr %n\n  %v = load i32, ptr %n\n", false},
		{"a later copy that is complete", "  %e = call i32 @cudaMemcpyAsync(ptr %n, ptr null, i64 4, i32 2, ptr null)\n  %f = call i32 @cudaStreamSynchronize(ptr null)\n  store i32 5, ptr %n\n  %v = load i32, ptr %n\n", true},
		{"parameters of a node of a graph", "  %e = call i32 @cudaGraphKernelNodeSetParams(ptr null, ptr null)\n  %v = load i32, ptr %n\n", false},
	} {
		got := written(t, hostir.Scan(hostir.Options{}, hostir.Source{Name: "a.ll", Text: []byte(head + c.body + launch)}))
		if known := strings.Contains(got, "- 5\n") || strings.Contains(got, "s32: 5"); known != c.known || !strings.Contains(got, "kernel: _Z1ki") {
			t.Errorf("%s: known is %t\n%s", c.name, known, got)
		}
	}
}

// TestExamples: launches of a program that may be another one are examples, with what only those have: real numbers,
// streams, and whether all blocks are resident. Decimal numbers and the bits of a double in hexadecimal are those of
// the manual of LLVM.
func TestExamples(t *testing.T) {
	const text = `; ModuleID = 'a'
declare i32 @cudaLaunchKernel(ptr, i64, i32, i64, i32, ptr, i64, ptr)
declare i32 @cudaLaunchCooperativeKernel(ptr, i64, i32, i64, i32, ptr, i64, ptr)
define void @_Z16__device_stub__kfd(float %x, double %y) {
entry:
  ret void
}
define i32 @main() {
entry:
  %x = alloca float
  %y = alloca double
  %args = alloca [2 x ptr]
  %second = getelementptr [2 x ptr], ptr %args, i64 0, i64 1
  store float 2.500000e+00, ptr %x
  store double 0x3FB999999999999A, ptr %y
  store ptr %x, ptr %args
  store ptr %y, ptr %second
  %r = call i32 @cudaLaunchKernel(ptr @_Z16__device_stub__kfd, i64 1, i32 1, i64 32, i32 1, ptr %args, i64 0, ptr null)
  %s = call ptr @stream()
  %q = call i32 @cudaLaunchCooperativeKernel(ptr @_Z16__device_stub__kfd, i64 2, i32 1, i64 32, i32 1, ptr %args, i64 0, ptr %s)
  ret i32 0
}
`
	f := hostir.Scan(hostir.Options{Partial: true, Differs: "a reason"}, hostir.Source{Name: "a.ll", Text: []byte(text)})
	if len(f.Launches) != 2 || !f.Main {
		t.Fatalf("%d launches, main is %t", len(f.Launches), f.Main)
	}
	for i, l := range f.Launches {
		if len(l.Args) != 2 || l.Args[0].Real == nil || *l.Args[0].Real != 2.5 || l.Args[1].Real == nil || *l.Args[1].Real != 0.1 {
			t.Errorf("launch %d: arguments %v", i, l.Args)
		}
		if second := i == 1; l.Cooperative != second || l.Streamed != second {
			t.Errorf("launch %d: cooperative is %t, streamed is %t", i, l.Cooperative, l.Streamed)
		}
	}
}

// TestPlaces: a variable that was not followed has the place where that ended: the statement that changes it in a loop,
// the call of the program whose result it is, and that of the first value of a counter.
func TestPlaces(t *testing.T) {
	text, err := os.ReadFile("testdata/numbers.ll")
	if err != nil {
		t.Fatal(err)
	}
	places := make(map[string]int)
	for _, l := range hostir.Scan(hostir.Options{}, hostir.Source{Name: "numbers.ll", Text: text}).Launches {
		for _, v := range l.Vars {
			if v.Lost {
				places[v.Name] = v.Site.Line
			}
		}
	}
	for name, line := range map[string]int{"a": 50, "r": 54, "from": 54} {
		if places[name] != line {
			t.Errorf("%s was not followed from line %d on, want %d", name, places[name], line)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, name := range modules(f) {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		written(t, hostir.Scan(hostir.Options{}, hostir.Source{Name: "a.ll", Text: text}))
	})
}

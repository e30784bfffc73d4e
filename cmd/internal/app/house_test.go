package app

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A subsystem is a group of directories that one sentence describes.
type subsystem struct {
	name, does string
	dirs       []string
}

// subsystems are from the bottom up: a package imports packages of its own subsystem and of those before it.
var subsystems = []subsystem{
	{"foundation", "what knows nothing of PTX: goroutines, files, memory, vector clocks, the GPU's driver, pages to print", []string{
		"docs", "python", "internal/gpu", "internal/hostmemory", "internal/hugepage", "internal/input", "internal/order", "internal/output", "internal/pagetable",
		"internal/panics", "internal/sample", "internal/slab", "internal/testgen", "internal/vclock", "internal/yamldoc",
	}},
	{"PTX", "text to tree and back, and the table of instructions", []string{"ptxgrammar"}},
	{"words", "the data that others exchange: events, device records, races, launches, reports", []string{
		"runtime/abi", "runtime/detect", "runtime/launch", "runtime/report", "internal/profile",
	}},
	{"rewriting", "resolved view, control flow, addresses, edits, comparison, PTX inside of programs", []string{
		"rewrite", "internal/address", "internal/cubin", "internal/embed", "internal/fatbin", "internal/producer",
		"internal/sites", "internal/steer",
	}},
	{"passes", "instrumentation, and the device libraries that it links", []string{"passes"}},
	{"static", "facts of host code, formulas, solver, pairs that cannot race: runs nothing", []string{"internal/static"}},
	{"emulator", "executes PTX with independent thread scheduling, explores schedules", []string{"emu", "internal/support"}},
	{"detectors", "events or device records to races", []string{"internal/detect"}},
	{"engine", "programs, sessions, launches: what other programs import", []string{"runtime/session", "internal/overlap", "internal/passtest", "internal/racesuite"}},
	{"tools", "what commands do with the engine: analyze, fix, litmus tests, campaigns, servers, formats", []string{
		"internal/analysis", "internal/campaign", "internal/certificate", "internal/factfile", "internal/fix", "internal/formats",
		"internal/litmus", "internal/serve", "internal/syncs",
	}},
	{"applications", "CUDA applications: drop-in libraries, devices, streams", []string{"internal/cuda"}},
	{"commands", "flags, files, printing, exit codes; examples", []string{"cmd", "examples"}},
}

// subsystemOf returns the number of a package's subsystem, -1 if it is in none.
func subsystemOf(path string) int {
	return slices.IndexFunc(subsystems, func(s subsystem) bool {
		return slices.ContainsFunc(s.dirs, func(dir string) bool { return within(path, dir) })
	})
}

// A way is how the project answers a question. Where a question has one answer, nothing else in it is an answer.
type way struct {
	question string
	answers  []string // packages, or declarations as PACKAGE.NAME
	tools    []string // packages and libraries that only owners import
	owners   []string
}

// ways are the questions that have had several answers, and those for which a library is the answer.
var ways = []way{
	{"What does host code say of launches?", []string{"internal/static/hostcode"}, []string{"internal/static/hostir"}, []string{"internal/static/hostcode"}},
	{"What happened in a run?", []string{"runtime/abi.Event"}, nil, nil},
	{"What is known of the bytes that were accessed?", []string{"internal/detect/precise/deferred.Journal", "internal/detect/precise/shadow.Cell", "internal/detect/precise/shadow.tally"}, nil, nil},
	{"Which accesses are those of a loop?", []string{"runtime/abi.Loops"}, nil, nil},
	{"What can a formula be?", []string{"internal/static/solve"}, []string{"internal/static/solve"}, []string{"internal/static"}},
	{"What does a thread compute, as a formula?", []string{"internal/static/symbolic"}, []string{"internal/static/symbolic", "internal/static/replay"}, []string{"internal/static"}},
	{"What is PTX?", []string{"ptxgrammar"}, []string{"ptxgrammar/internal", "github.com/antlr4-go/antlr/v4"}, []string{"ptxgrammar"}},
	{"What do instructions compute?", []string{"emu/internal/num"}, []string{"emu/internal/num"}, []string{"emu"}},
	{"How are flags read?", []string{"cmd/internal/command"}, []string{"github.com/urfave/cli/v2"}, []string{"cmd"}},
	{"Where do texts differ?", []string{"rewrite/diff"}, []string{"github.com/sergi/go-diff"}, []string{"rewrite/diff"}},
	{"What is a C++ name?", []string{"runtime/report"}, []string{"github.com/ianlancetaylor/demangle"}, []string{"runtime/report"}},
	{"Which PTX is in a program?", []string{"internal/fatbin"}, []string{"github.com/klauspost/compress", "github.com/pierrec/lz4/v4"}, []string{"internal/fatbin"}},
	{"What does a YAML file say?", []string{"internal/yamldoc"}, []string{"go.yaml.in/yaml/v3"}, []string{"runtime", "internal", "cmd/internal/settings", "cmd/observatory"}},
	{"Which processor is this?", []string{"emu/internal/vector"}, []string{"golang.org/x/sys/cpu"}, []string{"emu/internal/vector", "internal/vclock"}},
	{"How is the driver loaded?", []string{"internal/gpu/dl"}, []string{"github.com/ebitengine/purego"}, []string{"internal/gpu/dl"}},
	{"Which machine runs a task of a campaign?", []string{"internal/campaign/jetstream"}, []string{"github.com/nats-io"}, []string{"internal/campaign/jetstream"}},
	{"What can a client call?", []string{"internal/serve"}, []string{"github.com/modelcontextprotocol"}, []string{"internal/serve"}},
	{"How is assembly written?", []string{"emu/internal/vector/gen"}, []string{"github.com/mmcloughlin/avo"}, []string{"emu/internal/vector/gen"}},
	{"How do signals and memory maps work?", []string{"internal/cuda/wire"}, []string{"golang.org/x/sys/unix"}, []string{"internal/cuda/wire"}},
}

// goPackage is a package of the project, or a main program.
type goPackage struct {
	path, name string
	files      int // without tests
	imports    []string
}

// importable reports whether other modules can import the package.
func (p goPackage) importable() bool {
	return p.name != "main" && p.files > 0 && !slices.Contains(strings.Split(p.path, "/"), "internal")
}

// goPackages lists the packages of the project, their paths without that of the module.
func goPackages(t *testing.T) (list []goPackage) {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{.Name}} {{len .GoFiles}} {{join .Imports " "}}`, modulePath+"...").Output() // it warns of links in build
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		p := goPackage{path: strings.TrimPrefix(fields[0], modulePath), name: fields[1], imports: fields[3:]}
		if p.files, err = strconv.Atoi(fields[2]); err != nil {
			t.Fatalf("go list: %v", err)
		}
		list = append(list, p)
	}
	return list
}

// TestHouse checks that imports between subsystems lead down, and that the tools of each answer have no other users.
// With -v it prints the figures of the whole (make house).
func TestHouse(t *testing.T) {
	importable, up := 0, 0
	for _, p := range goPackages(t) {
		if p.importable() {
			importable++
		}
		up += upward(t, p)
		checkWays(t, p)
	}
	t.Logf("| figure | value |\n|---|---|\n%s| packages that other programs can import | %d |\n| imports up between subsystems | %d |\n%s",
		countWays(t), importable, up, sizes(t))
}

// upward reports the imports of a package that lead to a subsystem above, and returns their number.
func upward(t *testing.T, p goPackage) (n int) {
	from := subsystemOf(p.path)
	if from < 0 {
		t.Errorf("%s is in no subsystem", p.path)
		return 0
	}
	for _, imp := range p.imports {
		if to, ok := strings.CutPrefix(imp, modulePath); ok && subsystemOf(to) > from {
			t.Errorf("%s (%s) imports %s (%s), which is above it", p.path, subsystems[from].name, to, subsystems[subsystemOf(to)].name)
			n++
		}
	}
	return n
}

// checkWays reports imports of tools whose owner the package is not.
func checkWays(t *testing.T, p goPackage) {
	for _, w := range ways {
		owns := slices.ContainsFunc(w.owners, func(dir string) bool { return within(p.path, dir) })
		for _, tool := range w.tools {
			for _, imp := range p.imports {
				if within(strings.TrimPrefix(imp, modulePath), tool) && !owns && !within(p.path, tool) {
					t.Errorf("%s imports %s, with which %s alone answers %q", p.path, imp, strings.Join(w.owners, ", "), w.question)
				}
			}
		}
	}
}

// countWays checks that the answers exist, and returns how many each of the first questions has.
func countWays(t *testing.T) string {
	var b strings.Builder
	for _, w := range ways {
		for _, a := range w.answers {
			if !answered(t, a) {
				t.Errorf("%s: there is no %s", w.question, a)
			}
		}
		fmt.Fprintf(&b, "| %s | %d: %s |\n", w.question, len(w.answers), strings.Join(w.answers, ", "))
	}
	return b.String()
}

// answered reports whether a package exists, and the type or function that the text names after a dot.
func answered(t *testing.T, answer string) bool {
	dir, name, _ := strings.Cut(answer, ".")
	files, err := filepath.Glob(filepath.Join("../../..", dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		return err == nil && (name == "" || declares(tree, name))
	})
}

// declares reports whether a file declares a type or a function of that name.
func declares(file *ast.File, name string) bool {
	return slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
		switch d := d.(type) {
		case *ast.FuncDecl:
			return d.Recv == nil && d.Name.Name == name
		case *ast.GenDecl:
			return slices.ContainsFunc(d.Specs, func(s ast.Spec) bool {
				typ, ok := s.(*ast.TypeSpec)
				return ok && typ.Name.Name == name
			})
		}
		return false
	})
}

// sizes returns the lines of Go, and how many are wider than 120 columns.
func sizes(t *testing.T) string {
	code, tests, wide := 0, 0, 0
	err := filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && strings.HasPrefix(d.Name(), ".git") {
			return fs.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		lines := strings.Count(string(text), "\n")
		if strings.HasSuffix(path, "_test.go") {
			tests += lines
			return err
		}
		code += lines
		for line := range strings.Lines(string(text)) {
			if len([]rune(strings.ReplaceAll(line, "\t", "    "))) > 121 {
				wide++
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("| lines of Go without tests | %d |\n| lines of tests | %d |\n| lines without tests of more than 120 columns | %d |", code, tests, wide)
}

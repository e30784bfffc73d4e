package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const modulePath = "github.com/ptxsan/ptxsan/"

// A layer is a directory (and all below it) and the directories that it may
// import. The longest matching directory decides.
type layer struct {
	dir string
	may []string
}

// The layers of ARCHITECTURE.md, lowest first.
var layers = []layer{
	{"ptxgrammar/isa", nil},
	{"runtime/abi", nil},
	{"ptxgrammar", []string{"ptxgrammar/isa"}},
	{"runtime/device", []string{"runtime/abi"}},
	{"runtime/detect", []string{"runtime/abi"}},
	{"runtime/detect/precise", []string{"runtime/detect", "runtime/abi"}},
	{"runtime/internal/yamldoc", nil},
	{"runtime/input", nil},
	{"runtime/launch", []string{"runtime/internal/yamldoc", "runtime/input", "runtime/detect"}},
	{"runtime/profile", []string{"runtime/abi"}},
	{"runtime/report", []string{"runtime/internal/yamldoc", "runtime/detect", "runtime/abi"}},
	{"rewrite/fatbin", nil},
	{"rewrite/diff", []string{"ptxgrammar", "ptxgrammar/isa"}},
	{"rewrite", []string{"ptxgrammar", "ptxgrammar/isa"}},
	{"rewrite/sites", []string{"rewrite", "ptxgrammar/isa", "runtime/abi"}},
	{"passes", []string{"rewrite", "rewrite/sites", "rewrite/diff", "ptxgrammar", "ptxgrammar/isa", "runtime/abi", "runtime/device"}},
	{"passes/passtest", []string{"passes", "emu", "rewrite", "rewrite/diff", "ptxgrammar"}},
	{"emu/internal/pages", nil},
	{"emu/internal/vector", nil},
	{"emu", []string{"emu/internal/pages", "emu/internal/vector", "rewrite", "ptxgrammar", "ptxgrammar/isa", "runtime/abi"}},
	{"emu/observe", []string{"emu", "rewrite", "rewrite/sites", "ptxgrammar/isa", "runtime/abi"}},
	{"cmd", []string{"emu/observe", "rewrite", "rewrite/diff", "rewrite/fatbin", "ptxgrammar", "ptxgrammar/isa", "passes", "emu", "runtime/abi", "runtime/device", "runtime/detect", "runtime/detect/precise", "runtime/input", "runtime/launch", "runtime/profile", "runtime/report"}},
}

// external lists the libraries that one directory alone may import.
var external = map[string]string{
	"github.com/antlr4-go/antlr/v4":      "ptxgrammar",
	"github.com/urfave/cli/v2":           "cmd",
	"github.com/sergi/go-diff":           "rewrite/diff",
	"github.com/ianlancetaylor/demangle": "runtime/report",
	"github.com/klauspost/compress":      "rewrite/fatbin",
	"github.com/pierrec/lz4/v4":          "rewrite/fatbin",
	"github.com/mmcloughlin/avo":         "emu/internal/vector/gen",
	"go.yaml.in/yaml/v3":                 "runtime",
	"golang.org/x/sys":                   "emu/internal/vector",
}

// TestLayering checks the imports of every package, tests aside, against layers
// and external.
func TestLayering(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, modulePath+"...").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		from, ok := strings.CutPrefix(fields[0], modulePath)
		if !ok {
			continue
		}
		checkImports(t, from, fields[1:])
	}
}

func checkImports(t *testing.T, from string, imports []string) {
	lf := layerOf(from)
	if lf.dir == "" {
		t.Errorf("%s is in no layer", from)
		return
	}
	for _, imp := range imports {
		for lib, owner := range external {
			if strings.HasPrefix(imp, lib) && !within(from, owner) {
				t.Errorf("%s imports %s: only %s may", from, imp, owner)
			}
		}
		to, ok := strings.CutPrefix(imp, modulePath)
		if !ok {
			continue
		}
		if lt := layerOf(to); lt.dir != lf.dir && !slices.Contains(lf.may, lt.dir) {
			t.Errorf("%s imports %s: %s may import only %v", from, to, lf.dir, lf.may)
		}
	}
}

func layerOf(path string) (best layer) {
	for _, l := range layers {
		if within(path, l.dir) && len(l.dir) > len(best.dir) {
			best = l
		}
	}
	return best
}

func within(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

// TestOpcodeNames: which opcodes are of a kind is a question for the instruction table.
// Only the emulator, which executes them one by one, may tell them apart by name.
func TestOpcodeNames(t *testing.T) {
	compares := regexp.MustCompile(`\bInstr\.Name\s*(==|!=|\{)`)
	err := filepath.WalkDir("../..", func(path string, _ os.DirEntry, err error) error {
		name := filepath.ToSlash(strings.TrimPrefix(path, "../../"))
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			within(name, "ptxgrammar/isa") || within(name, "emu") {
			return err
		}
		text, err := os.ReadFile(path)
		if m := compares.Find(text); m != nil {
			t.Errorf("%s: %s…: the instruction table should say what is asked here", name, m)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

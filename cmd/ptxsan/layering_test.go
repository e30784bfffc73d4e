package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const modulePath = "github.com/ptxsan/ptxsan/"

// A layer is a row of the table in ARCHITECTURE.md: a directory (and all below it) and the
// directories that it may import. The longest matching directory decides.
type layer struct {
	level int
	dir   string
	may   []string
	below bool // it may import all lower levels
}

// layerRow matches a row: level, package, description, what it must not know, and its imports.
var layerRow = regexp.MustCompile("(?m)^\\| (\\d+) \\| `([^`]+)` \\|[^|]*\\|[^|]*\\|([^|]*)\\|$")

// readLayers reads the table.
func readLayers(t *testing.T) (layers []layer) {
	t.Helper()
	text, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range layerRow.FindAllStringSubmatch(string(text), -1) {
		level, err := strconv.Atoi(row[1])
		if err != nil {
			t.Fatal(err)
		}
		l := layer{level: level, dir: row[2], below: strings.TrimSpace(row[3]) == "all below"}
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[3], -1) {
			l.may = append(l.may, name[1])
		}
		layers = append(layers, l)
	}
	if len(layers) < 20 {
		t.Fatalf("ARCHITECTURE.md: %d layers: the table is not what the test reads", len(layers))
	}
	return layers
}

// external lists the libraries that some directories alone may import.
var external = map[string][]string{
	"github.com/antlr4-go/antlr/v4":      {"ptxgrammar"},
	"github.com/urfave/cli/v2":           {"cmd"},
	"github.com/sergi/go-diff":           {"rewrite/diff"},
	"github.com/ianlancetaylor/demangle": {"runtime/report"},
	"github.com/klauspost/compress":      {"rewrite/fatbin"},
	"github.com/pierrec/lz4/v4":          {"rewrite/fatbin"},
	"github.com/mmcloughlin/avo":         {"emu/internal/vector/gen"},
	"github.com/owenrumney/go-sarif/v3":  {"runtime/report/sarif"},
	"go.yaml.in/yaml/v3":                 {"runtime"},
	"golang.org/x/sys/cpu":               {"emu/internal/vector", "runtime/detect/internal/vclock"},
	"golang.org/x/sys/unix":              {"runtime/cuda/wire"},
	"github.com/nats-io":                 {"runtime/campaign/jetstream"},
}

// layering compares imports with the table.
type layering struct {
	*testing.T
	layers []layer
	used   map[[2]string]bool // imports of one layer by another
}

// TestLayering checks the imports of every package, tests aside, against the table in
// ARCHITECTURE.md and external, and that the table permits nothing that no package needs.
func TestLayering(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, modulePath+"...").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	l := &layering{T: t, layers: readLayers(t), used: make(map[[2]string]bool)}
	seen := make(map[string]bool)
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if from, ok := strings.CutPrefix(fields[0], modulePath); ok {
			seen[l.layerOf(from).dir] = true
			l.check(from, fields[1:])
		}
	}
	for _, row := range l.layers {
		if !seen[row.dir] {
			t.Errorf("ARCHITECTURE.md: there is no package %s", row.dir)
		}
		for _, dir := range row.may {
			if !l.used[[2]string{row.dir, dir}] {
				t.Errorf("ARCHITECTURE.md: %s may import %s, and does not", row.dir, dir)
			}
		}
	}
}

// check checks the imports of a package.
func (l *layering) check(from string, imports []string) {
	lf := l.layerOf(from)
	if lf.dir == "" {
		l.Errorf("%s is in no layer of ARCHITECTURE.md", from)
		return
	}
	for _, imp := range imports {
		for lib, owners := range external {
			if strings.HasPrefix(imp, lib) && !slices.ContainsFunc(owners, func(dir string) bool { return within(from, dir) }) {
				l.Errorf("%s imports %s: only %s may", from, imp, strings.Join(owners, ", "))
			}
		}
		to, ok := strings.CutPrefix(imp, modulePath)
		if !ok {
			continue
		}
		lt := l.layerOf(to)
		l.used[[2]string{lf.dir, lt.dir}] = true
		switch {
		case lt.dir == lf.dir:
		case lt.level >= lf.level:
			l.Errorf("%s (level %d) imports %s (level %d)", from, lf.level, to, lt.level)
		case !lf.below && !slices.Contains(lf.may, lt.dir):
			l.Errorf("%s imports %s: %s may import only %v", from, to, lf.dir, lf.may)
		}
	}
}

func (l *layering) layerOf(path string) (best layer) {
	for _, row := range l.layers {
		if within(path, row.dir) && len(row.dir) > len(best.dir) {
			best = row
		}
	}
	return best
}

func within(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

// TestOpcodeNames: which opcodes are of a kind is a question for the instruction table.
// Only the emulator, which executes them one by one, may tell them apart by name.
func TestOpcodeNames(t *testing.T) {
	compares := regexp.MustCompile(`\bInstr\.Name\s*(==|!=|[{\]])|:=\s*[\w.]*\bInstr\.Name\b`)
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

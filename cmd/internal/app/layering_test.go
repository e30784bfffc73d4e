package app

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const modulePath = "github.com/ptxsan/ptxsan/"

// layersFile says which package may import which; it explains its form.
const layersFile = "../../../layers.txt"

// A layer is a block of layers.txt: a directory (and all below it) and the directories that it may import. The longest
// matching directory decides.
type layer struct {
	dir, holds string
	may        []string
	all        bool // it may import everything
	level      int  // one more than that of what it may import
}

// readLayers reads layers.txt.
func readLayers(t *testing.T) (layers []*layer) {
	t.Helper()
	text, err := os.ReadFile(layersFile)
	if err != nil {
		t.Fatal(err)
	}
	for block := range strings.SplitSeq(string(text), "\n\n") {
		if l := parseLayer(block); l.holds != "" {
			layers = append(layers, l)
		} else if l.dir != "" {
			t.Errorf("layers.txt: %s: what does it hold?", l.dir)
		}
	}
	setLevels(t, layers)
	return layers
}

// parseLayer reads a block; of one with nothing but comments, dir is "".
func parseLayer(block string) *layer {
	l := &layer{}
	inImports := false
	for line := range strings.Lines(block) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || fields[0] == "#":
		case line[0] != ' ':
			l.dir = fields[0]
		case l.holds == "":
			l.holds = strings.TrimSpace(line)
		case fields[0] == "imports:" || inImports:
			inImports = true
			l.may = append(l.may, slices.DeleteFunc(fields, func(s string) bool { return s == "imports:" })...)
		}
	}
	l.all = slices.Equal(l.may, []string{"all"})
	return l
}

// setLevels computes the levels from the bottom up. What still rises after as many rounds as there are layers imports
// itself in a circle.
func setLevels(t *testing.T, layers []*layer) {
	t.Helper()
	for range layers {
		if !raise(layers) {
			return
		}
	}
	t.Fatal("layers.txt: directories may import each other in a circle")
}

// raise puts each layer above those that it may import, and reports whether one was not.
func raise(layers []*layer) (raised bool) {
	highest, levels := 0, make(map[string]int)
	for _, l := range layers {
		levels[l.dir] = l.level
		if !l.all {
			highest = max(highest, l.level)
		}
	}
	for _, l := range layers {
		level := 0
		if l.all {
			level = highest + 1
		}
		for _, dir := range l.may {
			if n, ok := levels[dir]; ok {
				level = max(level, n+1)
			}
		}
		raised = raised || level > l.level
		l.level = max(l.level, level)
	}
	return raised
}

func TestLevels(t *testing.T) {
	a := parseLayer("# about a\na\n    holds a\n    must not know: c\n    imports: b\n        c\n")
	b, c, top := &layer{dir: "b", may: []string{"c"}}, &layer{dir: "c"}, parseLayer("top\n    all of it\n    imports: all\n")
	setLevels(t, []*layer{a, b, c, top})
	if a.holds != "holds a" || a.level != 2 || b.level != 1 || c.level != 0 || top.level != 3 {
		t.Errorf("levels of a, b, c and top: %d, %d, %d, %d; %+v", a.level, b.level, c.level, top.level, a)
	}
	c.may = []string{"a"}
	for range 9 {
		raise([]*layer{a, b, c})
	}
	if !raise([]*layer{a, b, c}) {
		t.Error("a circle comes to an end")
	}
}

// diagram draws the map of subsystems, as ARCHITECTURE.md shows it: the highest first, each with those that it uses.
func diagram(layers []*layer) string {
	uses := make([]map[string]bool, len(subsystems))
	for i := range uses {
		uses[i] = make(map[string]bool)
	}
	for _, l := range layers {
		for _, dir := range l.may {
			if from, to := subsystemOf(l.dir), subsystemOf(dir); from >= 0 && to >= 0 && from != to {
				uses[from][subsystems[to].name] = true
			}
		}
	}
	var b strings.Builder
	b.WriteString("| subsystem | does | is in | uses |\n|---|---|---|---|\n")
	for i, s := range slices.Backward(subsystems) {
		var used []string
		for _, below := range slices.Backward(subsystems[:i]) {
			if uses[i][below.name] {
				used = append(used, below.name)
			}
		}
		fmt.Fprintf(&b, "| %s | %s | `%s` | %s |\n", s.name, s.does, strings.Join(s.dirs, "`, `"), strings.Join(used, ", "))
	}
	return b.String()
}

var architecture = written{"../../../ARCHITECTURE.md", "layers"}

// layering compares imports with the table.
type layering struct {
	*testing.T
	layers []*layer
	used   map[[2]string]bool // imports of one layer by another
}

// TestLayering checks the imports of every package, tests aside, against layers.txt, that layers.txt permits
// nothing that no package needs, and that ARCHITECTURE.md shows the map of subsystems.
func TestLayering(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, modulePath+"...").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	l := &layering{T: t, layers: readLayers(t), used: make(map[[2]string]bool)}
	if drawn := diagram(l.layers); *update {
		architecture.replace(t, drawn)
	} else if strings.TrimSpace(architecture.section(t)) != strings.TrimSpace(drawn) {
		t.Error("ARCHITECTURE.md is out of date; run make layers")
	}
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
			t.Errorf("layers.txt: there is no package %s", row.dir)
		}
		for _, dir := range row.may {
			if dir != "all" && !l.used[[2]string{row.dir, dir}] {
				t.Errorf("layers.txt: %s may import %s, and does not", row.dir, dir)
			}
		}
	}
}

// check checks the imports of a package.
func (l *layering) check(from string, imports []string) {
	lf := l.layerOf(from)
	if lf.dir == "" {
		l.Errorf("%s is in no layer of layers.txt", from)
		return
	}
	for _, imp := range imports {
		to, ok := strings.CutPrefix(imp, modulePath)
		if !ok {
			continue
		}
		lt := l.layerOf(to)
		l.used[[2]string{lf.dir, lt.dir}] = true
		if lt.dir != lf.dir && (lt.all || !lf.all && !slices.Contains(lf.may, lt.dir)) {
			l.Errorf("%s imports %s: %s may import only %v", from, to, lf.dir, lf.may)
		}
	}
}

func (l *layering) layerOf(path string) *layer {
	best := &layer{}
	for _, row := range l.layers {
		if within(path, row.dir) && len(row.dir) > len(best.dir) {
			best = row
		}
	}
	return best
}

func within(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

// TestOpcodeNames: which opcodes are of a kind is a question for the instruction table.
// Only the emulator, which executes them one by one, and what lists its forms may tell them apart by name.
func TestOpcodeNames(t *testing.T) {
	compares := regexp.MustCompile(`\bInstr\.Name\s*(==|!=|[{\]])|:=\s*[\w.]*\bInstr\.Name\b`)
	err := filepath.WalkDir("../../..", func(path string, _ os.DirEntry, err error) error {
		name := filepath.ToSlash(strings.TrimPrefix(path, "../../../"))
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			within(name, "ptxgrammar/isa") || within(name, "emu") || within(name, "internal/support") {
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

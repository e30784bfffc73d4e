package app

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/launch"
	"github.com/ptxsan/ptxsan/runtime/session"
)

const suiteDir = "../../../examples/suite/micro"

// suiteCase is one kernel of the race suite: examples/suite/micro/<category>/<pair>-<variant>.
type suiteCase struct {
	category, pair, variant string
	ptx, cu, yaml           string
	file                    *launch.File
}

func (c *suiteCase) name() string { return c.category + "/" + c.pair + "-" + c.variant }

// suite loads the cases of the micro suite, in order of name.
func suite(t *testing.T) []*suiteCase {
	t.Helper()
	files, err := filepath.Glob(suiteDir + "/*/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no suite: %v", err)
	}
	var out []*suiteCase
	for _, path := range files {
		base := strings.TrimSuffix(path, ".yaml")
		cut := strings.LastIndexByte(base, '-')
		c := &suiteCase{
			category: filepath.Base(filepath.Dir(path)), pair: filepath.Base(base[:cut]), variant: base[cut+1:],
			ptx: base + ".ptx", cu: base[:cut] + ".cu", yaml: path,
		}
		if c.file, err = launch.Load(path, launch.Options{}); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// tested is set up as check does it, for detectors or none.
func (c *suiteCase) tested(t *testing.T, detectors string) *tested {
	t.Helper()
	return example{c.name(), c.ptx, c.yaml, c.file.Expect}.testedWith(t, detectors)
}

// TestSuite: each case is whole, passes the manual's rules, and ends as its source
// says when it runs without a detector.
func TestSuite(t *testing.T) {
	cases := suite(t)
	variants := make(map[string]int)
	for _, c := range cases {
		variants[c.category+"/"+c.pair+c.variant]++
		t.Run(c.name(), func(t *testing.T) {
			c.stated(t)
			c.checked(t)
			c.marked(t)
			c.ends(t)
		})
	}
	for _, c := range cases {
		for _, v := range []string{"racy", "fixed"} {
			if variants[c.category+"/"+c.pair+v] != 1 {
				t.Errorf("%s/%s has no %s variant", c.category, c.pair, v)
			}
		}
	}
}

// stated checks that every semantics is answered, that a racy variant is wrong
// under one of them and a fixed one right under ptx.
func (c *suiteCase) stated(t *testing.T) {
	var bad bool
	for _, name := range launch.SemanticsNames {
		s := c.file.Expect.Under(name)
		if s == nil {
			t.Fatalf("%s: no answer under %s", c.yaml, name)
		}
		bad = bad || s.Verdict != "clean"
	}
	switch {
	case c.variant == "racy" && !bad:
		t.Error("racy, but clean under all semantics")
	case c.variant == "fixed" && c.file.Expect.Under("ptx").Verdict != "clean":
		t.Error("fixed, but not clean under ptx")
	}
}

func (c *suiteCase) checked(t *testing.T) {
	src, err := os.ReadFile(c.ptx)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := ptxgrammar.Parse(c.ptx, src)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rewrite.Check(tree); err != nil {
		t.Error(err)
	}
}

// mark is the letter of a line of source that takes part in a race.
var mark = regexp.MustCompile(`// [A-Z]$`)

// marked checks that the racing lines carry marks in the source and are lines of
// instructions that access memory.
func (c *suiteCase) marked(t *testing.T) {
	src, err := os.ReadFile(c.cu)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(src), "\n")
	accesses := accessLines(c.tested(t, "").plan.Program.Module)
	for i := range c.file.Expect.Semantics {
		s := &c.file.Expect.Semantics[i]
		for _, n := range slices.Concat(flatten(s.Lines)...) {
			switch {
			case n > len(lines) || !mark.MatchString(lines[n-1]):
				t.Errorf("%s, %s: line %d of %s has no mark", c.yaml, s.Name, n, c.cu)
			case !accesses[n]:
				t.Errorf("%s, %s: no memory access in the PTX comes from line %d", c.yaml, s.Name, n)
			}
		}
	}
}

func flatten(pairs [][2]int) (out [][]int) {
	for _, p := range pairs {
		out = append(out, p[:])
	}
	return out
}

// accessLines returns the source lines of all instructions that access memory.
func accessLines(mod *rewrite.Module) map[int]bool {
	lines := make(map[int]bool)
	for _, f := range mod.Funcs {
		for _, in := range f.Insts {
			// Tensor memory is no memory of the table.
			if s := session.SourceOf(in); s != nil && (in.Effects()&(isa.ReadsMemory|isa.WritesMemory) != 0 || in.Instr.Name == "tcgen05") {
				lines[s.Line] = true
			}
		}
	}
	return lines
}

// ends runs the case without a detector: it faults only where its verdict says so,
// and leaves the buffers that the launch file expects.
func (c *suiteCase) ends(t *testing.T) {
	run := c.tested(t, "").play(t)
	faults := run.Report().Faults
	s := c.file.Expect.Under("ptx")
	switch {
	case len(faults) > 0 && (s.Verdict != "fault" || faults[0].Class != s.Fault):
		t.Fatalf("%s: %s", faults[0].Class, faults[0].Message)
	case len(faults) == 0 && s.Verdict == "fault" && s.Schedule == "any":
		t.Fatalf("no fault, want %s", s.Fault)
	}
	for i := range c.file.Expect.Buffers {
		b := &c.file.Expect.Buffers[i]
		diff, err := b.Compare(c.file.Buffer(b.Name), run.Object(b.Name).Read)
		if err != nil || diff != nil {
			t.Errorf("%v %v", diff, err)
		}
	}
}

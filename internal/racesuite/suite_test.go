package racesuite

import (
	"os"
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

// TestSuite: each case is whole, passes the manual's rules, and ends as its source
// says when it runs without a detector.
func TestSuite(t *testing.T) {
	cases := Micro(t)
	variants := make(map[string]int)
	for _, c := range cases {
		variants[c.Category+"/"+c.Pair+c.Variant]++
		t.Run(c.Name(), func(t *testing.T) {
			c.stated(t)
			c.checked(t)
			c.marked(t)
			c.ends(t)
		})
	}
	for _, c := range cases {
		for _, v := range []string{"racy", "fixed"} {
			if variants[c.Category+"/"+c.Pair+v] != 1 {
				t.Errorf("%s/%s has no %s variant", c.Category, c.Pair, v)
			}
		}
	}
}

// sampled returns the cases, or every fifth in short tests.
func sampled(cases []*Case) (out []*Case) {
	if !testing.Short() {
		return cases
	}
	for i := 0; i < len(cases); i += 5 {
		out = append(out, cases[i])
	}
	return out
}

// stated checks that every semantics is answered, that a racy variant is wrong
// under one of them and a fixed one right under ptx.
func (c *Case) stated(t *testing.T) {
	var bad bool
	for _, name := range launch.SemanticsNames {
		s := c.File.Expect.Under(name)
		if s == nil {
			t.Fatalf("%s: no answer under %s", c.YAML, name)
		}
		bad = bad || s.Verdict != "clean"
	}
	switch {
	case c.Variant == "racy" && !bad:
		t.Error("racy, but clean under all semantics")
	case c.Variant == "fixed" && c.File.Expect.Under("ptx").Verdict != "clean":
		t.Error("fixed, but not clean under ptx")
	}
}

func (c *Case) checked(t *testing.T) {
	src, err := os.ReadFile(c.PTX)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := ptxgrammar.Parse(c.PTX, src)
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
func (c *Case) marked(t *testing.T) {
	src, err := os.ReadFile(c.CUDA)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(src), "\n")
	accesses := accessLines(c.Run(t, "").Plan.Program.Module)
	for i := range c.File.Expect.Semantics {
		s := &c.File.Expect.Semantics[i]
		for _, n := range slices.Concat(flatten(s.Lines)...) {
			switch {
			case n > len(lines) || !mark.MatchString(lines[n-1]):
				t.Errorf("%s, %s: line %d of %s has no mark", c.YAML, s.Name, n, c.CUDA)
			case !accesses[n]:
				t.Errorf("%s, %s: no memory access in the PTX comes from line %d", c.YAML, s.Name, n)
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
func (c *Case) ends(t *testing.T) {
	run := c.Run(t, "").Play(t)
	faults := run.Report().Faults
	s := c.File.Expect.Under("ptx")
	switch {
	case len(faults) > 0 && (s.Verdict != "fault" || faults[0].Class != s.Fault):
		t.Fatalf("%s: %s", faults[0].Class, faults[0].Message)
	case len(faults) == 0 && s.Verdict == "fault" && s.Schedule == "any":
		t.Fatalf("no fault, want %s", s.Fault)
	}
	for i := range c.File.Expect.Buffers {
		b := &c.File.Expect.Buffers[i]
		diff, err := b.Compare(c.File.Buffer(b.Name), run.Object(b.Name).Read)
		if err != nil || diff != nil {
			t.Errorf("%v %v", diff, err)
		}
	}
}

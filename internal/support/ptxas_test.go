// Comparison of the checker with NVIDIA's assembler, form by form (make ptxas-forms).

package support

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/ptxgrammar"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

var (
	ptxas  = flag.String("ptxas", "", "`path` of NVIDIA's assembler, of the CUDA release of isa.NewestVersion")
	opcode = flag.String("opcode", "", "compare the forms of this opcode only")
	update = flag.Bool("update", false, "write testdata/ptxas.tsv")
)

// assembly is what the assembler says of a module: messages by line, and messages without one.
type assembly struct {
	lines map[int][]string
	rest  []string
}

// assemble runs the assembler on a module.
func assemble(t *testing.T, target, text string) assembly {
	t.Helper()
	name := filepath.Join(t.TempDir(), "forms.ptx")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(*ptxas, "-arch="+target, "-O0", name, "-o", os.DevNull).CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	a := assembly{lines: map[int][]string{}}
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSpace(line)
		if m := atLine.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[1])
			a.lines[n] = append(a.lines[n], m[2])
		} else if strings.Contains(line, "fatal") && !afterwards.MatchString(line) {
			a.rest = append(a.rest, line)
		}
	}
	return a
}

// afterwards matches messages that follow others, or come of the code generator.
var afterwards = regexp.MustCompile("aborted due to errors|Register allocation failed")

var atLine = regexp.MustCompile(`line (\d+); (?:error|fatal)\s*: (.*)`)

// checked returns the messages of the checker by line.
func checked(t *testing.T, text string) map[int]string {
	t.Helper()
	all := map[int]string{}
	lines := strings.Split(text, "\n")
	for {
		ast, err := ptxgrammar.Parse("forms.ptx", []byte(strings.Join(lines, "\n")))
		if err == nil {
			_, err = rewrite.Check(ast)
		}
		if err == nil {
			return all
		}
		found := errorLines(err) // of at most 50 errors
		before := len(all)
		for n, message := range found {
			all[n], lines[n-1] = message, ""
		}
		if len(all) == before {
			t.Fatalf("%v", err)
		}
	}
}

// disagreement is a group of spellings of a form on which the checker and the assembler differ for one reason.
type disagreement struct {
	form, verdict, reason string
}

const (
	falseAccept  = "accepted, ptxas refuses"
	falseRefusal = "refused, ptxas accepts"
)

// found is what is known of a disagreement: one of its instructions, with a target, and how many there are.
type found struct {
	example, target string
	count           int
}

// assemblerTargets are the targets that the assembler knows.
func assemblerTargets(t *testing.T) []string {
	out, err := exec.Command(*ptxas, "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	targets := regexp.MustCompile(`'(sm_\d+[af]?)'`).FindAllStringSubmatch(string(out), -1)
	var words []string
	for _, m := range targets {
		if !slices.Contains(words, m[1]) {
			words = append(words, m[1])
		}
	}
	return words
}

// TestAssembler compares the checker with the assembler on every form of the table: all spellings on a target that
// supports them, and one spelling for each requirement on every target. testdata/ptxas.tsv lists the disagreements that
// remain, with the sentence of the manual that decides each.
func TestAssembler(t *testing.T) {
	if *ptxas == "" {
		t.Skip("needs -ptxas, a path of ptxas")
	}
	c := comparison{t: t, targets: assemblerTargets(t), found: map[disagreement]*found{}}
	for _, in := range isa.All() {
		if *opcode == "" || in.Name == *opcode {
			c.opcode(in)
		}
	}
	t.Logf("%d instructions on %d targets: %d compared", c.samples, len(c.targets), c.compared)
	c.report()
}

// TestNewest checks that the table ends with the version that the assembler takes, and has the assembler's targets.
func TestNewest(t *testing.T) {
	if *ptxas == "" {
		t.Skip("needs -ptxas, a path of ptxas")
	}
	next := isa.NewestVersion + 1
	module := func(v isa.Version) string {
		return strings.Replace(sampleModule("sm_100", nil), ".version 9.5", ".version "+v.String(), 1)
	}
	if a := assemble(t, "sm_100", module(isa.NewestVersion)); len(a.rest)+len(a.lines) > 0 {
		t.Errorf("the assembler does not take PTX %s: %v %v", isa.NewestVersion, a.rest, a.lines)
	}
	if a := assemble(t, "sm_100", module(next)); len(a.rest)+len(a.lines) == 0 {
		t.Errorf("the assembler takes PTX %s; the table ends with %s", next, isa.NewestVersion)
	}
	for _, word := range assemblerTargets(t) {
		if target, ok := isa.ParseTarget(word); !ok || isa.NewerTarget(target.String()) {
			t.Errorf("the assembler has %s, which the table does not", word)
		}
	}
}

type comparison struct {
	t                 *testing.T
	targets           []string
	found             map[disagreement]*found
	samples, compared int
}

// opcode compares the forms of an opcode.
func (c *comparison) opcode(in *isa.Instr) {
	perTarget := map[string][]*sample{}
	seen := map[string]bool{}
	for _, s := range samplesOf(in) {
		c.samples++
		perTarget[s.target] = append(perTarget[s.target], s)
		key := s.form.Syntax() + "|" + s.needs
		if seen[key] {
			continue
		}
		seen[key] = true
		for _, target := range c.targets {
			if target != s.target {
				perTarget[target] = append(perTarget[target], s)
			}
		}
	}
	for _, target := range c.targets {
		for part := range slices.Chunk(perTarget[target], 400) {
			c.compare(target, part)
		}
	}
}

// compare compares the verdicts on samples.
func (c *comparison) compare(target string, samples []*sample) {
	text := sampleModule(target, samples)
	theirs := assemble(c.t, target, text)
	if len(theirs.lines) == 0 && len(theirs.rest) > 0 && len(samples) > 1 { // of one of them
		c.compare(target, samples[:len(samples)/2])
		c.compare(target, samples[len(samples)/2:])
		return
	}
	ours := checked(c.t, text)
	c.compared += len(samples)
	for i, s := range samples {
		refused, message := append(theirs.lines[sampleLine+i], theirs.rest...), ours[sampleLine+i]
		switch {
		case len(refused) > 0 && message == "":
			c.add(disagreement{s.form.Syntax(), falseAccept, general(refused[0])}, s, target)
		case len(refused) == 0 && message != "":
			c.add(disagreement{s.form.Syntax(), falseRefusal, general(message)}, s, target)
		}
	}
}

func (c *comparison) add(d disagreement, s *sample, target string) {
	f := c.found[d]
	if f == nil {
		f = &found{example: s.text, target: target}
		c.found[d] = f
	}
	f.count++
}

var names = regexp.MustCompile(`'[^']*'|"[^"]*"|\.?sm_\w+`)

// general returns a message without what differs between spellings.
func general(message string) string {
	message, _, _ = strings.Cut(message, ": form ")
	return names.ReplaceAllString(message, "_")
}

// listed is the file with the disagreements that remain: form, verdict, the message, an instruction with a target, and
// what decides it.
const listed = "testdata/ptxas.tsv"

// report compares the disagreements with the list.
func (c *comparison) report() {
	why := explanations(c.t)
	keys := slices.SortedFunc(maps.Keys(c.found), func(a, b disagreement) int {
		return cmp.Or(cmp.Compare(a.form, b.form), cmp.Compare(a.verdict, b.verdict), cmp.Compare(a.reason, b.reason))
	})
	var b strings.Builder
	for _, d := range keys {
		f := c.found[d]
		if why[d] == "" {
			c.t.Errorf("%s: %s\n\t%s\n\t%s on %s, %d times", d.verdict, d.reason, d.form, f.example, f.target, f.count)
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s on %s\t%s\n", d.form, d.verdict, d.reason, f.example, f.target, why[d])
	}
	for d := range why {
		if c.found[d] == nil && *opcode == "" {
			c.t.Errorf("%s lists what is no disagreement: %s: %s: %s", listed, d.form, d.verdict, d.reason)
		}
	}
	if *update {
		if err := os.WriteFile(listed, []byte(b.String()), 0o600); err != nil {
			c.t.Fatal(err)
		}
	}
}

// explanations returns what decides the listed disagreements.
func explanations(t *testing.T) map[disagreement]string {
	text, err := os.ReadFile(listed)
	if err != nil {
		t.Fatal(err)
	}
	why := map[disagreement]string{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 5 {
			t.Fatalf("%s: %q has %d fields, expected 5", listed, line, len(fields))
		}
		why[disagreement{fields[0], fields[1], fields[2]}] = fields[4]
	}
	return why
}

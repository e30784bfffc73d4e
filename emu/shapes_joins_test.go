package emu_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ptxsan/ptxsan/rewrite"
)

// shapesDoc has a table of where the lanes of shapes meet: by the mark that they pass
// next, "end" when they pass none.
const shapesDoc = "../docs/lockstep.md"

// What stands before and behind the rows.
const (
	shapesHead = "| shape | joins of ptxas | joins here | |\n|---|---|---|---|\n"
	shapesTail = "\n<!-- end of shapes -->"
)

// shapeRemarks say why joins differ.
var shapeRemarks = map[string]string{
	"return_after_work":          remarkLate,
	"return_of_the_other_side":   remarkLate,
	"barrier_in_both_sides":      "7: " + remarkEnds,
	"either_condition":           "4: " + remarkEnds,
	"loop_with_barrier":          "2: " + remarkEnds + "; end: " + remarkLate,
	"loop_with_exits":            "7: " + remarkEnds + "; 2: " + remarkParts,
	"loop_left_from_inner_loop":  "1, 2: " + remarkParts,
	"goto_end":                   "5: " + remarkEnds,
	"goto_one_of_two":            "6: " + remarkParts,
	"goto_steps":                 "5: " + remarkParts,
	"irreducible":                remarkParts,
	"call_through_table":         remarkTable,
	"call_through_table_in_loop": remarkTable,
	"recursion":                  "end: " + remarkLate,
}

const (
	remarkEnds  = "leads to the end only"
	remarkLate  = "lanes meet once more at the end"
	remarkParts = "ptxas executes it in parts"
	remarkTable = "the lanes meet at the return address"
)

// TestShapeJoins: the table in docs/lockstep.md is true of the joins here, and of
// those of ptxas where it is installed. With -update it is written.
func TestShapeJoins(t *testing.T) {
	raw, err := os.ReadFile(shapesDoc)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(raw), shapesHead)
	table, after, ok := strings.Cut(rest, shapesTail)
	if !ok {
		t.Fatalf("%s has no table of shapes", shapesDoc)
	}
	var theirs map[string]string
	missing := "the test is short"
	if !testing.Short() {
		theirs, missing = ptxasJoins(t)
	}
	if theirs == nil {
		theirs = documented(table)
	}
	var rows strings.Builder
	for _, f := range loadShapes(t).Funcs {
		if !f.Entry {
			continue
		}
		ours, remark := shapeJoins(f), shapeRemarks[f.Name]
		if remark == "" && ours != theirs[f.Name] {
			t.Errorf("%s: ptxas joins at %s, here lanes meet at %s: the table needs a remark", f.Name, theirs[f.Name], ours)
		}
		fmt.Fprintf(&rows, "| %s | %s | %s | %s |\n", f.Name, theirs[f.Name], ours, remark)
	}
	got := strings.TrimSuffix(rows.String(), "\n")
	if flag.Lookup("update").Value.String() == "true" { // of package emu
		if err := os.WriteFile(shapesDoc, []byte(before+shapesHead+got+shapesTail+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if got != table {
		t.Errorf("%s is out of date: go test ./emu -run TestShapeJoins -update\n%s", shapesDoc, got)
	}
	if missing != "" {
		t.Skipf("the joins of ptxas are taken from %s: %s", shapesDoc, missing)
	}
}

// documented is the joins of ptxas in the table, by shape.
func documented(table string) map[string]string {
	joins := map[string]string{}
	for row := range strings.Lines(table) {
		if cells := strings.Split(row, " | "); len(cells) > 2 {
			joins[strings.TrimPrefix(cells[0], "| ")] = cells[1]
		}
	}
	return joins
}

// shapeJoins is the joins of a kernel and what it calls.
func shapeJoins(f *rewrite.Func) string {
	found := map[string]bool{}
	seen := map[*rewrite.Func]bool{f: true}
	for work := []*rewrite.Func{f}; len(work) > 0; work = work[1:] {
		for _, p := range work[0].Reconvergences() {
			for _, j := range p.Joins {
				found[markFrom(work[0], j)] = true
			}
		}
		for _, in := range work[0].Insts {
			for i := range in.Operands {
				if callee, ok := in.Operands[i].Sym.(*rewrite.Func); ok && !seen[callee] {
					seen[callee] = true
					work = append(work, callee)
				}
			}
		}
	}
	return listMarks(found)
}

// markFrom is the first mark that lanes pass which do not jump, from the beginning of a
// block of f.
func markFrom(f *rewrite.Func, b *rewrite.Block) string {
	for range 8 {
		for _, in := range f.Insts[b.Start:b.End] {
			if in.Instr.Name == "pmevent" {
				return strconv.FormatUint(in.Operands[0].Imm, 10)
			}
		}
		if len(b.Succs) == 0 {
			break
		}
		b = b.Succs[len(b.Succs)-1] // where lanes fall through
	}
	return "end"
}

// listMarks sorts marks by number; the end comes last.
func listMarks(found map[string]bool) string {
	var marks []string
	for m := range found {
		marks = append(marks, m)
	}
	slices.SortFunc(marks, func(a, b string) int { return len(a)*1000 + int(a[0]) - len(b)*1000 - int(b[0]) })
	if len(marks) == 0 {
		return "none"
	}
	return strings.Join(marks, ", ")
}

// ptxasRelease is the one in the table: others may place joins elsewhere.
const ptxasRelease = "release 11.8"

// ptxasJoins is where ptxas has lanes meet in the code of each kernel for sm_60: the
// targets of SSY and PBK. Without ptxas it says what is missing.
func ptxasJoins(t *testing.T) (joins map[string]string, missing string) {
	t.Helper()
	for _, tool := range []string{"ptxas", "nvdisasm"} {
		version, err := exec.Command(tool, "--version").Output()
		switch {
		case err != nil:
			return nil, tool + " is not installed"
		case !strings.Contains(string(version), ptxasRelease):
			return nil, tool + " is not of " + ptxasRelease
		}
	}
	cubin := filepath.Join(t.TempDir(), "shapes.cubin")
	if out, err := exec.Command("ptxas", "-arch=sm_60", "testdata/shapes/shapes.ptx", "-o", cubin).CombinedOutput(); err != nil {
		return nil, fmt.Sprintf("ptxas does not assemble for sm_60: %v: %s", err, out)
	}
	out, err := exec.Command("nvdisasm", "-c", cubin).Output()
	if err != nil {
		return nil, fmt.Sprintf("nvdisasm: %v", err)
	}
	joins = map[string]string{}
	sections := strings.Split(string(out), "\n.text.")
	for _, s := range sections[1:] {
		name, code, _ := strings.Cut(s, ":\n")
		joins[name] = listMarks(machineJoins(code))
	}
	return joins, ""
}

// Lines of a disassembly.
var (
	machineJoin = regexp.MustCompile("(?:SSY|PBK) `\\((\\.L_x_\\d+)\\)")
	machineMark = regexp.MustCompile(`NOP\.TRIG 0x([0-9a-f]+)`)
	machineJump = regexp.MustCompile("^[^@]*(?:BRA `\\(|BRANCH_TARGETS )(\\.L_x_\\d+)")
	machineEnd  = regexp.MustCompile(`^[^@]*(?:EXIT|RET)\b`)
)

// machineJoins is the first marks behind the joins of a kernel.
func machineJoins(code string) map[string]bool {
	lines := strings.Split(code, "\n")
	labels := map[string]int{}
	for i, line := range lines {
		if name, ok := strings.CutSuffix(line, ":"); ok {
			labels[name] = i
		}
	}
	found := map[string]bool{}
	for _, line := range lines {
		if m := machineJoin.FindStringSubmatch(line); m != nil {
			found[machineMarkFrom(lines, labels, labels[m[1]])] = true
		}
	}
	return found
}

// machineMarkFrom is the first mark that lanes pass from a line which do not jump.
func machineMarkFrom(lines []string, labels map[string]int, at int) string {
	for range 200 {
		line := lines[at]
		if m := machineMark.FindStringSubmatch(line); m != nil {
			n, _ := strconv.ParseUint(m[1], 16, 64)
			return strconv.FormatUint(n, 10)
		}
		if m := machineJump.FindStringSubmatch(line); m != nil {
			at = labels[m[1]]
		} else if machineEnd.MatchString(line) || at+1 == len(lines) {
			break
		}
		at++
	}
	return "end"
}

package rewrite

import (
	"fmt"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// Unified is the unified diff of two texts with n lines of context, "" when equal.
// It is minimal in lines and does not depend on the speed of the machine.
func Unified(aName, a, bName, b string, n int) string {
	if a == b {
		return ""
	}
	u := unified{ops: lineDiff(a, b), context: max(n, 0)}
	fmt.Fprintf(&u.out, "--- %s\n+++ %s\n", aName, bName)
	for at := 0; at < len(u.ops); {
		at = u.hunk(at)
	}
	return u.out.String()
}

// lineOp is one line of a diff: kept ' ', removed '-' or added '+'.
type lineOp struct {
	kind byte
	text string
}

// lineDiff compares line by line. Common lines at both ends are set aside first:
// the cost of the rest is quadratic in the lines that differ.
func lineDiff(a, b string) []lineOp {
	la, lb := splitLines(a), splitLines(b)
	head := 0
	for head < len(la) && head < len(lb) && la[head] == lb[head] {
		head++
	}
	tail := 0
	for tail < len(la)-head && tail < len(lb)-head && la[len(la)-1-tail] == lb[len(lb)-1-tail] {
		tail++
	}
	var ops []lineOp
	for _, l := range la[:head] {
		ops = append(ops, lineOp{' ', l})
	}
	ops = append(ops, middleDiff(la[head:len(la)-tail], lb[head:len(lb)-tail])...)
	for _, l := range la[len(la)-tail:] {
		ops = append(ops, lineOp{' ', l})
	}
	return ops
}

// splitLines cuts after every line end; a last line may lack its end.
func splitLines(s string) []string {
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func middleDiff(a, b []string) []lineOp {
	dmp := diffmatchpatch.New()
	dmp.DiffTimeout = 0 // the default gives up after a second, and then the result depends on the machine
	ra, rb, table := dmp.DiffLinesToRunes(strings.Join(a, ""), strings.Join(b, ""))
	var ops []lineOp
	for _, d := range dmp.DiffCharsToLines(dmp.DiffMainRunes(ra, rb, false), table) {
		kind := byte(' ')
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			kind = '-'
		case diffmatchpatch.DiffInsert:
			kind = '+'
		}
		for _, l := range splitLines(d.Text) {
			ops = append(ops, lineOp{kind, l})
		}
	}
	return ops
}

// unified writes hunks; lineA and lineB count the lines before the position.
type unified struct {
	ops          []lineOp
	context      int
	lineA, lineB int
	out          strings.Builder
}

// hunk writes the next hunk at or after ops[at] and returns where it ends.
func (u *unified) hunk(at int) int {
	first := at
	for first < len(u.ops) && u.ops[first].kind == ' ' {
		first++
	}
	if first == len(u.ops) {
		return first
	}
	start := max(at, first-u.context)
	u.skip(u.ops[at:start])
	last := first
	for i := first; i < len(u.ops) && i-last <= 2*u.context+1; i++ {
		if u.ops[i].kind != ' ' {
			last = i
		}
	}
	end := min(last+1+u.context, len(u.ops))
	u.write(u.ops[start:end])
	return end
}

// skip counts lines that are not shown.
func (u *unified) skip(ops []lineOp) {
	u.lineA += len(ops)
	u.lineB += len(ops)
}

// write prints a hunk.
func (u *unified) write(ops []lineOp) {
	countA, countB := 0, 0
	for _, o := range ops {
		if o.kind != '+' {
			countA++
		}
		if o.kind != '-' {
			countB++
		}
	}
	fmt.Fprintf(&u.out, "@@ -%s +%s @@\n", hunkRange(u.lineA, countA), hunkRange(u.lineB, countB))
	for _, o := range ops {
		u.out.WriteByte(o.kind)
		u.out.WriteString(o.text)
		if !strings.HasSuffix(o.text, "\n") {
			u.out.WriteString("\n\\ No newline at end of file\n")
		}
	}
	u.lineA += countA
	u.lineB += countB
}

// hunkRange is the range of a hunk header: an empty range names the line before it.
func hunkRange(before, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", before)
	case 1:
		return fmt.Sprint(before + 1)
	}
	return fmt.Sprintf("%d,%d", before+1, count)
}

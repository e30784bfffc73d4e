// Repairs as edits of the CUDA source, if they have a simple form there.

package fix

import (
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/passes/repair"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// editSource returns a CUDA source file with the edits that have a simple form there, and the other edits. Simple are barriers,
// fences, scopes, conditions before a call, and updates of one line that become atomic. Entries of spots override spotOf.
func (r *Result) editSource(name string, src []byte, spots map[*repair.Edit]spot) (text string, left []*repair.Edit) {
	s := &source{result: r, name: name, lines: strings.SplitAfter(string(src), "\n"), before: make(map[int]string), after: make(map[int]string)}
	for _, e := range r.Edits {
		at, ok := spots[e]
		if !ok {
			at = r.spotOf(&e.Changes[len(e.Changes)-1])
		}
		if !s.edit(e, at) {
			left = append(left, e)
		}
	}
	return s.text(), left
}

// source is a source file that is edited by lines, numbered from 1.
type source struct {
	result        *Result
	name          string
	lines         []string // each with its line end
	before, after map[int]string
}

func (s *source) text() string {
	var b strings.Builder
	for i, line := range s.lines {
		b.WriteString(s.before[i+1] + line + s.after[i+1])
	}
	return b.String()
}

// edit applies an edit, and reports whether it has a form in the source.
func (s *source) edit(e *repair.Edit, at spot) bool {
	n := s.lineOf(at.line)
	if n == 0 {
		return false
	}
	switch e.Op {
	case repair.Barrier, repair.WarpBarrier, repair.Fence:
		return s.insert(n, at.place, e.Advice+";\n")
	case repair.WidenFence:
		return s.replace(n, "__threadfence_block(", "__threadfence(")
	case repair.WidenScope:
		return s.replace(n, "_block(", "(") || s.replace(n, "thread_scope_block", "thread_scope_device")
	case repair.Atomic:
		return s.atomic(n)
	case repair.OneThread:
		return s.condition(n, e.Advice)
	}
	return false
}

// lineOf returns the number of a line, or 0 for a line of another file.
func (s *source) lineOf(at *report.Source) int {
	if at == nil {
		return 0
	}
	own := at.Own()
	if path.Base(own.File) != path.Base(s.name) || own.Line < 1 || own.Line > len(s.lines) {
		return 0
	}
	return own.Line
}

var call = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\s*)([\w:.>-]+\(.*\);.*\n?)$`) })

// condition inserts a condition before a call that is alone on its line.
func (s *source) condition(n int, condition string) bool {
	m := call().FindStringSubmatch(s.lines[n-1])
	if m == nil || !s.begins(n) {
		return false
	}
	s.lines[n-1] = m[1] + condition + " " + m[2]
	return true
}

// insert inserts a statement before or after the statement of a line. It returns false if the line does not begin or end a
// statement.
func (s *source) insert(n int, place repair.Place, statement string) bool {
	line := s.lines[n-1]
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	switch {
	case place == repair.After && complete(line):
		s.after[n] += indent + statement
	case place == repair.Before && s.begins(n):
		s.before[n] += indent + statement
	default:
		return false
	}
	return true
}

// begins reports whether a line begins a statement: the previous line with text, other than preprocessor lines, ends one.
func (s *source) begins(n int) bool {
	for i := n - 2; i >= 0; i-- {
		if text := code(s.lines[i]); text != "" && text[0] != '#' {
			return complete(text)
		}
	}
	return false
}

// complete reports whether a line ends a statement or begins or ends a block.
func complete(line string) bool {
	text := code(line)
	return strings.HasSuffix(text, ";") || strings.HasSuffix(text, "{") || strings.HasSuffix(text, "}")
}

// code returns a line without its line comment and surrounding blanks.
func code(line string) string {
	text, _, _ := strings.Cut(line, "//")
	return strings.TrimSpace(text)
}

// replace replaces a word that occurs exactly once in a line.
func (s *source) replace(n int, old, text string) bool {
	if strings.Count(s.lines[n-1], old) != 1 {
		return false
	}
	s.lines[n-1] = strings.Replace(s.lines[n-1], old, text, 1)
	return true
}

var update = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\s*)(?:([^=+;]+?)\s*\+=\s*([^;]+)|([^=+;]+)\+\+|\+\+([^=+;]+));(.*\n?)$`)
})

// atomic makes an addition in a line atomic.
func (s *source) atomic(n int) bool {
	m := update().FindStringSubmatch(s.lines[n-1])
	if m == nil {
		return false
	}
	value := m[3]
	if value == "" {
		value = "1"
	}
	s.lines[n-1] = m[1] + "atomicAdd(&" + m[2] + m[4] + m[5] + ", " + value + ");" + m[6]
	return true
}

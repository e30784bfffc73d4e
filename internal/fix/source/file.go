// The file, and edits as changes of its lines.

package source

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// Spot is the place of a change for people: a line of the CUDA source, nil if unknown, and for inserted statements the
// side of the line.
type Spot struct {
	Line  *report.Source
	Place repair.Place
}

// At returns a place.
func At(line *report.Source, place repair.Place) Spot { return Spot{line, place} }

// File is a source file that is edited by lines, numbered from 1.
type File struct {
	name, src     string
	lines         []string // each with a line feed at its end, but perhaps the last
	crlf          []bool   // lines that end with a carriage return and a line feed
	before, after map[int]string
	done          map[string]bool // edits by what they do: several of the PTX may be one of the source
	bodies        *bodies
}

// New returns a file without edits.
func New(name, src string) *File {
	s := &File{
		name: name, src: src, before: make(map[int]string), after: make(map[int]string),
		done: make(map[string]bool),
	}
	for _, line := range strings.SplitAfter(src, "\n") {
		text, ok := strings.CutSuffix(line, "\r\n")
		if ok {
			line = text + "\n"
		}
		s.lines, s.crlf = append(s.lines, line), append(s.crlf, ok)
	}
	s.bodies = bodiesOf(s.lines)
	return s
}

// Text returns the edited source. Inserted lines end as the line beside them does.
func (s *File) Text() string {
	var b strings.Builder
	for i, line := range s.lines {
		text := s.before[i+1] + line + s.after[i+1]
		if s.crlf[i] {
			text = strings.ReplaceAll(text, "\n", "\r\n")
		}
		b.WriteString(text)
	}
	return b.String()
}

// Edit applies an edit at places, and reports whether it has a form at all of them.
func (s *File) Edit(e *repair.Edit, list []Spot) bool {
	for _, at := range list {
		if !s.editAt(e, at) {
			return false
		}
	}
	return len(list) > 0
}

// HasForm reports whether an edit of the file without others has a form at places.
func (s *File) HasForm(e *repair.Edit, list []Spot) bool { return New(s.name, s.src).Edit(e, list) }

func (s *File) editAt(e *repair.Edit, at Spot) bool {
	c := &e.Changes[len(e.Changes)-1]
	n := s.LineOf(at.Line)
	if n == 0 {
		return false
	}
	key, column := fmt.Sprint(e.Op, e.Advice, n, at.Place, s.statement(e)), 0
	if e.Op == repair.Remove || e.Op == repair.Weaken {
		column = at.Line.Own().Column
		key += fmt.Sprint(" ", column)
	}
	if s.done[key] {
		return true
	}
	switch e.Op {
	case repair.Remove:
		s.done[key] = s.remove(n, column)
	case repair.Weaken:
		s.done[key] = s.assembly(c, n) || s.weaken(c, n, column)
	default:
		s.done[key] = s.change(e, c, n, at.Place)
	}
	return s.done[key]
}

// change applies a change at a line.
func (s *File) change(e *repair.Edit, c *repair.Change, n int, place repair.Place) bool {
	if slices.ContainsFunc(e.Changes, func(c repair.Change) bool { return s.assembly(&c, n) }) {
		return true
	}
	switch e.Op {
	case repair.WidenFence:
		return s.replace(n, "__threadfence_block(", "__threadfence(")
	case repair.WidenScope:
		return s.widen(n)
	case repair.WidenMask:
		return s.replace(n, mask().FindString(s.lines[n-1]), "__syncwarp()")
	case repair.Coherent:
		return s.replace(n, "__ldg(", "*(")
	case repair.Atomic:
		return s.atomic(n)
	case repair.Split:
		if place == repair.After {
			n++
		}
		return n <= len(s.lines) && s.splitKernel(n)
	case repair.OneThread:
		return s.condition(n, e.Advice)
	case repair.Release:
		return c.At.MemoryScope() < c.Scope && s.widen(n) || s.Insert(n, repair.Before, s.statement(e)+"\n")
	case repair.Acquire:
		return c.At.MemoryScope() < c.Scope && s.widen(n) || s.Insert(n, repair.After, s.statement(e)+"\n")
	case repair.SplitBarrier:
		if e.Parts() {
			return s.endBranch(n, place, s.statement(e))
		}
	case repair.Wait:
		if c.Place == repair.Instead {
			return s.waitLonger(c, n)
		}
	}
	text := s.statement(e)
	return text != "" && s.Insert(n, place, text+"\n")
}

var mask = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`__syncwarp\([^()]+\)`) })

// widen removes the block scope of an atomic function or object in a line, or that of the only object of the source
// that has it.
func (s *File) widen(n int) bool {
	const block, device = "thread_scope_block", "thread_scope_device"
	if s.replace(n, block, device) || s.replace(n, "_block(", "(") {
		return true
	}
	return strings.Count(s.src, block) == 1 && s.everywhere(block, device)
}

// everywhere replaces a text in all lines.
func (s *File) everywhere(old, text string) bool {
	for i, line := range s.lines {
		s.lines[i] = strings.Replace(line, old, text, 1)
	}
	return true
}

// LineOf returns the number of a line, or 0 for a line of another file.
func (s *File) LineOf(at *report.Source) int {
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
func (s *File) condition(n int, condition string) bool {
	m := call().FindStringSubmatch(s.lines[n-1])
	if m == nil || !s.begins(n) {
		return false
	}
	s.lines[n-1] = m[1] + condition + " " + m[2]
	return true
}

// Insert inserts a statement before or after the statement of a line. It returns false if the line does not begin or
// end a statement.
func (s *File) Insert(n int, place repair.Place, statement string) bool {
	indent := s.indent(n)
	switch {
	case !s.fits(n, place):
		return false
	case place == repair.After:
		s.after[n] += indent + statement
	default:
		s.before[n] += indent + statement
	}
	return true
}

// begins reports whether a line begins a statement: the previous line with text, other than preprocessor lines, ends
// one.
func (s *File) begins(n int) bool {
	for i := n - 2; i >= 0; i-- {
		if text := code(s.lines[i]); text != "" && text[0] != '#' {
			return complete(text) || macro().MatchString(text)
		}
	}
	return false
}

// macro matches a line that is, by its name, a macro that stands for a statement.
var macro = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Z][A-Z0-9_]+(\(.*\))?$`) })

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
func (s *File) replace(n int, old, text string) bool {
	if old == "" || strings.Count(s.lines[n-1], old) != 1 {
		return false
	}
	s.lines[n-1] = strings.Replace(s.lines[n-1], old, text, 1)
	return true
}

var update = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\s*)(?:([^=+;{}]+?)\s*\+=\s*([^;]+)|([^=+;{}]+)\+\+|\+\+([^=+;]+));(.*\n?)$`)
})

// atomic makes an addition in a line atomic.
func (s *File) atomic(n int) bool {
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

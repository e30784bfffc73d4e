// Functions of the CUDA source, as braces and names show them: where statements can be, and which lines call a
// function.

package source

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/runtime/report"
)

// bodies says for each line of a source, from 1, and one behind the last, whether a function's body is open where the
// line begins, and which functions have bodies that begin in it.
type bodies struct {
	open  []bool
	heads [][]string
}

// bodiesOf finds the bodies of functions. Braces of namespaces, classes and "extern" do not count.
func bodiesOf(lines []string) *bodies {
	b := &bodies{open: make([]bool, len(lines)+2), heads: make([][]string, len(lines)+2)}
	var open []bool // the braces that are open: whether each is of a body
	var head strings.Builder
	for i, line := range lines {
		b.open[i+1] = slices.Contains(open, true)
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, c := range literals().ReplaceAllString(line, "0") {
			switch c {
			case '{':
				outer := slices.Contains(open, true)
				body := outer || strings.Contains(head.String(), "(") &&
					!strings.HasPrefix(strings.TrimSpace(head.String()), "extern 0 {")
				if name := function().FindStringSubmatch(head.String()); body && !outer && name != nil {
					b.heads[i+1] = append(b.heads[i+1], name[1])
				}
				open = append(open, body)
			case '}':
				open = open[:max(len(open)-1, 0)]
			}
			if head.WriteRune(c); c == '{' || c == '}' || c == ';' {
				head.Reset()
			}
		}
	}
	b.open[len(lines)+1] = slices.Contains(open, true)
	return b
}

var (
	literals = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`//.*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])'`)
	})
	function = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(\w+)\s*\((?:[^()]|\([^()]*\))*\)[^()]*$`)
	})
)

// fits reports whether a statement can be inserted before or after a line: within the body of a function, beside a
// whole statement.
func (s *File) fits(n int, place repair.Place) bool {
	if n < 1 || n > len(s.lines) {
		return false
	}
	if place == repair.After {
		return complete(s.lines[n-1]) && s.bodies.open[n+1]
	}
	return s.bodies.open[n] && s.begins(n)
}

// Candidates returns the lines that a place may mean, innermost first: its line, the statement that this is a part of,
// and the calls of its function.
func (s *File) Candidates(at Spot) (list []int) {
	for _, n := range s.frames(at.Line) {
		list = append(list, n)
		if m := s.statementAround(n, at.Place); m != n {
			list = append(list, m)
		}
	}
	return list
}

// statementAround returns the first line of the statement of which a line is a part, or the last one.
func (s *File) statementAround(n int, place repair.Place) int {
	step := -1
	if place == repair.After {
		step = 1
	}
	for m := n; m >= 1 && m <= len(s.lines) && m != n+step*MaxStatement; m += step {
		if s.fits(m, place) {
			return m
		}
	}
	return n
}

// frames returns the line of a place in the source and those of the calls that lead to it, as compilers say, or else
// all calls of functions by name.
func (s *File) frames(at *report.Source) (list []int) {
	for _, f := range at.Calls() {
		if n := s.LineOf(&report.Source{File: f.File, Line: f.Line}); n > 0 {
			list = append(list, n)
		}
	}
	for i := 0; i < len(list) && len(list) < maxCalls && len(at.Calls()) == 1; i++ {
		for _, n := range s.callers(list[i]) {
			if !slices.Contains(list, n) {
				list = append(list, n)
			}
		}
	}
	return list
}

// maxCalls limits the lines that frames returns.
const maxCalls = 16

// callers returns the lines that call the function of a line.
func (s *File) callers(n int) (list []int) {
	head := n
	for s.bodies.open[head] && head > 1 && len(s.bodies.heads[head]) == 0 {
		head--
	}
	for _, name := range s.bodies.heads[head] {
		call := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\s*\(`)
		for i, line := range s.lines {
			if i+1 != head && call.MatchString(code(line)) {
				list = append(list, i+1)
			}
		}
	}
	return list
}

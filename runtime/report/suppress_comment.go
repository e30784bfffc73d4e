// Suppressions in sources: comments at accesses.

package report

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// ignoring matches a comment in a source that makes a finding of its line, or of the next one, a known one.
var ignoring = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?://|/\*|#)\s*ptxsan:ignore\b(?:[ \t:]+([^*\s][^*\r\n]*))?`)
})

// Ignored returns suppressions for the places of findings whose line in the source has a comment ptxsan:ignore REASON,
// or the line before it one alone. read returns line n of a file and whether it exists.
func (r *Report) Ignored(read func(file string, n int) (string, bool)) (list Suppressions) {
	for _, p := range r.places() {
		for _, n := range []int{p.Line, p.Line - 1} {
			text, ok := read(p.File, n)
			m := ignoring().FindStringSubmatchIndex(text)
			if !ok || m == nil || inLiteral(text, m[0]) || n < p.Line && strings.TrimSpace(text[:m[0]]) != "" {
				continue
			}
			if m[2] < 0 {
				r.note([]string{fmt.Sprintf("%s:%d: ptxsan:ignore has no reason, and is not honoured: write // ptxsan:ignore REASON", p.File, n)})
				break
			}
			at := fmt.Sprintf("%s:%d", p.File, p.Line)
			s := Suppression{
				Source: at, Reason: strings.TrimSpace(text[m[2]:m[3]]),
				pos: fmt.Sprintf("%s:%d: ptxsan:ignore", p.File, n), unused: true,
			}
			list = append(list, &s)
			for _, f := range r.Faults {
				if at := (Access{PTX: f.PTX, Source: f.Source}); at.stands(s.Source) {
					of := s
					of.Cause = f.Class
					list = append(list, &of)
				}
			}
			break
		}
	}
	return list
}

// inLiteral reports whether a position of a line is in a string or character literal. A quote that is not closed in its
// line opens none, as the apostrophe of a comment or of a number.
func inLiteral(line string, at int) bool {
	for i := 0; i < at; i++ {
		if q := line[i]; q == '"' || q == '\'' && (i == 0 || line[i-1] < '0' || line[i-1] > '9') {
			end := closing(line, i)
			if end > at {
				return true
			}
			i = max(i, end)
		}
	}
	return false
}

// closing returns where the literal ends that a quote opens, -1 if not in the line.
func closing(line string, open int) int {
	for i := open + 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case line[open]:
			return i
		}
	}
	return -1
}

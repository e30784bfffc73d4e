// Suppressions in the form of ThreadSanitizer.

package report

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// tsanLine matches a line of a suppression file of ThreadSanitizer: a kind and a pattern.
var tsanLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([a-z_]+):(\S.*)$`) })

// maxPattern is the maximum length of a pattern in bytes: to match it takes time in proportion.
const maxPattern = 4096

// isTSan reports whether the first line with text is one of ThreadSanitizer.
func isTSan(src []byte) bool {
	for line := range strings.Lines(string(src)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return tsanLine().MatchString(line)
		}
	}
	return false
}

// parseTSan parses lines such as race:name. The pattern is a part of the name of a function, a file or a variable of
// one of the accesses; * is any text, ^ and $ are the ends of the name. Lines of other kinds are about threads of
// hosts: they are entries that match nothing, which is reported.
func parseTSan(name string, src []byte) (Suppressions, error) {
	var out Suppressions
	n := 0
	for line := range strings.Lines(string(src)) {
		n++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		m := tsanLine().FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("%s:%d:1: expected a line such as race:function, found %q", name, n, line)
		}
		if len(m[2]) > maxPattern {
			return nil, fmt.Errorf("%s:%d:1: a pattern of %d bytes, expected at most %d", name, n, len(m[2]),
				maxPattern)
		}
		s := &Suppression{pos: fmt.Sprintf("%s:%d:1", name, n)}
		if m[1] == "race" {
			s.race = tsanPattern(m[2])
		} else {
			s.record = &record{useless: "the suppression is not about races of data"}
		}
		out = append(out, s)
	}
	return out, nil
}

// tsanPattern converts a pattern to a regular expression.
func tsanPattern(text string) *regexp.Regexp {
	text = strings.ReplaceAll(regexp.QuoteMeta(text), `\*`, ".*")
	if rest, ok := strings.CutPrefix(text, `\^`); ok {
		text = "^" + rest
	}
	if rest, ok := strings.CutSuffix(text, `\$`); ok {
		text = rest + "$"
	}
	return regexp.MustCompile(text)
}

// matchesTSan reports whether the pattern matches a name of the race.
func (s *Suppression) matchesTSan(x *Race) bool {
	if s.race.MatchString(x.Symbol) {
		return true
	}
	for _, a := range []*Access{&x.First, &x.Second} {
		names := append(spellings(a.function()), spellings(a.Kernel)...)
		for _, p := range a.places() {
			names = append(names, p.File)
		}
		for _, name := range names {
			if s.race.MatchString(name) {
				return true
			}
		}
	}
	return false
}

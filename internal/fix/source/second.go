// A second kernel in the CUDA source.

package source

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
)

// definition is a kernel in the source, by lines from 0.
type definition struct {
	name string
	head string // up to the brace that opens the body
	body int    // first line behind the brace
}

// splitKernel splits the kernel before a line, where that is at the top level of its body. The second kernel repeats
// the declarations that calculate from parameters and thread numbers, and the conditions under which threads exit. Each
// launch in the source is followed by one of it.
func (s *File) splitKernel(n int) bool {
	d := s.kernelAround(n - 1)
	if d == nil || !s.begins(n) || s.depth(d.body, n-1) != 0 {
		return false
	}
	launch := regexp.MustCompile(`\b` + d.name + `\s*<<<`)
	word := regexp.MustCompile(`\b` + d.name + `\b`)
	var repeated strings.Builder
	for at := d.body; at < n-1; at++ {
		if s.depth(d.body, at) == 0 && s.begins(at+1) && repeatable(s.lines[at]) {
			repeated.WriteString(s.lines[at])
		}
	}
	second := word.ReplaceAllString(d.head, d.name+repair.Rest)
	s.before[n] += "}\n\n" + second + "{\n" + repeated.String()
	for at, line := range s.lines {
		if launch.MatchString(line) && complete(line) && s.begins(at+1) {
			s.after[at+1] += launch.ReplaceAllString(line, d.name+repair.Rest+"<<<")
		}
	}
	return true
}

var kernelHead = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?s)^[^(]*?__global__[^(]*?\b(\w+)\s*\([^()]*\)\s*$`)
})

// kernelAround returns the kernel whose body contains a line, nil for none, and for templates.
func (s *File) kernelAround(line int) *definition {
	for start := line; start >= 0; start-- {
		if !strings.Contains(code(s.lines[start]), "__global__") {
			continue
		}
		for body := start; body <= line; body++ {
			head, _, opens := strings.Cut(strings.Join(s.lines[start:body+1], ""), "{")
			if !opens {
				continue
			}
			m := kernelHead().FindStringSubmatch(head)
			template := start > 0 && strings.Contains(s.lines[start-1], "template") ||
				strings.Contains(head, "template")
			if m == nil || template || !strings.HasSuffix(code(s.lines[body]), "{") {
				return nil
			}
			return &definition{name: m[1], head: head, body: body + 1}
		}
		return nil
	}
	return nil
}

// depth returns how many braces are open before a line, of those from another one on; -1 if more are closed.
func (s *File) depth(from, to int) (depth int) {
	for _, line := range s.lines[from:to] {
		text := code(line)
		if depth += strings.Count(text, "{") - strings.Count(text, "}"); depth < 0 {
			return -1
		}
	}
	return depth
}

// declarations matches declarations of values, and conditions under which a thread returns.
var declarations = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(?:const|constexpr|unsigned|signed|int|long|short|char|float|double|size_t|bool|auto|u?int\d+_t)\s+)+[\w\s=,+\-*/%<>&|^!~?:.()]*;$|` +
		`^if\s*\([\w\s=+\-*/%<>&|^!~?:.()]*\)\s*return\s*;$`)
})

var (
	indirection = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[=(,+\-*/%<>&|^?:]\s*[*&]\s*\w`) })
	called      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b([A-Za-z_]\w*)\s*\(`) })
)

// repeatable reports whether a line can be executed again with the same result: a declaration or an exit that reads no
// memory.
func repeatable(line string) bool {
	text := strings.ReplaceAll(code(line), "&&", "||")
	for _, m := range called().FindAllStringSubmatch(text, -1) {
		if !slices.Contains([]string{"if", "min", "max"}, m[1]) {
			return false
		}
	}
	shared := strings.HasPrefix(text, "__shared__ ") || strings.HasPrefix(text, "extern __shared__ ")
	return shared || declarations().MatchString(text) && !indirection().MatchString(text)
}

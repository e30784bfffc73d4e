// Calls that do nothing else than synchronise, so that they can be left out as a whole.

package source

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

var (
	// callee matches a call up to its first parenthesis; its group is the name of the function.
	callee = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\w:.>()-]*?(\w+)(?: volatile)?\(`) })
	// synchronising matches names of functions that order threads, or wait for them or for copies.
	synchronising = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(__syncthreads|__syncwarp|__threadfence\w*|\w*sync|\w*fence\w*|\w*wait\w*|arrive\w*|` +
			`barrier_(arrive|wait)|griddep\w+|cudaGridDependencySynchronize)$`)
	})
	// instructions matches the literals of assembly.
	instructions = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"([^"]*)"`) })
)

// onlySynchronises reports whether a call does nothing else than synchronise, as far as its name says: it may be a
// macro of the source.
func (s *File) onlySynchronises(call string) bool {
	m := callee().FindStringSubmatch(call)
	if m == nil {
		return false
	}
	switch name := m[1]; {
	case name == "asm":
		return oneOpcode(call)
	case strings.Contains(s.src, "#define "+name):
		return s.macro(name)
	default:
		return synchronising().MatchString(name)
	}
}

// macro reports whether a macro of the source, in one line, only synchronises.
func (s *File) macro(name string) bool {
	_, body, _ := strings.Cut(s.src, "#define "+name)
	body, _, _ = strings.Cut(body, "\n")
	if body = code(body); !strings.HasPrefix(body, "()") || strings.HasSuffix(body, "\\") ||
		strings.Count(s.src, "#define "+name) != 1 {
		return false
	}
	body = strings.NewReplacer("do {", "", "} while (0)", "", "} while(0)", "").Replace(body[len("()"):])
	return !slices.ContainsFunc(strings.Split(body, ";"), func(part string) bool {
		part = strings.TrimSpace(part)
		return part != "" && (strings.Count(part, "(") != 1 || !strings.HasSuffix(part, ")") || !s.onlySynchronises(part))
	})
}

// oneOpcode reports whether the instructions of an assembly statement have the same opcode, so that one site has them
// all.
func oneOpcode(call string) bool {
	text := instructions().FindStringSubmatch(call)
	if text == nil {
		return false
	}
	layout := strings.NewReplacer(`\n`, " ", `\t`, " ", "{", " ", "}", " ")
	var opcodes []string
	for part := range strings.SplitSeq(layout.Replace(text[1]), ";") {
		if words := strings.Fields(part); len(words) > 0 {
			opcodes = append(opcodes, words[0])
		}
	}
	return len(slices.Compact(opcodes)) == 1
}

// Synchronisation that is left out or weakened in the text of the source.

package source

import (
	"regexp"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// span is a part of a line.
type span struct{ begin, end int }

// callAt returns the call in a line around a column, from 1, with the object of a member function; false if it has
// none, or goes on in the next line. Columns of some compilers are those of the first statement of several, so that one
// with another call behind it is not known to be the right one.
func (s *File) callAt(n, column int) (at span, ok bool) {
	line := s.lines[n-1]
	if column < 1 || column > len(line) {
		return span{}, false
	}
	at = span{column - 1, column - 1}
	for at.begin > 0 && strings.ContainsRune("._:>-", rune(line[at.begin-1])) || at.begin > 0 && letter(line[at.begin-1]) {
		at.begin--
	}
	depth, quoted := 0, false
	for i := at.begin; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"' && line[i-1] != '\\':
			quoted = !quoted
		case quoted:
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				at.end = i + 1
				_, next, _ := strings.Cut(code(line[at.end:]), ";")
				return at, !strings.Contains(next, "(")
			}
		case c == ';' && depth == 0:
			return span{}, false
		}
	}
	return span{}, false
}

func letter(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// remove leaves out the statement that is the call at a column of a line. Where the statement belongs to a condition or
// a loop, an empty one stays.
func (s *File) remove(n, column int) bool {
	at, ok := s.callAt(n, column)
	if !ok {
		return false
	}
	line := s.lines[n-1]
	if !s.onlySynchronises(line[at.begin:at.end]) {
		return false
	}
	before, after := line[:at.begin], line[at.end:]
	rest, ok := strings.CutPrefix(strings.TrimLeft(after, " \t"), ";")
	head := strings.TrimSpace(before)
	alone := head == "" && s.begins(n) || strings.HasSuffix(head, ";") || strings.HasSuffix(head, "{") ||
		strings.HasSuffix(head, "}")
	switch {
	case !ok || head != "" && !alone && !strings.HasSuffix(head, ")") && !strings.HasSuffix(head, "else"):
		return false
	case !alone:
		s.lines[n-1] = before + ";" + rest
	case head == "" && code(rest) == "":
		s.lines[n-1] = ""
	default:
		s.lines[n-1] = before + strings.TrimLeft(rest, " \t")
		if strings.TrimSpace(rest) == "" {
			s.lines[n-1] = strings.TrimRight(before, " \t") + rest
		}
	}
	return true
}

// weaken makes the call at a column of a line the one of a weaker instruction.
func (s *File) weaken(c *repair.Change, n, column int) bool {
	text := unguarded(strings.TrimSuffix(c.Text, ";"))
	if s.waitLonger(c, n) {
		return true
	}
	at, ok := s.callAt(n, column)
	if !ok {
		return false
	}
	line := s.lines[n-1]
	old := line[at.begin:at.end]
	weaker := narrowed(old, text)
	if words := strings.TrimSuffix(s.cuda(text), ";"); plain().MatchString(old) && !strings.HasPrefix(words, "asm") {
		weaker = words
	}
	if weaker == "" || weaker == old {
		return false
	}
	s.lines[n-1] = line[:at.begin] + weaker + line[at.end:]
	return true
}

// plain matches the calls that stand for one instruction.
var plain = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^__(syncthreads|threadfence(_block|_system)?)\(\s*\)$`)
})

// narrowed returns a call with the scope and the order of an instruction, "" if it names none that can be replaced.
func narrowed(call, instruction string) string {
	opcode, _, _ := strings.Cut(instruction, " ")
	for word := range strings.SplitSeq(opcode, ".") {
		if scope, ok := isa.ScopeOf(word); ok {
			call = scoped(call, scope)
		}
		if sem, ok := isa.SemOf(word); ok {
			call = ordered().ReplaceAllString(call, "memory_order_"+sem.String())
		}
	}
	return call
}

// scoped returns a call with another scope: a word of libcu++, or the suffix of an atomic function.
func scoped(call string, scope isa.Scope) string {
	word, suffix := "thread_scope_block", "_block("
	switch scope {
	case isa.ScopeGPU:
		word, suffix = "thread_scope_device", "("
	case isa.ScopeSys, isa.ScopeCluster:
		return call
	}
	if m := atomicCall().FindStringSubmatch(call); m != nil {
		return m[1] + suffix + call[len(m[0]):]
	}
	return scopes().ReplaceAllString(call, word)
}

var (
	scopes     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`thread_scope_\w+`) })
	ordered    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`memory_order_\w+`) })
	atomicCall = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(atomic[A-Z][A-Za-z]*)(?:_system|_block)?\(`) })
)

// Statements of PTX as CUDA C++.

package source

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// statement returns the statements that an edit inserts, "" if they have no form in the source.
func (s *File) statement(e *repair.Edit) string {
	c := &e.Changes[len(e.Changes)-1]
	switch {
	case e.Op == repair.Grid:
		return s.gridSync()
	case e.Op == repair.Split:
		return "split"
	case c.Text == "" && e.Op != repair.Release && e.Op != repair.Acquire:
		return ""
	case e.Like != nil:
		return s.repeated(e)
	case e.Op == repair.Release || e.Op == repair.Acquire:
		if c.Scope == isa.ScopeCTA {
			return "__threadfence_block();"
		}
		return "__threadfence();"
	}
	var words []string
	for line := range strings.SplitSeq(c.Text, "\n") {
		word := s.cuda(strings.TrimSuffix(line, ";"))
		if word == "" {
			return ""
		}
		if len(words) == 0 || words[len(words)-1] != word {
			words = append(words, word)
		}
	}
	return strings.Join(words, " ")
}

// spelled are the statements that CUDA C++ has functions for, by the beginnings of their opcodes.
var spelled = []struct{ ptx, cuda string }{
	{"bar.warp.sync", "__syncwarp();"},
	{"bar.sync 0", "__syncthreads();"},
	{"barrier.sync 0", "__syncthreads();"},
	{"membar.cta", "__threadfence_block();"},
	{"fence.acq_rel.cta", "__threadfence_block();"},
	{"fence.sc.cta", "__threadfence_block();"},
	{"membar.gl", "__threadfence();"},
	{"fence.acq_rel.gpu", "__threadfence();"},
	{"fence.sc.gpu", "__threadfence();"},
}

// cuda returns a statement of PTX as CUDA C++: a function where the source has one, otherwise inline assembly; "" for
// statements with registers, labels and addresses.
func (s *File) cuda(text string) string {
	for _, x := range spelled {
		if strings.HasPrefix(text, x.ptx) {
			return x.cuda
		}
	}
	groups, waits := strings.CutPrefix(text, "cp.async.wait_group ")
	switch {
	case strings.ContainsAny(text, "%[@{}") || strings.HasSuffix(text, ":"):
		return ""
	case strings.HasPrefix(text, "barrier.cluster"):
		return s.clusterSync()
	case waits && s.pipelined():
		return "__pipeline_wait_prior(" + groups + ");"
	case text == "cp.async.wait_all" && s.pipelined():
		return "__pipeline_wait_prior(0);"
	}
	return fmt.Sprintf("asm volatile(%q ::: \"memory\");", text+";")
}

// pipelined reports whether the source uses the functions of cuda_pipeline.h.
func (s *File) pipelined() bool { return strings.Contains(s.src, "__pipeline_") }

var clusterGroup = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\w+)\s*=\s*(?:\w+\s*::\s*)*this_cluster\s*\(`)
})

// clusterSync returns a barrier of the cluster: of the group that the source has, else in assembly, which needs no
// header.
func (s *File) clusterSync() string {
	if m := clusterGroup().FindStringSubmatch(s.src); m != nil {
		return m[1] + ".sync();"
	}
	return `asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");`
}

var gridGroup = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\w+)\s*=\s*(?:\w+\s*::\s*)*this_grid\s*\(`)
})

// gridSync returns a barrier of the grid. It includes the header of cooperative groups.
func (s *File) gridSync() string {
	if m := gridGroup().FindStringSubmatch(s.src); m != nil {
		return m[1] + ".sync();"
	}
	if !strings.Contains(s.src, "cooperative_groups.h") {
		s.before[1] = "#include <cooperative_groups.h>\n"
	}
	return "cooperative_groups::this_grid().sync();"
}

// repeated returns the statement of the wait that an edit repeats, if it is alone on its line.
func (s *File) repeated(e *repair.Edit) string {
	n := s.LineOf(session.SourceOf(e.Like))
	if n == 0 || !s.begins(n) || !strings.HasSuffix(code(s.lines[n-1]), ";") {
		return ""
	}
	return code(s.lines[n-1])
}

// waitLonger makes the wait for groups of copies in a line, with the number of an instruction, one for the number of a
// change.
func (s *File) waitLonger(c *repair.Change, n int) bool {
	old, was := strings.CutPrefix(c.At.Text(), "cp.async.wait_group ")
	_, text, _ := strings.Cut(c.Text, "cp.async.wait_")
	pending := "0"
	if n, ok := strings.CutPrefix(strings.TrimSuffix(text, ";"), "group "); ok {
		pending = n
	}
	call := "__pipeline_wait_prior("
	return was && s.replace(n, call+strings.TrimSpace(old)+")", call+pending+")")
}

// endBranch ends the branch of an if statement beside a line, and continues it behind a barrier. The condition must be
// repeatable. A condition under which threads return before the line becomes a branch for the others.
func (s *File) endBranch(n int, place repair.Place, barrier string) bool {
	if barrier == "" || !s.fits(n, place) {
		return false
	}
	head := s.branch(n)
	if head == 0 {
		head = s.exit(n)
	}
	if head == 0 {
		return false
	}
	indent, text := s.indent(head), code(s.lines[head-1])
	text = indent + "}\n" + indent + barrier + "\n" + indent + text + "\n"
	if place == repair.After {
		s.after[n] += text
	} else {
		s.before[n] += text
	}
	return true
}

// indent returns the blanks with which a line begins.
func (s *File) indent(n int) string {
	line := s.lines[n-1]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

var returns = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^if\s*\(([\w\s=+\-*/%<>&|!~?:.()]*)\)\s*return\s*;$`)
})

// exit makes the condition in a line above, under which threads return, a branch for the others up to the end of the
// function. It returns the line, 0 if there is none.
func (s *File) exit(n int) int {
	for head := n - 1; head > 0 && s.bodies.open[head]; head-- {
		m := returns().FindStringSubmatch(code(s.lines[head-1]))
		if m == nil || !repeats(m[1]) || s.depth(head, n-1) != 0 {
			continue
		}
		end := n
		for end < len(s.lines) && s.depth(head, end) >= 0 {
			end++
		}
		if s.bodies.open[end+1] || code(s.lines[end-1]) != "}" {
			return 0
		}
		s.lines[head-1] = s.indent(head) + "if (!(" + m[1] + ")) {\n"
		s.before[end] = s.indent(head) + "}\n" + s.before[end]
		return head
	}
	return 0
}

// repeats reports whether a condition has the same value when it is tested again: it changes nothing and reads no
// memory.
func repeats(condition string) bool {
	text := strings.ReplaceAll(condition, "&&", "||")
	return !strings.Contains(text, "++") && !strings.Contains(text, "--") && !assigns().MatchString(text) &&
		!indirection().MatchString(text) && !called().MatchString(text)
}

var condition = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^if\s*\(([\w\s=+\-*/%<>&|!~?:.()]*)\)\s*\{$`) })

// branch returns the line of the if statement whose arm contains a line at its top level, 0 if there is none, or if its
// condition may have changed or it has another arm.
func (s *File) branch(n int) int {
	head := n - 1
	for head > 0 && s.depth(head-1, n-1) != 1 {
		head--
	}
	if head <= 0 {
		return 0
	}
	end := n
	for end <= len(s.lines) && s.depth(head, end) >= 0 {
		end++
	}
	m := condition().FindStringSubmatch(code(s.lines[head-1]))
	other := end > len(s.lines) || strings.Contains(code(s.lines[end-1]), "else") ||
		end < len(s.lines) && strings.HasPrefix(code(s.lines[end]), "else")
	if m == nil || other || !repeats(m[1]) {
		return 0
	}
	return head
}

var assigns = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^=<>!]=[^=]`) })

// assembly makes a change to an instruction in the text of the asm statement that begins in a line.
func (s *File) assembly(c *repair.Change, n int) bool {
	if c.Place != repair.Instead && c.Place != repair.Strengthen {
		return false
	}
	old, text := c.At.Text(), unguarded(strings.TrimSuffix(c.Statements(), ";"))
	if text == "" || strings.Contains(text, "\n") {
		return false
	}
	opcode, operands, _ := strings.Cut(old, " ")
	changed, others, _ := strings.Cut(text, " ")
	if operands == others {
		old, text = opcode, changed
	}
	for m := n; m <= len(s.lines) && m < n+MaxStatement; m++ {
		if s.inLiteral(m, old, text) || s.inLiteral(m, opcode+" %0", text) {
			return true
		}
		if strings.HasSuffix(code(s.lines[m-1]), ";") {
			break
		}
	}
	return false
}

// MaxStatement is the number of lines in which a statement is looked for.
const MaxStatement = 8

// inLiteral replaces an instruction, or its opcode, that occurs once in the string literals of a line.
func (s *File) inLiteral(n int, old, text string) bool {
	word := regexp.MustCompile(regexp.QuoteMeta(old) + `(?:[\s;]|\\[nt]|"|$)`)
	found := 0
	line := literals().ReplaceAllStringFunc(s.lines[n-1], func(literal string) string {
		at := word.FindAllStringIndex(literal, -1)
		if literal[0] != '"' || len(at) == 0 {
			return literal
		}
		found += len(at)
		return literal[:at[0][0]] + text + literal[at[0][0]+len(old):]
	})
	if found != 1 {
		return false
	}
	s.lines[n-1] = line
	return true
}

// unguarded returns an instruction without its guard.
func unguarded(text string) string {
	if strings.HasPrefix(text, "@") {
		_, text, _ = strings.Cut(text, " ")
	}
	return text
}

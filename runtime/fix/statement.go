// Statements of PTX as CUDA C++.

package fix

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/passes/repair"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// statement returns the statements that an edit inserts, "" if they have no form in the source.
func (s *source) statement(e *repair.Edit) string {
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

// cuda returns a statement of PTX as CUDA C++: a function where the source has one, otherwise inline assembly; "" for statements
// with registers, labels and addresses.
func (s *source) cuda(text string) string {
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
func (s *source) pipelined() bool { return strings.Contains(s.src, "__pipeline_") }

var clusterGroup = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\w+)\s*=\s*(?:\w+\s*::\s*)*this_cluster\s*\(`)
})

// clusterSync returns a barrier of the cluster: of the group that the source has, else in assembly, which needs no header.
func (s *source) clusterSync() string {
	if m := clusterGroup().FindStringSubmatch(s.src); m != nil {
		return m[1] + ".sync();"
	}
	return `asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");`
}

var gridGroup = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(\w+)\s*=\s*(?:\w+\s*::\s*)*this_grid\s*\(`)
})

// gridSync returns a barrier of the grid. It includes the header of cooperative groups.
func (s *source) gridSync() string {
	if m := gridGroup().FindStringSubmatch(s.src); m != nil {
		return m[1] + ".sync();"
	}
	if !strings.Contains(s.src, "cooperative_groups.h") {
		s.before[1] = "#include <cooperative_groups.h>\n"
	}
	return "cooperative_groups::this_grid().sync();"
}

// repeated returns the statement of the wait that an edit repeats, if it is alone on its line.
func (s *source) repeated(e *repair.Edit) string {
	n := s.lineOf(session.SourceOf(e.Like))
	if n == 0 || !s.begins(n) || !strings.HasSuffix(code(s.lines[n-1]), ";") {
		return ""
	}
	return code(s.lines[n-1])
}

// waitLonger makes the only wait for groups of copies with the number of an instruction one for the number of a change.
func (s *source) waitLonger(c *repair.Change) bool {
	old, was := strings.CutPrefix(c.At.Text(), "cp.async.wait_group ")
	_, text, _ := strings.Cut(c.Text, "cp.async.wait_")
	pending := "0"
	if n, ok := strings.CutPrefix(strings.TrimSuffix(text, ";"), "group "); ok {
		pending = n
	}
	call := "__pipeline_wait_prior(" + strings.TrimSpace(old) + ")"
	return was && strings.Count(s.src, call) == 1 && s.everywhere(call, "__pipeline_wait_prior("+pending+")")
}

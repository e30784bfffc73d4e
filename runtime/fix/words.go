// Edits in words, for people who change the source.

package fix

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/passes/repair"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/session"
)

// words describes the edits of a repair: what is to be changed, and where.
func (r *Result) words() string {
	var list []string
	times := make(map[string]int)
	for _, e := range r.Edits {
		text := r.wordsOf(e)
		if times[text]++; times[text] == 1 {
			list = append(list, text)
		}
	}
	for i, text := range list {
		if n := times[text]; n > 1 {
			list[i] += fmt.Sprintf(" (%d copies of the line in the PTX)", n)
		}
	}
	return strings.Join(list, "; and ")
}

// phrases has the words of kinds of edits, with the edit in CUDA C++, its places, the opcodes in PTX, and the fence of the same scope.
var phrases = map[repair.Op]string{
	repair.Release:      "release {at} ({edit}; {op}), or {fence} before it",
	repair.Acquire:      "acquire {at} ({edit}; {op}), or {fence} after it",
	repair.Strong:       "a relaxed access {at} (cuda::atomic_ref; {op})",
	repair.WidenScope:   "{edit} {at} ({op})",
	repair.WidenFence:   "replace the fence {at} by {op} ({edit})",
	repair.Atomic:       "{edit} in place of the load and the store {at}",
	repair.Wait:         "{edit} ({op}) {at}",
	repair.SplitBarrier: "{edit}: {at}",
	repair.OneThread:    "{edit} {at}, so that one thread of the block initialises it",
}

// wordsOf describes an edit.
func (r *Result) wordsOf(e *repair.Edit) string {
	var places, opcodes []string
	for i := range e.Changes {
		c := &e.Changes[i]
		if e.Op != repair.Atomic && (c.Place == repair.Instead && c.Text == "" || strings.HasPrefix(c.Text, ".reg")) {
			continue // part of what another change does
		}
		if at := r.where(c); !slices.Contains(places, at) {
			places = append(places, at)
		}
		if op := opcode(c); op != "" && !slices.Contains(opcodes, op) {
			opcodes = append(opcodes, op)
		}
	}
	op, fence := strings.Join(opcodes, ", "), "__threadfence()"
	if strings.Contains(op, ".cta") {
		fence = "__threadfence_block()"
	}
	return strings.NewReplacer("{edit}", e.Advice, "{at}", strings.Join(places, ", and "), "{op}", op, "{fence}", fence).Replace(cmp.Or(phrases[e.Op], "{edit} {at}"))
}

var opcodes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[a-z]\w*(\.[\w:]+)+`) })

// opcode returns the opcode with its modifiers that a change inserts or makes of another one.
func opcode(c *repair.Change) string {
	if c.Place == repair.Strengthen {
		return c.Opcode()
	}
	return opcodes().FindString(c.Text)
}

// where returns the place of a change.
func (r *Result) where(c *repair.Change) string {
	at, line := r.spotOf(c), r.changePlace(c)
	switch at.place {
	case repair.Instead, repair.Strengthen:
		return "at " + line
	case within:
		return "between the load and the store of " + line + " (load into a variable, wait, then store it)"
	}
	if strings.HasPrefix(c.Text, "@") {
		return fmt.Sprintf("%s %s by the threads that go another way", at.place, line)
	}
	if round := round(c, at); round != "" {
		return "at the " + round + " of each round of the loop at " + line
	}
	return fmt.Sprintf("%s %s", at.place, line)
}

// round returns where in a loop a statement goes whose line is that of the loop's condition: a statement before that line would be
// outside of the loop. It is empty for other lines.
func round(c *repair.Change, at spot) string {
	f := c.At.Func
	b := f.CFG().BlockOf[c.At.Index]
	loop := f.CFG().Innermost()[b.Index]
	if loop == nil || at.line == nil {
		return ""
	}
	inside := func(b *rewrite.Block) bool { return slices.Contains(loop.Blocks, b) }
	here := func(in *rewrite.Inst) bool {
		s := session.SourceOf(in)
		return s != nil && s.Own().File == at.line.Own().File && s.Own().Line == at.line.Own().Line
	}
	outside := func(in *rewrite.Inst) bool { return here(in) && !inside(f.CFG().BlockOf[in.Index]) }
	// A loop inside that the compiler has unrolled has a part of its line outside, too, but not the condition of this loop.
	condition := func(in *rewrite.Inst) bool {
		from := f.CFG().BlockOf[in.Index]
		return here(in) && in.Branches() && inside(from) && slices.ContainsFunc(from.Succs, func(to *rewrite.Block) bool { return !inside(to) })
	}
	switch {
	case !slices.ContainsFunc(f.Insts, outside) || !slices.ContainsFunc(f.Insts, condition):
		return ""
	case b == loop.Header:
		return "start"
	}
	return "end"
}

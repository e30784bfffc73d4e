// Edits in words, for people who change the source.

package fix

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ptxsan/ptxsan/internal/fix/repair"
)

// words describes edits by action and place. It leaves out the edits for which the source patch has no statement,
// unless none has one.
func (r *Result) words(edits []*repair.Edit) string {
	if r.revised != nil {
		return r.revised.statements()
	}
	var list []string
	times := make(map[string]int)
	needed := func(e *repair.Edit) bool { at, chosen := r.chosen[e]; return !chosen || len(at) > 0 }
	for _, e := range edits {
		if !needed(e) && slices.ContainsFunc(edits, needed) {
			continue
		}
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
	text := strings.Join(list, "; and ")
	if r.Verified.Remaining != "" {
		text += "; it leaves a race in " + r.Verified.Remaining
	}
	return text
}

// phrases has the words of kinds of edits, with the edit in CUDA C++, its places, the opcodes in PTX, and the fence of
// the same scope.
var phrases = map[repair.Op]string{
	repair.Release:      "release {at} ({edit}; {op}), or {fence} before it",
	repair.Acquire:      "acquire {at} ({edit}; {op}), or {fence} after it",
	repair.Strong:       "a relaxed access {at} (cuda::atomic_ref; {op})",
	repair.WidenScope:   "{edit} {at} ({op})",
	repair.WidenFence:   "replace the fence {at} by {op} ({edit})",
	repair.Atomic:       "{edit} in place of the load and the store {at}",
	repair.Wait:         "{edit} ({op}) {at}",
	repair.SplitBarrier: "{edit}: {at}",
	repair.Move:         "{edit} from {from} to the place {at}",
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
		if e.Parts() && strings.HasPrefix(c.Text, "@") {
			continue // the threads that go another way pass the barrier outside of the branch, too
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
	text := strings.NewReplacer("{edit}", e.Advice, "{from}", r.changePlace(&e.Changes[0]), "{at}",
		strings.Join(places, ", and "), "{op}", op, "{fence}", fence).Replace(cmp.Or(phrases[e.Op], "{edit} {at}"))
	if e.Skipped {
		text += " (where some threads have returned; if it is a branch that they skip, end that before the barrier and go on behind it under the same condition)"
	}
	return text
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
	switch at.Place {
	case repair.Instead, repair.Strengthen:
		return "at " + line
	case within:
		return "between the load and the store of " + line + " (load into a variable, wait, then store it)"
	}
	if strings.HasPrefix(c.Text, "@") {
		return fmt.Sprintf("%s %s by the threads that go another way", at.Place, line)
	}
	return fmt.Sprintf("%s %s", at.Place, line)
}

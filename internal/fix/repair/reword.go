// Instructions in other words: with other semantics and another scope.

package repair

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Guarded returns a statement with the guard of an instruction.
func Guarded(in *rewrite.Inst, statement string) string { return guardText(in) + statement + ";" }

// guardText returns the guard of an instruction as written, with a blank.
func guardText(in *rewrite.Inst) string {
	switch {
	case in.Guard == nil:
		return ""
	case in.GuardNot:
		return "@!" + in.Guard.Name + " "
	}
	return "@" + in.Guard.Name + " "
}

// stronger returns the instruction with at least the given semantics and scope.
func stronger(in *rewrite.Inst, sem isa.Sem, scope isa.Scope) string {
	if in.Instr.Class == isa.ClassFence {
		return Reworded(in, in.Sem, scope)
	}
	sem, scope = join(in.MemorySem(), max(sem, isa.SemRelaxed)), max(in.MemoryScope(), scope, isa.ScopeCTA)
	if in.Sem == isa.SemVolatile || in.Sem == isa.SemMMIO {
		scope = isa.ScopeSys
	}
	return Reworded(in, sem, scope)
}

// Reworded returns the instruction with the given semantics and scope, without its guard. Fences, barriers and
// operations on mbarrier objects keep their spelling, and take only what they spell; accesses spell both, or neither
// where they are weak.
func Reworded(in *rewrite.Inst, sem isa.Sem, scope isa.Scope) string {
	opcode, operands, _ := strings.Cut(in.Text(), " ")
	words := strings.Split(opcode, ".")
	if s := in.Sync(); s != isa.SyncAccess && s != isa.SyncNone {
		return strings.Join(respelt(words, sem, scope), ".") + suffix(operands)
	}
	kept := slices.DeleteFunc(words[1:], func(w string) bool {
		_, s := isa.SemOf(w)
		_, t := isa.ScopeOf(w)
		return s || t
	})
	if sem == isa.SemWeak {
		return strings.Join(slices.Concat(words[:1], kept), ".") + suffix(operands)
	}
	return strings.Join(slices.Concat(qualified(in.Func.Module, words[0], sem, scope), kept), ".") + suffix(operands)
}

// respelt returns an opcode with other semantics and another scope where it spells them.
func respelt(words []string, sem isa.Sem, scope isa.Scope) []string {
	words = slices.Clone(words)
	for i, w := range words {
		if _, ok := isa.SemOf(w); ok {
			words[i] = sem.String()
		}
		if _, ok := isa.ScopeOf(w); ok {
			words[i] = scope.String()
			if i == 1 && scope == isa.ScopeGPU { // membar.LEVEL
				words[i] = "gl"
			}
		}
	}
	return words
}

func suffix(operands string) string {
	if operands == "" {
		return ""
	}
	return " " + operands
}

// Opcodes as old targets can spell them.

package repair

import (
	"slices"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
)

// qualified returns the first words of the opcode of a strong operation. Before sm_70 and PTX 6.0 there are no
// semantics: a load or store is volatile, which is at least relaxed, and an atomic operation is relaxed. Before sm_60
// and PTX 5.0 atomic operations have no scope, and act on the device (PTX ISA, "ld", "st", "atom", "red"). Where a
// target has nothing as strong, the words are those of newer targets.
func qualified(m *rewrite.Module, op string, sem isa.Sem, scope isa.Scope) []string {
	sm, version := isa.ModuleTarget(m.AST.Target).SM, m.AST.Version
	atomic := op == "atom" || op == "red"
	switch {
	case sm == 0 || sm >= 70 && version >= 60 || sem != isa.SemRelaxed:
		return []string{op, sem.String(), scope.String()}
	case !atomic:
		return []string{op, isa.SemVolatile.String()}
	case sm >= 60 && version >= 50:
		return []string{op, scope.String()}
	case scope > isa.ScopeGPU:
		return []string{op, sem.String(), scope.String()}
	}
	return []string{op}
}

// stronglyAtomic returns the opcode of a relaxed atomic operation on the space of an access, followed by other words.
func stronglyAtomic(op string, scope isa.Scope, at *rewrite.Inst, more ...string) []string {
	return slices.Concat(qualified(at.Func.Module, op, isa.SemRelaxed, scope), spaceWords(at), more)
}

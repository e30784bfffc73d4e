// Changes of the scope of memory operations.

package rewrite

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
)

// SetScope changes the scope of a fence or a memory operation: membar.cta becomes membar.gl, atom.cta.add.u32 becomes
// atom.gpu.add.u32. An atomic without a scope, which means .gpu, gets one; other instructions without one have none. It
// is an error if the module's version or target does not support the scope.
func (e *Editor) SetScope(in *Inst, scope isa.Scope) error {
	r := e.m.AST.OpcodeRange(in.AST)
	words := strings.Split(e.m.AST.Text(r), ".")
	mods := words[1:]
	at := slices.IndexFunc(mods, func(m string) bool { _, ok := isa.ScopeOf(strings.TrimSpace(m)); return ok })
	word := cmp.Or(in.Instr.SpellScope(scope), scope.String())
	switch {
	case at >= 0 && in.Scope != isa.ScopeNone:
		mods[at] = word
	case in.Access.Atomic():
		at = 0
		if len(mods) > 0 {
			if _, sem := isa.SemOf(mods[0]); sem {
				at = 1
			}
		}
		mods = slices.Insert(mods, at, word)
	default:
		return e.errorf(in, "%q has no scope", in.Text())
	}
	d, err := in.Instr.Decode(mods, len(in.Operands))
	if err != nil || d.Scope != scope {
		return e.errorf(in, "%q cannot have scope .%s", in.Text(), word)
	}
	if unmet := d.Unmet(e.m.requirements()); unmet != "" && in.Unmet(e.m.requirements()) == "" {
		return e.errorf(in, "%q cannot have scope .%s: %s", in.Text(), word, unmet)
	}
	e.change(r, words[0]+"."+strings.Join(mods, "."), "SetScope")
	return nil
}

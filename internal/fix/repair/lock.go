// Locks: an access is put under the lock that protects the other access of the race.

package repair

import (
	"slices"
	"strings"

	"github.com/ptxsan/ptxsan/rewrite"
)

// lock proposes to take the lock of the other access. A lock is a variable with a compare-and-swap that dominates that
// access, and a later write that restores its old value.
func (p *proposer) lock() {
	in, other := p.r.Unlocked, p.r.First
	if in == other {
		other = p.r.Second
	}
	if in == nil || in.Func != p.at.f || other.Func != p.at.f || in.Guard != nil {
		return
	}
	for _, take := range p.at.f.Insts {
		if !take.Access.Atomic() || !take.Has("cas") || len(take.Operands) != 4 ||
			!p.at.g.Dominates(p.at.g.BlockOf[take.Index], p.at.g.BlockOf[other.Index]) {
			continue
		}
		variable, free := p.at.objectText(take, 1), OperandText(take, 2)
		released := slices.ContainsFunc(p.at.f.Insts, func(x *rewrite.Inst) bool {
			value, address := len(x.Operands)-1, len(x.Operands)-2
			return x.Access.Writes() && address >= 0 && p.at.leads(other, x) && OperandText(x, value) == free &&
				p.at.objectText(x, address) == variable
		})
		if released && !strings.Contains(variable, "%") {
			cost := 2*p.scaled(costAtomic) + 2*p.scaled(costFence)
			p.add(Lock, cost, "the lock taken in front of this access and released behind it",
				Change{At: in, Place: Instead, Text: p.lockText(take, variable, in)})
		}
	}
}

// lockText returns an access under a lock.
func (p *proposer) lockText(take *rewrite.Inst, variable string, in *rewrite.Inst) string {
	scope := max(p.r.Scope(), take.MemoryScope())
	atom := strings.Join(stronglyAtomic("atom", scope, take), ".")
	typ, fence := take.Type(0).String(), p.fenceText(scope)
	free, taken := OperandText(take, 2), OperandText(take, 3)
	return `{
.reg .pred fix_busy;
.reg .b` + typ[1:] + ` fix_old;
fix_take:
` + atom + ".cas." + typ + " fix_old, " + variable + ", " + free + ", " + taken + `;
setp.ne.` + typ + " fix_busy, fix_old, " + free + `;
@fix_busy bra fix_take;
` + fence + "\n" + in.Text() + ";\n" + fence + "\n" + atom + ".exch." + typ + " fix_old, " + variable + ", " + free + `;
}`
}

// Kernels without races and warnings, of which nothing needs to be checked.

package proofs

import (
	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/rewrite"
)

// Whole returns the atomic and other strong accesses of kernels that race with nothing, if all others of the kernel are
// in exempt. They may order accesses of different threads, but no access of the kernel needs that. Since each read of
// theirs only decides what is done next, precise would not warn of them.
func (p *Program) Whole(f *Facts, exempt map[*rewrite.Inst]bool) map[*rewrite.Inst]bool {
	out, exemptions := make(map[*rewrite.Inst]bool), p.Exemptions(f)
	for _, k := range f.Order {
		if f.hopeless[k] {
			continue
		}
		flags := p.flagsOf(k, f)
		strong := func(in *rewrite.Inst) bool { return exemptions[in] == address.ExemptUpdate || flags[in] }
		if !allOf(k, func(in *rewrite.Inst) bool { return exempt[in] || strong(in) }) {
			continue
		}
		for _, in := range k.Insts {
			if strong(in) {
				out[in] = true
			}
		}
	}
	return out
}

// flagsOf returns the accesses of a kernel to flags.
func (p *Program) flagsOf(k *rewrite.Func, f *Facts) map[*rewrite.Inst]bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := f.keyOf(p.Module, k)
	out, known := p.proofs.flags[key]
	if !known {
		out = address.Flags(k, f.Program.Given(k.Name))
		p.proofs.flags[key] = out
	}
	return out
}

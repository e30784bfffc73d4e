// Kernels without races and warnings, of which nothing needs to be checked.

package session

import (
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/address"
	"github.com/ptxsan/ptxsan/runtime/session/detectors"
)

// whole returns the atomic and other strong accesses of kernels that race with nothing, if all others of the kernel are in leftOut. They
// may order accesses of different threads, but no access of the kernel needs that. Since each read of theirs only decides what is done
// next, precise would not warn of them.
func whole(d *detectors.Detector, p *Program, f *facts, leftOut map[*rewrite.Inst]bool) map[*rewrite.Inst]bool {
	if o, ok := d.Options().(*detectors.PreciseOptions); !ok || o.Model != "ptx" || !o.Elide {
		return nil
	}
	out, exempt := make(map[*rewrite.Inst]bool), p.exemptions(f)
	for _, k := range f.order {
		if f.hopeless[k] {
			continue
		}
		flags := p.flagsOf(k, f)
		strong := func(in *rewrite.Inst) bool { return exempt[in] == address.ExemptUpdate || flags[in] }
		if !allOf(k, func(in *rewrite.Inst) bool { return leftOut[in] || strong(in) }) {
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
func (p *Program) flagsOf(k *rewrite.Func, f *facts) map[*rewrite.Inst]bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := f.keyOf(p.Module, k)
	out, known := p.proofs.flags[key]
	if !known {
		out = address.Flags(k, f.program.Given(k.Name))
		p.proofs.flags[key] = out
	}
	return out
}

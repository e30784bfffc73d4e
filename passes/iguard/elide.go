// Accesses that are not instrumented because they cannot race.

package iguard

import (
	"maps"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// exempt returns the accesses that option elide leaves out.
//
// No race is lost, and no reported race changes. Memory that nothing writes has no race: no load of it would be
// reported, as Table 2 compares a load with the last writer. Accesses of memory that is only accessed atomically,
// always at device scope, pass by P6 at the latest, and those of memory accessed by a single thread by P3. The metadata
// of these words are never compared with anything else, except for entries that a larger granularity makes them share
// with other words: false races there disappear.
func exempt(ctx *passes.Context, opts *options) map[*rewrite.Inst]address.Exemption {
	out := map[*rewrite.Inst]address.Exemption{}
	if !opts.Elide {
		return out
	}
	for _, k := range ctx.Module.Kernels() {
		known := ctx.Given(k)
		if opts.Distinct {
			known.Distinct = address.DistinctParams
		}
		maps.Copy(out, address.Exempt(k, known))
	}
	return out
}

// elide plans the remaining hooks of an access that cannot race: for its effect on the order of others, and for locks
// that it takes or releases.
func (p *planner) elide(in *rewrite.Inst) {
	p.ctx.Count("elided", 1)
	scope := in.MemoryScope()
	p.ordering(in, func() {
		hook := ""
		switch info := p.info(in, scope); {
		case !p.opts.Locks:
		case info&abi.IGuardInfoCAS != 0:
			hook = abi.IGuardLock
		case info&abi.IGuardInfoExch != 0:
			hook = abi.IGuardUnlock
		}
		if hook != "" {
			p.before(in, hook, rewrite.Addr(in.Access.Addr), rewrite.Const32(p.info(in, scope)))
		}
	})
}

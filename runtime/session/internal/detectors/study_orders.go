// Facts for BARRACUDA about a program: the instructions that acquire and release.

package detectors

import (
	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/internal/detect/barracuda"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/acqrel"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// studyOrders gives BARRACUDA the instructions that acquire and release. Of the accesses that cannot race, it needs
// only those: others are used in the rules of Figure 3 for comparison only.
func studyOrders(options any, d detect.Detector, user *rewrite.Module) (ExemptionRule, error) {
	pipeline, err := passes.ParsePipeline(acqrel.Pass.Name, []*passes.Pass{acqrel.Pass})
	if err != nil {
		return nil, err
	}
	out, err := pipeline.Run(user)
	if err != nil {
		return nil, err
	}
	result := out.Results[acqrel.Pass.Name].(*acqrel.Result)
	orders := make(barracuda.Orders)
	for _, p := range result.Patterns {
		orders[sites.Number(p.Inst)] = barracuda.Order{
			Acquire: p.Acquires(), Release: p.Releases(),
			Scope: barracudaScope(p.Scope),
		}
	}
	d.(*barracuda.Listener).SetOrders(orders)
	if !options.(*BarracudaOptions).pass.Elide {
		return nil, nil
	}
	return func(in *rewrite.Inst, _ address.Exemption) bool { return result.At(in) == nil }, nil
}

// barracudaScope returns BARRACUDA's scope for that of a pattern.
func barracudaScope(s isa.Scope) barracuda.Scope {
	switch s {
	case isa.ScopeNone, isa.ScopeCTA:
		return barracuda.ScopeBlock
	case isa.ScopeCluster:
		return barracuda.ScopeCluster
	}
	return barracuda.ScopeGlobal
}

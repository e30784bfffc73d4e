package main

import (
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/passes"
	"github.com/ptxsan/ptxsan/passes/acqrel"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/detect/barracuda"
)

// studyOrders tells BARRACUDA which instructions acquire and release.
func studyOrders(d detect.Detector, user *rewrite.Module, events *observe.Events) error {
	pipeline, err := passes.ParsePipeline(acqrel.Pass.Name, []*passes.Pass{acqrel.Pass})
	if err != nil {
		return err
	}
	out, err := pipeline.Run(user)
	if err != nil {
		return err
	}
	orders := make(barracuda.Orders)
	for _, p := range out.Results[acqrel.Pass.Name].(*acqrel.Result).Patterns {
		orders[events.SiteOf(p.Inst)] = barracuda.Order{Acquire: p.Acquires(), Release: p.Releases(), Scope: barracudaScope(p.Scope)}
	}
	d.(*barracuda.Listener).SetOrders(orders)
	return nil
}

// barracudaScope is the scope that BARRACUDA makes of a pattern's.
func barracudaScope(s isa.Scope) barracuda.Scope {
	switch s {
	case isa.ScopeNone, isa.ScopeCTA:
		return barracuda.ScopeBlock
	case isa.ScopeCluster:
		return barracuda.ScopeCluster
	}
	return barracuda.ScopeGlobal
}

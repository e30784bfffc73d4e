package main

import (
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/detect/precise"
)

// studyDecisions tells precise which reads do nothing but decide what is done next.
func studyDecisions(d detect.Detector, user *rewrite.Module, events *observe.Events) error {
	sites := make(map[uint32]bool)
	for _, f := range user.Funcs {
		for in := range f.Deciding() {
			sites[events.SiteOf(in)] = true
		}
	}
	d.(*precise.Detector).SetDecisions(sites)
	return nil
}

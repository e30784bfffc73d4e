package main

import (
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/detect/precise"
)

// studyReads tells precise which reads do nothing but decide what is done next, and which
// guess what a compare-and-swap will find. Reads of what nobody writes need not come: they
// race with nothing and see no release.
func studyReads(options any, d detect.Detector, user *rewrite.Module, exempt exemptions, events *observe.Events) error {
	decisions, guesses := make(map[uint32]bool), make(map[uint32]bool)
	for _, f := range user.Funcs {
		for in := range f.Deciding() {
			decisions[events.SiteOf(in)] = true
		}
		for in := range f.Guesses() {
			guesses[events.SiteOf(in)] = true
		}
	}
	d.(*precise.Detector).SetDecisions(decisions)
	d.(*precise.Detector).SetGuesses(guesses)
	if options.(*preciseOptions).Elide {
		events.IgnoreSites(exempt.only(func(_ *rewrite.Inst, why rewrite.Exemption) bool { return why == rewrite.ExemptRead }))
	}
	return nil
}

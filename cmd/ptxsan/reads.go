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
		events.IgnoreSites(exempt.only(reads))
	}
	return nil
}

// studyMetadata says what ScoRD's hardware may see without a consequence: Tables III and IV
// compare a load with stores. In a cache, metadata of what is only read displace others, and
// they are traffic.
func studyMetadata(options any, _ detect.Detector, _ *rewrite.Module, exempt exemptions, events *observe.Events) error {
	if o := options.(*scordOptions); o.Elide && !o.Cache && !o.Traffic {
		events.IgnoreSites(exempt.only(reads))
	}
	return nil
}

// reads is the condition that nothing writes what is read.
func reads(_ *rewrite.Inst, why rewrite.Exemption) bool { return why == rewrite.ExemptRead }

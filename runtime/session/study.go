// What precise is told of a program beforehand: reads that decide, reads that guess, stores that mark.

package session

import (
	"github.com/ptxsan/ptxsan/emu/observe"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/rewrite/address"
	"github.com/ptxsan/ptxsan/runtime/detect"
	"github.com/ptxsan/ptxsan/runtime/detect/precise"
)

// studyReads tells precise which reads do nothing but decide what is done next, which
// guess what a compare-and-swap will find, and which stores store the same value each time. Reads of what nobody writes need not come, nor
// accesses of what one thread has for itself: they race with nothing, and nobody sees what
// they release.
func studyReads(options any, d detect.Detector, user *rewrite.Module, events *observe.Events) (needless, error) {
	decisions, consulted, guesses := make(map[uint32]bool), make(map[uint32]bool), make(map[uint32]bool)
	marks, numbers := make(map[uint32]uint32), make(map[string]uint32)
	acquires := false
	for _, f := range user.Funcs {
		for _, in := range f.Insts {
			acquires = acquires || in.Access.Kind != isa.AccessNone && in.Sem.Acquires()
		}
		for in := range address.Deciding(f) {
			decisions[events.Site(in)] = true
		}
		for in := range address.Consulted(f) {
			consulted[events.Site(in)] = true
		}
		for in := range address.Guesses(f) {
			guesses[events.Site(in)] = true
		}
		for in, text := range address.Marks(f) {
			if numbers[text] == 0 {
				numbers[text] = uint32(len(numbers) + 1)
			}
			marks[events.Site(in)] = numbers[text]
		}
	}
	d.(*precise.Detector).SetDecisions(decisions)
	d.(*precise.Detector).SetConsulted(consulted)
	d.(*precise.Detector).SetGuesses(guesses)
	d.(*precise.Detector).SetMarks(marks)
	d.(*precise.Detector).SetAcquires(acquires)
	if !options.(*preciseOptions).Elide {
		return nil, nil
	}
	return unseen, nil
}

// studyMetadata says what ScoRD's hardware may see without a consequence: Tables III and IV
// compare accesses of different warps, one of which is a store. In a cache, the metadata of
// the others displace some, and they are traffic.
func studyMetadata(options any, _ detect.Detector, _ *rewrite.Module, _ *observe.Events) (needless, error) {
	if o := options.(*scordOptions); !o.Elide || o.Cache || o.Traffic {
		return nil, nil
	}
	return unseen, nil
}

// needless reports of an access that cannot race whether a detector can do without it. The nil needless: it needs all.
type needless func(in *rewrite.Inst, why address.Exemption) bool

// unseen is the condition that nobody sees a write by the access, and the access none by
// another thread.
func unseen(_ *rewrite.Inst, why address.Exemption) bool {
	return why == address.ExemptRead || why == address.ExemptOwn
}

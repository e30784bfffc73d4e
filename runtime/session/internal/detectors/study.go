// Static facts about a program that the detector precise gets beforehand: reads used for control flow, reads that
// predict, stores that mark.

package detectors

import (
	"iter"
	"maps"
	"slices"

	"github.com/ptxsan/ptxsan/internal/address"
	"github.com/ptxsan/ptxsan/internal/detect/precise"
	"github.com/ptxsan/ptxsan/internal/producer"
	"github.com/ptxsan/ptxsan/internal/sites"
	"github.com/ptxsan/ptxsan/ptxgrammar/isa"
	"github.com/ptxsan/ptxsan/rewrite"
	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// studyReads passes static facts to the detector precise: which reads are used only for control flow, which a loop
// repeats until their value is as wanted, whose value the thread uses before it arrives anywhere, which predict what a
// compare-and-swap will find, which stores always store the same value, and which ones the compiler may let several
// warps execute. The detector does not need reads of memory that is never written, nor accesses to memory that one
// thread uses alone: these cannot race, and no other thread observes what they release.
func studyReads(options any, d detect.Detector, user *rewrite.Module) (ExemptionRule, error) {
	decisions, awaited, consulted, consumed, stored := siteSet{}, siteSet{}, siteSet{}, siteSet{}, siteSet{}
	guesses, unheeded, looks, swaps := siteSet{}, siteSet{}, siteSet{}, siteSet{}
	marks, numbers := make(map[uint32]uint32), make(map[string]uint32)
	maker, replicated := producer.Of(user), siteSet(nil)
	absent := precise.Absent{
		Acquires: true, Barriers: true, RelaxedWrites: true, RelaxedReads: true, Unlocks: true,
		Launches: !user.Launches(), NarrowScopes: true,
	}
	for _, f := range user.Funcs {
		for _, in := range f.Insts {
			without(&absent, in)
			if maker.Replicated(in) {
				if replicated == nil {
					replicated = siteSet{}
				}
				replicated[sites.Number(in)] = true
			}
			if in.Access.Atomic() && address.Unheeded(in) {
				unheeded[sites.Number(in)] = true
			}
		}
		decisions.add(maps.Keys(address.Deciding(f)))
		awaited.add(maps.Keys(address.Awaited(f)))
		consulted.add(maps.Keys(address.Consulted(f)))
		consumed.add(maps.Keys(address.Consumed(f)))
		stored.add(maps.Keys(address.Stored(f)))
		guesses.add(maps.Keys(address.Guesses(f)))
		for look, after := range address.Looks(f) {
			looks[sites.Number(look)] = true
			swaps.add(slices.Values(after))
		}
		for in, text := range address.Marks(f) {
			if numbers[text] == 0 {
				numbers[text] = uint32(len(numbers) + 1)
			}
			marks[sites.Number(in)] = numbers[text]
		}
	}
	p := d.(*precise.Detector)
	p.SetDecisions(decisions)
	p.SetAwaited(awaited)
	p.SetUnheeded(unheeded)
	p.SetConsulted(consulted)
	p.SetConsumed(consumed)
	p.SetStored(stored)
	p.SetGuesses(guesses)
	p.SetLooks(looks, swaps)
	p.SetMarks(marks)
	p.SetReplicated(replicated)
	p.SetAbsent(absent)
	if !options.(*PreciseOptions).Elide {
		return nil, nil
	}
	return unseen, nil
}

// siteSet is a set of the sites of instructions.
type siteSet map[uint32]bool

// add adds the sites of some instructions.
func (s siteSet) add(insts iter.Seq[*rewrite.Inst]) {
	for in := range insts {
		s[sites.Number(in)] = true
	}
}

// without takes what an instruction does from what no instruction does.
func without(absent *precise.Absent, in *rewrite.Inst) {
	switch scope := in.MemoryScope(); {
	case in.Instr.Class == isa.ClassBarrier:
		absent.Barriers = false
	case in.Instr.Class == isa.ClassAsync, scope == isa.ScopeCTA, scope == isa.ScopeCluster:
		absent.NarrowScopes = false
	}
	if in.Access.Kind != isa.AccessNone && in.Sem.Acquires() {
		absent.Acquires = false
	}
	if in.Access.Writes() && in.Strong() && !in.Sem.Releases() {
		absent.RelaxedWrites = false
	}
	if in.Access.Kind == isa.AccessStore && in.Strong() || sites.AtomicOp(in) == abi.AtomicExch {
		absent.Unlocks = false
	}
	if in.Access.Kind != isa.AccessNone && in.Access.Kind != isa.AccessStore && in.Strong() &&
		(!in.Sem.Acquires() || in.Access.Kind == isa.AccessReduce) {
		absent.RelaxedReads = false
	}
}

// studyMetadata says which accesses ScoRD's hardware may skip without changing its results. Tables III and IV compare
// accesses of different warps, one of which is a store. In a cache, the metadata of other accesses evict entries and
// cause traffic.
//
// Table IV (d) compares an atomic operation of device scope with none of its kind. Those that may take or release locks
// (IV.A) or that synchronise (VI, option release) are needed nevertheless, and those that share an entry with other
// objects.
func studyMetadata(options any, _ detect.Detector, _ *rewrite.Module) (ExemptionRule, error) {
	o := options.(*scordOptions)
	switch {
	case !o.Elide || o.Cache || o.Traffic:
		return nil, nil
	case o.Release || o.Granularity > 4:
		return unseen, nil
	}
	return func(in *rewrite.Inst, why address.Exemption) bool {
		return unseen(in, why) || why == address.ExemptUpdate && sites.AtomicOp(in) == abi.AtomicOther
	}, nil
}

// ExemptionRule reports whether a detector needs no events of an access that is exempt for a reason. nil says that it
// needs those of all accesses.
type ExemptionRule func(in *rewrite.Inst, why address.Exemption) bool

// unseen reports whether no other thread observes a write by the access, and the access observes no write by another
// thread.
func unseen(_ *rewrite.Inst, why address.Exemption) bool {
	return why == address.ExemptRead || why == address.ExemptOwn
}

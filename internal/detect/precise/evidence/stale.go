// Stale reads under weak memory: reads of an older value than one that a message has announced to the thread.

package evidence

import (
	"cmp"

	"github.com/ptxsan/ptxsan/runtime/abi"
	"github.com/ptxsan/ptxsan/runtime/detect"
)

// A thread stores data and then, strongly, a flag; another thread reads the flag, and then the data as they were
// before. The accesses may be strong, so that nothing races. But the reader was told that the data are there, and the
// run shows that they need not be.

// stale is what is known of the stale reads by one instruction of what another one stores.
type stale struct {
	first    *Finding // the first one that a message has preceded; nil for none
	searches int      // for a message
}

// maxStaleSearches limits the searches for messages before the reads of a pair of instructions.
const maxStaleSearches = 64

// AddStale records that read m of a scalar at an address has returned an older value than write x, if a message that
// follows x has reached the thread before. Atomic operations are not looked at: they update counters, which others may
// look at without order.
func (e *Evidence) AddStale(at uint64, x, m *StrongAccess) {
	first, second := e.classes.At(x.Class), e.classes.At(m.Class)
	if first.Kind != abi.AccessStore || second.Kind != abi.AccessLoad {
		return
	}
	s := e.staleOf(pair{first.Site, second.Site, e.KindOf(x.Unit, m.Unit)})
	if s.first != nil || s.searches == maxStaleSearches {
		return
	}
	s.searches++
	f := &Finding{
		First: x.Class, FirstUnit: x.Unit, FirstLane: x.Lane, Second: m.Class, SecondUnit: m.Unit, SecondLane: m.Lane,
		At: at, Since: x.At, warning: true,
	}
	e.describe(f)
	if told := e.announcement(f); told != nil {
		if f.Cause != detect.InsufficientFenceScope {
			f.Cause, f.message = detect.MissingFence, told
		}
		f.warning = false
		e.explain(f)
		s.first = f
	}
}

// announcement returns the message by which the second thread of a finding knows of the first access, nil for none: one
// whose value it uses, and that does not release the access. A reader that does not acquire what is released does what
// CUDA's own example of __threadfence does.
func (e *synchronisation) announcement(f *Finding) *message {
	m := e.findMessage(f)
	if m == nil || m.released || e.Unheeded.Has(m.read) || e.unacquired(f) {
		return nil
	}
	return m
}

func (e *Evidence) staleOf(k pair) *stale {
	s := e.stale[k]
	if s == nil {
		if e.stale == nil {
			e.stale = make(map[pair]*stale)
		}
		s = new(stale)
		e.stale[k] = s
	}
	return s
}

// outcome returns the stale read that a warning is about, nil for none.
func (e *Evidence) outcome(f *Finding) *Finding {
	if !f.warning || len(e.stale) == 0 {
		return nil
	}
	s := e.stale[pair{e.classes.At(f.First).Site, e.classes.At(f.Second).Site, f.Relation}]
	if s == nil || s.first == nil {
		return nil
	}
	out := *s.first
	out.Count = cmp.Or(f.Count, 1)
	return &out
}

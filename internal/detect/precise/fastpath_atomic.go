// Fast path for relaxed atomic operations on counters, by which no thread releases or acquires.

package precise

import (
	"math/bits"

	"github.com/ptxsan/ptxsan/internal/detect/precise/accesses"
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/options"
	"github.com/ptxsan/ptxsan/internal/detect/precise/shadow"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// tryAtomics checks and records a relaxed read-modify-write operation on words, and reports
// whether it is one. The location is looked up once for synchronisation and for races.
func (d *Detector) tryAtomics(a *causality.Access, s *shadow.Memory) bool {
	ev := a.Ev
	if a.Kind != abi.AccessRMW || a.Sem != abi.SemRelaxed || a.Code != wordBytes || a.Size != wordBytes ||
		ev.Valued && ev.Wrote&ev.Mask != ev.Mask || ev.Ages != nil || !d.Tuning.Takes(options.Counters) ||
		d.enforced.launch != nil || d.Launched != nil {
		return false
	}
	for m := ev.Mask; m != 0; {
		lane := bits.TrailingZeros32(m)
		addr := ev.Addr[lane]
		l := d.Expanded(s, addr, wordBytes)
		before := *a.Warp.PendingOf(lane)
		if !d.tryCount(a, s, l, addr, lane) {
			d.strongAccess(a, s, addr, 1<<lane)
		} else if ev.Atomic != abi.AtomicOther {
			d.changeLock(a, s, addr, lane)
		}
		mask := uint32(1) << lane
		if m &^= mask; m != 0 {
			mask |= d.tryRepeat(a, l, lane, m&causality.SameAddress(ev, m|mask), &before)
			m &^= mask
		}
		if h, _ := d.Part(d.Split(l), int(addr%lineBytes/wordBytes), 1); d.TryAppend(a, h, mask) {
			continue
		}
		for ; mask != 0; mask &= mask - 1 {
			d.Words(a, s, addr, mask&-mask)
		}
	}
	return true
}

// tryRepeat records the synchronisation of lanes in mask that access the same word as lane first of the instruction,
// and returns the lanes it could handle: those with the clock, fences and observations that first had before. Lane
// first has released nothing, so that these lanes observe what it has observed.
func (d *Detector) tryRepeat(a *causality.Access, l *shadow.Line, first int, mask uint32,
	before *causality.PendingSync,
) (done uint32) {
	w, f := a.Warp, before.Fences
	if f == nil || w.Apart != 0 || a.Ev.Atomic != abi.AtomicOther || d.Model.FencesOrder || !f.Fenced.IsNone() ||
		!f.Sc.IsNone() {
		return 0
	}
	loc := l.Find(a.Ev.Addr[first], wordBytes)
	if loc.Own != nil || loc.History != nil {
		return 0
	}
	done = w.Pending.LikeBefore(mask, before)
	if done == 0 {
		return 0
	}
	if now := w.PendingOf(first); now.Seen != before.Seen || now.After != before.After {
		w.Pending.Learn(done, a.Ev.Live, now.Seen, now.After)
	}
	d.TellRead(a, loc, thread{Unit: w.Unit, Lane: uint8(bits.TrailingZeros32(done))}, true)
	if row := done & (done - 1); row != 0 {
		d.Evidence.AddRow(row)
	}
	loc.AddObservation(&d.Threads, a, done)
	d.PruneSeen(a, loc)
	loc.LastClass = a.Index
	for m := done; m != 0; m &= m - 1 {
		loc.Keep(&d.Threads)
		loc.Writer = thread{Unit: w.Unit, Lane: uint8(bits.TrailingZeros32(m))}
	}
	loc.Version += uint32(bits.OnesCount32(done))
	return done
}

// tryCount records the synchronisation of an atomic operation of a lane if neither the lane nor the location takes part
// in a release or acquire pattern or follows a fence. It reports whether that is so.
func (d *Detector) tryCount(a *causality.Access, s *shadow.Memory, l *shadow.Line, addr uint64, lane int) bool {
	w := a.Warp
	if p := w.PendingOf(lane); p.Fences != nil || p.Passes != nil {
		return false
	}
	loc := l.Location(&d.Record, s, addr, wordBytes)
	if loc.Own != nil || !loc.Releases.None() || !loc.Writes.None() || !loc.Reads.None() {
		return false
	}
	if d.Evidence.Warns() && !loc.Synchronises {
		if d.Evidence.ShowsSynchronisation(a.Class, a.Ev) {
			loc.SetSynchronises()
		} else if loc.History != nil {
			return false
		}
	}
	l.Overwrite(&d.Record, addr, wordBytes, loc)
	me := thread{Unit: w.Unit, Lane: uint8(lane)}
	if loc.Writer != (thread{}) && loc.Writer != me && loc.Reach != accesses.ReachAll {
		return false
	}
	loc.Keep(&d.Threads)
	switch {
	case loc.Writer == (thread{}):
		loc.Since, loc.From, loc.Chained = d.Now, uint8(lane), d.Chains()
	case loc.Writer != me || loc.Since != loc.Last:
		loc.AddObservation(&d.Threads, a, 1<<lane)
		d.PruneSeen(a, loc)
		d.TellRead(a, loc, me, true)
	}
	loc.Wrote(a, lane, true)
	loc.Writer, loc.Reach, loc.Last = me, accesses.ReachAll, d.Now
	loc.WriterClock, loc.Fenced = w.Of(lane), nil
	loc.Version++
	a.Since = loc.Since
	return true
}

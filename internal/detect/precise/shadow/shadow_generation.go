// Generations of the shadow of shared memory, which end at barriers.

package shadow

import (
	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
)

// Blocks that run one after the other use the same shared memory, and so does one block between its barriers. A barrier
// among all live threads of a block orders everything before it before everything after it. In a launch without
// clusters no other block accesses the memory. Accesses before the barrier therefore race with nothing any more, and
// what was observed before it implies no order that the barrier does not. So a new generation of the shadow begins, in
// which all lines are empty. There are two exceptions: asynchronous operations are not ordered by the barriers of their
// thread, and the asynchronous proxy sees writes before a barrier only after a proxy fence. The shadow of a program
// with such operations is kept.

// Advance begins a new generation of a block's shared memory when all its threads have arrived at a barrier.
func (d *Record) Advance(b *causality.Block) {
	if s := d.SharedBy(b.Number); d.BarriersSeparate && s != nil && !s.Async {
		d.BeginGeneration(s)
	}
}

// BeginGeneration begins a new generation: lines of earlier ones count as empty.
func (d *Record) BeginGeneration(s *Memory) {
	s.Generation++
	s.Synced = false
	d.Drop(&s.Phase)
	s.Phase.Mode = Untouched
	if s.Phase.Mixes = s.Phase.Mixes && s.Phase.Written; s.Phase.Mixes {
		s.Phase.Mode = Settled
	}
	s.Phase.Written = false
}

// Recycle empties a shadow whose memory has ended, and keeps its space for another one.
func (d *Record) Recycle(s *Memory) {
	d.Evidence.SettleWarnings(&s.Reports)
	d.BeginGeneration(s)
	s.FirstGeneration, s.Async = s.Generation, false
	s.Life++
	d.FreeShadows = append(d.FreeShadows, s)
}

// resetLine empties a line of an earlier generation. It keeps which locations threads of the same block
// synchronise through, and the warnings about the others.
func (d *Record) resetLine(s *Memory, l *Line) {
	l.Whole.clear()
	d.takeBack(l)
	if l.Synced != nil {
		d.resetLocations(s, l)
	}
	l.Generation = s.Generation
}

// takeBack takes a line's histories of words and its cells away, for other lines.
func (d *Record) takeBack(l *Line) {
	if l.Words != nil {
		l.Words.words[0].clear()
		d.freeWords, l.Words = append(d.freeWords, l.Words), nil
	}
	if l.cells != nil {
		l.cells.free(d)
		l.cells = nil
	}
}

// resetLocations drops the locations of a line if it belongs to an earlier block, and otherwise the releases and
// observations at them.
func (d *Record) resetLocations(s *Memory, l *Line) {
	kept := uint8(0)
	for i, loc := range l.Synced.at {
		l.Synced.at[i] = nil
		for loc != nil {
			next := loc.Next
			fresh := causality.Location{Version: loc.Version + 1, Seen: loc.Seen}
			if fresh.Seen != nil {
				*fresh.Seen = causality.Observations{List: fresh.Seen.List[:0]}
			}
			v := loc.History
			if v != nil {
				v.DropAccesses()
			}
			if l.Generation >= s.FirstGeneration && (loc.Synchronises || v != nil && v.HasWarnings()) {
				fresh.Addr, fresh.Size, fresh.Synchronises, fresh.History = loc.Addr, loc.Size, loc.Synchronises, v
				fresh.Next, l.Synced.at[i] = l.Synced.at[i], loc
				kept |= loc.Size
			} else {
				if v != nil {
					d.Evidence.FreeHistory(v)
				}
				fresh.Next, d.freeLocations = d.freeLocations, loc
			}
			*loc, loc = fresh, next
		}
	}
	l.Synced.sizes = kept
	s.Synced = s.Synced || kept != 0
}

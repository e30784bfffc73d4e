// Generations of the shadow of shared memory, which end at barriers.

package precise

// Blocks that run one after the other use the same shared memory, and so does one block between its barriers. A barrier
// among all live threads of a block orders everything before it before everything after it. In a launch without
// clusters no other block accesses the memory. Accesses before the barrier therefore race with nothing any more, and
// what was observed before it implies no order that the barrier does not. So a new generation of the shadow begins, in
// which all lines are empty. There are two exceptions: asynchronous operations are not ordered by the barriers of their
// thread, and the asynchronous proxy sees writes before a barrier only after a proxy fence. The shadow of a program
// with such operations is kept.

// advance begins a new generation of a block's shared memory when all its threads have arrived at a barrier.
func (d *Detector) advance(b *block) {
	if s := d.sharedBy(b.number); d.barriersSeparate && s != nil && !s.async {
		d.beginGeneration(s)
	}
}

// beginGeneration begins a new generation: lines of earlier ones count as empty.
func (d *Detector) beginGeneration(s *shadow) {
	s.generation++
	s.synced = false
	d.drop(&s.phase)
	s.phase.mode = untouched
	if s.phase.mixes = s.phase.mixes && s.phase.written; s.phase.mixes {
		s.phase.mode = settled
	}
	s.phase.written = false
}

// recycle empties a shadow whose memory has ended, and keeps its space for another one.
func (d *Detector) recycle(s *shadow) {
	d.evidence.SettleWarnings(&s.reports)
	d.beginGeneration(s)
	s.firstGeneration, s.async = s.generation, false
	s.life++
	d.freeShadows = append(d.freeShadows, s)
}

// resetLine empties a line of an earlier generation. It keeps which locations threads of the same block
// synchronise through, and the warnings about the others.
func (d *Detector) resetLine(s *shadow, l *line) {
	l.whole.clear()
	d.takeBack(l)
	if l.synced != nil {
		d.resetLocations(s, l)
	}
	l.generation = s.generation
}

// takeBack takes a line's histories of words and its cells away, for other lines.
func (d *Detector) takeBack(l *line) {
	if l.words != nil {
		for i := range l.words {
			l.words[i].clear()
		}
		d.freeWords, l.words = append(d.freeWords, l.words), nil
	}
	if l.cells != nil {
		l.cells.free(d)
		l.cells = nil
	}
}

// resetLocations drops the locations of a line if it belongs to an earlier block, and otherwise the releases and
// observations at them.
func (d *Detector) resetLocations(s *shadow, l *line) {
	kept := uint8(0)
	for i, loc := range l.synced.at {
		l.synced.at[i] = nil
		for loc != nil {
			next := loc.next
			fresh := location{version: loc.version + 1, seen: loc.seen}
			if fresh.seen != nil {
				*fresh.seen = observations{list: fresh.seen.list[:0]}
			}
			v := loc.history
			if v != nil {
				v.DropAccesses()
			}
			if l.generation >= s.firstGeneration && (loc.synchronises || v != nil && v.HasWarnings()) {
				fresh.addr, fresh.size, fresh.synchronises, fresh.history = loc.addr, loc.size, loc.synchronises, v
				fresh.next, l.synced.at[i] = l.synced.at[i], loc
				kept |= loc.size
			} else {
				if v != nil {
					d.evidence.FreeHistory(v)
				}
				fresh.next, d.freeLocations = d.freeLocations, loc
			}
			*loc, loc = fresh, next
		}
	}
	l.synced.sizes = kept
	s.synced = s.synced || kept != 0
}

// Loops in which the distance between two columns differs from lane to lane, as when lanes use different halves of a double buffer.

package scord

import "math/bits"

// span is the granules that a lane accesses in one or several columns, without to.
type span struct {
	from, to uint64
	lane     int
}

// distinct reports whether no two lanes access the same granule, and marks all columns as merged if so. All columns must have the
// same lanes and the same distance from round to round.
func (w *walk) distinct() bool {
	mask, delta := w.list[0].Mask, w.columns[0].delta
	for c := range w.columns {
		if col := &w.columns[c]; w.list[c].Mask != mask || col.delta != delta || !col.aligned || col.apart == together {
			return false
		}
	}
	w.spans = w.spans[:0]
	for m := mask; m != 0; m &= m - 1 {
		w.spansOf(bits.TrailingZeros32(m))
	}
	for i := range w.spans { // most lanes come in the order of their addresses
		for ; i > 0 && w.spans[i].from < w.spans[i-1].from; i-- {
			w.spans[i], w.spans[i-1] = w.spans[i-1], w.spans[i]
		}
	}
	for i := range w.spans[1:] {
		if w.spans[i].to > w.spans[i+1].from {
			return false
		}
	}
	for c := range w.columns {
		w.columns[c].merged = true
	}
	return true
}

// spansOf adds what a lane accesses. Columns that access the same granules are one span.
func (w *walk) spansOf(lane int) {
	first := len(w.spans)
	for c := range w.columns {
		from, to := w.extent(c, lane)
		for i := first; i < len(w.spans); {
			if x := w.spans[i]; x.from < to && from < x.to {
				from, to = min(from, x.from), max(to, x.to)
				last := len(w.spans) - 1
				w.spans[i] = w.spans[last]
				w.spans = w.spans[:last]
				i = first
				continue
			}
			i++
		}
		w.spans = append(w.spans, span{from, to, lane})
	}
}

// extent returns the granules that a lane accesses in a column, without to.
func (w *walk) extent(c, lane int) (from, to uint64) {
	col := &w.columns[c]
	from = w.lowest(c, lane)
	return from, from + distance(uint64(col.rounds-1)*col.delta, 0)>>w.shift + 1
}

// alike sets walk.lanes to those in a mask that access columns at the same distances as the first one, and the extents of columns
// to those of the first lane.
func (w *walk) alike(mask uint32) {
	first := bits.TrailingZeros32(mask)
	for c := range w.columns {
		w.columns[c].from, w.columns[c].to = w.extent(c, first)
	}
	w.lanes = mask
	for c := range w.columns[1:] {
		x, y := &w.list[c], &w.list[c+1]
		apart := y.At(first) - x.At(first)
		for m := w.lanes & (w.lanes - 1); m != 0; m &= m - 1 {
			if lane := bits.TrailingZeros32(m); y.At(lane)-x.At(lane) != apart {
				w.lanes &^= 1 << lane
			}
		}
	}
}

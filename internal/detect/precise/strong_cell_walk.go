// Walks: loops in which each lane of a warp steps through words of its own.

package precise

import (
	"math/bits"
	"slices"

	"github.com/ptxsan/ptxsan/internal/detect/precise/causality"
	"github.com/ptxsan/ptxsan/internal/detect/precise/deferred"
	"github.com/ptxsan/ptxsan/internal/detect/precise/options"
	"github.com/ptxsan/ptxsan/internal/detect/precise/shadow"
	"github.com/ptxsan/ptxsan/runtime/abi"
)

// When each lane of a warp walks through words of its own, one access of the warp touches 32 cells far apart, and the
// next one the cells beside them. The rounds of such a loop come in one batch. If no word is accessed by two lanes, the
// order of accesses by different lanes does not matter: each lane enters its accesses of all rounds before the next
// lane does, for the words it owns. Accesses that cells cannot hold are handled afterwards, one by one.

// Limits of walks.
const (
	maxWalkColumns = 8 // accesses in a round
	minWalkRounds  = 4
)

// walk is a sequence of accesses of a batch that come in rounds.
type walk struct {
	list    []abi.Access // round after round; the last may be incomplete
	columns []walkColumn // the accesses of a round
	delta   uint64       // bytes from one round to the next
	// Of the lanes of an access: the least distance between two, and the distance from the first to the last, in bytes.
	gap, span uint64
	rest      []uint32       // for each access, the lanes that cannot enter it in cells
	cells     []*shadow.Cell // for each access, the cell of the lane that walks

	complete []abi.Access // scratch: the accesses of a loop
}

// walkColumn is one access of the loop, in all rounds.
type walkColumn struct {
	class  uint16
	flags  uint8 // cell flags that it sets
	writes bool
	offset uint64 // of its addresses from those of the first column
}

// all returns the accesses of a loop, those left out of the batch's list included.
func (k *walk) all(b *abi.Batch, l *abi.Loop) []abi.Access {
	listed := b.List[l.At : l.At+l.Listed]
	if l.More == 0 {
		return listed
	}
	k.complete = append(k.complete[:0], listed...)
	for n := l.Listed; n < l.Len(); n++ {
		k.complete = append(k.complete, abi.Access{})
		l.Nth(b, n, &k.complete[n])
	}
	return k.complete
}

// tryWalk checks and records the walk that accesses of a loop begin with, and returns its number of accesses, 0 for
// none.
func (d *Detector) tryWalk(b *abi.Batch, w *causality.Warp, list []abi.Access, period int) int {
	k := &d.walk
	if period == 0 || !d.Tuning.Takes(options.Walks) || !k.find(d, list, period) || uint64(d.Used) > d.opts.Memory ||
		d.Now > 1<<32-2-stamp(len(list)) {
		return 0
	}
	k.rest, k.cells = append(k.rest[:0], make([]uint32, len(k.list))...),
		slices.Grow(k.cells[:0], len(k.list))[:len(k.list)]
	mask, since := list[0].Mask, k.since(d, w)
	for m := mask; m != 0; m &= m - 1 {
		k.walk(d, w, bits.TrailingZeros32(m), since)
	}
	for i := range k.list {
		if k.rest[i] == 0 {
			k.count(d, w, i, since)
			continue
		}
		d.batched(b, &k.list[i], causality.Done{Lanes: mask &^ k.rest[i]})
	}
	return len(k.list)
}

// count counts an access that is in the cells of all lanes.
func (k *walk) count(d *Detector, w *causality.Warp, i int, since stamp) {
	d.Events++
	w.Touched |= k.list[i].Mask
	if k.columns[i%len(k.columns)].writes {
		d.Tick()
	} else {
		w.Since = since
	}
}

// find sets k to the walk that accesses of a loop begin with, with rounds of width accesses, and reports whether there
// is one.
func (k *walk) find(d *Detector, list []abi.Access, width int) bool {
	if width > maxWalkColumns || len(list) < minWalkRounds*width || d.walkClass(&list[0]) == 0 {
		return false
	}
	k.columns = k.columns[:0]
	lane := bits.TrailingZeros32(list[0].Mask)
	k.delta = list[width].At(lane) - list[0].At(lane)
	for i := range list[:width] {
		x := &list[i]
		index, offset := d.walkClass(x), x.At(lane)-list[0].At(lane)
		if index == 0 || offset%wordBytes != 0 || list[i+width].At(lane)-x.At(lane) != k.delta ||
			i > 0 && !k.isLike(&list[0], x, offset) {
			return false
		}
		k.columns = append(k.columns, walkColumn{
			class: uint16(index),
			flags: d.WordFlags(&d.Classes.List[index], x.New != nil), writes: x.Access.Writes(), offset: offset,
		})
	}
	if k.delta%wordBytes != 0 || !k.placeLanes(&list[0]) {
		return false
	}
	k.list = list[:min(len(list), k.apart(list[:width])*width)]
	return len(k.list) >= minWalkRounds*width && k.settled(d)
}

// walkClass is cellClass for accesses that a walk may contain.
func (d *Detector) walkClass(x *abi.Access) uint32 {
	if index := d.cellClass(x); index != 0 && x.Bytes == wordBytes {
		return index
	}
	return 0
}

// cellClass returns the class of an access of a batch that cells can hold, 0 for others.
func (d *Detector) cellClass(x *abi.Access) uint32 {
	if x.Sem <= abi.SemWeak || x.Mask == 0 || x.Access == abi.AccessRMW ||
		x.Addr == nil && (x.Base|x.Step)%wordBytes != 0 || int(x.Site) >= len(d.BySite) {
		return 0
	}
	known := &d.BySite[x.Site][x.Access]
	if known.Known != x.AccessClass || !d.MayUseCells(&d.Classes.List[known.Index], known.Index) {
		return 0
	}
	return known.Index
}

// placeLanes computes the distances between the lanes of an access, and reports whether they access words whose
// addresses rise, or fall, from lane to lane.
func (k *walk) placeLanes(x *abi.Access) bool {
	last := 31 - bits.LeadingZeros32(x.Mask)
	if k.gap, k.span = distance(x.Step), (radix-1)*distance(x.Step); x.Addr == nil {
		return true
	}
	before := x.Addr[bits.TrailingZeros32(x.Mask)]
	whole, bytes := int64(x.Addr[last]-before), before
	k.gap, k.span = 1<<63, distance(uint64(whole))
	for m := x.Mask & (x.Mask - 1); m != 0; m &= m - 1 {
		at := x.Addr[bits.TrailingZeros32(m)]
		between := int64(at - before)
		if between^whole < 0 {
			return false
		}
		bytes |= at
		k.gap, before = min(k.gap, distance(uint64(between))), at
	}
	return bytes%wordBytes == 0
}

// isLike reports whether access y has the lanes of access x, each at an address offset bytes after its address in x.
func (k *walk) isLike(x, y *abi.Access, offset uint64) bool {
	switch {
	case x.Mask != y.Mask || (x.Addr == nil) != (y.Addr == nil):
		return false
	case x.Addr == nil:
		return x.Step == y.Step && y.Base-x.Base == offset
	}
	for m := x.Mask; m != 0; m &= m - 1 {
		if lane := bits.TrailingZeros32(m); y.Addr[lane]-x.Addr[lane] != offset {
			return false
		}
	}
	return true
}

// apart returns the number of rounds in which no two lanes access the same word.
func (k *walk) apart(round []abi.Access) int {
	x := &round[0]
	if x.Mask&(x.Mask-1) == 0 {
		return 1 << radix
	}
	lane, room := bits.TrailingZeros32(x.Mask), uint64(1)<<63
	for i := range round {
		for j := range round[:i+1] {
			between := distance(round[i].At(lane) - round[j].At(lane))
			if between < k.gap { // the next lane's words lie between those of a lane, or after them
				between = k.gap - between
			} else {
				between -= min(between, k.span)
			}
			room = min(room, between)
		}
	}
	switch delta := distance(k.delta); {
	case room < wordBytes:
		return 0
	case delta == 0:
		return 1 << radix
	default:
		return int((room-wordBytes)/delta) + 1
	}
}

// distance returns the absolute value of the difference of two addresses.
func distance(difference uint64) uint64 {
	if d := int64(difference); d < 0 {
		return uint64(-d)
	}
	return difference
}

// settled reports whether the regions that the walk touches are settled. It settles those that have only been read if
// the walk writes others: its accesses are cheaper together.
func (k *walk) settled(d *Detector) bool {
	x := &k.list[0]
	first, last := bits.TrailingZeros32(x.Mask), 31-bits.LeadingZeros32(x.Mask)
	writes := slices.ContainsFunc(k.columns, func(c walkColumn) bool { return c.writes })
	for i := range k.columns {
		x, y := &k.list[i], &k.list[i+(len(k.list)-1-i)/len(k.columns)*len(k.columns)]
		window := x.At(first) >> deferred.WindowBits
		for _, at := range [...]uint64{x.At(last), y.At(first), y.At(last)} {
			if at>>deferred.WindowBits != window {
				return false
			}
		}
		r := d.Regions.Of(window, d.Global)
		if writes && r.Mode == shadow.Reading {
			d.Settle(r)
		}
		if r.Mode != shadow.Settled {
			return false
		}
	}
	return true
}

// since returns the stamp of the walk's reads.
func (k *walk) since(d *Detector, w *causality.Warp) stamp {
	at := d.Now
	if w.Since != 0 {
		return w.Since
	}
	for i := 0; i < len(k.columns) && k.columns[i].writes; i++ {
		at++
	}
	return at
}

// walk enters the accesses of a lane in the cells of words it owns, and leaves out the others. The stamps are those the
// accesses would have had one after another.
func (k *walk) walk(d *Detector, w *causality.Warp, lane int, since stamp) {
	for c := range k.columns {
		k.locate(d, w.Unit, lane, c)
	}
	now, noted := d.Now, false
	for i, c := 0, 0; i < len(k.list); i++ {
		col, x := &k.columns[c], k.cells[i]
		if x != nil && !noted {
			d.NoteContext(w, lane)
			noted = true
		}
		switch {
		case x == nil:
			k.rest[i] |= 1 << lane
		case !col.writes:
			x.Read(since, col.class, col.flags)
		case !k.write(x, now, col.class, &k.list[i], lane):
			for ; i < len(k.list); i++ { // the lane no longer owns the word
				k.rest[i] |= 1 << lane
			}
		}
		if col.writes {
			now++
		}
		if c++; c == len(k.columns) {
			c = 0
		}
	}
}

// locate sets the cells of a column's accesses by a lane: of the words that the lane owns, nil for others. No access
// depends on another one here, so that the processor loads the cells of several at a time.
func (k *walk) locate(d *Detector, u unit, lane, column int) {
	addr, number, l, in := k.list[column].At(lane), uint64(0), (*shadow.Line)(nil), (*shadow.Cells)(nil)
	for i := column; i < len(k.list); i, addr = i+len(k.columns), addr+k.delta {
		if n := addr / lineBytes; l == nil || number != n {
			l, number, in = d.Line(d.Global, addr), n, nil
		}
		if in == nil {
			in = d.CellsFor(d.Global, l, addr, wordBytes)
		}
		k.cells[i] = nil
		if in == nil {
			continue
		}
		if x := &in[addr%lineBytes/wordBytes]; x.Unit == u && int(x.Lane) == lane || x.IsOf(l, u, lane, addr) {
			k.cells[i] = x
		}
	}
}

// write enters a write, and reports whether the cell can hold it.
func (k *walk) write(c *shadow.Cell, at stamp, class uint16, x *abi.Access, lane int) bool {
	switch {
	case c.LosesWrite(class):
		return false
	case x.New == nil:
		c.Wrote(at, class, 0, 0)
	default:
		c.Wrote(at, class, x.New[lane], shadow.CellValued)
	}
	return true
}

// Loops of accesses in batches.

package abi

import "math/bits"

// Loops finds the loops of a batch while accesses are added to its list.
type Loops struct {
	added int  // the number of accesses so far
	from  int  // rounds of a loop begin behind this access number: earlier ones are not in the list, or belong to another loop
	kept  int  // rounds that may be left out begin behind this access number
	open  bool // the list ends with the latest loop

	deltas []uint64 // the bytes from one round of that loop to the next, for each access of a round
}

// Repeats is the producer of accesses that may be left out.
type Repeats interface {
	// Repeats skips accesses that repeat the latest period accesses, each at addresses as far from the repeated ones as
	// those are from the ones before them, and returns their number.
	Repeats(period int) int
}

// longestPeriod is the largest number of accesses in a round of a loop.
const longestPeriod = 16

// Begin says that the list is empty.
func (k *Loops) Begin() { k.open, k.from = false, k.added }

// Skipped says that an access has not been added to the list, which the producer may repeat.
func (k *Loops) Skipped() { k.kept = k.added }

// Add is called when an access has been added to the list. It adds the access to the loop that the list ends with, or
// finds out whether it is the first access of the third round of one. In at, it keeps the number of the site's latest
// access. The producer is nil if the access cannot be left out.
func (k *Loops) Add(b *Batch, at *int, producer Repeats) {
	k.added++
	if producer == nil {
		k.kept = k.added
	}
	p := k.added - *at
	*at = k.added
	if k.open {
		last := len(b.List) - 1
		if l := &b.Loops[len(b.Loops)-1]; p == l.Period {
			if by, ok := moved(&b.List[last-p], &b.List[last]); ok && by == k.deltas[l.Listed%p] {
				l.Listed++
				return
			}
		}
		k.open, k.from = false, k.added-1
	}
	if p <= longestPeriod && k.added-k.from > 2*p && goesOn(b.List, p) {
		k.begin(b, p, producer)
	}
}

// begin checks whether the last accesses of the list are two rounds of a loop, of p accesses each, and the first access
// of the third round. If so, it adds an Loop. If possible, it removes the last access from the list and skips the later
// ones of the loop, which the Loop describes.
func (k *Loops) begin(b *Batch, p int, producer Repeats) {
	last := len(b.List) - 1
	at := last - 2*p
	even := k.added-k.kept > 2*p && b.List[last].Step == b.List[at].Step
	k.deltas = k.deltas[:0]
	for i := at; i < at+p; i++ {
		by, ok := moved(&b.List[i], &b.List[i+p])
		if !ok {
			return
		}
		k.deltas = append(k.deltas, by)
		even = even && b.List[i].Step == b.List[i+p].Step
	}
	if !even {
		b.Loops = append(b.Loops, Loop{At: at, Period: p, Listed: 2*p + 1})
		k.open = true
		return
	}
	b.List = b.List[:last]
	b.Loops = append(b.Loops, Loop{At: at, Period: p, Listed: 2 * p, More: 1 + producer.Repeats(p)})
	k.from = k.added
}

// goesOn reports whether the last access of a list is as far from the one p accesses before it as that is from the one
// another p accesses before.
func goesOn(list []Access, p int) bool {
	last := len(list) - 1
	by, ok := moved(&list[last-p], &list[last])
	before, also := moved(&list[last-2*p], &list[last-p])
	return ok && also && by == before
}

// moved returns the bytes from each lane's address in x to that in y. ok is false if they differ from lane to lane, or
// the accesses differ otherwise.
func moved(x, y *Access) (by uint64, ok bool) {
	switch {
	case x.AccessClass != y.AccessClass || x.Mask != y.Mask || x.Mask == 0 || (x.Addr == nil) != (y.Addr == nil):
		return 0, false
	case x.Addr == nil && x.Step == y.Step:
		return y.Base - x.Base, true
	}
	lane := bits.TrailingZeros32(x.Mask)
	if x.Addr == nil {
		return y.At(lane) - x.At(lane), x.Mask&(x.Mask-1) == 0
	}
	by = y.Addr[lane] - x.Addr[lane]
	for m := x.Mask & (x.Mask - 1); m != 0; m &= m - 1 {
		if lane := bits.TrailingZeros32(m); y.Addr[lane]-x.Addr[lane] != by {
			return 0, false
		}
	}
	return by, true
}

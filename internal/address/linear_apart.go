// Footprints: the bytes that accesses at linear addresses touch, and whether those of different
// threads or blocks are disjoint.

package address

import (
	"cmp"
	"math"
	"slices"
)

// digit is an index of thread or block with its factor; the index has n values, from 0.
type digit struct {
	factor, n int64
	block     bool
}

// digits returns the indices that have more than one value in a launch, sorted by the size of
// their factors.
func (l Linear) digits(launch LaunchValues) []digit {
	var out []digit
	for i := range 3 {
		if n := int64(launch.Block[i]); n > 1 {
			out = append(out, digit{l.Tid[i], n, false})
		}
		if n := int64(launch.Grid[i]); n > 1 {
			out = append(out, digit{l.Cta[i], n, true})
		}
	}
	slices.SortStableFunc(out, func(a, b digit) int { return cmp.Compare(absolute(a.factor), absolute(b.factor)) })
	return out
}

func absolute(v int64) int64 { return max(v, -v) }

// Range returns the least and the greatest value of the form in a launch.
func (l Linear) Range(launch LaunchValues) (least, greatest int64) {
	least, greatest = l.Const, l.Const
	for _, d := range l.digits(launch) {
		least += min(0, d.factor) * (d.n - 1)
		greatest += max(0, d.factor) * (d.n - 1)
	}
	return least, greatest
}

// Separates says which footprints are to be compared.
type Separates uint8

// The values of Separates.
const (
	SeparatesBlocks  Separates = iota // those of different blocks
	SeparatesThreads                  // those of different threads
)

// Footprint is the set of bytes that accesses at linear addresses with the same factors touch:
// the half-open range from Lo to Hi, relative to the value of Form.
type Footprint struct {
	Form    Linear // without its constant
	Lo, Hi  int64
	partner partnerAccess // for accesses to partners
	passed  guards        // guards that the threads of all accesses have passed
}

// add adds an access. It reports whether the access has the factors and the partner of the footprint; if not, the
// footprint must not be used any more.
func (p *Footprint) add(x LinearAccess) bool {
	from, at := x.At.Const, x.At
	at.Const = 0
	if p.Lo == p.Hi {
		*p = Footprint{at, from, from + x.Size, x.partner, x.passed}
		return true
	}
	p.Lo, p.Hi, p.passed = min(p.Lo, from), max(p.Hi, from+x.Size), proofRules.passed(p.passed, x.passed)
	if p.partner == (partnerAccess{}) {
		p.partner = x.partner
	}
	return at == p.Form && (x.partner == p.partner || x.partner == partnerAccess{})
}

// LinearAccess is an access of Size bytes at a linear address, or at such an address with an index replaced by its
// partner.
type LinearAccess struct {
	At      Linear
	Size    int64
	partner partnerAccess
	passed  guards // guards that the threads that execute it have passed
}

// Parts divides the accesses of a launch into parts that share no byte, whatever their threads: usually members of
// structures in arrays. The result has the indices of the accesses of each part. Accesses to different objects whose
// distance is unknown are in one part, and so are those beyond the range of 64 bits, and those with partners, which may
// be anywhere in an object.
func Parts(accesses []LinearAccess, launch LaunchValues) [][]int {
	order := make([]int, len(accesses))
	from, to := make([]int64, len(accesses)), make([]int64, len(accesses))
	whole := false
	for i, x := range accesses {
		order[i] = i
		whole = whole || x.At.Object != accesses[0].At.Object || x.At.reachesFar(launch) || x.partner != partnerAccess{}
		from[i], to[i] = x.At.Range(launch)
		to[i] += x.Size
	}
	if whole {
		return [][]int{order}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(from[a], from[b]) })
	var parts [][]int
	var end int64
	for _, i := range order {
		if last := len(parts) - 1; last >= 0 && from[i] < end {
			parts[last] = append(parts[last], i)
			end = max(end, to[i])
			continue
		}
		parts, end = append(parts, []int{i}), to[i]
	}
	return parts
}

// reachesFar reports whether values of the form may exceed 64 bits.
func (l Linear) reachesFar(launch LaunchValues) bool {
	sum := math.Abs(float64(l.Const))
	for _, d := range l.digits(launch) {
		sum += math.Abs(float64(d.factor)) * float64(d.n)
	}
	return sum >= 1<<62
}

// FootprintOf returns the footprint of some accesses; ok is false if they have different factors.
func FootprintOf(accesses []LinearAccess, some []int) (p Footprint, ok bool) {
	ok = true
	for _, i := range some {
		ok = p.add(accesses[i]) && ok
	}
	return p, ok
}

// Separate reports whether the footprints of different blocks, or of different threads, are disjoint in a launch. They
// are if the indices work like the digits of a number: the step of each relevant index is at least the extent of the
// footprint with all smaller indices.
func (p *Footprint) Separate(what Separates, launch LaunchValues) bool {
	if !p.Bounded() {
		return p.separatePairs(what, launch)
	}
	reach, matters := p.Hi-p.Lo, what == SeparatesThreads
	for _, d := range p.Form.digits(launch) {
		matters = matters || d.block
		if matters && absolute(d.factor) < reach {
			return false
		}
		reach += absolute(d.factor) * (d.n - 1)
	}
	return true
}

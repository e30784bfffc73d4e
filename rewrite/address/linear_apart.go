package address

import (
	"cmp"
	"slices"
)

// digit is an index of thread or block with its factor: it takes n values from 0 on.
type digit struct {
	factor, n int64
	block     bool
}

// digits are the indices that have more than one value in a launch, by size of the
// factor.
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

// Range is the least and the greatest value in a launch.
func (l Linear) Range(launch LaunchValues) (least, greatest int64) {
	least, greatest = l.Const, l.Const
	for _, d := range l.digits(launch) {
		least += min(0, d.factor) * (d.n - 1)
		greatest += max(0, d.factor) * (d.n - 1)
	}
	return least, greatest
}

// Separates says whose bytes do not meet.
type Separates uint8

// What may be separate.
const (
	SeparatesBlocks Separates = iota
	SeparatesThreads
)

// Footprint is what accesses at linear addresses with the same factors touch: the bytes from
// Lo on and before Hi, added to the value of Form.
type Footprint struct {
	Form   Linear // without its constant
	Lo, Hi int64
}

// Add adds an access of size bytes. It reports false when its factors are others.
func (p *Footprint) Add(at Linear, size int64) bool {
	from := at.Const
	at.Const = 0
	if p.Lo == p.Hi {
		*p = Footprint{at, from, from + size}
		return true
	}
	p.Lo, p.Hi = min(p.Lo, from), max(p.Hi, from+size)
	return at == p.Form
}

// Separate reports whether the bytes are other ones for each block of a launch, or for each
// thread. They are when the indices are like the digits of a number: from the first on that
// matters, each counts for more than all below it together.
func (p *Footprint) Separate(what Separates, launch LaunchValues) bool {
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

// Equations modulo 2, and the conditions that they are read off and that they decide.

package solve

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// parities is a system of equations: sums that are 0.
type parities struct {
	*atomizer
	rows  map[int]equation // by the atom with the highest number
	below []below
	found bool   // the equations contradict each other
	tag   uint64 // the facts that this needs
}

// equation says that a sum is 0, by the facts of its tag.
type equation struct {
	sum parity
	tag uint64
}

// below says that a difference is at most 0.
type below struct {
	d   *expr.Int
	tag uint64
}

// maxParityRounds limits how often the conditions are gone through.
const maxParityRounds = 4

// contradict reports whether the equations modulo 2 that formulas contain leave no values, the tags of those which that
// needs, and the work; not when the context has ended. facts has the tags of formulas that are facts. It searches
// nothing, so that its own result is the proof.
func contradict(ctx context.Context, fs []tagged, facts uint64) (found bool, tag uint64, work int64) {
	p := &parities{atomizer: newAtomizer(), rows: make(map[int]equation)}
	if !slices.ContainsFunc(fs, func(f tagged) bool { return takesBits(f.f) }) {
		return false, 0, 0
	}
	fs, tag, empty := tightened(defined(fs, facts), facts)
	if empty {
		return true, tag, 0
	}
	for range maxParityRounds {
		n := len(p.rows)
		p.below = nil
		for _, f := range fs {
			if p.assert(f.f, f.tag); p.found || p.atoms >= maxAtoms || ctx.Err() != nil {
				return p.found, p.tag, p.work
			}
		}
		if p.meet(); p.found || len(p.rows) == n {
			break
		}
	}
	return p.found, p.tag, p.work
}

// reduced returns a sum with what the equations say put in, and the facts used.
func (p *parities) reduced(f parity) (parity, uint64) {
	var tag uint64
	for rest := f; ; {
		n := rest.top()
		if n <= 0 {
			return f, tag
		}
		p.work++
		rest[n/64] &^= 1 << (n % 64)
		if e, ok := p.rows[n]; ok {
			f, rest, tag = f.plus(e.sum), rest.plus(e.sum), tag|e.tag
			rest[n/64] &^= 1 << (n % 64)
		}
	}
}

// zero adds the equation that a sum is 0.
func (p *parities) zero(f parity, tag uint64) {
	f, used := p.reduced(f)
	switch n := f.top(); {
	case n == 0:
		p.found, p.tag = true, tag|used
	case n > 0:
		p.rows[n] = equation{f, tag | used}
	}
}

// equal adds the equations that two numbers are equal from a bit on.
func (p *parities) equal(a, b vector, from int, tag uint64) {
	for i := from; i < max(len(a), len(b)) && !p.found; i++ {
		p.zero(a.bit(i).plus(b.bit(i)), tag)
	}
}

// assert adds what follows from a condition.
func (p *parities) assert(f *expr.Bool, tag uint64) {
	if no, used := p.refuted(f); no {
		p.found, p.tag = true, tag|used
		return
	}
	switch f.Kind() {
	case expr.KindAll:
		for _, part := range f.Parts() {
			if p.assert(part, tag); p.found {
				return
			}
		}
	case expr.KindAny:
		p.assertAny(f, tag)
	case expr.KindEq:
		if a, b, ok := p.sides(f.Diff()); ok {
			p.equal(a, b, 0, tag)
		}
	case expr.KindNe:
		if bit, ok := p.test(f); ok {
			p.zero(bit.plus(oneBit), tag)
		}
	case expr.KindVar:
		if bit, ok := p.cond(f); ok {
			p.zero(bit.plus(oneBit), tag)
		}
	case expr.KindLe:
		p.below = append(p.below, below{f.Diff(), tag})
		p.assertLe(f.Diff(), tag)
	}
}

// assertAny asserts the only part that is not refuted.
func (p *parities) assertAny(f *expr.Bool, tag uint64) {
	var open *expr.Bool
	for _, part := range f.Parts() {
		no, used := p.refuted(part)
		switch {
		case no:
			tag |= used
		case open != nil:
			return
		default:
			open = part
		}
	}
	p.assert(open, tag)
}

// assertLe adds what follows from a number that is at most a constant: a number below a power of two has no bits from
// there on.
func (p *parities) assertLe(d *expr.Int, tag uint64) {
	k, terms := d.Linear()
	if a, b, ok := p.split(terms, new(big.Int)); ok && k.Sign() <= 0 && a.nonNegative() &&
		slices.Equal(b, vector{parity{}}) {
		p.equal(a, b, new(big.Int).Neg(k).BitLen(), tag)
	}
}

// meet finds pairs of conditions which say that two numbers differ by less than the unit of each, as those of accesses
// that touch a common byte do: the numbers are equal but for the bits below the unit.
func (p *parities) meet() {
	for i, l := range p.below {
		for _, m := range p.below[i+1:] {
			if gap, ok := expr.Add(l.d, m.d).Const(); ok && !p.found {
				if gap.Sign() > 0 {
					p.found, p.tag = true, l.tag|m.tag
					return
				}
				p.near(l, m)
			}
		}
	}
}

// near adds the equations for a difference that is at most 0, as the negation of it is, but for constants.
func (p *parities) near(l, m below) {
	k, terms := l.d.Linear()
	lo, _ := m.d.Linear()
	hi := new(big.Int).Neg(k) // lo ≤ the terms ≤ hi
	mid := roundest(lo, hi)
	a, b, ok := p.split(terms, new(big.Int).Neg(mid)) // lo ≤ a - b + mid ≤ hi
	if !ok {
		return
	}
	over, under := new(big.Int).Sub(hi, mid), new(big.Int).Sub(mid, lo) // a ≤ b + over, b ≤ a + under
	if u, v := a.zeros(), b.zeros(); over.BitLen() <= v && under.BitLen() <= u {
		p.equal(a, b, max(u, v), l.tag|m.tag)
	}
}

// roundest returns the number from lo to hi that is a multiple of the highest power of two.
func roundest(lo, hi *big.Int) *big.Int {
	if lo.Sign() <= 0 && hi.Sign() >= 0 {
		return new(big.Int)
	}
	for n := uint(new(big.Int).Sub(hi, lo).BitLen()); ; n-- {
		d := new(big.Int).Lsh(new(big.Int).Rsh(hi, n), n)
		if d.Cmp(lo) >= 0 {
			return d
		}
	}
}

// refuted reports whether the equations exclude a condition, and the facts used.
func (p *parities) refuted(f *expr.Bool) (bool, uint64) {
	switch f.Kind() {
	case expr.KindConst:
		v, _ := f.Const()
		return !v, 0
	case expr.KindAll:
		for _, part := range f.Parts() {
			if no, used := p.refuted(part); no {
				return true, used
			}
		}
	case expr.KindAny:
		var tag uint64
		for _, part := range f.Parts() {
			no, used := p.refuted(part)
			if !no {
				return false, 0
			}
			tag |= used
		}
		return true, tag
	case expr.KindEq, expr.KindNe:
		if a, b, ok := p.sides(f.Diff()); ok {
			return p.compared(a, b, f.Kind() == expr.KindNe)
		}
	case expr.KindLe:
		if a, b, ok := p.sides(f.Diff()); ok {
			return p.exceeds(a, b)
		}
	}
	return false, 0
}

// compared reports whether two numbers are known to be equal, or to differ.
func (p *parities) compared(a, b vector, equal bool) (bool, uint64) {
	var tag uint64
	for i := range max(len(a), len(b)) {
		d, used := p.reduced(a.bit(i).plus(b.bit(i)))
		switch {
		case !equal && d == oneBit:
			return true, used
		case equal && d != parity{}:
			return false, 0
		}
		tag |= used
	}
	return equal, tag
}

// exceeds reports whether a > b is known by the bits that are known.
func (p *parities) exceeds(a, b vector) (bool, uint64) {
	lo, _, used1 := p.interval(a)
	_, hi, used2 := p.interval(b)
	return lo.Cmp(hi) > 0, used1 | used2
}

// interval returns the least and the greatest value that the known bits of a number allow.
func (p *parities) interval(v vector) (lo, hi *big.Int, tag uint64) {
	lo, hi = new(big.Int), new(big.Int)
	for i := range v {
		f, used := p.reduced(v[i])
		tag |= used
		w := new(big.Int).Lsh(bigOne, uint(i))
		if i == len(v)-1 {
			w.Neg(w)
		}
		switch {
		case f == oneBit:
			lo.Add(lo, w)
			hi.Add(hi, w)
		case f == parity{}:
		case w.Sign() > 0:
			hi.Add(hi, w)
		default:
			lo.Add(lo, w)
		}
	}
	return lo, hi, tag
}

// checkParity checks a proof of the method parity, which has no steps.
func checkParity(fs []*expr.Bool) error {
	list := make([]tagged, len(fs))
	for i, f := range fs {
		list[i].f = f
	}
	if found, _, _ := contradict(context.Background(), list, 0); !found {
		return errors.New("the equations modulo 2 do not contradict each other")
	}
	return nil
}

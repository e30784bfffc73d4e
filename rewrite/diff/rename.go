// Renamings: a mapping from the symbols of one text to those of the other.

package diff

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// renaming maps each symbol of A to one of B, or to -1. It is injective.
type renaming []int

// votes counts how often a symbol of A is at the place of a symbol of B in paired statements.
type votes map[[2]int]*vote

type vote struct{ a, b, count, first int }

// vote counts the symbols of two statements of the same shape, with a weight.
func (v votes) vote(a, b []word, weight int) {
	if !sameShape(a, b) {
		return
	}
	for i := range a {
		if !a[i].isSymbol() {
			continue
		}
		key := [2]int{a[i].value(), b[i].value()}
		if v[key] == nil {
			v[key] = &vote{a: key[0], b: key[1], first: len(v)}
		}
		v[key].count += weight
	}
}

// sameShape reports whether two statements differ only in symbols.
func sameShape(a, b []word) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].isSymbol() != b[i].isSymbol() || !a[i].isSymbol() && a[i] != b[i] {
			return false
		}
	}
	return true
}

// elect greedily makes the renaming with the most votes; among equals it prefers the one seen first.
func elect(v votes, a, b *code) renaming {
	all := make([]*vote, 0, len(v))
	for _, x := range v {
		if a.symbols[x.a].class == b.symbols[x.b].class {
			all = append(all, x)
		}
	}
	slices.SortFunc(all, func(x, y *vote) int {
		return cmp.Or(cmp.Compare(y.count, x.count), cmp.Compare(x.first, y.first))
	})
	r := make(renaming, len(a.symbols))
	for i := range r {
		r[i] = -1
	}
	taken := make([]bool, len(b.symbols))
	for _, x := range all {
		if r[x.a] < 0 && !taken[x.b] {
			r[x.a], taken[x.b] = x.b, true
		}
	}
	return r
}

// equal reports whether two statements are the same under the renaming.
func (r renaming) equal(a, b []word) bool {
	if !sameShape(a, b) {
		return false
	}
	for i := range a {
		if a[i].isSymbol() && r[a[i].value()] != b[i].value() {
			return false
		}
	}
	return true
}

// keyer numbers statements such that equal numbers mean equal statements, given a number for each symbol.
type keyer struct {
	ids map[string]uint32
	buf []byte
}

func newKeyer() *keyer { return &keyer{ids: make(map[string]uint32)} }

// keys numbers the statements of c; of numbers symbols.
func (k *keyer) keys(c *code, of func(sym int) uint32) []uint32 {
	out := make([]uint32, len(c.stmts))
	for i := range c.stmts {
		k.buf = k.buf[:0]
		for _, w := range c.of(&c.stmts[i]) {
			if w.isSymbol() {
				w = word(of(w.value())<<1 | 1)
			}
			k.buf = binary.LittleEndian.AppendUint32(k.buf, uint32(w))
		}
		id, ok := k.ids[string(k.buf)]
		if !ok {
			id = uint32(len(k.ids))
			k.ids[string(k.buf)] = id
		}
		out[i] = id
	}
	return out
}

// byName numbers symbols by name.
func byName(c *code, names map[string]uint32) func(int) uint32 {
	return func(sym int) uint32 {
		s := &c.symbols[sym]
		return number(names, s.name)*uint32(numClasses) + uint32(s.class)
	}
}

// byClass numbers symbols by class.
func byClass(c *code) func(int) uint32 {
	return func(sym int) uint32 { return uint32(c.symbols[sym].class) }
}

// renamed numbers symbols of A by their symbols in B.
func (r renaming) renamed(others int) func(int) uint32 {
	return func(sym int) uint32 {
		if r[sym] < 0 {
			return uint32(others + sym) // no symbol of B
		}
		return uint32(r[sym])
	}
}

func itself(sym int) uint32 { return uint32(sym) }

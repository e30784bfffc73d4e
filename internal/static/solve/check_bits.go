// The check of proofs over bits: unit propagation contradicts the negation of each clause, and in the end the clauses
// themselves.

package solve

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ptxsan/ptxsan/internal/static/expr"
)

// checkBits checks a proof of the method bits.
func checkBits(fs []*expr.Bool, p *Proof) error {
	b := newBlaster(context.Background(), nil, nil, maxTranslation)
	for _, f := range fs {
		b.add(b.bool(f))
	}
	if b.failed || b.work > maxTranslation {
		return errors.New("the formulas have no translation to bits")
	}
	u := &units{value: make([]int8, len(b.value)), watches: make([][]int32, len(b.value)), broken: b.broken}
	for _, l := range b.trail {
		u.enter([]blit{l})
	}
	for _, c := range b.clauses {
		u.enter(append([]blit{}, c...))
	}
	for i, text := range p.Steps {
		if u.broken {
			return nil
		}
		c, err := parseBits(text, len(u.value))
		if err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
		if !u.implied(c) {
			return fmt.Errorf("step %d: the clause does not follow", i+1)
		}
		u.enter(c)
	}
	if !u.broken {
		return errors.New("the steps do not end in a contradiction")
	}
	return nil
}

// maxTranslation limits the work of a translation to bits.
const maxTranslation = DefaultBudget

// parseBits reads a clause over literals below n.
func parseBits(text string, n int) ([]blit, error) {
	var c []blit
	for _, w := range strings.Fields(text) {
		l, err := strconv.Atoi(w)
		if err != nil || l < 0 || l >= n {
			return nil, fmt.Errorf("%q is no literal", w)
		}
		c = append(c, blit(l))
	}
	return c, nil
}

// units is a set of clauses with the literals that follow by unit propagation.
type units struct {
	clauses [][]blit
	watches [][]int32 // by literal: clauses that watch it
	value   []int8    // by literal: 1 true, -1 false, 0 open
	trail   []blit
	head    int
	broken  bool // the clauses contradict each other
}

// enter adds a clause that holds always.
func (u *units) enter(c []blit) {
	if u.broken {
		return
	}
	for k := 0; k < 2; k++ { // two literals that are not false first
		for j := k; j < len(c); j++ {
			if u.value[c[j]] >= 0 {
				c[k], c[j] = c[j], c[k]
				break
			}
		}
	}
	switch {
	case len(c) == 0 || u.value[c[0]] < 0:
		u.broken = true
		return
	case len(c) == 1 || u.value[c[1]] < 0:
		u.broken = u.assign(c[0]) || u.propagate()
	}
	if len(c) > 1 {
		i := int32(len(u.clauses))
		u.clauses = append(u.clauses, c)
		u.watches[c[0]], u.watches[c[1]] = append(u.watches[c[0]], i), append(u.watches[c[1]], i)
	}
}

// assign makes a literal true; it reports a contradiction.
func (u *units) assign(l blit) (conflict bool) {
	if u.value[l] == 0 {
		u.value[l], u.value[l.not()] = 1, -1
		u.trail = append(u.trail, l)
	}
	return u.value[l] < 0
}

// implied reports whether unit propagation contradicts the negation of a clause.
func (u *units) implied(c []blit) bool {
	n := len(u.trail)
	conflict := false
	for _, l := range c {
		conflict = u.assign(l.not()) || conflict
	}
	conflict = conflict || u.propagate()
	for _, l := range u.trail[n:] {
		u.value[l], u.value[l.not()] = 0, 0
	}
	u.trail, u.head = u.trail[:n], n
	return conflict
}

// propagate assigns the literals that follow; it reports a contradiction.
func (u *units) propagate() (conflict bool) {
	for ; u.head < len(u.trail) && !conflict; u.head++ {
		p := u.trail[u.head].not()
		ws := u.watches[p]
		kept := ws[:0]
		for k, i := range ws {
			c := u.clauses[i]
			if c[0] == p {
				c[0], c[1] = c[1], c[0]
			}
			j := 2
			for j < len(c) && u.value[c[j]] < 0 {
				j++
			}
			if u.value[c[0]] <= 0 && j < len(c) {
				c[1], c[j] = c[j], c[1]
				u.watches[c[1]] = append(u.watches[c[1]], i)
				continue
			}
			kept = append(kept, i)
			if u.value[c[0]] <= 0 && u.assign(c[0]) {
				kept, conflict = append(kept, ws[k+1:]...), true
				break
			}
		}
		u.watches[p] = kept
	}
	return conflict
}

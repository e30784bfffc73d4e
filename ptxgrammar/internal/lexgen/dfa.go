// Converting the lexer automaton to a minimal deterministic one.

package main

import (
	"fmt"
	"slices"
)

// nfaState is a state of the automaton with all rule calls expanded.
type nfaState struct {
	eps    []int
	next   [256][]int
	accept int // token kind, 0 for none
	rule   int // of accepting states: position of the rule, for ties
}

// nfaBuilder expands the ATN: lexer rules call one another without recursion, so every
// call gets its own copy of the callee.
type nfaBuilder struct {
	a      *atn
	states []nfaState
	depth  int
}

func (b *nfaBuilder) add() int {
	b.states = append(b.states, nfaState{})
	return len(b.states) - 1
}

// expand copies the rule that starts at ATN state start and returns the copy's first state. The copy's end leads to
// follow.
func (b *nfaBuilder) expand(start, follow int) (int, error) {
	if b.depth++; b.depth > 100 {
		return 0, fmt.Errorf("recursive lexer rule")
	}
	defer func() { b.depth-- }()
	copies := map[int]int{}
	var visit func(s int) (int, error)
	visit = func(s int) (int, error) {
		if b.a.stateKind[s] == stateRuleStop {
			return follow, nil
		}
		if n, ok := copies[s]; ok {
			return n, nil
		}
		n := b.add()
		copies[s] = n
		for _, e := range b.a.edges[s] {
			to, err := visit(e.target)
			if err != nil {
				return 0, err
			}
			switch e.kind {
			case edgeEpsilon, edgeAction:
				b.states[n].eps = append(b.states[n].eps, to)
			case edgeRule:
				callee, err := b.expand(e.arg1, to)
				if err != nil {
					return 0, err
				}
				b.states[n].eps = append(b.states[n].eps, callee)
			case edgeRange, edgeAtom, edgeSet, edgeNotSet, edgeWildcard:
				for c := range 256 {
					if b.a.matches(e, c) {
						b.states[n].next[c] = append(b.states[n].next[c], to)
					}
				}
			default:
				return 0, fmt.Errorf("transition of kind %d: the lexer table has no predicates", e.kind)
			}
		}
		return n, nil
	}
	return visit(start)
}

// buildNFA returns the expanded automaton and its initial states.
func buildNFA(a *atn) (states []nfaState, initial []int, err error) {
	b := &nfaBuilder{a: a}
	for i, e := range a.edges[a.start] {
		end := b.add()
		b.states[end].accept, b.states[end].rule = a.tokenOf(e.target), i
		first, err := b.expand(e.target, end)
		if err != nil {
			return nil, nil, err
		}
		initial = append(initial, first)
	}
	return b.states, initial, nil
}

// dfa is a deterministic automaton over bytes. State 0 is dead.
type dfa struct {
	next   [][256]int
	accept []int // token kind by state, 0 for none
	start  int
}

// closure returns the sorted set of states reachable from set by epsilon edges.
func closure(nfa []nfaState, set []int) []int {
	seen := map[int]bool{}
	for work := slices.Clone(set); len(work) > 0; {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen[s] {
			seen[s] = true
			work = append(work, nfa[s].eps...)
		}
	}
	out := make([]int, 0, len(seen))
	for s := range seen {
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

// acceptOf returns the token kind of a set: that of its earliest rule.
func acceptOf(nfa []nfaState, set []int) int {
	kind, rule := 0, len(nfa)
	for _, s := range set {
		if nfa[s].accept != 0 && nfa[s].rule < rule {
			kind, rule = nfa[s].accept, nfa[s].rule
		}
	}
	return kind
}

// determinise returns the result of the subset construction.
func determinise(nfa []nfaState, initial []int) *dfa {
	d := &dfa{next: make([][256]int, 1), accept: []int{0}, start: 1}
	ids := map[string]int{}
	var sets [][]int
	state := func(set []int) int {
		key := fmt.Sprint(set)
		id, ok := ids[key]
		if !ok {
			id = len(d.accept)
			ids[key] = id
			sets = append(sets, set)
			d.accept = append(d.accept, acceptOf(nfa, set))
			d.next = append(d.next, [256]int{})
		}
		return id
	}
	state(closure(nfa, initial))
	for i := 0; i < len(sets); i++ {
		for c := range 256 {
			var to []int
			for _, s := range sets[i] {
				to = append(to, nfa[s].next[c]...)
			}
			if len(to) > 0 {
				d.next[i+1][c] = state(closure(nfa, to))
			}
		}
	}
	return d
}

// minimise merges equivalent states. It refines the partition by token kind until all members of a part lead to the
// same parts. Parts are numbered by their first member, so the dead state stays 0.
func minimise(d *dfa) *dfa {
	part := make([]int, len(d.accept))
	for i, k := range d.accept {
		part[i] = k + 1
	}
	part[0] = 0
	for parts := 0; ; {
		ids := map[string]int{}
		refined := make([]int, len(part))
		for i := range part {
			row := make([]int, 0, 257)
			row = append(row, part[i])
			for _, to := range d.next[i] {
				row = append(row, part[to])
			}
			key := fmt.Sprint(row)
			if _, ok := ids[key]; !ok {
				ids[key] = len(ids)
			}
			refined[i] = ids[key]
		}
		part = refined
		if len(ids) == parts {
			return quotient(d, part, parts)
		}
		parts = len(ids)
	}
}

func quotient(d *dfa, part []int, parts int) *dfa {
	q := &dfa{next: make([][256]int, parts), accept: make([]int, parts), start: part[d.start]}
	for i, p := range part {
		q.accept[p] = d.accept[i]
		for c, to := range d.next[i] {
			q.next[p][c] = part[to]
		}
	}
	return q
}

// classes groups bytes that lead to the same state from each state.
func (d *dfa) classes() (class [256]int, count int) {
	ids := map[string]int{}
	for c := range 256 {
		col := make([]int, len(d.next))
		for s := range d.next {
			col[s] = d.next[s][c]
		}
		key := fmt.Sprint(col)
		if _, ok := ids[key]; !ok {
			ids[key] = len(ids)
		}
		class[c] = ids[key]
	}
	return class, len(ids)
}
